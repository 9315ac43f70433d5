//! Whether a cash-out happens, and the rows that it writes (CONTRACT 8). Asked inside the transaction that has locked the
//! bet. Must not read the offer: the caller passes the present odds. Must never pay for a bet that the stored results
//! decide.

use super::LedgerFault;
use super::batch::{Batch, BetRow, Holdings, LoadedBet, revisions};
use super::revise::revise;
use crate::bet::{BetChange, BetEvent, BetProgress, BetState, CashOutProgress, CashOutRule, StoredCashOut};
use crate::money::Money;
use crate::price::Price;
use crate::settlement::{
    CashOut, CashOutPair, CashOutShare, CashOutTerms, PairResult, StakePart, cash_out, cash_out_value, cashing_out,
    possible,
};
use std::collections::HashMap;
use std::sync::Arc;

/// An attempt to cash a bet out.
#[derive(Clone, Debug)]
pub struct CashOutAttempt<'a> {
    /// Whether the rule of the bet ordered it. Nothing happens if the bet no longer has one, or if it asks for more now.
    pub is_by_rule: bool,
    /// The share of what is left.
    pub share: CashOutShare,
    /// The present odd of each pair, in their order; `None` if it cannot be bet on.
    pub odds_now: &'a [Option<Price>],
    /// The rules of cash-outs.
    pub rules: &'a CashOutTerms,
    /// The smallest stake that may remain, in cents.
    pub rest_min: Money,
    /// The net amount of the whole bet must be at least this, in cents.
    pub net_min: Option<Money>,
    /// The time, in ms since the epoch.
    pub now_ms: i64,
}

/// What the transaction knows when it pays, for the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CashOutReceipt {
    /// The cash-out; `None` if a settlement came first.
    pub cash_out: Option<CashOut>,
    /// The state of the bet after it.
    pub state: BetState,
    /// The balance of the account after it, in cents.
    pub balance: Money,
}

/// Why a bet is not cashed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CashOutObstacle {
    /// It was cashed out completely, or is not open when its rule is due.
    NotOpen,
    /// An undecided pair cannot be bet on.
    NotBettable,
    /// The net amount is below the one that was shown.
    ValueChanged,
    /// The net amount or the rest of the stake is too small.
    BelowMinimum,
    /// The bet no longer has a rule.
    NoRule,
}

/// Whether a bet is cashed out.
#[derive(Clone, Debug)]
pub enum Decision {
    /// The transaction writes this.
    Write(Box<Plan>),
    /// It writes nothing.
    Reject(CashOutObstacle),
}

/// What the transaction of a cash-out writes.
#[derive(Clone, Debug)]
pub struct Plan {
    bet: LoadedBet,
    held: Holdings,
    /// The rows of the cash-out, or of the settlement that comes first; empty if the bet was settled before.
    pub batch: Batch,
    /// The cash-out; `None` if a settlement comes first.
    pub payment: Option<CashOut>,
}

/// Decides about a bet with its stored results. `held` is the money of its account, `rule` the present rule of the bet.
///
/// # Errors
/// The bet cannot be settled: the store is corrupt.
pub fn decide(
    bet: LoadedBet,
    held: Holdings,
    rule: Option<CashOutRule>,
    attempt: &CashOutAttempt<'_>,
) -> Result<Decision, LedgerFault> {
    let is_rule = attempt.is_by_rule;
    let write = |bet, batch, payment| Ok(Decision::Write(Box::new(Plan { bet, held, batch, payment })));
    match bet.bet.state {
        BetState::Open if is_rule && rule.is_none() => return Ok(Decision::Reject(CashOutObstacle::NoRule)),
        BetState::Open => {}
        BetState::Won | BetState::Lost | BetState::Void if !is_rule => return write(bet, Batch::default(), None),
        _ => return Ok(Decision::Reject(CashOutObstacle::NotOpen)),
    }
    if revise(&bet.bet).is_some_and(|revision| revision.makes.is_some()) {
        let holdings = HashMap::from([(bet.account.get(), held)]);
        let batch = Batch::of(revisions(vec![bet.clone()]), holdings, HashMap::new(), attempt.now_ms)?;
        return write(bet, batch, None);
    }
    // The bettor may have changed the rule since the attempt began.
    let net_min = if is_rule { rule.map(|rule| rule.at_least) } else { attempt.net_min };
    match payment_of(&bet, attempt, net_min) {
        Ok(payment) => {
            let batch = cash_out_batch(&bet, &payment, held);
            write(bet, batch, Some(payment))
        }
        Err(obstacle) => Ok(Decision::Reject(obstacle)),
    }
}

/// What a cash-out of an open bet pays.
fn payment_of(
    bet: &LoadedBet,
    attempt: &CashOutAttempt<'_>,
    net_min: Option<Money>,
) -> Result<CashOut, CashOutObstacle> {
    let pairs = bet
        .bet
        .pairs
        .iter()
        .zip(attempt.odds_now)
        .map(|(pair, now)| CashOutPair { result: pair.result(bet.bet.placed_at_ms), now: *now });
    let pairs: Vec<CashOutPair> = pairs.collect();
    let terms = &bet.bet.terms;
    let value = cash_out_value(terms, &pairs, attempt.rules).filter(|_| pairs.len() == terms.pairs.len());
    let value = value.ok_or(CashOutObstacle::NotBettable)?;
    if net_min.is_some_and(|net_min| value.net < net_min) {
        return Err(CashOutObstacle::ValueChanged);
    }
    let payment = cash_out(terms, &value, attempt.share);
    if value.net < attempt.rules.min || payment.is_too_small(attempt.rest_min) {
        return Err(CashOutObstacle::BelowMinimum);
    }
    Ok(payment)
}

/// The rows of a cash-out: its postings, and the new values of the bet and the account.
fn cash_out_batch(bet: &LoadedBet, payment: &CashOut, mut held: Holdings) -> Batch {
    let mut batch = Batch::default();
    batch.book(&cashing_out(payment), bet, None, &mut held, std::iter::empty());
    batch.bets.push(BetRow {
        id: bet.id,
        state: if payment.rest.is_some() { BetState::Open } else { BetState::CashedOut },
        settlements: bet.settlements,
        standing: None,
        revision: bet.revision.saturating_add(1),
    });
    batch.accounts.insert(bet.account.get(), held);
    batch
}

impl Plan {
    /// What the answer says, and the event to publish; no event if the bet was settled before. Call it after the rows are
    /// made. `cash_outs` are all of the bet, the new one included.
    pub fn outcome(self, cash_outs: Vec<StoredCashOut>) -> (CashOutReceipt, Option<BetEvent>) {
        let Plan { bet, held, batch, payment } = self;
        let held = batch.accounts.get(&bet.account.get()).copied().unwrap_or(held);
        let state = batch.bets.first().map_or(bet.bet.state, |row| row.state);
        let event = match &payment {
            Some(payment) => {
                let (rest, paid) = (rest_of(payment), payment.paid);
                let change = BetChange::CashedOut(progress(&bet, state, rest, paid, cash_outs, None));
                Some(BetEvent { account: bet.account, money: held.into(), change })
            }
            None => batch.events.into_iter().next(),
        };
        (CashOutReceipt { cash_out: payment, state, balance: held.balance }, event)
    }
}

/// What is left of a bet's stake after a cash-out.
pub fn rest_of(payment: &CashOut) -> StakePart {
    payment.rest.unwrap_or(StakePart { bruto: Money::ZERO, taxed_stake: Money::ZERO })
}

/// The cash-out as it is stored.
pub fn stored_cash_out(payment: &CashOut, at_ms: i64) -> StoredCashOut {
    let CashOut { share, value, win_tax, paid, .. } = *payment;
    StoredCashOut { at_ms, share, value, win_tax, paid }
}

/// The progress of an open or cashed-out bet after a cash-out, which `paid` an amount, or a change of its rule. `bet` as
/// it was before.
fn progress(
    bet: &LoadedBet,
    state: BetState,
    rest: StakePart,
    paid: Money,
    cash_outs: Vec<StoredCashOut>,
    rule: Option<CashOutRule>,
) -> Arc<BetProgress> {
    let mut terms = bet.bet.terms.clone().after_payments(paid);
    (terms.bruto, terms.taxed_stake) = (rest.bruto, rest.taxed_stake);
    let results: Vec<PairResult> = bet.bet.pairs.iter().map(|pair| pair.kept.result).collect();
    Arc::new(BetProgress {
        ticket_id: bet.ticket_id.clone(),
        revision: bet.revision.saturating_add(1),
        state,
        results: bet.bet.pairs.iter().map(|pair| pair.kept.clone()).collect(),
        odds_taken: terms.pairs.iter().map(|(taken, _)| *taken).collect(),
        settlement: None,
        possible: (state == BetState::Open).then(|| possible(&terms, &results)),
        cash_out: Some(CashOutProgress { rest, cash_outs, rule }),
    })
}

/// The event of a changed rule. `None` for a bet that is not open, which no rule concerns.
pub fn rule_changed(
    bet: &LoadedBet,
    held: Holdings,
    all: Vec<StoredCashOut>,
    rule: Option<CashOutRule>,
) -> Option<Box<BetEvent>> {
    if bet.bet.state != BetState::Open {
        return None;
    }
    let terms = &bet.bet.terms;
    let rest = StakePart { bruto: terms.bruto, taxed_stake: terms.taxed_stake };
    let change = BetChange::CashOutRuleChanged(progress(bet, bet.bet.state, rest, Money::ZERO, all, rule));
    Some(Box::new(BetEvent { account: bet.account, money: held.into(), change }))
}
