//! Ratios of two servers that were measured in turns: the median with an interval, and the verdict. The machine's speed
//! changes from minute to minute, so that only values of the same turn are compared.

use std::fmt;

/// How likely the interval contains the ratio, at least.
const CONFIDENCE: f64 = 0.95;

/// The ratios of one server to another, of each turn.
pub(crate) struct Ratios {
    sorted: Vec<f64>,
}

impl Ratios {
    /// The ratios of values of the same turns.
    pub(crate) fn of(ours: &[f64], theirs: &[f64]) -> Ratios {
        let mut sorted: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
        sorted.sort_by(f64::total_cmp);
        Ratios { sorted }
    }

    fn at(&self, place: usize) -> f64 {
        self.sorted.get(place).copied().unwrap_or(f64::NAN)
    }

    /// The interval of the median by ranks: it needs no assumption about the noise. With few turns it is the whole range.
    fn interval(&self) -> (f64, f64) {
        let turns = self.sorted.len();
        // How likely at most `rank` of the turns are below the true median.
        let (mut rank, mut below, mut term) = (0, 0.0, 0.5_f64.powi(turns as i32));
        while rank < turns / 2 {
            below += term;
            if 2.0 * below > 1.0 - CONFIDENCE {
                break;
            }
            term *= (turns - rank) as f64 / (rank + 1) as f64;
            rank += 1;
        }
        let first = rank.saturating_sub(1);
        (self.at(first), self.at(turns.saturating_sub(first + 1)))
    }
}

impl fmt::Display for Ratios {
    /// The median, its interval, and whether we are ahead: less is better.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        let verdict = match () {
            () if high < 1.0 => "ahead",
            () if low > 1.0 => "behind",
            () => "equal",
        };
        write!(f, "{:.2} ({low:.2} to {high:.2}) {verdict}", self.at(self.sorted.len() / 2))
    }
}
