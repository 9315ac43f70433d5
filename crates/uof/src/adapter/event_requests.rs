//! Single events of which odds or results are asked of the provider: those that are missing, and those about which a
//! message could not be read. Must not exceed the provider's limits.

use super::{Adapter, Held};
use crate::producer::State;
use crate::question::{Part, Question};
use crate::recovery_limits::Asked;
use crate::urn::Urn;
use std::collections::{BTreeSet, HashMap};

/// When the results of an event, and when its odds, may be asked again, in ms.
const RESULTS_AGAIN_MS: i64 = 600_000;
const ODDS_AGAIN_MS: i64 = 30_000;
/// Requests that wait until they may be made.
const WAITING_MAX: usize = 2_000;

/// What must be asked.
#[derive(Debug, Default)]
pub(super) struct EventRequests {
    asked: HashMap<(Part, Urn), i64>,
    /// In the order of the times at which they are due.
    waiting: BTreeSet<(i64, Part, Urn)>,
}

impl EventRequests {
    /// Notes that a part of an event must be asked, unless that was done lately.
    fn want(&mut self, part: Part, event: Urn, now_ms: i64) {
        let wanted = (part, event);
        let is_recent = self.asked.get(&wanted).is_some_and(|at_ms| !is_old(part, *at_ms, now_ms));
        if !is_recent {
            self.note(wanted, now_ms);
        }
    }

    /// Notes a request again that has failed.
    fn repeat(&mut self, part: Part, event: Urn, now_ms: i64) {
        self.note((part, event), now_ms.saturating_add(again_ms(part)));
    }

    fn note(&mut self, (part, event): (Part, Urn), due_ms: i64) {
        if self.waiting.len() < WAITING_MAX {
            self.waiting.insert((due_ms, part, event.clone()));
            self.asked.insert((part, event), due_ms);
        }
    }

    /// The next request that is due.
    fn next(&mut self, now_ms: i64) -> Option<(Part, Urn)> {
        if self.waiting.first()?.0 > now_ms {
            return None;
        }
        self.waiting.pop_first().map(|(_, part, event)| (part, event))
    }

    /// Forgets what is old.
    pub(super) fn purge(&mut self, now_ms: i64) {
        self.asked.retain(|(part, _), at_ms| !is_old(*part, *at_ms, now_ms));
    }
}

fn again_ms(part: Part) -> i64 {
    match part {
        Part::Odds => ODDS_AGAIN_MS,
        Part::Results => RESULTS_AGAIN_MS,
    }
}

fn is_old(part: Part, at_ms: i64, now_ms: i64) -> bool {
    now_ms.saturating_sub(at_ms) >= again_ms(part)
}

impl Adapter {
    /// A message about a part of an event was skipped, because it cannot be read: what is so now is asked of the
    /// provider. An event that is not in the offer has no odds to ask.
    pub fn skipped(&mut self, event: Urn, part: Part, now_ms: i64) {
        let is_offered = self.events.get(&event).is_some_and(|held| held.offered.is_some());
        if is_offered || (part == Part::Results && self.has_results(&event)) {
            self.want(part, event, now_ms);
        }
    }

    /// A request for a part of an event has failed.
    pub(super) fn ask_of_event_again(&mut self, part: Part, event: &Urn, now_ms: i64) {
        self.event_requests.repeat(part, event.clone(), now_ms);
    }

    pub(super) fn want(&mut self, part: Part, event: Urn, now_ms: i64) {
        self.event_requests.want(part, event, now_ms);
        self.ask_of_events(now_ms);
    }

    /// Asks for odds and results of single events, within the limits of every producer.
    pub(super) fn ask_of_events(&mut self, now_ms: i64) {
        loop {
            let is_allowed = |asked_ms: i64| asked_ms <= now_ms;
            let mut followed = self.producers.values();
            if !followed.all(|followed| is_allowed(followed.event_limits.allowed_at(Asked::Event, now_ms))) {
                return;
            }
            let Some((part, event)) = self.event_requests.next(now_ms) else { return };
            for (product, followed) in &mut self.producers {
                // Odds are asked of those that send them; a recovery of everything has them as well.
                let sends_odds = |held: &Held| held.event.lines.iter().any(|(_, line)| line.owner == *product);
                let is_up = followed.producer.state() == State::Up;
                if part == Part::Odds && !(is_up && self.events.get(&event).is_some_and(sends_odds)) {
                    continue;
                }
                followed.event_limits.note(Asked::Event, now_ms);
                let request_id = self.next_request_id;
                self.next_request_id = request_id.saturating_add(1);
                let event = event.clone();
                self.asking.order(Question::OfEvent { product: *product, event, part, request_id });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_an_event_is_asked_once_in_its_time_and_again_after_a_failure() {
        let event = Urn::parse("sr:match:1").unwrap();
        let mut requests = EventRequests::default();
        for part in [Part::Odds, Part::Results, Part::Odds] {
            requests.want(part, event.clone(), 0);
        }
        assert_eq!(requests.next(0), Some((Part::Odds, event.clone())));
        assert_eq!(requests.next(0), Some((Part::Results, event.clone())));
        assert_eq!(requests.next(0), None);
        requests.purge(ODDS_AGAIN_MS);
        for part in [Part::Odds, Part::Results] {
            requests.want(part, event.clone(), ODDS_AGAIN_MS);
        }
        assert_eq!(requests.next(ODDS_AGAIN_MS), Some((Part::Odds, event.clone())));
        requests.repeat(Part::Odds, event.clone(), ODDS_AGAIN_MS);
        assert_eq!(requests.next(2 * ODDS_AGAIN_MS - 1), None);
        assert_eq!(requests.next(2 * ODDS_AGAIN_MS), Some((Part::Odds, event)));
    }

    #[test]
    fn so_many_wait_at_most() {
        let mut requests = EventRequests::default();
        for number in 0..3_000 {
            requests.want(Part::Odds, Urn::parse(&format!("sr:match:{number}")).unwrap(), 0);
        }
        assert_eq!((requests.waiting.len(), requests.asked.len()), (WAITING_MAX, WAITING_MAX));
    }
}
