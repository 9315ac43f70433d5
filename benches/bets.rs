//! Bets per second that are durably stored, for each database. The reference is a minimal loop that only inserts the
//! same rows into the same database. 64 bettors each wait for a bet before they place the next. `make bets-figures`
//! runs it; docs/performance.md has the figures and what exactly is compared.

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

mod kit;

use futures_util::future::join_all;
use kit::{CONNECTIONS, Folder, NOW, Schema, accounts};
use kvota::betting::placement::{AcceptedBetFacts, AnswerBodies, Betting, Order, PlacementAnswer, Placements};
use kvota::testkit::builders::{live_match, result};
use kvota_domain::aggregate::MatchState;
use kvota_domain::bet::TicketNumber;
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::price::Price;
use kvota_domain::session::SessionId;
use kvota_domain::ticket::{
    Consent, Delays, Leg, PlacingLimits, Rejection, Rules, SubmittedPair, SubmittedTicket, TicketKind, totals,
};
use kvota_read_model::ReadModel;
use kvota_store::postgres::PostgresStore;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{AccountId, Bet, BetBasis, BetPair, IdempotencyKey, PairTexts, PlaceBet, Placed, Stores, TicketId};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{Connection, Executor, PgConnection, SqliteConnection};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Bettors in parallel.
const BETTORS: u64 = 64;
/// Bets of each bettor in a round.
const BETS: u64 = 40;
/// The reference loop and the store are measured alternately, so that other work on the machine affects both alike.
const ROUNDS: u64 = 5;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    println!("{BETTORS} bettors at once, {} bets of 3 pairs a round, {ROUNDS} rounds by turns\n", BETTORS * BETS);
    println!("{:<12} {:>14} {:>14} {:>8} {:>15}", "", "limit, bets/s", "store, bets/s", "ratio", "ratios of rounds");
    runtime.block_on(sqlite());
    runtime.block_on(decision());
    match std::env::var("KVOTA_TEST_POSTGRES_URL") {
        Ok(url) => runtime.block_on(postgres(&url)),
        Err(_) => println!("PostgreSQL is left out: KVOTA_TEST_POSTGRES_URL is not set (make services)"),
    }
}

fn tell(name: &str, rounds: &[(Duration, Duration)]) {
    let rate = |took: Duration| (BETTORS * BETS) as f64 / took.as_secs_f64();
    let mut by_ratio: Vec<(f64, f64, f64)> =
        rounds.iter().map(|(limit, store)| (rate(*store) / rate(*limit), rate(*limit), rate(*store))).collect();
    by_ratio.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, limit, store) = by_ratio[by_ratio.len() / 2];
    let all: Vec<String> = by_ratio.iter().map(|(ratio, ..)| format!("{ratio:.2}")).collect();
    println!("{name:<12} {limit:>14.0} {store:>14.0} {ratio:>8.2} {:>15}", all.join(" "));
}

async fn sqlite() {
    let folder = Folder::new("bets");
    let (bare, ours) = (folder.0.join("bare.db"), folder.0.join("ours.db"));
    // The store creates the tables.
    accounts(&Stores::over(SqliteStore::open(&bare).await.expect("a file")), BETTORS).await;
    let options = SqliteConnectOptions::new().filename(&bare).foreign_keys(true);
    let options = options.synchronous(SqliteSynchronous::Full);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the file");
    let stores = Stores::over(SqliteStore::open(&ours).await.expect("a file"));
    let bettors = accounts(&stores, BETTORS).await;
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let began = Instant::now();
        for turn in 0..BETS {
            // One transaction with a bet of each bettor, as in the store, which commits all waiting bets together.
            connection.execute("BEGIN IMMEDIATE").await.expect("begun");
            for bettor in 0..BETTORS {
                let number = number(round, turn, bettor);
                insert_into_sqlite(&mut connection, &order(bettors[bettor as usize], number), number as i64).await;
            }
            connection.execute("COMMIT").await.expect("committed");
        }
        let limit = began.elapsed();
        rounds.push((limit, place(&stores, &bettors, round).await));
    }
    stores.close().await.expect("closed");
    connection.close().await.expect("closed");
    tell("SQLite", &rounds);
}

async fn postgres(url: &str) {
    let mut sides = Vec::new();
    for side in ["bare", "ours"] {
        let schema = Schema::new(url, side).await;
        let stores = Stores::over(PostgresStore::open(&schema.url, CONNECTIONS).await.expect("a schema"));
        let bettors = accounts(&stores, BETTORS).await;
        sides.push((schema, stores, bettors));
    }
    let (bare, ours) = (&sides[0], &sides[1]);
    let options = PgConnectOptions::from_str(&bare.0.url).expect("an address");
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).min_connections(CONNECTIONS).connect_with(options);
    let pool = pool.await.expect("connections");
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let began = Instant::now();
        let inserting = (0..BETTORS).map(|bettor| {
            let (pool, account) = (&pool, bare.2[bettor as usize]);
            async move {
                for turn in 0..BETS {
                    let number = number(round, turn, bettor);
                    insert_into_postgres(pool, &order(account, number), number as i64).await;
                }
            }
        });
        join_all(inserting).await;
        let limit = began.elapsed();
        rounds.push((limit, place(&ours.1, &ours.2, round).await));
    }
    pool.close().await;
    for (schema, stores, _) in sides {
        stores.close().await.expect("closed");
        schema.drop().await;
    }
    tell("PostgreSQL", &rounds);
}

/// The time of an order from its reading to its answer, without the in-play delay: the key, the account, two snapshots
/// of the offer, two validations and the transaction on SQLite; and the time of the transaction alone.
async fn decision() {
    let folder = Folder::new("decision");
    let stores = Stores::over(SqliteStore::open(&folder.0.join("ours.db")).await.expect("a file"));
    let bettors = accounts(&stores, BETTORS).await;
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    model.set_feed(Lang::Hr, FeedState::Active);
    for id in 1..=3 {
        let live = live_match(id).market(result(id * 10, ["1.943", "3.2", "4"])).insert();
        model.put_match(Arc::new(MatchState::inserted(&live, 0, &[], PerLang::default(), 1)));
    }
    let at_once = Delays { default_seconds: 0, by_sport: Default::default() };
    let betting = Betting { delays: at_once, ..Betting::default() };
    let placements =
        Placements::new(model, stores.clone(), betting, || NOW, None, kvota::betting::bet_events::BetEvents::default());
    for (name, bettors_at_once) in [("one bettor", 1), ("64 bettors", BETTORS)] {
        let placing = (0..bettors_at_once).map(|bettor| {
            let (placements, account) = (&placements, bettors[bettor as usize]);
            async move {
                let mut took = Vec::new();
                for turn in 0..BETS * ROUNDS {
                    let order = whole_order(account, number(bettors_at_once, turn, bettor));
                    let began = Instant::now();
                    let answer = placements.place(order).await;
                    took.push(began.elapsed());
                    assert!(matches!(&answer, PlacementAnswer::Answer(answer) if answer.status == 200), "{answer:?}");
                }
                took
            }
        });
        let mut took = join_all(placing).await.concat();
        took.sort();
        let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!("a decision, {name}: p50 {:.2} ms, p99 {:.2} ms", at(0.5), at(0.99));
    }
    stores.close().await.expect("closed");
}

/// An order on the home wins of all three matches.
fn whole_order(account: AccountId, number: u64) -> Order {
    let price = Price::from_thousandths(1943).expect("a price");
    let pairs = (1..=3).map(|id| SubmittedPair {
        match_id: MatchId::new(id).expect("an id"),
        odd_id: OddId::new(id * 1_000).expect("an id"),
        market_kind: 1,
        market_subtype: None,
        sbv: None,
        odd_kind: Some("1".into()),
        odd_value: price,
        is_fix: false,
    });
    let bruto = Money::from_cents(1000);
    let numbers = totals(TicketKind::Standard, None, &[Leg { price, is_fix: false }; 3], bruto, &Rules::default());
    let ticket = SubmittedTicket {
        stake: numbers.taxed_stake,
        bruto,
        potential_win: numbers.possible_win,
        win_tax: numbers.win_tax,
        payout: numbers.possible_payout,
        system_type: 0,
        consent: Consent::None,
        pairs: pairs.collect(),
    };
    let key =
        IdempotencyKey((u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)).to_be_bytes());
    let (digest, request_id) = ([7; 32], "0193f5c2-7d1e-4000-8000-0123456789ab".into());
    let (ticket, bodies) = (Some(ticket), Arc::new(Short));
    let session = SessionId::from_bytes([1; 16]);
    Order { account, session, check_due_at_ms: None, key, digest, ticket, lang: Lang::Hr, bodies, request_id }
}

/// Answers of the same length as those of the server.
#[derive(Debug)]
struct Short;

impl AnswerBodies for Short {
    fn rejected(&self, rejection: Rejection, _: &str, _: &[kvota_domain::ticket::ChangedPair]) -> Vec<u8> {
        rejection.key().into()
    }

    fn accepted(&self, bet: &AcceptedBetFacts<'_>) -> Vec<u8> {
        format!("{{\"message\":\"{}\",\"balance\":\"{}\"}}", "thanks ".repeat(40), bet.balance).into_bytes()
    }
}

/// Places all bets of a round through the store; the time that it took.
async fn place(stores: &Stores, bettors: &[AccountId], round: u64) -> Duration {
    let began = Instant::now();
    let placing = (0..BETTORS).map(|bettor| async move {
        for turn in 0..BETS {
            let order = order(bettors[bettor as usize], number(round, turn, bettor));
            let placed = stores.bets.place(order).await.expect("an outcome");
            assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
        }
    });
    join_all(placing).await;
    began.elapsed()
}

/// A unique number for every bet, above those of the opening postings.
fn number(round: u64, turn: u64, bettor: u64) -> u64 {
    1000 + (round * BETS + turn) * BETTORS + bettor
}

fn order(account: AccountId, number: u64) -> PlaceBet {
    PlaceBet {
        account,
        key: IdempotencyKey(u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834).to_be_bytes()),
        digest: [7; 32],
        ticket_id: TicketId::new(&format!("0193f5c2-7d1e-7000-8000-{number:012}")).expect("a ticket's id"),
        bet: Bet {
            placed_at_ms: NOW,
            bruto: Money::from_cents(1000),
            stake: Money::from_cents(950),
            total_odd: "7.343000".to_owned(),
            system_type: 0,
            potential_win: Money::from_cents(6976),
            win_tax: Money::from_cents(603),
            payout: Money::from_cents(6373),
            basis: BetBasis::default(),
            consent: Consent::None,
            pairs: (0..3).map(|place| pair(number, place)).collect(),
        },
        limits: PlacingLimits::default(),
        answer: Arc::new(|receipt| {
            // About the length of a real answer.
            format!("{{\"message\":\"{}\",\"balance\":\"{}\"}}", "thanks ".repeat(40), receipt.balance).into_bytes()
        }),
    }
}

fn pair(number: u64, place: u64) -> BetPair {
    let id = number % 1000 * 10 + place;
    let price = Price::from_thousandths(1943).expect("a price");
    BetPair {
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
        texts: PairTexts {
            home: "Manchester United".to_owned(),
            away: "Brighton & Hove Albion".to_owned(),
            market: "Ukupno golova".to_owned(),
            odd: "više 2.5".to_owned(),
            tournament: "Premier liga".to_owned(),
        },
    }
}

/// The statements of the reference loop, the same for both databases: the same rows as the store writes, one prepared
/// statement for each table, no checks and no change of a balance.
macro_rules! insert {
    ($connection:expr, $order:expr, $number:expr) => {{
        let (connection, order, number) = ($connection, $order, $number);
        let bet = &order.bet;
        let body = (order.answer)(&kvota_store::Receipt {
            balance: Money::from_cents(999_990_000),
            ticket_number: TicketNumber::of(1),
        });
        let inserted = sqlx::query("INSERT INTO answers (account_id, key, digest, status, body, at_ms) VALUES ($1, $2, $3, $4, $5, $6)")
            .bind(order.account.get())
            .bind(&order.key.0[..])
            .bind(&order.digest[..])
            .bind(200_i64)
            .bind(body)
            .bind(bet.placed_at_ms);
        inserted.execute(&mut *connection).await.expect("an answer");
        let inserted = sqlx::query("INSERT INTO postings (id, at_ms, kind, from_account, to_account, amount_cents, bettor_id, \
             balance_after_cents) VALUES ($1, $2, 'stake', 'bettor', 'open_stakes', $3, $4, $5)")
            .bind(number)
            .bind(bet.placed_at_ms)
            .bind(bet.bruto.cents())
            .bind(order.account.get())
            .bind(999_990_000_i64);
        inserted.execute(&mut *connection).await.expect("a posting");
        let inserted = sqlx::query("INSERT INTO bets (id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents, total_odd, \
             system_type, potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, rest_bruto_cents, rest_stake_cents) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $6, $7)")
            .bind(number)
            .bind(order.ticket_id.as_str())
            .bind(order.account.get())
            .bind(&order.key.0[..])
            .bind(bet.placed_at_ms)
            .bind(bet.bruto.cents())
            .bind(bet.stake.cents())
            .bind(&bet.total_odd)
            .bind(i64::from(bet.system_type))
            .bind(bet.potential_win.cents())
            .bind(bet.win_tax.cents())
            .bind(bet.payout.cents())
            .bind(bet.consent.code())
            .bind(999_990_000_i64);
        inserted.execute(&mut *connection).await.expect("a bet");
        // One statement inserts three rows. Arguments 1 to 14 are the common columns, 15 to 17 the ids of the three
        // matches.
        let mut inserted = sqlx::query("INSERT INTO bet_pairs (bet_id, account_id, sport_id, market_type, market_subtype, sbv, odd_type, \
             odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament, position, match_id, market_id, odd_id) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12, $13, $14, 0, $15, $15 * 100, $15 * 1000), \
             ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12, $13, $14, 1, $16, $16 * 100, $16 * 1000), \
             ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12, $13, $14, 2, $17, $17 * 100, $17 * 1000)");
        let first = &bet.pairs[0];
        inserted = inserted
            .bind(number)
            .bind(order.account.get())
            .bind(first.sport_id.get() as i64)
            .bind(first.market_type)
            .bind(first.market_subtype)
            .bind(first.sbv.as_deref())
            .bind(first.odd_type.as_deref())
            .bind(i64::from(first.odds_taken.thousandths()))
            .bind(first.is_fix)
            .bind(&first.texts.home)
            .bind(&first.texts.away)
            .bind(&first.texts.market)
            .bind(&first.texts.odd)
            .bind(&first.texts.tournament);
        for pair in &bet.pairs {
            inserted = inserted.bind(pair.match_id.get() as i64);
        }
        inserted.execute(&mut *connection).await.expect("three pairs");
    }};
}

async fn insert_into_sqlite(connection: &mut SqliteConnection, order: &PlaceBet, number: i64) {
    insert!(connection, order, number);
}

async fn insert_into_postgres(pool: &PgPool, order: &PlaceBet, number: i64) {
    let mut transaction = pool.begin().await.expect("begun");
    {
        let connection: &mut PgConnection = &mut transaction;
        insert!(connection, order, number);
    }
    transaction.commit().await.expect("committed");
}
