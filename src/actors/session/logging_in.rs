//! A login moves an anonymous session into the account's session: at once, or when the store answers again. Called by the SessionsActor. Must not lose a ticket in a crash between two steps.

use super::registry::SessionRegistry;
use super::session_actor::{HandOver, MergeIn};
use super::sessions::Unreachable;
use super::store_line::with_timeout;
use crate::actors::limits::IDENTIFY_AT_ONCE_MAX;
use futures_util::future::join_all;
use kvota_domain::session::SessionId;
use kvota_store::nodes::{Change, SessionKey};
use kvota_store::{AccountId, SessionOwner, StoreError};
use std::rc::Rc;

/// Saves into the account first and deletes the anonymous session second, so that no crash in between loses the ticket.
pub(super) async fn merge(
    registry: Rc<SessionRegistry>,
    anonymous: SessionId,
    account: AccountId,
) -> Result<(), Unreachable> {
    let owner = SessionOwner::Anonymous(anonymous);
    let given = registry.find_or_start(owner).send(HandOver).await.ok().flatten().ok_or(Unreachable)?;
    if !given.ticket.pairs.is_empty() || !given.favourites.is_empty() {
        let of_account = registry.find_or_start(SessionOwner::Account(account));
        if !of_account.send(MergeIn(given)).await.unwrap_or(false) {
            return Err(Unreachable);
        }
    }
    if let Err(error) = registry.store().delete(owner).await {
        // Harmless: no cookie refers to it any more, and the store deletes it when it expires.
        tracing::warn!(%error, "an anonymous session could not be deleted after the login");
    }
    registry.parts.nodes.send(Change::Session(SessionKey::of_owner(owner)));
    registry.end(SessionKey::of_cookie(anonymous));
    Ok(())
}

/// Checks uncertain cookies again, `IDENTIFY_AT_ONCE_MAX` at a time, because the store may have just recovered.
pub(super) async fn identify_cookies(registry: Rc<SessionRegistry>, unidentified: Vec<SessionId>) {
    for slice in unidentified.chunks(IDENTIFY_AT_ONCE_MAX) {
        let answers = join_all(slice.iter().map(|session| identify_one(&registry, *session))).await;
        if answers.iter().any(Result::is_err) {
            // The store is still failing. The remaining cookies stay uncertain until the next interval.
            return;
        }
    }
}

async fn identify_one(registry: &Rc<SessionRegistry>, session: SessionId) -> Result<(), StoreError> {
    let login = with_timeout(registry.parts.accounts.login(session, (registry.parts.now_ms)())).await?;
    registry.mark_identified(session);
    if let Some(login) = login
        && merge(Rc::clone(registry), session, login.account).await.is_err()
    {
        registry.end(SessionKey::of_cookie(session));
    }
    Ok(())
}
