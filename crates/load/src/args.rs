//! The arguments of `kvota load` and their validation: all mistakes are reported here, before a connection is opened.
//! Used by `src/command/mod.rs` and `command.rs`. The doc comments of [`LoadArgs`] are the `--help` texts.

use super::hostile::{CLIENTS_MAX, Hostile, Kind, RATE_DEFAULT};
use super::length;
use super::measured::Scope;
use super::personas::{Persona, ThinkTimes, Weights};
use super::plan::{Demand, Plan, Spike, Stage, Storm};
use super::results::Asked;
use super::target::Target;
use super::thresholds::{self, Thresholds};
use super::worker::Settings;
use super::{Options, accounts};
use clap::{Args, Subcommand};
use kvota_domain::lang::Lang;
use std::path::PathBuf;
use std::time::Duration;

/// Open files in addition to those of the sessions: the program's own, the engine's calls, closing sockets.
const SPARE_FILES: u64 = 128;
/// The shortest window: a quarter of it is not measured, and percentiles need some seconds.
const WINDOW_MIN: Duration = Duration::from_secs(4);
/// Sessions that one thread carries without delays of its own (docs/load.md).
const SESSIONS_PER_THREAD: usize = 10_000;
/// The most testers of one run.
const PARTS_MAX: u32 = 64;
/// The longest ramp at the beginning of a soak test.
const SOAK_RAMP_MAX: Duration = Duration::from_secs(60);

/// Simulates bettors' sessions and reports how the server handled them.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LoadArgs {
    /// Compares or joins runs.
    #[command(subcommand)]
    pub command: Option<LoadCommand>,
    /// Options from a file (docs/load.md); those on the command line replace them.
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// The thresholds of the scenario.
    #[arg(skip)]
    pub scenario_limits: Thresholds,
    /// A name for the run, in its results.
    #[arg(long, value_name = "NAME", default_value = "")]
    pub name: String,
    /// Something to remember about the run, in its results; several times for several.
    #[arg(long, value_name = "KEY=VALUE", value_parser = tag)]
    pub tag: Vec<(String, String)>,
    /// The server, http://HOST:PORT.
    #[arg(long, value_name = "URL", required_unless_present = "scenario")]
    pub target: Option<String>,
    /// Number of sessions over time, LENGTH:FROM..TO or LENGTH:NUMBER, one stage after the other, with NAME= before it
    /// where a threshold needs one [10s:0..100, 20s:100].
    #[arg(long, value_name = "STAGE")]
    pub stage: Vec<Stage>,
    /// Sessions that arrive per second, LENGTH:FROM..TO or LENGTH:NUMBER; each stays for a while.
    #[arg(long, value_name = "STAGE")]
    pub arrival: Vec<Stage>,
    /// How long a session that arrives by --arrival stays, on average.
    #[arg(long, value_name = "LENGTH", default_value = "60s", value_parser = length::length)]
    pub stay: Duration,
    /// A constant number of sessions for a long time, LENGTH:NUMBER, after a slow ramp; for watching the memory.
    #[arg(long, value_name = "STAGE")]
    pub soak: Option<Stage>,
    /// Additional sessions for a while, AT:NUMBER:LENGTH, such as 20s:4000:10s.
    #[arg(long, value_name = "SPIKE")]
    pub spike: Vec<Spike>,
    /// Cuts all connections, AT or AT:JITTER; they reconnect within a random time up to the jitter, by default 5s.
    #[arg(long, value_name = "STORM")]
    pub storm: Vec<Storm>,
    /// Personas of the sessions, by weight.
    #[arg(long, value_name = "WEIGHTS", default_value = "watcher=80,builder=15,bettor=5")]
    pub persona: Weights,
    /// Average think time between two actions: for all, or watcher=…,builder=…,bettor=….
    #[arg(long, value_name = "LENGTHS", default_value = "watcher=20s,builder=6s,bettor=10s")]
    pub think: ThinkTimes,
    /// Hostile clients in addition to the sessions, counted separately.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=i64::from(CLIENTS_MAX)))]
    pub hostile: Option<u32>,
    /// Their attacks, separated by commas: rewatch, resync, handshake, offer, ping, reality, bets, stalled.
    #[arg(
        long,
        value_name = "KINDS",
        default_value = "rewatch,resync,handshake,offer,ping,reality,bets",
        value_delimiter = ',',
        requires = "hostile"
    )]
    pub hostile_kind: Vec<Kind>,
    /// Actions per second of each hostile client; the hub closes a connection at more than 50 commands a second.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = RATE_DEFAULT,
        value_parser = clap::value_parser!(u32).range(1..=1000),
        requires = "hostile"
    )]
    pub hostile_rate: u32,
    /// When the hostile clients begin.
    #[arg(long, value_name = "LENGTH", default_value = "0s", value_parser = length::length, requires = "hostile")]
    pub hostile_from: Duration,
    /// Compares windows of this length with and without hostile clients, alternating.
    #[arg(long, value_name = "LENGTH", value_parser = length::length, requires = "hostile")]
    pub hostile_window: Option<Duration>,
    /// Allows hostile clients although the target is another machine. Make sure that you may attack it.
    #[arg(long, requires = "hostile")]
    pub hostile_remote: bool,
    /// The languages of the sessions, separated by commas.
    #[arg(long, value_name = "LANGS", default_value = "hr", value_delimiter = ',')]
    pub lang: Vec<String>,
    /// Seed of all random numbers: the same seed plays the same sessions.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Number of sessions that keep a copy of the offer and compare it with a fresh GET.
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub sample: u32,
    /// How often they compare.
    #[arg(long, value_name = "LENGTH", default_value = "10s", value_parser = length::length)]
    pub check_every: Duration,
    /// The stake of each bet.
    #[arg(long, value_name = "AMOUNT", default_value = "1.00")]
    pub stake: String,
    /// The most accounts that are opened; further bettors build tickets without placing them.
    #[arg(long, value_name = "NUMBER", default_value_t = 500)]
    pub accounts: u32,
    /// Opens new accounts even if those of an earlier run are known.
    #[arg(long)]
    pub new_accounts: bool,
    /// Runs one part of the sessions, such as 1/2; other testers run the others, and `kvota load merge` joins them.
    #[arg(long, value_name = "PART", default_value = "1/1", value_parser = part)]
    pub part: (u32, u32),
    /// When the sessions begin, in seconds since the epoch; the same for all testers of a run.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32))]
    pub start_at: Option<u32>,
    /// Threads that run the sessions.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub threads: u32,
    /// Time limit for an answer; a later one counts as missing.
    #[arg(long, value_name = "LENGTH", default_value = "15s", value_parser = length::length)]
    pub answer_limit: Duration,
    /// The server's process id, if the server is on this machine and is not found automatically.
    #[arg(long, value_name = "NUMBER")]
    pub pid: Option<u32>,
    /// Limits that must hold, a TOML file (docs/load.md).
    #[arg(long, value_name = "FILE")]
    pub thresholds: Option<PathBuf>,
    /// The files that are written.
    #[command(flatten)]
    pub outputs: Outputs,
    /// Sends each second to a collector by OTLP over HTTP, such as http://127.0.0.1:4318/v1/metrics.
    #[arg(long, value_name = "URL")]
    pub otlp: Option<String>,
}

/// The files that are written.
#[derive(Args, Clone, Debug)]
pub struct Outputs {
    /// Writes the results as JSON (docs/load.schema.json).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes the results as one HTML page.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Writes the seconds of the run as CSV.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Writes the verdict as JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

fn tag(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or("write KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// `2/3`: the number of the part from 0, and the number of parts.
fn part(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("{text:?} is no part: write 1/2 for the first of two");
    let (number, parts) = text.split_once('/').ok_or_else(wrong)?;
    let (number, parts) = (number.parse::<u32>().map_err(|_| wrong())?, parts.parse::<u32>().map_err(|_| wrong())?);
    if number == 0 || number > parts || parts > PARTS_MAX { Err(wrong()) } else { Ok((number - 1, parts)) }
}

/// The subcommands.
#[derive(Subcommand, Clone, Debug)]
pub enum LoadCommand {
    /// Compares two runs by their JSON files, the older one first; exits with 99 if the newer one is worse.
    Diff {
        /// The older run.
        old: PathBuf,
        /// The newer run.
        new: PathBuf,
        /// Per cent by which the newer run may be worse.
        #[arg(long, value_name = "PERCENT", default_value_t = 10.0)]
        tolerance: f64,
    },
    /// Joins the JSON files of testers that ran the parts of one plan (--part) at one time (--start-at).
    Merge {
        /// The files of all parts.
        #[arg(required = true, num_args = 1..)]
        parts: Vec<PathBuf>,
        /// Limits that must hold instead of those of the testers, a TOML file.
        #[arg(long, value_name = "FILE")]
        thresholds: Option<PathBuf>,
        /// The files that are written.
        #[command(flatten)]
        outputs: Outputs,
    },
}

impl LoadArgs {
    /// The options of a run. Also raises the system's limit of open files as far as the run needs.
    ///
    /// # Errors
    /// All mistakes, as a text for the user.
    pub fn options(&self, now_us: fn() -> i64) -> Result<Options, String> {
        let target = self.target.as_deref().ok_or("a load test needs a --target")?;
        let target = Target::parse(target).map_err(|wrong| wrong.to_string())?;
        if let Some(lang) = self.lang.iter().find(|lang| !Lang::ALL.iter().any(|known| known.code() == lang.as_str())) {
            return Err(format!("{lang:?} is no language of the offer: hr, en, bs or sr"));
        }
        if self.check_every < Duration::from_millis(100) {
            return Err("--check-every is at least 100ms".to_owned());
        }
        let mut thresholds = self.scenario_limits.clone();
        if let Some(file) = &self.thresholds {
            thresholds.extend(thresholds::read(file)?);
        }
        let demand = self.demand();
        let (number, parts) = self.part;
        let plan = Plan::new(&demand).part(number, parts);
        check_stages(&plan, &thresholds)?;
        if plan.arrivals.is_empty() {
            return Err("nobody comes: no --stage, --arrival, --soak or --spike asks for a session".to_owned());
        }
        let hostile = self.hostile(&target, plan.length)?;
        let host = target.host.clone();
        let (file_limit, mut warnings) = raise_file_limit(&plan, self.sample, self.hostile.unwrap_or_default());
        warnings.extend(self.too_many_sessions(&plan));
        warnings.extend(self.too_few_accounts(&plan));
        let sessions = plan.arrivals.len() as u64;
        let sample_every = u32::try_from(sessions / u64::from(self.sample.max(1))).unwrap_or(u32::MAX).max(1);
        Ok(Options {
            asked: Asked {
                hostile: hostile.as_ref().map(Hostile::describe).unwrap_or_default(),
                ..self.asked(&target, &demand)
            },
            hostile,
            target,
            storms: self.storm.clone(),
            settings: Settings {
                langs: self.lang.clone(),
                think: self.think,
                sample_every: if self.sample == 0 { 0 } else { sample_every },
                parts,
                // Even a short run compares.
                check_every: self.check_every.min(plan.length / 3),
                seed: self.seed,
                stake: self.stake.clone(),
                answer_limit: self.answer_limit,
                // The in-play delay can be up to a minute.
                bet_limit: self.answer_limit + Duration::from_secs(60),
            },
            demand,
            threads: self.threads,
            accounts_max: self.accounts,
            accounts_file: if self.new_accounts { None } else { accounts::usual_file(&host, number) },
            pid: self.pid,
            start_at_us: self.start_at.map(|seconds| i64::from(seconds) * 1_000_000),
            part: self.part,
            thresholds,
            file_limit,
            warnings,
            now_us,
        })
    }

    fn demand(&self) -> Demand {
        let mut stages = self.stage.clone();
        let stage = |length, from, to| Stage { name: None, length, from, to };
        if let Some(soak) = &self.soak {
            stages.push(stage(SOAK_RAMP_MAX.min(soak.length / 10), 0.0, soak.to));
            stages.push(soak.clone());
        }
        if stages.is_empty() && self.arrival.is_empty() && self.spike.is_empty() {
            stages.push(stage(Duration::from_secs(10), 0.0, 100.0));
            stages.push(stage(Duration::from_secs(20), 100.0, 100.0));
        }
        Demand {
            stages,
            arrivals: self.arrival.clone(),
            stay: self.stay,
            spikes: self.spike.clone(),
            weights: self.persona,
            seed: self.seed,
        }
    }

    fn asked(&self, target: &Target, demand: &Demand) -> Asked {
        let seconds = |length: Duration| format!("{}s", length.as_secs_f64());
        let stage = |stage: &Stage| {
            let name = stage.name.as_ref().map(|name| format!("{name}=")).unwrap_or_default();
            format!("{name}{}:{}..{}", seconds(stage.length), stage.from, stage.to)
        };
        let spike = |spike: &Spike| format!("{}:{}:{}", seconds(spike.at), spike.sessions, seconds(spike.stay));
        Asked {
            name: self.name.clone(),
            tags: self.tag.iter().cloned().collect(),
            target: target.to_string(),
            stages: demand.stages.iter().map(stage).collect(),
            arrivals: demand.arrivals.iter().map(stage).collect(),
            spikes: demand.spikes.iter().map(spike).collect(),
            storms: self.storm.iter().map(|it| format!("{}:{}", seconds(it.at), seconds(it.jitter))).collect(),
            personas: demand.weights.list().map(|(persona, weight)| (persona.name().to_owned(), weight)).collect(),
            seed: self.seed,
            sessions: 0,
            langs: self.lang.clone(),
            hostile: String::new(),
            part: if self.part.1 > 1 { format!("{}/{}", self.part.0 + 1, self.part.1) } else { String::new() },
        }
    }

    fn too_many_sessions(&self, plan: &Plan) -> Option<String> {
        let at_once = plan.most_at_once(|_| true);
        let per_thread = at_once / self.threads as usize;
        (per_thread > SESSIONS_PER_THREAD).then(|| {
            format!(
                "{per_thread} sessions a thread: one carries about {SESSIONS_PER_THREAD} (docs/load.md). Use --threads {}, \
                 or several machines with --part",
                at_once.div_ceil(SESSIONS_PER_THREAD)
            )
        })
    }

    fn too_few_accounts(&self, plan: &Plan) -> Option<String> {
        let bettors = plan.most_at_once(|arrival| arrival.persona == Persona::Bettor);
        (bettors > self.accounts as usize).then(|| {
            format!(
                "{bettors} bettors at once and {} accounts: the others place no bets. Raise --accounts",
                self.accounts
            )
        })
    }

    /// The hostile clients, if there are any.
    fn hostile(&self, target: &Target, length: Duration) -> Result<Option<Hostile>, String> {
        let Some(clients) = self.hostile else { return Ok(None) };
        if !target.is_this_machine() && !self.hostile_remote {
            return Err(format!(
                "{target} is not on this machine: hostile clients go to another one only with --hostile-remote"
            ));
        }
        let hostile = Hostile {
            clients,
            kinds: self.hostile_kind.clone(),
            rate: self.hostile_rate,
            from: self.hostile_from,
            window: self.hostile_window,
        };
        if hostile.from >= length {
            return Err("--hostile-from is after the end of the run".to_owned());
        }
        let Some(window) = hostile.window else { return Ok(Some(hostile)) };
        let is_whole = |length: Duration| length.subsec_nanos() == 0;
        if window < WINDOW_MIN || !is_whole(window) || !is_whole(hostile.from) {
            return Err("--hostile-window is at least 4s, and it and --hostile-from are whole seconds".to_owned());
        }
        if hostile.windows(length).list().is_empty() {
            return Err("no pair of windows fits between --hostile-from and the end of the run".to_owned());
        }
        Ok(Some(hostile))
    }
}

/// Names of stages are different, and thresholds name no others.
fn check_stages(plan: &Plan, limits: &Thresholds) -> Result<(), String> {
    let names: Vec<&str> = plan.spans.iter().map(|span| span.name.as_str()).collect();
    for (at, name) in names.iter().enumerate() {
        if *name == Scope::STEADY || names[..at].contains(name) {
            return Err(format!("a stage cannot be called {name:?}: the name is used already"));
        }
    }
    let stages = limits.iter().filter_map(|limit| limit.scope.stage.as_deref());
    match stages.filter(|stage| *stage != Scope::STEADY).find(|stage| !names.contains(stage)) {
        Some(stage) => Err(format!("a threshold is about the stage {stage:?}, and there are {}", names.join(", "))),
        None => Ok(()),
    }
}

/// Raises the limit of open files as far as the system allows; returns the limit and warnings about it.
fn raise_file_limit(plan: &Plan, sample: u32, hostile: u32) -> (u64, Vec<String>) {
    let at_once = plan.most_at_once(|_| true) as u64;
    // A session has its socket and at times a call; a bettor also has the connection of his account.
    let bettors = plan.most_at_once(|arrival| arrival.persona == Persona::Bettor) as u64;
    let needed = at_once + at_once / 10 + bettors + 2 * u64::from(sample + hostile) + SPARE_FILES;
    let limit = rlimit::increase_nofile_limit(needed).unwrap_or_default();
    let too_few = format!(
        "{at_once} sessions at once need about {needed} open files, and the system allows {limit}: those beyond will fail \
         with \"too many open files\". Raise the hard limit (ulimit -Hn, or LimitNOFILE of the service), or spread the \
         load over several processes"
    );
    (limit, if limit < needed { vec![too_few] } else { Vec::new() })
}
