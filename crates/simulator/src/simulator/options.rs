//! The options of the simulator: matches, sports, seed and speed. Read from the command line and the configuration. An
//! error names the allowed range. Must not read files or the environment.

use super::sports::{self, Entry};
use crate::generator::IdSpace;
use std::ops::RangeInclusive;

/// The allowed number of concurrent matches.
pub const MATCHES: RangeInclusive<u32> = 1..=5_000;
/// Simulated time in a unit of wall time: 1 is real time.
pub const SPEED: RangeInclusive<f64> = 0.01..=1_000.0;
/// Price changes a second and match that have no cause in the play.
pub const RATE: RangeInclusive<f64> = 0.0..=20.0;
/// The share of matches that are abandoned.
pub const ABANDONED: RangeInclusive<f64> = 0.0..=1.0;

/// The options of the simulator.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulatorOptions {
    /// Concurrent matches, 1 to 5,000.
    pub matches: u32,
    /// Keys or ids of sports (`tennis`, `5`). Empty means all sports.
    pub sports: Vec<String>,
    /// Sports that are not played although `sports` names all of them: those another source plays.
    pub without: Vec<u64>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Simulated time in a unit of wall time, 0.01 to 1,000.
    pub speed: f64,
    /// Price changes a second and match that have no cause in the play, 0 to 20.
    pub rate: f64,
    /// The share of matches that are abandoned while they are played, 0 to 1: betting ends and their open markets are
    /// cancelled.
    pub abandoned: f64,
    /// The ids it may use.
    pub ids: IdSpace,
}

impl Default for SimulatorOptions {
    fn default() -> SimulatorOptions {
        SimulatorOptions {
            matches: 120,
            sports: Vec::new(),
            without: Vec::new(),
            seed: 1,
            speed: 1.0,
            rate: 0.2,
            abandoned: 0.0,
            ids: IdSpace::new(0, 1, 0),
        }
    }
}

/// Why options are invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SimulatorError {
    /// Too few or too many matches.
    #[error("{0} matches cannot be simulated; allowed are {min} to {max}", min = MATCHES.start(), max = MATCHES.end())]
    Matches(u32),
    /// No such speed.
    #[error("a speed of {0} is not allowed; allowed is {min} to {max}", min = SPEED.start(), max = SPEED.end())]
    Speed(f64),
    /// No such rate.
    #[error("{0} price changes a second and match are not allowed; allowed is {min} to {max}", min = RATE.start(), max = RATE.end())]
    Rate(f64),
    /// No such share.
    #[error("a share of {0} abandoned matches is not allowed; allowed is {min} to {max}", min = ABANDONED.start(), max = ABANDONED.end())]
    Abandoned(f64),
    /// There is no such sport in the simulator.
    #[error("there is no sport {name:?}; allowed are {all}", all = sports::listed())]
    Sport {
        /// The requested sport.
        name: String,
    },
    /// All sports are left out.
    #[error("no sport is left to simulate; allowed are {all}", all = sports::listed())]
    NoSport,
}

impl SimulatorOptions {
    /// The same with this share of abandoned matches.
    #[must_use]
    pub fn with_abandoned(self, share: f64) -> SimulatorOptions {
        SimulatorOptions { abandoned: share, ..self }
    }

    /// The sports to play, in the order of the table.
    ///
    /// # Errors
    /// The first thing that is not allowed.
    pub fn checked(&self) -> Result<Vec<&'static Entry>, SimulatorError> {
        if !MATCHES.contains(&self.matches) {
            return Err(SimulatorError::Matches(self.matches));
        }
        if !SPEED.contains(&self.speed) {
            return Err(SimulatorError::Speed(self.speed));
        }
        if !RATE.contains(&self.rate) {
            return Err(SimulatorError::Rate(self.rate));
        }
        if !ABANDONED.contains(&self.abandoned) {
            return Err(SimulatorError::Abandoned(self.abandoned));
        }
        let mut asked = Vec::new();
        for name in &self.sports {
            let found = sports::find(name).ok_or_else(|| SimulatorError::Sport { name: name.clone() })?;
            asked.push(found.profile.id);
        }
        let is_played = |entry: &&Entry| {
            let id = entry.profile.id;
            if asked.is_empty() { !self.without.contains(&id) } else { asked.contains(&id) }
        };
        let played: Vec<&'static Entry> = sports::table().iter().filter(is_played).collect();
        if played.is_empty() { Err(SimulatorError::NoSport) } else { Ok(played) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(options: SimulatorOptions) -> String {
        options.checked().map(|_| ()).expect_err("not allowed").to_string()
    }

    #[test]
    fn what_is_not_allowed_is_told_with_the_allowed_range() {
        let options = SimulatorOptions::default;
        for (options, said) in [
            (SimulatorOptions { matches: 0, ..options() }, "0 matches cannot be simulated; allowed are 1 to 5000"),
            (SimulatorOptions { matches: 5_001, ..options() }, "allowed are 1 to 5000"),
            (SimulatorOptions { speed: 0.0, ..options() }, "a speed of 0 is not allowed; allowed is 0.01 to 1000"),
            (SimulatorOptions { speed: f64::NAN, ..options() }, "allowed is 0.01 to 1000"),
            (SimulatorOptions { rate: -1.0, ..options() }, "allowed is 0 to 20"),
            (SimulatorOptions { rate: 1e9, ..options() }, "allowed is 0 to 20"),
            (options().with_abandoned(1.01), "a share of 1.01 abandoned matches is not allowed; allowed is 0 to 1"),
            (options().with_abandoned(f64::NAN), "allowed is 0 to 1"),
            (
                SimulatorOptions { sports: vec!["curling".to_owned()], ..options() },
                "there is no sport \"curling\"; allowed are",
            ),
        ] {
            let error = error_of(options);
            assert!(error.contains(said), "{error}");
        }
        let all = sports::table().iter().map(|entry| entry.profile.id).collect();
        assert!(error_of(SimulatorOptions { without: all, ..options() }).starts_with("no sport is left"));
    }

    #[test]
    fn a_sport_is_found_by_its_key_and_its_number() {
        let first = &sports::table()[0].profile;
        for name in [first.key.to_owned(), first.id.to_string()] {
            let options = SimulatorOptions { sports: vec![name], ..SimulatorOptions::default() };
            assert_eq!(options.checked().map(|played| played.len()), Ok(1));
        }
    }
}
