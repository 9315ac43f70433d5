//! The kinds of markets of tennis: those of all sports with sets, six more about the match and ten more about each set.
//! Indexes must never change, because bets refer to them.
//!
//! | numbers | kinds |
//! |---|---|
//! | 30, 31 | games of home, of away |
//! | 32 to 35 | a tie-break, number of tie-breaks, a set to nil, next point |
//! | 104 to 108 | of the first set: score, a tie-break, winner of a game, its score, whether it comes to deuce |
//! | 109 to 113 | of the first set: winner of the tie-break, its points, games of home, of away, race to games |
//! | 204 … | of the second set … |

use super::super::sets::kinds::{Blocks, in_match as common_match, in_set as common};

/// Indexes of the kinds about the match, after the common ones.
pub mod in_match {
    use super::common_match;
    /// How many games home has.
    pub const HOME_GAMES: u16 = common_match::KINDS;
    /// How many games away has.
    pub const AWAY_GAMES: u16 = common_match::KINDS + 1;
    /// Whether there is a tie-break.
    pub const TIE_BREAK: u16 = common_match::KINDS + 2;
    /// How many tie-breaks there are.
    pub const TIE_BREAKS: u16 = common_match::KINDS + 3;
    /// Whether a set is won to nil.
    pub const TO_NIL: u16 = common_match::KINDS + 4;
    /// The winner of a point, by its number in the match.
    pub const POINT: u16 = common_match::KINDS + 5;
    /// How many kinds are about the match.
    pub const KINDS: u16 = common_match::KINDS + 6;
}

/// Indexes of the kinds about a set, after the common ones.
pub mod in_set {
    use super::common;
    /// The set's score.
    pub const SCORE: u16 = common::KINDS;
    /// Whether it has a tie-break.
    pub const TIE_BREAK: u16 = common::KINDS + 1;
    /// The winner of a game, by its number.
    pub const GAME: u16 = common::KINDS + 2;
    /// The winner of the game, and the loser's points.
    pub const GAME_SCORE: u16 = common::KINDS + 3;
    /// Whether it comes to deuce.
    pub const DEUCE: u16 = common::KINDS + 4;
    /// The winner of the tie-break.
    pub const TIE_BREAK_WINNER: u16 = common::KINDS + 5;
    /// How many points the tie-break has.
    pub const TIE_BREAK_POINTS: u16 = common::KINDS + 6;
    /// How many games home has.
    pub const HOME_GAMES: u16 = common::KINDS + 7;
    /// How many games away has.
    pub const AWAY_GAMES: u16 = common::KINDS + 8;
    /// The first player with a number of games.
    pub const FIRST_TO: u16 = common::KINDS + 9;
    /// How many kinds a set has.
    pub const KINDS: u16 = common::KINDS + 10;
}

/// The position of the kinds about sets in the table.
pub const BLOCKS: Blocks = Blocks { first: in_match::KINDS, kinds: in_set::KINDS };
