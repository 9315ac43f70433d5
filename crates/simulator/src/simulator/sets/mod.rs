//! The engine of sets: shared by all matches that are won by sets, whether a set is played for points, games or legs. A
//! match of frames, or of legs alone, is a match of one set.
//!
//! | file | subject |
//! |---|---|
//! | [`race`] | a race for points: a set, or a tie-break |
//! | [`tree`] | the probabilities of the sets that have not begun |
//! | [`record`] | the scores so far, and the answers that they decide |
//! | [`markets`] | the prices of the markets that all of them may have |
//! | [`legs`] | matches of legs or frames |
//!
//! Used by [`super::tennis`], [`super::darts`], [`super::snooker`] and the sports of [`super::rally`]. It must never
//! know which sport it is.

pub mod legs;
pub mod markets;
pub mod race;
pub mod record;
pub mod tree;

/// Sides are 0, home, and 1, away: the other one.
pub const fn other(side: usize) -> usize {
    1 - side
}
