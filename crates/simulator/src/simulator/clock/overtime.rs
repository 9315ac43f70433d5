//! The points that overtime adds to a drawn match. Computed once per match, because all its overtimes are alike, and
//! again while a side has lost players for good.

use super::rules::{Overtime, Rules, Tempo};
use super::scoring::Scoring;
use crate::pricing::dist::{Difference, sum};
use crate::pricing::maths::exp;

/// The points of overtime, with all its rounds.
#[derive(Clone, PartialEq, Debug)]
pub struct OvertimeOutlook {
    /// Points of both sides together.
    pub total: Vec<f64>,
    /// Points of home and away.
    pub sides: [Vec<f64>; 2],
    /// Home's less away's, with their chances; 0 only if a shoot-out follows.
    pub differences: Vec<(i64, f64)>,
}

impl OvertimeOutlook {
    /// The overtime of a match with these factors on the scoring of home and away.
    pub fn new(
        rules: &Rules,
        overtime: Overtime,
        tempo: Tempo,
        scoring: &Scoring,
        factors: [f64; 2],
    ) -> OvertimeOutlook {
        let (periods, _, _) = overtime.periods;
        let period_ms = rules.running.map_or(overtime.period_ms, |running| running.overtime_ms);
        let ms = overtime.pace * period_ms as f64 * periods as f64;
        let amounts = match tempo {
            Tempo::Moments { per_ms } => [0, 1].map(|side| per_ms[side] * factors[side] * ms),
            Tempo::Turns { overtime, .. } => [overtime as f64; 2],
        };
        let is_last = overtime.shoot_out.is_some();
        match overtime.is_sudden {
            true => OvertimeOutlook::of_one_score(rules, amounts, is_last),
            false => OvertimeOutlook::of_independent(&scoring.both(amounts), is_last),
        }
    }

    /// Of rounds that go on until one of them is won: points of home and away in a round, with their chances.
    pub fn of_rounds(round: &[(usize, usize, f64)]) -> OvertimeOutlook {
        let most = round.iter().map(|(home, away, _)| *home.max(away)).max().unwrap_or(0);
        // The points of the last round, and those of a round before it, in which both sides score the same.
        let mut last = [vec![0.0; most + 1], vec![0.0; most + 1], vec![0.0; 2 * most + 1]];
        let (mut drawn, mut drawn_twice) = (vec![0.0; most + 1], vec![0.0; 2 * most + 1]);
        let mut differences = vec![0.0; 2 * most + 1];
        for (home, away, chance) in round.iter().copied() {
            if home == away {
                drawn[home] += chance;
                drawn_twice[2 * home] += chance;
            } else {
                last[0][home] += chance;
                last[1][away] += chance;
                last[2][home + away] += chance;
                differences[most + home - away] += chance;
            }
        }
        let won: f64 = differences.iter().sum();
        let by = differences.iter().enumerate().filter(|held| *held.1 > 0.0);
        OvertimeOutlook {
            total: repeated(&last[2], &drawn_twice),
            sides: [repeated(&last[0], &drawn), repeated(&last[1], &drawn)],
            differences: by.map(|(at, chance)| (at as i64 - most as i64, chance / won)).collect(),
        }
    }

    /// The rounds of sides that score without regard to each other; `is_last` if a shoot-out follows the first one.
    pub fn of_independent(round: &[Vec<f64>; 2], is_last: bool) -> OvertimeOutlook {
        let [home, away] = round;
        if is_last {
            let differences = Difference::of(home, away).iter().collect();
            return OvertimeOutlook { total: sum(home, away), sides: round.clone(), differences };
        }
        let pairs = home.iter().enumerate().flat_map(|(h, p)| away.iter().enumerate().map(move |(a, q)| (h, a, p * q)));
        OvertimeOutlook::of_rounds(&pairs.collect::<Vec<(usize, usize, f64)>>())
    }

    /// Of rounds that end with the first score, without a conversion; home's and away's part of the scores. `is_last` if
    /// a shoot-out follows the first one.
    pub fn of_one_score(rules: &Rules, amounts: [f64; 2], is_last: bool) -> OvertimeOutlook {
        let all: f64 = rules.scores.iter().map(|kind| kind.weight).sum();
        let most = rules.scores.iter().map(|kind| kind.points).max().unwrap_or(0);
        let level = if is_last { exp(-amounts[0] - amounts[1]) } else { 0.0 };
        let mut total = vec![0.0; usize::from(most) + 1];
        total[0] = level;
        for kind in rules.scores {
            total[usize::from(kind.points)] += (1.0 - level) * kind.weight / all;
        }
        let shares = amounts.map(|amount| amount / (amounts[0] + amounts[1]));
        let side = |share: f64| -> Vec<f64> {
            let alone = 1.0 - (1.0 - level) * share;
            total.iter().enumerate().map(|(at, p)| if at == 0 { alone } else { p * share }).collect()
        };
        let by = |sign: i64, share: f64| {
            total.iter().enumerate().filter(|held| held.0 > 0).map(move |(at, p)| (sign * at as i64, p * share))
        };
        let nothing = is_last.then_some((0, level)).into_iter();
        OvertimeOutlook {
            sides: shares.map(side),
            differences: by(1, shares[0]).chain(by(-1, shares[1])).chain(nothing).collect(),
            total,
        }
    }

    /// The chance of a shoot-out after it.
    pub fn level(&self) -> f64 {
        self.differences.iter().filter(|held| held.0 == 0).map(|held| held.1).sum()
    }

    /// The chance that home wins it.
    pub fn home(&self) -> f64 {
        self.differences.iter().filter(|held| held.0 > 0).map(|held| held.1).sum()
    }
}

/// What rounds give together of which the last gives `last` (with the chance that it is the last) and each before it
/// `before` (with the chance that another follows).
fn repeated(last: &[f64], before: &[f64]) -> Vec<f64> {
    let places = last.len() + before.len();
    let mut all: Vec<f64> = Vec::with_capacity(places);
    for at in 0..places {
        let more: f64 = (1..=at.min(before.len() - 1)).map(|points| before[points] * all[at - points]).sum();
        all.push((last.get(at).copied().unwrap_or(0.0).max(0.0) + more) / (1.0 - before[0]));
    }
    let sum: f64 = all.iter().sum();
    all.iter().map(|chance| chance / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::dist::{mean, poisson};

    #[test]
    fn rounds_add_up() {
        let round = [poisson(2.0, 30), poisson(1.5, 30)];
        let extra = OvertimeOutlook::of_independent(&round, false);
        for chances in [&extra.total, &extra.sides[0], &extra.sides[1]] {
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        assert!((extra.differences.iter().map(|held| held.1).sum::<f64>() - 1.0).abs() < 1e-9);
        // Rounds are independent, so the expected value is that of one round times the expected number of rounds.
        let drawn: f64 = round[0].iter().zip(&round[1]).map(|(h, a)| h * a).sum();
        assert!((mean(&extra.total) - 3.5 / (1.0 - drawn)).abs() < 1e-6);
        assert!((mean(&extra.sides[0]) - 2.0 / (1.0 - drawn)).abs() < 1e-6);
        let by: f64 = extra.differences.iter().map(|(by, chance)| *by as f64 * chance).sum();
        assert!((by - 0.5 / (1.0 - drawn)).abs() < 1e-6, "{by}");
    }
}
