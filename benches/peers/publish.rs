//! Publishes on a schedule: calls back when something is due, never earlier. A late publisher catches up, and each
//! payload carries its due time.

use crate::work::{Due, Pace, Rates, now_us};
use std::time::Duration;

/// Longest time until a new rate is noticed.
const RATE_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A periodic event.
struct Beat {
    next_us: f64,
    every_us: f64,
}

impl Beat {
    /// `hz` times a second. The first comes after `part` of the interval.
    fn of(hz: f64, part: f64) -> Beat {
        let every_us = if hz > 0.0 { 1e6 / hz } else { f64::INFINITY };
        Beat { next_us: now_us() as f64 + every_us * part, every_us }
    }
}

/// The schedule of all topics.
pub(crate) struct Schedule {
    topics: u32,
    rates: Rates,
    beats: [Beat; 3],
    turn: u32,
}

impl Schedule {
    /// A schedule of this many topics, silent at first.
    pub(crate) fn new(topics: u32) -> Schedule {
        Schedule { topics, rates: Rates::default(), beats: beats(topics, Rates::default()), turn: 0 }
    }

    /// What is due now, or the longest time to wait for it; `None` when the run is over.
    pub(crate) fn next(&mut self, pace: &Pace) -> Option<Result<Due, Duration>> {
        let now = pace.get()?;
        if now != self.rates {
            self.rates = now;
            self.beats = beats(self.topics, now);
        }
        let of = |place: &usize| self.beats[*place].next_us;
        let next = (0..self.beats.len()).min_by(|one, other| of(one).total_cmp(&of(other))).unwrap_or(0);
        let left_us = self.beats[next].next_us - now_us() as f64;
        if left_us > 0.0 {
            return Some(Err(RATE_POLL_INTERVAL.min(Duration::from_secs_f64(left_us.min(1e6) / 1e6))));
        }
        let at_us = self.beats[next].next_us as i64;
        self.beats[next].next_us += self.beats[next].every_us;
        let topic = (next == 1).then(|| {
            self.turn = (self.turn + 1) % self.topics;
            self.turn
        });
        Some(Ok(Due { topic, is_stop: next == 2, at_us }))
    }
}

/// The common topic, the other topics in turn, and stops. With different phases, so that they are never due together.
fn beats(topics: u32, rates: Rates) -> [Beat; 3] {
    [Beat::of(rates.common, 0.5), Beat::of(rates.topic * f64::from(topics), 0.25), Beat::of(rates.stops, 0.77)]
}

/// Publishes on this thread until the run is over, or until `publish` returns false.
pub(crate) fn publish_until_end(topics: u32, pace: &Pace, mut publish: impl FnMut(Due) -> bool) {
    let mut schedule = Schedule::new(topics);
    while let Some(next) = schedule.next(pace) {
        match next {
            Ok(due) if !publish(due) => return,
            Ok(_) => {}
            Err(wait) => std::thread::park_timeout(wait),
        }
    }
}
