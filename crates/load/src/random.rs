//! Random numbers of a load test: each session has its own, so that one session's numbers never depend on the speed of
//! another.

use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::time::Duration;

/// A random number generator: the same seed gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// The generator of one session for a seed.
    pub fn new(seed: u64, session: u64) -> Random {
        Random(Pcg64Mcg::seed_from_u64(seed ^ session.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// From 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An integer below `end`, which must be at least 1.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }

    /// A random element; `None` if there are none.
    pub fn one_of<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// A random index by weight; the last index if all weights are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let sum: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        let mut left = self.bits() % sum.max(1);
        for (index, weight) in weights.iter().enumerate() {
            if left < u64::from(*weight) {
                return index;
            }
            left -= u64::from(*weight);
        }
        weights.len().saturating_sub(1)
    }

    /// An exponentially distributed time with this mean, at most five times the mean.
    pub fn wait(&mut self, mean: Duration) -> Duration {
        mean.mul_f64((-(1.0 - self.unit()).ln()).min(5.0))
    }

    /// A uniformly random time from 0 up to this.
    pub fn up_to(&mut self, most: Duration) -> Duration {
        most.mul_f64(self.unit())
    }

    /// A random UUID (version 4).
    pub fn uuid(&mut self) -> String {
        let (high, low) = (self.bits(), self.bits());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            0x8000 | low >> 48 & 0x3fff,
            low & 0xffff_ffff_ffff
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_and_sessions_have_their_own() {
        let drawn = |seed, session| {
            let mut random = Random::new(seed, session);
            [random.bits(), random.bits()]
        };
        assert_eq!(drawn(7, 3), drawn(7, 3));
        assert_ne!(drawn(7, 3), drawn(7, 4));
        assert_ne!(drawn(7, 3), drawn(8, 3));
    }

    #[test]
    fn weights_are_kept() {
        let mut random = Random::new(1, 1);
        let mut drawn = [0_u32; 3];
        (0..10_000).for_each(|_| drawn[random.weighted(&[80, 0, 20])] += 1);
        assert_eq!(drawn[1], 0);
        assert!((7_700..8_300).contains(&drawn[0]), "{drawn:?}");
    }

    #[test]
    fn waits_have_their_mean_and_an_end() {
        let mut random = Random::new(1, 1);
        let waits: Vec<Duration> = (0..10_000).map(|_| random.wait(Duration::from_secs(2))).collect();
        let mean = waits.iter().sum::<Duration>() / 10_000;
        assert!((1_850..2_100).contains(&mean.as_millis()), "{mean:?}");
        assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(10)));
    }

    #[test]
    fn a_uuid_is_one_of_version_four() {
        let mut random = Random::new(1, 1);
        for _ in 0..100 {
            let uuid = random.uuid();
            let parts: Vec<usize> = uuid.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{uuid}");
            assert!(
                uuid[14..].starts_with('4') && ['8', '9', 'a', 'b'].contains(&(uuid.as_bytes()[19] as char)),
                "{uuid}"
            );
        }
    }
}
