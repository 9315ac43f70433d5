//! The probabilities of a contest that is won by the first to a number of legs, or of sets of legs: shared by darts and
//! snooker. The players begin legs in turn, and a leg depends only on which player begins it. Used by those sports'
//! markets; must not know what a leg is.

use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::Difference;

/// How a contest is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Format {
    /// The number of sets to win; 1 if there are no sets.
    pub sets: u8,
    /// The number of legs to win a set.
    pub legs: u8,
}

impl Format {
    /// What wins it, in the score as people count it.
    pub(super) fn target(self) -> u8 {
        if self.sets > 1 { self.sets } else { self.legs }
    }

    /// How many standings there are before the end.
    pub(super) fn standings(self) -> usize {
        let (sets, legs) = (usize::from(self.sets), usize::from(self.legs));
        sets * sets * legs * legs
    }

    /// The index of a score. Later scores of a contest have higher indexes.
    pub(super) fn place(self, standing: Standing) -> usize {
        let (sets, legs) = (usize::from(self.sets), usize::from(self.legs));
        let [home, away] = standing.sets.map(usize::from);
        let [own, other] = standing.legs.map(usize::from);
        ((home * sets + away) * legs + own) * legs + other
    }

    /// The score at an index.
    pub(super) fn standing(self, place: usize) -> Standing {
        let (sets, legs) = (usize::from(self.sets), usize::from(self.legs));
        Standing {
            sets: [place / (legs * legs * sets), place / (legs * legs) % sets].map(|won| won as u8),
            legs: [place / legs % legs, place % legs].map(|won| won as u8),
        }
    }
}

/// The score of a contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Standing {
    /// Sets won, home and away.
    pub sets: [u8; 2],
    /// Legs won in the set being played; at the end those of the last one.
    pub legs: [u8; 2],
}

impl Standing {
    /// After another leg, won by a side.
    pub(super) fn won_by(self, side: usize, format: Format) -> Standing {
        let mut after = self;
        after.legs[side] += 1;
        if after.legs[side] == format.legs {
            after.sets[side] += 1;
            if after.sets[side] < format.sets {
                after.legs = [0, 0];
            }
        }
        after
    }

    /// The winner, if it is over.
    pub(super) fn winner(self, format: Format) -> Option<usize> {
        (0..2).find(|side| self.sets[*side] == format.sets)
    }

    /// The player who begins the current leg, if `first` began the first one. Players begin legs of a set in turn, and
    /// also the first legs of sets.
    pub(super) fn starter(self, first: usize) -> usize {
        (first + self.sets.iter().chain(&self.legs).map(|won| usize::from(*won)).sum::<usize>()) % 2
    }

    /// The displayed score: sets, or legs if there are no sets.
    pub(super) fn score(self, format: Format) -> [u8; 2] {
        if format.sets > 1 { self.sets } else { self.legs }
    }
}

/// The probabilities of the rest of a contest.
#[derive(Clone, Debug)]
pub(super) struct Forecast {
    /// Scores at the end as people count them, with their chances.
    pub finals: Vec<([u8; 2], f64)>,
    /// Chances of the number of legs still to be won, the one being played included.
    pub legs: Vec<f64>,
    format: Format,
}

/// Computes the rest of a contest. `now` is the probability that home wins the current leg; `next` is that of a later
/// leg, by the player who begins it.
pub(super) fn forecast(format: Format, standing: Standing, first: usize, now: f64, next: [f64; 2]) -> Forecast {
    let mut finals: Vec<([u8; 2], f64)> = Vec::new();
    let mut played = vec![0.0];
    let mut open = vec![0.0; format.standings()];
    open[format.place(standing)] = 1.0;
    loop {
        let (mut after, mut over) = (vec![0.0; format.standings()], 0.0);
        for (state, chance) in open.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            let from = format.standing(state);
            let home = if played.len() == 1 { now } else { next[from.starter(first)] };
            let ways = [(0, chance * home), (1, chance * (1.0 - home))];
            for (side, part) in ways.into_iter().filter(|(_, part)| *part > 0.0) {
                let to = from.won_by(side, format);
                if to.winner(format).is_none() {
                    after[format.place(to)] += part;
                    continue;
                }
                over += part;
                let score = to.score(format);
                match finals.iter_mut().find(|held| held.0 == score) {
                    Some(held) => held.1 += part,
                    None => finals.push((score, part)),
                }
            }
        }
        played.push(over);
        if after.iter().all(|chance| *chance <= 0.0) {
            return Forecast { finals, legs: played, format };
        }
        open = after;
    }
}

/// The probability that home wins the current set, or is first to a number of legs. See [`forecast`].
pub(super) fn first_to(legs: u8, standing: Standing, first: usize, now: f64, next: [f64; 2]) -> f64 {
    let begins = (first + standing.sets.iter().map(|won| usize::from(*won)).sum::<usize>()) % 2;
    let format = Format { sets: 1, legs };
    forecast(format, Standing { sets: [0, 0], ..standing }, begins, now, next).home()
}

impl Forecast {
    /// Home's chance of winning.
    pub(super) fn home(&self) -> f64 {
        let target = self.format.target();
        self.finals.iter().filter(|(score, _)| score[0] == target).map(|(_, chance)| chance).sum()
    }

    /// The chances of a number that the score at the end gives.
    pub(super) fn of_score(&self, number: impl Fn([u8; 2]) -> u8) -> Vec<f64> {
        let most = self.finals.iter().map(|(score, _)| number(*score)).max().unwrap_or(0);
        let mut chances = vec![0.0; usize::from(most) + 1];
        for (score, chance) in &self.finals {
            chances[usize::from(number(*score))] += chance;
        }
        chances
    }

    /// Adds handicaps on the score at the end.
    pub(super) fn handicaps(&self, book: &mut Book, kind: u16, spread: Spread) {
        let target = usize::from(self.format.target());
        let mut chances = vec![0.0; 2 * target + 1];
        for ([home, away], chance) in &self.finals {
            chances[target + usize::from(*home) - usize::from(*away)] += chance;
        }
        book.handicaps(kind, &Difference::new(chances, target), 0, spread);
    }

    /// Adds the scores at the end: answer `11 × home + away`.
    pub(super) fn scores(&self, book: &mut Book, kind: u16) {
        let mut finals: Vec<(u16, f64)> =
            self.finals.iter().map(|(score, chance)| (score_place(*score), *chance)).collect();
        finals.sort_unstable_by_key(|(place, _)| *place);
        book.push_some(kind, 0, None, finals.into_iter());
    }
}

/// The answer's index of a score.
pub(super) fn score_place(score: [u8; 2]) -> u16 {
    u16::from(score[0]) * 11 + u16::from(score[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_meet_as_the_binomial_says() {
        let held = forecast(Format { sets: 1, legs: 2 }, Standing::default(), 0, 0.5, [0.5, 0.5]);
        let chance = |score| held.finals.iter().find(|(at, _)| *at == score).map_or(0.0, |(_, chance)| *chance);
        assert_eq!([[2, 0], [2, 1], [1, 2], [0, 2]].map(chance), [0.25; 4]);
        assert_eq!(held.legs, [0.0, 0.0, 0.5, 0.5]);
        assert_eq!(held.home(), 0.5);
    }

    #[test]
    fn sets_are_begun_in_turns() {
        let format = Format { sets: 2, legs: 2 };
        let one = Standing::default().won_by(0, format).won_by(0, format);
        assert_eq!((one.sets, one.legs, one.starter(0)), ([1, 0], [0, 0], 1));
        assert_eq!(one.won_by(1, format).starter(0), 0);
        // The player who begins a leg always wins it: one leg each, and the one who begins the third wins the set.
        let held = forecast(format, Standing::default(), 0, 1.0, [1.0, 0.0]);
        assert_eq!(held.finals, [([2, 1], 1.0)]);
        assert_eq!(held.legs.len(), 10);
        assert_eq!(first_to(2, one, 0, 0.0, [1.0, 0.0]), 0.0);
    }
}
