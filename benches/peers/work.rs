//! The work of every server: subscriptions, rates and gathering. A server gets it in its environment, and its updates as
//! lines of a socket.

use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a payload.
pub(crate) const PAYLOAD: usize = 256;
/// Precedes the due time in a payload.
pub(crate) const MARK: &[u8] = b"due:";
/// Precedes the due time in the payload of a match's stop.
pub(crate) const STOP_MARK: &[u8] = b"end:";

/// The work of one run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Work {
    /// Topics besides the common one; connection i follows topic i mod this, and the common one.
    pub(crate) topics: u32,
    /// Their publishing rates.
    pub(crate) rates: Rates,
    /// Interval in ms for which a server gathers updates; 0: it writes at once.
    pub(crate) gather_ms: u32,
    /// Whether connections subscribe to silent topics only.
    pub(crate) is_bystanding: bool,
}

/// Publishing rates, per second.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Rates {
    /// The common topic.
    pub(crate) common: f64,
    /// Each other topic.
    pub(crate) topic: f64,
    /// Stops of the common topic's match, which must not wait.
    pub(crate) stops: f64,
}

impl Rates {
    /// Deliveries per second to one connection.
    pub(crate) fn each(self) -> f64 {
        self.common + self.topic
    }
}

impl Work {
    /// Eleven deliveries a second to each connection, written one by one.
    pub(crate) fn usual() -> Work {
        let rates =
            Rates { common: variable("PEERS_COMMON_HZ", 10.0), topic: variable("PEERS_TOPIC_HZ", 1.0), stops: 0.0 };
        Work { topics: variable("PEERS_TOPICS", 200), rates, gather_ms: 0, is_bystanding: false }
    }

    /// The work in this server's environment.
    pub(crate) fn from_environment() -> Work {
        let gather_ms = variable("PEERS_GATHER_MS", 0);
        Work { gather_ms, is_bystanding: variable("PEERS_BYSTANDING", 0) == 1, ..Work::usual() }
    }

    /// The environment for a server with this work.
    pub(crate) fn environment(&self) -> [(&'static str, String); 3] {
        [
            ("PEERS_TOPICS", self.topics.to_string()),
            ("PEERS_GATHER_MS", self.gather_ms.to_string()),
            ("PEERS_BYSTANDING", u32::from(self.is_bystanding).to_string()),
        ]
    }
}

/// A number from the environment, or `other`.
pub(crate) fn variable<T: FromStr>(name: &str, other: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

/// The current rates, which may change at any time; `None` when the run is over.
#[derive(Clone, Debug)]
pub(crate) struct Pace(Arc<Mutex<Option<Rates>>>);

impl Pace {
    /// Silent at first.
    pub(crate) fn new() -> Pace {
        Pace(Arc::new(Mutex::new(Some(Rates::default()))))
    }

    /// Sets the rates.
    pub(crate) fn set(&self, rates: Option<Rates>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = rates;
    }

    /// The current rates.
    pub(crate) fn get(&self) -> Option<Rates> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A payload that is due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    /// The topic; `None` is the common one.
    pub(crate) topic: Option<u32>,
    /// Whether it is a stop of the topic's match.
    pub(crate) is_stop: bool,
    /// The due time, in µs since the epoch.
    pub(crate) at_us: i64,
}

impl Due {
    /// The line of an update for a server: its topic, or `-` for the common one, and its payload.
    pub(crate) fn line(self) -> String {
        let topic = self.topic.map_or("-".to_owned(), |topic| topic.to_string());
        format!("{topic} {}\n", self.payload(PAYLOAD))
    }

    /// Reads such a line, without its end.
    pub(crate) fn parse(line: &str) -> Option<Due> {
        let (topic, payload) = line.split_once(' ')?;
        let topic = if topic == "-" { None } else { Some(topic.parse().ok()?) };
        let (mark, digits) = (payload.as_bytes().get(..MARK.len())?, payload.get(MARK.len()..MARK.len() + 16)?);
        Some(Due { topic, is_stop: mark == STOP_MARK, at_us: i64::from_str_radix(digits, 16).ok()? })
    }

    /// The payload, `length` bytes of ASCII.
    pub(crate) fn payload(self, length: usize) -> String {
        let mark = if self.is_stop { "end" } else { "due" };
        format!("{mark}:{:016x}{:.<2$}", self.at_us, "", length - 20)
    }
}

/// The wall clock, in µs since the epoch.
pub(crate) fn now_us() -> i64 {
    kvota::wall_clock::now_us()
}
