//! Whether an account may bet at all now (CONTRACT 9): the reality check of its login, and the register of excluded
//! players. Asked before anything of the ticket is looked at, and after its key: a repeated key gets its answer.

use super::Inner;
use super::keys::Stopped;
use super::order::Order;
use kvota_domain::protection::LimitKind;
use kvota_domain::ticket::Rejection;

impl Inner {
    /// Why no bet of the account is accepted from this login now.
    pub(super) async fn account_obstacle(&self, order: &Order) -> Result<Option<Rejection>, Stopped> {
        if self.is_check_due(order).await? {
            return Ok(Some(Rejection::RealityCheck));
        }
        Ok(self.register.obstacle(&*self.stores.accounts, order.account).await?)
    }

    /// Whether the reality check of the login waits for an answer. Reads the store only if it seems so: it may have been
    /// answered since the call began, and the limit removed since the login began.
    async fn is_check_due(&self, order: &Order) -> Result<bool, Stopped> {
        let now_ms = (self.now_ms)();
        let is_due = |due_at_ms: Option<i64>| due_at_ms.is_some_and(|due_at_ms| due_at_ms <= now_ms);
        if !is_due(order.check_due_at_ms) {
            return Ok(false);
        }
        let login = self.stores.accounts.login(order.session, now_ms).await?;
        if login.is_some_and(|login| !is_due(login.times.check_due_at_ms)) {
            return Ok(false);
        }
        let protection = self.stores.protection.protection(order.account).await?;
        Ok(protection.is_some_and(|protection| protection.limit(LimitKind::RealityCheck, now_ms).is_some()))
    }
}
