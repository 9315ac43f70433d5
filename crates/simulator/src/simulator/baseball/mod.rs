//! Baseball: nine innings of two halves, played by plate appearances. The last half-inning is not played if home leads,
//! and ends as soon as home leads. Extra innings are played until one side leads, in some tournaments with a runner on
//! second base.
//!
//! | file | subject |
//! |---|---|
//! | [`chain`] | a half-inning as a chain of bases and outs, and its runs |
//! | [`game`] | the state machine |
//! | [`outlook`] | the probabilities of the rest of the match |
//! | [`kinds`] | the table of markets |
//! | [`markets`] | book and verdicts |

pub mod chain;
pub mod game;
pub mod kinds;
pub mod markets;
pub mod outlook;

use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_NONE_TWO, ONE_TWO, ONE_X_TWO, UNDER_OVER};
use crate::pricing::maths::exp;
use crate::simulator::names::Entrants;
use crate::simulator::random::Random;
use game::{Game, Shape};

/// The sport.
#[derive(Debug)]
pub struct Baseball;

static COLUMNS: [Column; 5] = [
    Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: ONE_TWO,
        markets: &[(kinds::WINNER, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Ukupno poena", "Total runs", "Ukupno poena", "Укупно поена"],
        fields: UNDER_OVER,
        markets: &[(kinds::TOTAL, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Hendikep", "Run line", "Hendikep", "Хендикеп"],
        fields: ONE_TWO,
        markets: &[(kinds::HANDICAP, "")],
        format: "{+sbv}",
        hidden: false,
    },
    Column {
        name: ["Sljedeći poen", "Next run", "Sljedeći poen", "Следећи поен"],
        fields: ONE_NONE_TWO,
        markets: &[(kinds::NEXT_RUN, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Izmjena", "Inning", "Ining", "Ининг"],
        fields: ONE_X_TWO,
        // There is no market on the winner of the ninth inning, because home may not bat in it.
        markets: &[(kinds::NINE, "inning_9"), (kinds::INNING, "")],
        format: "{sbv}",
        hidden: false,
    },
];

static PROFILE: Profile = Profile {
    id: 3,
    key: "baseball",
    order: 3,
    name: ["Bejzbol", "Baseball", "Bejzbol", "Бејзбол"],
    kinds: &kinds::KINDS,
    columns: &COLUMNS,
    entrants: &[Entrants::NationalClubs],
    minutes: 150,
    interrupted: 0.02,
    retired: 0.0,
    corrected: 0.005,
    share: 4,
    leader_kind: None,
};

/// What playing at home is worth to the batters, as a logarithm.
const HOME: f64 = 0.01;
/// The effect on batting if a side is stronger by one.
const STRONGER: f64 = 0.03;

impl Sport for Baseball {
    fn profile(&self) -> &'static Profile {
        &PROFILE
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
