//! A violation of a tidy rule, printed as `path:line: what`, so that an editor can jump to it.

use std::fmt;

/// One violation of one rule.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl Problem {
    pub(crate) fn new(path: &str, line: usize, what: impl Into<String>) -> Problem {
        Problem { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Fails the test and prints each violation on its own line.
#[track_caller]
pub(crate) fn assert_tidy(problems: &[Problem]) {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    assert!(lines.is_empty(), "breaches of the rule: {}\n{}\n", lines.len(), lines.join("\n"));
}
