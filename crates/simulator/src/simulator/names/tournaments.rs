//! Tournaments that fit their sport: leagues and cups of a country for clubs, opens of an invented town for players,
//! with the surface in tennis. Drawn by the simulator, one for each group of matches.

use super::clubs;
use super::countries::country;
use super::draw::Draw;
use super::name::{Name, genitive};
use crate::catalogue::PLACES;
use crate::pricing::kind::Quad;
use kvota_domain::Text;
use kvota_domain::lang::{Lang, PerLang};

/// The texts of a tournament in every language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// Its name.
    pub name: PerLang<Text>,
    /// Its country; in tennis its surface.
    pub description: PerLang<Text>,
}

/// Whether a tournament of this sport is a club cup by its name. In a cup, a drawn match goes to overtime.
pub fn is_cup(sport: u64, seed: u64) -> bool {
    tournament(sport, seed).name[Lang::En].ends_with("Cup")
}

/// A tournament of the sport with this id (other sports are played by clubs), in the country that [`country`] names for
/// the same sport and seed.
pub fn tournament(sport: u64, seed: u64) -> Tournament {
    let country = country(sport, seed);
    let native = country.tongue().native;
    let mut draw = Draw::of_sport(sport, seed, "tournament");
    let town = clubs::town(country.tongue(), &mut draw);
    let number = (draw.below(240) + 1).to_string();
    let own = PLACES.tournament.iter().find(|tournaments| tournaments.sports.contains(&sport));
    let others = || PLACES.tournament.iter().find(|tournaments| tournaments.sports.is_empty());
    let names = own.or_else(others).map_or(&[][..], |tournaments| &tournaments.names);
    let template: Quad = draw.of(names).quad();
    let of = Name { spelled: genitive(&town.spelled, native), heard: genitive(&town.heard, native) };
    let name = |lang: Lang| {
        let text = template[lang.index()].replace("{n}", &number);
        text.replace("{town}", &town.written(lang)).replace("{of}", &of.written(lang))
    };
    let description = if sport == 5 { draw.of(&PLACES.surfaces).quad() } else { country.name() };
    Tournament {
        name: PerLang::new(|lang| Text::from(name(lang))),
        description: PerLang::new(|lang| Text::from(description[lang.index()])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulator::names::Country;
    use std::collections::BTreeSet;

    const SPORTS: [u64; 18] = [1, 2, 3, 4, 5, 6, 12, 16, 19, 20, 21, 22, 23, 29, 31, 34, 117, 999];

    fn each(sport: u64) -> impl Iterator<Item = Tournament> {
        (0..300).map(move |seed| tournament(sport, seed))
    }

    #[test]
    fn every_sport_has_tournaments_in_four_languages() {
        for sport in SPORTS {
            for tournament in each(sport) {
                for (lang, text) in tournament.name.iter().chain(tournament.description.iter()) {
                    assert!(!text.contains(['{', '}']) && !text.is_empty(), "{text}");
                    assert!(text.chars().count() <= 40, "{text}");
                    let cyrillic = text.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c));
                    assert_eq!(cyrillic, lang == Lang::Sr, "{text}");
                    assert!(lang != Lang::Sr || !text.chars().any(|c| c.is_ascii_alphabetic()), "{text}");
                }
            }
        }
    }

    #[test]
    fn the_description_is_the_country_or_the_surface() {
        for sport in SPORTS {
            for (seed, tournament) in each(sport).enumerate() {
                let expected = country(sport, seed as u64).name()[1];
                let said = &*tournament.description[Lang::En];
                let surface = PLACES.surfaces.iter().any(|surface| surface.quad()[1] == said);
                assert!(if sport == 5 { surface } else { said == expected }, "{sport}: {said}");
            }
        }
        let surfaces: BTreeSet<Text> = each(5).map(|open| open.description[Lang::Hr].clone()).collect();
        assert_eq!(surfaces.len(), PLACES.surfaces.len());
    }

    #[test]
    fn a_championship_is_of_its_town() {
        let mut owners = Vec::new();
        for (seed, open) in (0..3_000).map(|seed| (seed, tournament(5, seed))) {
            let Some(town) = open.name[Lang::En].strip_suffix(" Open") else { continue };
            let owner = open.name[Lang::Hr].strip_prefix("Otvoreno prvenstvo ").expect("the same template");
            assert_eq!(owner, genitive(town, country(5, seed).tongue().native));
            assert!(open.name[Lang::Sr].starts_with("Отворено првенство "));
            owners.push(owner.to_owned());
        }
        for end in ["grada", "polja", "ovice", "hama"] {
            assert!(owners.iter().any(|owner| owner.ends_with(end)), "{end}");
        }
    }

    #[test]
    fn names_fit_the_sport() {
        let english = |sport: u64| each(sport).map(|tournament| tournament.name[Lang::En].to_string());
        assert!(english(1).any(|name| name == "1st League") && english(1).any(|name| name == "Cup"));
        assert!(english(5).all(|name| !name.contains("League")));
        assert!(english(3).all(|name| name.ends_with("League")));
        assert!(english(117).all(|name| name.contains(": ")));
        assert!(english(34).any(|name| name.contains("Beach")));
        assert!(english(19).any(|name| name.ends_with("Masters")));
        let opens: BTreeSet<String> = english(5).collect();
        assert!(opens.len() > 285, "{} of 300", opens.len());
        let leagues: BTreeSet<Text> = each(1).map(|league| league.description[Lang::En].clone()).collect();
        assert_eq!(leagues.len(), Country::all().count());
    }
}
