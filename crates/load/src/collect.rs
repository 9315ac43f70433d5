//! Collects the workers' counts and the server's process data into one point per second, and builds the results of the
//! run. Called by `engine.rs`.

use super::Options;
use super::hostile::Hostile;
use super::hostile::tally::{HostileTally, KindTally, REJECTIONS};
use super::hostile::windows::{Window, Windows, slowdown_percent};
use super::measured::{Measured, distribution};
use super::plan::Plan;
use super::process;
use super::results::{
    Asked, Convergence, Distribution, ErrorKind, Generator, HostileKind, HostileResult, Latency, Point, Results,
    SCHEMA, Slowdown, StormResult, WindowResult,
};
use super::tally::{Count, Health, Tally, Timing};
use super::thresholds::{self, Thresholds};
use super::verdict;
use super::watched::Watched;
use super::work::FromWorker;
use super::worker::StormTally;
use std::collections::BTreeMap;
use std::time::Duration;

/// A thread above this load, as a share of one core, cannot absorb delays.
const BUSY: f64 = 0.85;
/// A clock that is this late distorts the latencies.
const LATE_MS: f64 = 50.0;
/// A thread that is busy in more of the seconds distorts them, too.
const BUSY_PERCENT_MAX: f64 = 20.0;

/// Why a run is over, or that it is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// It ran to its end.
    Planned,
    /// A signal ended it.
    Interrupted,
    /// This threshold ended it.
    Aborted(String),
    /// A thread of the load tester ended by itself.
    Crashed,
    /// It still runs.
    Unfinished,
}

/// The data collected so far.
#[derive(Debug)]
pub(super) struct Collector<'a> {
    options: &'a Options,
    started_ms: i64,
    planned: Vec<u64>,
    sessions: u64,
    server: Watched,
    /// The counts of seconds for which some worker has not reported, with the number of those that have.
    seconds: BTreeMap<u64, (u32, Tally, Health)>,
    whole: Tally,
    health: Health,
    measured: Measured,
    busiest_thread: Vec<f64>,
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
        Collector {
            options,
            started_ms,
            planned: planned(plan),
            sessions: plan.arrivals.len() as u64,
            server: Watched::new(options.pid, options.target.address),
            seconds: BTreeMap::new(),
            whole: Tally::default(),
            health: Health::default(),
            measured: Measured::new(plan.spans.clone()),
            busiest_thread: Vec::new(),
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
            FromWorker::Second { second, tallies, health } => {
                let tally = Tally::sum(tallies.iter());
                self.measured.add(second, &tallies);
                self.whole.add(&tally);
                self.health.add(&health);
                if let Some(window) = self.windows.measured_in(second) {
                    self.of_windows[window].add(&tally);
                }
                let of_second = self.seconds.entry(second).or_default();
                of_second.0 += 1;
                of_second.1.add(&tally);
                of_second.2.add(&health);
            }
            FromWorker::Done { rest, convergence, storms } => {
                self.measured.add(self.points.len().saturating_sub(1) as u64, &rest);
                self.whole.add(&Tally::sum(rest.iter()));
                self.convergence.add(&convergence);
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

    /// Reads the usage of the server's process.
    pub(super) fn look_at_the_server(&mut self) {
        self.server.look();
    }

    /// The next second for which all workers have reported.
    pub(super) fn next_point(&mut self) -> Option<Point> {
        let t = self.points.len() as u64;
        let (_, tally, health) = self
            .seconds
            .first_key_value()
            .filter(|(second, (workers, ..))| **second == t && *workers >= self.options.threads)
            .map(|(_, of)| of)?;
        let mut point = Point {
            t,
            connections: health.connections,
            planned: usize::try_from(t).ok().and_then(|t| self.planned.get(t).copied()).unwrap_or_default(),
            frames: tally.of(Count::Frames),
            messages: tally.of(Count::Messages),
            bytes: tally.of(Count::HubBytes),
            commands: tally.of(Count::Commands),
            calls: tally.of(Count::Calls),
            bets: tally.of(Count::BetsTaken),
            errors: tally.errors.clone(),
            generator_cores: round(health.busy.as_secs_f64()),
            generator_late_ms: health.late.quantile_ms(0.99),
            ..Point::default()
        };
        for timing in Timing::ALL {
            if let Some(pair) = tally.times(timing).filter(|pair| !pair.felt.is_empty()) {
                let at = |share| pair.felt.quantile_ms(share);
                point.latency.insert(timing.name().to_owned(), [at(0.5), at(0.9), at(0.99), pair.felt.max_ms()]);
            }
        }
        self.busiest_thread.push(health.busy.as_secs_f64() / f64::from(self.options.threads));
        if let Some(last) = self.server.last_second() {
            point.server_cores = Some(round(last.cores));
            point.server_rss_bytes = Some(last.rss_bytes);
            point.server_files = last.files;
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

    /// Whether the server's process has ended and no other has taken its place.
    pub(super) fn is_server_gone(&self) -> bool {
        self.server.is_gone()
    }

    /// The threshold that ends the run now.
    pub(super) fn aborts(&self) -> Option<String> {
        thresholds::aborts(&self.limits(), &self.measured, Duration::from_secs(self.points.len() as u64))
    }

    fn limits(&self) -> Thresholds {
        let compares = self.options.settings.sample_every > 0;
        thresholds::with_defaults(self.options.thresholds.clone(), compares, self.server.was_found())
    }

    /// The results of the run, or those so far.
    pub(super) fn results(&self, took: Duration, ending: &Ending) -> Results {
        let options = self.options;
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
            demand: Asked { sessions: self.sessions, ..options.asked.clone() },
            machine: process::machine(),
            connections_max: self.points.iter().map(|point| point.connections).max().unwrap_or_default(),
            convergence: self.convergence.clone(),
            storms: storms.collect(),
            hostile: options.hostile.as_ref().map(|hostile| self.hostile_result(hostile)),
            server: self.server.result(&self.points, self.whole.of(Count::Frames)),
            generator: self.generator(),
            series: self.points.clone(),
            ..Results::default()
        };
        verdict::fill(&mut results, &self.measured, &self.limits(), ending);
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

    fn generator(&self) -> Generator {
        let threads = self.options.threads;
        let seconds = self.points.len().max(1) as f64;
        let busy_seconds = self.busiest_thread.iter().filter(|busy| **busy > BUSY).count() as f64;
        let waited = self.health.waited.as_secs_f64() / seconds / f64::from(threads);
        let mut generator = Generator {
            threads: u64::from(threads),
            cores_mean: round(self.health.busy.as_secs_f64() / seconds),
            busy_percent: round(busy_seconds / seconds * 100.0),
            late_ms: distribution(&self.health.late),
            file_limit: self.options.file_limit,
            warnings: self.options.warnings.clone(),
        };
        generator.warnings.extend(advice(&generator, waited, self.server.machine_cores()));
        let without = self.whole.of(Count::BettorsWithoutAccount);
        if without > 0 {
            generator.warnings.push(format!(
                "{without} bettors had no account and placed no bets: there were {} accounts. Raise --accounts",
                self.options.accounts_max
            ));
        }
        if !self.server.was_found() && self.options.target.is_loopback() {
            let text = "the server's process was not found or may not be looked at; name it by --pid";
            generator.warnings.push(text.to_owned());
        }
        generator
    }
}

/// What to do when the load tester is too slow for its sessions.
fn advice(of: &Generator, waited: f64, cores: u64) -> Option<String> {
    if of.busy_percent <= BUSY_PERCENT_MAX && of.late_ms.p99 <= LATE_MS {
        return None;
    }
    let more = if waited > 0.1 {
        "Other programs use its cores: run it on a machine of its own, or with fewer sessions".to_owned()
    } else if of.threads < cores {
        format!("Use --threads {}", (of.threads * 2).min(cores))
    } else {
        "Split the run over several machines with --part and join their results with kvota load merge".to_owned()
    };
    Some(format!(
        "the load tester's own clock was {:.0} ms late (p99), its threads were busy in {:.0} % of the seconds and waited \
         for a core in {:.0} % of the time: the latencies are partly its own. {more}",
        of.late_ms.p99,
        of.busy_percent,
        waited * 100.0
    ))
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

/// Rounds to a thousandth.
pub(super) fn round(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
