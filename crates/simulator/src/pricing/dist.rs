//! Distributions of whole numbers: the probability of each value from 0. Each sums to one: the tail beyond the end is
//! added to the last value, so choose an end with a small tail.

use super::maths::{exp, pow};

/// The Poisson distribution with this mean, for values below `places` (at least 1).
pub fn poisson(mean: f64, places: usize) -> Vec<f64> {
    let mut chances = vec![0.0; places.max(1)];
    let last = chances.len() - 1;
    let mut chance = exp(-mean);
    let mut rest = 1.0;
    for (count, place) in chances.iter_mut().enumerate().take(last) {
        *place = chance;
        rest -= chance;
        chance *= mean / (count as f64 + 1.0);
    }
    chances[last] = f64::max(rest, 0.0);
    chances
}

/// The points of a side that scores `mean` times on average (Poisson). Each score is worth one of `worths` points with
/// its probability (they sum to one). For values below `places`, by Panjer's recursion.
pub fn compound_poisson(mean: f64, worths: &[(usize, f64)], places: usize) -> Vec<f64> {
    let mut chances = vec![0.0; places.max(1)];
    let last = chances.len() - 1;
    let nothing: f64 = worths.iter().filter(|(worth, _)| *worth == 0).map(|(_, chance)| chance).sum();
    chances[0] = exp(mean * (nothing - 1.0));
    for points in 1..last {
        let from = worths.iter().filter(|(worth, _)| (1..=points).contains(worth));
        let sum: f64 = from.map(|(worth, chance)| *worth as f64 * chance * chances[points - worth]).sum();
        chances[points] = mean * sum / points as f64;
    }
    let told: f64 = chances[..last].iter().sum();
    chances[last] = f64::max(1.0 - told, 0.0);
    chances
}

/// A normal distribution rounded to whole numbers from 0, for values below `places`.
pub fn normal(mean: f64, deviation: f64, places: usize) -> Vec<f64> {
    let places = places.max(1);
    let deviation = deviation.max(1e-6);
    let up_to = |value: f64| super::maths::normal_cdf((value - mean) / deviation);
    let mut below = 0.0;
    let mut chances = Vec::with_capacity(places);
    for value in 0..places {
        let next = if value + 1 == places { 1.0 } else { up_to(value as f64 + 0.5) };
        chances.push(f64::max(next - below, 0.0));
        below = next;
    }
    chances
}

/// The binomial distribution of `tries` with probability `success`, for values below `places` (at least 1).
pub fn binomial(tries: usize, success: f64, places: usize) -> Vec<f64> {
    let mut chances = vec![0.0; places.max(1)];
    let last = chances.len() - 1;
    if success >= 1.0 {
        chances[tries.min(last)] = 1.0;
        return chances;
    }
    let odds = success / (1.0 - success);
    let mut chance = pow(1.0 - success, tries as f64);
    let mut rest = 1.0;
    for (count, place) in chances.iter_mut().enumerate().take(tries + 1) {
        *place = chance;
        rest -= chance;
        chance *= odds * (tries - count) as f64 / (count as f64 + 1.0);
    }
    if last < tries {
        chances[last] += f64::max(rest, 0.0);
    }
    chances
}

/// The distribution of the sum of two independent values.
pub fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut chances = vec![0.0; (a.len() + b.len()).saturating_sub(1)];
    for (i, p) in a.iter().enumerate().filter(|(_, p)| **p > 0.0) {
        // Uses indexes: this is the hottest loop, and iterators are slow in a debug build.
        let row: &mut [f64] = &mut chances[i..i + b.len()];
        let mut place = 0;
        while place < b.len() {
            row[place] += p * b[place];
            place += 1;
        }
    }
    chances
}

/// A difference of two counts, from `-origin` up.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    chances: Vec<f64>,
    /// The index of the value 0.
    origin: usize,
}

impl Difference {
    /// A distribution with the value 0 at the index `origin`.
    pub fn new(chances: Vec<f64>, origin: usize) -> Difference {
        Difference { chances, origin }
    }

    /// The distribution of `a - b`.
    pub fn of(a: &[f64], b: &[f64]) -> Difference {
        let reversed: Vec<f64> = b.iter().rev().copied().collect();
        Difference { chances: sum(a, &reversed), origin: b.len().saturating_sub(1) }
    }

    /// A distribution from its lowest value up.
    pub fn from_lowest(lowest: i64, chances: Vec<f64>) -> Difference {
        let above = usize::try_from(lowest).unwrap_or(0);
        let mut all = vec![0.0; above];
        all.extend(chances);
        Difference { chances: all, origin: usize::try_from(-lowest).unwrap_or(0) }
    }

    /// A distribution from (difference, probability) cases in any order, which sum to one. Equal differences add up.
    pub fn gathered(cases: &[(i64, f64)]) -> Difference {
        let lowest = cases.iter().map(|held| held.0).min().unwrap_or(0).min(0);
        let highest = cases.iter().map(|held| held.0).max().unwrap_or(0).max(0);
        let mut chances = vec![0.0; (highest - lowest) as usize + 1];
        for (difference, chance) in cases {
            chances[(difference - lowest) as usize] += chance;
        }
        Difference { chances, origin: -lowest as usize }
    }

    /// The difference and its chance, from the lowest up.
    pub fn iter(&self) -> impl Iterator<Item = (i64, f64)> {
        let origin = self.origin as i64;
        self.chances.iter().enumerate().map(move |(place, chance)| (place as i64 - origin, *chance))
    }

    /// The chances that `ahead` plus the difference ends above, at and below zero.
    pub fn three_way(&self, ahead: i64) -> [f64; 3] {
        // The index at which ahead + difference is 0.
        let level = self.origin as i64 - ahead;
        let end = |place: i64| place.clamp(0, self.chances.len() as i64) as usize;
        // Sum both sides separately, so that an impossible outcome has exactly 0.
        let sum = |range: std::ops::Range<usize>| self.chances[range].iter().sum::<f64>();
        let (first, last) = (end(level), end(level + 1));
        [sum(last..self.chances.len()), sum(first..last), sum(0..first)]
    }
}

/// The chance of at most `count`.
pub fn at_most(chances: &[f64], count: usize) -> f64 {
    chances.iter().take(count.saturating_add(1)).sum()
}

/// The chance of an even count.
pub fn even(chances: &[f64]) -> f64 {
    chances.iter().step_by(2).sum()
}

/// The mean.
pub fn mean(chances: &[f64]) -> f64 {
    chances.iter().enumerate().map(|(count, chance)| count as f64 * chance).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_compound_of_ones_is_poisson() {
        let (plain, compound) = (poisson(4.2, 40), compound_poisson(4.2, &[(1, 1.0)], 40));
        assert!(plain.iter().zip(&compound).all(|(a, b)| close(*a, *b)));
        let points = compound_poisson(3.0, &[(2, 0.5), (3, 0.5)], 60);
        assert!(close(mean(&points), 7.5));
        assert!(close(points[1], 0.0));
    }

    #[test]
    fn a_difference_knows_its_sign() {
        let apart = Difference::of(&[0.0, 0.0, 1.0], &[0.0, 1.0]);
        assert_eq!(apart.three_way(0), [1.0, 0.0, 0.0]);
        assert_eq!(apart.three_way(-1), [0.0, 1.0, 0.0]);
        assert_eq!(apart.three_way(-2), [0.0, 0.0, 1.0]);
        assert_eq!(apart.three_way(100), [1.0, 0.0, 0.0]);
        assert_eq!(apart.three_way(-100), [0.0, 0.0, 1.0]);
        assert_eq!(Difference::from_lowest(-2, vec![0.25, 0.0, 0.75]).three_way(0), [0.0, 0.75, 0.25]);
        assert_eq!(Difference::from_lowest(2, vec![0.25, 0.75]).three_way(-3), [0.0, 0.75, 0.25]);
        let gathered = Difference::gathered(&[(3, 0.25), (-2, 0.5), (3, 0.25)]);
        assert_eq!(gathered.three_way(-3), [0.0, 0.5, 0.5]);
        assert_eq!(gathered.three_way(2), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn a_binomial_keeps_what_lies_beyond_its_places() {
        let close_to = |held: &[f64], known: &[f64]| held.iter().zip(known).all(|(a, b)| close(*a, *b));
        assert!(close_to(&binomial(5, 0.5, 6), &[1.0, 5.0, 10.0, 10.0, 5.0, 1.0].map(|ways| ways / 32.0)));
        assert!(close_to(&binomial(5, 0.5, 3), &[1.0 / 32.0, 5.0 / 32.0, 26.0 / 32.0]));
        assert!(close_to(&binomial(0, 0.5, 1), &[1.0]));
    }

    proptest! {
        #[test]
        fn every_distribution_sums_to_one(a in 0.0..30.0_f64, b in 0.0..30.0_f64, places in 1..90_usize, ahead in -50..50_i64) {
            let worths = [(1, 0.2), (2, 0.5), (3, 0.3)];
            let binomial = binomial(places, a / 30.0, places / 2);
            let each = [poisson(a, places), compound_poisson(b, &worths, places), normal(a, b / 5.0, places), binomial];
            for held in &each {
                prop_assert!(close(held.iter().sum(), 1.0));
                prop_assert!(held.iter().all(|chance| (0.0..=1.0 + 1e-12).contains(chance)));
            }
            prop_assert!(close(sum(&each[0], &each[1]).iter().sum(), 1.0));
            prop_assert!(close(Difference::of(&each[0], &each[2]).three_way(ahead).iter().sum(), 1.0));
        }
    }
}
