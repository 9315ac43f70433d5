//! What a login and a logout do to sessions: the account receives the anonymous ticket, and connections under the old
//! cookie must reconnect with the new one. Called through [`SessionEvents`]; it must not fail a login because a session
//! cannot be reached.

use super::{SessionEvents, SessionFuture};
use crate::actors::session::sessions::Sessions;
use kvota_domain::session::SessionId;
use kvota_store::AccountId;
use kvota_store::nodes::SessionKey;

impl SessionEvents for Sessions {
    fn logged_in(&self, old: Option<SessionId>, _: SessionId, account: AccountId) -> SessionFuture<'_> {
        Box::pin(async move {
            let Some(old) = old else { return };
            if self.merge(old, account).await.is_err() {
                tracing::warn!(session = ?old, "a login could not bring the anonymous ticket along");
            }
        })
    }

    fn logged_out(&self, cookie: SessionKey) -> SessionFuture<'_> {
        Box::pin(self.end(cookie))
    }
}
