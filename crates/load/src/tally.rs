//! Counts of a load test: per worker for the current second, then for the whole run. Each latency is counted twice:
//! from the *planned* moment, which is what a bettor notices, and from the actual one, which flatters a slow server
//! (coordinated omission).

use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::time::Duration;

/// The measured latencies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// From the date of a change in the feed until its frame is read.
    FeedToClient,
    /// From the planned arrival of a session until the hub's *hello*.
    Connect,
    /// The call for the whole offer.
    Offer,
    /// Opening a match: its watch and the call for all its markets.
    Match,
    /// From a change of the sport filter until the first frame with the new state.
    WatchState,
    /// From a hub command to its acknowledgement.
    Command,
    /// From placing a bet to the answer, including the in-play delay.
    Bet,
    /// From the planned reconnect of a session until it has the offer.
    Reconnect,
}

impl Timing {
    /// All latencies.
    pub const ALL: [Timing; 8] = [
        Timing::FeedToClient,
        Timing::Connect,
        Timing::Offer,
        Timing::Match,
        Timing::WatchState,
        Timing::Command,
        Timing::Bet,
        Timing::Reconnect,
    ];

    /// The name in the results.
    pub const fn name(self) -> &'static str {
        match self {
            Timing::FeedToClient => "feed_to_client",
            Timing::Connect => "connect",
            Timing::Offer => "offer",
            Timing::Match => "match",
            Timing::WatchState => "watch_state",
            Timing::Command => "command",
            Timing::Bet => "bet",
            Timing::Reconnect => "reconnect",
        }
    }
}

/// The counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Sessions that arrived.
    SessionsStarted,
    /// Sessions that left as planned.
    SessionsEnded,
    /// Frames read.
    Frames,
    /// Messages in those frames.
    Messages,
    /// Bytes of frames.
    HubBytes,
    /// HTTP calls answered.
    Calls,
    /// Bytes of their bodies.
    CallBytes,
    /// Commands acknowledged.
    Commands,
    /// Commands rejected because the offer has changed: an odd or a match has left.
    CommandsRefused,
    /// Calls that place a bet, including repeated ones.
    BetsSent,
    /// Bets answered with 200.
    BetsTaken,
    /// Bets answered with 400, for example because a price moved or a match was suspended.
    BetsRefused,
    /// Bets sent again with the same key because there was no answer.
    BetsRepeated,
    /// Answers 429 and 503 with a `Retry-After` header.
    Shed,
}

impl Count {
    /// All counters.
    pub const ALL: [Count; 14] = [
        Count::SessionsStarted,
        Count::SessionsEnded,
        Count::Frames,
        Count::Messages,
        Count::HubBytes,
        Count::Calls,
        Count::CallBytes,
        Count::Commands,
        Count::CommandsRefused,
        Count::BetsSent,
        Count::BetsTaken,
        Count::BetsRefused,
        Count::BetsRepeated,
        Count::Shed,
    ];

    /// The name in the results.
    pub const fn name(self) -> &'static str {
        match self {
            Count::SessionsStarted => "sessions_started",
            Count::SessionsEnded => "sessions_ended",
            Count::Frames => "frames",
            Count::Messages => "messages",
            Count::HubBytes => "hub_bytes",
            Count::Calls => "calls",
            Count::CallBytes => "call_bytes",
            Count::Commands => "commands",
            Count::CommandsRefused => "commands_refused",
            Count::BetsSent => "bets_sent",
            Count::BetsTaken => "bets_taken",
            Count::BetsRefused => "bets_refused",
            Count::BetsRepeated => "bets_repeated",
            Count::Shed => "shed",
        }
    }
}

/// A distribution of times, in microseconds.
#[derive(Clone, Debug)]
pub struct Times(Histogram<u64>);

/// Texts of rejected bets that are counted separately.
const REFUSALS_MAX: usize = 100;
/// Longer times count as one hour.
const TIME_MAX_US: u64 = 3_600_000_000;

impl Default for Times {
    fn default() -> Times {
        // The bounds are valid. It grows only when needed: most seconds have values of a few milliseconds.
        let mut histogram = Histogram::new_with_bounds(1, 1_000_000, 3).expect("sound bounds");
        histogram.auto(true);
        Times(histogram)
    }
}

impl Times {
    /// Adds a value.
    pub fn record(&mut self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(TIME_MAX_US).clamp(1, TIME_MAX_US);
        // It grows automatically, so recording cannot fail.
        let _ = self.0.record(us);
    }

    /// Adds the values of another distribution.
    pub fn add(&mut self, other: &Times) {
        let _ = self.0.add(&other.0);
    }

    /// The number of values.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value below which this share (0 to 1) of the values lies, in ms.
    pub fn quantile_ms(&self, share: f64) -> f64 {
        to_ms(self.0.value_at_quantile(share) as f64)
    }

    /// The mean, in ms.
    pub fn mean_ms(&self) -> f64 {
        to_ms(self.0.mean())
    }

    /// The maximum, in ms.
    pub fn max_ms(&self) -> f64 {
        to_ms(self.0.max() as f64)
    }
}

/// Microseconds to milliseconds, with three decimals.
fn to_ms(us: f64) -> f64 {
    us.round() / 1000.0
}

/// The two distributions of one latency.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// From the intended moment.
    pub felt: Times,
    /// From the actual one.
    pub served: Times,
}

/// All counts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    counts: [u64; Count::ALL.len()],
    timings: [Option<Box<Pair>>; Timing::ALL.len()],
    /// Errors by their kind.
    pub errors: BTreeMap<String, u64>,
    /// Rejected bets by the text of the rejection.
    pub refusals: BTreeMap<String, u64>,
    /// Delay of the worker's own clock: the error that it adds to latencies.
    pub late: Times,
    /// CPU time of the worker's thread.
    pub busy: Duration,
    /// Time the thread waited for a core.
    pub waited: Duration,
    /// Connections open at the end.
    pub connections: u64,
}

impl Tally {
    /// Increases a counter.
    pub fn count(&mut self, what: Count, by: u64) {
        self.counts[what as usize] += by;
    }

    /// The value of a counter.
    pub fn of(&self, what: Count) -> u64 {
        self.counts[what as usize]
    }

    /// Adds a latency.
    pub fn time(&mut self, what: Timing, felt: Duration, served: Duration) {
        let pair = self.timings[what as usize].get_or_insert_default();
        pair.felt.record(felt);
        pair.served.record(served);
    }

    /// The values of a latency, if any.
    pub fn times(&self, what: Timing) -> Option<&Pair> {
        self.timings[what as usize].as_deref()
    }

    /// Counts an error of a kind.
    pub fn error(&mut self, kind: String) {
        *self.errors.entry(kind).or_default() += 1;
    }

    /// Counts a rejected bet. A text may contain the names of a match, so the number of texts is limited.
    pub fn refusal(&mut self, text: &str) {
        let text = if self.refusals.len() < REFUSALS_MAX || self.refusals.contains_key(text) { text } else { "other" };
        *self.refusals.entry(text.to_owned()).or_default() += 1;
    }

    /// Adds the counts of another worker, including its connections.
    pub fn add(&mut self, other: &Tally) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
        for (mine, theirs) in self.timings.iter_mut().zip(&other.timings) {
            if let Some(theirs) = theirs {
                let mine = mine.get_or_insert_default();
                mine.felt.add(&theirs.felt);
                mine.served.add(&theirs.served);
            }
        }
        for (text, count) in &other.refusals {
            *self.refusals.entry(text.clone()).or_default() += count;
        }
        for (kind, count) in &other.errors {
            *self.errors.entry(kind.clone()).or_default() += count;
        }
        self.late.add(&other.late);
        self.busy += other.busy;
        self.waited += other.waited;
        self.connections += other.connections;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up() {
        let mut one = Tally::default();
        one.count(Count::Frames, 3);
        one.time(Timing::Bet, Duration::from_millis(30), Duration::from_millis(10));
        one.error("bet: status 503".to_owned());
        let mut two = one.clone();
        two.time(Timing::Bet, Duration::from_secs(7200), Duration::from_millis(10));
        one.add(&two);
        assert_eq!(one.of(Count::Frames), 6);
        let bets = one.times(Timing::Bet).expect("bets");
        assert_eq!(bets.felt.len(), 3);
        assert!((29.9..30.1).contains(&bets.felt.quantile_ms(0.5)));
        assert!(bets.felt.max_ms() >= 3_599_000.0, "an hour is the most: {}", bets.felt.max_ms());
        assert!(bets.served.max_ms() < 10.1);
        assert_eq!(one.errors["bet: status 503"], 2);
        assert!(one.times(Timing::Offer).is_none());
    }

    #[test]
    fn names_are_all_different() {
        let names: std::collections::BTreeSet<&str> =
            Timing::ALL.map(Timing::name).into_iter().chain(Count::ALL.map(Count::name)).collect();
        assert_eq!(names.len(), Timing::ALL.len() + Count::ALL.len());
    }
}
