//! Implements [`OfferView`], the offer as a ticket sees it, with the read model. Used by the session actor and by
//! placing. Prices and states are those of the primary language.

use super::ReadModel;
use super::settled_odds::decides;
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::offer_event::FeedState;
use kvota_domain::ticket::{FeedHealth, MatchQuote, OfferView, has_market, quote_of};

impl OfferView for ReadModel {
    fn feed(&self) -> FeedHealth {
        match self.feed_state(self.primary()) {
            FeedState::Active => FeedHealth::Active,
            FeedState::Recovering => FeedHealth::Recovering,
            FeedState::Inactive => FeedHealth::Inactive,
        }
    }

    fn quote(&self, match_id: MatchId, odd_id: OddId) -> Option<MatchQuote> {
        let entry = self.entry(match_id)?;
        // While the feed is inactive, remaining matches are about to be cleared.
        (self.feed() != FeedHealth::Inactive).then(|| quote_of(&entry.state, odd_id))
    }

    fn has_market(&self, match_id: MatchId, market_id: MarketId) -> bool {
        self.entry(match_id).is_some_and(|entry| has_market(&entry.state.live_match, market_id))
    }

    fn is_settled(&self, match_id: MatchId, market_id: MarketId, odd_id: OddId) -> bool {
        let results = self.settled.of(match_id);
        results.is_some_and(|results| decides(&results, market_id, odd_id, self.feed_date_ms()))
    }
}
