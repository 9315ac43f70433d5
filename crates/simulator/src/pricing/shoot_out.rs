//! The probabilities of a shoot-out: both sides take a number of kicks in turn, then pairs of kicks until one pair
//! decides. Called by the models of sports with a shoot-out. Depends only on the kicks so far.

use super::dist::{Difference, binomial};

/// What kicks there are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kicks {
    /// Kicks of each side before sudden death.
    pub each: u8,
    /// The probability that a kick scores, 0 to 1.
    pub chance: f64,
}

impl Kicks {
    /// The probability that home wins, from the kicks taken and scored, `[home, away]`. An early end changes nothing,
    /// because the omitted kicks could not change the winner. In sudden death both sides complete the pair, and a level
    /// pair starts another.
    pub fn home_wins(&self, taken: [u8; 2], scored: [u8; 2]) -> f64 {
        let each = self.each.max(taken[0]).max(taken[1]);
        let left = |side: usize| {
            let kicks = usize::from(each - taken[side]);
            binomial(kicks, self.chance, kicks + 1)
        };
        let ahead = i64::from(scored[0]) - i64::from(scored[1]);
        let [home, level, _] = Difference::of(&left(0), &left(1)).three_way(ahead);
        home + level / 2.0
    }

    /// Whether it is decided.
    pub fn is_decided(&self, taken: [u8; 2], scored: [u8; 2]) -> bool {
        !(1e-9..=1.0 - 1e-9).contains(&self.home_wins(taken, scored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shoot_out_is_decided_when_it_cannot_be_turned() {
        let kicks = Kicks { each: 5, chance: 0.75 };
        for (taken, scored, chance) in [
            ([0, 0], [0, 0], 0.5),
            ([4, 3], [4, 1], 1.0), // one kick and two: three goals behind
            ([5, 5], [3, 2], 1.0),
            ([5, 5], [3, 3], 0.5),
            ([6, 5], [4, 3], 0.25 + 0.75 / 2.0), // scored, the other side answers
        ] {
            let wins = kicks.home_wins(taken, scored);
            assert!((wins - chance).abs() < 1e-9, "{taken:?} {scored:?}: {wins}");
            assert_eq!(kicks.is_decided(taken, scored), chance == 1.0);
        }
    }
}
