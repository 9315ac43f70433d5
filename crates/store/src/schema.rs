//! Checks whether the tables of a store have the version that this program needs. Called by both databases when they
//! are opened. Must not access a database.
//!
//! If older programs cannot work with a migration, its description begins with [`BREAKING`]. All other migrations only
//! add to the tables, so that older and newer nodes can run together during a rolling upgrade.

use sqlx::migrate::Migration;

/// The prefix of the description of a migration that older programs cannot work with.
pub(super) const BREAKING: &str = "breaking_";

/// The migrations of a store, oldest first.
pub(super) const APPLIED: &str =
    "SELECT version, description, success, checksum FROM _sqlx_migrations ORDER BY version";

/// A row of [`APPLIED`]: version, description, whether it succeeded, and the checksum of its text.
pub(super) type Applied = (i64, String, bool, Vec<u8>);

/// How the tables differ from what this program needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SchemaError {
    /// There are no tables yet.
    #[error("the store has no tables yet: run `kvota migrate`, or start a server")]
    Missing,
    /// The tables are from an older program.
    #[error("the tables of the store have version {is}, and this program needs {needs}: run `kvota migrate`")]
    Older {
        /// What they have.
        is: i64,
        /// The version that this program needs.
        needs: i64,
    },
    /// The tables are from a newer program, and this one cannot work with them.
    #[error("the tables of the store have version {is}, and this program knows {knows}: use the newer program")]
    Newer {
        /// What they have.
        is: i64,
        /// The newest version that this program knows.
        knows: i64,
    },
    /// A migration failed outside a transaction.
    #[error("migration {version} of the store's tables began and did not end: see the log of the program that ran it")]
    Unfinished {
        /// Which.
        version: i64,
    },
    /// The text of a migration differs from the text that was run.
    #[error("migration {version} of the store's tables is not the one that this program has")]
    Different {
        /// Which.
        version: i64,
    },
}

/// The outcome of `kvota migrate`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Migrated {
    /// The version of the tables.
    pub version: i64,
    /// Migrations that were run just now.
    pub applied: usize,
}

/// Checks that this program can migrate the tables and work with them. Newer migrations are accepted if they are not
/// breaking.
pub(super) fn check_compatible(known: &[Migration], applied: &[Applied]) -> Result<(), SchemaError> {
    for (version, description, success, checksum) in applied {
        match known.iter().find(|migration| migration.version == *version) {
            _ if !success => return Err(SchemaError::Unfinished { version: *version }),
            Some(migration) if migration.checksum[..] != checksum[..] => {
                return Err(SchemaError::Different { version: *version });
            }
            None if description.starts_with(BREAKING) => {
                return Err(SchemaError::Newer { is: newest(applied), knows: latest(known) });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that the tables have exactly this program's version. For the audit: its checks may not apply to other
/// versions.
pub(super) fn check_exact(known: &[Migration], applied: &[Applied]) -> Result<(), SchemaError> {
    if applied.is_empty() {
        return Err(SchemaError::Missing);
    }
    check_compatible(known, applied)?;
    let (is, knows) = (newest(applied), latest(known));
    if is > knows {
        return Err(SchemaError::Newer { is, knows });
    }
    let is_applied = |migration: &Migration| applied.iter().any(|(version, ..)| *version == migration.version);
    if known.iter().all(is_applied) { Ok(()) } else { Err(SchemaError::Older { is, needs: knows }) }
}

/// The outcome of migrating tables from `before` to this program's version.
pub(super) fn migrated(known: &[Migration], before: &[Applied]) -> Migrated {
    let was_applied = |migration: &&Migration| before.iter().any(|(version, ..)| *version == migration.version);
    let applied = known.len() - known.iter().filter(was_applied).count();
    Migrated { version: newest(before).max(latest(known)), applied }
}

fn newest(applied: &[Applied]) -> i64 {
    applied.iter().map(|(version, ..)| *version).max().unwrap_or(0)
}

fn latest(known: &[Migration]) -> i64 {
    known.iter().map(|migration| migration.version).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::SqlSafeStr;
    use sqlx::migrate::MigrationType;

    fn known() -> Vec<Migration> {
        let one = |version, sql: &'static str| {
            Migration::new(version, "more".into(), MigrationType::Simple, sql.into_sql_str(), false)
        };
        vec![one(1, "SELECT 1"), one(2, "SELECT 2")]
    }

    fn as_applied(migration: &Migration) -> Applied {
        (migration.version, migration.description.to_string(), true, migration.checksum.to_vec())
    }

    fn later(version: i64, description: &str) -> Applied {
        (version, description.to_owned(), true, vec![1])
    }

    #[test]
    fn tables_of_another_version_are_named_and_additive_newer_ones_are_compatible() {
        let known = known();
        let own: Vec<Applied> = known.iter().map(as_applied).collect();
        let with = |more: Applied| [own.clone(), vec![more]].concat();
        let mut unfinished = own.clone();
        unfinished[1].2 = false;
        let mut different = own.clone();
        different[0].3 = vec![0];
        let newer = SchemaError::Newer { is: 3, knows: 2 };
        for (what, applied, compatible, exact) in [
            ("its own", own.clone(), Ok(()), Ok(())),
            ("none", Vec::new(), Ok(()), Err(SchemaError::Missing)),
            ("older", own[..1].to_vec(), Ok(()), Err(SchemaError::Older { is: 1, needs: 2 })),
            ("newer ones that only add", with(later(3, "settlements")), Ok(()), Err(newer)),
            ("newer ones that break", with(later(3, "breaking_ledger")), Err(newer), Err(newer)),
            (
                "unfinished",
                unfinished,
                Err(SchemaError::Unfinished { version: 2 }),
                Err(SchemaError::Unfinished { version: 2 }),
            ),
            (
                "different",
                different,
                Err(SchemaError::Different { version: 1 }),
                Err(SchemaError::Different { version: 1 }),
            ),
        ] {
            assert_eq!(check_compatible(&known, &applied), compatible, "{what}");
            assert_eq!(check_exact(&known, &applied), exact, "{what}");
        }
        assert_eq!(migrated(&known, &[]), Migrated { version: 2, applied: 2 });
        assert_eq!(migrated(&known, &own[..1]), Migrated { version: 2, applied: 1 });
        assert_eq!(migrated(&known, &with(later(3, "more"))), Migrated { version: 3, applied: 0 });
    }
}
