//! The stores in PostgreSQL: what several servers share. READ COMMITTED, and what must not happen twice is held by rows:
//! a bet locks its account's row first, so that one account's bets follow one another while others do not wait, and the
//! primary key of the answers decides between two of the same key.
//!
//! Opened by `store::open`. Connections live on the store's own thread (`runtime.rs`). The server may be restarted at
//! any time: what is not answered then is unavailable, and the next call connects anew.

mod accounts;
mod bets;
mod pause;
mod sessions;
mod settlement;
mod statement;

use super::audit::{self, AuditReport};
use super::runtime::StoreRuntime;
use super::{OpenError, StoreCare, StoreError, StoreFuture};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Executor, SqlSafeStr};
use std::borrow::Cow;
use std::future::Future;
use std::str::FromStr;
use std::time::Duration;

/// How long a call waits for a connection: a bet that waits longer is answered with 503 and asked again.
const CONNECT: Duration = Duration::from_secs(3);

/// The stores in a database of a PostgreSQL server.
pub struct PostgresStore {
    pool: PgPool,
    runtime: StoreRuntime,
}

impl PostgresStore {
    /// Whether an address is one of PostgreSQL's.
    pub fn understands(url: &str) -> bool {
        PgConnectOptions::from_str(url).is_ok()
    }

    /// Connects, and brings the database to this version. Servers may do so at once: one waits for the other.
    pub async fn open(url: &str, connections_max: u32) -> Result<PostgresStore, OpenError> {
        let runtime = StoreRuntime::start().map_err(OpenError::Thread)?;
        // Nothing here runs for long; what does is stuck, and must let go of its locks. A lost client is noticed too.
        let limits =
            [("statement_timeout", "10s"), ("lock_timeout", "5s"), ("idle_in_transaction_session_timeout", "15s")];
        let options = PgConnectOptions::from_str(url).map_err(StoreError::from)?;
        let name = options.get_application_name().unwrap_or("kvota").to_owned();
        let options = options.application_name(&name).options(limits);
        let pool = PgPoolOptions::new()
            .max_connections(connections_max)
            .acquire_timeout(CONNECT)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    // A bet that is answered must be on the disk, whatever the server's configuration saves elsewhere.
                    connection
                        .execute(
                            "SELECT set_config('synchronous_commit', 'on', false) \
                             WHERE current_setting('synchronous_commit') = 'off'",
                        )
                        .await?;
                    Ok(())
                })
            })
            .connect_lazy_with(options);
        let store = PostgresStore { pool, runtime };
        // Asked first, so that a server which is not there is told as unavailable and not as a failed migration.
        store.ping().await?;
        let migrated = store.run(|pool| async move { Ok(migrations().run(&pool).await) });
        migrated.await??;
        store.run(|pool| async move { accounts::name_older_accounts(&pool).await }).await?;
        Ok(store)
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

fn migrations() -> Migrator {
    let stores = include_str!("../../../migrations/postgres/0001_stores.sql").into_sql_str();
    let cookie_key = include_str!("../../../migrations/postgres/0002_cookie_key.sql").into_sql_str();
    let betting_pause = include_str!("../../../migrations/postgres/0010_betting_pause.sql").into_sql_str();
    let settlement = include_str!("../../../migrations/postgres/0020_settlement.sql").into_sql_str();
    let account_names = include_str!("../../../migrations/postgres/0003_account_names.sql").into_sql_str();
    let simple = MigrationType::Simple;
    Migrator::with_migrations(vec![
        Migration::new(1, Cow::Borrowed("stores"), simple, stores, false),
        Migration::new(2, Cow::Borrowed("cookie_key"), simple, cookie_key, false),
        Migration::new(3, Cow::Borrowed("account_names"), simple, account_names, false),
        Migration::new(10, Cow::Borrowed("betting_pause"), simple, betting_pause, false),
        Migration::new(20, Cow::Borrowed("settlement"), simple, settlement, false),
    ])
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
