//! How a player throws: the score of a visit of three darts, and the probability that it finishes the leg, by the
//! remaining points. The probability of finishing at each visit is all that a leg needs, because the players do not
//! influence each other. Tables are made once for each of a few skills and shared by all matches.

use crate::simulator::random::Random;
use std::sync::OnceLock;

/// The remaining points at the start of a leg.
pub(super) const START: u16 = 501;
/// The most that three darts can finish.
const FINISH_MAX: u16 = 170;
/// Scores below the limit that three darts cannot finish.
const BOGEYS: [u16; 7] = [159, 162, 163, 165, 166, 168, 169];
/// A checkout above this is a high one.
pub(super) const HIGH: u16 = 40;
/// The maximum number of visits of a leg. The probability of more is below 10^-7.
pub(super) const VISITS: usize = 44;
/// 180s in a leg of one player: a third one would leave less than nothing.
pub(super) const MAXIMA: usize = 3;
/// Skills are rounded to steps of a half from -2.5 to 2.5.
const SKILLS: usize = 11;

static TABLES: [OnceLock<Throws>; SKILLS] = [const { OnceLock::new() }; SKILLS];

/// The outcome of a visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Visit {
    /// The leg is won.
    Checkout,
    /// The points that remain; after a bust, as many as before.
    Left(u16),
}

/// The tables of a skill.
#[derive(Debug)]
pub(super) struct Throws {
    /// The scores of an unrestricted visit, with their probabilities.
    scores: Vec<(u16, f64)>,
    treble: f64,
    double: f64,
    /// By remaining points.
    lefts: Vec<Left>,
}

/// The probabilities from a number of remaining points.
#[derive(Clone, Debug)]
pub(super) struct Left {
    /// By 180s, the chance to finish at just this visit.
    finish: [[f64; VISITS]; MAXIMA],
    /// By 180s: the probability that n visits do not finish, for each n.
    open: [[f64; VISITS]; MAXIMA],
    /// The chance to finish at just this visit with a high checkout.
    high: [f64; VISITS],
}

/// How a leg may end, from its current score.
#[derive(Clone, Debug)]
pub(super) struct LegChances {
    /// Winner, and 180s of home and away from now on.
    pub outcomes: [[[f64; MAXIMA]; MAXIMA]; 2],
    /// It ends with a high checkout.
    pub high: f64,
}

/// The table of the skill closest to a strength.
pub(super) fn throws(strength: f64) -> &'static Throws {
    let skill = ((strength.clamp(-2.5, 2.5) + 2.5) * 2.0 + 0.5) as usize;
    let skill = skill.min(SKILLS - 1);
    TABLES[skill].get_or_init(|| Throws::new(skill as f64 / 2.0 - 2.5))
}

impl Throws {
    fn new(skill: f64) -> Throws {
        let mut throws = Throws {
            scores: scores(0.36 + 0.026 * skill),
            treble: 0.36 + 0.026 * skill,
            double: 0.37 + 0.026 * skill,
            lefts: vec![Left::none(); usize::from(START) + 1],
        };
        for left in 2..=START {
            let next = throws.after(left);
            let checkout = throws.checkout(left);
            let mut chances = Left::none();
            chances.open[0][0] = 1.0;
            chances.finish[0][1] = checkout;
            chances.high[1] = if left > HIGH { checkout } else { 0.0 };
            // A bust leaves what was: this table's own earlier visits.
            for visit in 1..VISITS {
                for (to, is_180, chance) in &next {
                    let own = chances.clone_visit(visit - 1);
                    let from = if *to == left { own } else { throws.lefts[usize::from(*to)].clone_visit(visit - 1) };
                    for maxima in usize::from(*is_180)..MAXIMA {
                        let before = maxima - usize::from(*is_180);
                        chances.finish[maxima][visit] += chance * from.0[before];
                        chances.open[maxima][visit] += chance * from.1[before];
                    }
                    chances.high[visit] += chance * from.2;
                }
            }
            throws.lefts[usize::from(left)] = chances;
        }
        throws
    }

    /// The probability that three darts finish a leg with `left` remaining points.
    fn checkout(&self, left: u16) -> f64 {
        let (treble, double) = (self.treble, self.double);
        let darts = |number: usize| 1.0 - (0..number).map(|_| 1.0 - double).product::<f64>();
        match left {
            0..=1 => 0.0,
            _ if left > FINISH_MAX || BOGEYS.contains(&left) => 0.0,
            2..=40 if left.is_multiple_of(2) => darts(3),
            2..=40 => 0.95 * darts(2),
            41..=60 => 0.93 * darts(2),
            61..=70 => treble * darts(2) + (1.0 - treble) * 0.85 * double,
            71..=98 => 0.95 * treble * darts(2) + (1.0 - treble) * treble * double,
            99..=110 => 0.9 * treble * double + (1.0 - treble) * treble * double * 0.5,
            111..=130 => treble * (0.4 + 0.6 * treble) * double,
            _ => treble * treble * double,
        }
    }

    /// What else may be left after a visit, whether it is a 180, and with which chance; all but the checkout.
    fn after(&self, left: u16) -> Vec<(u16, bool, f64)> {
        let misses = 1.0 - self.checkout(left);
        if left <= 60 {
            // Bust or all beside it; or the single beside the double, which leaves about half.
            let half = if left > 40 { 32 } else { u16::max(2, left / 4 * 2) };
            return vec![(left, false, 0.3 * misses), (half.min(left), false, 0.7 * misses)];
        }
        let after = |score: u16| match left.checked_sub(score) {
            Some(rest) if rest >= 2 => rest,
            // What would be too much goes to a double that people like.
            _ if left >= 80 => 40,
            _ => 32,
        };
        let scores = self.scores.iter();
        scores.map(|(score, chance)| (after(*score), *score == 180 && left >= 182, chance * misses)).collect()
    }

    /// Draws a visit.
    pub(super) fn draw(&self, left: u16, random: &mut Random) -> Visit {
        if random.chance(self.checkout(left)) {
            return Visit::Checkout;
        }
        let after = self.after(left);
        let weights: Vec<f64> = after.iter().map(|(_, _, chance)| *chance).collect();
        Visit::Left(after[random.weighted(&weights)].0)
    }

    fn left(&self, left: u16) -> &Left {
        &self.lefts[usize::from(left.min(START))]
    }
}

impl Left {
    fn none() -> Left {
        Left { finish: [[0.0; VISITS]; MAXIMA], open: [[0.0; VISITS]; MAXIMA], high: [0.0; VISITS] }
    }

    /// The chances of a visit: finishing and not, by 180s, and finishing high.
    fn clone_visit(&self, visit: usize) -> ([f64; MAXIMA], [f64; MAXIMA], f64) {
        let of = |held: &[[f64; VISITS]; MAXIMA]| [held[0][visit], held[1][visit], held[2][visit]];
        (of(&self.finish), of(&self.open), self.high[visit])
    }
}

/// How a leg may end, where `thrower` is about to throw.
pub(super) fn leg(players: [&Throws; 2], left: [u16; 2], thrower: usize) -> LegChances {
    let mut chances = LegChances { outcomes: [[[0.0; MAXIMA]; MAXIMA]; 2], high: 0.0 };
    let lefts = [players[0].left(left[0]), players[1].left(left[1])];
    let mut total = 0.0;
    for winner in 0..2 {
        let loser = 1 - winner;
        for visit in 1..VISITS {
            // If the first thrower wins, he has had one visit more than the other player.
            let others = if winner == thrower { visit - 1 } else { visit };
            let (won, _, high) = lefts[winner].clone_visit(visit);
            let (_, lost, _) = lefts[loser].clone_visit(others);
            for (own, win) in won.iter().enumerate() {
                for (other, lose) in lost.iter().enumerate() {
                    let (home, away) = if winner == 0 { (own, other) } else { (other, own) };
                    chances.outcomes[winner][home][away] += win * lose;
                    total += win * lose;
                }
            }
            chances.high += high * lost.iter().sum::<f64>();
        }
    }
    // What lies beyond the table's last visit.
    chances.outcomes.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|chance| *chance /= total);
    chances.high /= total;
    chances
}

impl LegChances {
    /// Home's chance.
    pub(super) fn home(&self) -> f64 {
        self.outcomes[0].as_flattened().iter().sum()
    }

    /// The probability that there is no further 180.
    pub(super) fn no_180(&self) -> f64 {
        self.outcomes[0][0][0] + self.outcomes[1][0][0]
    }
}

/// The scores of three darts at treble 20, with their probabilities.
fn scores(treble: f64) -> Vec<(u16, f64)> {
    let rest = 1.0 - treble;
    let dart = [(60, treble), (20, rest * 0.8), (5, rest * 0.11), (1, rest * 0.09)];
    let mut sums: Vec<(u16, f64)> = vec![(0, 1.0)];
    for _ in 0..3 {
        let mut next: Vec<(u16, f64)> = Vec::new();
        for (sum, chance) in &sums {
            for (score, part) in dart {
                match next.iter_mut().find(|held| held.0 == sum + score) {
                    Some(held) => held.1 += chance * part,
                    None => next.push((sum + score, chance * part)),
                }
            }
        }
        sums = next;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_darts_score_what_people_know() {
        let scores = scores(0.36);
        assert_eq!(scores.len(), 20);
        assert!((scores.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
        for known in [180, 140, 100, 60, 41, 26] {
            assert!(scores.iter().any(|(score, _)| *score == known), "{known}");
        }
    }

    #[test]
    fn a_visit_leads_somewhere_and_never_below_two() {
        for strength in [-2.5, 0.0, 2.5] {
            let throws = throws(strength);
            for left in 2..=START {
                let after = throws.after(left);
                let sum: f64 = after.iter().map(|(_, _, chance)| chance).sum();
                assert!((sum + throws.checkout(left) - 1.0).abs() < 1e-12);
                assert!(after.iter().all(|(rest, _, _)| *rest >= 2 && *rest <= left));
            }
            let finished: f64 = throws.left(START).finish.as_flattened().iter().sum();
            assert!((finished - 1.0).abs() < 1e-6, "{finished}");
        }
        assert_eq!(throws(0.0).checkout(169), 0.0);
        assert_eq!(throws(0.0).checkout(171), 0.0);
        assert!(throws(0.0).checkout(170) > 0.0);
    }

    #[test]
    fn whoever_throws_first_has_the_better_of_it() {
        let players = [throws(0.0), throws(0.0)];
        let first = leg(players, [START; 2], 0).home();
        assert!((0.53..0.75).contains(&first), "{first}");
        assert!((leg(players, [START; 2], 1).home() - (1.0 - first)).abs() < 1e-9);
        assert!(leg(players, [40, 501], 0).home() > 0.95);
    }
}
