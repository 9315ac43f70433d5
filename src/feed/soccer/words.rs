//! The words of [`super::texts`] as shared texts, made once: rendering a match copies pointers, not letters.

use super::kinds::{ASIAN_LEVEL, EUROPEAN_LEVEL, INTERVALS, Kind, Line, Outcomes, SPECS};
use super::texts::{EQUAL, EVEN, FIRST_HALF, NO, NOBODY, ODD, OTHER, OVER, Quad, SECOND_HALF, UNDER, YES, name, tag};
use crate::domain::Text;
use crate::domain::lang::{Lang, PerLang};
use std::sync::LazyLock;

/// A kind's words in one language.
#[derive(Debug)]
pub struct KindWords {
    /// The market's name.
    pub name: Text,
    /// Its short name.
    pub short: Text,
    /// Its groups.
    pub tags: Vec<Text>,
    /// Its outcomes, by place.
    pub outcomes: Vec<OutcomeWords>,
}

/// An outcome's words in one language.
#[derive(Clone, Debug)]
pub struct OutcomeWords {
    /// What is shown.
    pub kind: Text,
    /// The same in no language, where what is shown is a word.
    pub alias: Option<Text>,
}

/// All words in all languages.
#[derive(Debug)]
pub struct Words {
    kinds: PerLang<Vec<KindWords>>,
    lines: Vec<Vec<Option<Text>>>,
}

static WORDS: LazyLock<Words> = LazyLock::new(Words::new);

/// The words of the soccer offer.
pub fn words() -> &'static Words {
    &WORDS
}

/// A text of the table as shared texts.
pub fn texts(quad: &Quad) -> PerLang<Text> {
    PerLang::new(|lang| Text::from(quad[lang.index()]))
}

impl Words {
    fn new() -> Words {
        Words {
            kinds: PerLang::new(|lang| SPECS.iter().map(|spec| kind_words(spec.kind, lang)).collect()),
            lines: SPECS.iter().map(|spec| (0..spec.lines).map(|line| sbv(spec.line, line)).collect()).collect(),
        }
    }

    /// A kind's words.
    pub fn kind(&self, lang: Lang, kind: Kind) -> &KindWords {
        &self.kinds[lang][kind as usize]
    }

    /// A line's sbv, the same in every language.
    pub fn sbv(&self, kind: Kind, line: u16) -> Option<&Text> {
        self.lines[kind as usize].get(usize::from(line))?.as_ref()
    }
}

fn kind_words(kind: Kind, lang: Lang) -> KindWords {
    let (long, short) = name(kind);
    let spec = kind.spec();
    let tags = spec.tags.iter();
    KindWords {
        name: Text::from(long[lang.index()]),
        short: Text::from(short[lang.index()]),
        tags: tags.map(|held| Text::from(tag(*held)[lang.index()])).collect(),
        outcomes: (0..spec.outcomes.places()).map(|place| outcome(spec.outcomes, usize::from(place), lang)).collect(),
    }
}

fn sbv(line: Line, number: u16) -> Option<Text> {
    let number = i64::from(number);
    let text = match line {
        Line::None => return None,
        Line::Half => format!("{number}.5"),
        Line::Ordinal => number.to_string(),
        Line::European => match number - EUROPEAN_LEVEL {
            given @ 0.. => format!("{given}:0"),
            taken => format!("0:{}", -taken),
        },
        Line::Asian => match number - ASIAN_LEVEL {
            given @ 0.. => format!("{given}.5"),
            // Half a goal given and so many taken: -1 and a half is -0.5.
            taken => format!("-{}.5", -taken - 1),
        },
        Line::Interval => {
            let (first_half, start, end) = INTERVALS[number as usize];
            let base = if first_half { 0 } else { 45 };
            format!("{}-{}", base + start / 60 + 1, base + end / 60)
        }
    };
    Some(Text::from(text))
}

/// An outcome that reads the same everywhere.
fn plain(text: impl Into<Text>) -> OutcomeWords {
    OutcomeWords { kind: text.into(), alias: None }
}

/// An outcome that is a word.
fn word(quad: Quad, lang: Lang, alias: &str) -> OutcomeWords {
    OutcomeWords { kind: Text::from(quad[lang.index()]), alias: Some(Text::from(alias)) }
}

const RESULT: [&str; 3] = ["1", "X", "2"];

fn outcome(outcomes: Outcomes, place: usize, lang: Lang) -> OutcomeWords {
    match outcomes {
        Outcomes::OneXTwo => plain(RESULT[place]),
        Outcomes::OneTwo => plain(["1", "2"][place]),
        Outcomes::DoubleChance => plain(["1X", "12", "X2"][place]),
        Outcomes::Range => plain(["0-1", "2-3", "4-6", "7+"][place]),
        Outcomes::Exact if place == 6 => plain("6+"),
        Outcomes::Exact => plain(place.to_string()),
        Outcomes::HalfFull => plain(format!("{}/{}", RESULT[place / 3], RESULT[place % 3])),
        Outcomes::Score if place < 100 => plain(format!("{}:{}", place / 10, place % 10)),
        Outcomes::ShortScore if place < 36 => plain(format!("{}:{}", place / 6, place % 6)),
        Outcomes::Score | Outcomes::ShortScore => word(OTHER, lang, "other"),
        Outcomes::OneNoneTwo if place == 1 => word(NOBODY, lang, "none"),
        Outcomes::OneNoneTwo => plain(RESULT[place]),
        Outcomes::UnderOver => pick([(UNDER, "under"), (OVER, "over")], place, lang),
        Outcomes::YesNo => pick([(YES, "yes"), (NO, "no")], place, lang),
        Outcomes::OddEven => pick([(ODD, "odd"), (EVEN, "even")], place, lang),
        Outcomes::Halves => {
            let halves = [(FIRST_HALF, "first"), (EQUAL, "equal"), (SECOND_HALF, "second")];
            pick(halves, place, lang)
        }
        Outcomes::ResultYesNo => with_result([(YES, "yes"), (NO, "no")], place, lang),
        Outcomes::ResultUnderOver => with_result([(UNDER, "under"), (OVER, "over")], place, lang),
    }
}

fn pick<const N: usize>(of: [(Quad, &str); N], place: usize, lang: Lang) -> OutcomeWords {
    let (quad, alias) = of[place];
    word(quad, lang, alias)
}

fn with_result(of: [(Quad, &str); 2], place: usize, lang: Lang) -> OutcomeWords {
    let result = RESULT[place / 2];
    let (quad, alias) = of[place % 2];
    OutcomeWords {
        kind: Text::from(format!("{result} & {}", quad[lang.index()])),
        alias: Some(Text::from(format!("{result}/{alias}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_as_the_contract_says() {
        let words = words();
        for (kind, line, text) in [
            (Kind::Total, 2, "2.5"),
            (Kind::NextGoal, 3, "3"),
            (Kind::EuropeanHandicap, 6, "0:1"),
            (Kind::EuropeanHandicap, 9, "2:0"),
            (Kind::AsianHandicap, 7, "0.5"),
            (Kind::AsianHandicap, 6, "-0.5"),
            (Kind::AsianHandicap, 5, "-1.5"),
            (Kind::GoalInInterval, 3, "31-40"),
            (Kind::GoalInInterval, 4, "46-55"),
        ] {
            assert_eq!(words.sbv(kind, line).map(|text| &**text), Some(text), "{kind:?}");
        }
        assert_eq!(words.sbv(Kind::FullTime, 0), None);
    }

    #[test]
    fn serbian_words_are_cyrillic_and_the_others_are_not() {
        let cyrillic = |text: &str| text.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c));
        for spec in SPECS {
            for lang in Lang::ALL {
                let held = words().kind(lang, spec.kind);
                assert_eq!(cyrillic(&held.name), lang == Lang::Sr, "{}", held.name);
                assert!(held.tags.iter().all(|tag| tag.contains('.')));
                let translated = held.outcomes.iter().filter(|held| held.alias.is_some());
                for outcome in translated {
                    assert_eq!(cyrillic(&outcome.kind), lang == Lang::Sr, "{}", outcome.kind);
                }
            }
        }
    }

    #[test]
    fn names_of_kinds_differ_within_a_language() {
        for lang in Lang::ALL {
            let mut names: Vec<&Text> = SPECS.iter().map(|spec| &words().kind(lang, spec.kind).name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), SPECS.len());
        }
    }
}
