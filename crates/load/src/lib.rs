//! The load tester: thousands of sessions in one process, which use only the server's public interfaces (docs/load.md).
//! A plan is made first; no step waits for the server to decide when the next one is due. Every latency counts from the
//! planned moment.
//!
//! Must not import the server's crates: as a client it depends only on the wire formats and the domain.

pub mod accounts;
pub mod args;
pub mod bettor;
pub mod catalogue;
pub mod check;
pub mod collect;
pub mod command;
pub mod diff;
pub mod engine;
pub mod fault;
pub mod hostile;
pub mod http;
pub mod itinerary;
pub mod length;
pub mod link;
pub mod measured;
pub mod merge;
pub mod outputs;
pub mod panel;
pub mod personas;
pub mod plan;
pub mod process;
pub mod random;
pub mod replica;
pub mod report;
pub mod results;
pub mod sample;
pub mod scan;
pub mod scenario;
pub mod script;
pub mod session;
pub mod socket;
pub mod tally;
pub mod target;
pub mod thresholds;
pub mod verdict;
pub mod view;
mod watched;
pub mod work;
pub mod worker;

use accounts::NoAccount;
use fault::Fault;
use hostile::Hostile;
use plan::{Demand, Plan, Storm};
use results::{Asked, Point, Results};
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tally::Tally;
use target::Target;
use thresholds::Thresholds;
use worker::Settings;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    target: Target,
    demand: Demand,
    storms: Vec<Storm>,
    settings: Settings,
    hostile: Option<Hostile>,
    threads: u32,
    accounts_max: u32,
    accounts_file: Option<PathBuf>,
    pid: Option<u32>,
    start_at_us: Option<i64>,
    part: (u32, u32),
    thresholds: Thresholds,
    asked: Asked,
    file_limit: u64,
    warnings: Vec<String>,
    now_us: fn() -> i64,
}

/// Why there are no results.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The server does not answer.
    #[error("{target} cannot be reached")]
    Unreachable {
        /// The server.
        target: String,
        /// The cause.
        #[source]
        fault: Fault,
    },
    /// The bettors' accounts could not be opened.
    #[error(transparent)]
    Accounts(#[from] NoAccount),
    /// A system resource is missing.
    #[error("the load tester cannot start its threads")]
    Runtime(#[source] io::Error),
    /// The moment of `--start-at` is over.
    #[error("the start of the run is {seconds} s ago: the accounts took longer")]
    TooLate {
        /// How long ago.
        seconds: i64,
    },
}

/// The progress of a run.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Accounts are being opened, before the run starts.
    Accounts {
        /// Accounts of an earlier run.
        known: u32,
        /// Accounts there are so far, with those.
        opened: u32,
        /// Accounts requested.
        wanted: u32,
    },
    /// A second of the run is over.
    Second {
        /// The data of that second.
        point: &'a Point,
        /// The counts so far.
        so_far: &'a Tally,
        /// The length of the run.
        length: Duration,
        /// Whether the server's process has ended.
        is_server_gone: bool,
    },
    /// The results so far, now and then.
    SoFar(&'a Results),
}

/// Runs a load test to its end.
///
/// # Errors
/// [`LoadError`] if there are no results.
pub fn run(options: &Options, show: &mut dyn FnMut(Progress<'_>)) -> Result<Results, LoadError> {
    let (number, parts) = options.part;
    let plan = Plan::new(&options.demand).part(number, parts);
    engine::run(options, &plan, show)
}
