//! The questions that the engines can answer, as the files in `catalogue/` name them. A market of a file is a question
//! with texts, lines and answers. The build script reads them as well, so this file must not import anything of the
//! crate.

mod clock;
mod sets;
mod turns;

pub use clock::ClockQuestion;
pub use sets::{SetQuestion, SetsQuestion};
pub use turns::TurnsQuestion;

use serde::{Deserialize, Deserializer};
use std::ops::Deref;

/// Some periods that follow each other, from 0; in a file `[first, one after the last]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "[usize; 2]")]
pub struct Part {
    /// The first.
    pub from: usize,
    /// One after the last.
    pub to: usize,
}

impl Part {
    /// Whether a period is one of them.
    pub fn has(self, period: usize) -> bool {
        (self.from..self.to).contains(&period)
    }
}

impl From<[usize; 2]> for Part {
    fn from([from, to]: [usize; 2]) -> Part {
        Part { from, to }
    }
}

/// What a market counts, and where; in a file `"match"`, a [`Part`], `{ corners = [0, 2] }` or `{ cards = [0, 2] }`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "ScopeText")]
pub enum Scope {
    /// The points of all of the match, with overtime.
    Match,
    /// The points of some periods.
    Part(Part),
    /// The corners of some periods.
    Corners(Part),
    /// The cards of some periods.
    Cards(Part),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a scope is \"match\", periods such as [0, 2], { corners = [0, 2] } or { cards = [0, 2] }"
)]
enum ScopeText {
    Word(Whole),
    Periods(Part),
    Count(CountText),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum CountText {
    Corners(Part),
    Cards(Part),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Whole {
    Match,
}

impl From<ScopeText> for Scope {
    fn from(text: ScopeText) -> Scope {
        match text {
            ScopeText::Word(Whole::Match) => Scope::Match,
            ScopeText::Periods(part) => Scope::Part(part),
            ScopeText::Count(CountText::Corners(part)) => Scope::Corners(part),
            ScopeText::Count(CountText::Cards(part)) => Scope::Cards(part),
        }
    }
}

/// A stretch of a period; in a file `[period, first second, one after the last]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "[u32; 3]")]
pub struct Stretch {
    /// The period, from 0.
    pub period: usize,
    /// The first second, from the start of the period.
    pub from_s: u32,
    /// One after the last.
    pub to_s: u32,
}

impl From<[u32; 3]> for Stretch {
    fn from([period, from_s, to_s]: [u32; 3]) -> Stretch {
        Stretch { period: period as usize, from_s, to_s }
    }
}

/// Values of a file that live as long as the program.
#[derive(PartialEq, Eq, Debug)]
pub struct List<T: 'static>(pub &'static [T]);

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<T>, D::Error> {
        Vec::deserialize(deserializer).map(|values| List(values.leak()))
    }
}
