//! `kvota load diff`: compares two runs figure by figure and decides whether the newer one is worse. Called by
//! `command.rs`; reads two `--json` files and must print nothing itself.

use super::results::{Results, SCHEMA};
use super::tally::Timing;
use std::fmt::Write as _;
use std::path::Path;

/// Smaller changes are ignored, whatever their per cent; in ms, errors, or per cent of a core.
const NOTHING: f64 = 1.0;

/// The comparison of two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// A table for people.
    pub table: String,
    /// The figures that got worse by more than the tolerance.
    pub worse: Vec<String>,
}

/// Reads a result file.
///
/// # Errors
/// The reason why the file is invalid.
pub fn read(path: &Path) -> Result<Results, String> {
    let text = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let results: Results = serde_json::from_slice(&text)
        .map_err(|error| format!("{} holds no results of a load test: {error}", path.display()))?;
    if results.schema == SCHEMA {
        Ok(results)
    } else {
        Err(format!("{} is of the form {:?}, and this program reads {SCHEMA}", path.display(), results.schema))
    }
}

/// One figure of both runs.
struct Figure {
    name: String,
    old: Option<f64>,
    new: Option<f64>,
    /// Whether a higher value is worse; `None` if neither is.
    more_is_worse: Option<bool>,
}

/// Compares two runs; `tolerance` is in per cent.
pub fn compare(old: &Results, new: &Results, tolerance: f64) -> Difference {
    let mut table = format!("{:<34} {:>12} {:>12} {:>9}\n", "", "old", "new", "change");
    let mut worse = Vec::new();
    for figure in figures(old, new) {
        let Figure { name, old, new, more_is_worse } = figure;
        let show = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
        let percent = match (old, new) {
            (Some(old), Some(new)) if old.abs() > f64::EPSILON => Some((new - old) / old * 100.0),
            _ => None,
        };
        let is_worse = match (old, new, more_is_worse) {
            (Some(old), Some(new), Some(more_is_worse)) => {
                let by = if more_is_worse { new - old } else { old - new };
                by > NOTHING && by > old.abs() * tolerance / 100.0
            }
            _ => false,
        };
        let change = percent.map_or_else(String::new, |percent| format!("{percent:+.1} %"));
        let mark = if is_worse { "  worse" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{name:<34} {:>12} {:>12} {change:>9}{mark}", show(old), show(new));
        if is_worse {
            worse.push(name);
        }
    }
    if old.demand != new.demand {
        table.push_str("The two runs were not asked for the same: their figures may differ for that alone.\n");
    }
    if old.machine != new.machine {
        table.push_str("The two runs were made on different machines.\n");
    }
    Difference { table, worse }
}

fn figures(old: &Results, new: &Results) -> Vec<Figure> {
    let mut figures = Vec::new();
    for timing in Timing::ALL {
        for (part, of) in [("p50", 0), ("p99", 1), ("max", 2)] {
            let value = |results: &Results| {
                let felt = results.latency.get(timing.name())?.felt;
                Some([felt.p50, felt.p99, felt.max][of])
            };
            // The maximum is a single value: it is shown, but does not count as worse.
            let more_is_worse = (part != "max").then_some(true);
            figures.push((format!("{} {part}, ms", timing.name()), value(old), value(new), more_is_worse));
        }
    }
    let each = |name: &str, value: &dyn Fn(&Results) -> Option<f64>, more_is_worse| {
        (name.to_owned(), value(old), value(new), more_is_worse)
    };
    let per_second = |name: &'static str| {
        move |results: &Results| Some(*results.counts.get(name)? as f64 / results.duration_s.max(0.001))
    };
    figures.extend([
        each("frames a second", &per_second("frames"), None),
        each("messages a second", &per_second("messages"), None),
        each("bets taken a second", &per_second("bets_taken"), Some(false)),
        each("errors", &|it| Some(it.errors.iter().map(|error| error.count).sum::<u64>() as f64), Some(true)),
        each("convergence failures", &|it| Some(it.convergence.failures() as f64), Some(true)),
        each("server, % of a core", &|it| Some(it.server?.cores_mean * 100.0), Some(true)),
        each("server, us a frame", &|it| Some(it.server?.us_per_frame), Some(true)),
        each("server, MB at most", &|it| Some(it.server?.rss_max_bytes as f64 / 1e6), Some(true)),
        each("load tester late p99, ms", &|it| Some(it.generator.late_ms.p99), None),
    ]);
    let named = |(name, old, new, more_is_worse)| Figure { name, old, new, more_is_worse };
    figures.into_iter().map(named).filter(|figure| figure.old.is_some() || figure.new.is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Distribution, Latency};

    fn run(p99: f64, bets: u64) -> Results {
        let felt = Distribution { count: 10, p50: 2.0, p99, max: 500.0, ..Distribution::default() };
        let mut results = Results { duration_s: 10.0, ..Results::default() };
        results.latency.insert("bet".to_owned(), Latency { felt, ..Latency::default() });
        results.counts.insert("bets_taken".to_owned(), bets);
        results
    }

    #[test]
    fn figures_worse_than_the_tolerance_are_listed() {
        let worse = |new: Results, tolerance| compare(&run(100.0, 1000), &new, tolerance).worse;
        assert_eq!(worse(run(100.0, 1000), 10.0), [""; 0]);
        assert_eq!(worse(run(109.0, 1000), 10.0), [""; 0]);
        assert_eq!(worse(run(120.0, 1000), 10.0), ["bet p99, ms"]);
        assert_eq!(worse(run(100.0, 500), 10.0), ["bets taken a second"]);
        assert_eq!(worse(run(50.0, 2000), 10.0), [""; 0]);
        assert_eq!(worse(run(120.0, 1000), 50.0), [""; 0]);
    }

    #[test]
    fn the_table_shows_both_and_the_change() {
        let table = compare(&run(100.0, 1000), &run(150.0, 1000), 10.0).table;
        let line = table.lines().find(|line| line.starts_with("bet p99")).expect("a line");
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>(),
            ["bet", "p99,", "ms", "100.0", "150.0", "+50.0", "%", "worse"]
        );
    }
}
