//! The stores in PostgreSQL: what several servers share. READ COMMITTED, and what must not happen twice is held by rows:
//! a bet locks its account's row first, so that one account's bets follow one another while others do not wait, and the
//! primary key of the answers decides between two of the same key.
//!
//! Opened by `store::open`. Connections live on the store's own thread (`runtime.rs`). The server may be restarted at
//! any time: what is not answered then is unavailable, and the next call connects anew.

mod accounts;
mod bets;
mod grading;
mod locks;
mod migrate;
mod nodes;
mod pause;
mod sessions;
mod settlement;
mod statement;
mod tls;

use super::audit::{self, AuditReport};
use super::rows::wide;
use super::runtime::StoreRuntime;
use super::schema::Migrated;
use super::slices::delete_in_slices;
use super::{OpenError, StoreCare, StoreError, StoreFuture};
use crate::domain::limits::{
    STORE_CONNECT_MS_MAX, STORE_DELETION_ROWS_MAX, STORE_IDLE_TRANSACTION_MS_MAX, STORE_LOCK_MS_MAX,
    STORE_STATEMENT_MS_MAX,
};
use locks::Lock;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use std::borrow::Cow;
use std::future::Future;
use std::str::FromStr;
use std::time::Duration;

const CONNECT: Duration = Duration::from_millis(STORE_CONNECT_MS_MAX);

/// What holds for a connection of the pool. Set after connecting: PgBouncer refuses start-up parameters.
///
/// Nothing here runs for long; what does is stuck, and must let go of its locks. A bet that is answered must be on the
/// disk, and on that of a synchronous standby where there is one: `off`, `local` and `remote_write` are weaker.
const SETTINGS: &str = "SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false), \
     set_config('idle_in_transaction_session_timeout', $3, false), set_config('synchronous_commit', \
     CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)";

/// The stores in a database of a PostgreSQL server.
pub struct PostgresStore {
    pool: PgPool,
    runtime: StoreRuntime,
}

/// A database of a PostgreSQL server, and how it is connected to.
#[derive(Clone)]
pub struct PostgresServer {
    options: PgConnectOptions,
    connections_max: u32,
}

impl PostgresServer {
    /// The database of an address. `require_tls` has the server's certificate verified unless the address names another
    /// `sslmode`, or the server is on this machine.
    ///
    /// # Errors
    /// The address is none.
    pub fn new(url: &str, connections_max: u32, require_tls: bool) -> Result<PostgresServer, StoreError> {
        let options = PgConnectOptions::from_str(url)?;
        let options = if require_tls { tls::required(url, options) } else { options };
        let name = options.get_application_name().unwrap_or("kvota").to_owned();
        // Not sent at all where it is nothing: PgBouncer refuses it, and no float is read.
        let options = options.application_name(&name).extra_float_digits(None);
        Ok(PostgresServer { options, connections_max })
    }
}

impl PostgresStore {
    /// Whether an address is one of PostgreSQL's.
    pub fn understands(url: &str) -> bool {
        PgConnectOptions::from_str(url).is_ok()
    }

    /// Connects to an address as it stands, and brings the database to this version.
    pub async fn open(url: &str, connections_max: u32) -> Result<PostgresStore, OpenError> {
        PostgresStore::open_server(&PostgresServer::new(url, connections_max, false)?).await
    }

    /// Connects, and brings the database to this version. Servers may do so at once: one waits for the other.
    pub async fn open_server(server: &PostgresServer) -> Result<PostgresStore, OpenError> {
        let store = PostgresStore::connect(server)?;
        store.migrate(server).await?;
        Ok(store)
    }

    /// Connects to a database that must have this program's version already, and changes nothing.
    pub async fn open_as_it_is(server: &PostgresServer) -> Result<PostgresStore, OpenError> {
        let store = PostgresStore::connect(server)?;
        // Asked first, so that a server which is not there is reported as such.
        store.ping().await?;
        store.run(|pool| async move { Ok(migrate::check(&pool).await) }).await??;
        Ok(store)
    }

    /// Brings the database to this version, and does nothing else.
    pub async fn only_migrate(server: &PostgresServer) -> Result<Migrated, OpenError> {
        let store = PostgresStore::connect(server)?;
        let migrated = store.migrate(server).await;
        store.close().await?;
        migrated
    }

    /// A pool that connects when it is used.
    fn connect(server: &PostgresServer) -> Result<PostgresStore, OpenError> {
        let runtime = StoreRuntime::start().map_err(OpenError::Thread)?;
        let pool = PgPoolOptions::new()
            .max_connections(server.connections_max)
            .acquire_timeout(CONNECT)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    let limits = [STORE_STATEMENT_MS_MAX, STORE_LOCK_MS_MAX, STORE_IDLE_TRANSACTION_MS_MAX];
                    let set = limits.into_iter().fold(sqlx::query(SETTINGS), |set, ms| set.bind(format!("{ms}ms")));
                    set.execute(connection).await?;
                    Ok(())
                })
            })
            .connect_lazy_with(server.options.clone());
        Ok(PostgresStore { pool, runtime })
    }

    async fn migrate(&self, server: &PostgresServer) -> Result<Migrated, OpenError> {
        let options = server.options.clone();
        self.run(|_| async move { Ok(migrate::migrate(&options).await) }).await?
    }

    /// Deletes in slices of [`STORE_DELETION_ROWS_MAX`] (`$2`) what ended before a time (`$1`), unless another node does.
    async fn delete(&self, lock: Lock, statement: &'static str, before_ms: i64) -> Result<u64, StoreError> {
        self.run(move |pool| delete_in_slices(move || delete_slice(pool.clone(), lock, statement, before_ms))).await
    }

    /// Runs something on the store's thread, to its end even where the caller does not wait for it.
    async fn run<T, W>(&self, work: impl FnOnce(PgPool) -> W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        self.runtime.run(work(self.pool.clone())).await
    }
}

/// Whether a text can be kept: PostgreSQL's hold every character but this one, and refuse a question that has it.
fn is_holdable(text: &str) -> bool {
    !text.contains('\0')
}

/// The text without what cannot be kept.
fn holdable(text: &str) -> Cow<'_, str> {
    if is_holdable(text) { Cow::Borrowed(text) } else { Cow::Owned(text.replace('\0', "")) }
}

/// Nothing where another node holds the lock. Each slice takes it anew, so that no bet ever waits behind it.
async fn delete_slice(
    pool: PgPool,
    lock: Lock,
    statement: &'static str,
    before_ms: i64,
) -> Result<Option<u64>, StoreError> {
    let mut transaction = pool.begin().await?;
    if !locks::try_for_transaction(&mut transaction, lock).await? {
        return Ok(None);
    }
    let slice = sqlx::query(statement).bind(before_ms).bind(wide(STORE_DELETION_ROWS_MAX));
    let deleted = slice.execute(&mut *transaction).await?.rows_affected();
    transaction.commit().await?;
    Ok(Some(deleted))
}

impl StoreCare for PostgresStore {
    fn ping(&self) -> StoreFuture<'_, ()> {
        Box::pin(self.run(|pool| async move {
            let _: i32 = sqlx::query_scalar("SELECT 1").fetch_one(&pool).await?;
            Ok(())
        }))
    }

    fn audit(&self) -> StoreFuture<'_, AuditReport> {
        Box::pin(self.run(|pool| async move {
            // One moment for all questions, whatever is placed meanwhile; and as long as they need.
            let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            sqlx::query("SET LOCAL statement_timeout = 0").execute(&mut *reading).await?;
            let mut findings = Vec::new();
            for (what, question) in audit::CHECKS {
                let names: Vec<String> = sqlx::query_scalar(question).fetch_all(&mut *reading).await?;
                findings.extend(audit::finding(what, &names));
            }
            let mut counts = [0; audit::COUNTS.len()];
            for (count, question) in counts.iter_mut().zip(audit::COUNTS) {
                *count = sqlx::query_scalar(question).fetch_one(&mut *reading).await?;
            }
            Ok(audit::report(&counts, findings))
        }))
    }

    fn shared_key(&self, own: Vec<u8>) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(self.run(|pool| async move {
            let first = sqlx::query("INSERT INTO cookie_key (key) VALUES ($1) ON CONFLICT DO NOTHING");
            first.bind(own).execute(&pool).await?;
            let kept: Vec<u8> = sqlx::query_scalar("SELECT key FROM cookie_key").fetch_one(&pool).await?;
            Ok(Some(kept))
        }))
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(self.run(|pool| async move {
            pool.close().await;
            Ok(())
        }))
    }
}
