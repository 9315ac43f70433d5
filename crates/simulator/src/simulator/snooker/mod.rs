//! Snooker: the first to a number of frames. A step is a shot, or the safety play that ends a visit. A frame is
//! conceded once the player behind can no longer catch up.
//!
//! | file | subject |
//! |---|---|
//! | `breaks` | how a player pots, and how a visit may end |
//! | `frame_chances` | the probabilities of a frame of two players |
//! | `play` | a match: its rules and record |
//! | `markets` | its markets and their results |
//! | `kinds` | the table of markets |

mod breaks;
mod frame_chances;
mod kinds;
mod markets;
mod play;

use super::names::Entrants;
use super::random::Random;
use super::sport::{Column, Pairing, Play, Profile, Sport};
use crate::pricing::headings::{ONE_TWO, UNDER_OVER, YES_NO};
use kinds::Kind;
use play::Snooker;

/// The sport.
pub static SNOOKER: SnookerSport = SnookerSport;

/// Snooker.
#[derive(Debug)]
pub struct SnookerSport;

const COLUMNS: &[Column] = &[
    Column {
        name: ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        fields: ONE_TWO,
        markets: &[(Kind::Winner as u16, "")],
        format: "",
        hidden: false,
    },
    Column {
        name: ["Frejm", "Frame", "Frejm", "Фрејм"],
        fields: ONE_TWO,
        markets: &[(Kind::Frame as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Ukupno frejmova", "Total frames", "Ukupno frejmova", "Укупно фрејмова"],
        fields: UNDER_OVER,
        markets: &[(Kind::Frames as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
    Column {
        name: ["Hendikep", "Handicap", "Hendikep", "Хендикеп"],
        fields: ONE_TWO,
        markets: &[(Kind::Handicap as u16, "")],
        format: "{+sbv}",
        hidden: false,
    },
    Column {
        name: ["Brejk 50+", "Break 50+", "Brejk 50+", "Брејк 50+"],
        fields: YES_NO,
        markets: &[(Kind::Fifty as u16, "")],
        format: "{sbv}",
        hidden: false,
    },
];

static PROFILE: Profile = Profile {
    id: 19,
    key: "snooker",
    order: 19,
    name: ["Snooker", "Snooker", "Snuker", "Снукер"],
    kinds: &kinds::KINDS,
    columns: COLUMNS,
    entrants: &[Entrants::Men],
    minutes: 150,
    interrupted: 0.003,
    retired: 0.002,
    corrected: 0.0,
    share: 4,
    leader_kind: None,
};

impl Sport for SnookerSport {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
        Box::new(Snooker::new(pairing, random))
    }
}
