//! PostgreSQL only: migrations outside the timeouts of a bet, nodes of different versions, deletion in slices by one
//! node, and connection settings.

use crate::world::{Kind, NOW, Place, Schema, World, count_placed, order, place_all};
use futures_util::future::join;
use kvota_store::limits::{STORE_DELETION_ROWS_MAX, STORE_STATEMENT_MS_MAX};
use kvota_store::postgres::PostgresStore;
use kvota_store::{AccountId, OpenError, Stores};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::pin::pin;
use std::time::Duration;
use tokio::time::Instant;

async fn hand_in(schema: &Schema) -> PgConnection {
    PgConnection::connect(&schema.url).await.expect("a schema")
}

async fn run(hand: &mut PgConnection, statements: impl Into<String>) {
    hand.execute(sqlx::raw_sql(AssertSqlSafe(statements.into()))).await.expect("the server does it");
}

/// Returns when a statement of the schema's stores has waited for a lock for `ms`.
async fn until_blocked(hand: &mut PgConnection, schema: &Schema, ms: u64) {
    let name = &schema.name;
    let statement = format!(
        "SET statement_timeout = '30s'; DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_activity \
         WHERE application_name = '{name}' AND wait_event_type = 'Lock' \
         AND clock_timestamp() - query_start > interval '{ms} ms') \
         LOOP PERFORM pg_sleep(0.02); PERFORM pg_stat_clear_snapshot(); END LOOP; END $$"
    );
    run(hand, statement).await;
}

async fn opened(schema: &Schema) -> Result<Stores, OpenError> {
    Ok(Stores::over(PostgresStore::open(&schema.url, 2).await?))
}

/// An uncommitted table of the same name blocks the migration that creates it.
#[tokio::test]
async fn migration_may_exceed_the_bet_timeouts_and_a_second_node_waits() {
    let schema = Schema::new().await;
    let (mut holder, mut watcher) = (hand_in(&schema).await, hand_in(&schema).await);
    run(&mut holder, "BEGIN; CREATE TABLE cookie_key (nothing BIGINT)").await;
    let (first, second) = {
        let mut openings = pin!(join(opened(&schema), opened(&schema)));
        tokio::select! {
            (first, second) = &mut openings => {
                panic!("the migration did not wait: {:?} and {:?}", first.err(), second.err());
            }
            () = async {
                // It asks for the lock for a second at a time.
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_millis(STORE_STATEMENT_MS_MAX) {
                    until_blocked(&mut watcher, &schema, 500).await;
                }
            } => {}
        }
        run(&mut holder, "ROLLBACK").await;
        openings.await
    };
    for stores in [first.expect("the migration goes on"), second.expect("and then the second node")] {
        assert_eq!(stores.audit().await.expect("an audit").findings, Vec::<String>::new());
        stores.close().await.expect("closed");
    }
    schema.drop().await;
}

async fn note_migration(schema: &Schema, version: i64, description: &str) {
    let mut hand = hand_in(schema).await;
    let note = format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES ({version}, '{description}', TRUE, 'x', 0)"
    );
    run(&mut hand, note).await;
}

#[tokio::test]
async fn older_program_starts_on_compatible_newer_tables() {
    let world = World::new(Kind::Postgres).await;
    let account = world.account("ana", 5000).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let mut hand = hand_in(schema).await;
    run(&mut hand, "CREATE TABLE novelties (id BIGINT); ALTER TABLE bets ADD COLUMN novelty BIGINT").await;
    note_migration(schema, 99, "novelties").await;
    let older = opened(schema).await.expect("tables that have more");
    assert_eq!(count_placed(&place_all(&older, [order(account, 1)]).await), 1);
    older.close().await.expect("closed");
    world.end().await;
}

#[tokio::test]
async fn older_program_does_not_start_on_incompatible_tables() {
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    note_migration(schema, 99, "breaking_ledger").await;
    let error = opened(schema).await.err().expect("the tables are newer").to_string();
    assert!(error.contains("version 99") && error.contains("newer program"), "{error}");
    world.end().await;
}

/// Inserts logins that have just expired.
async fn end_logins(hand: &mut PgConnection, account: AccountId, count: u64) {
    let logins = format!("SELECT sha256(n::text::bytea), {account}, {NOW} - 1 FROM generate_series(1, {count}) n");
    run(hand, format!("INSERT INTO logins {logins}")).await;
}

/// A trigger counts the deletions of each statement.
#[tokio::test]
async fn expired_rows_are_deleted_in_slices() {
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let mut hand = hand_in(schema).await;
    let count = STORE_DELETION_ROWS_MAX * 2 + 1;
    let account = world.account("ana", 0).await;
    run(
        &mut hand,
        format!(
            "CREATE TABLE slices (name TEXT, rows BIGINT);
             CREATE FUNCTION note_slice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO slices SELECT TG_TABLE_NAME, COUNT(*) FROM gone; RETURN NULL; END $$;
             CREATE TRIGGER note_slice AFTER DELETE ON logins REFERENCING OLD TABLE AS gone
                 FOR EACH STATEMENT EXECUTE FUNCTION note_slice();
             CREATE TRIGGER note_slice AFTER DELETE ON saved_sessions REFERENCING OLD TABLE AS gone
                 FOR EACH STATEMENT EXECUTE FUNCTION note_slice();
             INSERT INTO saved_sessions SELECT sha256(n::text::bytea), TRUE, 1, '', {NOW} - 1
                 FROM generate_series(1, {count}) n;"
        ),
    )
    .await;
    end_logins(&mut hand, account, count).await;
    assert_eq!(world.stores.accounts.forget_ended_logins(NOW).await.expect("the store answers"), count);
    assert_eq!(world.stores.sessions.forget_anonymous(NOW, u64::MAX).await.expect("the store answers"), count);
    let slices: Vec<(String, i64)> =
        sqlx::query_as("SELECT name, rows FROM slices ORDER BY name, rows DESC").fetch_all(&mut hand).await.unwrap();
    let full = i64::try_from(STORE_DELETION_ROWS_MAX).unwrap();
    let expected = ["logins", "saved_sessions"].map(|name| [full, full, 1].map(|rows| (name.to_owned(), rows)));
    assert_eq!(slices, expected.concat());
    world.end().await;
}

/// A locked row keeps the first node in the middle of its deletion.
#[tokio::test]
async fn expired_rows_are_deleted_by_one_node_at_a_time() {
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let account = world.account("ana", 0).await;
    let other = opened(schema).await.expect("a schema");
    let (mut holder, mut watcher) = (hand_in(schema).await, hand_in(schema).await);
    end_logins(&mut holder, account, 5).await;
    run(&mut holder, "BEGIN; SELECT * FROM logins FOR UPDATE").await;
    let first = world.stores.accounts.forget_ended_logins(NOW);
    let second = async {
        until_blocked(&mut watcher, schema, 0).await;
        let second = other.accounts.forget_ended_logins(NOW).await;
        run(&mut holder, "COMMIT").await;
        second
    };
    let (first, second) = join(first, second).await;
    assert_eq!((first.expect("the store answers"), second.expect("the store answers")), (5, 0));
    assert_eq!(other.accounts.forget_ended_logins(NOW).await.expect("the store answers"), 0);
    other.close().await.expect("closed");
    world.end().await;
}

/// A login that is renewed while its slice is being deleted stays.
#[tokio::test]
async fn a_login_that_is_renewed_during_the_deletion_stays() {
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let account = world.account("ana", 0).await;
    let (mut holder, mut watcher) = (hand_in(schema).await, hand_in(schema).await);
    end_logins(&mut holder, account, 2).await;
    let renewal = format!("BEGIN; UPDATE logins SET expires_at_ms = {NOW} + 1 WHERE session_hash = sha256('1')");
    run(&mut holder, renewal).await;
    let deletion = world.stores.accounts.forget_ended_logins(NOW);
    let (deleted, ()) = join(deletion, async {
        until_blocked(&mut watcher, schema, 0).await;
        run(&mut holder, "COMMIT").await;
    })
    .await;
    assert_eq!(deleted.expect("the store answers"), 1);
    world.end().await;
}

/// A trigger records the settings under which an account is created. PgBouncer rejects settings as start-up parameters
/// (source `client`), so they are set on the connection (source `session`).
#[tokio::test]
async fn connections_set_timeouts_and_durable_commits_themselves() {
    for (given, expected) in [("off", "on"), ("local", "on"), ("remote_write", "on"), ("remote_apply", "remote_apply")]
    {
        let world = World::new(Kind::Postgres).await;
        let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
        let mut hand = hand_in(schema).await;
        run(
            &mut hand,
            "CREATE TABLE settings (name TEXT, setting TEXT, source TEXT);
             CREATE FUNCTION note_settings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO settings SELECT name, setting, source FROM pg_settings WHERE name IN ('lock_timeout',
                     'idle_in_transaction_session_timeout', 'statement_timeout', 'synchronous_commit');
                 RETURN NULL; END $$;
             CREATE TRIGGER note_settings AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION note_settings();",
        )
        .await;
        let url = format!("{}&options[synchronous_commit]={given}", schema.url);
        let configured = Stores::over(PostgresStore::open(&url, 1).await.expect("a schema"));
        let world = World { stores: configured, place: world.place };
        world.account("ana", 0).await;
        let question = "SELECT name || ' ' || setting || ' ' || source FROM settings ORDER BY name";
        let settings: Vec<String> = sqlx::query_scalar(question).fetch_all(&mut hand).await.unwrap();
        let commit = format!("synchronous_commit {expected} session");
        let expected = [
            "idle_in_transaction_session_timeout 15000 session",
            "lock_timeout 5000 session",
            "statement_timeout 10000 session",
            &commit,
        ];
        assert_eq!(settings, expected, "{given}");
        drop(hand);
        world.end().await;
    }
}
