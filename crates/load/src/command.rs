//! Runs `kvota load`: shows the progress and writes the result files. Called by `src/command/mod.rs`, which turns the outcome
//! into an exit code.

use super::args::{LoadArgs, LoadCommand, Outputs};
use super::outputs::{self, Exporter};
use super::panel::{Panel, summary};
use super::results::{Results, Verdict};
use super::{LoadError, Progress, diff, merge, report, thresholds};
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

/// The outcome of the command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// A text for the standard output.
    pub summary: String,
    /// The verdict; of `diff`: failed if the newer run is worse.
    pub verdict: Verdict,
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

/// Runs a load test, or compares or joins some. `now_us` is the machine's clock in microseconds since the epoch; `show`
/// receives the progress.
///
/// # Errors
/// [`CommandError`].
pub fn run(
    args: &LoadArgs,
    now_us: fn() -> i64,
    show: impl io::Write,
    is_terminal: bool,
) -> Result<Ended, CommandError> {
    let read = |path: &PathBuf| diff::read(path).map_err(CommandError::Arguments);
    match &args.command {
        None => {}
        Some(LoadCommand::Diff { old, new, tolerance }) => {
            let found = diff::compare(&read(old)?, &read(new)?, *tolerance);
            let verdict = if found.worse.is_empty() { Verdict::Passed } else { Verdict::Failed };
            return Ok(Ended { summary: found.table, verdict });
        }
        Some(LoadCommand::Merge { parts, thresholds, outputs }) => {
            let parts = parts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            let limits = thresholds.as_deref().map(thresholds::read).transpose().map_err(CommandError::Arguments)?;
            let results = merge::merge(parts, limits).map_err(CommandError::Arguments)?;
            return ended(&results, outputs, None);
        }
    }
    let options = args.options(now_us).map_err(CommandError::Arguments)?;
    check_paths(&args.outputs)?;
    let exporter =
        args.otlp.as_deref().map(|url| Exporter::start(url, &args.name, &args.tag.iter().cloned().collect()));
    let mut exporter = exporter.transpose().map_err(CommandError::Arguments)?;
    let mut panel = Panel::new(show, is_terminal, args.target.clone().unwrap_or_default());
    let results = super::run(&options, &mut |progress| {
        panel.show(&progress);
        match (&progress, &mut exporter, &args.outputs.json) {
            (Progress::Second { point, .. }, Some(exporter), _) => exporter.send(point, now_us() / 1000),
            // A failure to write shows at the end; the run goes on.
            (Progress::SoFar(results), _, Some(path)) => drop(write(path, serde_json::to_string_pretty(results))),
            _ => {}
        }
    })?;
    ended(&results, &args.outputs, exporter.and_then(Exporter::end))
}

/// Writes the files and the summary.
fn ended(results: &Results, outputs: &Outputs, warning: Option<String>) -> Result<Ended, CommandError> {
    let mut summary = summary(results);
    if let Some(warning) = warning {
        summary.push_str(&format!("warning: {warning}\n"));
    }
    let mut written = |name: &str, path: &Option<PathBuf>, text: &dyn Fn() -> serde_json::Result<String>| {
        let Some(path) = path else { return Ok(()) };
        write(path, text())?;
        summary.push_str(&format!("{name}: {}\n", path.display()));
        Ok::<(), CommandError>(())
    };
    written("results", &outputs.json, &|| serde_json::to_string_pretty(results))?;
    written("report", &outputs.report, &|| report::page(results))?;
    written("csv", &outputs.csv, &|| Ok(outputs::csv(results)))?;
    written("junit", &outputs.junit, &|| Ok(outputs::junit(results)))?;
    Ok(Ended { summary, verdict: results.verdict })
}

/// Whether all files can be written: a mistake must not show after hours.
fn check_paths(outputs: &Outputs) -> Result<(), CommandError> {
    for path in [&outputs.json, &outputs.report, &outputs.csv, &outputs.junit].into_iter().flatten() {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|error| CommandError::Arguments(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

fn write(path: &Path, text: serde_json::Result<String>) -> Result<(), CommandError> {
    let written = text.map_err(io::Error::from).and_then(|text| std::fs::write(path, text));
    written.map_err(|source| CommandError::Write { path: path.to_owned(), source })
}
