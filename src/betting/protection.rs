//! Limits, exclusions and reality checks of bettors (CONTRACT 9). The store decides whether a bet or a deposit is beyond
//! them; this file changes them, and publishes that they changed.

use crate::betting::bet_events::BetEvents;
use kvota_domain::protection::{Exclusion, LimitChange};
use kvota_domain::session::SessionId;
use kvota_store::{AccountId, CheckAnswer, Protected, ProtectionChange, ProtectionStore, StoreError};
use std::fmt;
use std::sync::Arc;

/// Changes limits and exclusions. Clones share everything.
#[derive(Clone)]
pub struct Protections {
    store: Arc<dyn ProtectionStore>,
    events: BetEvents,
    now_ms: fn() -> i64,
    raise_after_ms: i64,
}

impl Protections {
    /// A higher limit waits for `raise_after_ms`. Changes are published to `events`.
    pub fn new(
        store: Arc<dyn ProtectionStore>,
        events: BetEvents,
        now_ms: fn() -> i64,
        raise_after_ms: i64,
    ) -> Protections {
        Protections { store, events, now_ms, raise_after_ms }
    }

    /// Changes limits.
    ///
    /// # Errors
    /// The store failed.
    pub async fn set_limits(&self, account: AccountId, changes: Vec<LimitChange>) -> Result<Protected, StoreError> {
        self.change(account, ProtectionChange::Limits { changes, raise_after_ms: self.raise_after_ms }).await
    }

    /// Begins an exclusion.
    ///
    /// # Errors
    /// The store failed.
    pub async fn exclude(&self, account: AccountId, exclusion: Exclusion) -> Result<Protected, StoreError> {
        let protected = self.change(account, ProtectionChange::Exclude(exclusion)).await?;
        if matches!(protected, Protected::Stored(_)) {
            tracing::info!(account.id = %account, "{} began", exclusion.kind.code());
        }
        Ok(protected)
    }

    async fn change(&self, account: AccountId, change: ProtectionChange) -> Result<Protected, StoreError> {
        let protected = self.store.protect(account, change, (self.now_ms)()).await?;
        self.events.publish_protection(account);
        Ok(protected)
    }

    /// The reality check of a session is answered, if one is due. Returns whether an account is logged in with the session.
    ///
    /// # Errors
    /// The store failed.
    pub async fn answer_check(&self, session: SessionId) -> Result<bool, StoreError> {
        match self.store.answer_reality_check(session, (self.now_ms)()).await? {
            CheckAnswer::Answered(account) => self.events.publish_protection(account),
            CheckAnswer::NotDue => {}
            CheckAnswer::NoLogin => return Ok(false),
        }
        Ok(true)
    }

    /// The register has answered that the player of this account is excluded: other nodes forget what it said before.
    pub fn blocked(&self, account: AccountId) {
        self.events.publish_blocked_player(account);
    }
}

impl fmt::Debug for Protections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Protections").field("raise_after_ms", &self.raise_after_ms).finish_non_exhaustive()
    }
}
