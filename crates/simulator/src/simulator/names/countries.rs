//! Real countries: where invented tournaments are played and invented entrants come from, in the four languages. Used
//! by the generators of this folder and by the simulator, which hands a [`Country`] back to them.

use super::draw::Draw;
use crate::catalogue::names::{CountryRow, Tongue};
use crate::catalogue::{PLACES, tongue};
use crate::pricing::kind::Quad;

/// A country of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Country(u8);

impl Country {
    /// The country in which clubs have a city and a nickname.
    pub fn united_states() -> Country {
        Country::named("USA").unwrap_or(Country(0))
    }

    fn named(english: &str) -> Option<Country> {
        Country::all().find(|country| country.name()[1] == english)
    }

    fn row(self) -> &'static CountryRow {
        &PLACES.country[usize::from(self.0)]
    }

    /// One of all of them.
    pub fn any(seed: u64) -> Country {
        Country(Draw::new(seed, "country").below(PLACES.country.len()) as u8)
    }

    /// Every country of the table.
    pub fn all() -> impl Iterator<Item = Country> {
        (0..PLACES.country.len()).map(|index| Country(index as u8))
    }

    /// Its name in the four languages.
    pub fn name(self) -> Quad {
        self.row().name.quad()
    }

    pub(super) fn tongue(self) -> &'static Tongue {
        tongue(self.row().tongue)
    }
}

/// The country of the tournament of the sport with this id and seed: one in which the sport is popular.
pub fn country(sport: u64, seed: u64) -> Country {
    let mut draw = Draw::of_sport(sport, seed, "country");
    match PLACES.home.iter().find(|home| home.sports.contains(&sport)) {
        Some(home) => Country::named(draw.text(&home.countries)).unwrap_or(Country(0)),
        None => Country::any(draw.next()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulator::names::cyrillic;

    #[test]
    fn each_country_has_its_own_name_in_each_language() {
        for lang in 0..4 {
            let mut names: Vec<&str> = Country::all().map(|country| country.name()[lang]).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), PLACES.country.len());
        }
        for country in Country::all() {
            let serbian = country.name()[3];
            assert!(!serbian.is_ascii() && cyrillic(serbian) == serbian, "{serbian}");
        }
    }

    #[test]
    fn sports_are_played_where_they_are_at_home() {
        let names = |sport: u64| (0..200).map(move |seed| country(sport, seed).name()[1]);
        assert!(names(3).chain(names(16)).all(|name| name == "USA"));
        assert!(names(4).any(|name| name == "Czechia") && names(4).all(|name| name != "South Africa"));
        assert!(names(21).any(|name| name == "Australia") && names(21).all(|name| name != "Italy"));
        assert!(names(12).any(|name| name == "New Zealand") && names(12).all(|name| name != "Denmark"));
        assert!(Country::all().all(|country| names(1).any(|name| name == country.name()[1])));
    }
}
