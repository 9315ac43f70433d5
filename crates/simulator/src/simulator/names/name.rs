//! A name with its spelling and pronunciation, built from parts. Used by the generators of this folder.

use super::cyrillic::cyrillic;
use kvota_domain::Text;
use kvota_domain::lang::{Lang, PerLang};

/// A name in Latin script, and as a Serbian ear hears it, in Gaj's alphabet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Name {
    pub(super) spelled: String,
    pub(super) heard: String,
}

impl Name {
    /// Parts of one word: `Whit=Vit` is spelled one way and heard in Gaj's alphabet in another, `Bor` is both. A letter that ends one part and begins the next is written once.
    pub(super) fn word(parts: &[&str]) -> Name {
        let mut name = Name::default();
        for part in parts {
            let (spelled, heard) = part.split_once('=').unwrap_or((part, part));
            join(&mut name.spelled, spelled);
            join(&mut name.heard, heard);
        }
        name
    }

    /// Two names with something between them.
    pub(super) fn and(self, between: &str, other: &Name) -> Name {
        Name {
            spelled: [&self.spelled, between, &other.spelled].concat(),
            heard: [&self.heard, between, &other.heard].concat(),
        }
    }

    /// The name as written in a language.
    pub(super) fn written(&self, lang: Lang) -> String {
        if lang == Lang::Sr { cyrillic(&self.heard) } else { self.spelled.clone() }
    }

    /// What each language writes.
    pub(super) fn in_all_languages(&self) -> PerLang<Text> {
        PerLang::new(|lang| Text::from(self.written(lang)))
    }
}

fn join(word: &mut String, part: &str) {
    let mut rest = part.chars();
    let first = rest.next();
    let same = first.is_some() && word.chars().next_back().map(|c| c.to_ascii_lowercase()) == first;
    word.push_str(if same { rest.as_str() } else { part });
}

/// The genitive of a town's name, for "the championship of …", in Latin script.
///
/// By its end: a consonant takes -a, -a becomes -e and -o becomes -a; -ac loses its a; -ice is a plural; i, and y after
/// a consonant, take -ja; another vowel stays and takes -a, but a native -e becomes -a.
pub(super) fn genitive(town: &str, native: bool) -> String {
    let vowel = |c: char| "aeiouåøöyäé".contains(c);
    let mut ends = town.chars().rev();
    let (last, before) = (ends.next().unwrap_or_default(), ends.next().unwrap_or_default());
    let without = |count: usize| &town[..town.len() - count];
    match last {
        'c' if before == 'a' => format!("{}ca", without(2)),
        'e' if native || town.ends_with("ice") => format!("{}a", without(1)),
        'a' => format!("{}e", without(1)),
        'o' => format!("{}a", without(1)),
        'i' => format!("{town}ja"),
        'y' if !vowel(before) => format!("{town}ja"),
        _ => format!("{town}a"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_written_as_spelled_and_in_serbian_as_heard() {
        let name = Name::word(&["Whit=Vit", "worth=vort"]);
        assert_eq!(name.written(Lang::Hr), "Whitworth");
        assert_eq!(name.written(Lang::Sr), "Витворт");
        let both = name.and(" / ", &Name::word(&["Bor", "ić"]));
        assert_eq!(both.written(Lang::En), "Whitworth / Borić");
        assert_eq!(&*both.in_all_languages()[Lang::Sr], "Витворт / Борић");
    }

    #[test]
    fn a_letter_on_both_sides_of_a_seam_is_written_once() {
        assert_eq!(Name::word(&["Hal", "lund"]).spelled, "Halund");
        assert_eq!(Name::word(&["North=Nort", "ton"]), Name { spelled: "Northton".into(), heard: "Norton".into() });
    }

    #[test]
    fn genitives_of_towns() {
        for (town, native, expected) in [
            ("Mirograd", true, "Mirograda"),
            ("Vidrovac", true, "Vidrovca"),
            ("Jelovica", true, "Jelovice"),
            ("Mirovo", true, "Mirova"),
            ("Zlatopolje", true, "Zlatopolja"),
            ("Skalovice", false, "Skalovica"),
            ("Fernham", false, "Fernhama"),
            ("Ferndale", false, "Ferndalea"),
            ("Pensbury", false, "Pensburyja"),
            ("Pensberi", false, "Pensberija"),
            ("Stavøy", false, "Stavøya"),
        ] {
            assert_eq!(genitive(town, native), expected);
        }
    }
}
