//! Which results of a message count, and which of them concern a new bet (CONTRACT 7). Must not grade a bet.

use crate::bet::{Bet, BetPair};
use crate::ids::{MarketId, MatchId};
use crate::settlement::{MarketResult, MarketState, MatchResults, RequestedMatch};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The results of a message that are newer than the stored ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewerResults<'a> {
    /// All newer results, each market once.
    pub newer: Vec<Cow<'a, MarketResult>>,
    /// The markets among them with other content than the stored result.
    pub changed: Vec<MarketId>,
}

impl<'a> NewerResults<'a> {
    /// Compares a message with the stored version of each market, and with its content if that can be decoded.
    ///
    /// A cancellation for lost memory only means that its producer knows no result. It never replaces one, and is kept
    /// with the version that it replaces, so that a result that was still on its way counts.
    pub fn of(results: &'a MatchResults, stored: &HashMap<MarketId, (i64, Option<MarketResult>)>) -> NewerResults<'a> {
        let (mut of_message, mut seen) = (NewerResults::default(), HashSet::new());
        for result in &results.markets {
            let known = stored.get(&result.market);
            if !seen.insert(result.market) || known.is_some_and(|(version, _)| *version >= result.version) {
                continue;
            }
            let content = known.and_then(|(_, content)| content.as_ref());
            let newer = match result.is_for_lost_memory() {
                true if known.is_some() && content.is_none_or(|held| held.state != MarketState::OpenAgain) => continue,
                true => {
                    let version = known.map_or(0, |(version, _)| *version);
                    Cow::Owned(MarketResult { version, ..result.clone() })
                }
                false => Cow::Borrowed(result),
            };
            of_message.newer.push(newer);
            if !content.is_some_and(|held| held.has_content_of(result)) {
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

    /// What is stored in the end, if these arrive in this order.
    fn stored_after(messages: &[MarketResult]) -> Option<MarketResult> {
        let mut stored: HashMap<MarketId, (i64, Option<MarketResult>)> = HashMap::new();
        for message in messages {
            let results =
                MatchResults { match_id: MatchId::new(7).unwrap(), markets: vec![message.clone()], date_ms: None };
            let newer: Vec<MarketResult> =
                NewerResults::of(&results, &stored).newer.into_iter().map(Cow::into_owned).collect();
            stored.extend(newer.into_iter().map(|result| (result.market, (result.version, Some(result)))));
        }
        stored.into_values().next().and_then(|(_, result)| result)
    }

    #[test]
    fn lost_memory_never_replaces_a_result_in_whatever_order_they_arrive() {
        let settled = result(100, MarketState::Settled, None);
        let open = result(150, MarketState::OpenAgain, None);
        let lost = result(200, MarketState::Cancelled, Some(SOURCE_RESTARTED));
        let state = |messages: &[&MarketResult]| {
            let messages: Vec<MarketResult> = messages.iter().map(|message| (*message).clone()).collect();
            stored_after(&messages).map(|result| result.state)
        };
        for messages in [[&settled, &lost], [&lost, &settled]] {
            assert_eq!(state(&messages), Some(MarketState::Settled), "{messages:?}");
        }
        // What was taken back stays taken back, although it arrives once more.
        for messages in
            [[&settled, &open, &lost, &settled], [&open, &lost, &settled, &settled], [&open, &settled, &lost, &settled]]
        {
            assert_eq!(state(&messages), Some(MarketState::Cancelled), "{messages:?}");
        }
        assert_eq!(state(&[&lost, &lost]), Some(MarketState::Cancelled));
        assert_eq!(state(&[&settled, &open]), Some(MarketState::OpenAgain));
        assert_eq!(state(&[&open, &settled]), Some(MarketState::OpenAgain));
    }
}
