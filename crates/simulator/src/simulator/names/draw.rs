//! Seeded choices for the generators of this folder. Depends only on the seed and a purpose, so that a name can be
//! reproduced from a log.

/// A stream of numbers; equal seeds and purposes give equal streams (splitmix64).
pub(super) struct Draw(u64);

impl Draw {
    /// `purpose` keeps streams of the same seed apart.
    pub(super) fn new(seed: u64, purpose: &str) -> Draw {
        Draw(purpose.bytes().fold(mix(seed), |state, byte| mix(state ^ u64::from(byte))))
    }

    /// As [`Draw::new`], apart for each sport.
    pub(super) fn of_sport(sport: u64, seed: u64, purpose: &str) -> Draw {
        Draw::new(Draw::new(sport, "sport").next() ^ seed, purpose)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number from 0 to `bound` - 1; `bound` is at least 1.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        // The upper half of a product: no division, and no leaning to small numbers that anybody could see.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// One of these; there is at least one.
    pub(super) fn of<'a, T>(&mut self, these: &'a [T]) -> &'a T {
        &these[self.below(these.len())]
    }

    /// One of these texts; there is at least one.
    pub(super) fn text<'a>(&mut self, these: &'a [String]) -> &'a str {
        self.of::<String>(these)
    }
}

/// Each bit of the seed changes about half of the bits that come out.
fn mix(seed: u64) -> u64 {
    let mut z = seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_purpose_draw_the_same() {
        let drawn = |seed, purpose| {
            let mut draw = Draw::new(seed, purpose);
            [draw.next(), draw.next()]
        };
        assert_eq!(drawn(7, "a"), drawn(7, "a"));
        assert_ne!(drawn(7, "a"), drawn(7, "b"));
        assert_ne!(drawn(7, "a"), drawn(8, "a"));
        assert_ne!(drawn(0, "a")[0], drawn(0, "a")[1]);
    }

    #[test]
    fn a_bound_is_never_reached_and_everything_below_it_is() {
        let mut seen = [0_u32; 5];
        let mut draw = Draw::new(1, "");
        for _ in 0..1_000 {
            seen[draw.below(5)] += 1;
        }
        assert!(seen.iter().all(|count| (150..250).contains(count)), "{seen:?}");
        assert_eq!(draw.below(1), 0);
    }
}
