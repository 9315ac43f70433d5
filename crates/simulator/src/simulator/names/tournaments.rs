//! Tournaments that fit their sport: leagues and cups of a country for clubs, opens of an invented town for players,
//! with the surface in tennis. Drawn by the simulator, one for each group of matches.

use super::clubs;
use super::countries::country;
use super::draw::Draw;
use super::name::{Name, genitive};
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

// `{town}` is a town, `{of}` its genitive, `{n}` a number: the how-manieth it is.
const LEAGUES: [Quad; 11] = [
    ["1. liga", "1st League", "1. liga", "1. лига"],
    ["2. liga", "2nd League", "2. liga", "2. лига"],
    ["3. liga", "3rd League", "3. liga", "3. лига"],
    ["2. liga Sjever", "2nd League North", "2. liga Sjever", "2. лига Север"],
    ["2. liga Jug", "2nd League South", "2. liga Jug", "2. лига Југ"],
    ["Superliga", "Super League", "Superliga", "Суперлига"],
    ["Premijer liga", "Premier Division", "Premijer liga", "Премијер лига"],
    ["Kup", "Cup", "Kup", "Куп"],
    ["Liga kup", "League Cup", "Liga kup", "Лига куп"],
    ["Liga U21", "U21 League", "Liga U21", "Лига У21"],
    ["Kup {of}", "{town} Cup", "Kup {of}", "Куп {of}"],
];
const AMERICAN: [Quad; 5] = [
    ["Obalna liga", "Coastal League", "Obalna liga", "Обална лига"],
    ["Prerijska liga", "Prairie League", "Prerijska liga", "Преријска лига"],
    ["Liga velikih rijeka", "Great Rivers League", "Liga velikih rijeka", "Лига великих река"],
    ["Planinska liga", "Mountain League", "Planinska liga", "Планинска лига"],
    ["Liga jezera", "Lakes League", "Liga jezera", "Лига језера"],
];
const CRICKET: [Quad; 4] = [
    ["T20 liga", "T20 League", "T20 liga", "Т20 лига"],
    ["T20 kup", "T20 Cup", "T20 kup", "Т20 куп"],
    ["Jednodnevni kup", "One-Day Cup", "Jednodnevni kup", "Једнодневни куп"],
    ["Županijska liga", "Shires League", "Okružna liga", "Окружна лига"],
];
const OPEN: Quad = ["Otvoreno prvenstvo {of}", "{town} Open", "Otvoreno prvenstvo {of}", "Отворено првенство {of}"];
const CUP: Quad = LEAGUES[10];
const GRAND_PRIX: Quad = ["Velika nagrada {of}", "{town} Grand Prix", "Velika nagrada {of}", "Велика награда {of}"];
const MASTERS: Quad = ["Masters {town}", "{town} Masters", "Masters {town}", "Мастерс {town}"];
const TENNIS: [Quad; 4] =
    [OPEN, CUP, GRAND_PRIX, ["Challenger {town}", "{town} Challenger", "Challenger {town}", "Челенџер {town}"]];
const PLAYERS: [Quad; 5] = [
    OPEN,
    CUP,
    GRAND_PRIX,
    MASTERS,
    ["Pozivni turnir {of}", "{town} Invitational", "Pozivni turnir {of}", "Позивни турнир {of}"],
];
const BEACH: [Quad; 3] = [
    ["Turnir na pijesku, {town}", "{town} Beach Open", "Turnir na pijesku, {town}", "Турнир на песку, {town}"],
    ["Ljetni kup {of}", "{town} Summer Cup", "Ljetni kup {of}", "Летњи куп {of}"],
    ["Masters na pijesku, {town}", "{town} Beach Masters", "Masters na pijesku, {town}", "Мастерс на песку, {town}"],
];
const FIGHTS: [Quad; 3] = [
    ["Noć u kavezu {n}: {town}", "Cage Night {n}: {town}", "Noć u kavezu {n}: {town}", "Ноћ у кавезу {n}: {town}"],
    ["Željezni krug {n}: {town}", "Iron Ring {n}: {town}", "Željezni krug {n}: {town}", "Гвоздени круг {n}: {town}"],
    ["Dvoboji {n}: {town}", "Duels {n}: {town}", "Dvoboji {n}: {town}", "Двобоји {n}: {town}"],
];
const SURFACES: [Quad; 4] = [
    ["Zemlja", "Clay", "Šljaka", "Шљака"],
    ["Tvrda podloga", "Hard court", "Tvrda podloga", "Тврда подлога"],
    ["Trava", "Grass", "Trava", "Трава"],
    ["Tvrda podloga, dvorana", "Hard court, indoor", "Tvrda podloga, dvorana", "Тврда подлога, дворана"],
];

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
    let template: Quad = match sport {
        3 | 16 => draw.of(&AMERICAN),
        5 => draw.of(&TENNIS),
        19 | 20 | 22 | 31 => draw.of(&PLAYERS),
        21 => draw.of(&CRICKET),
        34 => draw.of(&BEACH),
        117 => draw.of(&FIGHTS),
        _ => draw.of(&LEAGUES),
    };
    let of = Name { spelled: genitive(&town.spelled, native), heard: genitive(&town.heard, native) };
    let name = |lang: Lang| {
        let text = template[lang.index()].replace("{n}", &number);
        text.replace("{town}", &town.written(lang)).replace("{of}", &of.written(lang))
    };
    let description = if sport == 5 { draw.of(&SURFACES) } else { country.name() };
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
                let surface = SURFACES.iter().any(|surface| surface[1] == said);
                assert!(if sport == 5 { surface } else { said == expected }, "{sport}: {said}");
            }
        }
        let surfaces: BTreeSet<Text> = each(5).map(|open| open.description[Lang::Hr].clone()).collect();
        assert_eq!(surfaces.len(), SURFACES.len());
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
