//! What the sessions of one thread share: the tally, the buffer they read into, the clocks, the settings. Nothing here
//! crosses threads but the accounts, which are few, and what the engine hands in.

use super::accounts::Account;
use super::catalogue::Catalogue;
use super::personas::ThinkTimes;
use super::results::Convergence;
use super::tally::{Tally, Times};
use super::target::Target;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// What is read at once, for all connections of a thread together.
pub const SCRATCH_BYTES: usize = 64 << 10;

/// How the sessions behave.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The languages they come in, in turn.
    pub langs: Vec<String>,
    /// How long they think.
    pub think: ThinkTimes,
    /// Every so many sessions one is sampled; 0: none.
    pub sample_every: u32,
    /// How often a sampled session compares its offer with a fresh one.
    pub check_every: Duration,
    /// Where all random numbers come from.
    pub seed: u64,
    /// What a bettor stakes, as it is typed.
    pub stake: String,
    /// How long a call or a command may take.
    pub answer_limit: Duration,
    /// How long the placing of a bet may take, its delay included.
    pub bet_limit: Duration,
}

/// The machine's clocks, tied together once.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// When the run begins.
    pub begin: Instant,
    /// The same moment, microseconds since the epoch.
    pub begin_us: i64,
}

impl Clock {
    /// How long ago a date of the feed was. A date of the future counts as now.
    pub fn since_date(&self, date_ms: i64, now: Instant) -> Duration {
        let now_us = self.begin_us + i64::try_from(now.duration_since(self.begin).as_micros()).unwrap_or(i64::MAX);
        Duration::from_micros(u64::try_from(now_us - date_ms * 1000).unwrap_or_default())
    }
}

/// A storm as the sessions of a worker went through it.
#[derive(Clone, Debug)]
pub struct StormTally {
    /// Connections that were cut.
    pub cut: u64,
    /// From the cut until the offer was there again.
    pub back: Times,
}

/// A storm that rages, or has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Raging {
    /// How many there were, this one included.
    pub number: usize,
    /// Over how long the sessions come again.
    pub jitter: Duration,
}

/// One thread's sessions.
#[derive(Debug)]
pub struct Worker {
    /// The server.
    pub target: Target,
    /// How sessions behave.
    pub settings: Arc<Settings>,
    /// When it all began.
    pub clock: Clock,
    /// What was counted in the running second.
    pub tally: RefCell<Tally>,
    /// What there is to look at.
    pub catalogue: watch::Receiver<Arc<Catalogue>>,
    /// Accounts that nobody uses just now, of all workers.
    pub accounts: Arc<Mutex<Vec<Account>>>,
    /// What is read into.
    pub scratch: RefCell<Vec<u8>>,
    /// Connections open now.
    pub connections: Cell<u64>,
    /// What the sampled sessions found.
    pub convergence: RefCell<Convergence>,
    /// The storms so far.
    pub storms: RefCell<Vec<StormTally>>,
    /// The latest storm.
    pub raging: watch::Receiver<Raging>,
}

impl Worker {
    /// Takes an account that nobody uses.
    pub fn take_account(&self) -> Option<Account> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Gives it back.
    pub fn give_back(&self, account: Account) {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner).push(account);
    }
}
