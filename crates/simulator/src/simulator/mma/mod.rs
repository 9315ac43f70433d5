//! Mixed martial arts: three or five rounds of five minutes with a minute between them. A step is ten seconds.
//!
//! | file | subject |
//! |---|---|
//! | `fight` | which fighter is in control, and the outcomes of a round |
//! | `judges` | how three judges score the rounds |
//! | `outlook` | the probabilities of all endings of a bout |
//! | `play` | a bout: its rules and record |
//! | `markets` | its markets and their results |

mod fight;
mod judges;
mod markets;
mod outlook;
mod play;

use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use play::Bout;

/// The sport.
pub static MMA: MmaSport = MmaSport;

/// Mixed martial arts.
#[derive(Debug)]
pub struct MmaSport;

impl Sport for MmaSport {
    fn profile(&self) -> &'static Profile {
        &catalogue::MMA.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Bout::new(pairing, random))
    }
}
