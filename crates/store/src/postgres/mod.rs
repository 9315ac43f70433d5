//! The stores in PostgreSQL, which several servers can share. Transactions are READ COMMITTED. A bet locks its
//! account's row, so that bets of one account run one after the other, and bets of other accounts do not wait.
//! The primary key of `answers` lets only one of two bets with the same key succeed.
//!
//! Opened by `store::open`. Connections belong to the store's own thread (`runtime.rs`). The server may restart at any
//! time: running calls then fail as unavailable, and the next call reconnects. Every call has a time limit, because a link
//! that freezes reports nothing. Must never hold a lock that all bets share.

mod accounts;
mod connections;
mod dialect;
mod gathered;
mod grading;
mod locks;
mod migrate;
mod moved_lines;
mod nodes;
mod placing;
mod settlement;
mod shared_limits;
#[path = "../sql/mod.rs"]
mod sql;
mod tls;

use super::audit::{self, AuditReport};
use super::placing_activity::PlacingActivity;
use super::rows::wide;
use super::runtime::StoreRuntime;
use super::schema::Migrated;
use super::slices::{Deletion, OldResult, Slice, delete_in_slices};
use super::{Login, OpenError, SavedSession, StoreCare, StoreError, StoreFuture};
use crate::limits::{
    STORE_CALL_MS_MAX, STORE_CONNECT_MS_MAX, STORE_DELETION_MS_MAX, STORE_DELETION_ROWS_MAX,
    STORE_IDLE_TRANSACTION_MS_MAX, STORE_LOCK_MS_MAX, STORE_LONG_CALL_MS_MAX, STORE_STATEMENT_MS_MAX,
};
use connections::Connections;
use gathered::Gathered;
use locks::Lock;
use nodes::OtherNodes;
use shared_limits::ReservedSlots;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use std::future::Future;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// How long a node that stops tries to say so to the others.
const LEAVE_MAX: Duration = Duration::from_secs(1);
/// A connection that was idle for so long is tested before it is used. Testing it each time costs a round trip, and the
/// pool tests it after each use.
const PING_AFTER: Duration = Duration::from_secs(1);
const CONNECT: Duration = Duration::from_millis(STORE_CONNECT_MS_MAX);
/// How long the store waits for its connections when it is closed.
const CLOSE_MAX: Duration = Duration::from_secs(10);
/// The deletion of expired rows, with its last slice.
const DELETION: Duration = Duration::from_millis(STORE_DELETION_MS_MAX + STORE_CALL_MS_MAX);
const LONG_CALL: Duration = Duration::from_millis(STORE_LONG_CALL_MS_MAX);

/// The settings of a pool connection. They are set after connecting, because PgBouncer rejects start-up parameters.
///
/// The timeouts release the locks of stuck statements: no statement normally takes long. `synchronous_commit` is raised
/// to `on` if it is weaker, so that an answered bet is on the disk, and on the disk of a synchronous standby if there
/// is one.
const SETTINGS: &str = "SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false), \
     set_config('idle_in_transaction_session_timeout', $3, false), set_config('synchronous_commit', \
     CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)";

/// The stores in a PostgreSQL database.
pub struct PostgresStore {
    connections: Connections,
    runtime: StoreRuntime,
    /// The id of this node, random.
    node: i64,
    others: Arc<OtherNodes>,
    /// Whether this node shows that it is alive. Locked while it does.
    presence: Arc<Mutex<Presence>>,
    placing: PlacingActivity,
    slots: Arc<ReservedSlots>,
    /// Logins by the hash of their cookie.
    logins: Gathered<Vec<u8>, Login>,
    /// The last old result that was looked at.
    results_looked_at: Arc<std::sync::Mutex<OldResult>>,
    /// Saved sessions by the key of their owner.
    saved_sessions: Gathered<Vec<u8>, SavedSession>,
}

/// Whether a node shows the others that it is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Presence {
    /// It has not joined them.
    #[default]
    Alone,
    /// It renews its row.
    Present,
    /// It stops.
    Left,
}

/// The address of a PostgreSQL database, and the connection options.
#[derive(Clone)]
pub struct PostgresServer {
    options: PgConnectOptions,
    connections_max: u32,
}

impl PostgresServer {
    /// Parses an address. With `require_tls` the server's certificate is verified, unless the address has its own
    /// `sslmode` or the server is on this machine.
    ///
    /// # Errors
    /// The address is invalid.
    pub fn new(url: &str, connections_max: u32, require_tls: bool) -> Result<PostgresServer, StoreError> {
        let options = PgConnectOptions::from_str(url)?;
        let options = if require_tls { tls::required(url, options) } else { options };
        let name = options.get_application_name().unwrap_or("kvota").to_owned();
        // `None` means that the setting is not sent: PgBouncer rejects it, and the store reads no floats.
        let options = options.application_name(&name).extra_float_digits(None);
        Ok(PostgresServer { options, connections_max })
    }
}

impl PostgresStore {
    /// Whether an address is a PostgreSQL address.
    pub fn understands(url: &str) -> bool {
        PgConnectOptions::from_str(url).is_ok()
    }

    /// Connects to an address and migrates the tables to this program's version.
    pub async fn open(url: &str, connections_max: u32) -> Result<PostgresStore, OpenError> {
        PostgresStore::open_server(&PostgresServer::new(url, connections_max, false)?).await
    }

    /// Connects, and migrates the tables to this program's version. Several servers may do so at the same time; one
    /// waits for the other.
    pub async fn open_server(server: &PostgresServer) -> Result<PostgresStore, OpenError> {
        let store = PostgresStore::connect(server)?;
        store.migrate(server).await?;
        Ok(store)
    }

    /// Connects and changes nothing. The tables must already have this program's version.
    pub async fn open_as_it_is(server: &PostgresServer) -> Result<PostgresStore, OpenError> {
        let store = PostgresStore::connect(server)?;
        // Ping first, so that an unreachable server is reported as such.
        store.ping().await?;
        store.run(|pool| async move { Ok(migrate::check(&pool).await) }).await??;
        Ok(store)
    }

    /// Migrates the tables to this program's version.
    pub async fn only_migrate(server: &PostgresServer) -> Result<Migrated, OpenError> {
        let store = PostgresStore::connect(server)?;
        let migrated = store.migrate(server).await;
        store.close().await?;
        migrated
    }

    /// Creates a pool that connects when it is used.
    fn connect(server: &PostgresServer) -> Result<PostgresStore, OpenError> {
        let runtime = StoreRuntime::start().map_err(OpenError::Thread)?;
        let pool = PgPoolOptions::new()
            .max_connections(server.connections_max)
            .acquire_timeout(CONNECT)
            .test_before_acquire(false)
            .before_acquire(|connection, use_so_far| {
                Box::pin(async move {
                    if use_so_far.idle_for >= PING_AFTER {
                        sqlx::Connection::ping(connection).await?;
                    }
                    Ok(true)
                })
            })
            .after_connect(|connection, _| {
                Box::pin(async move {
                    let limits = [STORE_STATEMENT_MS_MAX, STORE_LOCK_MS_MAX, STORE_IDLE_TRANSACTION_MS_MAX];
                    let set = limits.into_iter().fold(sqlx::query(SETTINGS), |set, ms| set.bind(format!("{ms}ms")));
                    set.execute(connection).await?;
                    Ok(())
                })
            })
            .connect_lazy_with(server.options.clone());
        let node = i64::from_ne_bytes(getrandom::u64().unwrap_or_else(|_| std::process::id().into()).to_ne_bytes());
        let connections = Connections::new(pool);
        let logins = Gathered::new(runtime.handle(), connections.clone(), accounts::logins);
        let saved_sessions = Gathered::new(runtime.handle(), connections.clone(), gathered::saved_sessions);
        Ok(PostgresStore {
            connections,
            runtime,
            node,
            others: Arc::default(),
            presence: Arc::default(),
            placing: PlacingActivity::default(),
            slots: Arc::default(),
            logins,
            results_looked_at: Arc::default(),
            saved_sessions,
        })
    }

    async fn migrate(&self, server: &PostgresServer) -> Result<Migrated, OpenError> {
        let options = server.options.clone();
        self.run_within(LONG_CALL, |_| async move { Ok(migrate::migrate(&options).await) }).await?
    }

    /// Deletes rows from before a time (`$1`), in slices of [`STORE_DELETION_ROWS_MAX`] (`$2`), unless another node is
    /// doing so.
    fn delete(&self, what: Deletion, statement: &'static str, before_ms: i64) -> StoreFuture<'_, u64> {
        let lock = match what {
            Deletion::EndedLogins => Lock::EndedLogins,
            Deletion::OldSessions => Lock::OldSessions,
        };
        Box::pin(self.run_within(DELETION, move |pool| {
            delete_in_slices(move || delete_slice(pool.clone(), lock, statement, before_ms))
        }))
    }

    /// The saved session of the owner with this key.
    fn read_session(&self, owner: Vec<u8>) -> StoreFuture<'_, Option<SavedSession>> {
        Box::pin(self.saved_sessions.get(owner))
    }

    /// Runs an operation on the store's thread, for [`STORE_CALL_MS_MAX`] at most. It is finished even if the caller no
    /// longer waits. If it took too long, it is unknown what of it was done.
    async fn run<T, W>(&self, work: impl FnOnce(PgPool) -> W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        self.run_within(Duration::from_millis(STORE_CALL_MS_MAX), work).await
    }

    /// Like [`PostgresStore::run`], with another limit.
    async fn run_within<T, W>(&self, limit: Duration, work: impl FnOnce(PgPool) -> W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let (pool, generation) = self.connections.current();
        let (work, connections) = (work(pool), self.connections.clone());
        let limited = async move {
            match tokio::time::timeout(limit, work).await {
                Ok(outcome) => outcome,
                Err(_) => {
                    connections.replace(generation);
                    Err(StoreError::unavailable("the database did not answer in time"))
                }
            }
        };
        self.runtime.run(limited).await
    }
}

/// Deletes one slice; `None` if another node holds the lock. Each slice is its own transaction, so that bets do not
/// wait for the others.
async fn delete_slice(
    pool: PgPool,
    lock: Lock,
    statement: &'static str,
    before_ms: i64,
) -> Result<Option<Slice>, StoreError> {
    let mut transaction = pool.begin().await?;
    if !locks::try_for_transaction(&mut transaction, lock).await? {
        return Ok(None);
    }
    let slice = sqlx::query(statement).bind(before_ms).bind(wide(STORE_DELETION_ROWS_MAX));
    let deleted = slice.execute(&mut *transaction).await?.rows_affected();
    transaction.commit().await?;
    Ok(Some(Slice::of(deleted)))
}

impl StoreCare for PostgresStore {
    fn ping(&self) -> StoreFuture<'_, ()> {
        Box::pin(self.run(|pool| async move {
            let _: i32 = sqlx::query_scalar("SELECT 1").fetch_one(&pool).await?;
            Ok(())
        }))
    }

    fn audit(&self) -> StoreFuture<'_, AuditReport> {
        Box::pin(self.run_within(LONG_CALL, |pool| async move {
            // One transaction without timeouts, so that all queries of the audit see the same moment.
            let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            sqlx::query("SET LOCAL statement_timeout = 0").execute(&mut *reading).await?;
            let mut findings = Vec::new();
            let above_max_payout = audit::above_max_payout!("CAST(CAST(b.rules AS JSON) ->> 'maxPayout' AS BIGINT)");
            let checks = audit::CHECKS.into_iter().chain([(audit::ABOVE_MAX_PAYOUT, above_max_payout)]);
            for (what, question) in checks {
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
        let (presence, node) = (Arc::clone(&self.presence), self.node);
        Box::pin(self.run(move |pool| async move {
            // Where it takes too long, the other nodes notice after some seconds.
            let _ = tokio::time::timeout(LEAVE_MAX, nodes::leave(&pool, node, &presence)).await;
            // Connections that do not answer end with the process.
            let _ = tokio::time::timeout(CLOSE_MAX, pool.close()).await;
            Ok(())
        }))
    }
}
