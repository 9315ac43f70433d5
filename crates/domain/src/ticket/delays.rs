//! The in-play delay before the final validation of a bet (CONTRACT 4, *In-play delay*): configuration data. Must not
//! wait itself; the placement does.

use crate::ids::SportId;
use std::collections::BTreeMap;

/// In-play delays by sport, in seconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Delays {
    /// Default for sports without an entry, in seconds.
    pub default_seconds: u32,
    /// Delays of single sports, in seconds.
    pub by_sport: BTreeMap<SportId, u32>,
}

impl Delays {
    /// The longest delay of any sport, in seconds.
    pub fn longest(&self) -> u32 {
        self.by_sport.values().copied().max().unwrap_or(0).max(self.default_seconds)
    }

    /// The longest delay of these sports, in seconds; 0 for none.
    pub fn slowest(&self, sports: impl IntoIterator<Item = SportId>) -> u32 {
        let of_sport = |sport| self.by_sport.get(&sport).copied().unwrap_or(self.default_seconds);
        sports.into_iter().map(of_sport).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sport(id: u64) -> SportId {
        SportId::new(id).unwrap()
    }

    #[test]
    fn longest_delay_applies() {
        let delays = Delays { default_seconds: 5, by_sport: [(sport(1), 8), (sport(2), 0)].into() };
        assert_eq!(delays.longest(), 8);
        for (sports, seconds) in [(&[1, 2][..], 8), (&[2], 0), (&[2, 3], 5), (&[], 0)] {
            assert_eq!(delays.slowest(sports.iter().map(|id| sport(*id))), seconds, "{sports:?}");
        }
    }
}
