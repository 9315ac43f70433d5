//! PostgreSQL's names and texts for the operations of `sql/`.

use super::PostgresStore;
use super::nodes::NOTIFY;
use crate::{StoreError, StoreFuture};
use sqlx::PgConnection;
use std::borrow::Cow;

pub(super) type Connection = PgConnection;
pub(super) type Row = sqlx::postgres::PgRow;
pub(super) type Store = PostgresStore;

/// Adds the lock of a row that the transaction changes.
macro_rules! locked {
    ($text:literal) => {
        concat!($text, " FOR NO KEY UPDATE")
    };
}
pub(super) use locked;

/// Adds the lock of a row that must not change before the transaction ends.
macro_rules! locked_shared {
    ($text:literal) => {
        concat!($text, " FOR SHARE")
    };
}
pub(super) use locked_shared;

/// Adds the lock of rows, without those that another node works on.
macro_rules! unlocked_only {
    ($text:literal) => {
        concat!($text, " FOR UPDATE SKIP LOCKED")
    };
}
pub(super) use unlocked_only;

/// Whether a value is in a [`list`].
macro_rules! is_in {
    ($value:literal, $list:literal) => {
        concat!($value, " = ANY(", $list, ")")
    };
}
pub(super) use is_in;

/// Whether a value is in the result of a question, which is asked once.
macro_rules! is_among {
    ($value:literal, $($question:tt)+) => {
        concat!($value, " = ANY(ARRAY(", $($question)+, "))")
    };
}
pub(super) use is_among;

/// The numbers of a [`list`] as rows with the column `value`.
macro_rules! rows_of {
    ($list:literal) => {
        concat!("UNNEST(", $list, "::bigint[]) AS listed (value)")
    };
}
pub(super) use rows_of;

/// The smaller one of two values.
macro_rules! least {
    ($one:literal, $other:literal) => {
        concat!("LEAST(", $one, ", ", $other, ")")
    };
}
pub(super) use least;

/// Whether a saved session is anonymous, as its index says it.
macro_rules! is_anonymous {
    () => {
        "is_anonymous"
    };
}
pub(super) use is_anonymous;

/// Takes some work: how far it is.
pub(super) const TAKE_WORK: &str =
    "SELECT after_bet_id FROM settlement_work WHERE match_id = $1 AND market_id = $2 FOR UPDATE";

/// Numbers as a parameter.
pub(super) fn list(numbers: impl IntoIterator<Item = i64>) -> Vec<i64> {
    numbers.into_iter().collect()
}

/// A text as a parameter, without NUL characters: PostgreSQL rejects statements with them.
pub(super) fn holdable(text: &str) -> Cow<'_, str> {
    if is_holdable(text) { Cow::Borrowed(text) } else { Cow::Owned(text.replace('\0', "")) }
}

/// Whether a text can be stored.
pub(super) fn is_holdable(text: &str) -> bool {
    !text.contains('\0')
}

/// The rows of results for these keys of match and market, in the columns of `RESULT_COLUMNS`.
pub(super) async fn results_of(connection: &mut Connection, keys: &[(i64, i64)]) -> Result<Vec<Row>, StoreError> {
    let (matches, markets): (Vec<i64>, Vec<i64>) = keys.iter().copied().unzip();
    let question = sqlx::query(
        "SELECT r.match_id, r.market_id, r.version, r.state, r.odds, r.void_windows, r.reason \
         FROM UNNEST($1::bigint[], $2::bigint[]) AS k (match_id, market_id) \
         JOIN market_results r ON r.match_id = k.match_id AND r.market_id = k.market_id",
    );
    Ok(question.bind(matches).bind(markets).fetch_all(connection).await?)
}

/// Notifies the nodes that the version of a result was reset: they hold the result with its former version, and would ignore
/// the right one.
pub(super) async fn announce_reset(connection: &mut Connection, match_id: i64) -> Result<(), StoreError> {
    sqlx::query(NOTIFY).bind(format!("command R{match_id}")).execute(connection).await?;
    Ok(())
}

impl PostgresStore {
    /// Reads with any connection.
    pub(super) fn read<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(&'c mut Connection) -> StoreFuture<'c, T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        Box::pin(self.run(move |pool| async move {
            let mut connection = pool.acquire().await?;
            work(&mut connection).await
        }))
    }

    /// Reads several things as they are at one moment.
    pub(super) fn read_one_moment<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(&'c mut Connection) -> StoreFuture<'c, T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        Box::pin(self.run(move |pool| async move {
            let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            work(&mut reading).await
        }))
    }

    /// Writes in a transaction.
    pub(super) fn write<A: Send + Sync + 'static, T: Send + 'static>(
        &self,
        input: A,
        work: for<'c> fn(&'c mut Connection, &'c A) -> StoreFuture<'c, T>,
    ) -> StoreFuture<'_, T> {
        Box::pin(self.run(move |pool| async move {
            let mut transaction = pool.begin().await?;
            let done = work(&mut transaction, &input).await?;
            transaction.commit().await?;
            Ok(done)
        }))
    }

    /// Writes with a single statement, which needs no transaction.
    pub(super) fn write_at_once<A: Send + Sync + 'static, T: Send + 'static>(
        &self,
        input: A,
        work: for<'c> fn(&'c mut Connection, &'c A) -> StoreFuture<'c, T>,
    ) -> StoreFuture<'_, T> {
        Box::pin(self.run(move |pool| async move {
            let mut connection = pool.acquire().await?;
            work(&mut connection, &input).await
        }))
    }
}
