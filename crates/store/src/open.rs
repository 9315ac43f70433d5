//! All stores of an installation, and how they are opened and migrated. Called at the start of the program and by
//! tests. Must not contain code of a particular database.

use super::audit::AuditReport;
#[cfg(any(test, feature = "testkit"))]
use super::memory::MemoryStore;
use super::nodes::{NodeBus, NodeLink, SharedLimits};
use super::postgres::{PostgresServer, PostgresStore};
use super::schema::{Migrated, SchemaError};
use super::sqlite::SqliteStore;
use super::{
    AccountStore, BetStore, BettingPause, CashOutStore, CashierStore, ProtectionStore, SessionStore, SettlementStore,
    StoreCare, StoreError,
};
use std::path::PathBuf;
use std::sync::Arc;

/// The stores of an installation; a clone shares them.
#[derive(Clone)]
pub struct Stores {
    /// Accounts, their money and their logins.
    pub accounts: Arc<dyn AccountStore>,
    /// Bets and their keys.
    pub bets: Arc<dyn BetStore>,
    /// Results and settlements.
    pub settlements: Arc<dyn SettlementStore>,
    /// Cash-outs and their rules.
    pub cash_outs: Arc<dyn CashOutStore>,
    /// Deposits and withdrawals.
    pub cashier: Arc<dyn CashierStore>,
    /// Limits and exclusions of bettors.
    pub protection: Arc<dyn ProtectionStore>,
    /// Saved tickets and favourites.
    pub sessions: Arc<dyn SessionStore>,
    /// The operator's pause of betting.
    pub betting_pause: Arc<dyn BettingPause>,
    /// Limits over all nodes.
    pub shared_limits: Arc<dyn SharedLimits>,
    nodes: Arc<dyn NodeBus>,
    care: Arc<dyn StoreCare>,
}

impl Stores {
    /// All stores in one database.
    pub fn over<
        S: AccountStore
            + BetStore
            + SettlementStore
            + CashOutStore
            + CashierStore
            + ProtectionStore
            + SessionStore
            + BettingPause
            + NodeBus
            + SharedLimits
            + StoreCare,
    >(
        store: S,
    ) -> Stores {
        let store = Arc::new(store);
        Stores {
            accounts: store.clone(),
            bets: store.clone(),
            settlements: store.clone(),
            cash_outs: store.clone(),
            cashier: store.clone(),
            protection: store.clone(),
            sessions: store.clone(),
            betting_pause: store.clone(),
            shared_limits: store.clone(),
            nodes: store.clone(),
            care: store,
        }
    }

    /// Stores in memory, which are empty after a restart, for tests.
    #[cfg(any(test, feature = "testkit"))]
    pub fn in_memory() -> Stores {
        Stores::over(MemoryStore::new())
    }

    /// The same stores with another [`StoreCare`], for tests that count or delay pings.
    #[cfg(any(test, feature = "testkit"))]
    #[must_use]
    pub fn with_care(self, care: Arc<dyn StoreCare>) -> Stores {
        Stores { care, ..self }
    }

    /// Joins the nodes that share the store; see [`NodeBus::join`].
    pub fn join_nodes(&self) -> Option<NodeLink> {
        self.nodes.join()
    }

    /// Whether the store can be reached.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.care.ping().await
    }

    /// Checks the invariants of all stored data.
    pub async fn audit(&self) -> Result<AuditReport, StoreError> {
        self.care.audit().await
    }

    /// The key with which all servers of the store sign cookies; see [`StoreCare::shared_key`].
    pub async fn shared_key(&self, own: Vec<u8>) -> Result<Option<Vec<u8>>, StoreError> {
        self.care.shared_key(own).await
    }

    /// Closes the store, after the accepted calls are finished.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.care.close().await
    }
}

/// Why the stores cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder of the database's file cannot be created.
    #[error("the folder {} of the store cannot be made", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The database file cannot be created or read.
    #[error("the file {} of the store cannot be opened", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The thread cannot be started.
    #[error("the thread of the store cannot be started")]
    Thread(#[source] std::io::Error),
    /// A call of the database failed.
    #[error("the store cannot be opened")]
    Store(#[from] StoreError),
    /// The tables do not have this program's version.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The tables cannot be migrated.
    #[error("the tables of the store cannot be brought to this version")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// The location of the stores, from `store.url`.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreLocation {
    /// A file. A relative path starts in the data folder.
    Sqlite(PathBuf),
    /// The address of a server. It contains credentials, so it must not be shown.
    Postgres(Box<str>),
}

impl StoreLocation {
    /// Parses `sqlite://file`, `sqlite:///path/to/file` or `postgres://…`; `None` for any other text.
    pub fn parse(url: &str) -> Option<StoreLocation> {
        if let Some(file) = url.strip_prefix("sqlite://") {
            let plain = !file.is_empty() && !file.ends_with('/') && !file.contains(['?', '#', '%', '\0']);
            return plain.then(|| StoreLocation::Sqlite(PathBuf::from(file)));
        }
        let is_postgres = url.starts_with("postgres://") || url.starts_with("postgresql://");
        (is_postgres && PostgresStore::understands(url)).then(|| StoreLocation::Postgres(url.into()))
    }
}

/// The options for opening the stores of an installation.
#[derive(Clone)]
pub struct Opening {
    /// The location of the stores.
    pub location: StoreLocation,
    /// The folder for relative paths.
    pub data_folder: PathBuf,
    /// The maximum number of connections to PostgreSQL.
    pub connections_max: u32,
    /// Whether the certificate of PostgreSQL is verified; see [`PostgresServer::new`].
    pub require_tls: bool,
}

impl Opening {
    fn server(&self, url: &str) -> Result<PostgresServer, StoreError> {
        PostgresServer::new(url, self.connections_max, self.require_tls)
    }
}

/// Opens the stores. Creates what is missing, and migrates the tables to this program's version.
pub async fn open(opening: &Opening) -> Result<Stores, OpenError> {
    match &opening.location {
        StoreLocation::Sqlite(file) => Ok(Stores::over(SqliteStore::open(&opening.data_folder.join(file)).await?)),
        StoreLocation::Postgres(url) => Ok(Stores::over(PostgresStore::open_server(&opening.server(url)?).await?)),
    }
}

/// Opens the stores and changes nothing. The tables must already have this program's version.
pub async fn open_as_it_is(opening: &Opening) -> Result<Stores, OpenError> {
    match &opening.location {
        StoreLocation::Sqlite(file) => {
            Ok(Stores::over(SqliteStore::open_as_it_is(&opening.data_folder.join(file)).await?))
        }
        StoreLocation::Postgres(url) => Ok(Stores::over(PostgresStore::open_as_it_is(&opening.server(url)?).await?)),
    }
}

/// Creates what is missing, migrates the tables to this program's version, and closes the stores.
pub async fn migrate(opening: &Opening) -> Result<Migrated, OpenError> {
    match &opening.location {
        StoreLocation::Sqlite(file) => SqliteStore::only_migrate(&opening.data_folder.join(file)).await,
        StoreLocation::Postgres(url) => PostgresStore::only_migrate(&opening.server(url)?).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_or_a_server() {
        let file = |path: &str| Some(StoreLocation::Sqlite(PathBuf::from(path)));
        assert!(StoreLocation::parse("sqlite://kvota.db") == file("kvota.db"));
        assert!(StoreLocation::parse("sqlite:///var/lib/kvota/kvota.db") == file("/var/lib/kvota/kvota.db"));
        assert!(matches!(
            StoreLocation::parse("postgres://kvota:secret@db:5432/kvota"),
            Some(StoreLocation::Postgres(_))
        ));
        for text in ["", "kvota.db", "sqlite:", "sqlite://", "sqlite://a/", "sqlite://a?mode=ro", "mysql://db/kvota"] {
            assert!(StoreLocation::parse(text).is_none(), "{text}");
        }
    }
}
