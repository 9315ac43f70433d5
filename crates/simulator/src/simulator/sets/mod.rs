//! Shared by all matches that are won by sets, whether a set is played for games or for points.
//!
//! | file | subject |
//! |---|---|
//! | [`race`] | a race for points that must be won by two: a set of volleyball, a tie-break |
//! | [`tree`] | the probabilities of the sets that have not begun |
//! | [`record`] | the scores so far, and the answers that they decide |
//! | [`kinds`] | the kinds of markets that all of them have |
//! | [`markets`] | the prices of these |
//!
//! Used by [`super::tennis`] and the sports of [`super::rally`]. It must never know which sport it is.

pub mod kinds;
pub mod markets;
pub mod race;
pub mod record;
pub mod tree;

/// Sides are 0, home, and 1, away: the other one.
pub const fn other(side: usize) -> usize {
    1 - side
}
