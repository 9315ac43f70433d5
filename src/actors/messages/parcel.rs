//! What the feed says of a match, on its way from the FeedActor to the match's own actor. Made by `sports.rs`, handed on
//! by the SportActor, which looks into it where there is no such actor yet; must never be emptied but by the match.

use crate::domain::feed::{Change, MatchUpdate};
use crate::domain::ids::MatchId;
use std::sync::{Arc, Mutex, PoisonError};

/// A message of a match that is as large as the match. It is not copied for the case that an actor on the way is dead: who
/// sent it still holds it, and sends it again until the match has taken what is in it.
#[derive(Clone, Debug)]
pub struct Parcel {
    id: MatchId,
    change: Change,
    update: Arc<Mutex<Option<MatchUpdate>>>,
}

impl Parcel {
    /// A full one.
    pub fn new(update: MatchUpdate) -> Parcel {
        Parcel { id: update.id(), change: update.change, update: Arc::new(Mutex::new(Some(update))) }
    }

    /// The match it is for.
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// What is to be done with the match.
    pub fn change(&self) -> Change {
        self.change
    }

    /// What is in it, once.
    pub fn take(&self) -> Option<MatchUpdate> {
        self.update.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What is in it, while nobody has taken it.
    pub fn look<T>(&self, look: impl FnOnce(&MatchUpdate) -> T) -> Option<T> {
        self.update.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::feed::Time;
    use crate::domain::ids::SOCCER;
    use crate::domain::matches::Match;

    #[test]
    fn it_is_taken_once_whoever_holds_it() {
        let id = MatchId::new(17).unwrap();
        let update = MatchUpdate { change: Change::Update, live_match: Match::empty(id, SOCCER), time: Time::None };
        let parcel = Parcel::new(update.clone());
        let kept = parcel.clone();
        assert_eq!((kept.id(), kept.change()), (id, Change::Update));
        assert_eq!(parcel.look(MatchUpdate::clone), Some(update.clone()));
        assert_eq!(parcel.take(), Some(update));
        assert_eq!((kept.take(), kept.look(|_| ())), (None, None));
    }
}
