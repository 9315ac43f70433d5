//! Hostile clients: what they do, how many there are, and when. They run beside the sessions of a load test, on a thread
//! of their own, and are counted apart: nothing that happens to them is an error of the run. Chosen in `args.rs`, started
//! by `engine.rs`. They connect to the configured target and to nothing else.

pub mod attack;
pub mod client;
pub mod moments;
pub mod tally;
pub mod variants;
pub mod windows;

use std::str::FromStr;
use std::time::Duration;
use windows::Windows;

/// Actions a second of one hostile client by default: below the limit of 50 commands a second, at which the hub closes.
pub const RATE_DEFAULT: u32 = 45;
/// Hostile clients at most: they share one thread, which must be able to keep the pace.
pub const CLIENTS_MAX: u32 = 1_000;

/// What a hostile client does, again and again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Changes what it watches, or asks for the same again.
    Rewatch,
    /// Asks for the state of everything.
    Resync,
    /// Opens a connection without a cookie and closes it.
    Handshake,
    /// Gets the whole offer in all its variants.
    Offer,
    /// Sends pings, as commands and as control frames.
    Ping,
    /// Watches all rows and many open matches, and never reads. In windows without hostile clients it reads, so that both kinds of windows
    /// have as many connections.
    Stalled,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] = [Kind::Rewatch, Kind::Resync, Kind::Handshake, Kind::Offer, Kind::Ping, Kind::Stalled];

    /// As on the command line and in the results.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Rewatch => "rewatch",
            Kind::Resync => "resync",
            Kind::Handshake => "handshake",
            Kind::Offer => "offer",
            Kind::Ping => "ping",
            Kind::Stalled => "stalled",
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        let known = || Kind::ALL.map(Kind::name).join(", ");
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == text.trim());
        found.ok_or_else(|| format!("{text:?} is no kind of hostile client: choose among {}", known()))
    }
}

/// The hostile clients of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Hostile {
    /// How many there are.
    pub clients: u32,
    /// What they do: the first client does the first, and so on, over and over.
    pub kinds: Vec<Kind>,
    /// Actions a second of each.
    pub rate: u32,
    /// When they begin, since the beginning of the run.
    pub from: Duration,
    /// How long each window with or without them is; without windows they stay to the end.
    pub window: Option<Duration>,
}

impl Hostile {
    /// What a client does.
    pub fn kind_of(&self, client: u32) -> Kind {
        let index = client as usize % self.kinds.len().max(1);
        self.kinds.get(index).copied().unwrap_or(Kind::Ping)
    }

    /// The windows of a run of this length.
    pub fn windows(&self, length: Duration) -> Windows {
        Windows::new(self.from, length, self.window)
    }

    /// In words, for the results.
    pub fn describe(&self) -> String {
        let kinds = self.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(",");
        let windows = self.window.map(|window| format!(", in windows of {}s", window.as_secs())).unwrap_or_default();
        let from = self.from.as_secs_f64();
        format!("{} ({kinds}), {} actions a second each, from {from}s{windows}", self.clients, self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clients_share_the_kinds_evenly() {
        let kinds = vec![Kind::Rewatch, Kind::Offer];
        let hostile = Hostile { clients: 5, kinds, rate: 45, from: Duration::ZERO, window: None };
        let offers = (0..5).filter(|client| hostile.kind_of(*client) == Kind::Offer).count();
        assert_eq!(offers, 2);
        assert_eq!(hostile.describe(), "5 (rewatch,offer), 45 actions a second each, from 0s");
    }

    #[test]
    fn kinds_are_parsed_or_refused() {
        assert!(Kind::ALL.into_iter().all(|kind| kind.name().parse() == Ok(kind)));
        assert!("flood".parse::<Kind>().is_err_and(|wrong| wrong.contains("rewatch, resync")));
    }
}
