//! Follows the login of a connection if its bettor has limits in minutes (CONTRACT 9): sends the reality check when it is
//! due, announces the end of the login, and closes the connection when the login ends. Other connections cost nothing. Must never decide whether a bet is
//! accepted.

use super::inbox::SessionInbox;
use super::sessions::Sessions;
use kvota_domain::protection::{LimitKind, RealityCheck, SessionEnd};
use kvota_store::nodes::SessionKey;
use kvota_store::{AccountStore, Login, ProtectionStore, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The wait after the store was unavailable.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How long before its end a login is announced to end, longest first.
const ANNOUNCED_MS: [i64; 2] = [5 * 60_000, 60_000];

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

/// What a task remembers of the login that it follows.
#[derive(Default)]
struct Followed {
    login: Option<Login>,
    /// The last announcement: the end, and how long before it.
    announced: Option<(i64, i64)>,
}

impl LoginWatch {
    /// Follows the login of a connection until it has ended or has no limit any more. There is at most one such task for a
    /// connection, and it ends with it.
    pub(super) async fn follow(self, sessions: Sessions, inbox: Arc<SessionInbox>) {
        let mut followed = Followed::default();
        while !inbox.is_gone() {
            inbox.take_login_change();
            let wait = match self.step(&inbox, &mut followed).await {
                Ok(Next::Wait(time)) => time,
                Ok(Next::Nothing) if inbox.stop_following_login() => continue,
                Ok(Next::Nothing) => return,
                Ok(Next::Ended) => {
                    self.announce_end(&sessions, &inbox, &followed).await;
                    return sessions.end(SessionKey::of_cookie(inbox.session())).await;
                }
                Err(error) => {
                    tracing::debug!("cannot read the login of a connection: {error}");
                    RETRY_AFTER
                }
            };
            // Either of them: time is over, or there is news.
            let _ = timeout(wait, inbox.login_news()).await;
        }
    }

    async fn step(&self, inbox: &SessionInbox, followed: &mut Followed) -> Result<Next, StoreError> {
        let now_ms = (self.now_ms)();
        let Some(login) = self.accounts.login(inbox.session(), now_ms).await? else { return Ok(Next::Ended) };
        followed.login = Some(login);
        if login.times.ends_at_ms.is_some_and(|ends_at_ms| ends_at_ms <= now_ms) {
            return Ok(Next::Ended);
        }
        let due_at_ms = login.times.check_due_at_ms;
        let is_due = due_at_ms.is_some_and(|due_at_ms| due_at_ms <= now_ms) && self.has_check(&login, now_ms).await?;
        inbox.send_reality_check(if is_due { Some(self.check(&login, now_ms).await?) } else { None });
        let next_announced_ms = self.announce(inbox, &login, now_ms, followed).await?;
        let next = [due_at_ms.filter(|at_ms| *at_ms > now_ms), next_announced_ms, login.times.ends_at_ms];
        Ok(next.into_iter().flatten().min().map_or(Next::Nothing, |at_ms| {
            let ms = at_ms.saturating_sub(now_ms).clamp(1, SLEEP_MS_MAX);
            Next::Wait(Duration::from_millis(ms.unsigned_abs()))
        }))
    }

    /// Announces that the login ends, once for each of [`ANNOUNCED_MS`]. Returns when the next announcement is due.
    async fn announce(
        &self,
        inbox: &SessionInbox,
        login: &Login,
        now_ms: i64,
        followed: &mut Followed,
    ) -> Result<Option<i64>, StoreError> {
        let Some(ends_at_ms) = login.times.ends_at_ms else {
            followed.announced = None;
            return Ok(None);
        };
        let due = ANNOUNCED_MS.into_iter().filter(|before_ms| ends_at_ms.saturating_sub(now_ms) <= *before_ms).min();
        let announcement = due.map(|before_ms| (ends_at_ms, before_ms));
        if announcement.is_some() && announcement != followed.announced {
            inbox.send_session_end(SessionEnd { ends_at_ms, so_far: self.check(login, now_ms).await? });
        }
        followed.announced = announcement;
        let next = ANNOUNCED_MS.into_iter().map(|before_ms| ends_at_ms.saturating_sub(before_ms));
        Ok(next.filter(|at_ms| *at_ms > now_ms).min())
    }

    /// Sends what was staked and returned to all connections of a login that has ended by its limit.
    async fn announce_end(&self, sessions: &Sessions, inbox: &SessionInbox, followed: &Followed) {
        let now_ms = (self.now_ms)();
        let Some(login) = &followed.login else { return };
        let Some(ends_at_ms) = login.times.ends_at_ms.filter(|ends_at_ms| *ends_at_ms <= now_ms) else { return };
        // Without the sums the client says that the login has ended.
        if let Ok(so_far) = self.check(login, ends_at_ms).await {
            for inbox in sessions.connections.of_cookie(inbox.session()) {
                inbox.send_session_end(SessionEnd { ends_at_ms, so_far });
            }
        }
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
