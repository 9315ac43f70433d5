//! Publishing on time: calls back whenever something is due, and never earlier. Who is late catches up, and what it says
//! carries the moment at which it was due.

use crate::work::{Due, Pace, Rates, now_us};
use std::time::Duration;

/// How long a new pace may go unnoticed.
const GLANCE: Duration = Duration::from_millis(20);

/// A thing that is due again and again.
struct Beat {
    next_us: f64,
    every_us: f64,
}

impl Beat {
    /// So many times a second, for the first time after `part` of that.
    fn of(hz: f64, part: f64) -> Beat {
        let every_us = if hz > 0.0 { 1e6 / hz } else { f64::INFINITY };
        Beat { next_us: now_us() as f64 + every_us * part, every_us }
    }
}

/// Publishes on this thread until the pace says that it is over, or `publish` that nobody listens.
pub(crate) fn for_ever(topics: u32, pace: &Pace, mut publish: impl FnMut(Due) -> bool) {
    let mut rates = Rates::default();
    // The common topic, the others in turn, stops. Not in step, so that nothing is due at the very same moment.
    let beats = |rates: Rates| {
        [Beat::of(rates.common, 0.5), Beat::of(rates.topic * f64::from(topics), 0.25), Beat::of(rates.stops, 0.77)]
    };
    let mut held = beats(rates);
    let mut turn = 0;
    while let Some(now) = pace.get() {
        if now != rates {
            rates = now;
            held = beats(rates);
        }
        let next =
            (0..held.len()).min_by(|one, other| held[*one].next_us.total_cmp(&held[*other].next_us)).unwrap_or(0);
        let left_us = held[next].next_us - now_us() as f64;
        if left_us > 0.0 {
            std::thread::park_timeout(GLANCE.min(Duration::from_secs_f64(left_us.min(1e6) / 1e6)));
            continue;
        }
        let at_us = held[next].next_us as i64;
        held[next].next_us += held[next].every_us;
        let topic = (next == 1).then(|| {
            turn = (turn + 1) % topics;
            turn
        });
        if !publish(Due { topic, is_stop: next == 2, at_us }) {
            return;
        }
    }
}
