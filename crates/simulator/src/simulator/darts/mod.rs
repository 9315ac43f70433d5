//! Darts: 501 with a double to finish. The winner is the first to a number of legs, or of sets of legs. A step is a
//! visit of three darts.
//!
//! | file | subject |
//! |---|---|
//! | `throws` | how a player throws, and the probabilities of a leg |
//! | `play` | a match, its record, its markets and their results |

mod maxima;
mod play;
mod throws;

use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use play::Darts;

/// The sport.
pub static DARTS: DartsSport = DartsSport;

/// Darts.
#[derive(Debug)]
pub struct DartsSport;

impl Sport for DartsSport {
    fn profile(&self) -> &'static Profile {
        &catalogue::DARTS.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Darts::new(pairing, random))
    }
}
