//! A sport's table of kinds, with data derived once: the indexes of markets and odds in a match's block of ids, and
//! shared texts, so that rendering a match copies pointers and not characters.

use super::kind::{KindSpec, Quad};
use crate::generator::{BLOCK_MARKETS, BLOCK_ODDS};
use kvota_domain::Text;
use kvota_domain::lang::{Lang, PerLang};
use std::sync::Arc;

/// A table of kinds, ready for use. Made once a sport.
#[derive(Debug)]
pub struct Catalogue {
    /// The table.
    pub specs: &'static [KindSpec],
    /// The index of each kind's first market and first odd within the block.
    firsts: Vec<(u64, u64)>,
    kinds: PerLang<Vec<KindWords>>,
    lines: Vec<Vec<Option<Text>>>,
}

/// The texts of a kind in one language.
#[derive(Debug)]
pub struct KindWords {
    /// The market's name.
    pub name: Text,
    /// Its short name.
    pub short: Text,
    /// Its groups.
    pub tags: Arc<[Text]>,
    /// The answers, by index.
    pub answers: Vec<AnswerWords>,
}

/// The texts of an answer in one language.
#[derive(Clone, Debug)]
pub struct AnswerWords {
    /// The text that is shown.
    pub kind: Text,
    /// The language-neutral form, if the shown text is a word.
    pub alias: Option<Text>,
}

/// A text as shared texts.
pub fn texts(quad: &Quad) -> PerLang<Text> {
    PerLang::new(|lang| Text::from(quad[lang.index()]))
}

impl Catalogue {
    /// Works a table out.
    ///
    /// # Panics
    /// If the table needs more ids than a block has. That is a mistake in the table, which the tests of the sport
    /// detect.
    pub fn new(specs: &'static [KindSpec]) -> Catalogue {
        let mut firsts = Vec::with_capacity(specs.len());
        let (mut markets, mut odds) = (0, 0);
        for spec in specs {
            firsts.push((markets, odds));
            markets += u64::from(spec.lines);
            odds += u64::from(spec.lines) * u64::from(spec.answers.places());
        }
        assert!(markets <= BLOCK_MARKETS && odds <= BLOCK_ODDS, "{markets} markets and {odds} odds do not fit a block");
        Catalogue {
            specs,
            firsts,
            kinds: PerLang::new(|lang| specs.iter().map(|spec| KindWords::new(spec, lang)).collect()),
            lines: specs.iter().map(lines).collect(),
        }
    }

    /// The texts of a kind.
    pub fn words(&self, lang: Lang, kind: u16) -> &KindWords {
        &self.kinds[lang][usize::from(kind)]
    }

    /// A line's sbv, the same in every language.
    pub fn sbv(&self, kind: u16, line: u16) -> Option<&Text> {
        self.lines[usize::from(kind)].get(usize::from(line))?.as_ref()
    }

    /// The index of a market in the block of its match.
    pub fn market_place(&self, kind: u16, line: u16) -> u64 {
        self.firsts[usize::from(kind)].0 + u64::from(line)
    }

    /// The index of an odd in the block of its match.
    pub fn odd_place(&self, kind: u16, line: u16, answer: u16) -> u64 {
        let places = u64::from(self.specs[usize::from(kind)].answers.places());
        self.firsts[usize::from(kind)].1 + u64::from(line) * places + u64::from(answer)
    }
}

impl KindWords {
    fn new(spec: &KindSpec, lang: Lang) -> KindWords {
        let word = |quad: &Quad| Text::from(quad[lang.index()]);
        let answers = (0..spec.answers.places()).map(|place| {
            let answer = spec.answers.text(place, lang);
            AnswerWords { kind: Text::from(answer.text), alias: answer.alias.map(Text::from) }
        });
        KindWords {
            name: word(&spec.name),
            short: word(&spec.short),
            tags: spec.tags.iter().map(word).collect(),
            answers: answers.collect(),
        }
    }
}

fn lines(spec: &KindSpec) -> Vec<Option<Text>> {
    (0..spec.lines).map(|line| spec.line.sbv(line, spec.lines).map(Text::from)).collect()
}
