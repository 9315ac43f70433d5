//! Classifies database errors: unavailable (try later) or corrupt (a bug). Used by both databases. Callers must not
//! need to know database error codes.
//!
//! Error texts go to the log, so they must not contain row values. The texts that both databases return here do not.

use super::StoreError;
use kvota_domain::ledger::LedgerFault;
use sqlx::error::DatabaseError;

impl StoreError {
    pub(super) fn unavailable(cause: impl ToString) -> StoreError {
        StoreError::Unavailable { cause: cause.to_string() }
    }

    pub(super) fn corrupt(cause: impl ToString) -> StoreError {
        StoreError::Corrupt { cause: cause.to_string() }
    }
}

impl From<LedgerFault> for StoreError {
    fn from(LedgerFault(cause): LedgerFault) -> StoreError {
        StoreError::Corrupt { cause }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match &error {
            sqlx::Error::Database(inner) => of_database(inner.as_ref()),
            sqlx::Error::RowNotFound
            | sqlx::Error::TypeNotFound { .. }
            | sqlx::Error::ColumnIndexOutOfBounds { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::Encode(_)
            | sqlx::Error::Decode(_)
            | sqlx::Error::InvalidArgument(_) => StoreError::corrupt(error),
            // All others mean that the database cannot be reached: files, sockets, TLS, the pool, a protocol error.
            _ => StoreError::unavailable(error),
        }
    }
}

fn of_database(error: &dyn DatabaseError) -> StoreError {
    let code = error.code().unwrap_or_default();
    let is_passing =
        if error.try_downcast_ref::<sqlx::sqlite::SqliteError>().is_some() { passing_sqlite } else { passing_postgres };
    if is_passing(&code) { StoreError::unavailable(error) } else { StoreError::corrupt(error) }
}

/// Primary SQLite result codes of temporary errors: no permission 3, busy 5, locked 6, no memory 7, read-only 8,
/// interrupted 9, I/O 10, full 13, cannot open 14, lock protocol 15.
fn passing_sqlite(code: &str) -> bool {
    code.parse::<i64>().is_ok_and(|code| matches!(code & 0xff, 3 | 5..=10 | 13..=15))
}

/// SQLSTATE classes of temporary errors: connection 08, credentials 28, no such database 3D, transaction rolled back
/// 40, insufficient resources 53 (such as a full disk), object not in the required state 55, operator intervention 57,
/// system error 58. Also 25006: the server has become a read-only replica.
fn passing_postgres(code: &str) -> bool {
    let class = code.get(..2).unwrap_or_default();
    ["08", "28", "3D", "40", "53", "55", "57", "58"].contains(&class) || code == "25006"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_passes_and_a_broken_rule_does_not() {
        for (code, passes) in [("13", true), ("5", true), ("261", true), ("778", true), ("11", false), ("1555", false)]
        {
            assert_eq!(passing_sqlite(code), passes, "{code}");
        }
        for (code, passes) in
            [("53100", true), ("57P01", true), ("40P01", true), ("25006", true), ("23505", false), ("", false)]
        {
            assert_eq!(passing_postgres(code), passes, "{code}");
        }
    }
}
