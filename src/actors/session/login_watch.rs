//! Follows the login of a connection if its bettor has limits in minutes (CONTRACT 9): sends the reality check when it is
//! due, and closes the connection when the login ends. Other connections cost nothing. Must never decide whether a bet is
//! accepted.

use super::inbox::SessionInbox;
use super::sessions::Sessions;
use kvota_domain::protection::{LimitKind, RealityCheck};
use kvota_store::nodes::SessionKey;
use kvota_store::{AccountStore, Login, ProtectionStore, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The wait after the store was unavailable.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The longest wait before the login is read again; the wall clock may be set meanwhile.
const SLEEP_MS_MAX: i64 = 3_600_000;

/// What it needs. Clones share everything.
#[derive(Clone)]
pub(super) struct LoginWatch {
    pub(super) accounts: Arc<dyn AccountStore>,
    pub(super) protection: Arc<dyn ProtectionStore>,
    pub(super) now_ms: fn() -> i64,
}

/// What to do next for a connection.
enum Next {
    /// Read the login again after this time, at the latest.
    Wait(Duration),
    /// Nothing, until a limit changes.
    Nothing,
    /// The login has ended.
    Ended,
}

impl LoginWatch {
    /// Follows the login of a connection until it has ended or has no limit any more. There is at most one such task for a
    /// connection, and it ends with it.
    pub(super) async fn follow(self, sessions: Sessions, inbox: Arc<SessionInbox>) {
        while !inbox.is_gone() {
            inbox.take_login_change();
            let wait = match self.step(&inbox).await {
                Ok(Next::Wait(time)) => time,
                Ok(Next::Nothing) if inbox.stop_following_login() => continue,
                Ok(Next::Nothing) => return,
                Ok(Next::Ended) => return sessions.end(SessionKey::of_cookie(inbox.session())).await,
                Err(error) => {
                    tracing::debug!("cannot read the login of a connection: {error}");
                    RETRY_AFTER
                }
            };
            // Either of them: time is over, or there is news.
            let _ = timeout(wait, inbox.login_news()).await;
        }
    }

    async fn step(&self, inbox: &SessionInbox) -> Result<Next, StoreError> {
        let now_ms = (self.now_ms)();
        let Some(login) = self.accounts.login(inbox.session(), now_ms).await? else { return Ok(Next::Ended) };
        if login.times.ends_at_ms.is_some_and(|ends_at_ms| ends_at_ms <= now_ms) {
            return Ok(Next::Ended);
        }
        let due_at_ms = login.times.check_due_at_ms;
        let is_due = due_at_ms.is_some_and(|due_at_ms| due_at_ms <= now_ms) && self.has_check(&login, now_ms).await?;
        inbox.send_reality_check(if is_due { Some(self.check(&login, now_ms).await?) } else { None });
        let next = [due_at_ms.filter(|at_ms| *at_ms > now_ms), login.times.ends_at_ms];
        Ok(next.into_iter().flatten().min().map_or(Next::Nothing, |at_ms| {
            let ms = at_ms.saturating_sub(now_ms).clamp(1, SLEEP_MS_MAX);
            Next::Wait(Duration::from_millis(ms.unsigned_abs()))
        }))
    }

    /// Whether the limit is still in force.
    async fn has_check(&self, login: &Login, now_ms: i64) -> Result<bool, StoreError> {
        let protection = self.protection.protection(login.account).await?;
        Ok(protection.is_some_and(|protection| protection.limit(LimitKind::RealityCheck, now_ms).is_some()))
    }

    async fn check(&self, login: &Login, now_ms: i64) -> Result<RealityCheck, StoreError> {
        let begun_ms = login.created_at_ms.unwrap_or(now_ms);
        let (staked, returned) = self.protection.flows_since(login.account, begun_ms).await?;
        Ok(RealityCheck { time_ms: now_ms.saturating_sub(begun_ms), staked, returned })
    }
}
