//! What happens to a bet after its transaction was committed. Placing and settlement publish these events; the sessions
//! of the bettor receive them. An event contains everything that a subscriber needs.

use super::{AccountId, BetState, CashOutRule, StoredBet, StoredCashOut, StoredResult, StoredSettlement, TicketId};
use crate::money::Money;
use crate::price::Price;
use crate::settlement::{Settlement, StakePart};
use std::sync::Arc;

/// A bet of an account was placed or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetEvent {
    /// The account.
    pub account: AccountId,
    /// Its money after the transaction.
    pub money: AccountMoney,
    /// What happened.
    pub change: BetChange,
}

/// The balance and the debt of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccountMoney {
    /// The balance, in cents; never negative.
    pub balance: Money,
    /// What the account owes after corrections, in cents; never negative.
    pub receivable: Money,
    /// Increases with each change. If events arrive out of order, the one with the highest revision is the newest.
    pub revision: u64,
}

/// What happened to a bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BetChange {
    /// The bet was placed.
    Placed(Arc<StoredBet>),
    /// The results of its pairs changed, and its settlement did not.
    PairDecided(Arc<BetProgress>),
    /// The bet was settled: for the first time, or again after it was reopened.
    Settled(Arc<BetProgress>),
    /// A settlement was reversed. The bet is open again, or has another settlement.
    Corrected(Arc<BetProgress>),
    /// The bet was cashed out, completely or in part.
    CashedOut(Arc<BetProgress>),
    /// The bettor set or removed a rule that cashes the bet out.
    CashOutRuleChanged(Arc<BetProgress>),
}

impl BetChange {
    /// The name of the change in messages.
    pub const fn code(&self) -> &'static str {
        match self {
            BetChange::Placed(_) => "placed",
            BetChange::PairDecided(_) => "pair_decided",
            BetChange::Settled(_) => "settled",
            BetChange::Corrected(_) => "corrected",
            BetChange::CashedOut(_) => "cashed_out",
            BetChange::CashOutRuleChanged(_) => "cash_out_rule",
        }
    }

    /// The bet.
    pub fn ticket_id(&self) -> &TicketId {
        match self {
            BetChange::Placed(bet) => &bet.ticket_id,
            BetChange::PairDecided(progress)
            | BetChange::Settled(progress)
            | BetChange::Corrected(progress)
            | BetChange::CashedOut(progress)
            | BetChange::CashOutRuleChanged(progress) => &progress.ticket_id,
        }
    }
}

/// Everything about a bet that results and cash-outs change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetProgress {
    /// The bet.
    pub ticket_id: TicketId,
    /// Increases with each change of the bet. If events arrive out of order, the one with the highest revision is the
    /// newest.
    pub revision: u64,
    /// The state of the bet.
    pub state: BetState,
    /// The results of its pairs, in their order.
    pub results: Vec<StoredResult>,
    /// The odds taken of its pairs, in their order.
    pub odds_taken: Vec<Price>,
    /// The current settlement.
    pub settlement: Option<StoredSettlement>,
    /// The payout if every undecided pair wins; `None` unless the bet is open.
    pub possible: Option<Settlement>,
    /// What a cash-out or a change of the rule left; `None` where results changed the bet.
    pub cash_out: Option<CashOutProgress>,
}

/// What cash-outs left of a bet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CashOutProgress {
    /// What is left of the stake.
    pub rest: StakePart,
    /// All cash-outs, oldest first.
    pub cash_outs: Vec<StoredCashOut>,
    /// The rule that cashes the bet out.
    pub rule: Option<CashOutRule>,
}
