//! Seeds and random numbers for tests. A failure of a test that uses them prints its seed and how to run it again.
//! Tests must not use another source of randomness.

use std::cell::Cell;
use std::ops::RangeInclusive;

/// The variable with the seed to run: `KVOTA_SEED=17`.
pub const SEED: &str = "KVOTA_SEED";
/// The variable with the number of seeds to run, `KVOTA_SEEDS=100000`, or their range, `KVOTA_SEEDS=501..=2000`.
pub const SEEDS: &str = "KVOTA_SEEDS";

thread_local! {
    static CURRENT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// The seeds of a test: that of `KVOTA_SEED`, else those of `KVOTA_SEEDS`, else 1 to `usual`.
///
/// # Panics
/// If a variable is neither a number nor a range.
pub fn seeds(usual: u64) -> RangeInclusive<u64> {
    let asked = |name: &str| {
        let text = std::env::var(name).ok()?;
        Some(seeds_of(&text).unwrap_or_else(|| panic!("{name}={text} is no number")))
    };
    match asked(SEED) {
        Some(seed) => *seed.end()..=*seed.end(),
        None => asked(SEEDS).unwrap_or(1..=usual),
    }
}

/// `100` means 1 to 100; `501..=2000` means that range.
fn seeds_of(text: &str) -> Option<RangeInclusive<u64>> {
    let (first, last) = text.split_once("..=").unwrap_or(("1", text));
    Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
}

/// The random numbers of a seed. A later failure on this thread prints the seed and how to run it again.
pub fn roll(seed: u64) -> Dice {
    CURRENT.set(Some(seed));
    Dice::new(seed)
}

/// How to repeat a failure on this thread; empty if no seed was used.
pub fn replay_hint() -> String {
    let Some(seed) = CURRENT.get() else { return String::new() };
    format!("\n  seed {seed}; again: {SEED}={seed} cargo nextest run --features testkit -E 'test(={})'", test_name())
}

/// The name of the running test: that of its thread, or, on the main thread, the name that the runner was given.
fn test_name() -> String {
    let thread = std::thread::current();
    match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => std::env::args().skip_while(|argument| argument != "--exact").nth(1).unwrap_or_else(|| "main".to_owned()),
    }
}

/// Random numbers of a seed: the same on every machine (SplitMix64, by S. Vigna, public domain).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Random numbers whose seed is not printed in failures.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `sides`, which must not be 0.
    pub fn below(&mut self, sides: u64) -> u64 {
        self.bits() % sides.max(1)
    }

    /// A number in this range, ends included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// True with this probability, in thousandths.
    pub fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    /// One of these values.
    ///
    /// # Panics
    /// If there are none.
    #[track_caller]
    pub fn one_of<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        assert!(!some.is_empty(), "there is nothing to choose from");
        &some[self.below(some.len() as u64) as usize]
    }

    /// Separate random numbers for one part of a scenario: their use does not change those of other parts.
    pub fn apart(&self, part: u64) -> Dice {
        let mut mixed = Dice(self.0 ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93));
        mixed.bits();
        mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_count_or_a_range() {
        for (text, seeds) in
            [("3", Some(1..=3)), (" 501..=2000", Some(501..=2000)), ("3..5", None), ("..=3", None), ("", None)]
        {
            assert_eq!(seeds_of(text), seeds, "{text:?}");
        }
    }

    #[test]
    fn same_seed_gives_same_numbers() {
        let throws = |seed| {
            let mut dice = Dice::new(seed);
            (0..5).map(|_| dice.below(1000)).collect::<Vec<u64>>()
        };
        assert_eq!(throws(1), throws(1));
        assert_ne!(throws(1), throws(2));
        assert_ne!(Dice::new(1).apart(1).bits(), Dice::new(1).apart(2).bits());
    }

    #[test]
    fn numbers_cover_their_range() {
        let mut dice = Dice::new(3);
        let throws: std::collections::BTreeSet<u64> = (0..200).map(|_| dice.between(4, 6)).collect();
        assert_eq!(throws.into_iter().collect::<Vec<u64>>(), [4, 5, 6]);
        assert!(!dice.chance(0) && dice.chance(1000));
    }
}
