//! The number of 180s in the rest of a match, by its score. Computed backwards from the end, once per match.

use super::throws::LegChances;
use crate::pricing::dist::Difference;
use crate::simulator::race::{Format, Standing};

/// The last entry includes all higher values.
const PLACES: usize = 32;
/// The index of the difference 0.
const ORIGIN: usize = 24;

/// 180s to come: how many, and how many more at home than away.
#[derive(Clone, Debug)]
pub(super) struct ToCome {
    pub total: Vec<f64>,
    apart: Vec<f64>,
}

/// 180s to come at the start of a leg, by standing.
#[derive(Debug)]
pub(super) struct Maxima(Vec<ToCome>);

impl Maxima {
    /// Computes the distribution. `next` has the probabilities of a leg, by the player who begins it.
    pub(super) fn new(format: Format, first: usize, next: &[LegChances; 2]) -> Maxima {
        let mut maxima = Maxima(vec![ToCome::nothing(); format.standings()]);
        for place in (0..format.standings()).rev() {
            let standing = format.standing(place);
            let to_come = maxima.from(format, standing, &next[standing.starter(first)]);
            maxima.0[place] = to_come;
        }
        maxima
    }

    /// Those to come where the leg being played has these chances.
    pub(super) fn from(&self, format: Format, standing: Standing, now: &LegChances) -> ToCome {
        let mut sum = ToCome { total: vec![0.0; PLACES], apart: vec![0.0; 2 * ORIGIN + 1] };
        let none = ToCome::nothing();
        for (winner, outcomes) in now.outcomes.iter().enumerate() {
            let after = standing.won_by(winner, format);
            let rest = if after.winner(format).is_some() { &none } else { &self.0[format.place(after)] };
            for (home, of_home) in outcomes.iter().enumerate() {
                for (away, chance) in of_home.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                    sum.add(rest, *chance, home, away);
                }
            }
        }
        sum
    }
}

impl ToCome {
    fn nothing() -> ToCome {
        let mut nothing = ToCome { total: vec![0.0; PLACES], apart: vec![0.0; 2 * ORIGIN + 1] };
        (nothing.total[0], nothing.apart[ORIGIN]) = (1.0, 1.0);
        nothing
    }

    fn add(&mut self, rest: &ToCome, chance: f64, home: usize, away: usize) {
        for (count, part) in rest.total.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            self.total[(count + home + away).min(PLACES - 1)] += chance * part;
        }
        for (place, part) in rest.apart.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            self.apart[(place + home).saturating_sub(away).min(2 * ORIGIN)] += chance * part;
        }
    }

    /// Home has `ahead` more 180s so far. The probabilities that it has more, as many or fewer at the end.
    pub(super) fn most(self, ahead: i64) -> [f64; 3] {
        Difference::new(self.apart, ORIGIN).three_way(ahead)
    }
}
