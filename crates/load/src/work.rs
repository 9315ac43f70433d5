//! A worker: one thread with its own runtime, which runs a share of the sessions. It reports its counts every second
//! and waits for no other worker. Started and joined by `engine.rs`.

#![expect(
    clippy::disallowed_methods,
    reason = "what a worker starts ends with its runtime, which its thread waits for"
)]

use super::accounts::Account;
use super::catalogue::Catalogue;
use super::personas::Persona;
use super::plan::{Arrival, Storm};
use super::process;
use super::results::Convergence;
use super::session::Session;
use super::tally::{Health, Tally, Times};
use super::target::Target;
use super::worker::{ActiveStorm, Clock, SCRATCH_BYTES, Settings, StormTally, Worker};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{MissedTickBehavior, interval_at, sleep_until};

/// How often a worker measures the delay of its own clock.
const LATENESS_CHECK_EVERY: Duration = Duration::from_millis(10);
/// A second is reported this long before it ends, and the worker ends this long after the last one. The last sessions
/// leave in between.
const MARGIN: Duration = Duration::from_millis(5);

/// Counts by persona.
pub(super) type Tallies = [Tally; Persona::ALL.len()];

/// A report of a worker.
#[derive(Debug)]
pub(super) enum FromWorker {
    /// A second is over.
    Second {
        /// The number of the second, from 0.
        second: u64,
        /// The counts of the second, by persona.
        tallies: Box<Tallies>,
        /// The thread's own state.
        health: Health,
    },
    /// The worker has ended.
    Done {
        /// The counts since the last full second.
        rest: Box<Tallies>,
        /// The findings of its sampled sessions.
        convergence: Convergence,
        /// The storms as its sessions experienced them.
        storms: Vec<StormTally>,
    },
}

/// The data that every worker receives.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub(super) target: Target,
    pub(super) settings: Arc<Settings>,
    pub(super) clock: Clock,
    pub(super) catalogue: watch::Receiver<Arc<Catalogue>>,
    pub(super) accounts: Arc<Mutex<Vec<Account>>>,
    pub(super) stop: watch::Receiver<bool>,
    pub(super) storms: Vec<Storm>,
    pub(super) length: Duration,
}

/// Runs a worker's sessions to the end.
pub(super) fn work(share: Share, arrivals: Vec<Arrival>, hand_in: &mpsc::UnboundedSender<FromWorker>) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let mut stop = share.stop.clone();
    let (rage, raging) = watch::channel(ActiveStorm::default());
    let worker = Rc::new(Worker {
        target: share.target.clone(),
        settings: Arc::clone(&share.settings),
        clock: share.clock,
        tallies: Default::default(),
        health: RefCell::default(),
        catalogue: share.catalogue.clone(),
        accounts: Arc::clone(&share.accounts),
        scratch: RefCell::new(vec![0; SCRATCH_BYTES]),
        connections: Cell::new(0),
        convergence: RefCell::default(),
        storms: RefCell::default(),
        raging,
    });
    let end = share.clock.begin + share.length + MARGIN;
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        spawn_local(come(Rc::clone(&worker), arrivals));
        let handing_in = spawn_local(hand_in_seconds(Rc::clone(&worker), share.length.as_secs(), hand_in.clone()));
        spawn_local(listen_to_the_heart(Rc::clone(&worker)));
        spawn_local(storms(Rc::clone(&worker), share.storms.clone(), rage));
        tokio::select! {
            () = async {
                sleep_until(end).await;
                // The last second must be reported too, however late this thread is.
                let _ = handing_in.await;
            } => {}
            // An error means that the engine is gone, which also ends the work.
            _ = stop.wait_for(|stop| *stop) => {}
        }
    });
    // Closes the connections and ends the sessions, which then count what they leave.
    drop(local);
    drop(runtime);
    let rest = Box::new(worker.tallies.each_ref().map(RefCell::take));
    let done = FromWorker::Done { rest, convergence: worker.convergence.take(), storms: worker.storms.take() };
    // If the engine is gone, there is no one to report to.
    let _ = hand_in.send(done);
}

/// Starts each session at its planned moment.
async fn come(worker: Rc<Worker>, arrivals: Vec<Arrival>) {
    for arrival in arrivals {
        sleep_until(worker.clock.begin + arrival.at).await;
        spawn_local(Session::new(Rc::clone(&worker), arrival).live());
    }
}

async fn hand_in_seconds(worker: Rc<Worker>, seconds: u64, hand_in: mpsc::UnboundedSender<FromWorker>) {
    let mut before = process::thread_times().unwrap_or_default();
    for second in 0..seconds {
        sleep_until(worker.clock.begin + Duration::from_secs(second + 1) - MARGIN).await;
        let tallies = Box::new(worker.tallies.each_ref().map(RefCell::take));
        let mut health = worker.health.take();
        let now = process::thread_times().unwrap_or_default();
        (health.busy, health.waited) = (now.0.saturating_sub(before.0), now.1.saturating_sub(before.1));
        before = now;
        health.connections = worker.connections.get();
        if hand_in.send(FromWorker::Second { second, tallies, health }).is_err() {
            return;
        }
    }
}

async fn listen_to_the_heart(worker: Rc<Worker>) {
    let mut beats = interval_at(worker.clock.begin, LATENESS_CHECK_EVERY);
    beats.set_missed_tick_behavior(MissedTickBehavior::Burst);
    loop {
        let due = beats.tick().await;
        worker.health.borrow_mut().late.record(due.elapsed());
    }
}

async fn storms(worker: Rc<Worker>, storms: Vec<Storm>, rage: watch::Sender<ActiveStorm>) {
    for (place, storm) in storms.into_iter().enumerate() {
        sleep_until(worker.clock.begin + storm.at).await;
        worker.storms.borrow_mut().push(StormTally { cut: 0, back: Times::default() });
        rage.send_replace(ActiveStorm { number: place + 1, jitter: storm.jitter });
    }
    // Keeps the sender alive, because sessions listen to it.
    std::future::pending::<()>().await;
}
