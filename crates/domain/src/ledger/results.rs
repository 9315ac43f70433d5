//! Which results of a message count, and which of them concern a new bet (CONTRACT 7). Must not grade a bet.

use crate::bet::{Bet, BetPair};
use crate::ids::{MarketId, MatchId};
use crate::settlement::{MarketResult, MatchResults, RequestedMatch};
use std::collections::{HashMap, HashSet};

/// The results of a message that are newer than the stored ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewerResults<'a> {
    /// All newer results, each market once.
    pub newer: Vec<&'a MarketResult>,
    /// The markets among them with other content than the stored result.
    pub changed: Vec<MarketId>,
}

impl<'a> NewerResults<'a> {
    /// Compares a message with the stored version of each market, and with its content if that can be decoded. A
    /// cancellation for lost memory is older than any other result: it only means that its producer knows none.
    pub fn of(results: &'a MatchResults, stored: &HashMap<MarketId, (i64, Option<MarketResult>)>) -> NewerResults<'a> {
        let (mut of_message, mut seen) = (NewerResults::default(), HashSet::new());
        for result in &results.markets {
            let known = stored.get(&result.market);
            let is_as_new = |(version, content): &(i64, Option<MarketResult>)| {
                let is_for_lost_memory = content.as_ref().is_some_and(MarketResult::is_for_lost_memory);
                *version >= result.version && !(is_for_lost_memory && !result.is_for_lost_memory())
            };
            if !seen.insert(result.market) || known.is_some_and(is_as_new) {
                continue;
            }
            of_message.newer.push(result);
            let is_equal = known
                .is_some_and(|(_, content)| content.as_ref().is_some_and(|content| content.has_content_of(result)));
            if !is_equal {
                of_message.changed.push(result.market);
            }
        }
        of_message
    }
}

/// Groups markets, which are ordered by match, into a request for their results.
pub fn by_match(markets: impl IntoIterator<Item = (MatchId, MarketId)>) -> Vec<RequestedMatch> {
    let mut matches: Vec<RequestedMatch> = Vec::new();
    for (match_id, market) in markets {
        match matches.last_mut().filter(|last| last.match_id == match_id) {
            Some(last) => last.open_markets.push(market),
            None => matches.push(RequestedMatch { match_id, open_markets: vec![market] }),
        }
    }
    matches
}

/// If an odd of a new bet currently has a result, returns the match of the first such pair.
pub fn settled_pair(bet: &Bet, results: &[(MatchId, MarketResult)]) -> Option<MatchId> {
    let is_decided = |pair: &BetPair| {
        let of_pair = |(match_id, result): &&(MatchId, MarketResult)| {
            *match_id == pair.match_id && result.market == pair.market_id
        };
        results.iter().find(of_pair).is_some_and(|(_, result)| result.decides(pair.odd_id, bet.placed_at_ms))
    };
    bet.pairs.iter().find(|pair| is_decided(pair)).map(|pair| pair.match_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settlement::{MarketState, SOURCE_RESTARTED};

    fn result(version: i64, state: MarketState, reason: Option<&str>) -> MarketResult {
        let (market, reason) = (MarketId::new(1).unwrap(), reason.map(Into::into));
        MarketResult { market, version, state, odds: Vec::new(), void_windows: Vec::new(), reason }
    }

    #[test]
    fn the_highest_version_counts_and_lost_memory_is_older_than_any_result() {
        let settled = |version| result(version, MarketState::Settled, None);
        let lost = |version| result(version, MarketState::Cancelled, Some(SOURCE_RESTARTED));
        for (stored, arrives, is_newer) in [
            (settled(1), settled(2), true),
            (settled(2), settled(1), false),
            (settled(2), settled(2), false),
            // A message that was still on its way when its producer lost its memory.
            (lost(200), settled(100), true),
            (lost(200), lost(100), false),
            (lost(100), lost(200), true),
            (settled(100), lost(200), true),
            (settled(200), lost(100), false),
        ] {
            let results = MatchResults { match_id: MatchId::new(7).unwrap(), markets: vec![arrives], date_ms: None };
            let known = HashMap::from([(stored.market, (stored.version, Some(stored.clone())))]);
            let newer = NewerResults::of(&results, &known).newer;
            assert_eq!(newer.len(), usize::from(is_newer), "{stored:?} then {:?}", results.markets);
        }
    }
}
