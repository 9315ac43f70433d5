//! Limits, exclusions and their history in memory.

use super::{KeptLogin, MemoryStore, State, unknown};
use crate::bets::page_limit;
use crate::nodes::SessionKey;
use crate::protection::{Changed, flows, history_page, window_starts};
use crate::{AccountId, CheckAnswer, HistoryPage, Protected, ProtectionChange, ProtectionStore, StoreFuture};
use kvota_domain::money::Money;
use kvota_domain::protection::{Flows, Protection, Window};
use kvota_domain::session::SessionId;
use kvota_domain::settlement::{LedgerAccount, PostingKind};

impl ProtectionStore for MemoryStore {
    fn protection(&self, account: AccountId) -> StoreFuture<'_, Option<Protection>> {
        Self::done(Ok(self.state().accounts.get(&account).map(|account| account.protection.clone())))
    }

    fn protect(&self, account: AccountId, change: ProtectionChange, now_ms: i64) -> StoreFuture<'_, Protected> {
        let mut state = self.state();
        let Some(held) = state.accounts.get_mut(&account) else { return Self::done(Err(unknown(account))) };
        let Ok(Changed { protection, entries }) = change.apply(&held.protection, now_ms) else {
            return Self::done(Ok(Protected::ShorterExclusion));
        };
        if entries.is_empty() {
            return Self::done(Ok(Protected::Stored(protection)));
        }
        held.protection = protection.clone();
        let of_account = |kept: &&mut KeptLogin| kept.login.account == account && kept.login.expires_at_ms > now_ms;
        for kept in state.logins.values_mut().filter(of_account).filter(|_| change.concerns_logins()) {
            let begun_ms = *kept.login.created_at_ms.get_or_insert(now_ms);
            kept.login.times = protection.login_times(begun_ms, kept.checked_at_ms, now_ms);
            if let Some(ends_at_ms) = kept.login.times.ends_at_ms {
                kept.login.expires_at_ms = kept.login.expires_at_ms.min(ends_at_ms);
            }
        }
        state.protection_history.extend(entries.into_iter().map(|entry| (account, entry)));
        Self::done(Ok(Protected::Stored(protection)))
    }

    fn flows(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Flows> {
        Self::done(Ok(self.state().flows(account, now_ms)))
    }

    fn flows_since(&self, account: AccountId, since_ms: i64) -> StoreFuture<'_, (Money, Money)> {
        let flows = self.state().flows_from(account, [since_ms; 3]);
        Self::done(Ok((flows.staked[0], flows.returned[0])))
    }

    fn answer_reality_check(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, CheckAnswer> {
        let state = &mut *self.state();
        let held = state.logins.get_mut(&SessionKey::of_cookie(session));
        let Some(kept) = held.filter(|kept| kept.login.expires_at_ms > now_ms) else {
            return Self::done(Ok(CheckAnswer::NoLogin));
        };
        if kept.login.times.check_due_at_ms.is_none_or(|due_at_ms| due_at_ms > now_ms) {
            return Self::done(Ok(CheckAnswer::NotDue));
        }
        let account = kept.login.account;
        let protection = state.accounts.get(&account).map(|account| account.protection.clone()).unwrap_or_default();
        kept.checked_at_ms = Some(now_ms);
        kept.login.times.check_due_at_ms = protection.login_times(now_ms, None, now_ms).check_due_at_ms;
        Self::done(Ok(CheckAnswer::Answered(account)))
    }

    fn history(&self, account: AccountId, before: Option<i64>, limit: u32) -> StoreFuture<'_, HistoryPage> {
        let (limit, state) = (page_limit(limit), self.state());
        let numbered = state.protection_history.iter().enumerate().rev().map(|(place, kept)| (place as i64 + 1, kept));
        let of_account =
            numbered.filter(|(id, (owner, _))| *owner == account && before.is_none_or(|before| *id < before));
        let newest_first = of_account.take(limit + 1).map(|(id, (_, entry))| (id, entry.clone())).collect();
        Self::done(Ok(history_page(newest_first, limit)))
    }
}

impl State {
    /// The movements of an account in the sliding windows that end now.
    pub(super) fn flows(&self, account: AccountId, now_ms: i64) -> Flows {
        self.flows_from(account, window_starts(now_ms, Window::Month))
    }

    fn flows_from(&self, account: AccountId, starts: [i64; 3]) -> Flows {
        let of_account = self.postings.iter().filter(|posting| posting.row.bettor == account);
        flows(of_account.filter_map(|kept| {
            let posting = &kept.row.posting;
            let span = (0..).zip(starts).find(|(_, start)| kept.at_ms > *start)?.0;
            let change = posting.change_of(LedgerAccount::Bettor);
            let (flow, amount) = match posting.kind {
                _ if change == Money::ZERO => return None,
                PostingKind::Stake => (0, change.negated()),
                PostingKind::Payout | PostingKind::Refund | PostingKind::CashOut | PostingKind::Correction => {
                    (1, change)
                }
                PostingKind::Deposit => (2, change),
                PostingKind::Opening | PostingKind::Withdrawal | PostingKind::Receivable => return None,
            };
            Some((flow, span, amount))
        }))
    }
}
