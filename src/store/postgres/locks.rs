//! Advisory locks of PostgreSQL: what one node of an installation does at a time. Each is of the schema that the node works
//! in, and ends with its transaction or its connection, also where the node dies.

use crate::store::StoreError;
use sqlx::PgConnection;

/// What is done by one node at a time; the numbers are the first half of the lock's key and must never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lock {
    /// Bringing the tables to a version.
    Migration = 0x6b76_0001,
    /// Deleting logins that have ended.
    EndedLogins = 0x6b76_0002,
    /// Deleting old anonymous sessions.
    OldSessions = 0x6b76_0003,
}

/// Takes a lock for as long as the connection lives. Whether it was free.
pub(super) async fn try_for_connection(connection: &mut PgConnection, lock: Lock) -> Result<bool, StoreError> {
    let question = "SELECT pg_try_advisory_lock($1, hashtext(COALESCE(current_schema(), '')))";
    Ok(sqlx::query_scalar(question).bind(lock as i32).fetch_one(connection).await?)
}

/// Takes a lock until the end of the transaction. Whether it was free.
pub(super) async fn try_for_transaction(transaction: &mut PgConnection, lock: Lock) -> Result<bool, StoreError> {
    let question = "SELECT pg_try_advisory_xact_lock($1, hashtext(COALESCE(current_schema(), '')))";
    Ok(sqlx::query_scalar(question).bind(lock as i32).fetch_one(transaction).await?)
}
