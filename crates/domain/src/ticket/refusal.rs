//! Why a submitted ticket is refused (CONTRACT 4, *Placing*): one variant a reason, each with the key of its text and
//! the values the text names. HTTP makes a 400 of each, in the request's language. What a bettor did is never named by
//! a place in the code, and a text never says more than the bettor may know.

use super::bettable::CannotBet;
use crate::ids::{MatchId, OddId};
use crate::money::Money;
use crate::price::Price;
use thiserror::Error;

/// A reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The body is no ticket; found by whoever reads it.
    #[error("the body is no ticket")]
    Malformed,
    /// The `Idempotency-Key` is missing or no UUID; found by whoever reads it.
    #[error("there is no idempotency key that is a UUID")]
    NoKey,
    /// An operator has paused betting; found by whoever reads the store.
    #[error("betting is paused")]
    BettingPaused,
    /// No pairs.
    #[error("the ticket is empty")]
    Empty,
    /// More pairs than allowed.
    #[error("{count} pairs, of at most {max}")]
    TooManyPairs {
        /// On the ticket.
        count: usize,
        /// Allowed.
        max: usize,
    },
    /// Two pairs of one match, or the same pair twice.
    #[error("match {match_id} is on the ticket twice")]
    MatchTwice {
        /// The match.
        match_id: MatchId,
    },
    /// A standard ticket with a fixed pair.
    #[error("a standard ticket has no fixed pairs")]
    FixInStandard,
    /// A system ticket whose k is not one of 1 to m - 1.
    #[error("there is no combination of {k} from {free} free pairs")]
    NoSuchCombination {
        /// What was submitted.
        k: u8,
        /// The contract's m.
        free: usize,
    },
    /// More combinations than allowed.
    #[error("{count} combinations, of at most {max}")]
    TooManyCombinations {
        /// Of the ticket.
        count: u64,
        /// Allowed.
        max: u64,
    },
    /// The stake before tax is below the smallest or above the largest.
    #[error("a stake of {stake} is not between {min} and {max}")]
    StakeOutOfRange {
        /// What was submitted.
        stake: Money,
        /// The smallest.
        min: Money,
        /// The largest.
        max: Money,
    },
    /// An amount is not what the server computes from the very odds submitted.
    #[error("{amount:?} is {computed}, not {submitted}")]
    AmountDiffers {
        /// Which.
        amount: Amount,
        /// What was submitted.
        submitted: Money,
        /// What it is.
        computed: Money,
    },
    /// The offer has no such match.
    #[error("there is no match {match_id}")]
    UnknownMatch {
        /// The match.
        match_id: MatchId,
    },
    /// The match has no such odd.
    #[error("match {match_id} has no odd {odd_id}")]
    UnknownOdd {
        /// The match.
        match_id: MatchId,
        /// The odd.
        odd_id: OddId,
    },
    /// What the pair says of its odd is not so.
    #[error("{what:?} of the pair of match {match_id} is another")]
    Contradiction {
        /// The match.
        match_id: MatchId,
        /// What is not so.
        what: Contradiction,
    },
    /// The market or the odd of a checked pair has a new meaning: its ids now stand for another line or outcome.
    #[error("{what:?} of the pair of match {match_id} changed during the delay")]
    OutcomeChanged {
        /// The match.
        match_id: MatchId,
        /// What changed.
        what: Contradiction,
    },
    /// The pair cannot be bet on, now or any more.
    #[error("match {match_id}: {reason:?}")]
    NotBettable {
        /// The match.
        match_id: MatchId,
        /// Why.
        reason: CannotBet,
    },
    /// The odd changed, and the consent does not cover it.
    #[error("the odd of match {match_id} changed from {seen} to {now}")]
    OddChanged {
        /// The match.
        match_id: MatchId,
        /// What the bettor saw.
        seen: Price,
        /// What it is now.
        now: Price,
    },
    /// The account owes something after a correction (CONTRACT 7, *The ledger*).
    #[error("the account owes {receivable}")]
    Owes {
        /// How much.
        receivable: Money,
    },
    /// The stake is more than the account has.
    #[error("a stake of {stake} is more than the balance of {balance}")]
    NotEnoughBalance {
        /// The stake before tax.
        stake: Money,
        /// What there is.
        balance: Money,
    },
    /// The bettor's open stakes would be beyond their limit.
    #[error("open stakes may be {max} together")]
    UserStakeLimit {
        /// The limit.
        max: Money,
    },
    /// The bettor's open stakes on a match would be beyond their limit.
    #[error("open stakes with match {match_id} may be {max} together")]
    MatchStakeLimit {
        /// The match.
        match_id: MatchId,
        /// The limit.
        max: Money,
    },
    /// The payouts of the bettor's open bets with a match would be beyond their limit.
    #[error("open payouts with match {match_id} may be {max} together")]
    MatchPayoutLimit {
        /// The match.
        match_id: MatchId,
        /// The limit.
        max: Money,
    },
}

/// A submitted amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// `stake`: after tax.
    Stake,
    /// `potentialWin`.
    PotentialWin,
    /// `winTax`.
    WinTax,
    /// `payout`.
    Payout,
}

/// What says which line and which outcome a pair is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contradiction {
    /// `marketType`.
    MarketType,
    /// `marketSubType`.
    MarketSubtype,
    /// `sbv`.
    Sbv,
    /// `oddType`.
    OddType,
}

impl Refusal {
    /// The key of its text in the translations.
    pub const fn key(self) -> &'static str {
        match self {
            Refusal::Malformed => "refusedMalformed",
            Refusal::NoKey => "refusedNoKey",
            Refusal::BettingPaused => "refusedBettingPaused",
            Refusal::Empty => "refusedEmpty",
            Refusal::TooManyPairs { .. } => "refusedTooManyPairs",
            Refusal::MatchTwice { .. } => "refusedMatchTwice",
            Refusal::FixInStandard => "refusedFixInStandard",
            Refusal::NoSuchCombination { .. } => "refusedNoSuchCombination",
            Refusal::TooManyCombinations { .. } => "refusedTooManyCombinations",
            Refusal::StakeOutOfRange { .. } => "refusedStakeOutOfRange",
            Refusal::AmountDiffers { .. } => "refusedAmountDiffers",
            Refusal::UnknownMatch { .. } => "refusedUnknownMatch",
            Refusal::UnknownOdd { .. } => "refusedUnknownOdd",
            Refusal::Contradiction { .. } => "refusedContradiction",
            Refusal::OutcomeChanged { .. } => "refusedOutcomeChanged",
            Refusal::NotBettable { reason, .. } => match reason {
                CannotBet::FeedInactive => "refusedFeedInactive",
                CannotBet::FeedRecovering => "refusedFeedRecovering",
                CannotBet::MatchGone => "refusedMatchGone",
                CannotBet::BettingStopped => "refusedBettingStopped",
                CannotBet::MatchSuspended => "refusedMatchSuspended",
                CannotBet::MarketClosed => "refusedMarketClosed",
                CannotBet::OddWithdrawn => "refusedOddWithdrawn",
                CannotBet::MarketSuspended => "refusedMarketSuspended",
                CannotBet::MarketSettled => "refusedMarketSettled",
            },
            Refusal::OddChanged { .. } => "refusedOddChanged",
            Refusal::NotEnoughBalance { .. } => "refusedNotEnoughBalance",
            Refusal::Owes { .. } => "refusedOwes",
            Refusal::UserStakeLimit { .. } => "refusedUserStakeLimit",
            Refusal::MatchStakeLimit { .. } => "refusedMatchStakeLimit",
            Refusal::MatchPayoutLimit { .. } => "refusedMatchPayoutLimit",
        }
    }

    /// The match it is about, for a text that names it.
    pub const fn match_id(self) -> Option<MatchId> {
        match self {
            Refusal::MatchTwice { match_id }
            | Refusal::UnknownMatch { match_id }
            | Refusal::UnknownOdd { match_id, .. }
            | Refusal::Contradiction { match_id, .. }
            | Refusal::OutcomeChanged { match_id, .. }
            | Refusal::NotBettable { match_id, .. }
            | Refusal::OddChanged { match_id, .. }
            | Refusal::MatchStakeLimit { match_id, .. }
            | Refusal::MatchPayoutLimit { match_id, .. } => Some(match_id),
            _ => None,
        }
    }
}
