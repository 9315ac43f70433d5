//! Data shared by the sessions of one thread: counts, read buffer, clocks, settings. Only the accounts and the reports
//! cross threads.

use super::accounts::Account;
use super::catalogue::Catalogue;
use super::personas::{Persona, ThinkTimes};
use super::results::Convergence;
use super::tally::{Health, Tally, Times};
use super::target::Target;
use std::cell::{Cell, RefCell, RefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Read buffer, shared by all connections of a thread.
pub const SCRATCH_BYTES: usize = 64 << 10;

/// The settings of the sessions.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The languages, assigned in turn.
    pub langs: Vec<String>,
    /// The think times.
    pub think: ThinkTimes,
    /// One in this many sessions is sampled; 0 for none.
    pub sample_every: u32,
    /// The number of testers that share the plan.
    pub parts: u32,
    /// How often a sampled session compares its copy with a fresh offer.
    pub check_every: Duration,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The stake of a bet, as typed.
    pub stake: String,
    /// Time limit of a call or a command.
    pub answer_limit: Duration,
    /// Time limit of placing a bet, including the in-play delay.
    pub bet_limit: Duration,
}

/// Relates the monotonic clock and the system clock, once per run.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The start of the run.
    pub begin: Instant,
    /// The same moment, in microseconds since the epoch.
    pub begin_us: i64,
}

impl Clock {
    /// Time since a date of the feed. A future date counts as now.
    pub fn since_date(&self, date_ms: i64, now: Instant) -> Duration {
        let now_us = self.begin_us + i64::try_from(now.duration_since(self.begin).as_micros()).unwrap_or(i64::MAX);
        Duration::from_micros(u64::try_from(now_us - date_ms * 1000).unwrap_or_default())
    }
}

/// A storm as the sessions of a worker experienced it.
#[derive(Clone, Debug)]
pub struct StormTally {
    /// Connections that were cut.
    pub cut: u64,
    /// Time from the cut until the offer was loaded again.
    pub back: Times,
}

/// The latest storm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ActiveStorm {
    /// The number of storms so far, including this one.
    pub number: usize,
    /// The time over which the sessions reconnect.
    pub jitter: Duration,
}

/// The shared data of one thread's sessions.
#[derive(Debug)]
pub struct Worker {
    /// The server.
    pub target: Target,
    /// The settings of the sessions.
    pub settings: Arc<Settings>,
    /// The clocks.
    pub clock: Clock,
    /// The counts of the current second, by persona.
    pub tallies: [RefCell<Tally>; Persona::ALL.len()],
    /// This thread's own state in the current second.
    pub health: RefCell<Health>,
    /// The current matches and odds.
    pub catalogue: watch::Receiver<Arc<Catalogue>>,
    /// Accounts that are not in use, shared by all workers.
    pub accounts: Arc<Mutex<Vec<Account>>>,
    /// The read buffer.
    pub scratch: RefCell<Vec<u8>>,
    /// Open connections.
    pub connections: Cell<u64>,
    /// The findings of the sampled sessions.
    pub convergence: RefCell<Convergence>,
    /// The storms so far.
    pub storms: RefCell<Vec<StormTally>>,
    /// The latest storm.
    pub raging: watch::Receiver<ActiveStorm>,
}

impl Worker {
    /// The counts of the sessions of a persona.
    pub fn tally(&self, persona: Persona) -> RefMut<'_, Tally> {
        self.tallies[persona.place()].borrow_mut()
    }

    /// Takes an unused account.
    pub fn take_account(&self) -> Option<Account> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Returns an account.
    pub fn give_back(&self, account: Account) {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner).push(account);
    }
}
