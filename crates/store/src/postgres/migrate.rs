//! Migrates the tables in PostgreSQL to this program's version, and checks their version. Called when a store is
//! opened, and by `kvota migrate`.
//!
//! A migration runs on a separate connection without timeouts, because it may take minutes. Nodes take turns with an
//! advisory lock. They poll it and must not wait for it inside PostgreSQL: a waiting node would hold a snapshot, and
//! `CREATE INDEX CONCURRENTLY` of the migrating node would wait for that snapshot, a deadlock.

use super::CONNECT;
use super::accounts::name_older_accounts;
use super::locks::{Lock, try_for_connection};
use crate::limits::MIGRATION_TURN_EVERY_MS;
use crate::schema::{APPLIED, Applied, Migrated, check_compatible, check_exact, migrated};
use crate::{OpenError, StoreError};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::{Connection, Executor, PgConnection, SqlSafeStr};
use std::borrow::Cow;
use std::time::Duration;

/// Overrides timeouts from the address, the role and the database. An older server does not have all of these settings.
const NO_TIME_OUTS: &str = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout', \
     'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')";

/// All migrations, oldest first. If older programs cannot work with a migration, its description must begin with
/// `breaking_`. For an index on a large table use `CREATE INDEX CONCURRENTLY` without a transaction.
fn migrations() -> Vec<Migration> {
    let migration = |version, name, sql: &'static str| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, sql.into_sql_str(), false)
    };
    vec![
        migration(1, "stores", include_str!("../../migrations/postgres/0001_stores.sql")),
        migration(2, "cookie_key", include_str!("../../migrations/postgres/0002_cookie_key.sql")),
        migration(3, "account_names", include_str!("../../migrations/postgres/0003_account_names.sql")),
        migration(10, "betting_pause", include_str!("../../migrations/postgres/0010_betting_pause.sql")),
        migration(20, "breaking_settlement", include_str!("../../migrations/postgres/0020_breaking_settlement.sql")),
        migration(21, "set_aside", include_str!("../../migrations/postgres/0021_set_aside.sql")),
        migration(22, "bet_revisions", include_str!("../../migrations/postgres/0022_bet_revisions.sql")),
        migration(23, "nodes", include_str!("../../migrations/postgres/0023_nodes.sql")),
        migration(24, "match_ends", include_str!("../../migrations/postgres/0024_match_ends.sql")),
        migration(25, "cash_outs", include_str!("../../migrations/postgres/0025_cash_outs.sql")),
        migration(26, "old_results", include_str!("../../migrations/postgres/0026_old_results.sql")),
        migration(27, "open_bets", include_str!("../../migrations/postgres/0027_open_bets.sql")),
        migration(28, "moved_lines", include_str!("../../migrations/postgres/0028_moved_lines.sql")),
        migration(29, "begin_order", include_str!("../../migrations/postgres/0029_begin_order.sql")),
        migration(30, "login_details", include_str!("../../migrations/postgres/0030_login_details.sql")),
        migration(31, "protection", include_str!("../../migrations/postgres/0031_protection.sql")),
        migration(32, "cashier", include_str!("../../migrations/postgres/0032_cashier.sql")),
        migration(33, "login_times", include_str!("../../migrations/postgres/0033_login_times.sql")),
        migration(34, "external_id", include_str!("../../migrations/postgres/0034_external_id.sql")),
        migration(35, "external_ids", include_str!("../../migrations/postgres/0035_external_ids.sql")),
        migration(36, "own_orders", include_str!("../../migrations/postgres/0036_own_orders.sql")),
    ]
}

/// Migrates the tables to this program's version. Waits while another node migrates.
pub(super) async fn migrate(options: &PgConnectOptions) -> Result<Migrated, OpenError> {
    let mut connection = connect(options).await?;
    connection.execute(NO_TIME_OUTS).await.map_err(StoreError::from)?;
    wait_for_turn(&mut connection).await?;

    let known = migrations();
    let before = applied(&mut connection).await?;
    check_compatible(&known, &before)?;
    let mut migrator = Migrator::with_migrations(known.clone());
    // `check_compatible` has accepted the migrations of newer programs, and this node holds the lock.
    migrator.set_ignore_missing(true).set_locking(false);
    // Not `run`: its trait bounds do not allow a call from another thread. sqlx offers this function for that case.
    migrator.run_direct(None, &mut connection, false).await?;
    name_older_accounts(&mut connection).await?;
    // Closing releases the lock. If closing fails, the server notices the lost connection.
    let _ = connection.close().await;
    Ok(migrated(&known, &before))
}

/// Checks that the tables have exactly this program's version.
pub(super) async fn check(pool: &PgPool) -> Result<(), OpenError> {
    let mut connection = pool.acquire().await.map_err(StoreError::from)?;
    let applied = applied(&mut connection).await?;
    Ok(check_exact(&migrations(), &applied)?)
}

async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let late = |_| StoreError::unavailable(format!("no connection within {} s", CONNECT.as_secs()));
    Ok(tokio::time::timeout(CONNECT, PgConnection::connect_with(options)).await.map_err(late)??)
}

async fn wait_for_turn(connection: &mut PgConnection) -> Result<(), StoreError> {
    let mut is_waiting = false;
    while !try_for_connection(connection, Lock::Migration).await? {
        if !std::mem::replace(&mut is_waiting, true) {
            tracing::info!("waiting for another node that brings the store's tables to its version");
        }
        tokio::time::sleep(Duration::from_millis(MIGRATION_TURN_EVERY_MS)).await;
    }
    Ok(())
}

async fn applied(connection: &mut PgConnection) -> Result<Vec<Applied>, StoreError> {
    let has_any: bool =
        sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(&mut *connection).await?;
    if !has_any {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_as(APPLIED).fetch_all(connection).await?)
}
