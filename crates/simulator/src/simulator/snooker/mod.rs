//! Snooker: the first to a number of frames. A step is a shot, or the safety play that ends a visit. A frame is
//! conceded once the player behind can no longer catch up.
//!
//! | file | subject |
//! |---|---|
//! | `breaks` | how a player pots, and how a visit may end |
//! | `frame_chances` | the probabilities of a frame of two players |
//! | `play` | a match: its rules and record |
//! | `markets` | its markets and their results |

mod breaks;
mod frame_chances;
mod markets;
mod play;

use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use play::Snooker;

/// The sport.
pub static SNOOKER: SnookerSport = SnookerSport;

/// Snooker.
#[derive(Debug)]
pub struct SnookerSport;

impl Sport for SnookerSport {
    fn profile(&self) -> &'static Profile {
        &catalogue::SNOOKER.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Snooker::new(pairing, random))
    }
}
