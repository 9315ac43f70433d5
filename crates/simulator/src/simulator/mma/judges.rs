//! How three judges score the rounds: each scores each round independently, mostly 10-9, and the totals decide.
//! Decisions for every set of rounds are computed once.

use super::fight::LOOKS;
use crate::simulator::random::Random;
use std::sync::OnceLock;

/// Rounds of a bout, at most.
pub(super) const ROUNDS_MAX: usize = 5;
/// Ways to decide: see [`Decision`].
pub(super) const DECISIONS: usize = 7;
/// How many rounds looked how.
pub(super) type Looks = [usize; LOOKS];

/// Home's gain on a judge's card for each look of a round, with its probability. A clear round may be 10-8, a close one
/// 10-10.
const GAINS: [[(i64, f64); 3]; LOOKS] = [
    [(2, 0.5), (1, 0.5), (0, 0.0)],
    [(1, 0.93), (-1, 0.07), (0, 0.0)],
    [(1, 0.48), (-1, 0.48), (0, 0.04)],
    [(-1, 0.93), (1, 0.07), (0, 0.0)],
    [(-2, 0.5), (-1, 0.5), (0, 0.0)],
];

/// How the judges decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// All three for this side.
    Unanimous(usize),
    /// Two for this side, one for the other.
    Split(usize),
    /// Two for this side, one for neither.
    Majority(usize),
    /// For neither.
    Draw,
}

/// All of them, in the order of their chances.
pub(super) const ALL: [Decision; DECISIONS] = [
    Decision::Unanimous(0),
    Decision::Split(0),
    Decision::Majority(0),
    Decision::Unanimous(1),
    Decision::Split(1),
    Decision::Majority(1),
    Decision::Draw,
];

impl Decision {
    /// The winner; `None` for a draw.
    pub(super) fn winner(self) -> Option<usize> {
        match self {
            Decision::Unanimous(side) | Decision::Split(side) | Decision::Majority(side) => Some(side),
            Decision::Draw => None,
        }
    }
}

/// A different index for every set of at most [`ROUNDS_MAX`] rounds.
pub(super) fn place(looks: Looks) -> usize {
    looks.iter().fold(0, |place, number| place * (ROUNDS_MAX + 1) + number)
}

/// The number of indexes.
const PLACES: usize = (ROUNDS_MAX + 1).pow(LOOKS as u32);

/// The chances of the decisions after rounds that looked so.
pub(super) fn decisions(looks: Looks) -> &'static [f64; DECISIONS] {
    static TABLE: OnceLock<Vec<[f64; DECISIONS]>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = vec![[0.0; DECISIONS]; PLACES];
        for (at, held) in table.iter_mut().enumerate() {
            let mut looks = [0; LOOKS];
            let mut rest = at;
            for number in looks.iter_mut().rev() {
                (*number, rest) = (rest % (ROUNDS_MAX + 1), rest / (ROUNDS_MAX + 1));
            }
            if looks.iter().sum::<usize>() <= ROUNDS_MAX {
                *held = worked_out(looks);
            }
        }
        table
    });
    &table[place(looks).min(PLACES - 1)]
}

/// One judge's card: for home, for neither, for away.
fn card(looks: Looks) -> [f64; 3] {
    const LEVEL: usize = 2 * ROUNDS_MAX;
    let mut sums = [0.0; 2 * LEVEL + 1];
    sums[LEVEL] = 1.0;
    for (look, number) in looks.into_iter().enumerate() {
        for _ in 0..number {
            let mut next = [0.0; 2 * LEVEL + 1];
            for (sum, chance) in sums.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                for (gain, part) in GAINS[look] {
                    next[(sum as i64 + gain) as usize] += chance * part;
                }
            }
            sums = next;
        }
    }
    [sums[LEVEL + 1..].iter().sum(), sums[LEVEL], sums[..LEVEL].iter().sum()]
}

fn worked_out(looks: Looks) -> [f64; DECISIONS] {
    let [home, level, away] = card(looks);
    let of = |own: f64, other: f64| [own * own * own, 3.0 * own * own * other, 3.0 * own * own * level];
    let ([a, b, c], [d, e, f]) = (of(home, away), of(away, home));
    let draw = level * level * (level + 3.0 * home + 3.0 * away) + 6.0 * home * level * away;
    [a, b, c, d, e, f, draw]
}

/// Draws what three judges decide.
pub(super) fn decide(looks: Looks, random: &mut Random) -> Decision {
    ALL[random.weighted(decisions(looks))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_sum_to_one_and_follow_the_rounds() {
        for looks in [[3, 0, 0, 0, 0], [0, 2, 0, 1, 0], [1, 1, 1, 1, 1], [0, 0, 5, 0, 0], [0; LOOKS]] {
            let sum: f64 = decisions(looks).iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{looks:?}: {sum}");
        }
        assert!(decisions([3, 0, 0, 0, 0])[0] > 0.999);
        assert!(decisions([0, 2, 0, 1, 0])[0] > 0.5);
        let close = decisions([0, 0, 3, 0, 0]);
        assert!((close[0] - close[3]).abs() < 1e-12 && close[6] > 0.001, "{close:?}");
        assert_eq!(decisions([0; LOOKS])[6], 1.0);
    }
}
