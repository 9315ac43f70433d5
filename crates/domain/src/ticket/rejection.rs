//! Why a submitted ticket is rejected (CONTRACT 4, *Placing*): one variant per reason, each with a translation key and
//! the values its text needs. HTTP answers each with 400 in the request's language. A text must not reveal more than
//! the bettor may know.

use super::bettable::CannotBet;
use crate::ids::{MatchId, OddId};
use crate::money::Money;
use crate::price::Price;
use crate::protection::{ExclusionKind, LimitKind};
use thiserror::Error;

/// Why a submitted ticket is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Rejection {
    /// The body does not parse as a ticket. Raised by the HTTP layer.
    #[error("the body is no ticket")]
    Malformed,
    /// The `Idempotency-Key` is missing or not a UUID. Raised by the HTTP layer.
    #[error("there is no idempotency key that is a UUID")]
    NoKey,
    /// An operator has paused betting. Raised by the code that reads the store.
    #[error("betting is paused")]
    BettingPaused,
    /// The ticket has no pairs.
    #[error("the ticket is empty")]
    Empty,
    /// More pairs than allowed.
    #[error("{count} pairs, of at most {max}")]
    TooManyPairs {
        /// Pairs on the ticket.
        count: usize,
        /// Pairs allowed.
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
        /// The submitted k.
        k: u8,
        /// Pairs that are not fixed: the contract's m.
        free: usize,
    },
    /// More combinations than allowed.
    #[error("{count} combinations, of at most {max}")]
    TooManyCombinations {
        /// Combinations of the ticket.
        count: u64,
        /// Combinations allowed.
        max: u64,
    },
    /// The stake before tax is below the minimum or above the maximum.
    #[error("a stake of {stake} is not between {min} and {max}")]
    StakeOutOfRange {
        /// The submitted stake.
        stake: Money,
        /// The minimum.
        min: Money,
        /// The maximum.
        max: Money,
    },
    /// A submitted amount differs from the one that the server computes from the submitted odds.
    #[error("{amount:?} is {computed}, not {submitted}")]
    AmountDiffers {
        /// Which amount.
        amount: Amount,
        /// The submitted amount.
        submitted: Money,
        /// The amount that the server computed.
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
    /// A submitted field (market type, subtype, sbv or odd type) does not match the offer.
    #[error("{what:?} of the pair of match {match_id} is another")]
    Contradiction {
        /// The match.
        match_id: MatchId,
        /// The field that differs.
        what: Contradiction,
    },
    /// The ids of the market or the odd of a checked pair now stand for another line or outcome.
    #[error("{what:?} of the pair of match {match_id} changed during the delay")]
    OutcomeChanged {
        /// The match.
        match_id: MatchId,
        /// The field that changed.
        what: Contradiction,
    },
    /// The pair cannot be bet on.
    #[error("match {match_id}: {reason:?}")]
    NotBettable {
        /// The match.
        match_id: MatchId,
        /// The reason.
        reason: CannotBet,
    },
    /// The odd changed, and the consent does not allow it.
    #[error("the odd of match {match_id} changed from {seen} to {now}")]
    OddChanged {
        /// The match.
        match_id: MatchId,
        /// The odd that the bettor saw.
        seen: Price,
        /// The current odd.
        now: Price,
    },
    /// The account owes money after a correction (CONTRACT 7, *Ledger*).
    #[error("the account owes {receivable}")]
    Owes {
        /// The debt.
        receivable: Money,
    },
    /// The stake is larger than the balance.
    #[error("a stake of {stake} is more than the balance of {balance}")]
    NotEnoughBalance {
        /// The stake before tax.
        stake: Money,
        /// The balance.
        balance: Money,
    },
    /// A time-out or a self-exclusion is in force (CONTRACT 9).
    #[error("the account is excluded: {}", kind.code())]
    Excluded {
        /// How it was started.
        kind: ExclusionKind,
    },
    /// The account has a limit or an exclusion of a kind that this version does not know (CONTRACT 9).
    #[error("the account has a limit that this version does not know")]
    UnknownProtection,
    /// The register of excluded players lists the player (CONTRACT 9). Raised by the code that asks it.
    #[error("the player is in the register of excluded players")]
    InRegister,
    /// The register of excluded players does not answer. Raised by the code that asks it.
    #[error("the register of excluded players does not answer")]
    RegisterUnknown,
    /// A reality check of the session waits for its answer (CONTRACT 9). Raised by the code that reads the store.
    #[error("a reality check waits for its answer")]
    RealityCheck,
    /// The stake would exceed a limit that the bettor has set (CONTRACT 9).
    #[error("the limit {} leaves {left}", kind.code())]
    OwnLimit {
        /// The limit.
        kind: LimitKind,
        /// The amount that is left.
        left: Money,
    },
    /// The bettor's open stakes would exceed their limit.
    #[error("open stakes may be {max} together")]
    UserStakeLimit {
        /// The limit.
        max: Money,
    },
    /// The bettor's open stakes on a match would exceed their limit.
    #[error("open stakes with match {match_id} may be {max} together")]
    MatchStakeLimit {
        /// The match.
        match_id: MatchId,
        /// The limit.
        max: Money,
    },
    /// The payouts of the bettor's open bets on a match would exceed their limit.
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

/// A field that identifies the line and the outcome of a pair.
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

impl Rejection {
    /// The translation key of its text.
    pub const fn key(self) -> &'static str {
        match self {
            Rejection::Malformed => "refusedMalformed",
            Rejection::NoKey => "refusedNoKey",
            Rejection::BettingPaused => "refusedBettingPaused",
            Rejection::Empty => "refusedEmpty",
            Rejection::TooManyPairs { .. } => "refusedTooManyPairs",
            Rejection::MatchTwice { .. } => "refusedMatchTwice",
            Rejection::FixInStandard => "refusedFixInStandard",
            Rejection::NoSuchCombination { .. } => "refusedNoSuchCombination",
            Rejection::TooManyCombinations { .. } => "refusedTooManyCombinations",
            Rejection::StakeOutOfRange { .. } => "refusedStakeOutOfRange",
            Rejection::AmountDiffers { .. } => "refusedAmountDiffers",
            Rejection::UnknownMatch { .. } => "refusedUnknownMatch",
            Rejection::UnknownOdd { .. } => "refusedUnknownOdd",
            Rejection::Contradiction { .. } => "refusedContradiction",
            Rejection::OutcomeChanged { .. } => "refusedOutcomeChanged",
            Rejection::NotBettable { reason, .. } => match reason {
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
            Rejection::OddChanged { .. } => "refusedOddChanged",
            Rejection::NotEnoughBalance { .. } => "refusedNotEnoughBalance",
            Rejection::Owes { .. } => "refusedOwes",
            Rejection::Excluded { kind } => match kind {
                ExclusionKind::TimeOut => "refusedTimeOut",
                ExclusionKind::SelfExclusion => "refusedSelfExclusion",
            },
            Rejection::UnknownProtection => "refusedUnknownProtection",
            Rejection::InRegister => "refusedInRegister",
            Rejection::RegisterUnknown => "refusedRegisterUnknown",
            Rejection::RealityCheck => "refusedRealityCheck",
            Rejection::OwnLimit { kind, .. } => own_limit_key(kind),
            Rejection::UserStakeLimit { .. } => "refusedUserStakeLimit",
            Rejection::MatchStakeLimit { .. } => "refusedMatchStakeLimit",
            Rejection::MatchPayoutLimit { .. } => "refusedMatchPayoutLimit",
        }
    }

    /// The match that the text names, if any.
    pub const fn match_id(self) -> Option<MatchId> {
        match self {
            Rejection::MatchTwice { match_id }
            | Rejection::UnknownMatch { match_id }
            | Rejection::UnknownOdd { match_id, .. }
            | Rejection::Contradiction { match_id, .. }
            | Rejection::OutcomeChanged { match_id, .. }
            | Rejection::NotBettable { match_id, .. }
            | Rejection::OddChanged { match_id, .. }
            | Rejection::MatchStakeLimit { match_id, .. }
            | Rejection::MatchPayoutLimit { match_id, .. } => Some(match_id),
            _ => None,
        }
    }
}

const fn own_limit_key(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::StakeDay => "refusedStakeLimitDay",
        LimitKind::StakeWeek => "refusedStakeLimitWeek",
        LimitKind::StakeMonth => "refusedStakeLimitMonth",
        LimitKind::LossDay => "refusedLossLimitDay",
        LimitKind::LossWeek => "refusedLossLimitWeek",
        LimitKind::LossMonth => "refusedLossLimitMonth",
        LimitKind::DepositDay => "refusedDepositLimitDay",
        LimitKind::DepositWeek => "refusedDepositLimitWeek",
        LimitKind::DepositMonth => "refusedDepositLimitMonth",
        // Limits in minutes leave no amount.
        LimitKind::Session | LimitKind::RealityCheck => "refusedMalformed",
    }
}
