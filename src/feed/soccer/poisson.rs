//! Distributions of small counts. Every one of them sums to one: what lies beyond the end is folded into the last place.

/// Goals of one side: 15 and more are one place.
pub const GOALS: usize = 16;
/// Goals of both sides together.
pub const BOTH_GOALS: usize = 2 * GOALS - 1;
/// Corners or cards of one side.
pub const COUNTS: usize = 32;
/// Corners or cards of both sides together.
pub const BOTH_COUNTS: usize = 2 * COUNTS - 1;

/// The Poisson distribution of a mean from 0 up.
pub fn poisson<const N: usize>(mean: f64) -> [f64; N] {
    let mut chances = [0.0; N];
    let mut chance = (-mean).exp();
    let mut rest = 1.0;
    for (count, place) in chances.iter_mut().enumerate().take(N - 1) {
        *place = chance;
        rest -= chance;
        chance *= mean / (count as f64 + 1.0);
    }
    chances[N - 1] = f64::max(rest, 0.0);
    chances
}

/// The distribution of the sum of two counts; `M` is `2 N - 1`.
pub fn sum<const N: usize, const M: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; M] {
    let mut chances = [0.0; M];
    for (i, p) in a.iter().enumerate() {
        for (j, q) in b.iter().enumerate() {
            chances[i + j] += p * q;
        }
    }
    chances
}

/// The distribution of `a - b`, shifted so that a difference of 0 stands at `N - 1`; `M` is `2 N - 1`.
pub fn difference<const N: usize, const M: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; M] {
    let mut chances = [0.0; M];
    for (i, p) in a.iter().enumerate() {
        for (j, q) in b.iter().enumerate() {
            chances[N - 1 + i - j] += p * q;
        }
    }
    chances
}

/// The chances that `ahead` plus a difference distribution ends above, at and below zero.
pub fn three_way(difference: &[f64], ahead: i64) -> [f64; 3] {
    let middle = (difference.len() / 2) as i64;
    let mut chances = [0.0; 3];
    for (place, chance) in difference.iter().enumerate() {
        let end = place as i64 - middle + ahead;
        let outcome = match end.signum() {
            1 => 0,
            0 => 1,
            _ => 2,
        };
        chances[outcome] += chance;
    }
    chances
}

/// The chance of at most `count`.
pub fn at_most(chances: &[f64], count: usize) -> f64 {
    chances.iter().take(count + 1).sum()
}

/// The chance of an even count.
pub fn even(chances: &[f64]) -> f64 {
    chances.iter().step_by(2).sum()
}

/// The binomial distribution of up to 31 tries.
pub fn binomial(tries: usize, success: f64) -> [f64; COUNTS] {
    let mut chances = [0.0; COUNTS];
    chances[0] = 1.0;
    for done in 0..tries.min(COUNTS - 1) {
        for count in (0..=done).rev() {
            chances[count + 1] += chances[count] * success;
            chances[count] *= 1.0 - success;
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    proptest! {
        #[test]
        fn every_distribution_sums_to_one(a in 0.0..9.0_f64, b in 0.0..9.0_f64, ahead in -9..9_i64) {
            let (p, q) = (poisson::<GOALS>(a), poisson::<GOALS>(b));
            let total = sum::<GOALS, BOTH_GOALS>(&p, &q);
            let apart = difference::<GOALS, BOTH_GOALS>(&p, &q);
            prop_assert!(close(p.iter().sum(), 1.0));
            prop_assert!(close(total.iter().sum(), 1.0));
            prop_assert!(close(three_way(&apart, ahead).iter().sum(), 1.0));
            prop_assert!(close(binomial(5, a / 9.0).iter().sum(), 1.0));
        }
    }

    #[test]
    fn known_values() {
        let chances = poisson::<GOALS>(2.0);
        assert!(close(chances[0], (-2.0_f64).exp()));
        assert!(close(chances[2], 2.0 * (-2.0_f64).exp()));
        assert!((even(&chances) - f64::midpoint(1.0, (-4.0_f64).exp())).abs() < 1e-6);
        assert!(close(at_most(&chances, GOALS), 1.0));
        assert!(close(binomial(5, 0.5)[2], 10.0 / 32.0));
        let apart = difference::<GOALS, BOTH_GOALS>(&poisson(1.0), &poisson(0.0));
        assert!(close(three_way(&apart, 0)[1], (-1.0_f64).exp()));
    }
}
