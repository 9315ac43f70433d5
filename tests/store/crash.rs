//! A process is killed at any point of a bet or a cash-out: the store has all of it or nothing, and repeating the request
//! gives one bet or one cash-out. The process is this test program itself, with the name of one test and `KVOTA_FAIL_POINT`.

use crate::cash_outs::cash_out;
use crate::world::{Folder, NOW, Schema, count_placed, order, place_all};
use kvota::domain::money::Money;
use kvota::store::postgres::PostgresStore;
use kvota::store::sqlite::SqliteStore;
use kvota::store::{AccountId, CashOutDone, Created, NewAccount, Placed, Stores};
use kvota::testkit::measured::asked_for;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const POINTS: [&str; 6] = ["before-begin", "after-key", "after-debit", "after-bet", "before-commit", "after-commit"];

/// The variable with the store of the child process: a file or an address.
const STORE_VARIABLE: &str = "KVOTA_TEST_CRASH_PLACE";

async fn open(place: &str) -> Stores {
    if place.starts_with("postgres") {
        Stores::over(PostgresStore::open(place, 2).await.expect("a schema"))
    } else {
        Stores::over(SqliteStore::open(&PathBuf::from(place)).await.expect("a file"))
    }
}

async fn bettor(stores: &Stores) -> AccountId {
    let new = NewAccount {
        name: "ana".to_owned(),
        password_hash: "hash".to_owned(),
        opening: Money::from_cents(10_000),
        now_ms: NOW,
    };
    match stores.accounts.create(new).await.expect("an account") {
        Created::Account(id) => id,
        Created::NameTaken => stores.accounts.find("ana").await.expect("an answer").expect("an account").id,
    }
}

/// Run by the child process: two bets, one after the other. Without the variables it is a test like any other.
#[tokio::test]
async fn two_bets_are_placed_in_the_store_of_the_variable() {
    let folder = Folder::new();
    let place = std::env::var(STORE_VARIABLE).unwrap_or_else(|_| folder.file().to_string_lossy().into_owned());
    let stores = open(&place).await;
    let account = bettor(&stores).await;
    for number in [1, 2] {
        assert_eq!(count_placed(&place_all(&stores, [order(account, number)]).await), 1);
    }
    stores.close().await.expect("the store answers");
}

/// Kills a process at a point of its second bet, checks the store, and repeats the request.
async fn hold(place: &str, point: &str) {
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "crash::two_bets_are_placed_in_the_store_of_the_variable"])
        .env("KVOTA_FAIL_POINT", format!("{point}:2"))
        .env(STORE_VARIABLE, place)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("a process");
    // A signal ended it, not a failed test.
    assert_eq!(status.code(), None, "{point}");

    let stores = open(place).await;
    let account = bettor(&stores).await;
    let report = stores.audit().await.expect("the store answers");
    assert_eq!(report.findings, Vec::<String>::new(), "{point}");
    assert_eq!(report.bets, if point == "after-commit" { 2 } else { 1 }, "{point}");

    let again = stores.bets.place(order(account, 2)).await.expect("the store answers");
    match again {
        Placed::Replayed(answer) if point == "after-commit" => assert_eq!(answer.body, b"balance 80.00"),
        Placed::Placed { balance, .. } if point != "after-commit" => assert_eq!(balance.cents(), 8000),
        other => panic!("{point}: {other:?}"),
    }
    let report = stores.audit().await.expect("the store answers");
    assert_eq!((report.bets, report.findings), (2, Vec::new()), "{point}");
    stores.close().await.expect("the store answers");
}

/// All points, `KVOTA_CRASHES` times each (R07).
fn rounds() -> impl Iterator<Item = &'static str> {
    (0..asked_for("KVOTA_CRASHES", 1)).flat_map(|_| POINTS)
}

#[tokio::test]
async fn sqlite_has_a_whole_bet_or_none_after_a_crash_at_any_point() {
    for point in rounds() {
        let folder = Folder::new();
        hold(&folder.file().to_string_lossy(), point).await;
    }
}

#[tokio::test]
async fn postgres_has_a_whole_bet_or_none_after_a_crash_at_any_point() {
    for point in rounds() {
        let schema = Schema::new().await;
        hold(&schema.url, point).await;
        schema.drop().await;
    }
}

/// The points of a cash-out, and those of the rows that it shares with a settlement.
const CASH_OUT_POINTS: [&str; 5] =
    ["settle-postings", "settle-written", "cash-out-written", "cash-out-before-commit", "cash-out-after-commit"];

/// Run by the child process: a bet is placed and cashed out. Without the variables it is a test like any other.
#[tokio::test]
async fn a_bet_is_cashed_out_in_the_store_of_the_variable() {
    let folder = Folder::new();
    let place = std::env::var(STORE_VARIABLE).unwrap_or_else(|_| folder.file().to_string_lossy().into_owned());
    let stores = open(&place).await;
    let account = bettor(&stores).await;
    assert_eq!(count_placed(&place_all(&stores, [order(account, 1)]).await), 1);
    let done = stores.cash_outs.cash_out(cash_out(account, 1)).await.expect("the store answers");
    assert!(matches!(done, CashOutDone::Answered { .. }), "{done:?}");
    stores.close().await.expect("the store answers");
}

/// Kills a process at a point of a cash-out, checks the store, and repeats the request.
async fn hold_cash_out(place: &str, point: &str) {
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "crash::a_bet_is_cashed_out_in_the_store_of_the_variable"])
        .env("KVOTA_FAIL_POINT", point)
        .env(STORE_VARIABLE, place)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("a process");
    assert_eq!(status.code(), None, "{point}");

    let stores = open(place).await;
    let account = bettor(&stores).await;
    let balance = async || stores.accounts.balance(account).await.expect("the store answers").expect("an account");
    let is_done = point == "cash-out-after-commit";
    assert_eq!(stores.audit().await.expect("the store answers").findings, Vec::<String>::new(), "{point}");
    assert_eq!(balance().await.cents(), if is_done { 10_740 } else { 9_000 }, "{point}");

    let again = stores.cash_outs.cash_out(cash_out(account, 1)).await.expect("the store answers");
    match again {
        CashOutDone::Replayed(answer) if is_done => assert!(answer.body.ends_with(b"107.40")),
        CashOutDone::Answered { answer, .. } if !is_done => assert!(answer.body.ends_with(b"107.40")),
        other => panic!("{point}: {other:?}"),
    }
    assert_eq!(balance().await.cents(), 10_740, "{point}");
    assert_eq!(stores.audit().await.expect("the store answers").findings, Vec::<String>::new(), "{point}");
    stores.close().await.expect("the store answers");
}

#[tokio::test]
async fn sqlite_has_a_whole_cash_out_or_none_after_a_crash_at_any_point() {
    // The file is written and synchronised by the writer, which has no point behind the commit of a cash-out.
    for point in CASH_OUT_POINTS.into_iter().filter(|point| *point != "cash-out-after-commit") {
        let folder = Folder::new();
        hold_cash_out(&folder.file().to_string_lossy(), point).await;
    }
}

#[tokio::test]
async fn postgres_has_a_whole_cash_out_or_none_after_a_crash_at_any_point() {
    for point in CASH_OUT_POINTS {
        let schema = Schema::new().await;
        hold_cash_out(&schema.url, point).await;
        schema.drop().await;
    }
}
