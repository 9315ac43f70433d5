//! The kinds of markets of sports with points and sets: those of all sports with sets, and four more about each set.
//! Indexes must never change, because bets refer to them.

use super::super::sets::kinds::{Blocks, in_match, in_set as common};

/// Indexes of the kinds about a set, after those of [`common`].
pub mod in_set {
    use super::common;
    /// The first side to reach a number of points.
    pub const FIRST_TO: u16 = common::KINDS;
    /// Whether both come within a point of the target.
    pub const EXTRA: u16 = common::KINDS + 1;
    /// The winner of a point, by its number.
    pub const POINT: u16 = common::KINDS + 2;
    /// The winning margin in points.
    pub const MARGIN: u16 = common::KINDS + 3;
    /// How many kinds a set has.
    pub const KINDS: u16 = common::KINDS + 4;
}

/// The position of the kinds about sets in the table.
pub const BLOCKS: Blocks = Blocks { first: in_match::KINDS, kinds: in_set::KINDS };

/// How many points ahead a set is won, home's first: up to 2, up to 4, up to 6, more.
pub fn margin_place([home, away]: [u8; 2]) -> u16 {
    let by = match home.abs_diff(away) {
        0..=2 => 0,
        3..=4 => 1,
        5..=6 => 2,
        _ => 3,
    };
    if home > away { by } else { 4 + by }
}
