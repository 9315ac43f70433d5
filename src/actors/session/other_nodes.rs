//! What other nodes did to the sessions and cookies of this node's connections (CONTRACT 11). Called by `server/nodes.rs`. Must not
//! change a session: the session actor loads what another node saved.

use super::sessions::{NoticesMissed, SavedElsewhere, Sessions};
use super::store_line::with_timeout;
use crate::actors::limits::IDENTIFY_AT_ONCE_MAX;
use futures_util::future::join_all;
use kvota_domain::protection::LoginTimes;
use kvota_domain::session::SessionId;
use kvota_store::nodes::SessionKey;
use kvota_store::{SessionOwner, StoreError};
use std::time::Duration;

/// How often the owners of cookies are asked for while the store fails, before their connections are closed.
const COOKIE_CHECKS_MAX: u32 = 10;

impl Sessions {
    /// Another node saved the ticket or the favourites of a session.
    pub async fn saved_elsewhere(&self, key: SessionKey) {
        // A SessionsActor that is being restarted has no outdated session: its sessions load when they start.
        let _ = self.finder.address().send(SavedElsewhere(key)).await;
    }

    /// Another node ended a cookie: closes its connections with 1012.
    pub fn cookie_ended_elsewhere(&self, key: &SessionKey) {
        self.connections.end(key);
    }

    /// Notices of other nodes may have been lost: sessions and bets are read again, and connections are closed if their
    /// cookie was logged in or out meanwhile.
    pub async fn notices_missed(&self) {
        let _ = self.finder.address().send(NoticesMissed).await;
        let mut left = self.connections.cookies();
        for _ in 0..COOKIE_CHECKS_MAX {
            let mut failed = Vec::new();
            for slice in left.chunks(IDENTIFY_AT_ONCE_MAX) {
                let checks = slice.iter().map(|(owner, session)| self.close_if_changed(*owner, *session));
                let answers = join_all(checks).await;
                failed.extend(slice.iter().zip(answers).filter(|(_, answer)| answer.is_err()).map(|(held, _)| *held));
            }
            left = failed;
            if left.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        // The store fails. Their clients reconnect and are identified then.
        left.iter().for_each(|(_, session)| self.connections.of_cookie(*session).iter().for_each(|inbox| inbox.end()));
    }

    async fn close_if_changed(&self, owner: SessionOwner, session: SessionId) -> Result<(), StoreError> {
        let login = with_timeout(self.accounts.login(session, (self.now_ms)())).await?;
        if login.is_some_and(|login| login.times != LoginTimes::default()) {
            self.connections.of_cookie(session).into_iter().for_each(|inbox| self.follow_login(inbox));
        }
        if login.map_or(SessionOwner::Anonymous(session), |login| SessionOwner::Account(login.account)) != owner {
            self.connections.of_cookie(session).iter().for_each(|inbox| inbox.end());
        }
        Ok(())
    }
}
