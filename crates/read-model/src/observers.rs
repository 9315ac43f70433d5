//! Match observers: callbacks for every change of some matches. A bet in its delay needs all changes, also those that
//! are undone before its last validation. Observers run on the thread of the writer, after the change, in the order of
//! the changes of each match. Without observers a change costs one atomic read.
//!
//! Observers must not block. The lock of the table is not held while one runs.

use super::{MatchEntry, OfferSnapshot, ReadModel};
use kvota_domain::ids::MatchId;
use kvota_domain::ticket::{FeedHealth, OfferView};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A match observer. Must not wait or panic.
pub trait MatchObserver: Send + Sync {
    /// A change. With a match: it changed, or it was removed and is not in the snapshot. Without a match: the feed is
    /// not active.
    fn on_change(&self, what: Option<MatchId>, snapshot: &OfferSnapshot);

    /// The feed is active again. Matches may have changed meanwhile.
    fn on_feed_active(&self) {}
}

type Table = HashMap<MatchId, Vec<Arc<dyn MatchObserver>>>;

/// All observers.
#[derive(Default)]
pub(super) struct MatchObservers {
    count: AtomicUsize,
    of_match: Mutex<Table>,
}

/// The observer guard: dropping it removes the observer.
pub struct ObserverGuard {
    model: Arc<ReadModel>,
    ids: Vec<MatchId>,
    observer: Arc<dyn MatchObserver>,
}

impl MatchObservers {
    fn begin(&self, ids: &[MatchId], observer: &Arc<dyn MatchObserver>) {
        let mut of_match = self.lock();
        for id in ids {
            of_match.entry(*id).or_default().push(Arc::clone(observer));
        }
        self.count.store(of_match.len(), Ordering::SeqCst);
    }

    fn end(&self, ids: &[MatchId], observer: &Arc<dyn MatchObserver>) {
        let mut of_match = self.lock();
        for id in ids {
            if let Some(all) = of_match.get_mut(id) {
                all.retain(|other| !Arc::ptr_eq(other, observer));
                if all.is_empty() {
                    of_match.remove(id);
                }
            }
        }
        self.count.store(of_match.len(), Ordering::SeqCst);
    }

    /// The observers of a match, or of all matches if `what` is `None`; each once.
    fn concerned(&self, what: Option<MatchId>) -> Vec<Arc<dyn MatchObserver>> {
        if self.count.load(Ordering::SeqCst) == 0 {
            return Vec::new();
        }
        let of_match = self.lock();
        let Some(id) = what else {
            let mut all: Vec<Arc<dyn MatchObserver>> = of_match.values().flatten().cloned().collect();
            all.sort_unstable_by_key(|observer| Arc::as_ptr(observer).cast::<()>());
            all.dedup_by(|one, other| Arc::ptr_eq(one, other));
            return all;
        };
        of_match.get(&id).cloned().unwrap_or_default()
    }

    /// No code panics while it holds the lock, so the table of a poisoned lock is intact.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.of_match.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReadModel {
    /// Calls `observer` for every change of these matches, until the guard is dropped. `ids` must not contain
    /// duplicates.
    pub fn watch(self: &Arc<Self>, ids: Vec<MatchId>, observer: Arc<dyn MatchObserver>) -> ObserverGuard {
        self.observers.begin(&ids, &observer);
        ObserverGuard { model: Arc::clone(self), ids, observer }
    }

    /// Notifies the observers of a match that it changed or was removed.
    pub(super) fn notify_match_observers(&self, id: MatchId, entry: Option<&Arc<MatchEntry>>) {
        let concerned = self.observers.concerned(Some(id));
        if !concerned.is_empty() {
            let snapshot = OfferSnapshot::with_match(self, id, entry);
            concerned.iter().for_each(|observer| observer.on_change(Some(id), &snapshot));
        }
    }

    /// Notifies all observers of the state of the feed.
    pub(super) fn notify_feed_observers(&self) {
        if self.feed() == FeedHealth::Active {
            return self.observers.concerned(None).iter().for_each(|observer| observer.on_feed_active());
        }
        let snapshot = OfferSnapshot::without_matches(self);
        self.observers.concerned(None).iter().for_each(|observer| observer.on_change(None, &snapshot));
    }
}

impl Drop for ObserverGuard {
    fn drop(&mut self) {
        self.model.observers.end(&self.ids, &self.observer);
    }
}

impl fmt::Debug for MatchObservers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchObservers").field("matches", &self.count).finish_non_exhaustive()
    }
}

impl fmt::Debug for ObserverGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObserverGuard").field("ids", &self.ids).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::lang::Lang;
    use kvota_domain::offer_event::FeedState;

    #[derive(Default)]
    struct Notes(Mutex<Vec<(Option<u64>, FeedHealth)>>);

    impl MatchObserver for Notes {
        fn on_change(&self, what: Option<MatchId>, snapshot: &OfferSnapshot) {
            self.0.lock().unwrap().push((what.map(MatchId::get), snapshot.feed()));
        }
    }

    #[test]
    fn observer_sees_its_matches_and_feed_failures_until_its_guard_is_dropped() {
        let model = Arc::new(ReadModel::new(Lang::Hr, 1));
        model.set_feed(Lang::Hr, FeedState::Active);
        let id = |number| MatchId::new(number).unwrap();
        let (one, other) = (Arc::<Notes>::default(), Arc::<Notes>::default());
        let guard = model.watch(vec![id(1), id(2)], one.clone());
        let shorter = model.watch(vec![id(2)], other.clone());
        model.remove_match(id(1));
        model.remove_match(id(2));
        model.remove_match(id(3));
        drop(shorter);
        model.remove_match(id(2));
        model.set_feed(Lang::Hr, FeedState::Recovering);
        model.set_feed(Lang::Hr, FeedState::Active);
        drop(guard);
        model.clear();
        let (active, recovering) = (FeedHealth::Active, FeedHealth::Recovering);
        let noted = |notes: &Notes| notes.0.lock().unwrap().clone();
        let of_one = [(Some(1), active), (Some(2), active), (Some(2), active), (None, recovering)];
        assert_eq!(noted(&one), of_one);
        assert_eq!(noted(&other), [(Some(2), active)]);
        assert!(model.observers.lock().is_empty());
    }
}
