//! The work that every server does: who follows what, how often it speaks, and for how long it may be gathered. Handed to
//! a server in its environment; only how often may change while it runs, by lines of its standard input.

use std::io::BufRead;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a payload.
pub(crate) const PAYLOAD: usize = 256;
/// What stands in a payload before the moment at which it was due.
pub(crate) const MARK: &[u8] = b"due:";
/// The same in that of a match's stop.
pub(crate) const STOP_MARK: &[u8] = b"end:";

/// What is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Work {
    /// Topics besides the common one; connection i follows topic i mod this, and the common one.
    pub(crate) topics: u32,
    /// How often they speak.
    pub(crate) rates: Rates,
    /// Milliseconds for which a server gathers what it is to tell; 0: it writes at once.
    pub(crate) gather_ms: u32,
    /// Connections follow topics of their own, which never speak.
    pub(crate) is_bystanding: bool,
}

/// Times a second.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Rates {
    /// The common topic.
    pub(crate) common: f64,
    /// Each other topic.
    pub(crate) topic: f64,
    /// Of the common topic, that it stops: what must not wait.
    pub(crate) stops: f64,
}

impl Rates {
    /// What one connection is told a second.
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

    /// As a server's environment says it.
    pub(crate) fn told() -> Work {
        let gather_ms = variable("PEERS_GATHER_MS", 0);
        Work { gather_ms, is_bystanding: variable("PEERS_BYSTANDING", 0) == 1, ..Work::usual() }
    }

    /// The environment of a server that does it. It says nothing until it is told how often to speak.
    pub(crate) fn environment(&self) -> [(&'static str, String); 5] {
        [
            ("PEERS_TOPICS", self.topics.to_string()),
            ("PEERS_GATHER_MS", self.gather_ms.to_string()),
            ("PEERS_BYSTANDING", u32::from(self.is_bystanding).to_string()),
            ("PEERS_COMMON_HZ", "0".to_owned()),
            ("PEERS_TOPIC_HZ", "0".to_owned()),
        ]
    }
}

/// A number of the environment.
pub(crate) fn variable<T: FromStr>(name: &str, other: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

/// How often, as it may be said anew at any time; nothing: it is over.
#[derive(Clone, Debug)]
pub(crate) struct Pace(Arc<Mutex<Option<Rates>>>);

impl Pace {
    /// Silent at first.
    pub(crate) fn new() -> Pace {
        Pace(Arc::new(Mutex::new(Some(Rates::default()))))
    }

    /// Follows lines of standard input, as [`line_of`] writes them; the process ends with it.
    pub(crate) fn of_input() -> Pace {
        let pace = Pace::new();
        let told = pace.clone();
        let follow = move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                let mut numbers = line.split(' ').map(|number| number.parse().unwrap_or_default());
                let mut next = || numbers.next().unwrap_or_default();
                told.set(Some(Rates { common: next(), topic: next(), stops: next() }));
            }
            std::process::exit(0);
        };
        std::thread::Builder::new().spawn(follow).expect("a thread");
        pace
    }

    /// From now on.
    pub(crate) fn set(&self, rates: Option<Rates>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = rates;
    }

    /// Now.
    pub(crate) fn get(&self) -> Option<Rates> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a server's standard input is told.
pub(crate) fn line_of(rates: Rates) -> String {
    format!("{} {} {}\n", rates.common, rates.topic, rates.stops)
}

/// Something to publish: no topic for the common one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    /// Which.
    pub(crate) topic: Option<u32>,
    /// It is the stop of the topic's match.
    pub(crate) is_stop: bool,
    /// When it was due, microseconds since the epoch.
    pub(crate) at_us: i64,
}

impl Due {
    /// Its payload, `length` bytes of ASCII.
    pub(crate) fn payload(self, length: usize) -> String {
        let mark = if self.is_stop { "end" } else { "due" };
        format!("{mark}:{:016x}{:.<2$}", self.at_us, "", length - 20)
    }
}

/// The wall clock, microseconds since the epoch.
pub(crate) fn now_us() -> i64 {
    kvota::app::now_us()
}
