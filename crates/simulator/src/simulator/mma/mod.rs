//! Mixed martial arts: three or five rounds of five minutes with a minute between them. A step is ten seconds.
//!
//! | file | subject |
//! |---|---|
//! | `fight` | which fighter is in control, and the outcomes of a round |
//! | `judges` | how three judges score the rounds |
//! | `outlook` | the probabilities of all endings of a bout |
//! | `play` | a bout: its rules and record |
//! | `markets` | its markets and their results |
//! | `kinds` | the table of markets |

mod fight;
mod judges;
mod kinds;
mod markets;
mod outlook;
mod play;

use super::names::Entrants;
use super::random::Random;
use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_TWO, UNDER_OVER, YES_NO};
use kinds::Kind;
use play::Bout;

/// The sport.
pub static MMA: MmaSport = MmaSport;

/// Mixed martial arts.
#[derive(Debug)]
pub struct MmaSport;

const COLUMNS: &[Column] = &[
    Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: ONE_TWO,
        markets: &[(Kind::Winner as u16, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Ukupno rundi", "Total rounds", "Ukupno rundi", "Укупно рунди"],
        fields: UNDER_OVER,
        markets: &[(Kind::Rounds as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Cijela borba", "Full distance", "Cijela borba", "Цела борба"],
        fields: YES_NO,
        markets: &[(Kind::Distance as u16, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Način pobjede", "Method", "Način pobjede", "Начин победе"],
        fields: &[kinds::KO, kinds::SUBMISSION, kinds::DECISION],
        markets: &[(Kind::Method as u16, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Kraj u rundi", "Ends in round", "Kraj u rundi", "Крај у рунди"],
        fields: YES_NO,
        markets: &[(Kind::EndsInRound as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
];

static PROFILE: Profile = Profile {
    id: 117,
    key: "mma",
    order: 117,
    name: ["MMA", "MMA", "MMA", "ММА"],
    kinds: &kinds::KINDS,
    columns: COLUMNS,
    entrants: &[Entrants::Men, Entrants::Men, Entrants::Women],
    minutes: 14,
    interrupted: 0.002,
    retired: 0.0,
    corrected: 0.0,
    share: 3,
    leader_kind: None,
};

impl Sport for MmaSport {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Bout::new(pairing, random))
    }
}
