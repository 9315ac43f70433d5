//! The favourite matches of a session (CONTRACT 3, *favourite*): a bounded set, kept by the session actor beside the
//! ticket. A match that leaves the offer is removed from it.

use super::ids::MatchId;
use crate::limits::FAVOURITES_MAX;
use std::collections::BTreeSet;

/// The favourites of a session, at most [`FAVOURITES_MAX`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Favourites(BTreeSet<MatchId>);

impl Favourites {
    /// The first [`FAVOURITES_MAX`] favourites of a saved list.
    pub fn of(matches: impl IntoIterator<Item = MatchId>) -> Favourites {
        let mut favourites = Favourites::default();
        for match_id in matches {
            favourites.insert(match_id);
        }
        favourites
    }

    /// Whether the match is a favourite.
    pub fn contains(&self, match_id: MatchId) -> bool {
        self.0.contains(&match_id)
    }

    /// The favourites, ascending.
    pub fn iter(&self) -> impl Iterator<Item = MatchId> {
        self.0.iter().copied()
    }

    /// The number of favourites.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no favourites.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the limit is reached.
    pub fn is_full(&self) -> bool {
        self.0.len() >= FAVOURITES_MAX
    }

    /// Adds a match; false if it was there or if the limit is reached.
    pub fn insert(&mut self, match_id: MatchId) -> bool {
        !self.is_full() && self.0.insert(match_id)
    }

    /// Removes a match; false if it was not there.
    pub fn remove(&mut self, match_id: MatchId) -> bool {
        self.0.remove(&match_id)
    }

    /// The favourites after a login (CONTRACT 2): the saved ones, then the anonymous session's until the limit is
    /// reached.
    pub fn merged(saved: Favourites, anonymous: &Favourites) -> Favourites {
        let mut all = saved;
        for match_id in anonymous.iter() {
            all.insert(match_id);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: impl IntoIterator<Item = u64>) -> Favourites {
        Favourites::of(numbers.into_iter().filter_map(MatchId::new))
    }

    #[test]
    fn both_sessions_favourites_are_kept_at_login() {
        assert_eq!(Favourites::merged(ids([3, 1]), &ids([2, 3])), ids([1, 2, 3]));
    }

    #[test]
    fn limit_keeps_saved_favourites_first() {
        let saved = ids(100..1_099);
        assert_eq!(saved.len(), FAVOURITES_MAX - 1);
        let all = Favourites::merged(saved, &ids([1, 2]));
        assert!(all.is_full() && all.contains(MatchId::new(1).unwrap()) && !all.contains(MatchId::new(2).unwrap()));
        assert_eq!(ids(0..2_000).len(), FAVOURITES_MAX);
    }

    #[test]
    fn adding_a_favourite_twice_has_no_effect() {
        let mut favourites = ids([7]);
        let seven = MatchId::new(7).unwrap();
        assert!(!favourites.insert(seven) && !favourites.is_empty());
        assert!(favourites.remove(seven) && !favourites.remove(seven) && favourites.is_empty());
    }
}
