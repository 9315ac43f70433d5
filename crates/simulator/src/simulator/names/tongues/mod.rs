//! The parts of names by language. Each file is the table of one language; [`super::name`] says how parts are written.
//! Tables must not contain a whole town or surname, only their parts.

mod english;
mod german;
mod italian;
mod nordic;
mod south_slavic;
mod spanish;
mod west_slavic;

pub(super) use english::ENGLISH;
pub(super) use german::GERMAN;
pub(super) use italian::ITALIAN;
pub(super) use nordic::NORDIC;
pub(super) use south_slavic::SOUTH_SLAVIC;
pub(super) use spanish::SPANISH;
pub(super) use west_slavic::WEST_SLAVIC;

use super::name::Part;

/// The parts of names of one language.
pub(super) struct Tongue {
    /// Beginnings of towns with the ends that go with them.
    pub(super) towns: &'static [(&'static [Part], &'static [Part])],
    /// Words of club names before the town.
    pub(super) before: &'static [Part],
    /// Words of club names after the town.
    pub(super) after: &'static [Part],
    /// First names of men.
    pub(super) men: &'static [Part],
    /// First names of women.
    pub(super) women: &'static [Part],
    /// Beginnings of surnames.
    pub(super) stems: &'static [Part],
    /// Ends of surnames, a man's and a woman's.
    pub(super) ends: &'static [(Part, Part)],
    /// Whether its words are inflected by Croatian grammar.
    pub(super) native: bool,
}

/// An end that is the same for men and women.
const fn both(end: Part) -> (Part, Part) {
    (end, end)
}

#[cfg(test)]
pub(super) const ALL: [&Tongue; 7] = [&SOUTH_SLAVIC, &WEST_SLAVIC, &ITALIAN, &SPANISH, &NORDIC, &ENGLISH, &GERMAN];
