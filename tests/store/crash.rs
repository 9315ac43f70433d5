//! A process is killed at any point of a bet: the store has the whole bet or nothing, and repeating the request gives
//! one bet. The process is this test program itself, with the name of one test and `KVOTA_FAIL_POINT`.

use crate::world::{Folder, NOW, Schema, count_placed, order, place_all};
use kvota::domain::money::Money;
use kvota::store::postgres::PostgresStore;
use kvota::store::sqlite::SqliteStore;
use kvota::store::{AccountId, Created, NewAccount, Placed, Stores};
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
