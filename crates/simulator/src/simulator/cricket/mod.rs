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
//! | `kinds` | the table of markets |

mod balls;
mod kinds;
mod markets;
mod over;
mod play;
mod scoring;

use super::names::Entrants;
use super::random::Random;
use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_TWO, UNDER_OVER, YES_NO};
use kinds::Kind;
use play::Cricket;

/// The sport.
pub static CRICKET: CricketSport = CricketSport;

/// Cricket.
#[derive(Debug)]
pub struct CricketSport;

const COLUMNS: &[Column] = &[
    Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: ONE_TWO,
        markets: &[(Kind::Winner as u16, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Trke u inningu", "Innings runs", "Trke u inningu", "Трке у инингу"],
        fields: UNDER_OVER,
        markets: &[(Kind::SecondRuns as u16, "innings_2"), (Kind::FirstRuns as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Trke u overu", "Over runs", "Trke u overu", "Трке у оверу"],
        fields: UNDER_OVER,
        markets: &[(Kind::OverRuns as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Wicket u overu", "Wicket in over", "Wicket u overu", "Викет у оверу"],
        fields: YES_NO,
        markets: &[(Kind::OverWicket as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
];

static PROFILE: Profile = Profile {
    id: 21,
    key: "cricket",
    order: 21,
    name: ["Kriket", "Cricket", "Kriket", "Крикет"],
    kinds: &kinds::KINDS,
    columns: COLUMNS,
    entrants: &[Entrants::NationalClubs, Entrants::Clubs],
    minutes: 175,
    interrupted: 0.04,
    retired: 0.0,
    corrected: 0.002,
    share: 5,
    leader_kind: None,
};

impl Sport for CricketSport {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Cricket::new(pairing, random))
    }
}
