//! Names of towns and clubs. A club is a word and an invented town, or in American style a town and a nickname. Must
//! not produce the name of a known club.

use super::draw::Draw;
use super::name::Name;
use crate::catalogue::PLACES;
use crate::catalogue::names::{Tongue, Towns};

/// The longest Latin or Serbian town, in letters; with the longest word of a club it still fits.
#[cfg(test)]
pub(super) const TOWN_LETTERS_MAX: usize = 14;

/// A town that is on no map, each as likely as the others.
pub(super) fn town(tongue: &Tongue, draw: &mut Draw) -> Name {
    let count = |kind: &Towns| kind.heads.len() * kind.tails.len();
    let mut place = draw.below(tongue.towns.iter().map(count).sum());
    for kind in &tongue.towns {
        if place < count(kind) {
            let tails = kind.tails.len();
            return Name::word(&[&kind.heads[place / tails], &kind.tails[place % tails]]);
        }
        place -= count(kind);
    }
    unreachable!("the place is below the sum of all counts")
}

/// A club: "Sloga Mirograd", "Whitworth Rovers".
pub(super) fn club(tongue: &Tongue, draw: &mut Draw) -> Name {
    let town = town(tongue, draw);
    let word = draw.below(tongue.before.len() + tongue.after.len());
    match tongue.before.get(word) {
        Some(before) => Name::word(&[before]).and(" ", &town),
        None => town.and(" ", &Name::word(&[&tongue.after[word - tongue.before.len()]])),
    }
}

/// A club of the American style: "Fernhaven Comets".
pub(super) fn franchise(tongue: &Tongue, draw: &mut Draw) -> Name {
    town(tongue, draw).and(" ", &Name::word(&[draw.text(&PLACES.nicknames)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::names::TongueName;
    use crate::catalogue::{tongue, tongues};
    use crate::simulator::names::{CLUB_LETTERS_MAX, name::genitive};

    /// Towns with well-known clubs. The parts must not produce them by accident.
    const KNOWN: &str = "Zagreb Split Rijeka Osijek Vukovar Varaždin Zadar Beograd Niš Subotica Čačak Sarajevo Mostar \
        Tuzla Zenica Maribor Celje Velenje Podgorica Nikšić Zlatibor Dugopolje Suhopolje Slavonija Praha Brno Ostrava \
        Olomouc Liberec Jablonec Teplice Košice Trnava Žilina Nitra Milano Roma Torino Napoli Verona Bologna Firenze \
        Genova Cagliari Bergamo Parma Modena Monza Empoli Salerno Barcelona Madrid Sevilla Valencia Villarreal Girona \
        Pamplona Getafe Cartagena Oslo Bergen Trondheim Stavanger Bodø Molde Sandefjord Haugesund Tromsø København \
        Odense Aarhus Randers Silkeborg Brøndby Viborg Horsens Everton Luton Watford Brighton Southampton Wolverhampton \
        Birmingham Nottingham Tottenham Fulham Burnley Leicester Sunderland Middlesbrough Portsmouth Bournemouth Ipswich \
        Norwich Preston Bolton Stockport Oxford Bradford Huddersfield Sheffield Wrexham Swansea Edinburgh Aberdeen \
        Oakland Brooklyn Houston Boston Washington Dallas Halifax Wolfsburg Freiburg Hamburg Augsburg Leverkusen \
        Salzburg Nürnberg Duisburg Magdeburg Waldhof Oberhausen Grünwald Falkenberg Hoffenheim Heidenheim Altach";

    fn towns(tongue: &Tongue) -> Vec<Name> {
        let of = |kind: &Towns| {
            let pairs = kind.heads.iter().flat_map(|head| kind.tails.iter().map(move |tail| [head, tail]));
            pairs.map(|[head, tail]| Name::word(&[head, tail])).collect::<Vec<Name>>()
        };
        tongue.towns.iter().flat_map(of).collect()
    }

    fn letters(text: &str) -> usize {
        text.chars().count()
    }

    #[test]
    fn no_town_is_long_or_known_and_none_comes_twice() {
        for tongue in tongues() {
            let all = towns(tongue);
            for town in &all {
                assert!(letters(&town.spelled).max(letters(&town.heard)) <= TOWN_LETTERS_MAX, "{town:?}");
                assert!(!KNOWN.split_whitespace().any(|known| known == town.spelled), "{town:?}");
            }
            let mut spelled: Vec<&str> = all.iter().map(|town| &*town.spelled).collect();
            spelled.sort_unstable();
            spelled.dedup();
            assert!(spelled.len() * 100 >= all.len() * 99, "{} of {}", spelled.len(), all.len());
        }
    }

    #[test]
    fn every_town_can_come_and_has_a_genitive() {
        for tongue in tongues() {
            let mut draw = Draw::new(1, "");
            let drawn: Vec<Name> = (0..20_000).map(|_| town(tongue, &mut draw)).collect();
            assert!(towns(tongue).iter().all(|town| drawn.contains(town)));
            assert!(drawn.iter().all(|town| genitive(&town.heard, tongue.native) != town.heard));
        }
    }

    #[test]
    fn the_longest_town_and_the_longest_word_fit() {
        for tongue in tongues() {
            let words = tongue.before.iter().chain(&tongue.after).chain(&PLACES.nicknames);
            for word in words.map(|word| Name::word(&[word])) {
                let longest = letters(&word.spelled).max(letters(&word.heard)) + 1 + TOWN_LETTERS_MAX;
                assert!(longest <= CLUB_LETTERS_MAX, "{word:?}");
            }
        }
    }

    #[test]
    fn clubs_are_a_word_and_a_town() {
        let mut draw = Draw::new(3, "");
        for _ in 0..100 {
            let club = club(tongue(TongueName::SouthSlavic), &mut draw);
            let (word, town) = club.spelled.split_once(' ').expect("two words");
            assert!(
                tongue(TongueName::SouthSlavic).before.iter().any(|part| Name::word(&[part]).spelled == word),
                "{club:?}"
            );
            assert!(towns(tongue(TongueName::SouthSlavic)).iter().any(|name| name.spelled == town), "{club:?}");
            let franchise = franchise(tongue(TongueName::English), &mut draw);
            let (town, nickname) = franchise.spelled.split_once(' ').expect("two words");
            assert!(PLACES.nicknames.iter().any(|part| Name::word(&[part]).spelled == nickname), "{franchise:?}");
            assert!(towns(tongue(TongueName::English)).iter().any(|name| name.spelled == town), "{franchise:?}");
        }
    }
}
