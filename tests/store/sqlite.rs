//! SQLite only: bets survive the process, a full disk is an error that passes, and old rows are deleted in slices.

use crate::world::{Folder, Kind, NOW, Place, World, count_placed, order, place_all, tamper_with_file};
use kvota_domain::money::Money;
use kvota_store::limits::STORE_DELETION_ROWS_MAX;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{Answer, BetStore, Created, NewAccount, PlaceBet, Placed, StoreCare, StoreError, Stores};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

#[tokio::test]
async fn answered_bets_exist_after_the_file_is_reopened() {
    let world = World::new(Kind::Sqlite).await;
    let account = world.account("ana", 5000).await;
    place_all(&world.stores, (0..5).map(|number| order(account, number))).await;
    world.stores.close().await.unwrap();
    let closed = world.stores.bets.place(order(account, 9)).await;
    assert!(matches!(closed, Err(StoreError::Unavailable { .. })), "{closed:?}");

    let Place::Folder(folder) = &world.place else { panic!("a store in a file has a folder") };
    let stores = Stores::over(SqliteStore::open(&folder.file()).await.unwrap());

    let answer = Answer { status: 200, body: b"balance 40.00".to_vec() };
    let again = stores.bets.place(order(account, 0)).await.unwrap();
    assert_eq!(again, Placed::Replayed(answer));
    assert_eq!(stores.accounts.balance(account).await.unwrap(), Some(Money::ZERO));
    assert_eq!(stores.audit().await.unwrap().findings, Vec::<String>::new());
    stores.close().await.unwrap();
}

#[tokio::test]
async fn database_files_are_readable_by_the_owner_only() {
    let world = World::new(Kind::Sqlite).await;
    world.account("ana", 0).await;
    let Place::Folder(folder) = &world.place else { panic!("a store in a file has a folder") };
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder.0).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
        seen += 1;
    }
    assert!(seen >= 2, "the file and its log");
    world.end().await;
}

#[tokio::test]
async fn full_disk_rejects_bets_until_there_is_space() {
    let folder = Folder::new();
    let store = SqliteStore::open(&folder.file()).await.unwrap();
    let new = NewAccount {
        name: "ana".to_owned(),
        password_hash: "hash".to_owned(),
        opening: Money::from_cents(100_000_000),
        now_ms: NOW,
        external_id: None,
    };
    let Created::Account(account) = kvota_store::AccountStore::create(&store, new).await.unwrap() else {
        panic!("the name is taken")
    };

    // No new pages: some bets still fit, then none.
    store.hold_to_pages(1).await.unwrap();
    let mut placed: u32 = 0;
    let failure = loop {
        match store.place(order(account, placed)).await {
            Ok(Placed::Placed { .. }) => placed += 1,
            Ok(other) => panic!("{other:?}"),
            Err(failure) => break failure,
        }
        assert!(placed < 10_000, "the disk is never full");
    };
    assert!(matches!(failure, StoreError::Unavailable { .. }), "{failure}");
    // Reads still work, and nothing of the rejected bet is stored.
    assert_eq!(store.find_key(account, order(account, placed).key).await.unwrap(), None);
    assert!(store.ticket(account, &order(account, placed).ticket_id).await.unwrap().is_none());

    store.hold_to_pages(1_000_000).await.unwrap();
    let outcome = store.place(order(account, placed)).await.unwrap();
    assert!(matches!(outcome, Placed::Placed { .. }), "{outcome:?}");
    let report = store.audit().await.unwrap();
    assert_eq!((report.bets, report.findings), (u64::from(placed) + 1, Vec::new()));
    store.close().await.unwrap();
}

#[tokio::test]
async fn panic_while_building_an_answer_does_not_affect_other_bets() {
    let world = World::new(Kind::Sqlite).await;
    let account = world.account("ana", 5000).await;
    let panicking = PlaceBet { answer: Arc::new(|_| panic!("a maker that panics")), ..order(account, 1) };

    let outcome = world.stores.bets.place(panicking).await;
    assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{outcome:?}");

    assert_eq!(count_placed(&place_all(&world.stores, [order(account, 1)]).await), 1);
    world.end().await;
}

async fn note_migration(folder: &Folder, version: i64, description: &str) {
    let note = format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES ({version}, '{description}', TRUE, 'x', 0)"
    );
    tamper_with_file(&folder.file(), &note).await.expect("the file can be written");
}

#[tokio::test]
async fn older_program_starts_on_compatible_newer_tables_only() {
    let folder = Folder::new();
    SqliteStore::open(&folder.file()).await.unwrap().close().await.unwrap();
    note_migration(&folder, 98, "novelties").await;
    SqliteStore::open(&folder.file()).await.expect("tables that have more").close().await.unwrap();
    note_migration(&folder, 99, "breaking_ledger").await;
    let error = SqliteStore::open(&folder.file()).await.err().expect("the tables are newer").to_string();
    assert!(error.contains("version 99") && error.contains("newer program"), "{error}");
}

#[tokio::test]
async fn expired_rows_beyond_one_slice_are_all_deleted() {
    let world = World::new(Kind::Sqlite).await;
    let account = world.account("ana", 0).await;
    let Place::Folder(folder) = &world.place else { panic!("a store in a file has a folder") };
    let count = STORE_DELETION_ROWS_MAX * 2 + 1;
    let numbers =
        format!("WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})");
    let hash = "CAST(printf('%032d', n) AS BLOB)";
    let made = format!(
        "{numbers} INSERT INTO logins (session_hash, account_id, expires_at_ms) \
         SELECT {hash}, {account}, {NOW} - 1 FROM numbers; \
         {numbers} INSERT INTO saved_sessions (owner, is_anonymous, version, bytes, saved_at_ms) \
         SELECT {hash}, 1, 1, x'', {NOW} - 1 FROM numbers"
    );
    tamper_with_file(&folder.file(), &made).await.unwrap();
    let (logins, sessions) = futures_util::future::join(
        world.stores.accounts.forget_ended_logins(NOW),
        world.stores.sessions.forget_anonymous(NOW, u64::MAX),
    )
    .await;
    assert_eq!((logins.unwrap(), sessions.unwrap()), (count, count));
    world.end().await;
}
