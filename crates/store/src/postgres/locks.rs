//! Advisory locks in PostgreSQL, for work that only one node of an installation may do at a time. A lock belongs to the
//! node's database schema. It is released with its transaction or connection, also if the node crashes.

use crate::StoreError;
use sqlx::PgConnection;

/// Work for one node at a time. The numbers are the first half of the lock's key and must never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lock {
    /// Migrating the tables.
    Migration = 0x6b76_0001,
    /// Deleting logins that have ended.
    EndedLogins = 0x6b76_0002,
    /// Deleting old anonymous sessions.
    OldSessions = 0x6b76_0003,
    /// Deleting old results of markets without a bet.
    OldResults = 0x6b76_0004,
}

/// Takes a lock until the connection closes. Returns whether it was free.
pub(super) async fn try_for_connection(connection: &mut PgConnection, lock: Lock) -> Result<bool, StoreError> {
    let question = "SELECT pg_try_advisory_lock($1, hashtext(COALESCE(current_schema(), '')))";
    Ok(sqlx::query_scalar(question).bind(lock as i32).fetch_one(connection).await?)
}

/// Takes a lock until the end of the transaction. Returns whether it was free.
pub(super) async fn try_for_transaction(transaction: &mut PgConnection, lock: Lock) -> Result<bool, StoreError> {
    let question = "SELECT pg_try_advisory_xact_lock($1, hashtext(COALESCE(current_schema(), '')))";
    Ok(sqlx::query_scalar(question).bind(lock as i32).fetch_one(transaction).await?)
}
