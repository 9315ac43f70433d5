//! The stores in one SQLite file, the default of a server without configuration. Readers never wait, because of the
//! write-ahead log. Committed data survives a power failure, because of `synchronous=FULL`. One writer runs all waiting
//! operations in one transaction (`writer.rs`), so that many bets share one disk sync.
//!
//! Opened by `store::open`. While the server runs, other processes may read the file, and `kvota betting` may write the
//! row of its pause: a writer waits up to `BUSY` for another process. Nothing else may write to the file.

mod accounts;
mod dialect;
mod grading;
mod moved_lines;
mod placing;
mod settlement;
#[path = "../sql/mod.rs"]
mod sql;
mod writer;

use super::audit::{self, AuditReport};
use super::nodes::{NodeBus, OrderSlot, SharedLimits};
use super::placing_activity::PlacingActivity;
use super::schema::{APPLIED, Applied, Migrated, check_compatible, check_exact, migrated};
use super::slices::{Deletion, OldResult, Slice, delete_in_slices};
use super::{AccountId, BetStore, IdempotencyKey, OpenError, SavedSession, StoreCare, StoreError, StoreFuture};
use crate::limits::{MIGRATION_WAIT_MS_MAX, STORE_DELETION_ROWS_MAX};
use crate::rows::wide;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, SqlSafeStr, SqliteConnection};
use std::borrow::Cow;
use std::fs::{DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use writer::{Operation, Writer};

/// Connections for readers. Few are enough: reading a balance or a page of tickets takes a fraction of a millisecond.
const READERS_MAX: u32 = 4;

/// How long a statement waits for a lock of another process, and a reader for a connection.
const BUSY: Duration = Duration::from_secs(5);

/// The stores in one SQLite file.
pub struct SqliteStore {
    writer: Writer,
    readers: SqlitePool,
    placing: PlacingActivity,
    /// The last old result that was looked at.
    results_looked_at: Mutex<OldResult>,
}

impl SqliteStore {
    /// Opens the file and migrates it to this program's version. A new file is readable only by its owner.
    pub async fn open(file: &Path) -> Result<SqliteStore, OpenError> {
        SqliteStore::only_migrate(file).await?;
        let connection = SqliteConnection::connect_with(&writing(file)).await.map_err(StoreError::from)?;
        SqliteStore::start(file, connection)
    }

    /// Opens a file without changing its tables. They must already have this program's version.
    pub async fn open_as_it_is(file: &Path) -> Result<SqliteStore, OpenError> {
        let mut connection = SqliteConnection::connect_with(&writing(file)).await.map_err(StoreError::from)?;
        let applied = applied(&mut connection).await?;
        check_exact(&migrations(), &applied)?;
        SqliteStore::start(file, connection)
    }

    /// Creates the file if it is missing, and migrates it to this program's version. Waits while another process does
    /// the same.
    pub async fn only_migrate(file: &Path) -> Result<Migrated, OpenError> {
        make_file(file)?;
        let patient = writing(file).busy_timeout(Duration::from_millis(MIGRATION_WAIT_MS_MAX));
        let mut connection = SqliteConnection::connect_with(&patient).await.map_err(StoreError::from)?;
        let known = migrations();
        // Take the lock of the whole file before reading, so that no other process changes the tables meanwhile.
        let mut turn = connection.begin_with("BEGIN IMMEDIATE").await.map_err(StoreError::from)?;
        accept_slow_migration(&mut turn, &known).await?;
        let before = applied(&mut turn).await?;
        check_compatible(&known, &before)?;
        let mut migrator = Migrator::with_migrations(known.clone());
        // `check_compatible` has accepted the migrations of newer programs.
        migrator.set_ignore_missing(true);
        migrator.run(&mut *turn).await?;
        accounts::name_older_accounts(&mut turn).await?;
        turn.commit().await.map_err(StoreError::from)?;
        connection.close().await.map_err(StoreError::from)?;
        Ok(migrated(&known, &before))
    }

    fn start(file: &Path, connection: SqliteConnection) -> Result<SqliteStore, OpenError> {
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS_MAX)
            .acquire_timeout(BUSY)
            .connect_lazy_with(options(file).read_only(true));
        Ok(SqliteStore {
            writer: Writer::start(writing(file), connection)?,
            readers,
            placing: PlacingActivity::default(),
            results_looked_at: Mutex::default(),
        })
    }

    /// Deletes rows from before a time (`$1`), in slices of [`STORE_DELETION_ROWS_MAX`] (`$2`). Other writes can run between
    /// two of them.
    fn delete(&self, _: Deletion, statement: &'static str, before_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(delete_in_slices(move || {
            let slice = self.write((statement, before_ms), |connection, (statement, before_ms)| {
                Box::pin(delete_slice(connection, statement, *before_ms))
            });
            async move { Ok(Some(Slice::of(slice.await?))) }
        }))
    }

    /// The saved session of the owner with this key.
    fn read_session(&self, owner: Vec<u8>) -> StoreFuture<'_, Option<SavedSession>> {
        self.read(|connection| Box::pin(async move { sql::sessions::load(connection, &owner).await }))
    }

    /// Limits the file to this many pages of 4 KiB, for tests of a full disk.
    #[cfg(any(test, feature = "testkit"))]
    pub async fn hold_to_pages(&self, pages: u32) -> Result<(), StoreError> {
        self.writer.run(writer::HoldToPages(pages)).await
    }
}

async fn delete_slice(
    connection: &mut SqliteConnection,
    statement: &'static str,
    before_ms: i64,
) -> Result<u64, StoreError> {
    let slice = sqlx::query(statement).bind(before_ms).bind(wide(STORE_DELETION_ROWS_MAX));
    Ok(slice.execute(connection).await?.rows_affected())
}

fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(file).foreign_keys(true).busy_timeout(BUSY)
}

fn writing(file: &Path) -> SqliteConnectOptions {
    options(file).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full)
}

/// All migrations, oldest first. If older programs cannot work with a migration, its description must begin with
/// `breaking_`.
fn migrations() -> Vec<Migration> {
    let migration = |version, name, sql: &'static str| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, sql.into_sql_str(), false)
    };
    vec![
        migration(1, "stores", include_str!("../../migrations/sqlite/0001_stores.sql")),
        migration(2, "account_names", include_str!("../../migrations/sqlite/0002_account_names.sql")),
        migration(10, "betting_pause", include_str!("../../migrations/sqlite/0010_betting_pause.sql")),
        migration(20, "breaking_settlement", include_str!("../../migrations/sqlite/0020_breaking_settlement.sql")),
        migration(21, "set_aside", include_str!("../../migrations/sqlite/0021_set_aside.sql")),
        migration(22, "bet_revisions", include_str!("../../migrations/sqlite/0022_bet_revisions.sql")),
        migration(24, "match_ends", include_str!("../../migrations/sqlite/0024_match_ends.sql")),
        migration(25, "cash_outs", include_str!("../../migrations/sqlite/0025_cash_outs.sql")),
        migration(26, "old_results", include_str!("../../migrations/sqlite/0026_old_results.sql")),
        migration(27, "open_bets", include_str!("../../migrations/sqlite/0027_open_bets.sql")),
        migration(28, "moved_lines", include_str!("../../migrations/sqlite/0028_moved_lines.sql")),
        migration(30, "login_details", include_str!("../../migrations/sqlite/0030_login_details.sql")),
        migration(31, "protection", include_str!("../../migrations/sqlite/0031_protection.sql")),
        migration(32, "cashier", include_str!("../../migrations/sqlite/0032_cashier.sql")),
        migration(33, "login_times", include_str!("../../migrations/sqlite/0033_login_times.sql")),
        migration(34, "external_id", include_str!("../../migrations/sqlite/0034_external_id.sql")),
        migration(35, "external_ids", include_str!("../../migrations/sqlite/0035_external_ids.sql")),
        migration(36, "own_orders", include_str!("../../migrations/sqlite/0036_own_orders.sql")),
    ]
}

/// The checksum of the former text of migration 20.
const SLOW_MIGRATION: &str =
    "cb7a75b45d5393c17864a436ab740200d3e9b00e4f28307796b1e5a57a640148fba571479d8e46b620edd52313cb4183";

/// The former text of migration 20 wrote the same rows, but took quadratic time in the number of bets. Accepts files
/// that were migrated with it.
async fn accept_slow_migration(connection: &mut SqliteConnection, known: &[Migration]) -> Result<(), StoreError> {
    let Some(migration) = known.iter().find(|migration| migration.version == 20) else { return Ok(()) };
    if applied(connection).await?.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "UPDATE _sqlx_migrations SET checksum = ?, description = ? WHERE version = 20 AND lower(hex(checksum)) = ?",
    )
    .bind(&migration.checksum[..])
    .bind(&*migration.description)
    .bind(SLOW_MIGRATION)
    .execute(connection)
    .await?;
    Ok(())
}

async fn applied(connection: &mut SqliteConnection) -> Result<Vec<Applied>, StoreError> {
    let tables = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'";
    let has_any: i64 = sqlx::query_scalar(tables).fetch_one(&mut *connection).await?;
    if has_any == 0 {
        return Ok(Vec::new());
    }
    Ok(sqlx::query_as(APPLIED).fetch_all(connection).await?)
}

/// SQLite creates its other files with the permissions of this one.
fn make_file(file: &Path) -> Result<(), OpenError> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|source| OpenError::Folder { folder: folder.to_owned(), source })?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(file) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(OpenError::File { file: file.to_owned(), source }),
    }
}

/// A SQLite file has only one node.
impl NodeBus for SqliteStore {}

impl SharedLimits for SqliteStore {
    fn begin_order(
        &self,
        account: AccountId,
        key: IdempotencyKey,
        _max: usize,
        _lasts: Duration,
    ) -> StoreFuture<'_, OrderSlot> {
        Box::pin(async move { Ok(OrderSlot::on_only_node(self.find_key(account, key).await?)) })
    }
}

impl StoreCare for SqliteStore {
    fn ping(&self) -> StoreFuture<'_, ()> {
        Box::pin(self.writer.run(Ping))
    }

    fn audit(&self) -> StoreFuture<'_, AuditReport> {
        Box::pin(async move {
            // One transaction, so that all queries of the audit see the same moment.
            let mut reading = self.readers.begin().await?;
            let mut findings = Vec::new();
            let damage: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(10)").fetch_all(&mut *reading).await?;
            if damage != ["ok"] {
                findings.extend(audit::finding("the file is damaged", &damage));
            }
            let above_max_payout = audit::above_max_payout!("json_extract(b.rules, '$.maxPayout')");
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
        })
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.readers.close().await;
            self.writer.close().await;
            Ok(())
        })
    }
}

/// Checks that the writer is running and the file can be read.
struct Ping;

impl Operation for Ping {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let _: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM _sqlx_migrations").fetch_one(connection).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unsettled::{UNDECIDED_MARKETS, UNDECIDED_PAIRS};
    use sqlx::{AssertSqlSafe, Executor, Row};

    /// Every node asks these questions all the time, and settled bets only become more.
    #[tokio::test]
    async fn questions_about_open_bets_read_no_settled_bets() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        for migration in migrations() {
            connection.execute(sqlx::raw_sql(migration.sql)).await.unwrap();
        }
        for (question, index) in [
            (UNDECIDED_MARKETS, "open_pairs"),
            (UNDECIDED_PAIRS, "open_bets"),
            (sql::cash_outs::OPEN_BETS, "open_bets"),
        ] {
            let plan = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {question}")));
            let steps = plan.fetch_all(&mut connection).await.unwrap();
            let first: String = steps[0].get("detail");
            assert!(first.contains(&format!(" INDEX {index}")), "{question}: {first}");
        }
    }
}
