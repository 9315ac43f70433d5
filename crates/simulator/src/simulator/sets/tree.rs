//! The sets still to be played: the probabilities of every final score in sets and of sums over sets, from each score
//! in sets and first server. Computed once a match. [`super::markets`] and the sports' own prices query it with the
//! possible ends of the running set.

use crate::pricing::dist::Difference;

/// A way in which a set may end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SetEnd {
    /// The set's score.
    pub score: [u8; 2],
    /// How likely it is.
    pub chance: f64,
    /// How likely home serves first in the set after it.
    pub home_first: f64,
}

impl SetEnd {
    /// The winner of the set.
    pub fn winner(&self) -> usize {
        usize::from(self.score[1] > self.score[0])
    }
}

/// How many final scores in sets there can be: 4:0 to 0:4.
pub const FINALS: usize = 8;

/// The sets of a match, none of them played.
#[derive(Clone, Debug)]
pub struct Tree {
    need: u8,
    /// Whether a coin decides the first server of the last possible set.
    coin: bool,
    /// The possible ends of a set: by whether it is the last possible one, and by its first server.
    fresh: [[Vec<SetEnd>; 2]; 2],
    /// The chances of the final scores, by state.
    finals: Vec<[f64; FINALS]>,
}

impl Tree {
    /// The tree of a match to `need` sets, 2 to 4. `fresh` has the possible ends of a set: by whether it is the last
    /// possible one (0 no, 1 yes), and by its first server. With `coin`, a coin decides the first server of the last
    /// possible set.
    pub fn new(need: u8, coin: bool, fresh: [[Vec<SetEnd>; 2]; 2]) -> Tree {
        let states = usize::from(need).pow(2) * 2;
        let mut tree = Tree { need, coin, fresh, finals: vec![[0.0; FINALS]; states] };
        for (sets, first) in tree.states() {
            let place = tree.place(sets, first);
            tree.finals[place] = tree.finals(sets, tree.fresh(sets, first));
        }
        tree
    }

    /// How a set ends that has not begun, at a score in sets.
    pub fn fresh(&self, sets: [u8; 2], first: usize) -> &[SetEnd] {
        let last = sets == [self.need - 1; 2];
        &self.fresh[usize::from(last)][first]
    }

    /// Every state in which a set may begin, the latest first.
    fn states(&self) -> Vec<([u8; 2], usize)> {
        let sets = (0..self.need).rev().flat_map(|home| (0..self.need).rev().map(move |away| [home, away]));
        sets.flat_map(|sets| [(sets, 0), (sets, 1)]).collect()
    }

    fn place(&self, [home, away]: [u8; 2], first: usize) -> usize {
        (usize::from(home) * usize::from(self.need) + usize::from(away)) * 2 + first
    }

    /// The score in sets after this end of a set. `Err` has the final score, if the match is over with it.
    fn after(&self, sets: [u8; 2], end: &SetEnd) -> Result<[u8; 2], [u8; 2]> {
        let mut after = sets;
        after[end.winner()] += 1;
        if after[end.winner()] >= self.need { Err(after) } else { Ok(after) }
    }

    /// The possible first servers of the set after this end, at the score `after`, with their probabilities.
    fn firsts(&self, after: [u8; 2], end: &SetEnd) -> impl Iterator<Item = (usize, f64)> + use<> {
        let tossed = self.coin && after == [self.need - 1; 2];
        let home = if tossed { 0.5 } else { end.home_first };
        [home, 1.0 - home].into_iter().enumerate().filter(|(_, chance)| *chance > 0.0)
    }

    /// The index of a final score in [`FINALS`]: 2:0, 2:1, 1:2, 0:2.
    pub fn final_place(&self, [home, away]: [u8; 2]) -> usize {
        let need = usize::from(self.need);
        if home > away { usize::from(away) } else { (2 * need - 1).saturating_sub(usize::from(home)) }
    }

    /// The final score at an index.
    pub fn final_score(&self, place: usize) -> [u8; 2] {
        let (need, place) = (self.need, place as u8);
        if place < need { [need, place] } else { [(2 * need - 1).saturating_sub(place), need] }
    }

    /// The chances of the final scores, from a score in sets and the ends of the running set.
    pub fn finals(&self, sets: [u8; 2], ends: &[SetEnd]) -> [f64; FINALS] {
        let mut chances = [0.0; FINALS];
        for end in ends {
            match self.after(sets, end) {
                Err(over) => chances[self.final_place(over)] += end.chance,
                Ok(after) => {
                    for (first, chance) in self.firsts(after, end) {
                        let from = &self.finals[self.place(after, first)];
                        chances.iter_mut().zip(from).for_each(|(sum, then)| *sum += end.chance * chance * then);
                    }
                }
            }
        }
        chances
    }

    /// The chance that home wins the match.
    pub fn home_wins(&self, sets: [u8; 2], ends: &[SetEnd]) -> f64 {
        self.finals(sets, ends)[..usize::from(self.need)].iter().sum()
    }

    /// The chance that home wins the set after the running one, where that is certain to be played.
    pub fn home_wins_next(&self, sets: [u8; 2], ends: &[SetEnd]) -> f64 {
        let won = |ends: &[SetEnd]| -> f64 { ends.iter().filter(|end| end.winner() == 0).map(|end| end.chance).sum() };
        let mut sum = 0.0;
        for end in ends {
            if let Ok(after) = self.after(sets, end) {
                let firsts = self.firsts(after, end);
                sum += firsts.map(|(first, chance)| chance * end.chance * won(self.fresh(after, first))).sum::<f64>();
            }
        }
        sum
    }
}

/// A value of a set's score that is summed over the sets of a match: games, points, or their difference.
pub type Measure = fn([u8; 2]) -> i32;

/// The games or points of both.
pub fn total([home, away]: [u8; 2]) -> i32 {
    i32::from(home) + i32::from(away)
}

/// How many more home has.
pub fn difference([home, away]: [u8; 2]) -> i32 {
    i32::from(home) - i32::from(away)
}

/// How a whole number is distributed, from its lowest value up.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    low: i32,
    chances: Vec<f64>,
}

impl Count {
    /// Nothing more.
    fn nothing() -> Count {
        Count { low: 0, chances: vec![1.0] }
    }

    /// Of one set.
    pub fn of(ends: &[SetEnd], measure: Measure) -> Count {
        let nothing = Count::nothing();
        Count::mixed(&ends.iter().map(|end| (end.chance, measure(end.score), &nothing)).collect::<Vec<_>>())
    }

    /// Mixes distributions, each with its probability and shifted by its offset.
    fn mixed(parts: &[(f64, i32, &Count)]) -> Count {
        let low = parts.iter().map(|(_, by, part)| part.low + by).min().unwrap_or(0);
        let end = parts.iter().map(|(_, by, part)| part.low + by + part.chances.len() as i32).max().unwrap_or(0);
        let mut chances = vec![0.0; (end - low).max(1) as usize];
        for (weight, by, part) in parts {
            let first = (part.low + by - low) as usize;
            chances[first..].iter_mut().zip(&part.chances).for_each(|(sum, chance)| *sum += weight * chance);
        }
        Count { low, chances }
    }

    /// The distribution by value from 0. For sums that are never negative.
    pub fn from_zero(&self) -> Vec<f64> {
        let mut chances = vec![0.0; usize::try_from(self.low).unwrap_or(0)];
        chances.extend_from_slice(&self.chances);
        chances
    }

    /// As a difference.
    pub fn apart(self) -> Difference {
        Difference::from_lowest(i64::from(self.low), self.chances)
    }
}

/// How a sum over the sets still to be played is distributed, by state.
#[derive(Clone, Debug)]
pub struct Sum {
    measure: Measure,
    states: Vec<Count>,
}

impl Sum {
    /// Works it out.
    pub fn new(tree: &Tree, measure: Measure) -> Sum {
        let mut sum = Sum { measure, states: vec![Count::nothing(); tree.finals.len()] };
        for (sets, first) in tree.states() {
            sum.states[tree.place(sets, first)] = sum.from(tree, sets, tree.fresh(sets, first));
        }
        sum
    }

    /// The sum over the running set, the whole of it, and those after it.
    pub fn from(&self, tree: &Tree, sets: [u8; 2], ends: &[SetEnd]) -> Count {
        let nothing = Count::nothing();
        let mut parts: Vec<(f64, i32, &Count)> = Vec::with_capacity(ends.len() * 2);
        for end in ends {
            let own = (self.measure)(end.score);
            match tree.after(sets, end) {
                Err(_) => parts.push((end.chance, own, &nothing)),
                Ok(after) => parts.extend(
                    tree.firsts(after, end)
                        .map(|(first, chance)| (end.chance * chance, own, &self.states[tree.place(after, first)])),
                ),
            }
        }
        Count::mixed(&parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set that home wins 6:4 with this chance, or loses 3:6.
    fn set(chance: f64) -> Vec<SetEnd> {
        let end = |score, chance| SetEnd { score, chance, home_first: 0.5 };
        vec![end([6, 4], chance), end([3, 6], 1.0 - chance)]
    }

    fn tree(usual: f64, last: f64) -> Tree {
        Tree::new(2, false, [[set(usual), set(usual)], [set(last), set(last)]])
    }

    #[test]
    fn finals_are_those_of_sets_one_after_the_other() {
        let tree = tree(0.6, 0.3);
        let finals = tree.finals([0, 0], tree.fresh([0, 0], 0));
        for (place, score, chance) in
            [(0, [2, 0], 0.36), (1, [2, 1], 0.48 * 0.3), (2, [1, 2], 0.48 * 0.7), (3, [0, 2], 0.16)]
        {
            assert_eq!(tree.final_score(place), score);
            assert_eq!(tree.final_place(score), place);
            assert!((finals[place] - chance).abs() < 1e-12, "{finals:?}");
        }
        assert!((tree.home_wins([1, 1], tree.fresh([1, 1], 1)) - 0.3).abs() < 1e-12);
        assert!((tree.home_wins_next([0, 0], tree.fresh([0, 0], 1)) - 0.6).abs() < 1e-12);
    }

    #[test]
    fn sums_are_those_of_all_ways_through_the_sets() {
        let tree = tree(0.6, 0.3);
        let games = Sum::new(&tree, total).from(&tree, [0, 0], tree.fresh([0, 0], 0)).from_zero();
        assert!((games[20] - 0.36).abs() < 1e-12, "6:4 6:4");
        assert!((games[18] - 0.16).abs() < 1e-12, "3:6 3:6");
        assert!((games[29] - 0.48 * 0.3).abs() < 1e-12, "6:4 3:6 6:4");
        assert!((games.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let apart = Sum::new(&tree, difference).from(&tree, [0, 0], tree.fresh([0, 0], 0)).apart();
        let [ahead, level, behind] = apart.three_way(0);
        assert!((ahead - 0.36 - 0.48 * 0.3).abs() < 1e-12 && level == 0.0, "{ahead} {level}");
        assert!((ahead + behind - 1.0).abs() < 1e-12);
    }
}
