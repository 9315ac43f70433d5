//! Stores that version 10 of the tables made, with 2,000 bets, are migrated, audited and settled. The fixtures are an SQLite
//! file and the statements that make a PostgreSQL schema.

use crate::world::{Folder, Schema};
use flate2::read::GzDecoder;
use kvota::betting::limits::SETTLE_BETS_MAX;
use kvota::testkit::measured;
use kvota_domain::bet::BetState;
use kvota_domain::settlement::{MarketResult, MarketState, MatchResults};
use kvota_store::postgres::PostgresStore;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{AccountId, BetRules, SettleScope, Stores, TicketFilter};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use std::io::Read;
use std::path::Path;
use tokio::time::Instant;

const LATER: i64 = 1_900_000_000_000;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/fixtures").join(name);
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).expect("the fixture is there");
    GzDecoder::new(file).read_to_end(&mut bytes).expect("the fixture is not damaged");
    bytes
}

/// Copies all accounts of a fixture with their bets, so that there are `KVOTA_OLDER_COPIES` times as many.
fn copies() -> (u64, String) {
    let copies = measured::asked_for("KVOTA_OLDER_COPIES", 1);
    let one = |copy: u64| {
        let (account, transfer, ticket) = (copy * 1_000, copy * 1_000_000, 90_000_000 + copy);
        format!(
            "INSERT INTO accounts (id, name, password_hash, balance_cents, created_at_ms) SELECT id + {account}, \
             name || '-{copy}', password_hash, balance_cents, created_at_ms FROM accounts WHERE id < 1000; \
             INSERT INTO transfers (id, kind, at_ms) SELECT id + {transfer}, kind, at_ms FROM transfers WHERE id < 1000000; \
             INSERT INTO entries (transfer_id, amount_cents, account_id) SELECT transfer_id + {transfer}, amount_cents, \
             CASE WHEN account_id > 0 THEN account_id + {account} ELSE account_id END FROM entries \
             WHERE transfer_id < 1000000; \
             INSERT INTO answers (account_id, key, digest, status, body, at_ms) SELECT account_id + {account}, key, digest, \
             status, body, at_ms FROM answers WHERE account_id < 1000; \
             INSERT INTO bets (id, ticket_id, account_id, key, placed_at_ms, state, bruto_cents, stake_cents, total_odd, \
             system_type, potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents) \
             SELECT id + {transfer}, substr(ticket_id, 1, 28) || '{ticket}', account_id + {account}, key, placed_at_ms, \
             state, bruto_cents, stake_cents, total_odd, system_type, potential_win_cents, win_tax_cents, payout_cents, \
             consent, balance_after_cents FROM bets WHERE id < 1000000; \
             INSERT INTO bet_pairs (bet_id, position, account_id, match_id, market_id, odd_id, sport_id, market_type, \
             market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament) \
             SELECT bet_id + {transfer}, position, account_id + {account}, match_id, market_id, odd_id, sport_id, \
             market_type, market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, \
             tournament FROM bet_pairs WHERE bet_id < 1000000; "
        )
    };
    (2_000 * copies, format!("BEGIN; {} COMMIT;", (1..copies).map(one).collect::<String>()))
}

/// Prints how long a migration took.
fn migrated(store: &str, bets: u64, begun: Instant) {
    let seconds = format!("{:.1}", begun.elapsed().as_secs_f64());
    measured::most("R57", &format!("s until {bets} bets in {store} are migrated"), seconds, 60);
}

/// Audits the migrated store, cancels the markets of all open bets, and audits it again.
async fn settle_all(stores: Stores, bets: u64) {
    let report = stores.audit().await.expect("an audit");
    assert_eq!((report.findings, report.bets), (Vec::<String>::new(), bets));
    let settlements = &stores.settlements;
    let mut kept = 0;
    while kept < bets {
        kept += settlements.keep_rules(BetRules::default()).await.expect("the store answers");
    }
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
            let next = || settlements.settle(work, SettleScope::Next { bets_max: SETTLE_BETS_MAX }, LATER);
            while !next().await.expect("the store answers").is_finished {}
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
    let (bets, copies) = copies();
    let options = SqliteConnectOptions::new().filename(folder.file()).foreign_keys(true);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("a connection");
    connection.execute(sqlx::raw_sql(AssertSqlSafe(copies))).await.expect("it is copied");
    connection.close().await.expect("closed");
    let begun = Instant::now();
    let store = SqliteStore::open(&folder.file()).await.expect("it is migrated");
    migrated("SQLite", bets, begun);
    settle_all(Stores::over(store), bets).await;
}

/// A schema of version 10 in PostgreSQL.
async fn schema_of_version_10() -> (Schema, PgConnection) {
    let schema = Schema::new().await;
    let statements = String::from_utf8(fixture("bets-of-version-10.sql.gz")).expect("text");
    let statements = statements.replace("kvota_fixture", &schema.name);
    let mut connection = PgConnection::connect(&schema.url).await.expect("a connection");
    let dropped = format!("DROP SCHEMA {} CASCADE; {statements}", schema.name);
    connection.execute(sqlx::raw_sql(AssertSqlSafe(dropped))).await.expect("the schema is made");
    (schema, connection)
}

/// An audit reads for minutes in one transaction, so a migration waits for its tables; the bets of older nodes must not wait
/// behind the migration (CONTRACT 11.5).
#[tokio::test]
async fn a_migration_that_waits_for_a_table_lets_others_use_it() {
    let (schema, mut audit) = schema_of_version_10().await;
    let mut bets = PgConnection::connect(&schema.url).await.expect("a connection");
    bets.execute("SET statement_timeout = '20s'").await.expect("set");
    let read = "SELECT count(*) FROM accounts";
    audit.execute("BEGIN").await.expect("begun");
    audit.execute(read).await.expect("read");
    let betting = async {
        let waits = "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) \
                     WHERE NOT granted AND mode = 'AccessExclusiveLock' AND application_name = $1)";
        loop {
            let is_waiting: bool =
                sqlx::query_scalar(waits).bind(&schema.name).fetch_one(&mut bets).await.expect("the locks");
            if is_waiting {
                break;
            }
        }
        bets.execute(read).await.expect("the table can be used while the audit and the migration want it");
        audit.execute("COMMIT").await.expect("ended");
    };
    let (opened, ()) = futures_util::future::join(PostgresStore::open(&schema.url, 4), betting).await;
    let store = Stores::over(opened.expect("it is migrated"));
    let audit = store.audit().await.expect("an audit");
    assert!(audit.findings.is_empty(), "{:?}", audit.findings);
    store.close().await.expect("closed");
    schema.drop().await;
}

#[tokio::test]
async fn postgres_schema_of_version_10_is_migrated_and_settled() {
    let (schema, mut connection) = schema_of_version_10().await;
    let (bets, copies) = copies();
    connection.execute(sqlx::raw_sql(AssertSqlSafe(copies))).await.expect("it is copied");
    connection.close().await.expect("closed");
    let begun = Instant::now();
    let store = PostgresStore::open(&schema.url, 4).await.expect("it is migrated");
    migrated("PostgreSQL", bets, begun);
    settle_all(Stores::over(store), bets).await;
    schema.drop().await;
}
