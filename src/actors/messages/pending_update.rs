//! A pending update: the content of a feed message for one match. Made by `sport_router.rs`, passed on by the SportActor,
//! taken by the MatchActor, which reports when it is applied. An update that was taken and not applied is lost, and must
//! never count as applied.

use kvota_domain::feed::{Change, MatchUpdate};
use kvota_domain::ids::MatchId;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A pending update of one match. Clones share the content. So the sender can repeat a command after a panic without
/// having copied the update, which is as large as the match.
#[derive(Clone, Debug)]
pub struct PendingUpdate {
    id: MatchId,
    change: Change,
    content: Arc<Mutex<Content>>,
}

#[derive(Debug)]
enum Content {
    Waiting(Box<MatchUpdate>),
    /// An actor is applying it, or died while it did.
    Taken,
    Applied,
}

/// What [`PendingUpdate::take`] found.
#[derive(PartialEq, Debug)]
pub enum Taken {
    /// The content, to be applied.
    Update(Box<MatchUpdate>),
    /// It has been applied before.
    Applied,
    /// It was taken before and not applied: the actor that took it died.
    Lost,
}

impl PendingUpdate {
    /// A pending update with its content.
    pub fn new(update: MatchUpdate) -> PendingUpdate {
        let (id, change) = (update.id(), update.change);
        PendingUpdate { id, change, content: Arc::new(Mutex::new(Content::Waiting(Box::new(update)))) }
    }

    /// The match it is for.
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// INSERT, UPDATE or DELETE.
    pub fn change(&self) -> Change {
        self.change
    }

    /// Takes the content, unless it was taken before.
    pub fn take(&self) -> Taken {
        let mut content = self.lock();
        match std::mem::replace(&mut *content, Content::Taken) {
            Content::Waiting(update) => Taken::Update(update),
            Content::Taken => Taken::Lost,
            Content::Applied => {
                *content = Content::Applied;
                Taken::Applied
            }
        }
    }

    /// The update is applied completely: a repeated command has nothing to do.
    pub fn applied(&self) {
        *self.lock() = Content::Applied;
    }

    /// Reads the content. `None` if it was taken before.
    pub fn read<T>(&self, read: impl FnOnce(&MatchUpdate) -> T) -> Option<T> {
        match &*self.lock() {
            Content::Waiting(update) => Some(read(update)),
            Content::Taken | Content::Applied => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::feed::Time;
    use kvota_domain::ids::SOCCER;
    use kvota_domain::matches::Match;

    #[test]
    fn update_that_was_taken_is_lost_until_it_is_applied() {
        let id = MatchId::new(17).unwrap();
        let update =
            MatchUpdate { change: Change::Update, live_match: Match::empty(id, SOCCER), time: Time::None, texts: None };
        let pending_update = PendingUpdate::new(update.clone());
        let kept = pending_update.clone();
        assert_eq!((kept.id(), kept.change()), (id, Change::Update));
        assert_eq!(pending_update.read(MatchUpdate::clone), Some(update.clone()));
        assert_eq!(pending_update.take(), Taken::Update(Box::new(update)));
        assert_eq!((kept.take(), kept.take(), kept.read(|_| ())), (Taken::Lost, Taken::Lost, None));
        pending_update.applied();
        assert_eq!((kept.take(), kept.take(), kept.read(|_| ())), (Taken::Applied, Taken::Applied, None));
    }
}
