//! Collects the workers' counts and the server's process data into one point per second, and builds the results of the
//! run. Called by `engine.rs`.

use super::Options;
use super::hostile::Hostile;
use super::hostile::tally::{HostileTally, KindTally, REJECTIONS};
use super::hostile::windows::{Window, Windows, slowdown_percent};
use super::plan::Plan;
use super::process::{self, Usage};
use super::results::{
    Asked, Convergence, Distribution, ErrorKind, Generator, HostileKind, HostileResult, Latency, Point, Results,
    SCHEMA, ServerResult, Slowdown, StormResult, WindowResult,
};
use super::tally::{Count, Tally, Times, Timing};
use super::thresholds;
use super::work::FromWorker;
use super::worker::StormTally;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;

/// A thread above this load, as a share of one core, cannot absorb delays.
const BUSY: f64 = 0.85;
/// A clock that is this late distorts the latencies.
const LATE_MS: f64 = 50.0;
/// No slope of the memory is reported for shorter runs.
const SLOPE_SECONDS_MIN: usize = 60;

/// The data collected so far.
#[derive(Debug)]
pub(super) struct Collector<'a> {
    options: &'a Options,
    started_ms: i64,
    planned: Vec<u64>,
    sessions: u64,
    pid: Option<u32>,
    pub(super) was_interrupted: bool,
    seconds: BTreeMap<u64, (u32, Tally)>,
    whole: Tally,
    busiest_thread: Vec<f64>,
    looks: Vec<(Instant, Usage)>,
    points: Vec<Point>,
    convergence: Convergence,
    storms: Vec<StormTally>,
    windows: Windows,
    /// The measurements of each window.
    of_windows: Vec<Tally>,
    hostile: HostileTally,
}

impl<'a> Collector<'a> {
    /// An empty collector.
    pub(super) fn new(options: &'a Options, plan: &Plan, started_ms: i64) -> Collector<'a> {
        let windows = options.hostile.as_ref().map(|hostile| hostile.windows(plan.length));
        let windows = windows.unwrap_or_else(|| Windows::new(plan.length, plan.length, None));
        let pid = options.pid.or_else(|| super::engine::local_server(&options.target));
        Collector {
            options,
            started_ms,
            planned: planned(plan),
            sessions: plan.arrivals.len() as u64,
            pid,
            was_interrupted: false,
            seconds: BTreeMap::new(),
            whole: Tally::default(),
            busiest_thread: Vec::new(),
            looks: Vec::new(),
            points: Vec::new(),
            convergence: Convergence::default(),
            storms: Vec::new(),
            of_windows: vec![Tally::default(); windows.list().len()],
            windows,
            hostile: HostileTally::default(),
        }
    }

    /// Adds the data of a worker.
    pub(super) fn take(&mut self, message: FromWorker) {
        match message {
            FromWorker::Second { second, tally } => {
                self.whole.add(&tally);
                if let Some(window) = self.windows.measured_in(second) {
                    self.of_windows[window].add(&tally);
                }
                let of_second = self.seconds.entry(second).or_default();
                of_second.0 += 1;
                of_second.1.add(&tally);
            }
            FromWorker::Done { rest, convergence, storms } => {
                self.whole.add(&rest);
                self.take_convergence(convergence);
                for (place, storm) in storms.into_iter().enumerate() {
                    match self.storms.get_mut(place) {
                        Some(mine) => {
                            mine.cut += storm.cut;
                            mine.back.add(&storm.back);
                        }
                        None => self.storms.push(storm),
                    }
                }
            }
        }
    }

    /// Adds the counts of the hostile clients.
    pub(super) fn take_hostile(&mut self, tally: HostileTally) {
        self.hostile = tally;
    }

    fn take_convergence(&mut self, of_worker: Convergence) {
        let mine = &mut self.convergence;
        mine.sessions += of_worker.sessions;
        mine.checks += of_worker.checks;
        mine.compared += of_worker.compared;
        mine.details_compared += of_worker.details_compared;
        mine.mismatches += of_worker.mismatches;
        mine.gaps += of_worker.gaps;
        mine.late += of_worker.late;
        mine.passed_over += of_worker.passed_over;
        mine.examples.extend(of_worker.examples);
        mine.examples.truncate(10);
    }

    /// Reads the usage of the server's process.
    pub(super) fn look_at_the_server(&mut self) {
        if let Some(usage) = self.pid.and_then(process::usage) {
            self.looks.push((Instant::now(), usage));
        }
    }

    /// The next second for which all workers have reported.
    pub(super) fn next_point(&mut self) -> Option<Point> {
        let t = self.points.len() as u64;
        let (_, tally) = self
            .seconds
            .first_key_value()
            .filter(|(second, (workers, _))| **second == t && *workers >= self.options.threads)
            .map(|(_, of)| of)?;
        let mut point = Point {
            t,
            connections: tally.connections,
            planned: usize::try_from(t).ok().and_then(|t| self.planned.get(t).copied()).unwrap_or_default(),
            frames: tally.of(Count::Frames),
            messages: tally.of(Count::Messages),
            bytes: tally.of(Count::HubBytes),
            commands: tally.of(Count::Commands),
            calls: tally.of(Count::Calls),
            bets: tally.of(Count::BetsTaken),
            errors: tally.errors.clone(),
            generator_cores: round(tally.busy.as_secs_f64()),
            generator_late_ms: tally.late.quantile_ms(0.99),
            ..Point::default()
        };
        for timing in Timing::ALL {
            if let Some(pair) = tally.times(timing).filter(|pair| !pair.felt.is_empty()) {
                let at = |share| pair.felt.quantile_ms(share);
                point.latency.insert(timing.name().to_owned(), [at(0.5), at(0.9), at(0.99), pair.felt.max_ms()]);
            }
        }
        self.busiest_thread.push(tally.busy.as_secs_f64() / f64::from(self.options.threads));
        if let [.., (before_at, before), (at, now)] = self.looks[..] {
            let seconds = at.duration_since(before_at).as_secs_f64();
            point.server_cores = Some(round(now.cpu.saturating_sub(before.cpu).as_secs_f64() / seconds));
            point.server_rss_bytes = Some(now.rss_bytes);
            point.server_files = now.files;
        }
        self.seconds.pop_first();
        Some(point)
    }

    /// Stores a point that was shown.
    pub(super) fn keep(&mut self, point: Point) {
        self.points.push(point);
    }

    /// All counts so far.
    pub(super) fn so_far(&self) -> &Tally {
        &self.whole
    }

    /// The results of the run.
    pub(super) fn results(self, took: Duration) -> Results {
        let options = self.options;
        let counts = Count::ALL.map(|count| (count.name().to_owned(), self.whole.of(count)));
        let by_count = |counts: &BTreeMap<String, u64>| {
            let mut kinds: Vec<ErrorKind> =
                counts.iter().map(|(kind, count)| ErrorKind { kind: kind.clone(), count: *count }).collect();
            kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count));
            kinds
        };
        let latency = |timing: Timing| {
            let pair = self.whole.times(timing)?;
            let latency = Latency { felt: distribution(&pair.felt), uncorrected: distribution(&pair.served) };
            Some((timing.name().to_owned(), latency))
        };
        let storms = options.storms.iter().zip(&self.storms).map(|(asked, storm)| StormResult {
            at_s: asked.at.as_secs_f64(),
            cut: storm.cut,
            back: storm.back.len(),
            half_back_ms: storm.back.quantile_ms(0.5),
            p99_back_ms: storm.back.quantile_ms(0.99),
            last_back_ms: storm.back.max_ms(),
        });
        let mut results = Results {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_ms: self.started_ms,
            duration_s: round(took.as_secs_f64()),
            was_interrupted: self.was_interrupted,
            demand: Asked { sessions: self.sessions, ..options.asked.clone() },
            machine: process::machine(),
            passed: true,
            counts: counts.into_iter().collect(),
            connections_max: self.points.iter().map(|point| point.connections).max().unwrap_or_default(),
            errors: by_count(&self.whole.errors),
            refusals: by_count(&self.whole.refusals),
            latency: Timing::ALL.into_iter().filter_map(latency).collect(),
            convergence: self.convergence.clone(),
            storms: storms.collect(),
            hostile: options.hostile.as_ref().map(|hostile| self.hostile_result(hostile)),
            server: self.server(),
            generator: self.generator(),
            thresholds: Vec::new(),
            series: self.points,
        };
        results.thresholds = thresholds::judge(&options.thresholds, &results);
        results.passed =
            results.thresholds.iter().all(|threshold| threshold.passed) && results.convergence.failures() == 0;
        results
    }

    fn hostile_result(&self, hostile: &Hostile) -> HostileResult {
        let windows: Vec<WindowResult> = self
            .windows
            .list()
            .iter()
            .zip(&self.of_windows)
            .map(|(window, tally)| window_result(window, tally))
            .collect();
        let clients = |kind| (0..hostile.clients).filter(|client| hostile.kind_of(*client) == kind).count() as u64;
        let kinds = self.hostile.kinds.iter();
        HostileResult {
            clients: u64::from(hostile.clients),
            cores_mean: round(self.hostile.busy.as_secs_f64() / self.points.len().max(1) as f64),
            kinds: kinds.map(|(kind, tally)| (kind.name().to_owned(), hostile_kind(tally, clients(*kind)))).collect(),
            slowdown: slowdown(&windows),
            windows,
        }
    }

    fn server(&self) -> Option<ServerResult> {
        let (first, last) = (self.looks.first()?, self.looks.last()?);
        let during: Vec<f64> = self.points.iter().filter_map(|point| point.server_cores).collect();
        let rss = || self.looks.iter().map(|(_, usage)| usage.rss_bytes);
        let used = last.1.cpu.saturating_sub(first.1.cpu).as_secs_f64();
        let frames = self.whole.of(Count::Frames).max(1) as f64;
        Some(ServerResult {
            pid: self.pid?,
            cores_mean: round(during.iter().sum::<f64>() / during.len().max(1) as f64),
            cores_max: during.iter().copied().fold(0.0, f64::max),
            us_per_frame: round(used * 1e6 / frames),
            rss_start_bytes: first.1.rss_bytes,
            rss_max_bytes: rss().max().unwrap_or_default(),
            rss_slope_percent_per_10min: slope(&self.points),
            files_max: self.looks.iter().filter_map(|(_, usage)| usage.files).max().unwrap_or_default(),
            files_start: first.1.files.unwrap_or_default(),
            files_end: last.1.files.unwrap_or_default(),
        })
    }

    fn generator(&self) -> Generator {
        let seconds = self.points.len().max(1) as f64;
        let busy_seconds = self.busiest_thread.iter().filter(|busy| **busy > BUSY).count() as f64;
        let late = distribution(&self.whole.late);
        let waited = self.whole.waited.as_secs_f64() / seconds / f64::from(self.options.threads);
        let mut warnings = self.options.warnings.clone();
        let is_busy = busy_seconds / seconds > 0.2;
        if is_busy {
            warnings.push(format!(
                "the load tester's own threads were busy in {busy_seconds:.0} of {seconds:.0} seconds: the figures are \
                 partly its own. Use more --threads, or fewer sessions"
            ));
        }
        if late.p99 > LATE_MS {
            warnings.push(format!(
                "the load tester's own clock was {:.0} ms late (p99), and every latency contains that: its threads \
                 waited for a core {:.0} % of the time. Give it a core of its own",
                late.p99,
                waited * 100.0
            ));
        }
        if self.pid.is_none() && self.options.target.is_loopback() {
            warnings.push("the server's process was not found or may not be looked at; name it by --pid".to_owned());
        }
        Generator {
            threads: u64::from(self.options.threads),
            cores_mean: round(self.whole.busy.as_secs_f64() / seconds),
            is_bottleneck: is_busy || late.p99 > LATE_MS,
            late_ms: late,
            file_limit: self.options.file_limit,
            warnings,
        }
    }
}

/// A 99th percentile needs at least this many values.
const VALUES_MIN: u64 = 100;

fn window_result(window: &Window, tally: &Tally) -> WindowResult {
    let latency = |timing: Timing| Some((timing.name().to_owned(), distribution(&tally.times(timing)?.felt)));
    WindowResult {
        from_s: window.from.as_secs_f64(),
        until_s: window.until.as_secs_f64(),
        with_hostile: window.is_hostile,
        latency: Timing::ALL.into_iter().filter_map(latency).collect(),
    }
}

fn hostile_kind(tally: &KindTally, clients: u64) -> HostileKind {
    let rejections = REJECTIONS.map(|code| (code.to_owned(), tally.rejections.get(code).copied().unwrap_or_default()));
    HostileKind {
        clients,
        actions: tally.actions,
        answered: tally.answered,
        connections: tally.connections,
        bytes: tally.bytes,
        rejections: rejections.into_iter().collect(),
        errors: tally.errors.iter().map(|(kind, count)| ErrorKind { kind: kind.clone(), count: *count }).collect(),
        latency: Latency { felt: distribution(&tally.times.felt), uncorrected: distribution(&tally.times.served) },
    }
}

/// Compares the windows of each pair, for every latency with enough values in all of them.
fn slowdown(windows: &[WindowResult]) -> BTreeMap<String, Slowdown> {
    let pairs: Vec<(&WindowResult, &WindowResult)> = windows
        .chunks_exact(2)
        .map(|pair| if pair[0].with_hostile { (&pair[1], &pair[0]) } else { (&pair[0], &pair[1]) })
        .collect();
    let compared = |timing: Timing| {
        let values = |part: fn(&Distribution) -> f64| -> Option<Vec<[f64; 2]>> {
            let of =
                |window: &WindowResult| window.latency.get(timing.name()).filter(|of| of.count >= VALUES_MIN).map(part);
            pairs.iter().map(|(quiet, hostile)| Some([of(quiet)?, of(hostile)?])).collect()
        };
        let (p50, p99) = (values(|of| of.p50)?, values(|of| of.p99)?);
        let slowdown = Slowdown {
            p50_percent: round(slowdown_percent(&p50)?),
            p99_percent: round(slowdown_percent(&p99)?),
            p99_pairs: p99,
        };
        Some((timing.name().to_owned(), slowdown))
    };
    Timing::ALL.into_iter().filter_map(compared).collect()
}

/// The planned number of sessions at the end of each second.
fn planned(plan: &Plan) -> Vec<u64> {
    let seconds = usize::try_from(plan.length.as_secs()).unwrap_or_default() + 1;
    let mut steps = vec![0_i64; seconds + 1];
    let place = |at: Duration| usize::try_from(at.as_secs()).unwrap_or(seconds).min(seconds);
    for arrival in &plan.arrivals {
        steps[place(arrival.at)] += 1;
        steps[place(arrival.until)] -= 1;
    }
    let mut now = 0;
    steps
        .iter()
        .map(|step| {
            now += step;
            u64::try_from(now).unwrap_or_default()
        })
        .collect()
}

fn distribution(times: &Times) -> Distribution {
    let at = |share| times.quantile_ms(share);
    Distribution {
        count: times.len(),
        mean: times.mean_ms(),
        p50: at(0.5),
        p90: at(0.9),
        p95: at(0.95),
        p99: at(0.99),
        p999: at(0.999),
        max: times.max_ms(),
    }
}

/// Growth of the memory in per cent per ten minutes: a linear fit to the second half of the run.
fn slope(points: &[Point]) -> f64 {
    let half: Vec<(f64, f64)> = points[points.len() / 2..]
        .iter()
        .filter_map(|point| Some((point.t as f64, point.server_rss_bytes? as f64)))
        .collect();
    if half.len() < SLOPE_SECONDS_MIN {
        return 0.0;
    }
    let count = half.len() as f64;
    let (mean_t, mean_rss) =
        (half.iter().map(|it| it.0).sum::<f64>() / count, half.iter().map(|it| it.1).sum::<f64>() / count);
    let above: f64 = half.iter().map(|(t, rss)| (t - mean_t) * (rss - mean_rss)).sum();
    let below: f64 = half.iter().map(|(t, _)| (t - mean_t).powi(2)).sum();
    round(above / below * 600.0 / mean_rss * 100.0)
}

/// Rounds to a thousandth.
fn round(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_slope_is_per_cent_per_ten_minutes() {
        let point = |t: u64, rss: f64| Point { t, server_rss_bytes: Some(rss as u64), ..Point::default() };
        // Grows by ten per cent of its mean in ten minutes, after a jump in the first half.
        let points: Vec<Point> = (0..240)
            .map(|t| point(t, if t < 100 { 5e8 } else { 1e9 * (1.0 + 0.1 * (t as f64 - 180.0) / 600.0) }))
            .collect();
        assert!((9.9..10.1).contains(&slope(&points)), "{}", slope(&points));
        assert_eq!(slope(&points[..20]), 0.0);
    }

    #[test]
    fn windows_are_compared_within_their_pairs() {
        let window = |with_hostile, p99: f64, count| {
            let felt = Distribution { count, p50: 2.0, p99, ..Distribution::default() };
            let latency = BTreeMap::from([("feed_to_client".to_owned(), felt)]);
            WindowResult { from_s: 0.0, until_s: 0.0, with_hostile, latency }
        };
        let windows =
            [window(false, 100.0, 500), window(true, 110.0, 500), window(true, 55.0, 500), window(false, 50.0, 500)];
        let compared = &slowdown(&windows)["feed_to_client"];
        assert_eq!(compared.p99_pairs, [[100.0, 110.0], [50.0, 55.0]]);
        assert_eq!((compared.p50_percent, compared.p99_percent), (0.0, 10.0));
        assert!(slowdown(&[window(false, 100.0, 500), window(true, 110.0, 3)]).is_empty(), "three values have no p99");
        assert!(slowdown(&[]).is_empty());
    }
}
