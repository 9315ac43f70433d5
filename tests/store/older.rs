//! Stores that version 10 of the tables made, with 2,000 bets, are migrated, audited and settled. The fixtures are an SQLite
//! file and the statements that make a PostgreSQL schema.

use crate::world::{Folder, Schema};
use flate2::read::GzDecoder;
use kvota::domain::bet::BetState;
use kvota::domain::settlement::{MarketResult, MarketState, MatchResults};
use kvota::store::postgres::PostgresStore;
use kvota::store::sqlite::SqliteStore;
use kvota::store::{AccountId, BetRules, SettleScope, Stores, TicketFilter};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::io::Read;
use std::path::Path;

const LATER: i64 = 1_900_000_000_000;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/fixtures").join(name);
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).expect("the fixture is there");
    GzDecoder::new(file).read_to_end(&mut bytes).expect("the fixture is not damaged");
    bytes
}

/// Audits the migrated store, cancels the markets of all open bets, and audits it again.
async fn settle_all(stores: Stores) {
    let report = stores.audit().await.expect("an audit");
    assert_eq!((report.findings, report.bets), (Vec::<String>::new(), 2_000));
    let settlements = &stores.settlements;
    assert_eq!(settlements.keep_rules(BetRules::default()).await.expect("the store answers"), 2_000);
    for requested in settlements.undecided_matches().await.expect("the store answers") {
        let cancelled = |market| MarketResult {
            market,
            version: 1,
            state: MarketState::Cancelled,
            odds: Vec::new(),
            void_windows: Vec::new(),
            reason: None,
        };
        let markets = requested.open_markets.into_iter().map(cancelled).collect();
        let results = MatchResults { match_id: requested.match_id, markets, date_ms: None };
        settlements.store_results(results, LATER).await.expect("the store answers");
        for work in settlements.work_of_match(requested.match_id).await.expect("the store answers") {
            let scope = SettleScope::Next { bets_max: 10_000 };
            let batch = settlements.settle(work, scope, LATER).await.expect("the store answers");
            assert!(batch.is_finished);
        }
    }
    for number in 1..=10 {
        let account = AccountId::bettor(number).expect("an account");
        let page = stores.bets.tickets(account, TicketFilter::All, None, 1_000).await.expect("the store answers");
        let tickets = page.expect("a page").tickets;
        assert!(!tickets.is_empty() && tickets.iter().all(|bet| bet.state == BetState::Void), "account {number}");
        let balance = stores.accounts.balance(account).await.expect("the store answers").expect("an account");
        assert_eq!(balance.to_string(), "100000.00", "every stake is returned");
    }
    let report = stores.audit().await.expect("an audit");
    assert_eq!(report.findings, Vec::<String>::new());
    stores.close().await.expect("closed");
}

#[tokio::test]
async fn sqlite_file_of_version_10_is_migrated_and_settled() {
    let folder = Folder::new();
    std::fs::create_dir_all(&folder.0).expect("a folder");
    std::fs::write(folder.file(), fixture("bets-of-version-10.db.gz")).expect("the file is written");
    settle_all(Stores::over(SqliteStore::open(&folder.file()).await.expect("it is migrated"))).await;
}

#[tokio::test]
async fn postgres_schema_of_version_10_is_migrated_and_settled() {
    let schema = Schema::new().await;
    let statements = String::from_utf8(fixture("bets-of-version-10.sql.gz")).expect("text");
    let statements = statements.replace("kvota_fixture", &schema.name);
    let mut connection = PgConnection::connect(&schema.url).await.expect("a connection");
    let dropped = format!("DROP SCHEMA {} CASCADE; {statements}", schema.name);
    connection.execute(sqlx::raw_sql(AssertSqlSafe(dropped))).await.expect("the schema is made");
    connection.close().await.expect("closed");
    settle_all(Stores::over(PostgresStore::open(&schema.url, 4).await.expect("it is migrated"))).await;
    schema.drop().await;
}
