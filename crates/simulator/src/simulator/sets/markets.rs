//! Prices of the markets that all matches of sets have, from the possible ends of the running set and the sets after
//! it. Called by the sports' plays; every probability is exact for their point by point play.

use super::kinds::{Blocks, in_match, in_set};
use super::record::{Record, set_score_place};
use super::tree::{Count, SetEnd, Sum, Tree, difference, total};
use crate::pricing::book::{Book, DECIDED, Spread};
use crate::pricing::dist::{Difference, even};

/// The probabilities of the sets that have not begun. Computed once per match.
#[derive(Debug)]
pub struct Prospects {
    /// The sets.
    pub tree: Tree,
    total: Sum,
    difference: Sum,
}

impl Prospects {
    /// Works it out.
    pub fn new(tree: Tree) -> Prospects {
        Prospects { total: Sum::new(&tree, total), difference: Sum::new(&tree, difference), tree }
    }

    /// Prices the markets about the match; `ends` are those of the running set.
    pub fn price_match(&self, book: &mut Book, record: &Record, ends: &[SetEnd]) {
        let (tree, need, sets) = (&self.tree, usize::from(record.need), record.sets);
        let finals = tree.finals(sets, ends);
        let chance = |fits: &dyn Fn([u8; 2]) -> bool| -> f64 {
            let places = (0..2 * need).filter(|place| fits(tree.final_score(*place)));
            places.map(|place| finals[place]).sum()
        };
        book.two_way(in_match::WINNER, chance(&|[home, away]| home > away));
        let places = (0..2 * need).map(|place| (set_score_place(record.need, tree.final_score(place)), finals[place]));
        book.push_some(in_match::SET_SCORE, 0, None, places);
        let of_sets: Vec<f64> =
            (0..2 * need).map(|count| chance(&|[home, away]| usize::from(home) + usize::from(away) == count)).collect();
        book.totals(in_match::SETS, 0, &of_sets, Spread::both(2));
        let lowest = -(need as i64);
        let apart = (lowest..=-lowest).map(|by| chance(&|[home, away]| i64::from(home) - i64::from(away) == by));
        let apart = Difference::from_lowest(lowest, apart.collect());
        book.handicaps(in_match::SET_HANDICAP, &apart, 0, Spread::both(2));
        if need > 2 {
            let counts = (need..2 * need).map(|count| (count as u16 - 2, of_sets[count]));
            book.push_some(in_match::EXACT_SETS, 0, None, counts);
        }
        let [home, away] = sets;
        book.two_way(in_match::HOME_SET, if home > 0 { 1.0 } else { chance(&|[home, _]| home > 0) });
        book.two_way(in_match::AWAY_SET, if away > 0 { 1.0 } else { chance(&|[_, away]| away > 0) });
        if record.finished() == 0 {
            let mut both = [0.0; 4];
            for side in 0..2 {
                let won: Vec<SetEnd> = ends.iter().copied().filter(|end| end.winner() == side).collect();
                let set: f64 = won.iter().map(|end| end.chance).sum();
                both[side * 2] = tree.home_wins(sets, &won);
                both[side * 2 + 1] = f64::max(set - both[side * 2], 0.0);
            }
            book.single(in_match::FIRST_AND_MATCH, &both);
        }
        self.price_sums(book, record, ends);
    }

    fn price_sums(&self, book: &mut Book, record: &Record, ends: &[SetEnd]) {
        let (tree, sets) = (&self.tree, record.sets);
        let [home, away] = record.counted().map(usize::from);
        let total = self.total.from(tree, sets, ends).from_zero();
        book.totals(in_match::TOTAL, home + away, &total, Spread::both(3));
        let is_even = even(&total);
        let odd = if (home + away).is_multiple_of(2) { 1.0 - is_even } else { is_even };
        book.two_way(in_match::ODD_EVEN, odd);
        let apart = self.difference.from(tree, sets, ends).apart();
        book.handicaps(in_match::HANDICAP, &apart, home as i64 - away as i64, Spread::both(3));
    }

    /// Prices the markets about the current set, and the winner of the next set if it is certain to be played.
    pub fn price_sets(&self, book: &mut Book, blocks: Blocks, record: &Record, ends: &[SetEnd]) {
        let set = record.finished();
        let won = ends.iter().filter(|end| end.winner() == 0).map(|end| end.chance).sum();
        book.two_way(blocks.place(set, in_set::WINNER), won);
        if record.sets[0].max(record.sets[1]) + 1 < record.need {
            let next = self.tree.home_wins_next(record.sets, ends);
            book.two_way(blocks.place(set + 1, in_set::WINNER), next);
        }
        let counts = Count::of(ends, total).from_zero();
        book.totals(blocks.place(set, in_set::TOTAL), 0, &counts, Spread::both(2));
        book.two_way(blocks.place(set, in_set::ODD_EVEN), 1.0 - even(&counts));
        let apart = Count::of(ends, difference).apart();
        book.handicaps(blocks.place(set, in_set::HANDICAP), &apart, 0, Spread::both(2));
    }
}

/// Adds lines with these probabilities of the first answer. Decided lines are left out; the most even one is the
/// balanced one.
pub fn push_lines(book: &mut Book, kind: u16, lines: &[(usize, f64)]) {
    let open = |chance: f64| (1.0 - DECIDED..DECIDED).contains(&chance);
    let uneven = |chance: f64| (chance - 0.5).abs();
    let lines: Vec<(usize, f64)> = lines.iter().copied().filter(|(_, chance)| open(*chance)).collect();
    let balanced = lines.iter().min_by(|a, b| uneven(a.1).total_cmp(&uneven(b.1))).map(|(line, _)| *line);
    for (line, chance) in lines {
        book.line(kind, line, Some(line) == balanced, &[chance, 1.0 - chance]);
    }
}
