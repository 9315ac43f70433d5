//! The priced markets of one match, independent of language: kinds, lines, answers, probabilities and prices. Filled by
//! the market builders of a sport, read when a match is rendered. A market without a kind, which a sport's file does
//! not have, is left out.

use super::dist::{Difference, at_most};
use super::kind::{KindSpec, Line};
use super::price::price;
use kvota_domain::price::Price;

/// A market with an answer this likely counts as decided and is not offered.
pub const DECIDED: f64 = 0.9995;
/// Lines beside the even one are offered while both sides have at least this chance.
const LINE_CHANCE_MIN: f64 = 0.03;

/// The markets of a match at one moment, in the order of its sport's table.
#[derive(Clone, Debug)]
pub struct Book {
    specs: &'static [KindSpec],
    markets: Vec<BookMarket>,
    odds: Vec<BookOdd>,
}

/// One market.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMarket {
    /// The kind: an index in the table of kinds.
    pub kind: u16,
    /// The line.
    pub line: u16,
    /// Whether it is the line of its kind closest to even (CONTRACT 0); `None` if the kind has no lines. Known once the
    /// book is in order.
    pub balanced: Option<bool>,
    first: u32,
    last: u32,
}

/// One answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookOdd {
    /// The index of the answer in its kind.
    pub answer: u16,
    /// The probability, without the margin.
    pub probability: f64,
    /// The price; not offered if the answer is no longer possible.
    pub price: Price,
}

/// How many lines are offered below and above the one closest to even.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Below it.
    pub below: u16,
    /// Above it.
    pub above: u16,
}

impl Spread {
    /// The same number of lines on each side.
    pub const fn both(lines: u16) -> Spread {
        Spread { below: lines, above: lines }
    }
}

impl Book {
    /// An empty book of a sport.
    pub fn new(specs: &'static [KindSpec]) -> Book {
        Book { specs, markets: Vec::with_capacity(48), odds: Vec::with_capacity(128) }
    }

    /// The markets with their odds.
    pub fn markets(&self) -> impl ExactSizeIterator<Item = (&BookMarket, &[BookOdd])> {
        self.markets.iter().map(move |market| (market, self.odds_of(market)))
    }

    /// How many markets and odds there are.
    pub fn entities(&self) -> usize {
        self.markets.len() + self.odds.len()
    }

    /// Adds a market without lines; `chances` by answer, which sum to the number of winning answers.
    pub fn single(&mut self, kind: impl Into<Option<u16>>, chances: &[f64]) {
        if let Some(kind) = kind.into() {
            self.push_all(kind, 0, chances);
        }
    }

    /// Adds a market of two answers without lines; `first` is the probability of the first.
    pub fn two_way(&mut self, kind: impl Into<Option<u16>>, first: f64) {
        self.single(kind, &[first, 1.0 - first]);
    }

    /// Adds one line, which the sport chooses. A line beyond the table's is not offered.
    pub fn line(&mut self, kind: impl Into<Option<u16>>, line: usize, chances: &[f64]) {
        match kind.into() {
            Some(kind) if line < usize::from(self.spec(kind).lines) => self.push_all(kind, line as u16, chances),
            _ => {}
        }
    }

    /// Adds lines of two answers, which the sport chooses, with the probability of the first answer.
    pub fn lines(&mut self, kind: impl Into<Option<u16>>, lines: impl Iterator<Item = (usize, f64)>) {
        let Some(kind) = kind.into() else { return };
        for (line, chance) in lines {
            self.line(kind, line, &[chance, 1.0 - chance]);
        }
    }

    /// Adds lines of a total: `counted` so far, and the distribution of the rest. The first answer is under.
    pub fn totals(&mut self, kind: impl Into<Option<u16>>, counted: usize, left: &[f64], spread: Spread) {
        let Some(kind) = kind.into() else { return };
        let spec = self.spec(kind);
        let base = match spec.line {
            Line::Half(first) => usize::from(first),
            _ => 0,
        };
        let first = counted.saturating_sub(base);
        let lines = usize::from(spec.lines);
        if first >= lines || counted + left.len() <= base {
            return;
        }
        // At or below `base + line` in all: what may still come is that less what is counted.
        let under = |line: usize| (base + line).checked_sub(counted).map_or(0.0, |more| at_most(left, more));
        let even = closest_to_even(first..lines, under);
        let shown = even.saturating_sub(usize::from(spread.below)).max(first)
            ..(even + usize::from(spread.above) + 1).min(lines);
        for line in shown {
            let under = under(line);
            if line == even || is_open(under) {
                self.push_all(kind, line as u16, &[under, 1.0 - under]);
            }
        }
    }

    /// Adds handicaps of half points: the home side is `ahead`; `difference` is the distribution of the rest.
    pub fn handicaps(&mut self, kind: impl Into<Option<u16>>, difference: &Difference, ahead: i64, spread: Spread) {
        let Some(kind) = kind.into() else { return };
        let lines = self.spec(kind).lines;
        let level = Line::level(lines);
        // The half on top turns a draw into a win.
        let home = |line: usize| {
            let [above, at, _] = difference.three_way(ahead + line as i64 - level);
            above + at
        };
        let lines = usize::from(lines);
        let even = closest_to_even(0..lines, home);
        let shown = even.saturating_sub(usize::from(spread.below))..(even + usize::from(spread.above) + 1).min(lines);
        for line in shown {
            let home = home(line);
            if line == even || is_open(home) {
                self.push_all(kind, line as u16, &[home, 1.0 - home]);
            }
        }
    }

    /// Adds handicaps of whole numbers, where a draw is possible. The middle line is a handicap of zero and is not
    /// offered; the lines above it favour the home side.
    pub fn three_way_handicaps(&mut self, kind: u16, difference: &Difference, ahead: i64, spread: Spread) {
        let lines = self.spec(kind).lines;
        let level = Line::level(lines);
        let chances = |line: usize| difference.three_way(ahead + line as i64 - level);
        let likeliest = |line: usize| chances(line).into_iter().fold(0.0, f64::max);
        let offered = || (0..usize::from(lines)).filter(|line| *line as i64 != level);
        let Some(even) = offered().min_by(|a, b| likeliest(*a).total_cmp(&likeliest(*b))) else {
            return;
        };
        let near = even.saturating_sub(usize::from(spread.below))..=even + usize::from(spread.above);
        for line in offered().filter(|line| near.contains(line)) {
            if line == even || likeliest(line) < 1.0 - LINE_CHANCE_MIN {
                self.push_all(kind, line as u16, &chances(line));
            }
        }
    }

    /// Adds a market with some answers of its kind. A decided market, or one beyond the table, is left out.
    pub fn push_some(&mut self, kind: impl Into<Option<u16>>, line: u16, chances: impl Iterator<Item = (u16, f64)>) {
        let Some(kind) = kind.into() else { return };
        let spec = self.spec(kind);
        let first = self.odds.len();
        let odds = chances.map(|(answer, probability)| BookOdd {
            answer,
            probability: probability.clamp(0.0, 1.0),
            price: Price::NONE,
        });
        self.odds.extend(odds);
        let winners = spec.answers.winners();
        let added = &mut self.odds[first..];
        let open = added.iter().filter(|odd| odd.probability < DECIDED).count();
        if open + winners <= added.len() || added.is_empty() {
            self.odds.truncate(first);
            return;
        }
        let answers = added.len();
        for odd in added {
            odd.price = price(odd.probability, spec.margin, answers, winners);
        }
        self.markets.push(BookMarket { kind, line, balanced: None, first: first as u32, last: self.odds.len() as u32 });
    }

    /// Sorts the markets into the order of the table, and marks the line of each kind that is closest to even: the one
    /// with the least likely favourite, and of equal ones the lowest.
    pub fn in_order(mut self) -> Book {
        self.markets.sort_by_key(|market| (market.kind, market.line));
        let (specs, odds) = (self.specs, &self.odds);
        let likeliest = |market: &BookMarket| {
            let own = &odds[market.first as usize..market.last as usize];
            own.iter().map(|odd| odd.probability).fold(0.0, f64::max)
        };
        let of_kinds = self.markets.chunk_by_mut(|one, next| one.kind == next.kind);
        for lines in of_kinds.filter(|lines| !matches!(specs[usize::from(lines[0].kind)].line, Line::None)) {
            let even = (0..lines.len()).min_by(|a, b| likeliest(&lines[*a]).total_cmp(&likeliest(&lines[*b])));
            for (at, market) in lines.iter_mut().enumerate() {
                market.balanced = Some(Some(at) == even);
            }
        }
        self
    }

    /// Keeps only some of the markets.
    pub fn retain(&mut self, mut keep: impl FnMut(&BookMarket, &[BookOdd]) -> bool) {
        let odds = &self.odds;
        self.markets.retain(|market| {
            let own = odds.get(market.first as usize..market.last as usize);
            keep(market, own.unwrap_or_default())
        });
    }

    /// Recalculates the prices of the `which`-th market (modulo their number) with a margin changed by `by`, as a
    /// trader would do without a cause in the play. Probabilities stay.
    pub fn nudge(&mut self, which: usize, by: f64) {
        let Some(market) = self.markets.get(which % self.markets.len().max(1)).copied() else {
            return;
        };
        let spec = self.spec(market.kind);
        let (answers, winners) = ((market.last - market.first) as usize, spec.answers.winners());
        for odd in &mut self.odds[market.first as usize..market.last as usize] {
            odd.price = price(odd.probability, f64::max(spec.margin + by, 0.005), answers, winners);
        }
    }

    fn spec(&self, kind: u16) -> &'static KindSpec {
        &self.specs[usize::from(kind)]
    }

    fn odds_of(&self, market: &BookMarket) -> &[BookOdd] {
        self.odds.get(market.first as usize..market.last as usize).unwrap_or_default()
    }

    fn push_all(&mut self, kind: u16, line: u16, chances: &[f64]) {
        let places = chances.iter().enumerate();
        self.push_some(kind, line, places.map(|(answer, chance)| (answer as u16, *chance)));
    }
}

fn is_open(chance: f64) -> bool {
    (LINE_CHANCE_MIN..=1.0 - LINE_CHANCE_MIN).contains(&chance)
}

/// Finds the line with the probability closest to one half, or the lowest of several. Uses a binary search, so the
/// probabilities must be monotonic in the line.
fn closest_to_even(lines: std::ops::Range<usize>, chance: impl Fn(usize) -> f64) -> usize {
    let rises = chance(lines.end - 1) >= chance(lines.start);
    let (mut low, mut high) = (lines.start, lines.end - 1);
    while low < high {
        let middle = (low + high) / 2;
        let below = chance(middle) < 0.5;
        if below == rises {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let from_even = |line: usize| (chance(line) - 0.5).abs();
    match low.checked_sub(1) {
        Some(before) if before >= lines.start && from_even(before) <= from_even(low) => before,
        _ => low,
    }
}

#[cfg(test)]
mod tests {
    use super::super::dist::poisson;
    use super::super::kind::Answers;
    use super::*;

    const TABLE: [KindSpec; 3] = [
        KindSpec::of(1, Answers::OneTwo, Line::None, 1),
        KindSpec::of(2, Answers::UnderOver, Line::Half(10), 40),
        KindSpec::of(3, Answers::OneTwo, Line::Handicap, 20),
    ];

    fn lines(book: &Book, kind: u16) -> Vec<(u16, bool, f64)> {
        let of_kind = book.markets().filter(|(market, _)| market.kind == kind);
        of_kind.map(|(market, odds)| (market.line, market.balanced == Some(true), odds[0].probability)).collect()
    }

    #[test]
    fn a_total_offers_lines_around_the_even_one() {
        let mut book = Book::new(&TABLE);
        book.totals(1, 12, &poisson(8.0, 40), Spread::both(2));
        let lines = lines(&book.in_order(), 1);
        assert_eq!(lines.len(), 5);
        assert_eq!(lines.iter().filter(|(_, balanced, _)| *balanced).count(), 1);
        // 12 and some 8 more: 19.5, which is line 9.
        assert!(lines[2].1 && lines[2].0 == 9, "{lines:?}");
        assert!(lines.windows(2).all(|pair| pair[0].2 < pair[1].2), "under grows with the line");
    }

    #[test]
    fn a_handicap_offers_lines_around_the_even_one() {
        let mut book = Book::new(&TABLE);
        let apart = Difference::of(&poisson(3.0, 20), &poisson(3.0, 20));
        book.handicaps(2, &apart, 4, Spread::both(1));
        // Four ahead: it gives three and a half, or four and a half, away.
        let balanced: Vec<u16> =
            lines(&book.in_order(), 2).into_iter().filter(|held| held.1).map(|held| held.0).collect();
        assert!(balanced == [5] || balanced == [6], "{balanced:?}");
    }

    #[test]
    fn the_line_closest_to_even_is_balanced_wherever_it_was_added() {
        let mut book = Book::new(&TABLE);
        book.lines(1, [(7, 0.9), (9, 0.45), (4, 0.1), (8, 0.55)].into_iter());
        book.two_way(0, 0.5);
        let book = book.in_order();
        let marked: Vec<(u16, bool)> =
            lines(&book, 1).into_iter().map(|(line, balanced, _)| (line, balanced)).collect();
        assert_eq!(marked, [(4, false), (7, false), (8, true), (9, false)]);
        assert!(book.markets().all(|(market, _)| (market.kind == 0) == market.balanced.is_none()));
    }

    #[test]
    fn a_decided_market_is_left_out() {
        let mut book = Book::new(&TABLE);
        book.two_way(0, 1.0);
        book.two_way(0, 0.0);
        assert_eq!(book.markets().len(), 0);
        book.two_way(0, 0.6);
        assert_eq!(book.markets().len(), 1);
    }

    #[test]
    fn a_nudge_moves_prices_and_no_chances() {
        let mut book = Book::new(&TABLE);
        book.two_way(0, 0.6);
        let before: Vec<BookOdd> = book.markets().flat_map(|(_, odds)| odds.to_vec()).collect();
        book.nudge(7, 0.03);
        let after: Vec<BookOdd> = book.markets().flat_map(|(_, odds)| odds.to_vec()).collect();
        assert!(before.iter().zip(&after).all(|(a, b)| a.probability == b.probability && b.price < a.price));
        Book::new(&TABLE).nudge(0, 0.01);
    }
}
