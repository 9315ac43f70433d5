//! Which bettors watch open bets at the moment. The settlement asks, so that it settles those bets first. Must not wait.

use kvota_domain::bet::AccountId;
use kvota_domain::ids::{MarketId, MatchId};
use std::collections::{BTreeMap, BTreeSet};

/// Knows the watched bets of this node.
pub trait WatchedBets: Send + Sync + 'static {
    /// The accounts that watch open bets with a pair of this match, by the market of the pair.
    fn accounts_with_bets_on(&self, match_id: MatchId) -> BTreeMap<MarketId, BTreeSet<AccountId>>;
}
