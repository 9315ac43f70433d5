//! The operator's pause, the protection of accounts and the cashier on the simulated disk. No scenario uses them while a
//! node fails, so these calls reach the memory at once.

use super::disk::Disk;
use kvota_domain::money::Money;
use kvota_domain::protection::{Flows, Protection};
use kvota_domain::session::SessionId;
use kvota_store::{
    AccountId, BettingPause, CashierStore, CheckAnswer, HistoryPage, Paid, Payment, Protected, ProtectionChange,
    ProtectionStore, StoreFuture,
};

impl BettingPause for Disk {
    fn paused_since(&self) -> StoreFuture<'_, Option<i64>> {
        Box::pin(async { self.memory().paused_since().await })
    }

    fn pause(&self, now_ms: i64) -> StoreFuture<'_, bool> {
        Box::pin(async move { self.memory().pause(now_ms).await })
    }

    fn resume(&self) -> StoreFuture<'_, bool> {
        Box::pin(async { self.memory().resume().await })
    }
}

impl CashierStore for Disk {
    fn pay(&self, payment: Payment) -> StoreFuture<'_, Paid> {
        Box::pin(async move { self.memory().pay(payment).await })
    }
}

impl ProtectionStore for Disk {
    fn protection(&self, account: AccountId) -> StoreFuture<'_, Option<Protection>> {
        Box::pin(async move { self.memory().protection(account).await })
    }

    fn protect(&self, account: AccountId, change: ProtectionChange, now_ms: i64) -> StoreFuture<'_, Protected> {
        Box::pin(async move { self.memory().protect(account, change, now_ms).await })
    }

    fn flows(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Flows> {
        Box::pin(async move { self.memory().flows(account, now_ms).await })
    }

    fn flows_since(&self, account: AccountId, since_ms: i64) -> StoreFuture<'_, (Money, Money)> {
        Box::pin(async move { self.memory().flows_since(account, since_ms).await })
    }

    fn answer_reality_check(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, CheckAnswer> {
        Box::pin(async move { self.memory().answer_reality_check(session, now_ms).await })
    }

    fn history(&self, account: AccountId, before: Option<i64>, limit: u32) -> StoreFuture<'_, HistoryPage> {
        Box::pin(async move { self.memory().history(account, before, limit).await })
    }
}
