//! The facts of the offer that the ticket needs, and no more. The session actor and the placement implement it with the
//! read model, tests with a table. [`quote_in`] and [`quote_of`] read a match, so that all implementations agree.

use super::state::Snapshot;
use crate::Text;
use crate::aggregate::MatchState;
use crate::ids::{MarketId, MatchId, OddId, SportId};
use crate::lang::Lang;
use crate::market::{Market, Odd};
use crate::matches::Match;
use crate::price::Price;

/// The state of the feed, as far as bets need it (CONTRACT 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeedHealth {
    /// Bets are accepted.
    Active,
    /// The feed recovers from a gap: every match counts as suspended.
    Recovering,
    /// There is no offer.
    Inactive,
}

/// The offer as a ticket sees it.
pub trait OfferView {
    /// The state of the primary language's feed.
    fn feed(&self) -> FeedHealth;

    /// A match and one of its odds; `None` if the offer has no such match.
    fn quote(&self, match_id: MatchId, odd_id: OddId) -> Option<MatchQuote>;

    /// Whether a match has a market: distinguishes a closed market from a withdrawn odd.
    fn has_market(&self, match_id: MatchId, market_id: MarketId) -> bool;

    /// Whether an odd has a current result, so that it can no longer be bet on (CONTRACT 7).
    fn is_settled(&self, match_id: MatchId, market_id: MarketId, odd_id: OddId) -> bool;
}

/// The facts of a match that a ticket needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchQuote {
    /// The match's sport: decides the in-play delay of a bet.
    pub sport_id: SportId,
    /// Whether the match accepts bets at all.
    pub betting: bool,
    /// Whether betting is suspended at the moment.
    pub suspended: bool,
    /// The side named first.
    pub home: Option<Text>,
    /// The side named second.
    pub away: Option<Text>,
    /// The tournament.
    pub tournament: Option<Text>,
    /// The requested odd, if the match has it.
    pub odd: Option<OddQuote>,
}

/// The facts of an odd and its market that a ticket needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddQuote {
    /// The market it belongs to.
    pub market_id: MarketId,
    /// The market's type.
    pub market_kind: i64,
    /// The type's variant.
    pub market_subtype: Option<i64>,
    /// The market's name.
    pub market_name: Option<Text>,
    /// The special bet value.
    pub sbv: Option<Text>,
    /// The odd's type in the primary language.
    pub odd_kind: Option<Text>,
    /// Its name, if its type is an outcome id of a provider.
    pub odd_name: Option<Text>,
    /// Its type in other languages, where it differs: a page submits the text that it shows.
    pub other_kinds: Vec<Text>,
    /// Its current price; 0 means not offered.
    pub price: Price,
    /// Whether its market alone is suspended.
    pub is_suspended: bool,
}

impl OddQuote {
    /// The price at which it can be picked now.
    pub fn offered(&self) -> Option<Price> {
        Some(self.price).filter(|price| price.is_offered() && !self.is_suspended)
    }
}

impl MatchQuote {
    /// The snapshot of a pair with this odd.
    pub(super) fn snapshot(&self, odd: &OddQuote) -> Snapshot {
        Snapshot {
            sport_id: self.sport_id,
            home: self.home.clone(),
            away: self.away.clone(),
            tournament: self.tournament.clone(),
            market_kind: odd.market_kind,
            market_subtype: odd.market_subtype,
            market_name: odd.market_name.clone(),
            sbv: odd.sbv.clone(),
            odd_kind: odd.odd_kind.clone(),
            odd_name: odd.odd_name.clone(),
        }
    }
}

/// The quote of an odd from a match in the primary language.
pub fn quote_in(live_match: &Match, odd_id: OddId) -> MatchQuote {
    let mut odds = live_match.markets.iter().flat_map(|market| market.odds.iter().map(move |odd| (market, odd)));
    MatchQuote {
        sport_id: live_match.sport_id,
        betting: live_match.betting,
        suspended: live_match.suspended == Some(true),
        home: live_match.home.clone(),
        away: live_match.away.clone(),
        tournament: live_match.tournament.clone(),
        odd: odds.find(|(_, odd)| odd.id == odd_id).map(|(market, odd)| odd_quote(market, odd)),
    }
}

/// The quote of an odd from a match in all its languages.
pub fn quote_of(state: &MatchState, odd_id: OddId) -> MatchQuote {
    let mut quote = quote_in(&state.live_match, odd_id);
    quote.suspended |= !state.is_trusted;
    if let Some(odd) = &mut quote.odd {
        let words = Lang::ALL.into_iter().filter_map(|lang| state.texts[lang].as_ref()?.odd_kind(odd_id));
        let mut others: Vec<Text> = words.filter(|kind| odd.odd_kind.as_ref() != Some(*kind)).cloned().collect();
        others.sort();
        others.dedup();
        odd.other_kinds = others;
    }
    quote
}

/// Whether a match has a market.
pub fn has_market(live_match: &Match, market_id: MarketId) -> bool {
    live_match.markets.iter().any(|market| market.id == market_id)
}

fn odd_quote(market: &Market, odd: &Odd) -> OddQuote {
    OddQuote {
        market_id: market.id,
        market_kind: market.kind,
        market_subtype: market.subtype,
        market_name: market.name.clone(),
        sbv: market.sbv.clone(),
        odd_kind: odd.kind.clone(),
        odd_name: odd.provider_name().cloned(),
        other_kinds: Vec::new(),
        price: odd.value,
        is_suspended: market.is_suspended,
    }
}
