//! Thresholds for a run: limits in a TOML file, one per line, such as `feed_to_client_p99_ms = 250`. A name that ends
//! with `_min` is a minimum, any other a maximum. A threshold without a measurement fails, because it is probably a
//! mistake. Read by `args.rs`, evaluated at the end by `collect.rs`.

use super::results::{Distribution, Results, ThresholdResult};
use super::tally::{Count, Timing};
use figment::Figment;
use figment::providers::{Format, Toml};
use std::collections::BTreeMap;
use std::path::Path;

/// Limits by name.
pub type Thresholds = BTreeMap<String, f64>;

/// The statistics that may be limited.
const PARTS: [&str; 7] = ["mean", "p50", "p90", "p95", "p99", "p999", "max"];

/// Figures other than latencies and counts that may be limited.
const OTHERS: [&str; 14] = [
    "errors",
    "error_percent",
    "connections_max",
    "convergence_failures",
    "convergence_compared",
    "server_cores_mean",
    "server_us_per_frame",
    "server_rss_max_mb",
    "server_rss_slope_percent_per_10min",
    "server_files_left",
    "storm_last_back_ms",
    "generator_late_p99_ms",
    "hostile_actions",
    "hostile_slowdown_p99_percent",
];

/// Reads a file.
///
/// # Errors
/// All mistakes, as a text.
pub fn read(path: &Path) -> Result<Thresholds, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|wrong| format!("{}: {wrong}", path.display()))
}

fn parse(text: &str) -> Result<Thresholds, String> {
    let limits: Thresholds = Figment::from(Toml::string(text)).extract().map_err(|error| error.to_string())?;
    let unknown: Vec<&str> = limits.keys().filter(|name| !is_known(name)).map(String::as_str).collect();
    if unknown.is_empty() {
        return Ok(limits);
    }
    Err(format!(
        "no such limit: {}. There are NAME_PART_ms with NAME one of {} and PART one of {}; {}; and {}; each also with \
         _min at its end",
        unknown.join(", "),
        Timing::ALL.map(Timing::name).join(", "),
        PARTS.join(", "),
        Count::ALL.map(Count::name).join(", "),
        OTHERS.join(", ")
    ))
}

fn is_known(name: &str) -> bool {
    let name = name.strip_suffix("_min").unwrap_or(name);
    of_latency(name).is_some() || Count::ALL.iter().any(|count| count.name() == name) || OTHERS.contains(&name)
}

fn of_latency(name: &str) -> Option<(&str, &str)> {
    let (timing, part) = name.strip_suffix("_ms")?.rsplit_once('_')?;
    let is_known = Timing::ALL.iter().any(|known| known.name() == timing) && PARTS.contains(&part);
    is_known.then_some((timing, part))
}

/// Evaluates the limits.
pub fn judge(limits: &Thresholds, results: &Results) -> Vec<ThresholdResult> {
    let judged = |(name, limit): (&String, &f64)| {
        let (measured, is_least) = match name.strip_suffix("_min") {
            Some(measured) => (measured, true),
            None => (name.as_str(), false),
        };
        let value = value(measured, results);
        let passed = value.is_some_and(|value| if is_least { value >= *limit } else { value <= *limit });
        ThresholdResult { name: name.clone(), limit: *limit, value, passed }
    };
    limits.iter().map(judged).collect()
}

fn value(name: &str, results: &Results) -> Option<f64> {
    if let Some((timing, part)) = of_latency(name) {
        let latency = results.latency.get(timing).filter(|latency| latency.felt.count > 0)?;
        return Some(part_of(&latency.felt, part));
    }
    let errors = || results.errors.iter().map(|error| error.count).sum::<u64>() as f64;
    let server = results.server.as_ref();
    match name {
        "errors" => Some(errors()),
        "error_percent" => {
            let count = |count: Count| results.counts.get(count.name()).copied().unwrap_or_default() as f64;
            let all = count(Count::Calls) + count(Count::Commands) + errors();
            (all > 0.0).then(|| errors() / all * 100.0)
        }
        "connections_max" => Some(results.connections_max as f64),
        "convergence_failures" => Some(results.convergence.failures() as f64),
        "convergence_compared" => Some(results.convergence.compared as f64),
        "server_cores_mean" => server.map(|server| server.cores_mean),
        "server_us_per_frame" => server.map(|server| server.us_per_frame),
        "server_rss_max_mb" => server.map(|server| server.rss_max_bytes as f64 / 1e6),
        "server_rss_slope_percent_per_10min" => server.map(|server| server.rss_slope_percent_per_10min),
        "server_files_left" => server.map(|server| server.files_end as f64 - server.files_start as f64),
        "storm_last_back_ms" => {
            // A storm is not over until all sessions are back.
            let all_back = results.storms.iter().all(|storm| storm.back >= storm.cut);
            let last = results.storms.iter().map(|storm| storm.last_back_ms).reduce(f64::max);
            last.filter(|_| all_back)
        }
        "generator_late_p99_ms" => Some(results.generator.late_ms.p99),
        "hostile_actions" => {
            let hostile = results.hostile.as_ref()?;
            Some(hostile.kinds.values().map(|kind| kind.actions).sum::<u64>() as f64)
        }
        "hostile_slowdown_p99_percent" => {
            let slowdown = results.hostile.as_ref()?.slowdown.get(Timing::FeedToClient.name())?;
            Some(slowdown.p99_percent)
        }
        count => results.counts.get(count).map(|count| *count as f64),
    }
}

fn part_of(of: &Distribution, part: &str) -> f64 {
    match part {
        "mean" => of.mean,
        "p50" => of.p50,
        "p90" => of.p90,
        "p95" => of.p95,
        "p99" => of.p99,
        "p999" => of.p999,
        _ => of.max,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{ErrorKind, Latency};

    fn checked(text: &str, results: &Results) -> Vec<(String, Option<f64>, bool)> {
        let limits = parse(text).expect("limits");
        judge(&limits, results).into_iter().map(|it| (it.name, it.value, it.passed)).collect()
    }

    #[test]
    fn limit_is_a_maximum_unless_named_min() {
        let mut results = Results::default();
        let felt = Distribution { count: 5, p99: 240.0, ..Distribution::default() };
        results.latency.insert("bet".to_owned(), Latency { felt, ..Latency::default() });
        results.counts.insert("bets_taken".to_owned(), 7);
        results.errors.push(ErrorKind { kind: "connect: closed".to_owned(), count: 1 });
        assert_eq!(
            checked("bet_p99_ms = 250\nbets_taken_min = 8\nbets_taken = 8\nerrors = 0\noffer_p50_ms = 5", &results),
            [
                ("bet_p99_ms".to_owned(), Some(240.0), true),
                ("bets_taken".to_owned(), Some(7.0), true),
                ("bets_taken_min".to_owned(), Some(7.0), false),
                ("errors".to_owned(), Some(1.0), false),
                ("offer_p50_ms".to_owned(), None, false),
            ]
        );
    }

    #[test]
    fn unknown_limit_is_rejected() {
        for text in ["bet_p98_ms = 1", "wins = 3", "bet_p99_ms = \"fast\"", "[a]\nb = 1", "errors = "] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse("").is_ok_and(|limits| limits.is_empty()));
    }
}
