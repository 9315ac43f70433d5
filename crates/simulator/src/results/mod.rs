//! Results of markets, for recorded and simulated matches. A sport answers one question: which answer of a market is
//! right, given the play so far. [`open_markets`] asks it after every change of a match and reports each market once, as
//! soon as it is decided. [`ledger`] keeps the reports, numbers the messages of each match and corrects deliberate
//! mistakes.
//!
//! | file | subject |
//! |---|---|
//! | [`verdict`] | the verdict of an answer |
//! | [`open_markets`] | the markets that one match has offered, until each is decided |
//! | [`ledger`] | the messages and the current results of all matches |
//!
//! Called by the generators and by [`crate::producer`]. Must not know a sport, read a clock, or offer markets.

pub mod ledger;
pub mod open_markets;
pub mod verdict;

#[cfg(test)]
mod feed_tests;

use kvota_domain::ids::{MarketId, MatchId, OddId};
use verdict::Verdict;

/// The markets of one match that a step of a generator decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchDecisions {
    /// The match.
    pub match_id: MatchId,
    /// Its markets, in the order of the sport's table.
    pub markets: Vec<DecidedMarket>,
}

/// A market that is decided. A generator reports each market once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecidedMarket {
    /// The market.
    pub market: MarketId,
    /// How it was decided.
    pub outcome: MarketDecision,
}

/// How a market was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MarketDecision {
    /// Every odd that was ever offered has a verdict.
    Settled(Vec<(OddId, Verdict)>),
    /// All bets on it are void.
    Cancelled(Cancellation),
}

/// Why a market is cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cancellation {
    /// The match was abandoned while it was played.
    Abandoned,
    /// The match never began.
    Postponed,
}

impl Cancellation {
    /// The reason for the receipt (CONTRACT 7).
    pub const fn text(self) -> &'static str {
        match self {
            Cancellation::Abandoned => "match abandoned",
            Cancellation::Postponed => "match postponed",
        }
    }
}
