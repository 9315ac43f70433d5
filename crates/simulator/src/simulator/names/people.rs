//! Players: a common first name and an invented surname. Surnames are made of a stem and an end, so that none is a
//! well-known athlete's.

use super::draw::Draw;
use super::name::Name;
use crate::catalogue::names::Tongue;

/// A man: "Luka Vidrović".
pub(super) fn man(tongue: &Tongue, draw: &mut Draw) -> Name {
    let first = Name::word(&[draw.text(&tongue.men)]);
    first.and(" ", &surname(tongue, draw, man_end))
}

/// A woman: "Tereza Skalková".
pub(super) fn woman(tongue: &Tongue, draw: &mut Draw) -> Name {
    let first = Name::word(&[draw.text(&tongue.women)]);
    first.and(" ", &surname(tongue, draw, woman_end))
}

/// The surnames of two men: "Vidrović / Lozanec".
pub(super) fn pair(tongue: &Tongue, draw: &mut Draw) -> Name {
    let first = surname(tongue, draw, man_end);
    first.and(" / ", &surname(tongue, draw, man_end))
}

/// The end of a man's surname.
fn man_end(ends: &str) -> &str {
    ends.split_once('/').map_or(ends, |(man, _)| man)
}

/// The end of a woman's surname.
fn woman_end(ends: &str) -> &str {
    ends.split_once('/').map_or(ends, |(_, woman)| woman)
}

fn surname(tongue: &Tongue, draw: &mut Draw, of: fn(&str) -> &str) -> Name {
    let stem = draw.text(&tongue.stems);
    Name::word(&[stem, of(draw.text(&tongue.ends))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::names::TongueName;
    use crate::catalogue::{tongue, tongues};
    use crate::simulator::names::{CLUB_LETTERS_MAX, PERSON_LETTERS_MAX};

    /// With a first name and a space, and twice with a bar between, it still fits.
    const SURNAME_LETTERS_MAX: usize = 11;
    const FIRST_LETTERS_MAX: usize = 10;

    /// Surnames that sports pages know; none may come out of the parts by accident.
    const KNOWN: &str = "Modrić Rakitić Perišić Kovačić Mandžukić Brozović Perković Kalinić Dragić Dončić Jokić Bogdanović \
        Đoković Vidić Matić Milinković Ljutić Kostelić Ljubičić Ivanišević Čilić Ćorić Vekić Pašalić Gvardiol Livaković \
        Oblak Šporar Pjanić Džeko Marković Šarić Bender Zubac Vlašić Maljković Petrović Kukoč Rađa Radić Stanić Boban \
        Šuker Prosinečki Tudor Olić Kranjčar Karabatić Duvnjak Cindrić Horvat Čech Nedvěd Rosický Kvitová Plíšková \
        Krejčíková Muchová Vondroušová Berdych Jágr Hašek Pastrňák Ledecká Hamšík Škriniar Baggio Totti Maldini Buffon \
        Pirlo Chiellini Bonucci Barella Donnarumma Berrettini Sinner Musetti Fognini Paolini Errani Bertolini Nadal \
        Alcaraz Ferrer Ramos Torres Iniesta Morata Messi Maradona Agüero Morales Navarro Moreno Gasol Haaland Haland \
        Ødegaard Solskjær Ruud Carlsen Warholm Ingebrigtsen Eriksen Schmeichel Laudrup Wozniacki Axelsen Hansen \
        Landin Kane Rooney Beckham Lineker Gerrard Lampard Rashford Sterling Bellingham Stones Murray Selby Hendry \
        Trump Higgins Brady Manning Jordan Williams Hamilton Radcliffe Farah Stokes Root Anderson Neuer Müller Kroos \
        Klose Ballack Matthäus Beckenbauer Becker Graf Kerber Zverev Nowitzki Lahm Hummels Werner Havertz Schumacher \
        Vettel Thiem Muster Alaba Arnautović Sabitzer Lauda Goggia Brignone Bassino Paris Ghedina Tomba Marlow Lindgren \
        Ashton Fenwick Steinmeier Brückner Thornton Stanton Norman Clayton Garland Dalton Holland Langer Rauch";

    fn surnames(tongue: &Tongue) -> Vec<Name> {
        let parts = tongue.stems.iter().flat_map(|stem| tongue.ends.iter().map(move |ends| (stem, ends)));
        parts.flat_map(|(stem, ends)| [man_end(ends), woman_end(ends)].map(|end| Name::word(&[stem, end]))).collect()
    }

    fn letters(name: &Name) -> usize {
        name.spelled.chars().count().max(name.heard.chars().count())
    }

    #[test]
    fn no_surname_is_long_or_known() {
        for name in tongues().flat_map(surnames) {
            assert!(letters(&name) <= SURNAME_LETTERS_MAX, "{name:?}");
            assert!(!KNOWN.split_whitespace().any(|known| known == name.spelled), "{name:?}");
        }
    }

    #[test]
    fn names_fit_their_column() {
        for tongue in tongues() {
            for first in tongue.men.iter().chain(&tongue.women) {
                assert!(letters(&Name::word(&[first])) <= FIRST_LETTERS_MAX, "{first}");
            }
        }
        assert_eq!(FIRST_LETTERS_MAX + 1 + SURNAME_LETTERS_MAX, PERSON_LETTERS_MAX);
        const { assert!(2 * SURNAME_LETTERS_MAX + 3 <= CLUB_LETTERS_MAX) };
    }

    #[test]
    fn there_are_hundreds_of_thousands_of_people() {
        let of = |tongue: &Tongue| tongue.stems.len() * tongue.ends.len() * (tongue.men.len() + tongue.women.len());
        let all: usize = tongues().map(of).sum();
        assert!(all > 200_000, "{all}");
    }

    #[test]
    fn a_womans_surname_has_her_end() {
        let mut draw = Draw::new(5, "");
        for _ in 0..100 {
            let woman = woman(tongue(TongueName::WestSlavic), &mut draw);
            assert!(woman.spelled.ends_with('á') && woman.heard.ends_with('a'), "{woman:?}");
            let man = man(tongue(TongueName::WestSlavic), &mut draw);
            assert!(!man.spelled.ends_with('á'), "{man:?}");
        }
    }
}
