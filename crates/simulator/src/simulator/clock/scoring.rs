//! Distributions of further points, and the probabilities of which side first reaches a number of points. An *amount*
//! is how much a side still plays: the expected number of scores if it scores at random moments, or the number of
//! attacks if sides attack in turn. Pure functions of numbers.

use crate::pricing::dist::compound_poisson;
use crate::pricing::maths::{exp, pow};

/// A stretch of play with an unchanged number of players: the amounts of home and away.
pub type Stretch = [f64; 2];

/// Deviations beyond the mean that a distribution covers: hardly anything lies beyond.
const DEVIATIONS: f64 = 7.0;
/// Smaller probabilities are ignored.
const NEGLIGIBLE: f64 = 1e-13;

/// What scoring gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Scoring {
    /// The possible points of a score, none of them 0, with probabilities that sum to one.
    worths: Vec<(usize, f64)>,
    /// The probabilities that an attack of home or away scores; `None` if sides score at random moments.
    attack_scores: Option<[f64; 2]>,
}

impl Scoring {
    /// Of sides that score at random moments.
    pub fn at_moments(worths: &[(usize, f64)]) -> Scoring {
        Scoring { worths: worths.to_vec(), attack_scores: None }
    }

    /// Of sides that attack in turn; an attack scores with this chance, though what it scores may be worth 0 points.
    pub fn in_turns(worths: &[(usize, f64)], scores: [f64; 2]) -> Scoring {
        let worth: f64 = worths.iter().filter(|held| held.0 > 0).map(|held| held.1).sum();
        let worths = worths.iter().filter(|held| held.0 > 0).map(|(points, chance)| (*points, chance / worth));
        Scoring { worths: worths.collect(), attack_scores: Some(scores.map(|chance| chance * worth)) }
    }

    /// The points of a side.
    pub fn points(&self, side: usize, amount: f64) -> Vec<f64> {
        if amount <= 0.0 {
            return vec![1.0];
        }
        let moment = |power: i32| -> f64 {
            self.worths.iter().map(|(worth, chance)| (*worth as f64).powi(power) * chance).sum()
        };
        let most = self.worths.iter().map(|held| held.0).max().unwrap_or(0);
        let places = |mean: f64, variance: f64| (mean + DEVIATIONS * variance.sqrt()) as usize + 3 * most + 2;
        match self.attack_scores {
            None => {
                let places = places(amount * moment(1), amount * moment(2));
                compound_poisson(amount, &self.worths, places)
            }
            Some(scores) => {
                let mean = scores[side] * moment(1);
                let places = places(amount * mean, amount * (scores[side] * moment(2) - mean * mean));
                let attacks = amount as usize;
                compound_binomial(attacks, scores[side], &self.worths, places.min(attacks * most + 1))
            }
        }
    }

    /// The points of both sides.
    pub fn both(&self, amounts: [f64; 2]) -> [Vec<f64>; 2] {
        [self.points(0, amounts[0]), self.points(1, amounts[1])]
    }

    /// The probabilities that home, neither or away is first to score the points that it `needs`. `attacks` is the
    /// order of attacks; it is only used if sides attack in turn, and `stretches` only if they score at random moments.
    pub fn first_to(&self, needs: [usize; 2], stretches: &[Stretch], attacks: impl Iterator<Item = usize>) -> [f64; 3] {
        match (needs, self.attack_scores) {
            ([0, _], _) => [1.0, 0.0, 0.0],
            ([_, 0], _) => [0.0, 0.0, 1.0],
            (_, None) => self.first_by_moments(needs, stretches),
            (_, Some(scores)) => self.first_by_turns(needs, scores, attacks),
        }
    }

    /// The sides are independent, so each has its own distribution after a number of attacks.
    fn first_by_turns(&self, needs: [usize; 2], scores: [f64; 2], attacks: impl Iterator<Item = usize>) -> [f64; 3] {
        let mut short = needs.map(|need| {
            let mut chances = vec![0.0; need];
            chances[0] = 1.0;
            chances
        });
        let (mut first, mut alive) = ([0.0; 2], [1.0; 2]);
        for side in attacks {
            let own = &mut short[side];
            for at in (0..own.len()).rev() {
                let from = self.worths.iter().filter(|(worth, _)| *worth <= at);
                let come: f64 = from.map(|(worth, chance)| chance * own[at - worth]).sum();
                own[at] += scores[side] * (come - own[at]);
            }
            let still: f64 = own.iter().sum();
            first[side] += (alive[side] - still) * alive[1 - side];
            alive[side] = still;
            if alive[0] * alive[1] < NEGLIGIBLE {
                break;
            }
        }
        [first[0], f64::max(1.0 - first[0] - first[1], 0.0), first[1]]
    }

    /// Scores come one after the other, in a stretch each home's with the same chance; how many there are is Poisson's.
    fn first_by_moments(&self, needs: [usize; 2], stretches: &[Stretch]) -> [f64; 3] {
        let width = needs[1];
        let mut before = vec![0.0; needs[0] * width];
        before[0] = 1.0;
        let mut first = [0.0; 2];
        for amounts in stretches.iter().filter(|amounts| amounts[0] + amounts[1] > 0.0) {
            let all = amounts[0] + amounts[1];
            // The chances after this number of scores, and after the stretch.
            let mut short = before;
            let mut after = vec![0.0; short.len()];
            // The probabilities of exactly this number of scores, and of at least as many.
            let (mut exactly, mut at_least, mut alive) = (exp(-all), 1.0, short.iter().sum::<f64>());
            let mut number = 0.0;
            while alive * at_least > NEGLIGIBLE {
                for (after, held) in after.iter_mut().zip(&short) {
                    *after += held * exactly;
                }
                at_least = f64::max(at_least - exactly, 0.0);
                number += 1.0;
                exactly *= all / number;
                let mut next = vec![0.0; short.len()];
                let mut reached = [0.0; 2];
                for (at, held) in short.iter().enumerate().filter(|(_, held)| **held > 0.0) {
                    let (home, away) = (at / width, at % width);
                    for (worth, chance) in &self.worths {
                        let [by_home, by_away] = amounts.map(|amount| held * chance * amount / all);
                        match home + worth < needs[0] {
                            true => next[(home + worth) * width + away] += by_home,
                            false => reached[0] += by_home,
                        }
                        match away + worth < needs[1] {
                            true => next[at + worth] += by_away,
                            false => reached[1] += by_away,
                        }
                    }
                }
                first[0] += reached[0] * at_least;
                first[1] += reached[1] * at_least;
                alive -= reached[0] + reached[1];
                short = next;
            }
            before = after;
        }
        [first[0], f64::max(1.0 - first[0] - first[1], 0.0), first[1]]
    }
}

/// The distribution of the points of `attacks`. Each scores with the probability `scores`, below 1, and then one of
/// `worths`, none of them 0. Uses Panjer's recursion; the result has `places` entries.
fn compound_binomial(attacks: usize, scores: f64, worths: &[(usize, f64)], places: usize) -> Vec<f64> {
    let mut chances = vec![0.0; places.max(1)];
    let odds = scores / (1.0 - scores);
    let over = (attacks as f64 + 1.0) * odds;
    chances[0] = pow(1.0 - scores, attacks as f64);
    for points in 1..chances.len() {
        let from = worths.iter().filter(|(worth, _)| *worth <= points);
        let each = from
            .map(|(worth, chance)| (over * *worth as f64 / points as f64 - odds) * chance * chances[points - worth]);
        chances[points] = f64::max(each.sum(), 0.0);
    }
    // The last entry gets all higher values, and the rounding error.
    let last = chances.len() - 1;
    let told: f64 = chances[..last].iter().sum();
    chances[last] = f64::max(1.0 - told, 0.0);
    chances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::dist::{mean, sum};
    use proptest::prelude::*;

    const WORTHS: [(usize, f64); 3] = [(1, 0.2), (2, 0.5), (3, 0.3)];

    fn convolved(attacks: usize, scores: f64) -> Vec<f64> {
        let mut one = vec![1.0 - scores, 0.0, 0.0, 0.0];
        for (worth, chance) in WORTHS {
            one[worth] += scores * chance;
        }
        (0..attacks).fold(vec![1.0], |all, _| sum(&all, &one))
    }

    proptest! {
        #[test]
        fn attacks_sum_as_by_convolution(attacks in 0..120_usize, scores in 0.2..0.75_f64) {
            let scoring = Scoring { worths: WORTHS.to_vec(), attack_scores: Some([scores; 2]) };
            let (fast, slow) = (scoring.points(0, attacks as f64), convolved(attacks, scores));
            for (points, chance) in fast.iter().enumerate() {
                prop_assert!((chance - slow[points]).abs() < 1e-9, "{points}: {chance}, not {}", slow[points]);
            }
            prop_assert!((fast.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }

        #[test]
        fn whoever_is_first_is_somebody_or_nobody(home in 1..15_usize, away in 1..15_usize, a in 0.0..12.0_f64, b in 0.0..12.0_f64) {
            let scoring = Scoring::at_moments(&[(3, 0.4), (5, 0.2), (7, 0.4)]);
            let [first, nobody, second] = scoring.first_to([home, away], &[[a, b]], std::iter::empty());
            prop_assert!((first + nobody + second - 1.0).abs() < 1e-9);
            // That home gets there at all is known from its points.
            let points = scoring.points(0, a);
            let reaches: f64 = points.iter().skip(home).sum();
            prop_assert!(first <= reaches + 1e-9);
            let alone = scoring.first_to([home, 1000], &[[a, 0.0]], std::iter::empty());
            prop_assert!((alone[0] - reaches).abs() < 1e-9, "{alone:?} {reaches}");
            // Play without a change is one stretch or several.
            let parts = [[a * 0.25, b * 0.25], [0.0, 0.0], [a * 0.75, b * 0.75]];
            let in_parts = scoring.first_to([home, away], &parts, std::iter::empty());
            prop_assert!((in_parts[0] - first).abs() < 1e-9 && (in_parts[2] - second).abs() < 1e-9, "{in_parts:?}");
        }
    }

    #[test]
    fn an_attack_that_gives_nothing_is_none() {
        let with_nothing = Scoring::in_turns(&[(0, 0.5), (2, 0.5)], [0.4, 0.4]);
        assert!((mean(&with_nothing.points(0, 10.0)) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn whoever_attacks_first_is_first_more_often() {
        let scoring = Scoring { worths: vec![(2, 1.0)], attack_scores: Some([0.5; 2]) };
        let [first, nobody, second] = scoring.first_to([1, 1], &[], [1, 0, 1, 0].into_iter());
        assert_eq!([second, first, nobody], [0.5 + 0.125, 0.25 + 0.0625, 0.0625]);
    }
}
