//! Tests of the names of all kinds of entrants: languages, lengths, few duplicates, the same seed gives the same name.

use super::*;
use crate::catalogue::tongues;
use kvota_domain::lang::Lang;
use std::collections::HashSet;

const ALL: [Entrants; 6] =
    [Entrants::Clubs, Entrants::NationalClubs, Entrants::Men, Entrants::Women, Entrants::Mixed, Entrants::Pairs];

/// Per cent of seeds with a name that no earlier seed has.
fn distinct(names: impl Iterator<Item = PerLang<Text>>, lang: Lang) -> usize {
    let (mut seen, mut count) = (HashSet::new(), 0);
    for name in names {
        seen.insert(name[lang].clone());
        count += 1;
    }
    seen.len() * 100 / count
}

#[test]
fn names_are_latin_but_cyrillic_in_serbian() {
    for entrants in ALL {
        for seed in 0..2_000 {
            let name = entrant(entrants, seed);
            assert_eq!(name[Lang::Hr], name[Lang::Bs]);
            assert_eq!(name[Lang::Hr], name[Lang::En]);
            let serbian = &name[Lang::Sr];
            assert!(!name[Lang::Hr].chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c)), "{name:?}");
            let fits = |c: char| ('\u{400}'..='\u{4ff}').contains(&c) || c == ' ' || c == '/';
            assert!(serbian.chars().all(fits), "{name:?}");
        }
    }
}

#[test]
fn names_fit_their_column() {
    for entrants in ALL {
        let most = match entrants {
            Entrants::Clubs | Entrants::NationalClubs | Entrants::Pairs => CLUB_LETTERS_MAX,
            Entrants::Men | Entrants::Women | Entrants::Mixed => PERSON_LETTERS_MAX,
        };
        for seed in 0..2_000 {
            for (_, name) in entrant(entrants, seed).iter() {
                assert!((6..=most).contains(&name.chars().count()), "{name}");
            }
        }
    }
}

#[test]
fn hardly_any_name_comes_twice_within_a_thousand() {
    for entrants in ALL {
        let least = if matches!(entrants, Entrants::Clubs | Entrants::NationalClubs) { 95 } else { 98 };
        for first in [0, 1_000_000, u64::MAX - 1_000] {
            for lang in Lang::ALL {
                let percent = distinct((first..first + 1_000).map(|seed| entrant(entrants, seed)), lang);
                assert!(percent >= least, "{entrants:?} from {first}: {percent} %");
            }
        }
    }
}

#[test]
fn hardly_any_name_comes_twice_within_a_country() {
    for country in Country::all() {
        for entrants in ALL {
            let names = (0..500).map(|seed| entrant_of(country, entrants, seed));
            let percent = distinct(names, Lang::Sr);
            assert!(percent >= 94, "{entrants:?} of {}: {percent} %", country.name()[1]);
        }
    }
}

#[test]
fn the_same_seed_is_the_same_name_today_and_tomorrow() {
    for entrants in ALL {
        assert_eq!(entrant(entrants, 77), entrant(entrants, 77));
        assert_ne!(entrant(entrants, 77), entrant(entrants, 78));
    }
    let written = |entrants, lang| entrant(entrants, 2_018)[lang].to_string();
    let latin =
        ["Jestřáb Trnín", "Caldfield Panthers", "Zdeněk Kubelák", "Adéla Krenovská", "Hana Nepíková", "Trčkík / Mrkan"];
    let serbian =
        ["Јестржаб Трнин", "Калдфилд пантерс", "Здењек Кубелак", "Адела Креновска", "Хана Непикова", "Трчкик / Мркан"];
    assert_eq!(ALL.map(|entrants| written(entrants, Lang::Hr)), latin);
    assert_eq!(ALL.map(|entrants| written(entrants, Lang::Sr)), serbian);
}

#[test]
fn countries_of_one_tongue_have_their_own_clubs() {
    let croatia = Country::all().next().expect("a country");
    let serbia = Country::all().nth(1).expect("another");
    let same = |seed: &u64| entrant_of(croatia, Entrants::Clubs, *seed) == entrant_of(serbia, Entrants::Clubs, *seed);
    assert!((0..200).filter(same).count() < 3);
}

#[test]
fn mixed_are_men_and_women() {
    let spelled = |parts: &[String]| parts.iter().map(|part| name::Name::word(&[part]).spelled).collect::<Vec<_>>();
    let men: HashSet<String> = tongues().flat_map(|tongue| spelled(&tongue.men)).collect();
    let women: HashSet<String> = tongues().flat_map(|tongue| spelled(&tongue.women)).collect();
    let first = |entrants, seed| entrant(entrants, seed)[Lang::Hr].split(' ').next().unwrap_or_default().to_owned();
    assert!((0..1_000).all(|seed| men.contains(&first(Entrants::Men, seed))));
    assert!((0..1_000).all(|seed| women.contains(&first(Entrants::Women, seed))));
    let mixed: HashSet<String> = (0..1_000).map(|seed| first(Entrants::Mixed, seed)).collect();
    assert!(mixed.iter().all(|name| men.contains(name) || women.contains(name)));
    assert!(mixed.intersection(&men).count() > 100 && mixed.intersection(&women).count() > 100);
}
