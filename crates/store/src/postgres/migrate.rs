//! Migrates the tables in PostgreSQL to this program's version, and checks their version. Called when a store is
//! opened, and by `kvota migrate`.
//!
//! Older nodes go on serving meanwhile, so a migration must not make their calls wait: it takes a table's lock within a
//! second or tries again later; indexes are built before it with `CONCURRENTLY`, and constraints (`NOT VALID`) are checked
//! after it.
//!
//! A migration runs on a separate connection without other timeouts, because it may take minutes. Nodes take turns with an
//! advisory lock. They poll it and must not wait for it inside PostgreSQL: a waiting node would hold a snapshot, and
//! `CREATE INDEX CONCURRENTLY` of the migrating node would wait for that snapshot, a deadlock.

use super::CONNECT;
use super::accounts::name_older_accounts;
use super::locks::{Lock, try_for_connection};
use crate::limits::MIGRATION_TURN_EVERY_MS;
use crate::schema::{APPLIED, Applied, Migrated, check_compatible, check_exact, migrated};
use crate::{OpenError, StoreError};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqlSafeStr};
use std::borrow::Cow;
use std::time::Duration;

/// Overrides timeouts from the address, the role and the database. An older server does not have all of these settings.
const NO_TIME_OUTS: &str = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout', \
     'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')";

/// How long a migration waits for the lock of a table. All calls that need the table wait behind it.
const LOCK_WAIT: &str = "SET lock_timeout = '1s'";
/// Building an index waits for older transactions, and nothing waits behind it.
const NO_LOCK_WAIT: &str = "SET lock_timeout = 0";
/// `lock_not_available` of PostgreSQL.
const LOCK_NOT_AVAILABLE: &str = "55P03";
/// How long a migration lets others use a table before it asks for the lock again.
const LOCK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// An index on a large table that exists when its migration runs.
struct IndexBefore {
    version: i64,
    name: &'static str,
    /// The table and what follows.
    on: &'static str,
}

/// The indexes that are built before their migrations. Their migrations say `IF NOT EXISTS`.
const INDEXES_BEFORE: [IndexBefore; 4] = [
    IndexBefore { version: 21, name: "bets_without_rules", on: "bets (id) WHERE rules IS NULL" },
    IndexBefore { version: 26, name: "market_results_by_time", on: "market_results (at_ms)" },
    IndexBefore { version: 27, name: "open_bets", on: "bets (id) WHERE state = 'open'" },
    IndexBefore {
        version: 27,
        name: "open_pairs",
        on: "bet_pairs (match_id, market_id, bet_id) WHERE result = 'open'",
    },
];

/// The checksums that some migrations had before their texts changed, in hexadecimal. The tables are the same.
const FIRST_CHECKSUMS: [(i64, &str); 5] = [
    (21, "b2f1ef214ef91b578a467dba89f13c3cab6ee44746bb9320b57ab9c681bb947b8970a11fc7d15204a41b97499151068d"),
    (22, "f137199b65e3b44e79091839a765e70ba3fa552a207ac664266a1e6785e5891ec8fb59a3675415ef4fd547473ad3f8ab"),
    (25, "1cc127259fdfd12a79e5bc42045b6d1084cd2cdbc8486487163a895a369f9b5908409c65788ebe46abae22a6e4cd1ee2"),
    (26, "3a204b3bff3164f47835ff05be61a4412f8d0f44118c9b06aa897c333a4a98d1e733e0b27390b72af533adc9cc837f72"),
    (27, "820eb6bbffb95dd24818ad1c9a87d8d7b582d92e7ecdff328450411bf116b57315d372e63f3b8e59728e6801109eff51"),
];

/// All migrations, oldest first. If older programs cannot work with a migration, its description must begin with
/// `breaking_`. `tests/tidy` rejects statements that lock a large table for long.
fn migrations() -> Vec<Migration> {
    let migration = |version, name, sql: &'static str| {
        let text = sql.into_sql_str();
        let mut migration = Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, text, false);
        if let Some((_, first)) = FIRST_CHECKSUMS.iter().find(|(of, _)| *of == version) {
            migration.checksum = from_hex(first).into();
        }
        migration
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
    for migration in &known {
        if before.iter().all(|(version, ..)| *version != migration.version) {
            apply(&mut connection, &known, migration.version).await?;
        }
    }
    check_constraints(&mut connection).await?;
    name_older_accounts(&mut connection).await?;
    // Closing releases the lock. If closing fails, the server notices the lost connection.
    let _ = connection.close().await;
    Ok(migrated(&known, &before))
}

/// Applies one migration, and all before it.
async fn apply(connection: &mut PgConnection, known: &[Migration], version: i64) -> Result<(), OpenError> {
    for index in INDEXES_BEFORE.iter().filter(|index| index.version == version) {
        build(connection, index).await?;
    }
    connection.execute(LOCK_WAIT).await.map_err(StoreError::from)?;
    let mut migrator = Migrator::with_migrations(known.to_vec());
    // `check_compatible` has accepted the migrations of newer programs, and this node holds the lock.
    migrator.set_ignore_missing(true).set_locking(false);
    loop {
        // Not `run`: its trait bounds do not allow a call from another thread. sqlx offers this function for that case.
        match migrator.run_direct(Some(version), connection, false).await {
            Err(MigrateError::ExecuteMigration(error, _)) if is_lock_missing(&error) => {
                tracing::info!(version, "migration {version} waits for a table that is in use");
                tokio::time::sleep(LOCK_AGAIN_AFTER).await;
            }
            done => return Ok(done?),
        }
    }
}

fn is_lock_missing(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == LOCK_NOT_AVAILABLE)
}

/// Builds an index while the table is used. One that an interrupted node left unfinished is built again.
async fn build(connection: &mut PgConnection, index: &IndexBefore) -> Result<(), StoreError> {
    let IndexBefore { name, on, .. } = index;
    let is_valid: Option<bool> =
        sqlx::query_scalar("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)")
            .bind(name)
            .fetch_optional(&mut *connection)
            .await?;
    connection.execute(NO_LOCK_WAIT).await?;
    if is_valid == Some(false) {
        connection.execute(AssertSqlSafe(format!("DROP INDEX CONCURRENTLY {name}"))).await?;
    }
    if is_valid != Some(true) {
        connection.execute(AssertSqlSafe(format!("CREATE INDEX CONCURRENTLY {name} ON {on}"))).await?;
    }
    Ok(())
}

/// Checks the rows of all tables against the constraints that do not have to hold for older rows yet. Reads and changes go
/// on meanwhile.
async fn check_constraints(connection: &mut PgConnection) -> Result<(), StoreError> {
    let unchecked: Vec<(String, String)> = sqlx::query_as(
        "SELECT conrelid::regclass::text, quote_ident(conname) FROM pg_constraint \
         WHERE NOT convalidated AND connamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
         ORDER BY 1, 2",
    )
    .fetch_all(&mut *connection)
    .await?;
    connection.execute(NO_LOCK_WAIT).await?;
    for (table, constraint) in unchecked {
        let check = format!("ALTER TABLE {table} VALIDATE CONSTRAINT {constraint}");
        connection.execute(AssertSqlSafe(check)).await?;
    }
    Ok(())
}

fn from_hex(text: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap_or_default();
    (0..text.len()).step_by(2).map(digits).collect()
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
