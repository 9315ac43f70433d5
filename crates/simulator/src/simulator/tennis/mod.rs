//! Tennis: points, games, sets and tie-breaks by the rules; best of three, and of five where men play a big tournament.
//!
//! | file | subject |
//! |---|---|
//! | [`game`] | points, and the probability that the server wins a game |
//! | [`set`] | games, and the probabilities of a set |
//! | [`model`] | the tournament's rules, and the probabilities of a match |
//! | [`play`] | the match, point by point |
//! | `markets` | the markets that only tennis has |
//!
//! If a player gives up, the other one wins, provided that a set has been finished. All other undecided markets are
//! void.

pub mod game;
mod markets;
pub mod model;
pub mod play;
pub mod set;

use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use play::TennisPlay;

/// Tennis.
#[derive(Debug)]
pub struct Tennis;

/// The sport.
pub static TENNIS: Tennis = Tennis;

impl Sport for Tennis {
    fn profile(&self) -> &'static Profile {
        &catalogue::TENNIS.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(TennisPlay::new(&pairing, random))
    }
}
