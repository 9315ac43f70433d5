//! Seeds and the dice they throw. A test that rolls dice takes its seed here, so that its failure says which one it was and
//! how to run it again. Called by the kit, the simulation and tests; no other source of chance is used in tests.

use std::cell::Cell;
use std::ops::RangeInclusive;

/// The variable that names the seed to run: `KVOTA_SEED=17`.
pub const SEED: &str = "KVOTA_SEED";
/// The variable that says how many seeds to run, `KVOTA_SEEDS=100000`, or which: `KVOTA_SEEDS=501..=2000`.
pub const SEEDS: &str = "KVOTA_SEEDS";

thread_local! {
    static CURRENT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// The seeds of a test: the one of `KVOTA_SEED` alone, else those of `KVOTA_SEEDS`, else `usual` of them, from 1.
///
/// # Panics
/// Where a variable is no number, nor two of them.
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

/// `100`: the first hundred; `501..=2000`: those.
fn seeds_of(text: &str) -> Option<RangeInclusive<u64>> {
    let (first, last) = text.split_once("..=").unwrap_or(("1", text));
    Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
}

/// The dice of a seed. What fails on this thread from now on names the seed and how to run it again.
pub fn roll(seed: u64) -> Dice {
    CURRENT.set(Some(seed));
    Dice::new(seed)
}

/// How to run what fails here again: empty where no seed was taken.
pub fn replay_hint() -> String {
    let Some(seed) = CURRENT.get() else { return String::new() };
    format!("\n  seed {seed}; again: {SEED}={seed} cargo nextest run --features testkit -E 'test(={})'", test_name())
}

/// The name of the running test: that of its thread, or what the runner asked for where it is the main thread's.
fn test_name() -> String {
    let thread = std::thread::current();
    match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => std::env::args().skip_while(|argument| argument != "--exact").nth(1).unwrap_or_else(|| "main".to_owned()),
    }
}

/// Throws of a seed: the same seed, the same throws, on every machine (SplitMix64, by S. Vigna, public domain).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that name no seed when something fails.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `sides`, which is not 0.
    pub fn below(&mut self, sides: u64) -> u64 {
        self.bits() % sides.max(1)
    }

    /// A number of a range, both ends included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// Whether something happens that happens so many times in a thousand.
    pub fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    /// One of some.
    ///
    /// # Panics
    /// Where there is none.
    #[track_caller]
    pub fn one_of<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        assert!(!some.is_empty(), "there is nothing to choose from");
        &some[self.below(some.len() as u64) as usize]
    }

    /// Dice of their own for a part of a story: what the part throws moves nobody else's.
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
    fn seeds_are_so_many_or_those_between_two() {
        for (text, seeds) in
            [("3", Some(1..=3)), (" 501..=2000", Some(501..=2000)), ("3..5", None), ("..=3", None), ("", None)]
        {
            assert_eq!(seeds_of(text), seeds, "{text:?}");
        }
    }

    #[test]
    fn the_same_seed_throws_the_same() {
        let throws = |seed| {
            let mut dice = Dice::new(seed);
            (0..5).map(|_| dice.below(1000)).collect::<Vec<u64>>()
        };
        assert_eq!(throws(1), throws(1));
        assert_ne!(throws(1), throws(2));
        assert_ne!(Dice::new(1).apart(1).bits(), Dice::new(1).apart(2).bits());
    }

    #[test]
    fn throws_stay_in_their_range_and_reach_its_ends() {
        let mut dice = Dice::new(3);
        let throws: std::collections::BTreeSet<u64> = (0..200).map(|_| dice.between(4, 6)).collect();
        assert_eq!(throws.into_iter().collect::<Vec<u64>>(), [4, 5, 6]);
        assert!(!dice.chance(0) && dice.chance(1000));
    }
}
