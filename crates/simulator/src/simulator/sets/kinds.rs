//! The kinds of markets of all sports with sets. A sport's table has first the kinds about the match, then the sport's
//! own kinds, then the kinds for each set; it is built from the rows here. Indexes must never change, because bets
//! refer to them.
//!
//! | numbers | kinds |
//! |---|---|
//! | 18 | total of points or games |
//! | 20 to 23 | winner, score in sets, total of sets, handicap in sets |
//! | 24 to 29 | handicap in points or games, odd or even, home and away win a set, first set and match, number of sets |
//! | 30 and up | the sport's own |
//! | 100 to 103 | of the first set: winner, total, handicap, odd or even; from 104 the sport's own |
//! | 200 to 203 … | of the second set … |

/// Indexes of the kinds about the match.
pub mod in_match {
    /// The winner of the match.
    pub const WINNER: u16 = 0;
    /// The score in sets.
    pub const SET_SCORE: u16 = 1;
    /// How many sets.
    pub const SETS: u16 = 2;
    /// The handicap in sets.
    pub const SET_HANDICAP: u16 = 3;
    /// How many points or games.
    pub const TOTAL: u16 = 4;
    /// The side with more of them, after a handicap.
    pub const HANDICAP: u16 = 5;
    /// Whether their number is odd.
    pub const ODD_EVEN: u16 = 6;
    /// Whether home wins a set.
    pub const HOME_SET: u16 = 7;
    /// Whether away wins a set.
    pub const AWAY_SET: u16 = 8;
    /// The winners of the first set and of the match.
    pub const FIRST_AND_MATCH: u16 = 9;
    /// How many sets exactly.
    pub const EXACT_SETS: u16 = 10;
    /// How many these are.
    pub const KINDS: u16 = 11;
}

/// Indexes of the kinds about a set, within the kinds of that set.
pub mod in_set {
    /// The winner of the set.
    pub const WINNER: u16 = 0;
    /// How many points or games it has.
    pub const TOTAL: u16 = 1;
    /// The side with more of them, after a handicap.
    pub const HANDICAP: u16 = 2;
    /// Whether their number is odd.
    pub const ODD_EVEN: u16 = 3;
    /// How many these are.
    pub const KINDS: u16 = 4;
}

/// The position of the kinds about sets in a sport's table.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The first set's first kind.
    pub first: u16,
    /// How many kinds a set has.
    pub kinds: u16,
}

impl Blocks {
    /// A kind of a set, from 0.
    pub const fn place(&self, set: usize, kind: u16) -> u16 {
        self.first + set as u16 * self.kinds + kind
    }

    /// The set and the kind at an index; `None` if it is a kind about the match.
    pub fn find(&self, place: u16) -> Option<(usize, u16)> {
        let within = place.checked_sub(self.first)?;
        Some((usize::from(within / self.kinds), within % self.kinds))
    }
}
