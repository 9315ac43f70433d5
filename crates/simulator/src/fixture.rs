//! The constant data of a generated match, and its clock. Shared by the replay and the simulator; pure.

use kvota_domain::Text;
use kvota_domain::feed::Time;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::PerLang;

/// What stays the same over a match's life.
#[derive(Clone, PartialEq, Debug)]
pub struct Fixture {
    /// The match.
    pub id: MatchId,
    /// The block with the ids of its markets and odds.
    pub block: u64,
    /// Matches are shown by (`order`, `id`).
    pub order: i64,
    /// The home side.
    pub home: PerLang<Text>,
    /// The away side.
    pub away: PerLang<Text>,
    /// The sport's name.
    pub sport: PerLang<Text>,
    /// The tournament.
    pub tournament: PerLang<Text>,
    /// Its country.
    pub tournament_description: PerLang<Text>,
}

/// The match clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FrameClock {
    /// Before the match and after it.
    Hidden,
    /// The clock is stopped, in a break.
    Stopped {
        /// Seconds of play.
        seconds: i64,
    },
    /// It runs.
    Running {
        /// Milliseconds of play …
        played_ms: i64,
        /// … as of this date, in ms since the epoch.
        at_ms: i64,
        /// Milliseconds of play in a millisecond of wall time: 1 is real time.
        pace: f64,
    },
}

impl FrameClock {
    /// The clock's time at a date (ms since the epoch), and whether it is stopped.
    pub fn reading(self, date_ms: i64) -> (Time, Option<bool>) {
        match self {
            FrameClock::Hidden => (Time::None, None),
            FrameClock::Stopped { seconds } => (Time::Seconds(seconds), Some(true)),
            FrameClock::Running { played_ms, at_ms, pace } => {
                let since = date_ms.saturating_sub(at_ms) as f64 * pace;
                let seconds = played_ms.saturating_add(since as i64).div_euclid(1000);
                (Time::Seconds(seconds), Some(false))
            }
        }
    }
}
