//! Floor 6, the load tester: thousands of sessions in one process, through the public doors alone (docs/load.md). What a
//! newcomer would get wrong: nothing here waits for the server before it decides when the next thing is due. A plan is
//! made first, and every latency counts from the moment that the plan says.
//!
//! Must never import actors, http, read_model, store or feed: it is a client, and a client knows the wire and nothing
//! behind it.

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
pub mod link;
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
pub mod script;
pub mod session;
pub mod socket;
pub mod tally;
pub mod target;
pub mod thresholds;
pub mod view;
pub mod work;
pub mod worker;

use accounts::NoAccount;
use fault::Fault;
use hostile::Hostile;
use plan::{Demand, Plan, Storm};
use results::{Asked, Point, Results};
use std::io;
use std::time::Duration;
use tally::Tally;
use target::Target;
use thresholds::Thresholds;
use worker::Settings;

/// A run as it was asked for.
#[derive(Clone, Debug)]
pub struct Options {
    target: Target,
    demand: Demand,
    storms: Vec<Storm>,
    settings: Settings,
    hostile: Option<Hostile>,
    threads: u32,
    accounts_max: u32,
    pid: Option<u32>,
    thresholds: Thresholds,
    asked: Asked,
    file_limit: u64,
    warnings: Vec<String>,
    now_us: fn() -> i64,
}

/// Why there are no results.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Nobody answers.
    #[error("{target} cannot be reached")]
    Unreachable {
        /// The server.
        target: String,
        /// What went wrong.
        #[source]
        fault: Fault,
    },
    /// The bettors have no accounts.
    #[error(transparent)]
    Accounts(#[from] NoAccount),
    /// The process could not get what it needs of the system.
    #[error("the load tester cannot start its threads")]
    Runtime(#[source] io::Error),
    /// A worker ended with a panic.
    #[error("a thread of the load tester ended by itself")]
    Panic,
}

/// How far a run is.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Accounts are being opened, before the clock starts.
    Accounts {
        /// So many are.
        opened: u32,
        /// So many are wanted.
        wanted: u32,
    },
    /// A second is over.
    Second {
        /// What happened in it.
        point: &'a Point,
        /// What happened so far.
        so_far: &'a Tally,
        /// How long the run is.
        length: Duration,
    },
}

/// Runs a load test to its end.
///
/// # Errors
/// [`LoadError`], before there is anything to tell.
pub fn run(options: &Options, show: &mut dyn FnMut(Progress<'_>)) -> Result<Results, LoadError> {
    let plan = Plan::new(&options.demand);
    engine::run(options, &plan, show)
}
