//! Prices of the markets that all matches of sets may have, from the possible ends of the running set and the sets
//! after it. Called by the sports' plays; every probability is exact for their point by point play.

use super::race::RaceOutlook;
use super::record::{EARLY, Record, margin_place, score_place, set_score_place};
use super::tree::{Count, SetEnd, Sum, Tree, difference, total};
use crate::catalogue::SportData;
use crate::catalogue::questions::{SetQuestion, SetsQuestion};
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::{Difference, even};

/// What a side has of a set's score.
pub const OF_SIDE: [fn([u8; 2]) -> i32; 2] = [|[home, _]| i32::from(home), |[_, away]| i32::from(away)];

/// The probabilities of the sets that have not begun. Computed once per match.
#[derive(Debug)]
pub struct Prospects {
    data: &'static SportData<SetsQuestion>,
    /// The sets.
    pub tree: Tree,
    total: Sum,
    difference: Sum,
    of_side: [Sum; 2],
    /// The numbers of points of the markets on the first side to reach them.
    firsts: Vec<u8>,
}

impl Prospects {
    /// Works it out, with the numbers of points of the markets "first to".
    pub fn new(data: &'static SportData<SetsQuestion>, tree: Tree, firsts: impl IntoIterator<Item = u8>) -> Prospects {
        Prospects {
            data,
            total: Sum::new(&tree, total),
            difference: Sum::new(&tree, difference),
            of_side: OF_SIDE.map(|measure| Sum::new(&tree, measure)),
            firsts: firsts.into_iter().collect(),
            tree,
        }
    }

    /// Prices the markets about the match, the running set, and the winner of the next one.
    pub fn price(&self, book: &mut Book, record: &Record, running: &RaceOutlook) {
        let finals = self.tree.finals(record.sets, &running.ends);
        let finals: Vec<([u8; 2], f64)> =
            (0..2 * usize::from(record.need)).map(|place| (self.tree.final_score(place), finals[place])).collect();
        book.two_way(self.kind(SetsQuestion::Winner), chance(&finals, |[home, away]| home > away));
        if record.need > 1 {
            self.price_sets_of_match(book, record, &running.ends, &finals);
        } else {
            self.price_one_set(book, record, running);
        }
        self.price_sums(book, record, &running.ends);
        self.price_set(book, record, running);
    }

    fn kind(&self, question: SetsQuestion) -> Option<u16> {
        self.data.kind(question)
    }

    fn price_sets_of_match(&self, book: &mut Book, record: &Record, ends: &[SetEnd], finals: &[([u8; 2], f64)]) {
        let (need, sets) = (record.need, record.sets);
        let chance = |fits: &dyn Fn([u8; 2]) -> bool| chance(finals, fits);
        let places = finals.iter().map(|(score, chance)| (set_score_place(need, *score), *chance));
        book.push_some(self.kind(SetsQuestion::SetScore), 0, places);
        self.price_score(book, finals);
        let of_sets: Vec<f64> = (0..2 * need).map(|count| chance(&|[home, away]| home + away == count)).collect();
        book.totals(self.kind(SetsQuestion::Sets), 0, &of_sets, Spread::both(2));
        let lowest = -i64::from(need);
        let apart = (lowest..=-lowest).map(|by| chance(&|[home, away]| i64::from(home) - i64::from(away) == by));
        let apart = Difference::from_lowest(lowest, apart.collect());
        book.handicaps(self.kind(SetsQuestion::SetHandicap), &apart, 0, Spread::both(2));
        let counts = (need..2 * need).map(|count| (u16::from(count) - 2, of_sets[usize::from(count)]));
        book.push_some(self.kind(SetsQuestion::ExactSets), 0, counts);
        let [home, away] = sets;
        book.two_way(self.kind(SetsQuestion::HomeSet), if home > 0 { 1.0 } else { chance(&|[home, _]| home > 0) });
        book.two_way(self.kind(SetsQuestion::AwaySet), if away > 0 { 1.0 } else { chance(&|[_, away]| away > 0) });
        book.two_way(self.kind(SetsQuestion::Decider), chance(&|[home, away]| home.min(away) + 1 == need));
        let won: f64 = ends.iter().filter(|end| end.winner() == 0).map(|end| end.chance).sum();
        book.line(self.kind(SetsQuestion::Set), record.finished(), &[won, 1.0 - won]);
        if record.finished() == 0 {
            let mut both = [0.0; 4];
            for side in 0..2 {
                let won: Vec<SetEnd> = ends.iter().copied().filter(|end| end.winner() == side).collect();
                let set: f64 = won.iter().map(|end| end.chance).sum();
                both[side * 2] = self.tree.home_wins(sets, &won);
                both[side * 2 + 1] = f64::max(set - both[side * 2], 0.0);
            }
            book.single(self.kind(SetsQuestion::FirstAndMatch), &both);
        }
    }

    /// A match of one set: its points are what counts.
    fn price_one_set(&self, book: &mut Book, record: &Record, running: &RaceOutlook) {
        let ends: Vec<([u8; 2], f64)> = running.ends.iter().map(|end| (end.score, end.chance)).collect();
        self.price_score(book, &ends);
        let target = record.target();
        book.two_way(self.kind(SetsQuestion::Decider), running.passes([target - 1; 2]));
        book.lines(self.kind(SetsQuestion::FirstTo), self.firsts(record, running));
        if record.played() < EARLY {
            let mut leads = [0.0; 3];
            for home in 0..=EARLY as u8 {
                let away = EARLY as u8 - home;
                leads[usize::from(home <= away) + usize::from(home < away)] += running.passes([home, away]);
            }
            book.single(self.kind(SetsQuestion::AfterFour), &leads);
        }
    }

    fn price_score(&self, book: &mut Book, scores: &[([u8; 2], f64)]) {
        let mut places: Vec<(u16, f64)> = scores.iter().map(|(score, chance)| (score_place(*score), *chance)).collect();
        places.sort_unstable_by_key(|(place, _)| *place);
        book.push_some(self.kind(SetsQuestion::Score), 0, places.into_iter());
    }

    /// The lines on the first side to a number of points that are open.
    fn firsts(&self, record: &Record, running: &RaceOutlook) -> impl Iterator<Item = (usize, f64)> {
        let [home, away] = record.running();
        let open = self.firsts.iter().filter(move |count| **count < record.race().to && **count > home.max(away));
        open.map(|count| (usize::from(*count) - 1, running.first_to(*count)))
    }

    fn price_sums(&self, book: &mut Book, record: &Record, ends: &[SetEnd]) {
        let (tree, sets) = (&self.tree, record.sets);
        let counted = record.counted();
        let [home, away] = counted;
        let total = self.total.from(tree, sets, ends).from_zero();
        book.totals(self.kind(SetsQuestion::Total), home + away, &total, Spread::both(3));
        let is_even = even(&total);
        let odd = if (home + away).is_multiple_of(2) { 1.0 - is_even } else { is_even };
        book.two_way(self.kind(SetsQuestion::OddEven), odd);
        let apart = self.difference.from(tree, sets, ends).apart();
        book.handicaps(self.kind(SetsQuestion::Handicap), &apart, home as i64 - away as i64, Spread::both(3));
        for (side, question) in [SetsQuestion::HomeTotal, SetsQuestion::AwayTotal].into_iter().enumerate() {
            if let Some(kind) = self.kind(question) {
                let points = self.of_side[side].from(tree, sets, ends).from_zero();
                book.totals(kind, counted[side], &points, Spread::both(2));
            }
        }
    }

    /// Prices the markets about the current set, and the winner of the next set if it is certain to be played.
    fn price_set(&self, book: &mut Book, record: &Record, running: &RaceOutlook) {
        let (set, ends) = (record.finished(), &running.ends);
        let kind = |question| self.data.kind_of_set(set, question);
        if kind(SetQuestion::Winner).is_none() {
            return;
        }
        book.two_way(kind(SetQuestion::Winner), running.home_wins());
        if record.sets[0].max(record.sets[1]) + 1 < record.need {
            let next = self.tree.home_wins_next(record.sets, ends);
            book.two_way(self.data.kind_of_set(set + 1, SetQuestion::Winner), next);
        }
        let counts = Count::of(ends, total).from_zero();
        book.totals(kind(SetQuestion::Total), 0, &counts, Spread::both(2));
        book.two_way(kind(SetQuestion::OddEven), 1.0 - even(&counts));
        let apart = Count::of(ends, difference).apart();
        book.handicaps(kind(SetQuestion::Handicap), &apart, 0, Spread::both(2));
        for (measure, question) in OF_SIDE.into_iter().zip([SetQuestion::HomeTotal, SetQuestion::AwayTotal]) {
            if let Some(kind) = kind(question) {
                book.totals(kind, 0, &Count::of(ends, measure).from_zero(), Spread::both(1));
            }
        }
        book.lines(kind(SetQuestion::FirstTo), self.firsts(record, running));
        let (score, short) = (record.running(), record.race().to - 1);
        let extra = if score[0].min(score[1]) >= short { 1.0 } else { running.passes([short; 2]) };
        book.two_way(kind(SetQuestion::Extra), extra);
        let home = running.home_wins_point();
        let played = usize::from(score[0]) + usize::from(score[1]);
        book.line(kind(SetQuestion::Point), played, &[home, 1.0 - home]);
        let mut margins = [0.0; 8];
        for end in ends {
            margins[usize::from(margin_place(end.score))] += end.chance;
        }
        book.single(kind(SetQuestion::Margin), &margins);
    }
}

/// The chance of scores that fit.
fn chance(scores: &[([u8; 2], f64)], fits: impl Fn([u8; 2]) -> bool) -> f64 {
    scores.iter().filter(|(score, _)| fits(*score)).map(|(_, chance)| chance).sum()
}
