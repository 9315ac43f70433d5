//! Whether a pair can be bet on now, and why not (CONTRACT 4: canBet). Asked for each pair whenever its match or the
//! feed changes, and again at both judgements of a bet; nothing is remembered, so it turns true again by itself.

use super::offer_view::{FeedHealth, MatchQuote, OddQuote, OfferView};
use crate::ids::{MarketId, MatchId, OddId};

/// Why a pair cannot be bet on; where several hold, the first of this list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CannotBet {
    /// There is no offer.
    FeedInactive,
    /// A gap in the feed is being healed.
    FeedRecovering,
    /// The offer no longer has the match.
    MatchGone,
    /// No bets are taken on the match any more.
    BettingStopped,
    /// No bets are taken on the match for the moment.
    MatchSuspended,
    /// The match no longer has the market.
    MarketClosed,
    /// The market no longer has the odd, or its value is 0.
    OddWithdrawn,
    /// The market is suspended by itself (CONTRACT 10).
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

    /// The code that clients are told (docs/protocol.md).
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

/// The match and the odd of a pair that can be bet on; the price is never 0. Whoever does not know the market (a
/// submitted ticket names the odd alone) is told of a withdrawn odd where the market closed.
///
/// # Errors
/// The first reason why not.
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
    // An odd that is found in another market than its own is not the one that was picked.
    let of_market = |odd: &OddQuote| market_id.is_none_or(|market_id| odd.market_id == market_id);
    let odd = quote.odd.take().filter(|odd| of_market(odd) && odd.price.is_offered());
    let odd = odd.ok_or(CannotBet::OddWithdrawn)?;
    Ok((quote, odd))
}
