//! Values of command line arguments that the commands know too.

use clap::ValueEnum;

/// The argument of `kvota betting`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BettingOrder {
    /// No node takes a bet any more; everything else goes on.
    Pause,
    /// Bets are taken again.
    Resume,
    /// Says whether betting is paused, and for how long.
    Status,
}

/// What `kvota feed` publishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Published {
    /// Recorded and simulated matches side by side, as `kvota serve` plays them by itself.
    All,
    /// Recorded real matches, round and round.
    Recording,
    /// Simulated matches.
    Simulator,
    /// A provider's Unified Odds Feed (feed.uof). Of several publishers one publishes, the others wait.
    Uof,
}

/// The compression of messages (CONTRACT 1, `content-encoding`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Encoding {
    /// zlib (RFC 1950).
    Deflate,
    /// gzip.
    Gzip,
    /// Not at all.
    None,
}
