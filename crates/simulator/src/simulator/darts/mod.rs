//! Darts: 501 with a double to finish. The winner is the first to a number of legs, or of sets of legs. A step is a
//! visit of three darts.
//!
//! | file | subject |
//! |---|---|
//! | `throws` | how a player throws, and the probabilities of a leg |
//! | `play` | a match, its record, its markets and their results |
//! | `kinds` | the table of markets |

mod kinds;
mod maxima;
mod play;
mod throws;

use super::names::Entrants;
use super::random::Random;
use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_TWO, UNDER_OVER, YES_NO};
use kinds::Kind;
use play::Darts;

/// The sport.
pub static DARTS: DartsSport = DartsSport;

/// Darts.
#[derive(Debug)]
pub struct DartsSport;

const COLUMNS: &[Column] = &[
    Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: ONE_TWO,
        markets: &[(Kind::Winner as u16, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Leg", "Leg", "Leg", "Лег"],
        fields: ONE_TWO,
        markets: &[(Kind::Leg as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Ukupno legova", "Total legs", "Ukupno legova", "Укупно легова"],
        fields: UNDER_OVER,
        markets: &[(Kind::Legs as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Hendikep", "Handicap", "Hendikep", "Хендикеп"],
        fields: ONE_TWO,
        markets: &[
            (Kind::SetHandicap as u16, "set_1"),
            (Kind::SetHandicap as u16, "set_2"),
            (Kind::SetHandicap as u16, "set_3"),
            (Kind::SetHandicap as u16, "set_4"),
            (Kind::SetHandicap as u16, "set_5"),
            (Kind::LegHandicap as u16, ""),
        ],
        format: "{+sbv}",
        hidden: false,
    },
    Column {
        name: ["180 u legu", "180 in the leg", "180 u legu", "180 у легу"],
        fields: YES_NO,
        markets: &[(Kind::MaximumInLeg as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
];

static PROFILE: Profile = Profile {
    id: 22,
    key: "darts",
    order: 22,
    name: ["Pikado", "Darts", "Pikado", "Пикадо"],
    kinds: &kinds::KINDS,
    columns: COLUMNS,
    entrants: &[Entrants::Men, Entrants::Men, Entrants::Women, Entrants::Mixed],
    minutes: 40,
    interrupted: 0.004,
    retired: 0.001,
    corrected: 0.0,
    share: 6,
    leader_kind: None,
};

impl Sport for DartsSport {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Darts::new(pairing, random))
    }
}
