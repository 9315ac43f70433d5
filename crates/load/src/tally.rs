//! Counts of a load test, by persona: per worker for the current second, then by stage of the run. Each latency is counted twice:
//! from the *planned* moment, which is what a bettor notices, and from the actual one, which flatters a slow server
//! (coordinated omission).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer as _, V2DeflateSerializer};
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
    /// Bets that were sent, each counted once: those accepted, rejected, failed and without an outcome.
    BetsSent,
    /// Bets answered with 200.
    BetsTaken,
    /// Bets answered with 400, for example because a price moved or a match was suspended.
    BetsRefused,
    /// Bets given up after an error, or after as many attempts as a session makes.
    BetsFailed,
    /// Bets that had no outcome yet when their session left.
    BetsLeft,
    /// Calls that sent a bet again with the same key, because there was no answer.
    BetsRepeated,
    /// Bettors without an account, who only build tickets.
    BettorsWithoutAccount,
    /// Answers 429 and 503 with a `Retry-After` header.
    Shed,
}

impl Count {
    /// All counters.
    pub const ALL: [Count; 17] = [
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
        Count::BetsFailed,
        Count::BetsLeft,
        Count::BetsRepeated,
        Count::BettorsWithoutAccount,
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
            Count::BetsFailed => "bets_failed",
            Count::BetsLeft => "bets_left",
            Count::BetsRepeated => "bets_repeated",
            Count::BettorsWithoutAccount => "bettors_without_account",
            Count::Shed => "shed",
        }
    }
}

/// A distribution of times, in microseconds.
#[derive(Clone, Debug)]
pub struct Times(Histogram<u64>);

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

    /// Reads values that [`Times::encoded`] wrote.
    ///
    /// # Errors
    /// The text is no such values.
    pub fn decoded(text: &str) -> Result<Times, String> {
        let bytes = STANDARD.decode(text).map_err(|error| error.to_string())?;
        let read: Histogram<u64> =
            Deserializer::new().deserialize(&mut bytes.as_slice()).map_err(|error| format!("{error:?}"))?;
        let mut times = Times::default();
        times.0.add(&read).map_err(|error| error.to_string())?;
        Ok(times)
    }

    /// All values in the compressed form of HdrHistogram, version 2, in base64; microseconds.
    pub fn encoded(&self) -> String {
        let mut bytes = Vec::new();
        // Writing into memory cannot fail.
        let _ = V2DeflateSerializer::new().serialize(&self.0, &mut bytes);
        STANDARD.encode(bytes)
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
    /// Rejected bets by the code of the rejection.
    pub refusals: BTreeMap<String, u64>,
}

/// The load tester's own state.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Delay of the worker's own clock: the error that it adds to latencies.
    pub late: Times,
    /// CPU time of the worker's thread.
    pub busy: Duration,
    /// Time the thread waited for a core.
    pub waited: Duration,
    /// Connections open at the end.
    pub connections: u64,
}

impl Health {
    /// Adds the state of another worker.
    pub fn add(&mut self, other: &Health) {
        self.late.add(&other.late);
        self.busy += other.busy;
        self.waited += other.waited;
        self.connections += other.connections;
    }
}

impl Tally {
    /// The sum of several.
    pub fn sum<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Tally {
        let mut sum = Tally::default();
        tallies.into_iter().for_each(|tally| sum.add(tally));
        sum
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
            && self.counts.iter().all(|count| *count == 0)
            && self.timings.iter().all(Option::is_none)
    }

    /// The values of a latency, for adding to them.
    pub fn times_mut(&mut self, what: Timing) -> &mut Pair {
        self.timings[what as usize].get_or_insert_default()
    }

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
        let pair = self.times_mut(what);
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

    /// Counts a rejected bet by the code of its rejection.
    pub fn refusal(&mut self, code: String) {
        *self.refusals.entry(code).or_default() += 1;
    }

    /// Adds the counts of another.
    pub fn add(&mut self, other: &Tally) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
        for (mine, theirs) in self.timings.iter_mut().zip(&other.timings) {
            if let Some(theirs) = theirs {
                let mine = mine.get_or_insert_default();
                mine.felt.add(&theirs.felt);
                mine.served.add(&theirs.served);
            }
        }
        for (code, count) in &other.refusals {
            *self.refusals.entry(code.clone()).or_default() += count;
        }
        for (kind, count) in &other.errors {
            *self.errors.entry(kind.clone()).or_default() += count;
        }
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
    fn times_are_the_same_after_a_file() {
        let mut times = Times::default();
        for us in [3, 40, 500_000, 90_000_000] {
            times.record(Duration::from_micros(us));
        }
        let read = Times::decoded(&times.encoded()).expect("values");
        assert_eq!([0.1, 0.5, 0.99].map(|at| read.quantile_ms(at)), [0.1, 0.5, 0.99].map(|at| times.quantile_ms(at)));
        assert_eq!((read.len(), read.max_ms()), (times.len(), times.max_ms()));
        assert!(Times::decoded("SGVsbG8=").is_err() && Times::decoded("?").is_err());
    }

    #[test]
    fn names_are_all_different() {
        let names: std::collections::BTreeSet<&str> =
            Timing::ALL.map(Timing::name).into_iter().chain(Count::ALL.map(Count::name)).collect();
        assert_eq!(names.len(), Timing::ALL.len() + Count::ALL.len());
    }
}
