//! What is counted while a load test runs: by each worker for the running second, then for the whole run. A time is
//! counted twice: from the moment at which it was *meant* to begin, which is what a bettor feels, and from the moment at
//! which it did, which flatters a server that falls behind (coordinated omission).

use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::time::Duration;

/// What takes time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// From the date of a change in the feed until the frame with it is read here.
    FeedToClient,
    /// From the moment at which a session is meant to come until the hub's *hello*.
    Connect,
    /// The call of the whole offer.
    Offer,
    /// Opening a match: its watch and the call of all its markets.
    Match,
    /// A change of the sport filter until the first frame with the state of what is watched now.
    WatchState,
    /// A command of the hub until its acknowledgement.
    Command,
    /// The placing of a bet until its answer, the delay of in-play betting included.
    Bet,
    /// From the moment at which a session is meant to come again until it has the offer.
    Reconnect,
}

impl Timing {
    /// All of them.
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

    /// As in the results.
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

/// What is counted by ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Sessions that came.
    SessionsStarted,
    /// Sessions that went as they were meant to.
    SessionsEnded,
    /// Frames read.
    Frames,
    /// Messages in them: deliveries.
    Messages,
    /// Bytes of frames.
    HubBytes,
    /// Calls answered.
    Calls,
    /// Bytes of their bodies.
    CallBytes,
    /// Commands acknowledged.
    Commands,
    /// Commands refused because the offer has moved on: an odd that is gone, a match that has left.
    CommandsRefused,
    /// Calls that placed a bet, repeated ones included.
    BetsSent,
    /// Bets answered with 200.
    BetsTaken,
    /// Bets answered with 400: a price moved, a match was suspended.
    BetsRefused,
    /// Bets sent again with their key, for want of an answer.
    BetsRepeated,
    /// Answers 429 and 503 that say when to come again.
    Shed,
}

impl Count {
    /// All of them.
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

    /// As in the results.
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

/// Beyond an hour all times are alike.
const TIME_MAX_US: u64 = 3_600_000_000;

impl Default for Times {
    fn default() -> Times {
        // The bounds are sound, and it grows only when it must: most seconds see a few milliseconds.
        let mut histogram = Histogram::new_with_bounds(1, 1_000_000, 3).expect("sound bounds");
        histogram.auto(true);
        Times(histogram)
    }
}

impl Times {
    /// Counts one.
    pub fn record(&mut self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(TIME_MAX_US).clamp(1, TIME_MAX_US);
        // It grows by itself, so there is none that it cannot take.
        let _ = self.0.record(us);
    }

    /// Counts what another has counted.
    pub fn add(&mut self, other: &Times) {
        let _ = self.0.add(&other.0);
    }

    /// How many.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value below which this share of them lies, 0 to 1, in ms.
    pub fn quantile_ms(&self, share: f64) -> f64 {
        to_ms(self.0.value_at_quantile(share) as f64)
    }

    /// In ms.
    pub fn mean_ms(&self) -> f64 {
        to_ms(self.0.mean())
    }

    /// In ms.
    pub fn max_ms(&self) -> f64 {
        to_ms(self.0.max() as f64)
    }
}

/// Microseconds to milliseconds, to the microsecond.
fn to_ms(us: f64) -> f64 {
    us.round() / 1000.0
}

/// The two distributions of one timing.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// From the intended moment.
    pub felt: Times,
    /// From the actual one.
    pub served: Times,
}

/// Everything that is counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    counts: [u64; Count::ALL.len()],
    timings: [Option<Box<Pair>>; Timing::ALL.len()],
    /// Errors by their kind.
    pub errors: BTreeMap<String, u64>,
    /// How late the worker's own clock was: what it does itself to the latencies.
    pub late: Times,
    /// Time the worker's thread was on a core.
    pub busy: Duration,
    /// Time it waited for one.
    pub waited: Duration,
    /// Connections open at the end of it.
    pub connections: u64,
}

impl Tally {
    /// Counts.
    pub fn count(&mut self, what: Count, by: u64) {
        self.counts[what as usize] += by;
    }

    /// How many.
    pub fn of(&self, what: Count) -> u64 {
        self.counts[what as usize]
    }

    /// Counts a time.
    pub fn time(&mut self, what: Timing, felt: Duration, served: Duration) {
        let pair = self.timings[what as usize].get_or_insert_default();
        pair.felt.record(felt);
        pair.served.record(served);
    }

    /// The times of something, where there are any.
    pub fn times(&self, what: Timing) -> Option<&Pair> {
        self.timings[what as usize].as_deref()
    }

    /// Counts an error of a kind.
    pub fn error(&mut self, kind: String) {
        *self.errors.entry(kind).or_default() += 1;
    }

    /// Adds what another has counted; connections are added too, as those of another worker.
    pub fn add(&mut self, other: &Tally) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
        for (mine, theirs) in self.timings.iter_mut().zip(&other.timings) {
            if let Some(theirs) = theirs {
                let mine = mine.get_or_insert_default();
                mine.felt.add(&theirs.felt);
                mine.served.add(&theirs.served);
            }
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
