//! Simulated soccer: goals, corners and cards come at the rates that [`crate::soccer`] expects, so that simulated and
//! recorded matches share markets and columns. `play` is the state machine; `crate::soccer::verdicts` decides the
//! markets. Once its expected length is nearly over, a half is equally likely to end at any moment, as in the model.

mod play;

use super::names::is_cup;
use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::catalogue;
use crate::soccer::strengths::rates_of_skills;
use play::SoccerPlay;

/// Soccer.
pub static SOCCER: Soccer = Soccer;

/// See [`SOCCER`].
#[derive(Debug)]
pub struct Soccer;

impl Sport for Soccer {
    fn profile(&self) -> &'static Profile {
        &catalogue::SOCCER.profile
    }

    fn begin(&self, pairing: Pairing, _: &mut Random) -> Box<dyn Play> {
        let is_cup = is_cup(self.profile().id, pairing.tournament);
        Box::new(SoccerPlay::new(rates_of_skills(pairing.strengths, is_cup), is_cup))
    }
}

#[cfg(test)]
mod tests {
    use crate::simulator::sports::find;
    use crate::soccer::sport::soccer;
    use kvota_domain::lang::Lang;

    #[test]
    fn simulated_and_recorded_soccer_are_one_sport() {
        let entry = find("soccer").expect("a sport of the table");
        for lang in Lang::ALL {
            assert_eq!(entry.patch[lang], soccer(lang));
        }
    }
}
