//! Thresholds: limits of a run from a TOML file, such as `feed_to_client_p99_ms = 250`. A name that ends with `_min` is a
//! minimum, any other a maximum. A threshold without a measurement fails, because it is probably a mistake. Some hold for
//! every run that does not set them. Read by `args.rs`; evaluated every second and at the end by `collect.rs`.

use super::length;
use super::measured::{Measured, Scope};
use super::personas::Persona;
use super::results::{Distribution, Results, ThresholdResult};
use super::tally::{Count, Tally, Timing};
use figment::Figment;
use figment::providers::{Format, Toml};
use figment::value::Dict;
use serde::Deserialize;
use std::path::Path;
use std::time::Duration;

/// A limit.
#[derive(Clone, PartialEq, Debug)]
pub struct Threshold {
    /// The figure, with `_min` if the limit is a minimum.
    pub name: String,
    /// The largest or smallest value allowed.
    pub limit: f64,
    /// What the figure is about.
    pub scope: Scope,
    /// Whether the run ends when it is crossed, and from when on.
    pub abort_after: Option<Duration>,
    /// Whether it holds for every run in which it is not set.
    pub is_default: bool,
}

/// The limits of a run.
pub type Thresholds = Vec<Threshold>;

/// The statistics that may be limited.
const PARTS: [&str; 7] = ["mean", "p50", "p90", "p95", "p99", "p999", "max"];

/// Figures of the sessions other than latencies and counts: they exist by stage and persona, too.
const OF_SESSIONS: [&str; 2] = ["errors", "error_percent"];

/// Figures of the whole run that may be limited.
const OF_RUN: [&str; 14] = [
    "connections_max",
    "convergence_failures",
    "convergence_compared",
    "server_cores_mean",
    "server_us_per_frame",
    "server_rss_max_mb",
    "server_rss_slope_percent_per_10min",
    "server_files_left",
    "server_ended",
    "storm_last_back_ms",
    "generator_late_p99_ms",
    "generator_busy_percent",
    "hostile_actions",
    "hostile_slowdown_p99_percent",
];

/// The limits of every run that does not set them. Without them a run would pass although its sessions fail, no data was
/// compared, the server ended, or the load tester was too slow.
const DEFAULTS: [(&str, f64); 6] = [
    ("error_percent", 1.0),
    ("convergence_failures", 0.0),
    ("convergence_compared_min", 1.0),
    ("server_ended", 0.0),
    ("generator_late_p99_ms", 50.0),
    ("generator_busy_percent", 20.0),
];

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Limit(f64),
    Detailed(Detailed),
    Several(Vec<Detailed>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Detailed {
    limit: f64,
    stage: Option<String>,
    persona: Option<Persona>,
    #[serde(default)]
    abort: bool,
    after: Option<String>,
}

/// Reads a file.
///
/// # Errors
/// All mistakes, as a text.
pub fn read(path: &Path) -> Result<Thresholds, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|wrong| format!("{}: {wrong}", path.display()))
}

/// Reads limits in TOML.
///
/// # Errors
/// All mistakes, as a text.
pub fn parse(text: &str) -> Result<Thresholds, String> {
    let values: Dict = Figment::from(Toml::string(text)).extract().map_err(|error| error.to_string())?;
    from_values(values)
}

/// Limits from values that were read already, such as a table of a scenario.
///
/// # Errors
/// All mistakes, as a text.
pub fn from_values(values: Dict) -> Result<Thresholds, String> {
    let unknown: Vec<&str> = values.keys().filter(|name| !is_known(name)).map(String::as_str).collect();
    if !unknown.is_empty() {
        return Err(format!(
            "no such limit: {}. There are NAME_PART_ms with NAME one of {} and PART one of {}; {}; and {}; each also \
             with _min at its end",
            unknown.join(", "),
            Timing::ALL.map(Timing::name).join(", "),
            PARTS.join(", "),
            Count::ALL.map(Count::name).join(", "),
            [&OF_SESSIONS[..], &OF_RUN].concat().join(", ")
        ));
    }
    let mut limits = Thresholds::new();
    for (name, value) in values {
        let entry: Entry = value.deserialize().map_err(|_| {
            format!("{name}: write a number, or {{ limit = …, stage = …, persona = …, abort = true, after = \"10s\" }}")
        })?;
        let several = match entry {
            Entry::Limit(limit) => vec![Detailed { limit, stage: None, persona: None, abort: false, after: None }],
            Entry::Detailed(one) => vec![one],
            Entry::Several(several) => several,
        };
        for one in several {
            limits.push(threshold(&name, one)?);
        }
    }
    Ok(limits)
}

fn threshold(name: &str, of: Detailed) -> Result<Threshold, String> {
    let is_narrow = of.stage.is_some() || of.persona.is_some() || of.abort;
    if is_narrow && OF_RUN.contains(&base(name)) {
        return Err(format!("{name} is a figure of the whole run: it has no stage and no persona, and cannot abort"));
    }
    if of.abort && name.ends_with("_min") {
        return Err(format!("{name} is a minimum, which may still be reached: it cannot abort"));
    }
    let after = of.after.as_deref().map(length::length).transpose().map_err(|wrong| format!("{name}: {wrong}"))?;
    if after.is_some() && !of.abort {
        return Err(format!("{name}: after is about abort = true"));
    }
    Ok(Threshold {
        name: name.to_owned(),
        limit: of.limit,
        scope: Scope { stage: of.stage, persona: of.persona },
        abort_after: of.abort.then(|| after.unwrap_or_default()),
        is_default: false,
    })
}

/// Adds the limits that hold for every run. `compares` says whether sessions compare their data, `has_server` whether
/// the server's process can be watched.
pub fn with_defaults(mut limits: Thresholds, compares: bool, has_server: bool) -> Thresholds {
    for (name, limit) in DEFAULTS {
        let is_measured = match name {
            "convergence_compared_min" => compares,
            "server_ended" => has_server,
            _ => true,
        };
        // `errors` also limits the errors, in another way.
        let is_set = limits.iter().any(|set| {
            set.scope == Scope::default()
                && (base(&set.name) == base(name) || (name == "error_percent" && set.name == "errors"))
        });
        if is_measured && !is_set {
            let (name, scope) = (name.to_owned(), Scope::default());
            limits.push(Threshold { name, limit, scope, abort_after: None, is_default: true });
        }
    }
    limits
}

/// The limit that a result was judged by.
pub fn of_result(result: &ThresholdResult) -> Option<Threshold> {
    let (name, scope) = result.name.split_once('{').unwrap_or((&result.name, "}"));
    let mut threshold = Threshold {
        name: name.to_owned(),
        limit: result.limit,
        scope: Scope::default(),
        abort_after: None,
        is_default: result.is_default,
    };
    for part in scope.strip_suffix('}')?.split(',').filter(|part| !part.is_empty()) {
        match part.split_once('=')? {
            ("stage", stage) => threshold.scope.stage = Some(stage.to_owned()),
            ("persona", persona) => {
                threshold.scope.persona = Persona::ALL.into_iter().find(|known| known.name() == persona);
            }
            _ => return None,
        }
    }
    Some(threshold)
}

fn base(name: &str) -> &str {
    name.strip_suffix("_min").unwrap_or(name)
}

fn is_known(name: &str) -> bool {
    let name = base(name);
    let is_count = || Count::ALL.iter().any(|count| count.name() == name);
    of_latency(name).is_some() || is_count() || OF_SESSIONS.contains(&name) || OF_RUN.contains(&name)
}

fn of_latency(name: &str) -> Option<(Timing, &str)> {
    let (timing, part) = name.strip_suffix("_ms")?.rsplit_once('_')?;
    let timing = Timing::ALL.into_iter().find(|known| known.name() == timing)?;
    PARTS.contains(&part).then_some((timing, part))
}

/// Evaluates the limits at the end of a run.
pub fn judge(limits: &Thresholds, measured: &Measured, results: &Results) -> Vec<ThresholdResult> {
    let judged = |of: &Threshold| {
        let name = base(&of.name);
        let value = of_sessions(name, &measured.sum(&of.scope)).or_else(|| of_run(name, results));
        let is_least = of.name.ends_with("_min");
        let passed = value.is_some_and(|value| if is_least { value >= of.limit } else { value <= of.limit });
        ThresholdResult { name: of.to_string(), is_default: of.is_default, limit: of.limit, value, passed }
    };
    limits.iter().map(judged).collect()
}

/// The first limit that is crossed and ends the run, after this time of it.
pub fn aborts(limits: &Thresholds, measured: &Measured, elapsed: Duration) -> Option<String> {
    let crossed = |of: &&Threshold| {
        let is_due = of.abort_after.is_some_and(|after| elapsed >= after);
        is_due && of_sessions(&of.name, &measured.sum(&of.scope)).is_some_and(|value| value > of.limit)
    };
    limits.iter().find(crossed).map(ToString::to_string)
}

impl std::fmt::Display for Threshold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stage = self.scope.stage.as_ref().map(|stage| format!("stage={stage}"));
        let persona = self.scope.persona.map(|persona| format!("persona={}", persona.name()));
        let scope: Vec<String> = stage.into_iter().chain(persona).collect();
        let scope = if scope.is_empty() { String::new() } else { format!("{{{}}}", scope.join(",")) };
        write!(f, "{}{scope}", self.name)
    }
}

/// A figure of these sessions.
fn of_sessions(name: &str, tally: &Tally) -> Option<f64> {
    if let Some((timing, part)) = of_latency(name) {
        let felt = super::measured::latency_of(tally, timing)?.felt;
        return (felt.count > 0).then(|| part_of(&felt, part));
    }
    let errors = tally.errors.values().sum::<u64>() as f64;
    match name {
        "errors" => Some(errors),
        "error_percent" => {
            let all = (tally.of(Count::Calls) + tally.of(Count::Commands)) as f64 + errors;
            Some(if all > 0.0 { errors / all * 100.0 } else { 0.0 })
        }
        _ => Count::ALL.into_iter().find(|count| count.name() == name).map(|count| tally.of(count) as f64),
    }
}

/// A figure of the whole run.
fn of_run(name: &str, results: &Results) -> Option<f64> {
    let server = results.server.as_ref();
    match name {
        "connections_max" => Some(results.connections_max as f64),
        "convergence_failures" => Some(results.convergence.failures() as f64),
        "convergence_compared" => Some(results.convergence.compared as f64),
        "server_cores_mean" => server.map(|server| server.cores_mean),
        "server_us_per_frame" => server.map(|server| server.us_per_frame),
        "server_rss_max_mb" => server.map(|server| server.rss_max_bytes as f64 / 1e6),
        "server_rss_slope_percent_per_10min" => server.map(|server| server.rss_slope_percent_per_10min),
        "server_files_left" => server.map(|server| server.files_end as f64 - server.files_start as f64),
        "server_ended" => server.map(|server| server.ended as f64),
        "storm_last_back_ms" => {
            // A storm is not over until all sessions are back.
            let all_back = results.storms.iter().all(|storm| storm.back >= storm.cut);
            let last = results.storms.iter().map(|storm| storm.last_back_ms).reduce(f64::max);
            last.filter(|_| all_back)
        }
        "generator_late_p99_ms" => Some(results.generator.late_ms.p99),
        "generator_busy_percent" => Some(results.generator.busy_percent),
        "hostile_actions" => {
            let hostile = results.hostile.as_ref()?;
            Some(hostile.kinds.values().map(|kind| kind.actions).sum::<u64>() as f64)
        }
        "hostile_slowdown_p99_percent" => {
            let slowdown = results.hostile.as_ref()?.slowdown.get(Timing::FeedToClient.name())?;
            Some(slowdown.p99_percent)
        }
        _ => None,
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
    use crate::plan::Span;
    use crate::work::Tallies;

    fn measured() -> Measured {
        let span =
            |name: &str, from, is_steady| Span { name: name.to_owned(), from: Duration::from_secs(from), is_steady };
        let mut measured = Measured::new(vec![span("ramp", 0, false), span("hold", 10, true)]);
        for (second, ms) in [(5, 240), (15, 40)] {
            let mut tallies = Tallies::default();
            let bettor = &mut tallies[Persona::Bettor.place()];
            bettor.time(Timing::Bet, Duration::from_millis(ms), Duration::from_millis(ms));
            bettor.count(Count::BetsTaken, 7);
            bettor.count(Count::Calls, 99);
            bettor.error("connect: closed".to_owned());
            measured.add(second, &tallies);
        }
        measured
    }

    fn checked(text: &str) -> Vec<(String, Option<f64>, bool)> {
        let limits = parse(text).expect("limits");
        let judged = judge(&limits, &measured(), &Results::default());
        let read: Vec<Option<Threshold>> = judged.iter().map(of_result).collect();
        assert_eq!(read, limits.into_iter().map(Some).collect::<Vec<_>>());
        judged.into_iter().map(|it| (it.name, it.value.map(f64::round), it.passed)).collect()
    }

    #[test]
    fn limit_is_a_maximum_unless_named_min() {
        assert_eq!(
            checked("bet_p99_ms = 250\nbets_taken_min = 15\nbets_taken = 15\nerrors = 0\noffer_p50_ms = 5"),
            [
                ("bet_p99_ms".to_owned(), Some(240.0), true),
                ("bets_taken".to_owned(), Some(14.0), true),
                ("bets_taken_min".to_owned(), Some(14.0), false),
                ("errors".to_owned(), Some(2.0), false),
                ("offer_p50_ms".to_owned(), None, false),
            ]
        );
    }

    #[test]
    fn limit_may_be_of_a_stage_and_a_persona() {
        let limits = "bet_max_ms = [{ limit = 50, stage = \"steady\" }, { limit = 50, stage = \"ramp\" }]\n\
                      errors = { limit = 0, persona = \"watcher\" }\nerror_percent = { limit = 1.0, stage = \"hold\" }";
        assert_eq!(
            checked(limits),
            [
                ("bet_max_ms{stage=steady}".to_owned(), Some(40.0), true),
                ("bet_max_ms{stage=ramp}".to_owned(), Some(240.0), false),
                ("error_percent{stage=hold}".to_owned(), Some(1.0), true),
                ("errors{persona=watcher}".to_owned(), Some(0.0), true),
            ]
        );
    }

    #[test]
    fn crossed_limit_ends_the_run_only_after_its_time() {
        let limits = parse("bet_p99_ms = { limit = 100, abort = true, after = \"10s\" }\nerrors = 0").expect("limits");
        assert_eq!(aborts(&limits, &measured(), Duration::from_secs(9)), None);
        assert_eq!(aborts(&limits, &measured(), Duration::from_secs(10)), Some("bet_p99_ms".to_owned()));
        let limits = parse("bet_p99_ms = { limit = 100, abort = true, stage = \"hold\" }").expect("limits");
        assert_eq!(aborts(&limits, &measured(), Duration::from_secs(10)), None);
    }

    #[test]
    fn run_without_limits_has_the_usual_ones() {
        let names = |text: &str, compares, has_server| -> Vec<String> {
            let limits = with_defaults(parse(text).expect("limits"), compares, has_server);
            limits.into_iter().filter(|limit| limit.is_default).map(|limit| limit.name).collect()
        };
        assert_eq!(names("", true, true).len(), DEFAULTS.len());
        let rest = ["convergence_failures", "generator_late_p99_ms", "generator_busy_percent"];
        assert_eq!(names("errors = 5", false, false), rest);
        let narrow = "error_percent = { limit = 5, stage = \"1\" }";
        assert_eq!(names(narrow, false, false), [&["error_percent"], &rest[..]].concat(), "one stage is not the run");
    }

    #[test]
    fn invalid_limit_is_rejected() {
        for text in [
            "bet_p98_ms = 1",
            "wins = 3",
            "bet_p99_ms = \"fast\"",
            "[a]\nb = 1",
            "errors = ",
            "errors = { limit = 1, colour = 2 }",
            "errors = { limit = 1, persona = \"gambler\" }",
            "errors = { limit = 1, after = \"10s\" }",
            "errors = { limit = 1, abort = true, after = \"soon\" }",
            "bets_taken_min = { limit = 1, abort = true }",
            "server_ended = { limit = 1, stage = \"1\" }",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse("").is_ok_and(|limits| limits.is_empty()));
    }
}
