//! Hostile clients: their attacks, their number and their schedule. They run in addition to the sessions, on their own
//! thread, and are counted separately: their failures are not errors of the run. Configured in `args.rs`, started by
//! `engine.rs`. Must connect only to the configured target.

pub mod attack;
pub mod client;
pub mod moments;
pub mod tally;
pub mod variants;
pub mod windows;

use std::str::FromStr;
use std::time::Duration;
use windows::Windows;

/// Default actions per second of one hostile client: below the limit of 50 commands a second, above which the hub
/// closes.
pub const RATE_DEFAULT: u32 = 45;
/// Most hostile clients: they share one thread, which must keep the pace.
pub const CLIENTS_MAX: u32 = 1_000;

/// The repeated action of a hostile client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Changes its subscriptions, or sends the same ones again.
    Rewatch,
    /// Requests the full state.
    Resync,
    /// Opens a connection without a cookie and closes it.
    Handshake,
    /// Fetches the whole offer in all its variants.
    Offer,
    /// Sends pings, as commands and as control frames.
    Ping,
    /// Says that it has seen a reality check that was never sent; every other client is logged in.
    Reality,
    /// Logs in, then starts and stops watching its bets.
    Bets,
    /// Watches all rows and many open matches, and never reads. It reads in windows without hostile clients, so that
    /// both kinds of windows have the same number of connections.
    Stalled,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 8] = [
        Kind::Rewatch,
        Kind::Resync,
        Kind::Handshake,
        Kind::Offer,
        Kind::Ping,
        Kind::Reality,
        Kind::Bets,
        Kind::Stalled,
    ];

    /// The name on the command line and in the results.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Rewatch => "rewatch",
            Kind::Resync => "resync",
            Kind::Handshake => "handshake",
            Kind::Offer => "offer",
            Kind::Ping => "ping",
            Kind::Reality => "reality",
            Kind::Bets => "bets",
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
    /// The number of clients.
    pub clients: u32,
    /// The kinds, assigned to the clients in turn.
    pub kinds: Vec<Kind>,
    /// Actions per second of each client.
    pub rate: u32,
    /// When they begin, from the start of the run.
    pub from: Duration,
    /// The length of each window with or without them; without windows they stay to the end.
    pub window: Option<Duration>,
}

impl Hostile {
    /// The kind of a client.
    pub fn kind_of(&self, client: u32) -> Kind {
        let index = client as usize % self.kinds.len().max(1);
        self.kinds.get(index).copied().unwrap_or(Kind::Ping)
    }

    /// The windows of a run of this length.
    pub fn windows(&self, length: Duration) -> Windows {
        Windows::new(self.from, length, self.window)
    }

    /// A description for the results.
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
    fn kinds_are_parsed_or_rejected() {
        assert!(Kind::ALL.into_iter().all(|kind| kind.name().parse() == Ok(kind)));
        assert!("flood".parse::<Kind>().is_err_and(|wrong| wrong.contains("rewatch, resync")));
    }
}
