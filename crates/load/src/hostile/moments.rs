//! The schedule of a hostile client: a fixed pace within its active periods, computed only from its number and the
//! seed. Pure; read by `client.rs`.

use super::windows::Window;
use crate::random::Random;
use std::time::Duration;

/// The hub's limit of commands per second. A slower pace must not exceed it after a delay of the client.
const COMMANDS_PER_SECOND: u32 = 50;
/// Separates the random numbers of hostile clients from those of the sessions.
const HOSTILE_STREAM: u64 = 1 << 41;

/// The moments at which one client acts.
#[derive(Clone, Debug)]
pub struct Moments {
    spans: Vec<Window>,
    period: Duration,
    phase: Duration,
    next: Option<(usize, Duration)>,
}

impl Moments {
    /// The moments of a client within the hostile periods.
    pub fn new(spans: &[Window], rate: u32, seed: u64, client: u32) -> Moments {
        let period = Duration::from_secs(1) / rate.max(1);
        let phase = random_of(seed, client).up_to(period);
        let spans: Vec<Window> = spans.iter().filter(|span| span.is_hostile).copied().collect();
        let next = spans.first().map(|span| (0, span.from + phase));
        Moments { spans, period, phase, next }
    }

    /// The shortest time between two actions, even if the client is late. `None` for a pace above the hub's limit.
    pub fn least_apart(&self) -> Duration {
        let limit = Duration::from_secs(1) / (COMMANDS_PER_SECOND - 1);
        if self.period > limit { limit } else { Duration::ZERO }
    }

    /// Whether two moments are in the same active period.
    pub fn is_in_one_span(&self, moment: Duration, other: Duration) -> bool {
        self.spans
            .iter()
            .any(|span| (span.from..span.until).contains(&moment) && (span.from..span.until).contains(&other))
    }
}

impl Iterator for Moments {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        loop {
            let (index, at) = self.next?;
            let span = self.spans.get(index)?;
            if at < span.until {
                self.next = Some((index, at + self.period));
                return Some(at);
            }
            self.next = self.spans.get(index + 1).map(|span| (index + 1, span.from + self.phase));
        }
    }
}

/// The random numbers of a client.
pub fn random_of(seed: u64, client: u32) -> Random {
    Random::new(seed, HOSTILE_STREAM + u64::from(client))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: u64, until: u64, is_hostile: bool) -> Window {
        Window { from: Duration::from_secs(from), until: Duration::from_secs(until), is_hostile }
    }

    #[test]
    fn a_client_acts_at_its_pace_while_it_is_there() {
        let spans = [span(0, 2, false), span(2, 4, true), span(4, 6, false), span(6, 7, true)];
        let moments: Vec<Duration> = Moments::new(&spans, 45, 1, 3).collect();
        assert_eq!(moments.len(), 3 * 45);
        assert!(moments.is_sorted());
        let is_there = |at: &Duration| spans.iter().any(|span| span.is_hostile && (span.from..span.until).contains(at));
        assert!(moments.iter().all(is_there));
        assert_eq!(moments, Moments::new(&spans, 45, 1, 3).collect::<Vec<_>>());
        assert_ne!(moments, Moments::new(&spans, 45, 2, 3).collect::<Vec<_>>());
    }

    #[test]
    fn a_pace_below_the_limit_stays_below_it_after_a_delay() {
        let apart = |rate| Moments::new(&[], rate, 1, 1).least_apart();
        assert!(apart(45) > Duration::from_millis(20));
        assert_eq!(apart(200), Duration::ZERO);
    }
}
