//! The results of all events. Must not decide a market.

use crate::message::EventMessage;
use crate::results::Results;
use crate::urn::Urn;
use kvota_domain::ids::MatchId;
use kvota_domain::settlement::{MarketResult, MatchResults};
use std::collections::HashMap;

/// Events with results that are kept; of more, those without a message for the longest time are forgotten.
const RESULTS_MAX: usize = 20_000;

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
}

impl Decisions {
    /// Takes a message about results; whether it shows that earlier ones are missing.
    pub(super) fn take(&mut self, message: &EventMessage, waits: impl Fn(i64) -> bool, now_ms: i64) -> bool {
        let Some(match_id) = MatchId::new(message.event.number()) else { return false };
        let urn = &message.event;
        let held = self.events.entry(urn.clone());
        let held = held.or_insert_with(|| Decided { results: Results::new(urn.clone()), heard_ms: now_ms });
        held.heard_ms = now_ms;
        let is_gap = held.results.lacks(message);
        let markets = held.results.apply(message, waits);
        if !markets.is_empty() {
            self.decided.push(MatchResults { match_id, markets, date_ms: Some(now_ms) });
        }
        is_gap
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

    /// Forgets what is old.
    pub(super) fn purge(&mut self) {
        if self.events.len() > RESULTS_MAX {
            let mut heard: Vec<i64> = self.events.values().map(|held| held.heard_ms).collect();
            heard.sort_unstable();
            let oldest_ms = heard.get(heard.len().saturating_sub(RESULTS_MAX)).copied();
            self.events.retain(|_, held| oldest_ms.is_none_or(|oldest_ms| held.heard_ms >= oldest_ms));
        }
    }
}
