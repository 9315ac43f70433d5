//! The probabilities of all endings of a bout, from any moment.

use super::fight::{LOOKS, Moment, RoundChances, Rounds};
use super::judges::{ALL, DECISIONS, Looks, ROUNDS_MAX, decisions};

/// How a bout may end.
#[derive(Clone, Debug)]
pub(super) struct Outlook {
    /// For each round, the probabilities that home or away ends the bout in it.
    pub ends: [[f64; 2]; ROUNDS_MAX],
    /// For each round, the probability that the bout ends in its first half.
    pub early: [f64; ROUNDS_MAX],
    /// For each round, the probability that it begins.
    pub begins: [f64; ROUNDS_MAX],
    /// The probability of each decision of the judges.
    pub decisions: [f64; DECISIONS],
}

/// The probabilities of the endings of a bout of `number` rounds. `looks` describes the past rounds. `now` is the
/// moment in the current round; `None` after the last one.
pub(super) fn outlook(rounds: &Rounds, number: usize, looks: Looks, now: Option<Moment>) -> Outlook {
    let past: usize = looks.iter().sum();
    let mut outlook = Outlook {
        ends: [[0.0; 2]; ROUNDS_MAX],
        early: [0.0; ROUNDS_MAX],
        begins: [0.0; ROUNDS_MAX],
        decisions: [0.0; DECISIONS],
    };
    let mut goes_on = 1.0;
    let mut sets: Vec<(Looks, f64)> = vec![(looks, 1.0)];
    for round in past..number {
        let chances: &RoundChances = match now {
            Some(moment) if round == past => rounds.chances(moment),
            _ => rounds.chances(Moment::BELL),
        };
        outlook.begins[round] = goes_on;
        outlook.ends[round] = chances.ends.map(|chance| chance * goes_on);
        outlook.early[round] = chances.early * goes_on;
        goes_on *= chances.goes_on();
        sets = after(&sets, chances);
    }
    for (looks, chance) in sets {
        for (sum, part) in outlook.decisions.iter_mut().zip(decisions(looks)) {
            *sum += chance * part;
        }
    }
    outlook
}

/// Sets of rounds with one more.
fn after(sets: &[(Looks, f64)], chances: &RoundChances) -> Vec<(Looks, f64)> {
    let mut next: Vec<(Looks, f64)> = Vec::with_capacity(sets.len() * LOOKS);
    for (looks, chance) in sets {
        for (look, part) in chances.looks.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            let mut looks = *looks;
            looks[look] += 1;
            next.push((looks, chance * part));
        }
    }
    next.sort_unstable_by_key(|held| held.0);
    next.dedup_by(|later, kept| {
        let is_like = later.0 == kept.0;
        kept.1 += if is_like { later.1 } else { 0.0 };
        is_like
    });
    next
}

impl Outlook {
    /// A side ends it before the judges have to.
    pub(super) fn ends_it(&self, side: usize) -> f64 {
        self.ends.iter().map(|ends| ends[side]).sum()
    }

    /// The judges decide for a side, or for neither.
    pub(super) fn decided(&self, winner: Option<usize>) -> f64 {
        ALL.iter().zip(self.decisions).filter(|(held, _)| held.winner() == winner).map(|(_, chance)| chance).sum()
    }

    /// The judges have to decide.
    pub(super) fn distance(&self) -> f64 {
        self.decisions.iter().sum()
    }
}
