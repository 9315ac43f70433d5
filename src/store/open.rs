//! All stores of one installation in one hand, and how they are come by. Called by the composition and by tests.

use super::audit::AuditReport;
use super::memory::MemoryStore;
use super::nodes::{NodeBus, NodeLink};
use super::postgres::{PostgresServer, PostgresStore};
use super::schema::{Migrated, SchemaError};
use super::sqlite::SqliteStore;
use super::{AccountStore, BetStore, BettingPause, SessionStore, SettlementStore, StoreCare, StoreError};
use std::path::PathBuf;
use std::sync::Arc;

/// The stores of an installation; a clone shares them.
#[derive(Clone)]
pub struct Stores {
    /// Accounts, their money, and who is logged in.
    pub accounts: Arc<dyn AccountStore>,
    /// Bets and their keys.
    pub bets: Arc<dyn BetStore>,
    /// Results and settlements.
    pub settlements: Arc<dyn SettlementStore>,
    /// Saved tickets and favourites.
    pub sessions: Arc<dyn SessionStore>,
    /// The operator's pause of betting.
    pub betting_pause: Arc<dyn BettingPause>,
    nodes: Arc<dyn NodeBus>,
    care: Arc<dyn StoreCare>,
}

impl Stores {
    /// One database behind all ports.
    pub fn over<S: AccountStore + BetStore + SettlementStore + SessionStore + BettingPause + NodeBus + StoreCare>(
        store: S,
    ) -> Stores {
        let store = Arc::new(store);
        Stores {
            accounts: store.clone(),
            bets: store.clone(),
            settlements: store.clone(),
            sessions: store.clone(),
            betting_pause: store.clone(),
            nodes: store.clone(),
            care: store,
        }
    }

    /// Stores that forget everything at their end.
    pub fn in_memory() -> Stores {
        Stores::over(MemoryStore::new())
    }

    /// The same stores, cared for by another: how a test counts pings or holds them up.
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

    /// Looks at all that is kept for what must not be.
    pub async fn audit(&self) -> Result<AuditReport, StoreError> {
        self.care.audit().await
    }

    /// The key with which all servers of the store sign cookies; see [`StoreCare::shared_key`].
    pub async fn shared_key(&self, own: Vec<u8>) -> Result<Option<Vec<u8>>, StoreError> {
        self.care.shared_key(own).await
    }

    /// Ends what runs for the store; what was accepted before is done.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.care.close().await
    }
}

/// Why there are no stores to work with.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder of the database's file cannot be made.
    #[error("the folder {} of the store cannot be made", folder.display())]
    Folder {
        /// As it was to be made.
        folder: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file of the database cannot be made or read.
    #[error("the file {} of the store cannot be opened", file.display())]
    File {
        /// Which file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The system gives no thread.
    #[error("the thread of the store cannot be started")]
    Thread(#[source] std::io::Error),
    /// The database does not answer as it should.
    #[error("the store cannot be opened")]
    Store(#[from] StoreError),
    /// Its tables are not those of this program.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Its tables cannot be brought to this version.
    #[error("the tables of the store cannot be brought to this version")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// Where the stores are, as `store.url` says it.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// A file; a relative one lies in the data folder.
    Sqlite(PathBuf),
    /// A server, with credentials: not to be shown.
    Postgres(Box<str>),
}

impl Place {
    /// `sqlite://file`, `sqlite:///path/to/file`, or `postgres://…`; nothing for any other text.
    pub fn parse(url: &str) -> Option<Place> {
        if let Some(file) = url.strip_prefix("sqlite://") {
            let plain = !file.is_empty() && !file.ends_with('/') && !file.contains(['?', '#', '%', '\0']);
            return plain.then(|| Place::Sqlite(PathBuf::from(file)));
        }
        let is_postgres = url.starts_with("postgres://") || url.starts_with("postgresql://");
        (is_postgres && PostgresStore::understands(url)).then(|| Place::Postgres(url.into()))
    }
}

/// What must be known to open the stores of an installation.
#[derive(Clone)]
pub struct Opening {
    /// Where they are.
    pub place: Place,
    /// Where a relative file lies.
    pub data_folder: PathBuf,
    /// Connections to PostgreSQL at once.
    pub connections_max: u32,
    /// Whether the certificate of PostgreSQL is verified; see [`PostgresServer::new`].
    pub require_tls: bool,
}

impl Opening {
    fn server(&self, url: &str) -> Result<PostgresServer, StoreError> {
        PostgresServer::new(url, self.connections_max, self.require_tls)
    }
}

/// Opens the stores, makes what is missing of them, and brings their tables to this version.
pub async fn open(opening: &Opening) -> Result<Stores, OpenError> {
    match &opening.place {
        Place::Sqlite(file) => Ok(Stores::over(SqliteStore::open(&opening.data_folder.join(file)).await?)),
        Place::Postgres(url) => Ok(Stores::over(PostgresStore::open_server(&opening.server(url)?).await?)),
    }
}

/// Opens stores whose tables must have this program's version already, and changes nothing.
pub async fn open_as_it_is(opening: &Opening) -> Result<Stores, OpenError> {
    match &opening.place {
        Place::Sqlite(file) => Ok(Stores::over(SqliteStore::open_as_it_is(&opening.data_folder.join(file)).await?)),
        Place::Postgres(url) => Ok(Stores::over(PostgresStore::open_as_it_is(&opening.server(url)?).await?)),
    }
}

/// Makes what is missing of the stores, brings their tables to this version, and closes them.
pub async fn migrate(opening: &Opening) -> Result<Migrated, OpenError> {
    match &opening.place {
        Place::Sqlite(file) => SqliteStore::only_migrate(&opening.data_folder.join(file)).await,
        Place::Postgres(url) => PostgresStore::only_migrate(&opening.server(url)?).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_or_a_server() {
        let file = |path: &str| Some(Place::Sqlite(PathBuf::from(path)));
        assert!(Place::parse("sqlite://kvota.db") == file("kvota.db"));
        assert!(Place::parse("sqlite:///var/lib/kvota/kvota.db") == file("/var/lib/kvota/kvota.db"));
        assert!(matches!(Place::parse("postgres://kvota:secret@db:5432/kvota"), Some(Place::Postgres(_))));
        for text in ["", "kvota.db", "sqlite:", "sqlite://", "sqlite://a/", "sqlite://a?mode=ro", "mysql://db/kvota"] {
            assert!(Place::parse(text).is_none(), "{text}");
        }
    }
}
