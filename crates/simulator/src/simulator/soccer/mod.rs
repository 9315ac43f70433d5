//! Simulated soccer: goals, corners and cards come at the rates that [`crate::soccer`] expects, so that simulated and
//! recorded matches share markets and columns. `play` is the state machine; `crate::soccer::verdicts` decides the
//! markets. Once its expected length is nearly over, a half is equally likely to end at any moment, as in the model.

mod play;

use super::names::{Entrants, is_cup};
use super::random::Random;
use super::sport::{Pairing, Play, Profile, Sport};
use crate::soccer::kinds::{Kind, SPECS};
use crate::soccer::sport::{COLUMNS, ORDER};
use crate::soccer::strengths::rates_of_skills;
use crate::soccer::texts::SOCCER as NAME;
use play::SoccerPlay;

/// Soccer.
pub static SOCCER: Soccer = Soccer;

/// See [`SOCCER`].
#[derive(Debug)]
pub struct Soccer;

const PROFILE: Profile = Profile {
    id: 1,
    key: "soccer",
    order: ORDER,
    name: NAME,
    kinds: &SPECS,
    columns: &COLUMNS,
    entrants: &[Entrants::Clubs],
    minutes: 113,
    interrupted: 0.008,
    retired: 0.0,
    // A goal is taken back after a review.
    corrected: 0.03,
    share: 26,
    leader_kind: Some(Kind::FullTime.at()),
};

impl Sport for Soccer {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn begin(&self, pairing: Pairing, _: &mut Random) -> Box<dyn Play> {
        let is_cup = is_cup(PROFILE.id, pairing.tournament);
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
