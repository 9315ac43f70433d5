//! The types of [`super::CashOutStore`], and the decision that all databases share: whether a cash-out happens, and the
//! rows that it writes (CONTRACT 8). Called inside the transaction that has locked the bet.
//!
//! Must not read the offer: the caller passes the present odds. Must never pay for a bet that the stored results decide.

use super::settlement::revise;
use super::settling::{Batch, BetRow, Holdings, LoadedBet, revisions};
use super::{AccountId, Answer, IdempotencyKey, StoreError, TicketId};
use kvota_domain::bet::{
    AccountMoney, BetChange, BetEvent, BetProgress, BetState, CashOutProgress, CashOutRule, StoredBet, StoredCashOut,
};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{
    CashOut, CashOutPair, CashOutRules, CashOutShare, PairResult, StakePart, cash_out, cash_out_value, cashing_out,
    possible,
};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The key of a call that cashes out, and the digest of its ticket and its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOutKey {
    /// The key.
    pub key: IdempotencyKey,
    /// The digest. A call with the same key and another digest is a conflict.
    pub digest: [u8; 32],
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

/// Writes the body of the 200 inside the transaction. It must not wait, block or panic.
pub type CashOutAnswerMaker = Arc<dyn Fn(&CashOutReceipt) -> Vec<u8> + Send + Sync>;

/// Who ordered a cash-out.
#[derive(Clone)]
pub enum CashOutOrigin {
    /// A call of the bettor.
    Call {
        /// Its key.
        key: CashOutKey,
        /// Writes the body of the answer.
        answer: CashOutAnswerMaker,
    },
    /// The rule of the bet. Nothing happens if the bet no longer has one, or if it asks for more now.
    Rule,
}

/// The arguments of [`super::CashOutStore::cash_out`].
#[derive(Clone)]
pub struct CashOutOrder {
    /// The account of the bettor.
    pub account: AccountId,
    /// The bet.
    pub ticket_id: TicketId,
    /// Who ordered it.
    pub origin: CashOutOrigin,
    /// The share of what is left.
    pub share: CashOutShare,
    /// The present odd of each pair, in their order; `None` if it cannot be bet on.
    pub odds_now: Vec<Option<Price>>,
    /// The rules of cash-outs.
    pub rules: CashOutRules,
    /// The smallest stake that may remain, in cents.
    pub rest_min: Money,
    /// The net amount of the whole bet must be at least this, in cents.
    pub net_min: Option<Money>,
    /// The time, in ms since the epoch.
    pub now_ms: i64,
}

/// The outcome of [`super::CashOutStore::cash_out`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CashOutDone {
    /// The answer of a call, and the event to publish: the cash-out, or the settlement that came first.
    Answered {
        /// The stored answer, with status 200.
        answer: Answer,
        /// The event; `None` if the bet was settled before.
        event: Option<Box<BetEvent>>,
    },
    /// A rule has cashed the bet out, or its settlement came first. Contains the event to publish.
    ByRule(Box<BetEvent>),
    /// The key was used for the same body. This is its answer; nothing is written.
    Replayed(Answer),
    /// The key was used for another body; nothing is written.
    KeyConflict,
    /// Nothing is written, and the key is not used up.
    Rejected(CashOutObstacle),
    /// The account has no such bet.
    NoTicket,
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

/// The outcome of [`super::CashOutStore::set_cash_out_rule`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleSet {
    /// The rule is stored, changed or removed. Contains the event to publish; `None` if nothing changed.
    Set(Option<Box<BetEvent>>),
    /// The bet is not open.
    NotOpen,
    /// The account has no such bet.
    NoTicket,
}

/// A page of open bets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenBets {
    /// The bets, by number.
    pub bets: Vec<StoredBet>,
    /// The value of `after` for the next page; `None` on the last page.
    pub next: Option<u64>,
}

/// Whether a bet is cashed out.
pub(super) enum Decision {
    /// The transaction writes this.
    Write(Box<Plan>),
    /// It writes nothing.
    Reject(CashOutObstacle),
}

/// What the transaction of a cash-out writes.
pub(super) struct Plan {
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
pub(super) fn decide(
    bet: LoadedBet,
    held: Holdings,
    rule: Option<CashOutRule>,
    order: &CashOutOrder,
) -> Result<Decision, StoreError> {
    let is_rule = matches!(order.origin, CashOutOrigin::Rule);
    let write = |bet, batch, payment| Ok(Decision::Write(Box::new(Plan { bet, held, batch, payment })));
    match bet.bet.state {
        BetState::Open if is_rule && rule.is_none() => return Ok(Decision::Reject(CashOutObstacle::NoRule)),
        BetState::Open => {}
        BetState::Won | BetState::Lost | BetState::Void if !is_rule => return write(bet, Batch::default(), None),
        _ => return Ok(Decision::Reject(CashOutObstacle::NotOpen)),
    }
    if revise(&bet.bet).is_some_and(|revision| revision.makes.is_some()) {
        let holdings = HashMap::from([(bet.account.get(), held)]);
        let batch = Batch::of(revisions(vec![bet.clone()]), holdings, HashMap::new(), order.now_ms)?;
        return write(bet, batch, None);
    }
    // The bettor may have changed the rule since the attempt began.
    let net_min = if is_rule { rule.map(|rule| rule.at_least) } else { order.net_min };
    match payment_of(&bet, order, net_min) {
        Ok(payment) => {
            let batch = cash_out_batch(&bet, &payment, held);
            write(bet, batch, Some(payment))
        }
        Err(obstacle) => Ok(Decision::Reject(obstacle)),
    }
}

/// What a cash-out of an open bet pays.
fn payment_of(bet: &LoadedBet, order: &CashOutOrder, net_min: Option<Money>) -> Result<CashOut, CashOutObstacle> {
    let pairs = bet
        .bet
        .pairs
        .iter()
        .zip(&order.odds_now)
        .map(|(pair, now)| CashOutPair { result: pair.result(bet.bet.placed_at_ms), now: *now });
    let pairs: Vec<CashOutPair> = pairs.collect();
    let terms = &bet.bet.terms;
    let value = cash_out_value(terms, &pairs, &order.rules).filter(|_| pairs.len() == terms.pairs.len());
    let value = value.ok_or(CashOutObstacle::NotBettable)?;
    if net_min.is_some_and(|net_min| value.net < net_min) {
        return Err(CashOutObstacle::ValueChanged);
    }
    let payment = cash_out(terms, &value, order.share);
    let is_rest_too_small = payment.rest.is_some_and(|rest| rest.bruto < order.rest_min);
    if value.net < order.rules.min || is_rest_too_small {
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
    /// The outcome, after the rows are written. `cash_outs` are all of the bet, the new one included.
    pub(super) fn done(self, order: &CashOutOrder, cash_outs: Vec<StoredCashOut>) -> CashOutDone {
        let Plan { bet, held, batch, payment } = self;
        let held = batch.accounts.get(&bet.account.get()).copied().unwrap_or(held);
        let state = batch.bets.first().map_or(bet.bet.state, |row| row.state);
        let event = match &payment {
            Some(payment) => {
                let change = BetChange::CashedOut(progress(&bet, state, rest_of(payment), cash_outs, None));
                Some(BetEvent { account: bet.account, money: money(held), change })
            }
            None => batch.events.into_iter().next(),
        };
        match &order.origin {
            CashOutOrigin::Call { answer, .. } => {
                let body = answer(&CashOutReceipt { cash_out: payment, state, balance: held.balance });
                CashOutDone::Answered { answer: Answer { status: 200, body }, event: event.map(Box::new) }
            }
            CashOutOrigin::Rule => match event {
                Some(event) => CashOutDone::ByRule(Box::new(event)),
                None => CashOutDone::Rejected(CashOutObstacle::NotOpen),
            },
        }
    }
}

/// What is left of a bet's stake after a cash-out.
pub(super) fn rest_of(payment: &CashOut) -> StakePart {
    payment.rest.unwrap_or(StakePart { bruto: Money::ZERO, taxed_stake: Money::ZERO })
}

/// The cash-out as it is stored.
pub(super) fn stored_cash_out(payment: &CashOut, at_ms: i64) -> StoredCashOut {
    let CashOut { share, value, win_tax, paid, .. } = *payment;
    StoredCashOut { at_ms, share, value, win_tax, paid }
}

/// The progress of an open or cashed-out bet after a cash-out or a change of its rule. `bet` as it was before.
fn progress(
    bet: &LoadedBet,
    state: BetState,
    rest: StakePart,
    cash_outs: Vec<StoredCashOut>,
    rule: Option<CashOutRule>,
) -> Arc<BetProgress> {
    let mut terms = bet.bet.terms.clone();
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
pub(super) fn rule_changed(
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
    let change = BetChange::CashOutRuleChanged(progress(bet, bet.bet.state, rest, all, rule));
    Some(Box::new(BetEvent { account: bet.account, money: money(held), change }))
}

const fn money(held: Holdings) -> AccountMoney {
    AccountMoney { balance: held.balance, receivable: held.receivable, revision: held.revision }
}

impl fmt::Debug for CashOutOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CashOutOrder");
        shown.field("account", &self.account).field("ticket_id", &self.ticket_id).field("share", &self.share);
        shown.field("odds_now", &self.odds_now).field("net_min", &self.net_min).finish_non_exhaustive()
    }
}
