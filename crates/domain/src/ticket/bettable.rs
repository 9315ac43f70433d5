//! Whether a pair can be bet on now, and if not, why (CONTRACT 4: canBet). Called for each pair when its match or the
//! feed changes, and at both validations of a bet. Stores nothing, so a pair becomes bettable again by itself.

use super::offer_view::{FeedHealth, MatchQuote, OddQuote, OfferView};
use crate::ids::{MarketId, MatchId, OddId};

/// Why a pair cannot be bet on. If several reasons apply, the first in this order is reported.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CannotBet {
    /// There is no offer.
    FeedInactive,
    /// The feed recovers from a gap.
    FeedRecovering,
    /// The offer no longer has the match.
    MatchGone,
    /// The match accepts no more bets.
    BettingStopped,
    /// The match accepts no bets at the moment.
    MatchSuspended,
    /// The match no longer has the market.
    MarketClosed,
    /// The market no longer has the odd, or its value is 0.
    OddWithdrawn,
    /// The market alone is suspended (CONTRACT 10).
    MarketSuspended,
    /// The odd has a present result (CONTRACT 7).
    MarketSettled,
}

impl CannotBet {
    /// Every reason, in the order of checking.
    pub const ALL: [CannotBet; 9] = [
        CannotBet::FeedInactive,
        CannotBet::FeedRecovering,
        CannotBet::MatchGone,
        CannotBet::BettingStopped,
        CannotBet::MatchSuspended,
        CannotBet::MarketClosed,
        CannotBet::OddWithdrawn,
        CannotBet::MarketSuspended,
        CannotBet::MarketSettled,
    ];

    /// The code sent to clients (docs/protocol.md).
    pub const fn code(self) -> &'static str {
        match self {
            CannotBet::FeedInactive => "feed_inactive",
            CannotBet::FeedRecovering => "feed_recovering",
            CannotBet::MatchGone => "match_gone",
            CannotBet::BettingStopped => "betting_stopped",
            CannotBet::MatchSuspended => "match_suspended",
            CannotBet::MarketClosed => "market_closed",
            CannotBet::OddWithdrawn => "odd_withdrawn",
            CannotBet::MarketSuspended => "market_suspended",
            CannotBet::MarketSettled => "market_settled",
        }
    }
}

/// The match and the odd of a pair that can be bet on; the price is never 0. Without a `market_id` (a submitted ticket
/// names only the odd), a closed market is reported as a withdrawn odd.
///
/// # Errors
/// The first reason why the pair cannot be bet on.
pub fn bettable(
    view: &impl OfferView,
    match_id: MatchId,
    market_id: Option<MarketId>,
    odd_id: OddId,
) -> Result<(MatchQuote, OddQuote), CannotBet> {
    match view.feed() {
        FeedHealth::Inactive => return Err(CannotBet::FeedInactive),
        FeedHealth::Recovering => return Err(CannotBet::FeedRecovering),
        FeedHealth::Active => {}
    }
    let mut quote = view.quote(match_id, odd_id).ok_or(CannotBet::MatchGone)?;
    if !quote.betting {
        return Err(CannotBet::BettingStopped);
    }
    if quote.suspended {
        return Err(CannotBet::MatchSuspended);
    }
    if market_id.is_some_and(|market_id| !view.has_market(match_id, market_id)) {
        return Err(CannotBet::MarketClosed);
    }
    // An odd found in another market than the pair's is not the odd that was picked.
    let of_market = |odd: &OddQuote| market_id.is_none_or(|market_id| odd.market_id == market_id);
    let odd = quote.odd.take().filter(|odd| of_market(odd) && odd.price.is_offered());
    let odd = odd.ok_or(CannotBet::OddWithdrawn)?;
    if odd.is_suspended {
        return Err(CannotBet::MarketSuspended);
    }
    if view.is_settled(match_id, odd.market_id, odd_id) {
        return Err(CannotBet::MarketSettled);
    }
    Ok((quote, odd))
}
