//! Test support: a fresh store of each kind, accounts, and bets with chosen values.

use futures_util::future::join_all;
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::ticket::{Consent, PlacingLimits};
use kvota_store::postgres::PostgresStore;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{
    AccountId, Bet, BetBasis, BetPair, BetRules, Created, IdempotencyKey, NewAccount, PairTexts, PlaceBet, Placed,
    StoreError, Stores, TicketId,
};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The time of these tests, in ms since the epoch.
pub(crate) const NOW: i64 = 1_790_000_000_000;

/// The kind of store under test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Memory,
    Sqlite,
    Postgres,
}

/// A fresh store. Ended by [`World::end`], which audits it.
pub(crate) struct World {
    pub(crate) stores: Stores,
    pub(crate) place: Place,
}

/// The location of a fresh store.
pub(crate) enum Place {
    Memory,
    Folder(Folder),
    Schema(Schema),
}

impl World {
    pub(crate) async fn new(kind: Kind) -> World {
        match kind {
            Kind::Memory => World { stores: Stores::in_memory(), place: Place::Memory },
            Kind::Sqlite => {
                let folder = Folder::new();
                let store = SqliteStore::open(&folder.file()).await.expect("a file");
                World { stores: Stores::over(store), place: Place::Folder(folder) }
            }
            Kind::Postgres => {
                let schema = Schema::new().await;
                let store = PostgresStore::open(&schema.url, 16).await.expect("a schema");
                World { stores: Stores::over(store), place: Place::Schema(schema) }
            }
        }
    }

    /// Audits the store, closes it and deletes its data.
    pub(crate) async fn end(self) {
        let report = self.stores.audit().await.expect("an audit");
        assert_eq!(report.findings, Vec::<String>::new());
        self.stores.close().await.expect("closed");
        if let Place::Schema(schema) = self.place {
            schema.drop().await;
        }
    }

    /// A new account with this balance in cents; its id.
    pub(crate) async fn account(&self, name: &str, cents: i64) -> AccountId {
        let account = NewAccount {
            name: name.to_owned(),
            password_hash: format!("hash of {name}"),
            opening: Money::from_cents(cents),
            now_ms: NOW,
            external_id: None,
        };
        match self.stores.accounts.create(account).await.expect("an account") {
            Created::Account(id) => id,
            Created::NameTaken | Created::ExternalIdTaken => panic!("the name {name} is taken"),
        }
    }

    pub(crate) async fn balance(&self, account: AccountId) -> i64 {
        self.stores.accounts.balance(account).await.expect("a balance").expect("an account").cents()
    }
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A name that no other test uses.
fn unique() -> String {
    format!("kvota_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// A folder for one test. Deleted when it is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(std::env::temp_dir().join(unique()))
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("kvota.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The folder may not exist.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A PostgreSQL schema for one test.
pub(crate) struct Schema {
    pub(crate) name: String,
    pub(crate) url: String,
}

impl Schema {
    pub(crate) async fn new() -> Schema {
        let name = unique();
        let server = server_url();
        let mut connection = PgConnection::connect(&server).await.expect("a PostgreSQL server");
        // An earlier process with the same id may have left one.
        let made = format!("DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}");
        connection.execute(AssertSqlSafe(made)).await.expect("a schema");
        let separator = if server.contains('?') { '&' } else { '?' };
        Schema { url: format!("{server}{separator}options[search_path]={name}&application_name={name}"), name }
    }

    pub(crate) async fn drop(self) {
        let mut connection = PgConnection::connect(&server_url()).await.expect("a PostgreSQL server");
        let dropped = format!("DROP SCHEMA {} CASCADE", self.name);
        connection.execute(AssertSqlSafe(dropped)).await.expect("the schema is gone");
    }
}

#[track_caller]
pub(crate) fn server_url() -> String {
    let name = "KVOTA_TEST_POSTGRES_URL";
    std::env::var(name).unwrap_or_else(|_| {
        panic!(
            "{name} is not set: these tests need PostgreSQL. `make test` starts it; by hand: \
             eval \"$(make --silent services)\""
        )
    })
}

/// Runs statements on a SQLite file directly, past the store.
pub(crate) async fn tamper_with_file(file: &Path, statements: &str) -> Result<(), sqlx::Error> {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file).foreign_keys(false);
    let mut connection = sqlx::SqliteConnection::connect_with(&options).await?;
    connection.execute(sqlx::raw_sql(AssertSqlSafe(statements.to_owned()))).await?;
    connection.close().await
}

/// A bet of 10.00 on match 1 and match 2. `number` makes the key, the digest and the ticket id.
pub(crate) fn order(account: AccountId, number: u32) -> PlaceBet {
    PlaceBet {
        account,
        key: key(number),
        digest: [7; 32],
        ticket_id: ticket_id(&format!("{account}-{number}")),
        bet: Bet {
            placed_at_ms: NOW + i64::from(number),
            bruto: Money::from_cents(1000),
            stake: Money::from_cents(950),
            total_odd: "3.7625".to_owned(),
            system_type: 0,
            potential_win: Money::from_cents(3574),
            win_tax: Money::from_cents(262),
            payout: Money::from_cents(3312),
            consent: Consent::Higher,
            basis: BetBasis { rules: Some(BetRules::default()), offer_version: Some(17), feed: None },
            pairs: vec![pair(1), pair(2)],
        },
        limits: PlacingLimits::default(),
        answer: Arc::new(|receipt| format!("balance {}", receipt.balance).into_bytes()),
    }
}

pub(crate) fn key(number: u32) -> IdempotencyKey {
    IdempotencyKey((u128::from(number) << 64).to_be_bytes())
}

pub(crate) fn ticket_id(text: &str) -> TicketId {
    TicketId::new(text).expect("a ticket's id")
}

pub(crate) fn match_id(id: u64) -> MatchId {
    MatchId::new(id).expect("a match's id")
}

/// A pair on a match, with a value in every field.
pub(crate) fn pair(id: u64) -> BetPair {
    BetPair {
        match_id: match_id(id),
        market_id: MarketId::new(9_007_199_254_740_991).expect("a market's id"),
        odd_id: OddId::new(id * 100).expect("an odd's id"),
        sport_id: SportId::new(1).expect("a sport's id"),
        market_type: -18,
        market_subtype: (id == 1).then_some(3),
        sbv: (id == 1).then(|| "2.5".to_owned()),
        odd_type: (id != 1).then(|| "X".to_owned()),
        odds_submitted: Price::from_thousandths(1750).expect("a price"),
        odds_taken: Price::from_thousandths(1755).expect("a price"),
        is_fix: id == 2,
        texts: PairTexts {
            home: "Šibenik \"94\"".to_owned(),
            away: "Вождовац".to_owned(),
            market: "total [2.5]".to_owned(),
            odd: "over\n2.5".to_owned(),
            tournament: String::new(),
        },
    }
}

/// Places bets in parallel. A bet for which the store is too busy is repeated with its key, as a client would do.
pub(crate) async fn place_all(stores: &Stores, orders: impl IntoIterator<Item = PlaceBet>) -> Vec<Placed> {
    let placing = orders.into_iter().map(|order| async move {
        loop {
            match stores.bets.place(order.clone()).await {
                Ok(placed) => return placed,
                Err(StoreError::Unavailable { .. }) => {}
                Err(StoreError::Corrupt { cause }) => panic!("{cause}"),
            }
        }
    });
    join_all(placing).await
}

/// How many of the outcomes are new bets.
pub(crate) fn count_placed(outcomes: &[Placed]) -> usize {
    outcomes.iter().filter(|placed| matches!(placed, Placed::Placed { .. })).count()
}
