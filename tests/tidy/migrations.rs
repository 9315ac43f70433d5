//! The rule for migrations in PostgreSQL: none locks a table with many rows for long, because older nodes go on serving
//! (CONTRACT 11.5). Called by `tests/tidy.rs`.

use crate::problem::Problem;

/// Statements of a migration that hold up the calls of other nodes while they read a whole table.
pub(crate) fn long_locks(path: &str, text: &str) -> Vec<Problem> {
    let without_comments: String =
        text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut made = Vec::new();
    let mut problems = Vec::new();
    let mut line = 1;
    for statement in without_comments.split(';') {
        let words: Vec<String> = statement.split_whitespace().map(str::to_uppercase).collect();
        let begins = line + statement.chars().take_while(|c| c.is_whitespace()).filter(|c| *c == '\n').count();
        line += statement.matches('\n').count();
        let has = |wanted: &[&str]| words.windows(wanted.len()).any(|found| found == wanted);
        let after = |wanted: &str| {
            let at = words.iter().position(|word| word == wanted)?;
            words.get(at + 1).map(|word| word.trim_matches('(').to_owned())
        };
        if has(&["CREATE", "TABLE"]) || has(&["CREATE", "UNLOGGED", "TABLE"]) {
            made.extend(after("TABLE"));
            continue;
        }
        let is_made_here = |table: Option<String>| table.is_some_and(|table| made.contains(&table));
        let is_index = has(&["CREATE", "INDEX"]) || has(&["CREATE", "UNIQUE", "INDEX"]);
        if is_index && !has(&["IF", "NOT", "EXISTS"]) && !is_made_here(after("ON")) {
            let what =
                "an index on an older table is built before its migration (INDEXES_BEFORE), which says IF NOT EXISTS";
            problems.push(Problem::new(path, begins, what));
        }
        let is_change = has(&["ALTER", "TABLE"]) && !is_made_here(after("TABLE"));
        let checks = words.iter().any(|word| word == "CHECK" || word.starts_with("CHECK(") || word == "REFERENCES");
        if is_change && checks && !has(&["NOT", "VALID"]) {
            problems.push(Problem::new(path, begins, "a constraint on an older table is added as NOT VALID"));
        }
        if is_change && (has(&["SET", "NOT", "NULL"]) || words.iter().any(|word| word == "TYPE" || word == "UNIQUE")) {
            problems.push(Problem::new(path, begins, "this reads or writes the whole table under a lock"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_lock_an_older_table_for_long_are_reported() {
        for (text, lines) in [
            ("CREATE INDEX a ON bets (id);", &[1][..]),
            ("-- CREATE INDEX a ON bets (id);\n", &[]),
            ("\nCREATE UNIQUE INDEX a\n    ON bets (id);", &[2]),
            ("CREATE INDEX IF NOT EXISTS a ON bets (id);", &[]),
            ("CREATE TABLE b (id BIGINT);\nCREATE INDEX a ON b (id);", &[]),
            ("ALTER TABLE bets ADD COLUMN a BIGINT;", &[]),
            ("ALTER TABLE bets ADD COLUMN a BIGINT CHECK (a > 0);", &[1]),
            ("ALTER TABLE bets ADD COLUMN a BIGINT REFERENCES b (id);", &[1]),
            ("ALTER TABLE bets ADD CONSTRAINT c CHECK (a > 0) NOT VALID;", &[]),
            ("ALTER TABLE bets ALTER COLUMN a SET NOT NULL;", &[1]),
            ("ALTER TABLE bets ALTER COLUMN a TYPE TEXT;", &[1]),
        ] {
            let found: Vec<usize> = long_locks("a.sql", text).iter().map(|problem| problem.line).collect();
            assert_eq!(found, lines, "{text}");
        }
    }
}
