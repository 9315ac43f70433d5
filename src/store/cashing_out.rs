//! The types of [`super::CashOutStore`], and the decision that all databases share: whether a cash-out happens, and the
//! rows that it writes (CONTRACT 8). Called inside the transaction that has locked the bet.
//!
//! Must not read the offer: the caller passes the present odds. Must never pay for a bet that the stored results decide.

use super::settlement::revise;
use super::settling::{Batch, BetRow, Holdings, LoadedBet, PostingRow, revisions};
use super::{AccountId, Answer, IdempotencyKey, StoreError, TicketId};
use crate::domain::bet::{
    AccountMoney, BetChange, BetEvent, BetProgress, BetState, CashOutProgress, CashOutRule, StoredBet, StoredCashOut,
};
use crate::domain::money::Money;
use crate::domain::price::Price;
use crate::domain::settlement::{
    CashOut, CashOutPair, CashOutRules, CashOutShare, LedgerAccount, PairResult, StakePart, cash_out, cash_out_value,
    cashing_out, possible, with_receivable,
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
    /// The rule of the bet. Nothing happens if the bet no longer has one.
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

/// A page of open bets with rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RuledBets {
    /// The bets, by number.
    pub bets: Vec<StoredBet>,
    /// The value of `after` for the next page; `None` on the last page.
    pub next: Option<u64>,
}

/// What happens to a bet that is to be cashed out.
pub(super) enum Decision {
    /// It is paid.
    Pay(CashOut),
    /// The stored results have decided the bet: it is settled in the same transaction.
    Settle,
    /// It was settled before.
    Settled,
    /// Nothing.
    Reject(CashOutObstacle),
}

/// Decides about a bet with its stored results.
pub(super) fn decide(bet: &LoadedBet, has_rule: bool, order: &CashOutOrder) -> Decision {
    let is_rule = matches!(order.origin, CashOutOrigin::Rule);
    match bet.bet.state {
        BetState::Open if is_rule && !has_rule => return Decision::Reject(CashOutObstacle::NoRule),
        BetState::Open => {}
        BetState::Won | BetState::Lost | BetState::Void if !is_rule => return Decision::Settled,
        _ => return Decision::Reject(CashOutObstacle::NotOpen),
    }
    if revise(&bet.bet).is_some_and(|revision| revision.makes.is_some()) {
        return Decision::Settle;
    }
    let pairs = bet.bet.pairs.iter().zip(&order.odds_now).map(|(pair, now)| CashOutPair {
        result: pair
            .market
            .as_ref()
            .map_or(PairResult::Open, |market| PairResult::of(market, pair.odd, bet.bet.placed_at_ms)),
        now: *now,
    });
    let pairs: Vec<CashOutPair> = pairs.collect();
    let terms = &bet.bet.terms;
    let value = cash_out_value(terms, &pairs, &order.rules).filter(|_| pairs.len() == terms.pairs.len());
    let Some(value) = value else { return Decision::Reject(CashOutObstacle::NotBettable) };
    if order.net_min.is_some_and(|net_min| value.net < net_min) {
        return Decision::Reject(CashOutObstacle::ValueChanged);
    }
    let payment = cash_out(terms, &value, order.share);
    let is_rest_too_small = payment.rest.is_some_and(|rest| rest.bruto < order.rest_min);
    if value.net < order.rules.min || is_rest_too_small {
        return Decision::Reject(CashOutObstacle::BelowMinimum);
    }
    Decision::Pay(payment)
}

/// The rows of a settlement that a cash-out found waiting.
///
/// # Errors
/// The bet cannot be settled: the store is corrupt.
pub(super) fn settling_batch(bet: LoadedBet, held: Holdings, now_ms: i64) -> Result<Batch, StoreError> {
    let account = bet.account.get();
    Batch::of(revisions(vec![bet]), HashMap::from([(account, held)]), HashMap::new(), now_ms)
}

/// The rows of a cash-out: its postings, and the new values of the bet and the account. The event is added by
/// [`progress`], after the cash-out is stored.
pub(super) fn cash_out_batch(bet: &LoadedBet, payment: &CashOut, mut held: Holdings) -> Batch {
    let mut batch = Batch::default();
    for posting in with_receivable(&cashing_out(payment), held.balance, held.receivable) {
        let change = posting.change_of(LedgerAccount::Bettor);
        held.balance = [held.balance, change].into_iter().sum();
        let owed = posting.change_of(LedgerAccount::Receivable);
        held.receivable = [held.receivable, owed.negated()].into_iter().sum();
        held.revision = held.revision.saturating_add(1);
        batch.postings.push(PostingRow {
            posting,
            bettor: bet.account,
            bet_id: bet.id,
            settlement: None,
            reverses: None,
            balance_after: (change != Money::ZERO).then_some(held.balance),
        });
    }
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
pub(super) fn progress(
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

/// The event of a cash-out.
pub(super) fn cashed_out(bet: &LoadedBet, payment: &CashOut, held: Holdings, all: Vec<StoredCashOut>) -> BetEvent {
    let state = if payment.rest.is_some() { BetState::Open } else { BetState::CashedOut };
    let change = BetChange::CashedOut(progress(bet, state, rest_of(payment), all, None));
    BetEvent { account: bet.account, money: money(held), change }
}

/// The event of a changed rule.
pub(super) fn rule_changed(
    bet: &LoadedBet,
    held: Holdings,
    all: Vec<StoredCashOut>,
    rule: Option<CashOutRule>,
) -> BetEvent {
    let terms = &bet.bet.terms;
    let rest = StakePart { bruto: terms.bruto, taxed_stake: terms.taxed_stake };
    let change = BetChange::CashOutRuleChanged(progress(bet, bet.bet.state, rest, all, rule));
    BetEvent { account: bet.account, money: money(held), change }
}

/// The outcome for the caller, with an answer that is to be stored if a call ordered the cash-out.
pub(super) fn answered(order: &CashOutOrder, receipt: &CashOutReceipt, event: Option<BetEvent>) -> CashOutDone {
    match &order.origin {
        CashOutOrigin::Call { answer, .. } => {
            let answer = Answer { status: 200, body: answer(receipt) };
            CashOutDone::Answered { answer, event: event.map(Box::new) }
        }
        CashOutOrigin::Rule => {
            event.map_or(CashOutDone::Rejected(CashOutObstacle::NotOpen), |event| CashOutDone::ByRule(Box::new(event)))
        }
    }
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
