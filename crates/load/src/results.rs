//! What a load test has found out, as it is written into a file (docs/load.schema.json) and read again by
//! `kvota load diff` and by the report. Plain data; made by `collect.rs`.

use super::process::Machine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name and version of the form of the file.
pub const SCHEMA: &str = "kvota-load/1";

/// A whole run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of kvota that made it.
    pub version: String,
    /// When it began, ms since the epoch.
    pub started_ms: i64,
    /// How long it took.
    pub duration_s: f64,
    /// Whether it was ended before its time.
    pub was_interrupted: bool,
    /// What was asked for.
    pub demand: Asked,
    /// Where it ran.
    pub machine: Machine,
    /// Whether everything that must hold did.
    pub passed: bool,
    /// Counts over the whole run, by name.
    pub counts: BTreeMap<String, u64>,
    /// The most connections there were at once.
    pub connections_max: u64,
    /// Errors by kind, the most frequent first.
    pub errors: Vec<ErrorKind>,
    /// Latencies over the whole run, by name.
    pub latency: BTreeMap<String, Latency>,
    /// What the sampled sessions found.
    pub convergence: Convergence,
    /// Each storm of reconnects.
    pub storms: Vec<StormResult>,
    /// Hostile clients, where there were any. Nothing of theirs is in any other figure.
    #[serde(default)]
    pub hostile: Option<HostileResult>,
    /// The server, where it is on the same machine.
    pub server: Option<ServerResult>,
    /// The load tester itself.
    pub generator: Generator,
    /// What must hold, and whether it did.
    pub thresholds: Vec<ThresholdResult>,
    /// Second by second.
    pub series: Vec<Point>,
}

/// What was asked for, as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// The server.
    pub target: String,
    /// Sessions, stage after stage.
    pub stages: Vec<String>,
    /// Sessions a second, stage after stage.
    pub arrivals: Vec<String>,
    /// More sessions for a while.
    pub spikes: Vec<String>,
    /// When all connections are cut.
    pub storms: Vec<String>,
    /// Weights of the personas.
    pub personas: BTreeMap<String, u32>,
    /// Where the random numbers came from.
    pub seed: u64,
    /// Sessions that come in all.
    pub sessions: u64,
    /// The languages.
    pub langs: Vec<String>,
    /// Hostile clients, in words; empty without any.
    #[serde(default)]
    pub hostile: String,
}

/// Errors of a kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorKind {
    /// What was done, and what went wrong.
    pub kind: String,
    /// How often.
    pub count: u64,
}

/// A distribution, in ms.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Distribution {
    /// How many were counted.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// Nine of ten are below.
    pub p90: f64,
    /// 95 of 100.
    pub p95: f64,
    /// 99 of 100.
    pub p99: f64,
    /// 999 of 1,000.
    pub p999: f64,
    /// The largest.
    pub max: f64,
}

/// A latency, from the intended moment and from the actual one.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Latency {
    /// From the moment at which it was meant to begin.
    #[serde(flatten)]
    pub felt: Distribution,
    /// From the moment at which it did.
    pub uncorrected: Distribution,
}

/// What the sampled sessions found: their offer against a fresh GET.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Convergence {
    /// Sessions in the sample.
    pub sessions: u64,
    /// Fresh GETs that were compared.
    pub checks: u64,
    /// Rows and details that were compared at the very same revision.
    pub compared: u64,
    /// Of them, details: all markets of an open match.
    #[serde(default)]
    pub details_compared: u64,
    /// Of them, those that were not equal.
    pub mismatches: u64,
    /// Changes that followed another revision than the one held: something was lost.
    pub gaps: u64,
    /// Revisions of a GET that no frame led to in time.
    pub late: u64,
    /// Comparisons that could not be made, as the match was told whole in between, or left.
    pub passed_over: u64,
    /// Some of what was wrong.
    pub examples: Vec<String>,
}

impl Convergence {
    /// Whether anything was wrong.
    pub fn failures(&self) -> u64 {
        self.mismatches + self.gaps + self.late
    }
}

/// A storm of reconnects.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct StormResult {
    /// When the connections were cut.
    pub at_s: f64,
    /// How many.
    pub cut: u64,
    /// How many have the offer again.
    pub back: u64,
    /// From the cut until half of them were back.
    pub half_back_ms: f64,
    /// From the cut until 99 of 100 were back.
    pub p99_back_ms: f64,
    /// From the cut until the last was back.
    pub last_back_ms: f64,
}

/// The hostile clients of a run, and what they did to the others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HostileResult {
    /// How many there were.
    pub clients: u64,
    /// Cores that they used on average.
    pub cores_mean: f64,
    /// What each kind did and how it was answered.
    pub kinds: BTreeMap<String, HostileKind>,
    /// Windows with and without them; empty where they stayed for the whole run.
    pub windows: Vec<WindowResult>,
    /// How much slower the others were with them, by latency; only with windows.
    pub slowdown: BTreeMap<String, Slowdown>,
}

/// A kind of hostile clients.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HostileKind {
    /// How many there were.
    pub clients: u64,
    /// What they did.
    pub actions: u64,
    /// How much of it was answered.
    pub answered: u64,
    /// Connections to the hub that they got.
    pub connections: u64,
    /// Bytes that they read.
    pub bytes: u64,
    /// Rejections: statuses 429 and 503, connections closed with 1008.
    pub rejections: BTreeMap<String, u64>,
    /// What else went wrong for them.
    pub errors: Vec<ErrorKind>,
    /// How long answers took.
    pub latency: Latency,
}

/// A window of the run: the latencies of the sessions that are not hostile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WindowResult {
    /// When it began, s.
    pub from_s: f64,
    /// When it ended, s.
    pub until_s: f64,
    /// Whether the hostile clients were there.
    pub with_hostile: bool,
    /// Latencies without the first quarter of the window, by name.
    pub latency: BTreeMap<String, Distribution>,
}

/// A comparison of windows with and without hostile clients.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Slowdown {
    /// Per cent by which the median was higher with them; the median of all pairs of windows.
    pub p50_percent: f64,
    /// The same of the 99th percentile.
    pub p99_percent: f64,
    /// The 99th percentiles of each pair, without and with them, ms.
    pub p99_pairs: Vec<[f64; 2]>,
}

/// The server's process.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ServerResult {
    /// Its number.
    pub pid: u32,
    /// Cores it used on average.
    pub cores_mean: f64,
    /// Cores it used in the busiest second.
    pub cores_max: f64,
    /// Microseconds of its time for each frame read here.
    pub us_per_frame: f64,
    /// Memory at the beginning.
    pub rss_start_bytes: u64,
    /// The most memory.
    pub rss_max_bytes: u64,
    /// How much its memory grew in the second half of the run, per cent of the whole in ten minutes.
    pub rss_slope_percent_per_10min: f64,
    /// The most open files.
    pub files_max: u64,
    /// Open files at the end, when all sessions are gone.
    pub files_end: u64,
    /// Open files at the beginning.
    pub files_start: u64,
}

/// The load tester's own process.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Generator {
    /// Threads that carried sessions.
    pub threads: u64,
    /// Cores it used on average.
    pub cores_mean: f64,
    /// How late its own clock was, ms: what it added to every latency by itself.
    pub late_ms: Distribution,
    /// The limit of open files it ran under.
    pub file_limit: u64,
    /// Whether it was itself what limited.
    pub is_bottleneck: bool,
    /// What a reader of the figures must know.
    pub warnings: Vec<String>,
}

/// Something that must hold.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThresholdResult {
    /// As in the file.
    pub name: String,
    /// The most, or the least, that is allowed.
    pub limit: f64,
    /// What it was; null where nothing was measured.
    pub value: Option<f64>,
    /// Whether it held.
    pub passed: bool,
}

/// One second.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since the beginning.
    pub t: u64,
    /// Connections open at its end.
    pub connections: u64,
    /// Sessions there were meant to be.
    pub planned: u64,
    /// Frames read.
    pub frames: u64,
    /// Messages in them.
    pub messages: u64,
    /// Bytes of frames.
    pub bytes: u64,
    /// Commands acknowledged.
    pub commands: u64,
    /// Calls answered.
    pub calls: u64,
    /// Bets taken.
    pub bets: u64,
    /// Latencies by name: p50, p90, p99 and the largest, ms.
    pub latency: BTreeMap<String, [f64; 4]>,
    /// Errors by kind.
    pub errors: BTreeMap<String, u64>,
    /// Cores the server used.
    pub server_cores: Option<f64>,
    /// The server's memory.
    pub server_rss_bytes: Option<u64>,
    /// The server's open files.
    pub server_files: Option<u64>,
    /// Cores the load tester used.
    pub generator_cores: f64,
    /// How late its clock was, p99, ms.
    pub generator_late_ms: f64,
}
