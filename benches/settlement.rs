//! Settled bets per second on each database, beside a plain loop with the same updates, and what placing waits while a
//! hundred thousand bets are settled; and the reads that every node repeats. `make bets-figures` runs it; docs/performance.md has the figures. `KVOTA_BETS` sets
//! the number of bets.

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

mod kit;

use futures_util::future::{join, join_all};
use kit::{CONNECTIONS, Folder, NOW, Schema, accounts};
use kvota::betting::limits::SETTLE_BETS_MAX;
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{DeadHeat, MarketResult, MarketState, MatchResults, RawOddResult, VoidFactor};
use kvota_domain::ticket::{Consent, PlacingLimits};
use kvota_store::postgres::PostgresStore;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{
    AccountId, Bet, BetBasis, BetPair, BetRules, IdempotencyKey, PairTexts, PlaceBet, Placed, SettleScope,
    SettlementWork, Stores, TicketId,
};
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{Connection, Executor, SqliteConnection};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Accounts; each has the same number of bets.
const BETTORS: u64 = 1_280;
/// Matches of the repeated reads, and all results of theirs together.
const MATCHES: u64 = 100;
const RESULTS: u64 = 80_000;
/// Bets of the comparison with a plain loop.
const COMPARED: u64 = 12_800;
/// Bets with which the wait for placing is measured, and how often one is placed.
const PLACED: u64 = 500;
const PLACE_EVERY: Duration = Duration::from_millis(20);

/// All bets with their accounts, by number.
macro_rules! bets_of {
    ($connection:expr) => {{
        let rows = sqlx::query_as::<_, (i64, i64)>("SELECT id, account_id FROM bets ORDER BY id");
        rows.fetch_all($connection).await.expect("the bets")
    }};
}

/// The updates of one settled bet, one prepared statement for each: the same rows as the store writes, without reading or
/// grading anything.
macro_rules! settle_plainly {
    ($connection:expr, $bet:expr, $account:expr) => {{
        let (connection, bet, account) = ($connection, $bet, $account);
        let made = sqlx::query(
            "INSERT INTO settlements (bet_id, number, at_ms, state, gross_cents, win_tax_cents, paid_cents) \
             VALUES ($1, 1, $2, 'won', 1846, 90, 1756)",
        );
        made.bind(bet).bind(NOW).execute(&mut *connection).await.expect("a settlement");
        for (from, to, amount, balance) in [
            ("open_stakes", "house", 950_i64, None),
            ("open_stakes", "tax", 50, None),
            ("house", "tax", 90, None),
            ("house", "bettor", 1756, Some(100_000_000_000_i64)),
        ] {
            let posted = sqlx::query(
                "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, bet_id, settlement, \
                 balance_after_cents) VALUES ($1, 'payout', $2, $3, $4, $5, $6, 1, $7)",
            );
            let posted = posted.bind(NOW).bind(from).bind(to).bind(amount).bind(account).bind(bet).bind(balance);
            posted.execute(&mut *connection).await.expect("a posting");
        }
        let changed = sqlx::query(
            "UPDATE bets SET state = 'won', settlements = 1, standing = 1, revision = revision + 1 WHERE id = $1",
        );
        changed.bind(bet).execute(&mut *connection).await.expect("a bet");
        let decided = sqlx::query("UPDATE bet_pairs SET result = 'won', settled_at_ms = $2 WHERE bet_id = $1");
        decided.bind(bet).bind(NOW).execute(&mut *connection).await.expect("a pair");
        let paid = sqlx::query(
            "UPDATE accounts SET balance_cents = balance_cents + 1756, revision = revision + 1 WHERE id = $1",
        );
        paid.bind(account).execute(&mut *connection).await.expect("an account");
    }};
}

fn main() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let bets = std::env::var("KVOTA_BETS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    println!("{COMPARED} won bets on one market are settled, {SETTLE_BETS_MAX} in a transaction\n");
    println!("{:<12} {:>14} {:>14} {:>8}", "", "loop, bets/s", "store, bets/s", "ratio");
    runtime.block_on(sqlite());
    let url = std::env::var("KVOTA_TEST_POSTGRES_URL").ok();
    if let Some(url) = &url {
        runtime.block_on(postgres(url));
    }
    println!("\nplacing a bet every {} ms, while {bets} bets are settled\n", PLACE_EVERY.as_millis());
    println!("{:<12} {:>12} {:>12} {:>12} {:>12} {:>10}", "", "usual p50", "usual p99", "p50", "p99", "bets/s");
    runtime.block_on(async {
        let folder = Folder::new("wait");
        let stores = Stores::over(SqliteStore::open(&folder.0.join("ours.db")).await.expect("a file"));
        placing_beside_settling("SQLite", &stores, bets).await;
        stores.close().await.expect("closed");
    });
    if let Some(url) = &url {
        runtime.block_on(async {
            let schema = Schema::new(url, "wait").await;
            let stores = Stores::over(PostgresStore::open(&schema.url, CONNECTIONS).await.expect("a schema"));
            placing_beside_settling("PostgreSQL", &stores, bets).await;
            stores.close().await.expect("closed");
            schema.drop().await;
        });
    }
    println!("\nrepeated reads with {bets} undecided pairs and {RESULTS} results of their matches\n");
    println!("{:<12} {:>20} {:>20} {:>20}", "", "undecided matches", "unsettled bets", "backlog");
    runtime.block_on(async {
        let folder = Folder::new("growth");
        let stores = Stores::over(SqliteStore::open(&folder.0.join("ours.db")).await.expect("a file"));
        growth("SQLite", &stores, bets).await;
        stores.close().await.expect("closed");
    });
    if let Some(url) = &url {
        runtime.block_on(async {
            let schema = Schema::new(url, "growth").await;
            let stores = Stores::over(PostgresStore::open(&schema.url, CONNECTIONS).await.expect("a schema"));
            growth("PostgreSQL", &stores, bets).await;
            stores.close().await.expect("closed");
            schema.drop().await;
        });
    }
}

/// How long the reads take that every node repeats. All matches have ended, and have results of other markets.
async fn growth(name: &str, stores: &Stores, bets: u64) {
    let bettors = accounts(stores, BETTORS).await;
    let placing = bettors.iter().enumerate().map(|(bettor, account)| async move {
        for turn in 0..bets / BETTORS {
            let number = turn * BETTORS + bettor as u64;
            place(stores, *account, number, number % MATCHES + 1).await;
        }
    });
    join_all(placing).await;
    let matches: Vec<MatchId> = (1..=MATCHES).map(|id| MatchId::new(id).expect("an id")).collect();
    for match_id in &matches {
        let market = |number: u64| MarketResult {
            market: MarketId::new(1_000_000 * match_id.get() + number).expect("an id"),
            version: 1,
            state: MarketState::Settled,
            odds: Vec::new(),
            void_windows: Vec::new(),
            reason: None,
        };
        let markets = (0..RESULTS / MATCHES).map(market).collect();
        let results = MatchResults { match_id: *match_id, markets, date_ms: None };
        stores.settlements.store_results(results, NOW).await.expect("the store answers");
    }
    stores.settlements.note_match_ends(&matches, &[], NOW).await.expect("the store answers");
    let began = Instant::now();
    let undecided = stores.settlements.undecided_matches().await.expect("the store answers").len();
    let matches_took = began.elapsed();
    let began = Instant::now();
    let unsettled = stores.settlements.unsettled_bets(NOW + 1).await.expect("the store answers").len();
    let unsettled_took = began.elapsed();
    let began = Instant::now();
    stores.settlements.settlement_backlog().await.expect("the store answers");
    let backlog_took = began.elapsed();
    let cell = |count: usize, took: Duration| format!("{count} in {:.0} ms", took.as_secs_f64() * 1e3);
    println!(
        "{name:<12} {:>20} {:>20} {:>20}",
        cell(undecided, matches_took),
        cell(unsettled, unsettled_took),
        format!("{:.0} ms", backlog_took.as_secs_f64() * 1e3)
    );
}

async fn sqlite() {
    let folder = Folder::new("compared");
    let (bare, ours) = (folder.0.join("bare.db"), folder.0.join("ours.db"));
    let filled = Stores::over(SqliteStore::open(&bare).await.expect("a file"));
    place_all(&filled, COMPARED, 1).await;
    filled.close().await.expect("closed");
    let options = SqliteConnectOptions::new().filename(&bare).foreign_keys(true).synchronous(SqliteSynchronous::Full);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the file");
    let bets = bets_of!(&mut connection);
    let began = Instant::now();
    for batch in bets.chunks(SETTLE_BETS_MAX as usize) {
        connection.execute("BEGIN IMMEDIATE").await.expect("begun");
        for (bet, account) in batch {
            settle_plainly!(&mut connection, *bet, *account);
        }
        connection.execute("COMMIT").await.expect("committed");
    }
    let limit = began.elapsed();
    connection.close().await.expect("closed");

    let stores = Stores::over(SqliteStore::open(&ours).await.expect("a file"));
    place_all(&stores, COMPARED, 1).await;
    compare("SQLite", limit, settle_all(&stores).await);
    stores.close().await.expect("closed");
}

async fn postgres(url: &str) {
    let (bare, ours) = (Schema::new(url, "bare").await, Schema::new(url, "ours").await);
    let filled = Stores::over(PostgresStore::open(&bare.url, CONNECTIONS).await.expect("a schema"));
    place_all(&filled, COMPARED, 1).await;
    filled.close().await.expect("closed");
    let pool = PgPool::connect_with(PgConnectOptions::from_str(&bare.url).expect("an address")).await.expect("a pool");
    let bets = bets_of!(&pool);
    let began = Instant::now();
    for batch in bets.chunks(SETTLE_BETS_MAX as usize) {
        let mut transaction = pool.begin().await.expect("begun");
        for (bet, account) in batch {
            settle_plainly!(&mut *transaction, *bet, *account);
        }
        transaction.commit().await.expect("committed");
    }
    let limit = began.elapsed();
    pool.close().await;

    let stores = Stores::over(PostgresStore::open(&ours.url, CONNECTIONS).await.expect("a schema"));
    place_all(&stores, COMPARED, 1).await;
    compare("PostgreSQL", limit, settle_all(&stores).await);
    stores.close().await.expect("closed");
    bare.drop().await;
    ours.drop().await;
}

fn compare(name: &str, limit: Duration, store: Duration) {
    let rate = |took: Duration| COMPARED as f64 / took.as_secs_f64();
    println!("{name:<12} {:>14.0} {:>14.0} {:>8.2}", rate(limit), rate(store), rate(store) / rate(limit));
}

/// Places these bets on the market of a match, from all accounts in parallel.
async fn place_all(stores: &Stores, bets: u64, match_of: u64) -> Vec<AccountId> {
    let bettors = accounts(stores, BETTORS).await;
    let placing = bettors.iter().enumerate().map(|(bettor, account)| async move {
        for turn in 0..bets / BETTORS {
            place(stores, *account, turn * BETTORS + bettor as u64, match_of).await;
        }
    });
    join_all(placing).await;
    bettors
}

async fn place(stores: &Stores, account: AccountId, number: u64, match_of: u64) {
    let placed = stores.bets.place(order(account, number, match_of)).await.expect("an outcome");
    assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
}

/// Settles all bets on match 1, as the engine does; the time that it took.
async fn settle_all(stores: &Stores) -> Duration {
    let odd = RawOddResult {
        odd: OddId::new(1000).expect("an id"),
        result: Some(1),
        void_factor: Some(VoidFactor::Zero),
        dead_heat: Some(DeadHeat::NONE),
    };
    let market_id = MarketId::new(100).expect("an id");
    let market = MarketResult {
        market: market_id,
        version: 1,
        state: MarketState::Settled,
        odds: vec![odd],
        void_windows: Vec::new(),
        reason: None,
    };
    let match_id = MatchId::new(1).expect("an id");
    let results = MatchResults { match_id, markets: vec![market], date_ms: None };
    stores.settlements.store_results(results, NOW).await.expect("the store answers");
    let began = Instant::now();
    loop {
        let (work, scope) = (SettlementWork { match_id, market_id }, SettleScope::Next { bets_max: SETTLE_BETS_MAX });
        if stores.settlements.settle(work, scope, NOW).await.expect("the store answers").is_finished {
            return began.elapsed();
        }
    }
}

async fn placing_beside_settling(name: &str, stores: &Stores, bets: u64) {
    let bettors = place_all(stores, bets, 1).await;
    let is_over = AtomicBool::new(false);
    let usual = waits(stores, &bettors, bets, &is_over).await;
    let settling = async {
        let took = settle_all(stores).await;
        is_over.store(true, Ordering::Relaxed);
        took
    };
    let (took, beside) = join(settling, waits(stores, &bettors, bets + PLACED, &is_over)).await;
    let at = |waits: &[Duration], share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{name:<12} {:>9.2} ms {:>9.2} ms {:>9.2} ms {:>9.2} ms {:>10.0}",
        at(&usual, 0.5),
        at(&usual, 0.99),
        at(&beside, 0.5),
        at(&beside, 0.99),
        bets as f64 / took.as_secs_f64()
    );
}

/// How long single bets wait, sorted. They are on another match, and placed at fixed times until `is_over`.
async fn waits(stores: &Stores, bettors: &[AccountId], from: u64, is_over: &AtomicBool) -> Vec<Duration> {
    let mut ticks = interval(PLACE_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut waits = Vec::new();
    for number in 0..PLACED {
        ticks.tick().await;
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let began = Instant::now();
        place(stores, bettors[(number % BETTORS) as usize], from + number, 2).await;
        waits.push(began.elapsed());
    }
    waits.sort();
    waits
}

fn order(account: AccountId, number: u64, match_of: u64) -> PlaceBet {
    let price = Price::from_thousandths(1943).expect("a price");
    let id = match_of;
    PlaceBet {
        account,
        key: IdempotencyKey(u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834).to_be_bytes()),
        digest: [7; 32],
        ticket_id: TicketId::new(&format!("0193f5c2-7d1e-7000-8000-{number:012}")).expect("a ticket's id"),
        bet: Bet {
            placed_at_ms: NOW,
            bruto: Money::from_cents(1000),
            stake: Money::from_cents(950),
            total_odd: "1.943".to_owned(),
            system_type: 0,
            potential_win: Money::from_cents(1846),
            win_tax: Money::from_cents(90),
            payout: Money::from_cents(1756),
            consent: Consent::None,
            basis: BetBasis { rules: Some(BetRules::default()), ..BetBasis::default() },
            pairs: vec![BetPair {
                match_id: MatchId::new(id).expect("an id"),
                market_id: MarketId::new(id * 100).expect("an id"),
                odd_id: OddId::new(id * 1000).expect("an id"),
                sport_id: SportId::new(1).expect("an id"),
                market_type: 18,
                market_subtype: Some(1),
                sbv: Some("2.5".to_owned()),
                odd_type: Some("over".to_owned()),
                odds_submitted: price,
                odds_taken: price,
                is_fix: false,
                texts: PairTexts::default(),
            }],
        },
        limits: PlacingLimits::default(),
        answer: Arc::new(|receipt| format!("{{\"balance\":\"{}\"}}", receipt.balance).into_bytes()),
    }
}
