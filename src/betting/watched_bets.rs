//! Which bettors watch open bets at the moment. The settlement asks, so that it settles those bets first. Must not wait.

use kvota_domain::bet::AccountId;
use kvota_domain::ids::MatchId;

/// Knows the watched bets of this node.
pub trait WatchedBets: Send + Sync + 'static {
    /// The accounts that watch open bets with a pair of this match.
    fn accounts_with_bets_on(&self, match_id: MatchId) -> Vec<AccountId>;
}
