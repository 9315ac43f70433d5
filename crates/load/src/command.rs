//! Runs `kvota load`: shows the progress and writes the result files. Called by `src/command/mod.rs`, which turns the outcome
//! into an exit code.

use super::args::{LoadArgs, LoadCommand};
use super::panel::{Panel, summary};
use super::{LoadError, diff, report};
use std::io;
use std::path::{Path, PathBuf};

/// The outcome of the command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// A text for the standard output.
    pub summary: String,
    /// Whether all thresholds held.
    pub passed: bool,
}

/// Why there are no results.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The arguments are invalid.
    #[error("{0}")]
    Arguments(String),
    /// The run failed.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Runs a load test, or compares two. `now_us` is the machine's clock in microseconds since the epoch; `show` receives
/// the progress.
///
/// # Errors
/// [`CommandError`].
pub fn run(
    args: &LoadArgs,
    now_us: fn() -> i64,
    show: impl io::Write,
    is_terminal: bool,
) -> Result<Ended, CommandError> {
    if let Some(LoadCommand::Diff { old, new, tolerance }) = &args.command {
        let read = |path| diff::read(path).map_err(CommandError::Arguments);
        let found = diff::compare(&read(old)?, &read(new)?, *tolerance);
        return Ok(Ended { summary: found.table, passed: found.worse.is_empty() });
    }
    let options = args.options(now_us).map_err(CommandError::Arguments)?;
    let mut panel = Panel::new(show, is_terminal, args.target.clone().unwrap_or_default());
    let results = super::run(&options, &mut |progress| panel.show(&progress))?;
    let mut summary = summary(&results);
    if let Some(path) = &args.json {
        write(path, serde_json::to_string_pretty(&results))?;
        summary.push_str(&format!("results: {}\n", path.display()));
    }
    if let Some(path) = &args.report {
        write(path, report::page(&results))?;
        summary.push_str(&format!("report: {}\n", path.display()));
    }
    Ok(Ended { summary, passed: results.passed })
}

fn write(path: &Path, text: serde_json::Result<String>) -> Result<(), CommandError> {
    let written = text.map_err(io::Error::from).and_then(|text| std::fs::write(path, text));
    written.map_err(|source| CommandError::Write { path: path.to_owned(), source })
}
