//! `kvota audit` as an operator runs it: on a consistent store, on one with manual changes, and without a store.

use crate::{kvota, output_of};
use kvota_domain::money::Money;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{NewAccount, Stores};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Executor, SqliteConnection};
use std::path::{Path, PathBuf};

/// A data folder. Deleted when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        Folder(std::env::temp_dir().join(format!("kvota-audit-{}-{name}", std::process::id())))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
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

fn audit(folder: &Path) -> (Option<i32>, String, String) {
    command("audit", folder)
}

fn command(name: &str, folder: &Path) -> (Option<i32>, String, String) {
    output_of(&kvota(&[name]).env("KVOTA__STORE__DATA_DIR", folder).output().expect("the program runs"))
}

async fn by_hand(file: &Path, statement: &'static str) {
    let options = SqliteConnectOptions::new().filename(file);
    let mut hand = SqliteConnection::connect_with(&options).await.expect("the store answers");
    hand.execute(statement).await.expect("the store answers");
    hand.close().await.expect("the store answers");
}

async fn with_an_account(file: &Path) {
    let stores = Stores::over(SqliteStore::open(file).await.expect("the store answers"));
    let account = NewAccount {
        name: "ana".to_owned(),
        password_hash: "hash".to_owned(),
        opening: Money::from_cents(100_000),
        now_ms: 1_790_000_000_000,
        external_id: None,
    };
    stores.accounts.create(account).await.expect("the store answers");
    stores.close().await.expect("the store answers");
}

#[tokio::test]
async fn audit_of_a_consistent_store_exits_with_0() {
    let folder = Folder::new("well");
    with_an_account(&folder.file()).await;
    let (code, out, err) = audit(&folder.0);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("accounts   1") && out.contains("the ledger sums to zero"), "{out}");
}

#[tokio::test]
async fn audit_prints_each_finding_and_exits_with_1() {
    let folder = Folder::new("ill");
    with_an_account(&folder.file()).await;
    by_hand(&folder.file(), "UPDATE accounts SET balance_cents = 200000").await;

    let (code, out, err) = audit(&folder.0);

    assert_eq!(code, Some(1));
    assert!(out.contains("WRONG      accounts whose balance is negative or not the sum of their postings: 1"), "{out}");
    assert_eq!(err, "kvota: the store is not as it must be: 1 of the audit's questions found something\n");
}

#[test]
fn audit_creates_no_store() {
    let folder = Folder::new("none");
    let (code, out, err) = audit(&folder.0);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.starts_with("kvota: there is no store at "), "{err}");
    assert!(!folder.0.exists());
}

#[test]
fn migrate_creates_the_tables_once() {
    let folder = Folder::new("migrated");
    let (code, out, err) = command("migrate", &folder.0);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(
        out.starts_with("the tables of the store have version ") && out.contains("; migrations applied: "),
        "{out}"
    );
    let (code, out, _) = command("migrate", &folder.0);
    assert!(code == Some(0) && out.ends_with("; nothing was to be done\n"), "{out}");
    assert_eq!(audit(&folder.0).0, Some(0));
}

/// An audit only reads. It must not create or change tables, and it says what to do if their version differs.
#[tokio::test]
async fn audit_of_another_schema_version_reports_it_and_changes_nothing() {
    let folder = Folder::new("versions");
    std::fs::create_dir_all(&folder.0).expect("a folder");
    std::fs::write(folder.file(), []).expect("a file");
    let (code, out, err) = audit(&folder.0);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert_eq!(err, "kvota: the store has no tables yet: run `kvota migrate`, or start a server\n");

    with_an_account(&folder.file()).await;
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (99, 'more', TRUE, 'x', 0)";
    by_hand(&folder.file(), newer).await;
    let (code, out, err) = audit(&folder.0);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.starts_with("kvota: the tables of the store have version 99, and this program knows "), "{err}");
}
