//! What a login and a logout mean to the bettors' sessions: the account gets the anonymous ticket, and whoever was
//! connected under the old cookie has to come back with the new one. Called by the account calls through
//! [`SessionEvents`]; it must never fail a login because a session is out of reach.

use super::{SessionEvents, SessionFuture};
use crate::actors::session::sessions::Sessions;
use crate::domain::session::SessionId;
use crate::store::AccountId;

impl SessionEvents for Sessions {
    fn logged_in(&self, old: Option<SessionId>, _: SessionId, account: AccountId) -> SessionFuture<'_> {
        Box::pin(async move {
            let Some(old) = old else { return };
            if self.merge(old, account).await.is_err() {
                tracing::warn!(session = ?old, "a login could not bring the anonymous ticket along");
            }
        })
    }

    fn logged_out(&self, old: SessionId) -> SessionFuture<'_> {
        Box::pin(self.end(old))
    }
}
