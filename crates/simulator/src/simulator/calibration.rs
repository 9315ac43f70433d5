//! Checks that an answer priced at p happens with frequency p: plays seeded matches of a sport to the end, records the
//! probabilities of all answers at several moments, and compares them with the results. Called by the tests and by
//! `kvota calibrate`, which draws the comparison.

use super::random::Random;
use super::sport::{Ask, Pairing, Play, Step};
use super::sports::Entry;
use crate::pricing::book::Book;
use crate::results::verdict::Verdict;
use std::collections::BTreeMap;

/// Bins of probabilities: 0 to 5 %, 5 to 10 % …
pub const BINS: usize = 20;
/// Moments of a match at which its chances are noted.
const MOMENTS: u32 = 12;
/// No match of any sport has this many steps; more steps mean an endless loop.
const STEPS_MAX: usize = 50_000;

/// Chances against what happened.
#[derive(Clone, Debug, Default)]
pub struct Reliability {
    /// By chance.
    pub bins: [Tally; BINS],
    /// By kind and answer, as indexes in the sport's table.
    pub kinds: BTreeMap<(u16, u16), Tally>,
    /// Matches that were played.
    pub matches: u32,
}

/// Recorded probabilities, and how many of the answers won. The records of one match depend on each other, so the error
/// is computed from the sums per match.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// The number of recorded probabilities.
    pub number: u64,
    /// Their sum: the expected number of answers that come true.
    pub expected: f64,
    /// The number of answers that came true.
    pub happened: f64,
    /// The sum over matches of the squared difference.
    squares: f64,
    /// The expected value of that sum if the probabilities are right. Used as a lower bound: without it, the error
    /// would be 0 for a rare answer that never won.
    variance: f64,
    /// The difference of the match being counted.
    open: f64,
}

impl Tally {
    /// Notes a chance of which the same match gave `earlier` ones for the same answer. Right chances are a martingale:
    /// the errors of an earlier and a later one share the later one's variance, so the n-th adds it 2 n - 1 times.
    fn note(&mut self, chance: f64, came_true: bool, earlier: u32) {
        let happened = if came_true { 1.0 } else { 0.0 };
        self.variance += f64::from(2 * earlier + 1) * chance * (1.0 - chance);
        self.number += 1;
        self.expected += chance;
        self.happened += happened;
        self.open += happened - chance;
    }

    fn close(&mut self) {
        self.squares += self.open * self.open;
        self.open = 0.0;
    }

    /// The mean probability, 0 to 1; 0 if none was recorded.
    pub fn mean_chance(&self) -> f64 {
        self.expected / f64::max(self.number as f64, 1.0)
    }

    /// How often it came true, 0 to 1.
    pub fn frequency(&self) -> f64 {
        self.happened / f64::max(self.number as f64, 1.0)
    }

    /// The standard error of the frequency.
    pub fn error(&self) -> f64 {
        f64::max(self.squares, self.variance).sqrt() / f64::max(self.number as f64, 1.0)
    }

    /// The deviation of the frequency, in standard errors. Half a match is always tolerated, so that a few equal
    /// matches are no error.
    pub fn deviations(&self) -> f64 {
        (self.happened - self.expected) / self.squares.max(self.variance).max(1.0).sqrt()
    }
}

/// Plays `matches` matches of a sport.
pub fn measure(entry: &'static Entry, seed: u64, matches: u32) -> Reliability {
    let mut reliability = Reliability::default();
    for number in 0..matches {
        reliability.play(entry, seed, u64::from(number));
    }
    reliability
}

impl Reliability {
    /// Plays a match and records its probabilities.
    pub fn play(&mut self, entry: &'static Entry, seed: u64, number: u64) {
        let mut random = Random::new(seed, number);
        let strengths = [random.normal(), random.normal()].map(|strength| strength.clamp(-2.5, 2.5));
        let pairing = Pairing { strengths, tournament: random.bits() };
        let mut play = entry.sport.begin(pairing, &mut random);
        let mut earlier: BTreeMap<Ask, u32> = BTreeMap::new();
        for (ask, chance) in noted(entry, play.as_mut(), &mut random) {
            let came_true = match entry.verdict(play.as_ref(), ask) {
                Verdict::Won => true,
                Verdict::Lost => false,
                Verdict::Void => continue,
            };
            let bin = ((chance * BINS as f64) as usize).min(BINS - 1);
            self.bins[bin].note(chance, came_true, 0);
            let earlier = earlier.entry(ask).or_default();
            self.kinds.entry((ask.kind, ask.answer)).or_default().note(chance, came_true, *earlier);
            *earlier += 1;
        }
        self.bins.iter_mut().chain(self.kinds.values_mut()).for_each(Tally::close);
        self.matches += 1;
    }

    /// The most standard errors that a bin is off.
    pub fn worst_bin(&self) -> f64 {
        worst(self.bins.iter())
    }

    /// The most standard errors that an answer of a kind is off; of some hundred, one is off by three.
    pub fn worst_answer(&self) -> f64 {
        worst(self.kinds.values())
    }
}

fn worst<'a>(tallies: impl Iterator<Item = &'a Tally>) -> f64 {
    tallies.map(|tally| tally.deviations().abs()).fold(0.0, f64::max)
}

/// Plays a match to its end; the chances that were noted on the way.
fn noted(entry: &'static Entry, play: &mut dyn Play, random: &mut Random) -> Vec<(Ask, f64)> {
    let length_ms = f64::from(entry.profile.minutes) * 60_000.0;
    let every_ms = length_ms / f64::from(MOMENTS);
    let mut noted = Vec::new();
    let (mut elapsed_ms, mut next_ms) = (0.0, 0.0);
    for _ in 0..STEPS_MAX {
        if elapsed_ms >= next_ms {
            next_ms = elapsed_ms + every_ms * random.between(0.5, 1.5);
            let mut book = Book::new(entry.profile.kinds);
            play.price(&mut book);
            for (market, odds) in book.markets() {
                let ask = |answer| Ask { kind: market.kind, line: market.line, answer };
                noted.extend(odds.iter().map(|odd| (ask(odd.answer), odd.probability)));
            }
        }
        match play.step(random) {
            Step::Next { after_ms } => elapsed_ms += f64::from(after_ms),
            Step::Over => return noted,
        }
    }
    noted.clear();
    noted
}
