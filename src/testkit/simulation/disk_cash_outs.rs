//! Cash-outs on the simulated disk (`disk.rs`): writes pass through its faults, reads see its memory.

use super::disk::{Disk, Done, Write, wrote};
use kvota_domain::bet::CashOutRule;
use kvota_store::{
    AccountId, CashOutDone, CashOutOrder, CashOutStore, OpenBets, RuleSet, StoreError, StoreFuture, TicketId,
};

impl CashOutStore for Disk {
    fn cash_out(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone> {
        wrote!(self, Write::CashOut(Box::new(order)), Done::CashedOut(done) => *done)
    }

    fn set_cash_out_rule<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
        rule: Option<CashOutRule>,
    ) -> StoreFuture<'a, RuleSet> {
        wrote!(self, Write::Rule(account, ticket.clone(), rule), Done::RuleSet(set) => *set)
    }

    fn open_bets(&self, after: u64, limit: u32, with_rule: bool) -> StoreFuture<'_, OpenBets> {
        Box::pin(async move { self.memory().open_bets(after, limit, with_rule).await })
    }
}
