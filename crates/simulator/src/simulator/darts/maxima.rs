//! The number of 180s in the rest of a match.

use super::throws::LegChances;
use crate::pricing::dist::Difference;

/// The last entry includes all higher values.
const PLACES: usize = 32;
/// The index of the difference 0.
const ORIGIN: usize = 24;

/// 180s to come: how many, and how many more at home than away.
#[derive(Clone, Debug)]
pub(super) struct Maxima {
    pub total: Vec<f64>,
    apart: Vec<f64>,
}

impl Maxima {
    /// No more.
    pub(super) fn none() -> Maxima {
        let mut none = Maxima::empty();
        (none.total[0], none.apart[ORIGIN]) = (1.0, 1.0);
        none
    }

    /// Those of a leg with these chances, and those after it, if home or away wins it.
    pub(super) fn from(after: [&Maxima; 2], now: &LegChances) -> Maxima {
        let mut sum = Maxima::empty();
        for (outcomes, rest) in now.outcomes.iter().zip(after) {
            for (home, of_home) in outcomes.iter().enumerate() {
                for (away, chance) in of_home.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                    sum.add(rest, *chance, home, away);
                }
            }
        }
        sum
    }

    /// Home has `ahead` more 180s so far. The probabilities that it has more, as many or fewer at the end.
    pub(super) fn most(self, ahead: i64) -> [f64; 3] {
        Difference::new(self.apart, ORIGIN).three_way(ahead)
    }

    fn empty() -> Maxima {
        Maxima { total: vec![0.0; PLACES], apart: vec![0.0; 2 * ORIGIN + 1] }
    }

    fn add(&mut self, rest: &Maxima, chance: f64, home: usize, away: usize) {
        for (count, part) in rest.total.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            self.total[(count + home + away).min(PLACES - 1)] += chance * part;
        }
        for (place, part) in rest.apart.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            self.apart[(place + home).saturating_sub(away).min(2 * ORIGIN)] += chance * part;
        }
    }
}
