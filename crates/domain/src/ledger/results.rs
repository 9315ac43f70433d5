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
    /// Compares a message with the stored version of each market, and with its content if that can be decoded.
    pub fn of(results: &'a MatchResults, stored: &HashMap<MarketId, (i64, Option<MarketResult>)>) -> NewerResults<'a> {
        let (mut of_message, mut seen) = (NewerResults::default(), HashSet::new());
        for result in &results.markets {
            let known = stored.get(&result.market);
            if !seen.insert(result.market) || known.is_some_and(|(version, _)| *version >= result.version) {
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
