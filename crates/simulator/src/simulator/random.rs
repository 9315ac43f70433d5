//! Seeded random numbers. Every match has its own stream, so matches do not influence each other.

use crate::pricing::maths::ln;
use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A source of random numbers, the same from the same seed on every machine.
#[derive(Clone, Debug)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// One stream of numbers, such as that of a match, for this seed.
    pub fn new(seed: u64, stream: u64) -> Random {
        // The generator spreads the seed over its state; the odd factor keeps neighbours apart.
        Random(Pcg64Mcg::seed_from_u64(seed ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from `low` to below `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with this chance.
    pub fn chance(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// A whole number below `end`, which is at least 1.
    pub fn below(&mut self, end: u64) -> u64 {
        // The bias of a remainder of 64 bits is beyond notice.
        self.bits() % end.max(1)
    }

    /// A random index, with these weights. The last one if they sum to zero.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        weights.len().saturating_sub(1)
    }

    /// A side, 0 or 1: 0 with this chance.
    pub fn side(&mut self, home: f64) -> usize {
        usize::from(!self.chance(home))
    }

    /// An exponentially distributed waiting time with this mean.
    pub fn wait(&mut self, mean: f64) -> f64 {
        -mean * ln(1.0 - self.unit())
    }

    /// About normally distributed, with mean 0 and deviation 1: a sum of twelve numbers, so within ±6.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_everywhere() {
        let mut random = Random::new(7, 3);
        let drawn = [random.bits(), random.bits(), random.bits()];
        assert_eq!(drawn, KNOWN);
        assert_ne!(Random::new(7, 4).bits(), drawn[0]);
        assert_ne!(Random::new(8, 3).bits(), drawn[0]);
    }

    const KNOWN: [u64; 3] = [9_429_421_370_734_026_703, 6_235_914_354_065_367_979, 1_538_527_097_332_887_198];

    #[test]
    fn draws_are_where_they_should_be() {
        let mut random = Random::new(1, 1);
        let mut sums = [0.0; 4];
        for _ in 0..20_000 {
            let unit = random.unit();
            assert!((0.0..1.0).contains(&unit));
            sums[0] += unit;
            sums[1] += random.wait(3.0);
            sums[2] += random.normal();
            sums[3] += random.weighted(&[1.0, 3.0]) as f64;
            assert!(random.below(6) < 6);
        }
        let means = sums.map(|sum| sum / 20_000.0);
        for (mean, expected) in means.into_iter().zip([0.5, 3.0, 0.0, 0.75]) {
            assert!((mean - expected).abs() < 0.1, "{means:?}");
        }
        assert_eq!(random.weighted(&[]), 0);
    }
}
