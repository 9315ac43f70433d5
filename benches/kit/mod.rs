//! What the benches of bets share: databases that are dropped afterwards, and accounts.

use kvota_domain::money::Money;
use kvota_store::{AccountId, Created, NewAccount, Stores};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::path::{Path, PathBuf};

/// The default of `store.connections_max`.
pub(crate) const CONNECTIONS: u32 = 16;

/// The time of all bets, in ms since the epoch.
pub(crate) const NOW: i64 = 1_790_000_000_000;

/// A folder in the build folder, which is on a disk: a temporary folder may be in memory.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        Folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It may not exist.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A schema of its own.
pub(crate) struct Schema {
    name: String,
    server: String,
    /// The address of the database with this schema.
    pub(crate) url: String,
}

impl Schema {
    pub(crate) async fn new(server: &str, name: &str) -> Schema {
        let name = format!("kvota_bench_{name}_{}", std::process::id());
        let mut connection = PgConnection::connect(server).await.expect("a server");
        connection.execute(AssertSqlSafe(format!("CREATE SCHEMA {name}"))).await.expect("a schema");
        Schema { url: format!("{server}?options[search_path]={name}"), server: server.to_owned(), name }
    }

    pub(crate) async fn drop(self) {
        let mut connection = PgConnection::connect(&self.server).await.expect("a server");
        connection.execute(AssertSqlSafe(format!("DROP SCHEMA {} CASCADE", self.name))).await.expect("it is gone");
    }
}

/// New accounts with enough money for all bets.
pub(crate) async fn accounts(stores: &Stores, count: u64) -> Vec<AccountId> {
    let mut bettors = Vec::new();
    for number in 0..count {
        let (name, opening) = (format!("bettor {number}"), Money::from_cents(100_000_000_000));
        let account = NewAccount { name, password_hash: String::new(), opening, now_ms: NOW, external_id: None };
        match stores.accounts.create(account).await.expect("an account") {
            Created::Account(id) => bettors.push(id),
            Created::NameTaken | Created::ExternalIdTaken => panic!("the store is not new"),
        }
    }
    bettors
}
