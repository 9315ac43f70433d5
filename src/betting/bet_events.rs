//! Publishes what happened to bets, after the transaction was committed. Placing and settlement publish; the sessions of
//! the bettors subscribe. `server/mod.rs` connects them.
//!
//! Must never read the store: an event contains everything that a subscriber needs.

use kvota_domain::bet::{AccountId, AccountMoney, BetEvent};
use kvota_domain::ids::MatchId;
use std::fmt;
use std::sync::Arc;

/// Receives events. A subscriber that does not handle a new kind of change does not compile, because it must match
/// [`kvota_domain::bet::BetChange`] without a wildcard.
pub trait BetSubscriber: Send + Sync + 'static {
    /// Something happened to a bet of this account. Must not wait or block.
    fn bet_changed(&self, event: &BetEvent);

    /// The money of an account changed without a bet: a deposit or a withdrawal. Must not wait or block.
    fn money_changed(&self, account: AccountId, money: AccountMoney);

    /// The limits, the exclusion or the logins of an account changed. Must not wait or block.
    fn protection_changed(&self, account: AccountId);

    /// The register has answered that the player of an account is excluded. Must not wait or block.
    fn player_blocked(&self, account: AccountId) {
        self.protection_changed(account);
    }

    /// The results of a match changed, so that its odds may no longer be bet on, or can be again. Must not wait or block.
    fn results_changed(&self, match_id: MatchId);

    /// This node learned results of a match that the other nodes already have. Must not wait or block.
    fn results_read(&self, match_id: MatchId) {
        self.results_changed(match_id);
    }
}

/// The subscribers. A clone shares them.
#[derive(Clone, Default)]
pub struct BetEvents(Arc<[Arc<dyn BetSubscriber>]>);

impl BetEvents {
    /// Events for these subscribers.
    pub fn new(subscribers: impl IntoIterator<Item = Arc<dyn BetSubscriber>>) -> BetEvents {
        BetEvents(subscribers.into_iter().collect())
    }

    /// Publishes events in their order. Call it after the commit.
    pub fn publish<'a>(&self, events: impl IntoIterator<Item = &'a BetEvent>) {
        for event in events {
            self.0.iter().for_each(|subscriber| subscriber.bet_changed(event));
        }
    }

    /// Publishes that the money of an account changed without a bet. Call it after the commit.
    pub fn publish_money(&self, account: AccountId, money: AccountMoney) {
        self.0.iter().for_each(|subscriber| subscriber.money_changed(account, money));
    }

    /// Publishes that the limits, the exclusion or the logins of an account changed. Call it after the commit.
    pub fn publish_protection(&self, account: AccountId) {
        self.0.iter().for_each(|subscriber| subscriber.protection_changed(account));
    }

    /// Publishes that the register has answered that a player is excluded.
    pub fn publish_blocked_player(&self, account: AccountId) {
        self.0.iter().for_each(|subscriber| subscriber.player_blocked(account));
    }

    /// Publishes that the results of a match changed. Call it after the commit.
    pub fn publish_results(&self, match_id: MatchId) {
        self.0.iter().for_each(|subscriber| subscriber.results_changed(match_id));
    }

    /// Publishes that this node learned results of a match that the other nodes already have.
    pub fn publish_results_read(&self, match_id: MatchId) {
        self.0.iter().for_each(|subscriber| subscriber.results_read(match_id));
    }
}

impl fmt::Debug for BetEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BetEvents").field(&self.0.len()).finish()
    }
}
