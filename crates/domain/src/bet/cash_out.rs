//! Whether a bet can be cashed out now, for how much, and if not, why (CONTRACT 8). Called for the answer of
//! `account/tickets/{id}/cash-out`, for the values that clients watch, for rules, and again when a cash-out is executed.
//!
//! Must not pay: the store computes the value once more from its own results.

use super::bet::{BetPair, BetState, StoredBet};
use crate::price::Price;
use crate::settlement::{CashOutPair, CashOutTerms, CashOutValue, cash_out_value};
use crate::ticket::{CannotBet, FeedHealth, OfferView, bettable};

/// Why a bet cannot be cashed out, or is not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CashOutReason {
    /// The body of the call is malformed.
    Malformed,
    /// The operator offers no cash-out.
    Disabled,
    /// The bet is not open.
    NotOpen,
    /// There is no offer.
    FeedInactive,
    /// The feed recovers from a gap.
    FeedRecovering,
    /// An undecided pair cannot be bet on, or an operator has paused betting.
    NotBettable,
    /// The net amount fell below the one that was shown.
    ValueChanged,
    /// The net amount, or the stake of the rest, is too small.
    BelowMinimum,
    /// This is why an undecided pair cannot be bet on.
    Pair(CannotBet),
}

impl CashOutReason {
    /// The code in answers and messages (CONTRACT 8).
    pub const fn code(self) -> &'static str {
        match self {
            CashOutReason::Malformed => "malformed",
            CashOutReason::Disabled => "disabled",
            CashOutReason::NotOpen => "not_open",
            CashOutReason::FeedInactive => "feed_inactive",
            CashOutReason::FeedRecovering => "feed_recovering",
            CashOutReason::NotBettable => "not_bettable",
            CashOutReason::ValueChanged => "value_changed",
            CashOutReason::BelowMinimum => "below_minimum",
            CashOutReason::Pair(reason) => reason.code(),
        }
    }

    /// The reason of a rejected call, which names no pair.
    #[must_use]
    pub const fn of_call(self) -> CashOutReason {
        match self {
            CashOutReason::Pair(CannotBet::FeedInactive) => CashOutReason::FeedInactive,
            CashOutReason::Pair(CannotBet::FeedRecovering) => CashOutReason::FeedRecovering,
            CashOutReason::Pair(_) => CashOutReason::NotBettable,
            reason => reason,
        }
    }
}

/// A bet as it could be cashed out now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CashOutOffer {
    /// The amounts for the whole bet; `None` if no cash-out is available.
    pub value: Option<CashOutValue>,
    /// Why none is available, each reason once; empty if one is.
    pub reasons: Vec<CashOutReason>,
    /// The present odd of each pair, in their order; `None` for a decided pair, and for one that cannot be bet on.
    pub odds_now: Vec<Option<Price>>,
}

impl CashOutOffer {
    /// No cash-out, for this reason.
    pub fn none(reason: CashOutReason) -> CashOutOffer {
        CashOutOffer { value: None, reasons: vec![reason], odds_now: Vec::new() }
    }

    /// The cash-out of a bet by its stored results and the offer.
    pub fn of(stored: &StoredBet, view: &impl OfferView, rules: &CashOutTerms) -> CashOutOffer {
        let terms = match stored.terms() {
            _ if !rules.is_enabled => return CashOutOffer::none(CashOutReason::Disabled),
            Some(terms) if stored.state == BetState::Open => terms,
            _ => return CashOutOffer::none(CashOutReason::NotOpen),
        };
        match view.feed() {
            FeedHealth::Inactive => return CashOutOffer::none(CashOutReason::FeedInactive),
            FeedHealth::Recovering => return CashOutOffer::none(CashOutReason::FeedRecovering),
            FeedHealth::Active => {}
        }
        let (mut reasons, mut pairs) = (Vec::new(), Vec::with_capacity(stored.results.len()));
        for (pair, stored) in stored.bet.pairs.iter().zip(&stored.results) {
            let mut now = None;
            if !stored.result.is_decided() {
                match present_odd(pair, view) {
                    Ok(price) => now = Some(price),
                    Err(reason) if reasons.contains(&CashOutReason::Pair(reason)) => {}
                    Err(reason) => reasons.push(CashOutReason::Pair(reason)),
                }
            }
            pairs.push(CashOutPair { result: stored.result, now });
        }
        let odds_now = pairs.iter().map(|pair| pair.now).collect();
        let value = cash_out_value(&terms, &pairs, rules).filter(|_| reasons.is_empty());
        match value {
            Some(value) if value.net >= rules.min => CashOutOffer { value: Some(value), reasons, odds_now },
            Some(_) => CashOutOffer { value: None, reasons: vec![CashOutReason::BelowMinimum], odds_now },
            None => CashOutOffer { value: None, reasons, odds_now },
        }
    }
}

/// The present odd of a pair that can be bet on.
///
/// # Errors
/// Why it cannot be. An odd that now means something else counts as withdrawn.
pub fn present_odd(pair: &BetPair, view: &impl OfferView) -> Result<Price, CannotBet> {
    let (_, odd) = bettable(view, pair.match_id, Some(pair.market_id), pair.odd_id)?;
    let is_same = odd.market_kind == pair.market_type && odd.sbv.as_deref() == pair.sbv.as_deref();
    is_same.then_some(odd.price).ok_or(CannotBet::OddWithdrawn)
}
