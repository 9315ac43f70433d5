//! Cash-outs and their rules in memory.

use super::{KeyConflict, KeyRecord, MemoryStore, State, unknown};
use crate::{
    AccountId, CashOutDone, CashOutObstacle, CashOutOrder, CashOutOrigin, CashOutStore, OpenBets, RuleSet, StoreError,
    StoreFuture, StoredBet, TicketId,
};
use kvota_domain::bet::{BetState, CashOutRule};
use kvota_domain::ledger::{Decision, Holdings, decide, rest_of, rule_changed, stored_cash_out};

impl CashOutStore for MemoryStore {
    fn cash_out(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone> {
        Self::done(self.state().cash_out(&order))
    }

    fn set_cash_out_rule<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
        rule: Option<CashOutRule>,
    ) -> StoreFuture<'a, RuleSet> {
        Self::done(self.state().set_cash_out_rule(account, ticket, rule))
    }

    fn open_bets(&self, after: u64, limit: u32, with_rule: bool) -> StoreFuture<'_, OpenBets> {
        let state = self.state();
        let is_asked = |stored: &&StoredBet| {
            let has_rule = stored.cash_out_rule.is_some();
            stored.state == BetState::Open && (has_rule || !with_rule) && stored.number > after
        };
        let bets: Vec<StoredBet> = state.bets.iter().filter(is_asked).take(limit as usize).cloned().collect();
        let next = bets.last().filter(|_| bets.len() == limit as usize).map(|last| last.number);
        Self::done(Ok(OpenBets { bets, next }))
    }
}

impl State {
    fn position_of(&self, account: AccountId, ticket: &TicketId) -> Option<usize> {
        self.bets.iter().position(|stored| stored.account == account && stored.ticket_id == *ticket)
    }

    fn holdings(&self, id: AccountId) -> Result<Holdings, StoreError> {
        let account = self.accounts.get(&id).ok_or_else(|| unknown(id))?;
        let revision = self.revisions.get(&id).copied().unwrap_or_default();
        Ok(Holdings { balance: account.balance, receivable: account.receivable, revision })
    }

    fn cash_out(&mut self, order: &CashOutOrder) -> Result<CashOutDone, StoreError> {
        if let CashOutOrigin::Call { key, .. } = &order.origin {
            match self.replay(order.account, key.key, &key.digest) {
                Some(Ok(answer)) => return Ok(CashOutDone::Replayed(answer)),
                Some(Err(KeyConflict)) => return Ok(CashOutDone::KeyConflict),
                None => {}
            }
        }
        let Some(position) = self.position_of(order.account, &order.ticket_id) else {
            return Ok(CashOutDone::NoTicket);
        };
        let (bet, held) = (self.load(position)?, self.holdings(order.account)?);
        let rule = self.bets[position].cash_out_rule;
        let plan = match decide(bet, held, rule, &order.attempt())? {
            Decision::Reject(obstacle) => return Ok(CashOutDone::Rejected(obstacle)),
            Decision::Write(plan) => plan,
        };
        if plan.payment.is_some() && self.paused_since_ms.is_some() {
            return Ok(CashOutDone::Rejected(CashOutObstacle::NotBettable));
        }
        self.write(&plan.batch, order.now_ms);
        let stored = &mut self.bets[position];
        if let Some(payment) = &plan.payment {
            stored.cash_outs.push(stored_cash_out(payment, order.now_ms));
            (stored.rest, stored.cash_out_rule) = (rest_of(payment), None);
        }
        let done = order.done(*plan, stored.cash_outs.clone());
        if let (CashOutOrigin::Call { key, .. }, CashOutDone::Answered { answer, .. }) = (&order.origin, &done) {
            let record = KeyRecord { digest: key.digest, answer: answer.clone() };
            self.answers.insert((order.account, key.key), record);
        }
        Ok(done)
    }

    fn set_cash_out_rule(
        &mut self,
        account: AccountId,
        ticket: &TicketId,
        rule: Option<CashOutRule>,
    ) -> Result<RuleSet, StoreError> {
        let Some(position) = self.position_of(account, ticket) else { return Ok(RuleSet::NoTicket) };
        let (bet, held) = (self.load(position)?, self.holdings(account)?);
        let stored = &mut self.bets[position];
        if stored.state != BetState::Open && rule.is_some() {
            return Ok(RuleSet::NotOpen);
        }
        if stored.cash_out_rule == rule {
            return Ok(RuleSet::Set(None));
        }
        stored.cash_out_rule = rule;
        stored.revision += 1;
        let all = stored.cash_outs.clone();
        Ok(RuleSet::Set(rule_changed(&bet, held, all, rule)))
    }
}
