//! Passes on to the connections of an account what happened to its bets, its money and its limits.

use super::sessions::{ResultsChanged, Sessions};
use crate::betting::bet_events::BetSubscriber;
use kvota_domain::bet::{AccountMoney, BetEvent};
use kvota_domain::ids::MatchId;
use kvota_store::{AccountId, SessionOwner};

impl BetSubscriber for Sessions {
    /// Passes the event to the connections of the account.
    fn bet_changed(&self, event: &BetEvent) {
        self.values.bet_changed(event);
        for inbox in self.connections.of_owner(SessionOwner::Account(event.account)) {
            inbox.send_bet(event);
        }
    }

    fn protection_changed(&self, account: AccountId) {
        for inbox in self.connections.of_owner(SessionOwner::Account(account)) {
            inbox.send_account_changed();
            self.follow_login(inbox);
        }
    }

    fn money_changed(&self, account: AccountId, money: AccountMoney) {
        for inbox in self.connections.of_owner(SessionOwner::Account(account)) {
            inbox.send_money(money);
        }
    }

    /// Wakes the sessions with the match on their ticket. If the mailbox is full, they learn it with the next change of
    /// the match; a bet on the odd is rejected anyway.
    fn results_changed(&self, match_id: MatchId) {
        let _ = self.finder.address().try_send(ResultsChanged(match_id));
    }
}
