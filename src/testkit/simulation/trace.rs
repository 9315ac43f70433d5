//! The events of a simulation in order, as a hash, and the violations. Only the last lines are kept, so that memory
//! stays bounded over a hundred thousand seeds.

use super::{RunReport, Scenario, checks, clock};
use crate::testkit::seed::SEED;
use ring::digest::{Context, SHA256};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

const KEPT: usize = 30;
/// Maximum characters of a line. A seed that runs alone keeps all lines in full.
const LINE_CHARS_MAX: usize = 300;
/// Only the first violations are kept, because later ones often follow from them.
const VIOLATIONS_MAX: usize = 5;

/// The trace. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Trace(Rc<RefCell<Inner>>);

struct Inner {
    /// Events of the current ms. They are sorted, because unordered tables decide their order within 1 ms.
    now: BTreeSet<String>,
    now_ms: u64,
    digest: Context,
    /// Whether a single seed runs.
    is_alone: bool,
    events: u64,
    /// Number of events, including those of the current ms.
    noted: u64,
    last: VecDeque<String>,
    violations: Vec<String>,
    connections: u64,
    deaths: u64,
    bets: u64,
    refusals: u64,
}

impl Default for Inner {
    fn default() -> Inner {
        Inner {
            now: BTreeSet::new(),
            now_ms: 0,
            digest: Context::new(&SHA256),
            is_alone: std::env::var_os(SEED).is_some(),
            events: 0,
            noted: 0,
            last: VecDeque::new(),
            violations: Vec::new(),
            connections: 0,
            deaths: 0,
            bets: 0,
            refusals: 0,
        }
    }
}

impl Inner {
    /// Ends the current ms: adds its events to the hash.
    fn pass(&mut self) {
        for line in std::mem::take(&mut self.now) {
            self.digest.update(line.as_bytes());
            self.events += 1;
            if !self.is_alone && self.last.len() == KEPT {
                self.last.pop_front();
            }
            self.last.push_back(line);
        }
    }

    /// The first 8 bytes of the digest of all lines.
    fn hash(&self) -> u64 {
        let digest = self.digest.clone().finish();
        digest.as_ref().iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte))
    }

    /// The last lines, shortened unless a single seed runs.
    fn last_lines(&self) -> Vec<String> {
        let chars = if self.is_alone { usize::MAX } else { LINE_CHARS_MAX };
        self.last.iter().map(|line| line.chars().take(chars).collect()).collect()
    }
}

impl Trace {
    /// Records an event.
    pub(super) fn note(&self, what: impl FnOnce() -> String) {
        let now_ms = clock::since_begin_ms();
        let mut inner = self.0.borrow_mut();
        if inner.now_ms != now_ms {
            inner.pass();
            inner.now_ms = now_ms;
        }
        inner.noted += 1;
        inner.now.insert(format!("{now_ms:>8} ms  {}", what()));
    }

    /// Number of events. While it does not change, no client has read anything.
    pub(super) fn noted(&self) -> u64 {
        self.0.borrow().noted
    }

    /// Records a violation.
    pub(super) fn wrong(&self, what: impl FnOnce() -> String) {
        let what = what();
        self.note(|| format!("WRONG: {what}"));
        let mut inner = self.0.borrow_mut();
        if inner.violations.len() < VIOLATIONS_MAX {
            inner.violations.push(what);
        }
    }

    pub(super) fn connected(&self) {
        self.0.borrow_mut().connections += 1;
    }

    pub(super) fn node_died(&self) {
        self.0.borrow_mut().deaths += 1;
    }

    pub(super) fn answered(&self, status: u16) {
        let mut inner = self.0.borrow_mut();
        match status {
            200 => inner.bets += 1,
            _ => inner.refusals += 1,
        }
    }

    /// The result of the simulation.
    pub(super) fn outcome(&self, seed: u64, scenario: &Scenario) -> RunReport {
        for wrong in scenario.disk.wrongs() {
            self.wrong(|| wrong);
        }
        let (settled, cash_outs) = checks::settlements(scenario);
        let mut inner = self.0.borrow_mut();
        inner.pass();
        RunReport {
            settled,
            cash_outs,
            seed,
            hash: inner.hash(),
            events: inner.events,
            bets: inner.bets,
            refusals: inner.refusals,
            connections: inner.connections,
            deaths: inner.deaths,
            violations: inner.violations.clone(),
            last: inner.last_lines(),
        }
    }
}
