//! Twenty20 cricket: two innings of 120 balls and ten wickets, a target, and super overs if the runs are equal. A step
//! is a ball.
//!
//! | file | subject |
//! |---|---|
//! | `balls` | the outcomes of a ball, by balls left and wickets down |
//! | `scoring` | runs, wickets, fours and sixes in the rest of an innings |
//! | `over` | the rest of an over, and super overs |
//! | `play` | a match: its rules and record |
//! | `markets` | its markets and their results |
//! | `lines` | the lines of an over, and ranges of runs |

mod balls;
mod lines;
mod markets;
mod over;
mod play;
mod scoring;

use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use play::Cricket;

/// The sport.
pub static CRICKET: CricketSport = CricketSport;

/// Cricket.
#[derive(Debug)]
pub struct CricketSport;

impl Sport for CricketSport {
    fn profile(&self) -> &'static Profile {
        &catalogue::CRICKET.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Cricket::new(pairing, random))
    }
}
