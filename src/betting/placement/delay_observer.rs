//! Observes the matches of one bet during its in-play delay and keeps the first reason to reject it. So a bet stop
//! rejects the bet even if betting resumes before the delay ends (CONTRACT 4, *In-play delay*). The read model calls it
//! for each change. Must never block, because the change waits for it.

use kvota_domain::ids::MatchId;
use kvota_domain::ticket::{Checked, Rejection, revalidate_during_delay};
use kvota_read_model::{MatchObserver, OfferSnapshot};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The match observer of one bet.
pub(super) struct DelayObserver {
    checked: Checked,
    rejection: Mutex<Option<Rejection>>,
}

impl DelayObserver {
    /// An observer that has seen no reason yet.
    pub(super) fn of(checked: Checked) -> DelayObserver {
        DelayObserver { checked, rejection: Mutex::default() }
    }

    /// The first reason to reject the bet, if there is one.
    pub(super) fn rejection(&self) -> Option<Rejection> {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Rejection>> {
        self.rejection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatchObserver for DelayObserver {
    fn on_change(&self, what: Option<MatchId>, snapshot: &OfferSnapshot) {
        // The first reason counts, so later changes need no validation.
        if self.rejection().is_some() {
            return;
        }
        if let Err(rejection) = revalidate_during_delay(&self.checked, what, snapshot) {
            self.lock().get_or_insert(rejection);
        }
    }
}
