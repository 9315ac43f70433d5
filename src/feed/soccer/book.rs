//! A priced offer of one match, without a word of any language: kinds, lines, outcomes, chances and prices. Filled by
//! the market builders beside it, read by [`super::frame`].

use super::kinds::{ASIAN_LEVEL, EUROPEAN_LEVEL, Kind};
use super::poisson::{at_most, three_way};
use crate::domain::price::Price;
use crate::feed::pricing::price::price;

/// A market with an outcome this likely is as good as decided and is not offered.
const DECIDED: f64 = 0.9995;
/// Lines beside the balanced one are offered while both sides have at least this chance.
const LINE_CHANCE_MIN: f64 = 0.03;

/// The markets of a match at one moment, in the order of the table of kinds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    markets: Vec<BookMarket>,
    odds: Vec<BookOdd>,
}

/// One market.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMarket {
    /// What is asked.
    pub kind: Kind,
    /// For which line.
    pub line: u16,
    /// Whether it is the balanced one of the kind's lines; nothing where the kind has no lines.
    pub balanced: Option<bool>,
    first: u32,
    last: u32,
}

/// One outcome.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookOdd {
    /// Its place among the kind's outcomes.
    pub outcome: u16,
    /// Its chance, before the margin.
    pub probability: f64,
    /// Its price; not offered where it cannot happen any more.
    pub price: Price,
}

/// How many lines are offered below and above the balanced one.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Below it.
    pub below: usize,
    /// Above it.
    pub above: usize,
}

/// Whether a line is the one of its kind that is closest to even.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Balance {
    /// It is.
    Even,
    /// Another one is.
    Uneven,
}

impl Spread {
    /// So many on each side.
    pub const fn both(lines: usize) -> Spread {
        Spread { below: lines, above: lines }
    }
}

impl Book {
    /// An empty book.
    pub fn new() -> Book {
        Book { markets: Vec::with_capacity(100), odds: Vec::with_capacity(320) }
    }

    /// The markets with their odds.
    pub fn markets(&self) -> impl ExactSizeIterator<Item = (&BookMarket, &[BookOdd])> {
        let odds_of = |market: &BookMarket| {
            let range = market.first as usize..market.last as usize;
            self.odds.get(range).unwrap_or_default()
        };
        self.markets.iter().map(move |market| (market, odds_of(market)))
    }

    /// How many markets and odds there are.
    pub fn entities(&self) -> usize {
        self.markets.len() + self.odds.len()
    }

    /// Adds a market without lines; `chances` by outcome.
    pub fn single(&mut self, kind: Kind, chances: &[f64]) {
        self.push(kind, 0, None, chances);
    }

    /// Adds the only line there is at a time of a kind with lines.
    pub fn only_line(&mut self, kind: Kind, line: usize, chances: &[f64]) {
        self.line(kind, line, Balance::Even, chances);
    }

    /// Adds one line of a kind whose lines are chosen by the builder.
    pub fn line(&mut self, kind: Kind, line: usize, balanced: Balance, chances: &[f64]) {
        if line < usize::from(kind.spec().lines) {
            self.push(kind, line as u16, Some(balanced == Balance::Even), chances);
        }
    }

    /// Adds a yes-or-no market.
    pub fn yes_no(&mut self, kind: Kind, yes: f64) {
        self.single(kind, &[yes, 1.0 - yes]);
    }

    /// Puts the markets into the order of the table, whoever added them when.
    pub fn in_order(mut self) -> Book {
        self.markets.sort_unstable_by_key(|market| (market.kind, market.line));
        self
    }

    fn push(&mut self, kind: Kind, line: u16, balanced: Option<bool>, chances: &[f64]) {
        let places = chances.iter().enumerate();
        let places = places.map(|(outcome, chance)| (outcome as u16, *chance));
        self.push_some(kind, line, balanced, places);
    }

    /// Adds a market of some of its kind's outcomes. A decided market is left out.
    pub fn push_some(
        &mut self,
        kind: Kind,
        line: u16,
        balanced: Option<bool>,
        chances: impl Iterator<Item = (u16, f64)>,
    ) {
        let spec = kind.spec();
        let first = self.odds.len();
        let odds = chances.map(|(outcome, probability)| BookOdd {
            outcome,
            probability: probability.clamp(0.0, 1.0),
            price: Price::NONE,
        });
        self.odds.extend(odds);
        let winners = spec.outcomes.winners();
        let added = &mut self.odds[first..];
        let open = added.iter().filter(|odd| odd.probability < DECIDED);
        if open.count() + winners <= added.len() || added.is_empty() {
            self.odds.truncate(first);
            return;
        }
        let outcomes = added.len();
        for odd in added {
            odd.price = price(odd.probability, spec.margin, outcomes, winners);
        }
        self.markets.push(BookMarket { kind, line, balanced, first: first as u32, last: self.odds.len() as u32 });
    }

    /// Adds lines of a total: `counted` so far, and the distribution of what is still to come.
    pub fn totals(&mut self, kind: Kind, counted: u8, left: &[f64], spread: Spread) {
        let counted = usize::from(counted);
        let lines = usize::from(kind.spec().lines);
        if counted >= lines {
            return;
        }
        let under = |line: usize| at_most(left, line - counted);
        let even = closest_to_even(counted..lines, under);
        let shown = even.saturating_sub(spread.below).max(counted)..(even + spread.above + 1).min(lines);
        for line in shown {
            let under = under(line);
            if line == even || is_open(under) {
                self.push(kind, line as u16, Some(line == even), &[under, 1.0 - under]);
            }
        }
    }

    /// Adds Asian handicaps: the home side `ahead`, and the distribution of the difference still to come.
    pub fn asian_handicaps(&mut self, kind: Kind, difference: &[f64], ahead: i64, spread: Spread) {
        let lines = usize::from(kind.spec().lines);
        // The half goal on top turns a draw into a win.
        let home = |line: usize| {
            let [above, level, _] = three_way(difference, ahead + line as i64 - ASIAN_LEVEL);
            above + level
        };
        let even = closest_to_even(0..lines, home);
        for line in even.saturating_sub(spread.below)..(even + spread.above + 1).min(lines) {
            let home = home(line);
            if line == even || is_open(home) {
                self.push(kind, line as u16, Some(line == even), &[home, 1.0 - home]);
            }
        }
    }

    /// Adds European handicaps, which leave a draw.
    pub fn european_handicaps(&mut self, kind: Kind, difference: &[f64], ahead: i64, spread: Spread) {
        let lines = usize::from(kind.spec().lines);
        let level = EUROPEAN_LEVEL as usize;
        let chances = |line: usize| three_way(difference, ahead + line as i64 - EUROPEAN_LEVEL);
        let likeliest = |line: usize| chances(line).into_iter().fold(0.0, f64::max);
        let offered: Vec<usize> = (0..lines).filter(|line| *line != level).collect();
        let by_evenness = |a: &usize, b: &usize| likeliest(*a).total_cmp(&likeliest(*b));
        let Some(even) = offered.iter().copied().min_by(by_evenness) else {
            return;
        };
        let near = even.saturating_sub(spread.below)..=even + spread.above;
        for line in offered.into_iter().filter(|line| near.contains(line)) {
            if line == even || likeliest(line) < 1.0 - LINE_CHANCE_MIN {
                self.push(kind, line as u16, Some(line == even), &chances(line));
            }
        }
    }
}

fn is_open(chance: f64) -> bool {
    (LINE_CHANCE_MIN..=1.0 - LINE_CHANCE_MIN).contains(&chance)
}

/// The line whose chance is closest to one half; the lowest of equals.
fn closest_to_even(lines: std::ops::Range<usize>, chance: impl Fn(usize) -> f64) -> usize {
    let first = lines.start;
    let from_even = |line: &usize| (chance(*line) - 0.5).abs();
    lines.min_by(|a, b| from_even(a).total_cmp(&from_even(b))).unwrap_or(first)
}
