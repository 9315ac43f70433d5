//! A pending update: the content of a feed message for one match, which can be taken once. Made by `sports.rs`, passed
//! on by the SportActor, taken by the MatchActor. The SportActor only reads it, to insert a new match or to keep texts.

use kvota_domain::feed::{Change, MatchUpdate};
use kvota_domain::ids::MatchId;
use std::sync::{Arc, Mutex, PoisonError};

/// A pending update of one match. Clones share the content. So the sender can repeat a command after a panic without
/// having copied the update, which is as large as the match.
#[derive(Clone, Debug)]
pub struct PendingUpdate {
    id: MatchId,
    change: Change,
    update: Arc<Mutex<Option<MatchUpdate>>>,
}

impl PendingUpdate {
    /// A pending update with its content.
    pub fn new(update: MatchUpdate) -> PendingUpdate {
        PendingUpdate { id: update.id(), change: update.change, update: Arc::new(Mutex::new(Some(update))) }
    }

    /// The match it is for.
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// INSERT, UPDATE or DELETE.
    pub fn change(&self) -> Change {
        self.change
    }

    /// Takes the content. `None` if it was taken before.
    pub fn take(&self) -> Option<MatchUpdate> {
        self.update.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Reads the content. `None` if it was taken before.
    pub fn read<T>(&self, read: impl FnOnce(&MatchUpdate) -> T) -> Option<T> {
        self.update.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::feed::Time;
    use kvota_domain::ids::SOCCER;
    use kvota_domain::matches::Match;

    #[test]
    fn pending_update_can_be_taken_once_across_clones() {
        let id = MatchId::new(17).unwrap();
        let update =
            MatchUpdate { change: Change::Update, live_match: Match::empty(id, SOCCER), time: Time::None, texts: None };
        let pending_update = PendingUpdate::new(update.clone());
        let kept = pending_update.clone();
        assert_eq!((kept.id(), kept.change()), (id, Change::Update));
        assert_eq!(pending_update.read(MatchUpdate::clone), Some(update.clone()));
        assert_eq!(pending_update.take(), Some(update));
        assert_eq!((kept.take(), kept.read(|_| ())), (None, None));
    }
}
