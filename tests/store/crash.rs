//! A process is killed at any point of a bet, a settlement or a cash-out: the store has all of it or nothing, and repeating
//! the request gives one bet or one cash-out. The rest of a settlement is finished after the restart. The process is this test program itself, with the name of one test and `KVOTA_FAIL_POINT`.

use crate::cash_outs::cash_out;
use crate::settlement::{Report, results};
use crate::world::{Folder, NOW, Schema, count_placed, order, place_all};
use kvota::testkit::measured::{asked_for, count};
use kvota_domain::money::Money;
use kvota_store::postgres::PostgresStore;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{AccountId, CashOutDone, Created, NewAccount, Placed, SettleScope, Stores, TicketFilter};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const SQLITE_POINTS: [&str; 5] = ["before-begin", "after-read", "after-write", "before-commit", "after-commit"];
const POSTGRES_POINTS: [&str; 4] = ["before-begin", "after-lock", "before-commit", "after-commit"];

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
        external_id: None,
    };
    match stores.accounts.create(new).await.expect("an account") {
        Created::Account(id) => id,
        Created::NameTaken | Created::ExternalIdTaken => {
            stores.accounts.find("ana").await.expect("an answer").expect("an account").id
        }
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
async fn place_under_kills(place: &str, point: &str) {
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
fn rounds(points: &[&'static str]) -> impl Iterator<Item = &'static str> {
    (0..asked_for("KVOTA_CRASHES", 1)).flat_map(|_| points.iter().copied())
}

#[tokio::test]
async fn sqlite_has_a_whole_bet_or_none_after_a_crash_at_any_point() {
    for point in rounds(&SQLITE_POINTS) {
        let folder = Folder::new();
        place_under_kills(&folder.file().to_string_lossy(), point).await;
    }
}

#[tokio::test]
async fn postgres_has_a_whole_bet_or_none_after_a_crash_at_any_point() {
    for point in rounds(&POSTGRES_POINTS) {
        let schema = Schema::new().await;
        place_under_kills(&schema.url, point).await;
        schema.drop().await;
    }
}

/// The points of a settlement. The first two batches pass each of them.
const SETTLE_POINTS: [&str; 7] = [
    "results-before-commit",
    "settle-read",
    "settle-settlements",
    "settle-postings",
    "settle-written",
    "settle-before-commit",
    "settle-after-commit",
];
/// SQLite is written by one task, which passes no point of the commit.
const SQLITE_SETTLE_POINTS: [&str; 4] = ["settle-read", "settle-settlements", "settle-postings", "settle-written"];

/// Stores the results of both matches, and settles all bets in batches of two.
async fn settle_all(stores: &Stores) {
    for match_of in [1, 2] {
        let won = results(match_of, 1, Report::Won);
        stores.settlements.store_results(won, NOW).await.expect("the store answers");
        for work in stores.settlements.waiting_work(i64::MAX, 10).await.expect("the store answers") {
            let settle = async || {
                let scope = SettleScope::Next { bets_max: 2 };
                stores.settlements.settle(work, scope, NOW).await.expect("the store answers")
            };
            while !settle().await.is_finished {}
        }
    }
}

/// Run by the child process: three bets are placed and settled. Without the variables it is a test like any other.
#[tokio::test]
async fn bets_are_settled_in_the_store_of_the_variable() {
    let folder = Folder::new();
    let place = std::env::var(STORE_VARIABLE).unwrap_or_else(|_| folder.file().to_string_lossy().into_owned());
    let stores = open(&place).await;
    let account = bettor(&stores).await;
    place_all(&stores, (1..=3).map(|number| order(account, number))).await;
    settle_all(&stores).await;
    stores.close().await.expect("the store answers");
}

/// Kills a process at a point of a settlement, checks the store, and settles the rest.
async fn hold_settlement(place: &str, point: &str) {
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "crash::bets_are_settled_in_the_store_of_the_variable"])
        .env("KVOTA_FAIL_POINT", point)
        .env(STORE_VARIABLE, place)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("a process");
    assert_eq!(status.code(), None, "{point}");

    let stores = open(place).await;
    assert_eq!(stores.audit().await.expect("the store answers").findings, Vec::<String>::new(), "{point}");
    settle_all(&stores).await;
    let account = bettor(&stores).await;
    let page = stores.bets.tickets(account, TicketFilter::Settled, None, 10).await.expect("the store answers");
    let settled: Vec<(u32, i64)> = page
        .expect("a page")
        .tickets
        .iter()
        .filter_map(|bet| bet.settlement.as_ref().map(|made| (made.number, made.paid.cents())))
        .collect();
    let balance = stores.accounts.balance(account).await.expect("the store answers").expect("an account");
    // Each bet wins 9.50 * 1.755 * 1.755 = 29.26, less the win tax.
    assert_eq!(settled, [(1, settled[0].1); 3], "{point}");
    assert_eq!(balance.cents(), 10_000 - 3_000 + 3 * settled[0].1, "{point}");
    let report = stores.audit().await.expect("the store answers");
    assert_eq!((report.bets, report.findings), (3, Vec::new()), "{point}");
    stores.close().await.expect("the store answers");
}

/// The points at the first and at the second batch, `KVOTA_CRASHES` times each (R42).
fn settle_rounds(points: &[&str]) -> Vec<String> {
    let rounds = asked_for("KVOTA_CRASHES", 1);
    let at = |point: &&str| [1, 2].map(|batch| format!("{point}:{batch}"));
    let all: Vec<String> = points.iter().flat_map(at).collect();
    (0..rounds).flat_map(|_| all.clone()).collect()
}

#[tokio::test]
async fn sqlite_settles_each_bet_once_after_a_crash_at_any_point() {
    let rounds = settle_rounds(&SQLITE_SETTLE_POINTS);
    for point in &rounds {
        let folder = Folder::new();
        hold_settlement(&folder.file().to_string_lossy(), point).await;
    }
    count("R42", "kills on SQLite, each bet settled once", rounds.len());
}

#[tokio::test]
async fn postgres_settles_each_bet_once_after_a_crash_at_any_point() {
    let rounds = settle_rounds(&SETTLE_POINTS);
    for point in &rounds {
        let schema = Schema::new().await;
        hold_settlement(&schema.url, point).await;
        schema.drop().await;
    }
    count("R42", "kills on PostgreSQL, each bet settled once", rounds.len());
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
