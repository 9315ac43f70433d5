//! `kvota load merge`: joins the results of several testers that ran the parts of one plan at one time. All values of the
//! latencies are in the files, so the percentiles are those of one run. Called by `command.rs`.

use super::collect::Ending;
use super::measured::Measured;
use super::plan::Span;
use super::results::{Generator, Point, Results, Verdict};
use super::thresholds::{self, Thresholds};
use super::verdict;
use std::collections::BTreeMap;
use std::time::Duration;

/// Testers that began further apart did not run at one time.
const APART_MS_MAX: u64 = 1000;

/// Joins the results of all parts; `limits` replaces the thresholds of the first one.
///
/// # Errors
/// They are not the parts of one run.
pub fn merge(mut all: Vec<Results>, limits: Option<Thresholds>) -> Result<Results, String> {
    all.sort_by(|one, other| one.demand.part.cmp(&other.demand.part));
    let (first, rest) = all.split_first().ok_or("there is nothing to merge")?;
    for other in rest {
        let mut asked = other.demand.clone();
        (asked.part, asked.sessions) = (first.demand.part.clone(), first.demand.sessions);
        if asked != first.demand {
            return Err("the files are of different runs: the testers were asked for different loads".to_owned());
        }
        if other.started_ms.abs_diff(first.started_ms) > APART_MS_MAX {
            return Err("the testers did not begin at one time: give all of them the same --start-at".to_owned());
        }
    }
    let parts: Vec<String> = (1..=all.len()).map(|number| format!("{number}/{}", all.len())).collect();
    if !all.iter().map(|results| &results.demand.part).eq(&parts) {
        return Err(format!("{} files are the parts {}; each is needed once", all.len(), parts.join(", ")));
    }
    let mut measured = Measured::new(spans(&all));
    for results in &all {
        measured.add_parts(&results.parts)?;
    }
    let limits = limits.unwrap_or_else(|| first.thresholds.iter().filter_map(thresholds::of_result).collect());
    let mut merged = Results {
        duration_s: all.iter().map(|it| it.duration_s).fold(0.0, f64::max),
        server: all.iter().find_map(|it| it.server),
        hostile: all.iter().find_map(|it| it.hostile.clone()),
        generator: generator(&all),
        series: series(&all),
        ..first.clone()
    };
    merged.demand.part = String::new();
    merged.demand.sessions = all.iter().map(|it| it.demand.sessions).sum();
    merged.connections_max = merged.series.iter().map(|point| point.connections).max().unwrap_or_default();
    for other in rest {
        merged.convergence.add(&other.convergence);
        for (mine, theirs) in merged.storms.iter_mut().zip(&other.storms) {
            mine.cut += theirs.cut;
            mine.back += theirs.back;
            mine.half_back_ms = mine.half_back_ms.max(theirs.half_back_ms);
            mine.p99_back_ms = mine.p99_back_ms.max(theirs.p99_back_ms);
            mine.last_back_ms = mine.last_back_ms.max(theirs.last_back_ms);
        }
    }
    let frames = |results: &Results| results.counts.get("frames").copied().unwrap_or_default().max(1) as f64;
    if let Some(server) = &mut merged.server {
        // Each tester divided the server's whole time by its own frames.
        let of_it = all.iter().find(|it| it.server.is_some()).map_or(1.0, frames);
        server.us_per_frame *= of_it / all.iter().map(frames).sum::<f64>();
    }
    verdict::fill(&mut merged, &measured, &limits, &ending(&all));
    Ok(merged)
}

/// The stages of all files, in their order.
fn spans(all: &[Results]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for part in all.iter().flat_map(|results| &results.parts) {
        if spans.iter().all(|span| span.name != part.stage) {
            spans.push(Span { name: part.stage.clone(), from: Duration::ZERO, is_steady: part.is_steady });
        }
    }
    spans
}

fn ending(all: &[Results]) -> Ending {
    let is_any = |verdict| all.iter().any(|results| results.verdict == verdict);
    if is_any(Verdict::Crashed) {
        Ending::Crashed
    } else if is_any(Verdict::Interrupted) {
        Ending::Interrupted
    } else if let Some(aborted) = all.iter().find(|results| results.verdict == Verdict::Aborted) {
        Ending::Aborted(aborted.reasons.join("; "))
    } else if is_any(Verdict::Unfinished) {
        Ending::Unfinished
    } else {
        Ending::Planned
    }
}

fn generator(all: &[Results]) -> Generator {
    let worst = all.iter().map(|it| &it.generator).max_by(|one, other| one.late_ms.p99.total_cmp(&other.late_ms.p99));
    Generator {
        threads: all.iter().map(|it| it.generator.threads).sum(),
        cores_mean: all.iter().map(|it| it.generator.cores_mean).sum(),
        busy_percent: all.iter().map(|it| it.generator.busy_percent).fold(0.0, f64::max),
        warnings: all.iter().flat_map(|it| it.generator.warnings.clone()).collect(),
        ..worst.cloned().unwrap_or_default()
    }
}

/// The seconds of all testers: sums, and the worst of their latencies.
fn series(all: &[Results]) -> Vec<Point> {
    let mut seconds: BTreeMap<u64, Point> = BTreeMap::new();
    for point in all.iter().flat_map(|results| &results.series) {
        let sum = seconds.entry(point.t).or_insert_with(|| Point { t: point.t, ..Point::default() });
        sum.connections += point.connections;
        sum.planned += point.planned;
        sum.frames += point.frames;
        sum.messages += point.messages;
        sum.bytes += point.bytes;
        sum.commands += point.commands;
        sum.calls += point.calls;
        sum.bets += point.bets;
        sum.generator_cores += point.generator_cores;
        sum.generator_late_ms = sum.generator_late_ms.max(point.generator_late_ms);
        sum.server_cores = sum.server_cores.or(point.server_cores);
        sum.server_rss_bytes = sum.server_rss_bytes.or(point.server_rss_bytes);
        sum.server_files = sum.server_files.or(point.server_files);
        for (name, values) in &point.latency {
            let worst = sum.latency.entry(name.clone()).or_insert([0.0; 4]);
            worst.iter_mut().zip(values).for_each(|(worst, value)| *worst = worst.max(*value));
        }
        for (kind, count) in &point.errors {
            *sum.errors.entry(kind.clone()).or_default() += count;
        }
    }
    seconds.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personas::Persona;
    use crate::tally::{Count, Timing};
    use crate::work::Tallies;

    fn part(name: &str, ms: u64) -> Results {
        let span = Span { name: "1".to_owned(), from: Duration::ZERO, is_steady: true };
        let mut measured = Measured::new(vec![span]);
        let mut tallies = Tallies::default();
        let bettor = &mut tallies[Persona::Bettor.place()];
        for _ in 0..50 {
            bettor.time(Timing::Bet, Duration::from_millis(ms), Duration::from_millis(ms));
            bettor.count(Count::BetsTaken, 1);
        }
        measured.add(0, &tallies);
        let mut results = Results { started_ms: 1_000_000, ..Results::default() };
        results.demand.part = name.to_owned();
        results.demand.sessions = 10;
        results.series = vec![Point { connections: 10, ..Point::default() }];
        let limits = thresholds::parse("bet_p99_ms = { limit = 300, persona = \"bettor\" }").expect("limits");
        verdict::fill(&mut results, &measured, &limits, &Ending::Planned);
        results
    }

    #[test]
    fn percentiles_are_those_of_all_testers() {
        let merged = merge(vec![part("2/2", 400), part("1/2", 20)], None).expect("one run");
        let bet = merged.latency["bet"].felt;
        assert_eq!((bet.count, bet.p50.round(), bet.p99.round()), (100, 20.0, 400.0));
        assert_eq!((merged.counts["bets_taken"], merged.demand.sessions, merged.connections_max), (100, 20, 20));
        assert_eq!(
            merged.verdict,
            Verdict::Failed,
            "the limit of the testers holds for all of them: {:?}",
            merged.thresholds
        );
        assert_eq!(merge(vec![part("1/1", 20)], None).map(|it| it.verdict), Ok(Verdict::Passed));
    }

    #[test]
    fn what_is_no_whole_run_is_rejected() {
        let error = |all| merge(all, None).expect_err("no run");
        assert!(error(vec![part("1/2", 20)]).contains("each is needed once"));
        assert!(error(vec![part("1/2", 20), part("1/2", 20)]).contains("each is needed once"));
        let mut late = part("2/2", 20);
        late.started_ms += 5_000;
        assert!(error(vec![part("1/2", 20), late]).contains("--start-at"));
        let mut other = part("2/2", 20);
        other.demand.seed = 9;
        assert!(error(vec![part("1/2", 20), other]).contains("different"));
        let mut interrupted = part("2/2", 20);
        interrupted.verdict = Verdict::Interrupted;
        let merged = merge(vec![part("1/2", 20), interrupted], None).expect("one run");
        assert_eq!((merged.verdict, merged.passed), (Verdict::Interrupted, false));
    }
}
