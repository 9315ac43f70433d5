//! The sports as data: their markets, columns and texts from the files in `catalogue/`, each read when its sport is
//! first used. The build script has checked the files. Must not contain anything about a single sport but its file.

pub mod file;
pub mod names;
pub mod questions;
mod read;

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod lock_tests;

pub use file::Entrants;

use crate::pricing::columns::Column;
use crate::pricing::kind::{KindSpec, Quad};
use file::{Common, common};
use names::{Places, Tongue, TongueName};
use questions::{ClockQuestion, SetQuestion, SetsQuestion, TurnsQuestion};
use std::sync::LazyLock;

/// What the file of a sport says.
#[derive(Debug)]
pub struct SportData<Q> {
    /// The constant data of the sport.
    pub profile: Profile,
    /// The question of each kind about the match.
    pub questions: Vec<Q>,
    /// The question of each kind about a set; those of the first set follow those about the match.
    pub of_set: Vec<SetQuestion>,
}

impl<Q: Copy + PartialEq> SportData<Q> {
    /// The kind with a question about the match; `None` if the file has no such market.
    pub fn kind(&self, question: Q) -> Option<u16> {
        self.questions.iter().position(|own| *own == question).map(|at| at as u16)
    }

    /// The kind with a question about a set, from 0.
    pub fn kind_of_set(&self, set: usize, question: SetQuestion) -> Option<u16> {
        let within = self.of_set.iter().position(|own| *own == question)?;
        Some((self.questions.len() + set * self.of_set.len() + within) as u16)
    }

    /// The set, from 0, and the question of a kind about a set.
    pub fn question_of_set(&self, kind: u16) -> Option<(usize, SetQuestion)> {
        let within = usize::from(kind).checked_sub(self.questions.len())?;
        let question = self.of_set.get(within % self.of_set.len().max(1))?;
        Some((within / self.of_set.len(), *question))
    }

    /// The question of a kind, by its index in the table.
    pub fn question(&self, kind: u16) -> Option<Q> {
        self.questions.get(usize::from(kind)).copied()
    }

    /// The row of a kind.
    pub fn spec(&self, kind: u16) -> &'static KindSpec {
        &self.profile.kinds[usize::from(kind)]
    }
}

/// The constant data of a sport.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its id in the offer: 1 is soccer.
    pub id: u64,
    /// Its name on the command line: `table-tennis`.
    pub key: &'static str,
    /// Its position in the list.
    pub order: i64,
    /// Its name.
    pub name: Quad,
    /// Its kinds of markets.
    pub kinds: &'static [KindSpec],
    /// Its preferred columns, in the order of the selector.
    pub columns: &'static [Column],
    /// The kind of its participants: clubs, players, pairs.
    pub entrants: &'static [Entrants],
    /// About how long a match takes, its breaks included, in minutes.
    pub minutes: u32,
    /// The probability that a match is interrupted (rain, light, a broken board).
    pub interrupted: f64,
    /// The probability that a side gives up in a match; only for sports of single persons.
    pub retired: f64,
    /// The probability that a score is corrected.
    pub corrected: f64,
    /// Its number of matches among 100 of all sports.
    pub share: u32,
    /// The kind of the winner's market (first answer home, last answer away), in sports with a clock in which only the
    /// score decides the leader. In these sports the probability of a leader that is not the favourite never falls
    /// while only time passes. (That of a favourite can fall, because less time means more luck.)
    pub leader_kind: Option<u16>,
}

macro_rules! tongues {
    ($($tongue:literal),*) => { [$(include_str!(concat!("../../catalogue/names/", $tongue, ".toml"))),*] };
}

/// The languages of names, in the order of [`TongueName`].
static TONGUES: LazyLock<[Tongue; 7]> = LazyLock::new(|| {
    tongues!["south_slavic", "west_slavic", "italian", "spanish", "nordic", "english", "german"]
        .map(|text| names::tongue(text).expect("the build script checks the file"))
});

/// The parts of names of a language.
pub fn tongue(name: TongueName) -> &'static Tongue {
    &TONGUES[name as usize]
}

/// All of them.
#[cfg(test)]
pub fn tongues() -> impl Iterator<Item = &'static Tongue> {
    TONGUES.iter()
}

/// Countries and tournaments.
pub static PLACES: LazyLock<Places> = LazyLock::new(|| {
    names::places(include_str!("../../catalogue/names/places.toml")).expect("the build script checks the file")
});

static COMMON: LazyLock<Common> =
    LazyLock::new(|| common(include_str!("../../catalogue/common.toml")).expect("the build script checks the file"));

macro_rules! sports {
    ($($(#[$doc:meta])* $sport:ident: $question:ty = $file:literal;)*) => {
        $($(#[$doc])*
        pub static $sport: LazyLock<SportData<$question>> =
            LazyLock::new(|| read::sport(include_str!(concat!("../../catalogue/", $file, ".toml")), &COMMON));)*
    };
}

sports! {
    /// American football.
    AMERICAN_FOOTBALL: ClockQuestion = "american_football";
    /// Badminton.
    BADMINTON: SetsQuestion = "badminton";
    /// Baseball.
    BASEBALL: TurnsQuestion = "baseball";
    /// Basketball.
    BASKETBALL: ClockQuestion = "basketball";
    /// Beach volleyball.
    BEACH_VOLLEYBALL: SetsQuestion = "beach_volleyball";
    /// Cricket.
    CRICKET: TurnsQuestion = "cricket";
    /// Darts.
    DARTS: SetsQuestion = "darts";
    /// Futsal.
    FUTSAL: ClockQuestion = "futsal";
    /// Handball.
    HANDBALL: ClockQuestion = "handball";
    /// Ice hockey.
    ICE_HOCKEY: ClockQuestion = "ice_hockey";
    /// Mixed martial arts.
    MMA: TurnsQuestion = "mma";
    /// Rugby.
    RUGBY: ClockQuestion = "rugby";
    /// Snooker.
    SNOOKER: SetsQuestion = "snooker";
    /// Soccer.
    SOCCER: ClockQuestion = "soccer";
    /// Squash.
    SQUASH: SetsQuestion = "squash";
    /// Table tennis.
    TABLE_TENNIS: SetsQuestion = "table_tennis";
    /// Tennis.
    TENNIS: SetsQuestion = "tennis";
    /// Volleyball.
    VOLLEYBALL: SetsQuestion = "volleyball";
}
