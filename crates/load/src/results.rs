//! The results of a load test as written to a file (docs/load.schema.json) and read by `kvota load diff` and the
//! report. Plain data; created by `collect.rs`.

use super::personas::Persona;
use super::process::Machine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name and version of the file format.
pub const SCHEMA: &str = "kvota-load/2";

/// A whole run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of kvota that made it.
    pub version: String,
    /// When it began, in ms since the epoch.
    pub started_ms: i64,
    /// How long it took, in s.
    pub duration_s: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is not `passed`, in words; the thresholds that were crossed are in `thresholds`.
    pub reasons: Vec<String>,
    /// The requested load.
    pub demand: Asked,
    /// The machine it ran on.
    pub machine: Machine,
    /// Whether the verdict is `passed`.
    pub passed: bool,
    /// Counts over the whole run, by name.
    pub counts: BTreeMap<String, u64>,
    /// The largest number of simultaneous connections.
    pub connections_max: u64,
    /// Errors by kind, the most frequent first.
    pub errors: Vec<ErrorKind>,
    /// Rejected bets by the code of the rejection, the most frequent first.
    pub refusals: Vec<ErrorKind>,
    /// Latencies over the whole run, by name.
    pub latency: BTreeMap<String, Latency>,
    /// The findings of the sampled sessions.
    pub convergence: Convergence,
    /// Each storm of reconnects.
    pub storms: Vec<StormResult>,
    /// The hostile clients, if any. No other figure includes them.
    pub hostile: Option<HostileResult>,
    /// The server's process, if it is on the same machine.
    pub server: Option<ServerResult>,
    /// The load tester itself.
    pub generator: Generator,
    /// The thresholds, and whether they held.
    pub thresholds: Vec<ThresholdResult>,
    /// The figures by stage and persona.
    pub parts: Vec<Part>,
    /// The data of each second.
    pub series: Vec<Point>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It ran to its end, and all thresholds held.
    Passed,
    /// It ran to its end, and a threshold was crossed.
    Failed,
    /// A threshold with `abort` was crossed.
    Aborted,
    /// A signal ended it early.
    Interrupted,
    /// A part of the load tester itself failed.
    Crashed,
    /// It still runs, or the load tester was killed: these are the results so far.
    #[default]
    Unfinished,
}

/// The figures of one persona in one stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The stage's name, by default its number from 1.
    pub stage: String,
    /// Whether the planned number of sessions stays the same in this stage.
    pub is_steady: bool,
    /// The persona.
    pub persona: Persona,
    /// Counts, by name.
    pub counts: BTreeMap<String, u64>,
    /// Errors by kind.
    pub errors: Vec<ErrorKind>,
    /// Rejected bets by the code of the rejection.
    pub refusals: Vec<ErrorKind>,
    /// Latencies, by name.
    pub latency: BTreeMap<String, PartLatency>,
}

/// A latency with all its values, so that several testers can be merged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PartLatency {
    /// The figures.
    #[serde(flatten)]
    pub latency: Latency,
    /// All values of the felt latency in microseconds: HdrHistogram V2, compressed, in base64.
    pub felt_values: String,
    /// All values of the uncorrected one.
    pub uncorrected_values: String,
}

/// The requested load, as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// The name of the run; empty without one.
    pub name: String,
    /// What the user says about it, by name.
    pub tags: BTreeMap<String, String>,
    /// The server.
    pub target: String,
    /// Sessions, stage by stage.
    pub stages: Vec<String>,
    /// Arrivals per second, stage by stage.
    pub arrivals: Vec<String>,
    /// Periods with additional sessions.
    pub spikes: Vec<String>,
    /// When all connections are cut.
    pub storms: Vec<String>,
    /// Weights of the personas.
    pub personas: BTreeMap<String, u32>,
    /// The seed of the random numbers.
    pub seed: u64,
    /// All sessions of the run.
    pub sessions: u64,
    /// The languages.
    pub langs: Vec<String>,
    /// A description of the hostile clients; empty if there are none.
    pub hostile: String,
    /// Which part of the sessions this tester runs, such as `1/2`; empty for all.
    pub part: String,
}

/// Errors of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorKind {
    /// The action and the failure.
    pub kind: String,
    /// The number of errors.
    pub count: u64,
}

/// A distribution, in ms.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Distribution {
    /// The number of values.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The 99.9th percentile.
    pub p999: f64,
    /// The largest.
    pub max: f64,
}

/// A latency, from the intended and from the actual moment.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Latency {
    /// From the moment at which it was planned to begin.
    #[serde(flatten)]
    pub felt: Distribution,
    /// From the moment at which it began.
    pub uncorrected: Distribution,
}

/// The findings of the sampled sessions: their copies of the offer compared with fresh GETs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Convergence {
    /// Sessions in the sample.
    pub sessions: u64,
    /// Fresh GETs that were compared.
    pub checks: u64,
    /// Rows and details compared at the same revision.
    pub compared: u64,
    /// Details among those: all markets of an open match.
    pub details_compared: u64,
    /// The number of those that differed.
    pub mismatches: u64,
    /// Changes that do not follow the held revision: something was lost.
    pub gaps: u64,
    /// Revisions of a GET that no frame reached in time.
    pub late: u64,
    /// Comparisons that were not possible, because the match was sent whole meanwhile or left.
    pub passed_over: u64,
    /// Examples of failures.
    pub examples: Vec<String>,
}

impl Convergence {
    /// Adds the findings of others; keeps the first ten examples.
    pub fn add(&mut self, other: &Convergence) {
        self.sessions += other.sessions;
        self.checks += other.checks;
        self.compared += other.compared;
        self.details_compared += other.details_compared;
        self.mismatches += other.mismatches;
        self.gaps += other.gaps;
        self.late += other.late;
        self.passed_over += other.passed_over;
        self.examples.extend(other.examples.iter().cloned());
        self.examples.truncate(10);
    }

    /// The number of failures.
    pub fn failures(&self) -> u64 {
        self.mismatches + self.gaps + self.late
    }
}

/// A storm of reconnects.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct StormResult {
    /// When the connections were cut, in s.
    pub at_s: f64,
    /// The number of cut connections.
    pub cut: u64,
    /// The number of sessions that have the offer again.
    pub back: u64,
    /// Time from the cut until half of them were back.
    pub half_back_ms: f64,
    /// Time from the cut until 99 % were back.
    pub p99_back_ms: f64,
    /// Time from the cut until the last one was back.
    pub last_back_ms: f64,
}

/// The hostile clients of a run, and their effect on the sessions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HostileResult {
    /// The number of clients.
    pub clients: u64,
    /// Average number of cores that they used.
    pub cores_mean: f64,
    /// Actions and answers by kind.
    pub kinds: BTreeMap<String, HostileKind>,
    /// Windows with and without them; empty if they stayed for the whole run.
    pub windows: Vec<WindowResult>,
    /// The slowdown of the sessions, by latency; only with windows.
    pub slowdown: BTreeMap<String, Slowdown>,
}

/// The hostile clients of one kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HostileKind {
    /// The number of clients.
    pub clients: u64,
    /// Actions carried out.
    pub actions: u64,
    /// Actions that were answered.
    pub answered: u64,
    /// Opened connections to the hub.
    pub connections: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Rejections: HTTP statuses 429 and 503, and connections closed with 1008.
    pub rejections: BTreeMap<String, u64>,
    /// Their other failures.
    pub errors: Vec<ErrorKind>,
    /// Time to the answer.
    pub latency: Latency,
}

/// A window of the run: the latencies of the normal sessions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WindowResult {
    /// When it began, in s.
    pub from_s: f64,
    /// When it ended, in s.
    pub until_s: f64,
    /// Whether hostile clients were active.
    pub with_hostile: bool,
    /// Latencies without the first quarter of the window, by name.
    pub latency: BTreeMap<String, Distribution>,
}

/// A comparison of windows with and without hostile clients.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Slowdown {
    /// Increase of the median in per cent; the median of all pairs of windows.
    pub p50_percent: f64,
    /// Increase of the 99th percentile in per cent; the median of all pairs of windows.
    pub p99_percent: f64,
    /// The 99th percentiles of each pair, without and with them, in ms.
    pub p99_pairs: Vec<[f64; 2]>,
}

/// The server's process.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ServerResult {
    /// Its process id; of the last one if it was replaced.
    pub pid: u32,
    /// How often its process ended during the run.
    pub ended: u64,
    /// Average number of cores used.
    pub cores_mean: f64,
    /// Cores used in the busiest second.
    pub cores_max: f64,
    /// Microseconds of its CPU time per frame that the load tester read.
    pub us_per_frame: f64,
    /// Memory at the beginning.
    pub rss_start_bytes: u64,
    /// The largest memory.
    pub rss_max_bytes: u64,
    /// Growth of its memory in the second half of the run, in per cent per ten minutes.
    pub rss_slope_percent_per_10min: f64,
    /// The largest number of open files.
    pub files_max: u64,
    /// Open files at the end, after all sessions have left.
    pub files_end: u64,
    /// Open files at the beginning.
    pub files_start: u64,
}

/// The load tester's own process.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Generator {
    /// Threads that ran sessions.
    pub threads: u64,
    /// Average number of cores used.
    pub cores_mean: f64,
    /// Delay of its own clock in ms: the error that it adds to every latency.
    pub late_ms: Distribution,
    /// The limit of open files.
    pub file_limit: u64,
    /// Seconds in which a thread was busy most of the time, in per cent of the run.
    pub busy_percent: f64,
    /// Warnings about the figures.
    pub warnings: Vec<String>,
}

/// The result of one threshold.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThresholdResult {
    /// Its name, with its stage and persona in braces.
    pub name: String,
    /// Whether it holds for every run in which it is not set.
    pub is_default: bool,
    /// The largest or smallest value allowed.
    pub limit: f64,
    /// The measured value; null if there is none.
    pub value: Option<f64>,
    /// Whether it held.
    pub passed: bool,
}

/// The data of one second.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since the beginning.
    pub t: u64,
    /// Connections open at the end of the second.
    pub connections: u64,
    /// Planned sessions.
    pub planned: u64,
    /// Frames read.
    pub frames: u64,
    /// Messages in them.
    pub messages: u64,
    /// Bytes of frames.
    pub bytes: u64,
    /// Commands acknowledged.
    pub commands: u64,
    /// HTTP calls answered.
    pub calls: u64,
    /// Bets accepted.
    pub bets: u64,
    /// Latencies by name: p50, p90, p99 and maximum, in ms.
    pub latency: BTreeMap<String, [f64; 4]>,
    /// Errors by kind.
    pub errors: BTreeMap<String, u64>,
    /// Cores the server used.
    pub server_cores: Option<f64>,
    /// The server's memory.
    pub server_rss_bytes: Option<u64>,
    /// Open files of the server.
    pub server_files: Option<u64>,
    /// Cores the load tester used.
    pub generator_cores: f64,
    /// 99th percentile of its clock's delay, in ms.
    pub generator_late_ms: f64,
}
