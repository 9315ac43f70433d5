//! Which results are missing, and when they are requested: of all matches with open bets at the start, later of those that
//! have left the offer (CONTRACT 7). Called by the settlement engine. Must not send anything.

use crate::betting::limits::{RESULT_ASK_MS, RESULT_ASK_MS_MAX, RESULT_MARKETS_ASKED_MAX};
use kvota_domain::ids::MatchId;
use kvota_domain::limits::RESULT_MATCHES_ASKED_MAX;
use kvota_domain::settlement::RequestedMatch;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// The requests that were made so far.
#[derive(Default)]
pub(super) struct MissingResults {
    asked: Mutex<HashMap<MatchId, Asked>>,
}

impl MissingResults {
    /// Of the matches with undecided bets, those to be requested now: at the start all, later those that have left the
    /// offer or got no answer to their first request. Forgets all others.
    pub(super) fn due(
        &self,
        undecided: Vec<RequestedMatch>,
        is_offered: impl Fn(MatchId) -> bool,
        is_start: bool,
        now_ms: i64,
    ) -> Vec<RequestedMatch> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let ids: HashSet<MatchId> = undecided.iter().map(|undecided| undecided.match_id).collect();
        asked.retain(|id, _| ids.contains(id));
        let due = undecided.into_iter().filter(|RequestedMatch { match_id, .. }| {
            if is_start {
                asked.insert(*match_id, Asked { expects_answer: true, ..Asked::first(now_ms) });
                return true;
            }
            let is_missing = !is_offered(*match_id) || asked.get(match_id).is_some_and(|asked| asked.expects_answer);
            is_missing && asked.entry(*match_id).or_insert(Asked::first(now_ms)).is_due(now_ms)
        });
        due.collect()
    }

    /// Notes an answer. A match that is still offered is not requested again until it leaves the offer.
    pub(super) fn answered(&self, requested: &[RequestedMatch], is_offered: impl Fn(MatchId) -> bool) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        for id in requested.iter().map(|requested| requested.match_id) {
            if is_offered(id) {
                asked.remove(&id);
            } else if let Some(asked) = asked.get_mut(&id) {
                asked.expects_answer = false;
            }
        }
    }
}

/// Divides matches into requests, each within the limits of a message.
pub(super) fn requests_of(matches: Vec<RequestedMatch>) -> Vec<Vec<RequestedMatch>> {
    let mut requests: Vec<Vec<RequestedMatch>> = Vec::new();
    let mut markets = 0;
    for mut requested in matches {
        requested.open_markets.truncate(RESULT_MARKETS_ASKED_MAX);
        markets += requested.open_markets.len();
        let has_room =
            |last: &&mut Vec<_>| last.len() < RESULT_MATCHES_ASKED_MAX && markets <= RESULT_MARKETS_ASKED_MAX;
        match requests.last_mut().filter(has_room) {
            Some(last) => last.push(requested),
            None => {
                markets = requested.open_markets.len();
                requests.push(vec![requested]);
            }
        }
    }
    requests
}

/// The next request for the results of a match.
struct Asked {
    next_ms: i64,
    wait_ms: i64,
    /// Requested at the start, and not answered yet.
    expects_answer: bool,
}

impl Asked {
    /// A match that was seen to have left the offer just now.
    const fn first(now_ms: i64) -> Asked {
        Asked { next_ms: now_ms.saturating_add(RESULT_ASK_MS), wait_ms: RESULT_ASK_MS, expects_answer: false }
    }

    fn is_due(&mut self, now_ms: i64) -> bool {
        if now_ms < self.next_ms {
            return false;
        }
        self.wait_ms = self.wait_ms.saturating_mul(2).min(RESULT_ASK_MS_MAX);
        self.next_ms = now_ms.saturating_add(self.wait_ms);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::MarketId;

    #[test]
    fn a_match_is_asked_for_after_a_minute_and_then_ever_less_often() {
        let mut asked = Asked::first(0);
        let minutes: Vec<i64> = (0..90).filter(|minute| asked.is_due(minute * 60_000)).collect();
        assert_eq!(minutes, [1, 3, 7, 15, 30, 45, 60, 75]);
    }

    #[test]
    fn requests_are_divided_by_matches_and_by_markets() {
        let requested = |id: usize, markets: usize| RequestedMatch {
            match_id: MatchId::new(id as u64 + 1).expect("a small id"),
            open_markets: vec![MarketId::new(1).expect("a small id"); markets],
        };
        let sizes = |matches: Vec<RequestedMatch>| requests_of(matches).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes((0..2_500).map(|id| requested(id, 1)).collect()), [1_000, 1_000, 500]);
        assert_eq!(sizes((0..5).map(|id| requested(id, 9_000)).collect()), [2, 2, 1]);
        assert_eq!(requests_of(vec![requested(1, 30_000)])[0][0].open_markets.len(), RESULT_MARKETS_ASKED_MAX);
        assert!(requests_of(Vec::new()).is_empty());
    }
}
