//! The matches that do not agree with the feed because an update could not be applied, for operators: they are counted and
//! named. Must not decide whether a match can be bet on: its state does.

use kvota_domain::ids::MatchId;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// See the head of this file. At most as many as the feed has matches.
#[derive(Debug, Default)]
pub(super) struct UnappliedMatches(Mutex<BTreeSet<MatchId>>);

impl UnappliedMatches {
    pub(super) fn add(&self, id: MatchId) {
        let mut ids = self.lock();
        ids.insert(id);
        count(&ids);
    }

    pub(super) fn remove(&self, id: MatchId) {
        let mut ids = self.lock();
        if ids.remove(&id) {
            count(&ids);
        }
    }

    pub(super) fn clear(&self) {
        let mut ids = self.lock();
        ids.clear();
        count(&ids);
    }

    /// All of them, ascending.
    pub(super) fn all(&self) -> Vec<MatchId> {
        self.lock().iter().copied().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<MatchId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count(ids: &BTreeSet<MatchId>) {
    metrics::gauge!("kvota_feed_unapplied_matches").set(ids.len() as f64);
}
