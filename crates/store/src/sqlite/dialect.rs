//! SQLite's names and texts for the operations of `sql/`.

use super::SqliteStore;
use super::writer::Operation;
use crate::{StoreError, StoreFuture};
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::borrow::Cow;

pub(super) type Connection = SqliteConnection;
pub(super) type Row = sqlx::sqlite::SqliteRow;
pub(super) type Store = SqliteStore;

/// Adds the lock of a row that the transaction changes: there is only one writer.
macro_rules! locked {
    ($text:literal) => {
        $text
    };
}
pub(super) use locked;

/// Adds the lock of a row that must not change before the transaction ends: there is only one writer.
macro_rules! locked_shared {
    ($text:literal) => {
        $text
    };
}
pub(super) use locked_shared;

/// Adds the lock of rows, without those that another node works on: there is only one node.
macro_rules! unlocked_only {
    ($text:literal) => {
        $text
    };
}
pub(super) use unlocked_only;

/// Whether a value is in a [`list`].
macro_rules! is_in {
    ($value:literal, $list:literal) => {
        concat!($value, " IN (SELECT value FROM json_each(", $list, "))")
    };
}
pub(super) use is_in;

/// Whether a value is in the result of a question.
macro_rules! is_among {
    ($value:literal, $($question:tt)+) => {
        concat!($value, " IN (", $($question)+, ")")
    };
}
pub(super) use is_among;

/// The numbers of a [`list`] as rows with the column `value`.
macro_rules! rows_of {
    ($list:literal) => {
        concat!("(SELECT value FROM json_each(", $list, ")) AS listed")
    };
}
pub(super) use rows_of;

/// The smaller one of two values.
macro_rules! least {
    ($one:literal, $other:literal) => {
        concat!("MIN(", $one, ", ", $other, ")")
    };
}
pub(super) use least;

/// Whether a saved session is anonymous, as its index says it.
macro_rules! is_anonymous {
    () => {
        "is_anonymous = 1"
    };
}
pub(super) use is_anonymous;

/// Takes some work: how far it is.
pub(super) const TAKE_WORK: &str = "SELECT after_bet_id FROM settlement_work WHERE match_id = $1 AND market_id = $2";

/// Numbers as a parameter.
pub(super) fn list(numbers: impl IntoIterator<Item = i64>) -> String {
    Value::Array(numbers.into_iter().map(Value::from).collect()).to_string()
}

/// A text as a parameter.
pub(super) fn holdable(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// Whether a text can be stored.
pub(super) fn is_holdable(_: &str) -> bool {
    true
}

/// The rows of results for these keys of match and market, in the columns of `RESULT_COLUMNS`.
pub(super) async fn results_of(connection: &mut Connection, keys: &[(i64, i64)]) -> Result<Vec<Row>, StoreError> {
    let keys = keys.iter().map(|(match_id, market_id)| json!([match_id, market_id]));
    let question = sqlx::query(
        "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
         FROM json_each(?) k JOIN market_results r ON r.match_id = k.value ->> 0 AND r.market_id = k.value ->> 1",
    );
    Ok(question.bind(Value::Array(keys.collect()).to_string()).fetch_all(connection).await?)
}

/// Nothing: there is only one node.
pub(super) async fn announce_reset(_: &mut Connection, _: i64) -> Result<(), StoreError> {
    Ok(())
}

impl SqliteStore {
    /// Reads with a connection for readers.
    pub(super) fn read<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(&'c mut Connection) -> StoreFuture<'c, T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            work(&mut reader).await
        })
    }

    /// Reads several things as they are at one moment.
    pub(super) fn read_one_moment<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(&'c mut Connection) -> StoreFuture<'c, T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        Box::pin(async move {
            let mut reading = self.readers.begin().await?;
            work(&mut reading).await
        })
    }

    /// Writes in a transaction. `work` may run again after a rollback.
    pub(super) fn write<A: Send + Sync + 'static, T: Send + 'static>(
        &self,
        input: A,
        work: for<'c> fn(&'c mut Connection, &'c A) -> StoreFuture<'c, T>,
    ) -> StoreFuture<'_, T> {
        Box::pin(self.writer.run(Work { input, work }))
    }

    /// Writes with a single statement.
    pub(super) fn write_at_once<A: Send + Sync + 'static, T: Send + 'static>(
        &self,
        input: A,
        work: for<'c> fn(&'c mut Connection, &'c A) -> StoreFuture<'c, T>,
    ) -> StoreFuture<'_, T> {
        self.write(input, work)
    }
}

/// An operation of `sql/`, with its input.
struct Work<A, T> {
    input: A,
    work: for<'c> fn(&'c mut Connection, &'c A) -> StoreFuture<'c, T>,
}

impl<A: Send + Sync + 'static, T: Send + 'static> Operation for Work<A, T> {
    type Output = T;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<T, StoreError> {
        (self.work)(connection, &self.input).await
    }
}
