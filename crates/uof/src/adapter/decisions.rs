//! The results of all events, and which must be asked of the provider because they are missing. Must not decide a
//! market.

use crate::message::EventMessage;
use crate::results::Results;
use crate::urn::Urn;
use kvota_domain::ids::MatchId;
use kvota_domain::settlement::{MarketResult, MatchResults};
use std::collections::{HashMap, VecDeque};

/// Events with results that are kept; of more, those without a message for the longest time are forgotten.
const RESULTS_MAX: usize = 20_000;
/// When the results of an event may be asked again, in ms.
const AGAIN_MS: i64 = 600_000;
/// Events that wait until their results may be asked.
const WAITING_MAX: usize = 2_000;

/// The results of an event.
#[derive(Debug)]
struct Decided {
    results: Results,
    heard_ms: i64,
}

/// The results of all events.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    events: HashMap<Urn, Decided>,
    decided: Vec<MatchResults>,
    asked: HashMap<Urn, i64>,
    waiting: VecDeque<Urn>,
}

impl Decisions {
    /// Takes a message about results.
    pub(super) fn take(&mut self, message: &EventMessage, waits: impl Fn(i64) -> bool, now_ms: i64) {
        let Some(match_id) = MatchId::new(message.event.number()) else { return };
        let urn = &message.event;
        let held = self.events.entry(urn.clone());
        let held = held.or_insert_with(|| Decided { results: Results::new(urn.clone()), heard_ms: now_ms });
        held.heard_ms = now_ms;
        let is_gap = held.results.lacks(message);
        let markets = held.results.apply(message, waits);
        if !markets.is_empty() {
            self.decided.push(MatchResults { match_id, markets, date_ms: Some(now_ms) });
        }
        if is_gap {
            self.want(urn.clone(), now_ms);
        }
    }

    /// The messages about an event that an earlier run has kept, in the order in which they came.
    pub(super) fn replay(
        &mut self,
        event: &Urn,
        messages: impl Iterator<Item = EventMessage>,
        waits: impl Fn(i64) -> bool,
        now_ms: i64,
    ) {
        let mut results = Results::new(event.clone());
        messages.for_each(|message| drop(results.apply(&message, &waits)));
        self.events.insert(event.clone(), Decided { results, heard_ms: now_ms });
    }

    /// Whether something is known of an event.
    pub(super) fn has(&self, event: &Urn) -> bool {
        self.events.contains_key(event)
    }

    /// The current results of an event.
    pub(super) fn current(&self, event: &Urn) -> Vec<MarketResult> {
        self.events.get(event).into_iter().flat_map(|held| held.results.current().cloned()).collect()
    }

    /// Whether there are new results.
    pub(super) fn is_new(&self) -> bool {
        !self.decided.is_empty()
    }

    /// Takes the results that have come since the last call.
    pub(super) fn take_new(&mut self) -> Vec<MatchResults> {
        std::mem::take(&mut self.decided)
    }

    /// Notes that the results of an event must be asked, at most every ten minutes.
    pub(super) fn want(&mut self, urn: Urn, now_ms: i64) {
        let is_recent = |at_ms: &i64| now_ms.saturating_sub(*at_ms) < AGAIN_MS;
        if !self.asked.get(&urn).is_some_and(is_recent) && self.waiting.len() < WAITING_MAX {
            self.asked.insert(urn.clone(), now_ms);
            self.waiting.push_back(urn);
        }
    }

    /// The next event to ask the results of.
    pub(super) fn next_wanted(&mut self) -> Option<Urn> {
        self.waiting.pop_front()
    }

    /// Whether results of some event must be asked.
    pub(super) fn is_wanting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Forgets what is old.
    pub(super) fn purge(&mut self, now_ms: i64) {
        self.asked.retain(|_, at_ms| now_ms.saturating_sub(*at_ms) < AGAIN_MS);
        if self.events.len() > RESULTS_MAX {
            let mut heard: Vec<i64> = self.events.values().map(|held| held.heard_ms).collect();
            heard.sort_unstable();
            let oldest_ms = heard.get(heard.len().saturating_sub(RESULTS_MAX)).copied();
            self.events.retain(|_, held| oldest_ms.is_none_or(|oldest_ms| held.heard_ms >= oldest_ms));
        }
    }
}
