//! The names of simulated teams, players and tournaments: invented, in four languages, and the same for the same seed.
//! Called by the simulator when it creates a match; pure.
//!
//! Towns and surnames are built from parts of seven languages, so that none is a known club or player. Languages in
//! Latin script keep the spelling; Serbian is written as the name is pronounced, by [`cyrillic()`]. [`entrant`] draws
//! from all languages. In a league, all clubs come from one country: [`country`] is the country of a [`tournament`],
//! and [`entrant_of`] draws an entrant from it.

mod clubs;
mod countries;
mod cyrillic;
mod draw;
mod name;
mod people;
mod tournaments;

pub use countries::{Country, country};
pub use cyrillic::cyrillic;
pub use tournaments::{Tournament, is_cup, tournament};

use draw::Draw;
use kvota_domain::Text;
use kvota_domain::lang::PerLang;

pub use crate::catalogue::Entrants;

/// Keeps names of the same seed apart.
const fn purpose(entrants: Entrants) -> &'static str {
    match entrants {
        Entrants::Clubs => "clubs",
        Entrants::NationalClubs => "national clubs",
        Entrants::Men => "men",
        Entrants::Women => "women",
        Entrants::Mixed => "mixed",
        Entrants::Pairs => "pairs",
    }
}

/// The maximum length of a club's or a pair's name, in letters, because columns are narrow.
pub const CLUB_LETTERS_MAX: usize = 26;
/// The longest name of a player, in letters.
pub const PERSON_LETTERS_MAX: usize = 22;

/// A name in every language, of an entrant from anywhere; American style clubs are American.
pub fn entrant(entrants: Entrants, seed: u64) -> PerLang<Text> {
    let home = match entrants {
        Entrants::NationalClubs => Country::united_states(),
        _ => Country::any(Draw::new(seed, "home").next()),
    };
    entrant_of(home, entrants, seed)
}

/// A name in every language, of an entrant of this country.
pub fn entrant_of(country: Country, entrants: Entrants, seed: u64) -> PerLang<Text> {
    let tongue = country.tongue();
    let there = Draw::new(seed, country.name()[1]).next();
    let mut draw = Draw::new(there, purpose(entrants));
    let name = match entrants {
        Entrants::Clubs => clubs::club(tongue, &mut draw),
        Entrants::NationalClubs => clubs::franchise(tongue, &mut draw),
        Entrants::Men => people::man(tongue, &mut draw),
        Entrants::Women => people::woman(tongue, &mut draw),
        Entrants::Mixed if draw.below(2) == 0 => people::man(tongue, &mut draw),
        Entrants::Mixed => people::woman(tongue, &mut draw),
        Entrants::Pairs => people::pair(tongue, &mut draw),
    };
    name.in_all_languages()
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
