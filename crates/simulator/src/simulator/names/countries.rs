//! Real countries: where invented tournaments are played and invented entrants come from, in the four languages. Used
//! by the generators of this folder and by the simulator, which hands a [`Country`] back to them.

use super::draw::Draw;
use super::tongues::{ENGLISH, GERMAN, ITALIAN, NORDIC, SOUTH_SLAVIC, SPANISH, Tongue, WEST_SLAVIC};
use crate::pricing::kind::Quad;

/// A country of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Country(u8);

const TABLE: [(Quad, &Tongue); 23] = [
    (["Hrvatska", "Croatia", "Hrvatska", "Хрватска"], &SOUTH_SLAVIC),
    (["Srbija", "Serbia", "Srbija", "Србија"], &SOUTH_SLAVIC),
    (["Bosna i Hercegovina", "Bosnia and Herzegovina", "Bosna i Hercegovina", "Босна и Херцеговина"], &SOUTH_SLAVIC),
    (["Slovenija", "Slovenia", "Slovenija", "Словенија"], &SOUTH_SLAVIC),
    (["Crna Gora", "Montenegro", "Crna Gora", "Црна Гора"], &SOUTH_SLAVIC),
    (["Italija", "Italy", "Italija", "Италија"], &ITALIAN),
    (["Španjolska", "Spain", "Španija", "Шпанија"], &SPANISH),
    (["Argentina", "Argentina", "Argentina", "Аргентина"], &SPANISH),
    (["Meksiko", "Mexico", "Meksiko", "Мексико"], &SPANISH),
    (["Njemačka", "Germany", "Njemačka", "Немачка"], &GERMAN),
    (["Austrija", "Austria", "Austrija", "Аустрија"], &GERMAN),
    (["Norveška", "Norway", "Norveška", "Норвешка"], &NORDIC),
    (["Danska", "Denmark", "Danska", "Данска"], &NORDIC),
    (["Češka", "Czechia", "Češka", "Чешка"], &WEST_SLAVIC),
    (["Slovačka", "Slovakia", "Slovačka", "Словачка"], &WEST_SLAVIC),
    (["Engleska", "England", "Engleska", "Енглеска"], &ENGLISH),
    (["Škotska", "Scotland", "Škotska", "Шкотска"], &ENGLISH),
    (["Irska", "Ireland", "Irska", "Ирска"], &ENGLISH),
    (["Australija", "Australia", "Australija", "Аустралија"], &ENGLISH),
    (["Novi Zeland", "New Zealand", "Novi Zeland", "Нови Зеланд"], &ENGLISH),
    (["Južna Afrika", "South Africa", "Južna Afrika", "Јужна Африка"], &ENGLISH),
    (["Kanada", "Canada", "Kanada", "Канада"], &ENGLISH),
    (["SAD", "USA", "SAD", "САД"], &ENGLISH),
];

/// Where ice hockey is at home: the middle and the north of Europe, and Canada.
const ICE: [u8; 8] = [3, 9, 10, 11, 12, 13, 14, 21];
/// Where cricket is.
const CRICKET: [u8; 6] = [15, 16, 17, 18, 19, 20];
/// Where rugby is.
const RUGBY: [u8; 8] = [5, 7, 15, 16, 17, 18, 19, 20];

impl Country {
    /// The country in which clubs have a city and a nickname.
    pub const UNITED_STATES: Country = Country(22);

    /// One of all of them.
    pub fn any(seed: u64) -> Country {
        Country(Draw::new(seed, "country").below(TABLE.len()) as u8)
    }

    /// Every country of the table.
    pub fn all() -> impl Iterator<Item = Country> {
        (0..TABLE.len()).map(|index| Country(index as u8))
    }

    /// Its name in the four languages.
    pub const fn name(self) -> Quad {
        TABLE[self.0 as usize].0
    }

    pub(super) fn tongue(self) -> &'static Tongue {
        TABLE[usize::from(self.0)].1
    }
}

/// The country of the tournament of the sport with this id and seed: one in which the sport is popular.
pub fn country(sport: u64, seed: u64) -> Country {
    let mut draw = Draw::of_sport(sport, seed, "country");
    match sport {
        3 | 16 => Country::UNITED_STATES,
        4 => Country(draw.of(&ICE)),
        12 => Country(draw.of(&RUGBY)),
        21 => Country(draw.of(&CRICKET)),
        _ => Country::any(draw.next()),
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
            assert_eq!(names.len(), TABLE.len());
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
        assert!(names(21).all(|name| Country::all().any(|c| c.name()[1] == name && CRICKET.contains(&c.0))));
        assert!(names(12).any(|name| name == "New Zealand") && names(12).all(|name| name != "Denmark"));
        assert!(Country::all().all(|country| names(1).any(|name| name == country.name()[1])));
    }
}
