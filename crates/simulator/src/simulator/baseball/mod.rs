//! Baseball: nine innings of two halves, played by plate appearances. The last half-inning is not played if home leads,
//! and ends as soon as home leads. Extra innings are played until one side leads, in some tournaments with a runner on
//! second base.
//!
//! | file | subject |
//! |---|---|
//! | [`chain`] | a half-inning as a chain of bases and outs, and its runs |
//! | [`game`] | the state machine |
//! | [`outlook`] | the probabilities of the rest of the match |
//! | [`markets`] | book and results |

pub mod chain;
pub mod game;
pub mod markets;
pub mod outlook;

use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use crate::pricing::maths::exp;
use crate::simulator::random::Random;
use game::{Game, Shape};

/// The sport.
#[derive(Debug)]
pub struct Baseball;

/// What playing at home is worth to the batters, as a logarithm.
const HOME: f64 = 0.01;
/// The effect on batting if a side is stronger by one.
const STRONGER: f64 = 0.03;

impl Sport for Baseball {
    fn profile(&self) -> &'static Profile {
        &catalogue::BASEBALL.profile
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        let [home, away] = pairing.strengths;
        let edge = STRONGER * (home - away) + HOME;
        let level = random.between(0.94, 1.06);
        // Three of four tournaments begin extra innings with a runner on second.
        let with_runner = pairing.tournament % 4 < 3;
        Box::new(Game::new(Shape::new([level * exp(edge), level * exp(-edge)], with_runner)))
    }
}
