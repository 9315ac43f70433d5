//! The types of [`super::CashOutStore`]. Whether a cash-out happens is decided by
//! [`decide`](kvota_domain::ledger::decide).

use super::{AccountId, Answer, IdempotencyKey, TicketId};
use kvota_domain::bet::{BetEvent, StoredBet, StoredCashOut};
use kvota_domain::ledger::{CashOutAttempt, CashOutObstacle, CashOutReceipt, Plan};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{CashOutShare, CashOutTerms};
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
    pub rules: CashOutTerms,
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

impl CashOutOrder {
    /// What is decided about.
    pub(super) fn attempt(&self) -> CashOutAttempt<'_> {
        let CashOutOrder { origin, share, odds_now, rules, rest_min, net_min, now_ms, .. } = self;
        CashOutAttempt {
            is_by_rule: matches!(origin, CashOutOrigin::Rule),
            share: *share,
            odds_now,
            rules,
            rest_min: *rest_min,
            net_min: *net_min,
            now_ms: *now_ms,
        }
    }

    /// The outcome of a cash-out that is written. `cash_outs` are all of the bet, the new one included.
    pub(super) fn done(&self, plan: Plan, cash_outs: Vec<StoredCashOut>) -> CashOutDone {
        let (receipt, event) = plan.outcome(cash_outs);
        match &self.origin {
            CashOutOrigin::Call { answer, .. } => {
                let answer = Answer { status: 200, body: answer(&receipt) };
                CashOutDone::Answered { answer, event: event.map(Box::new) }
            }
            CashOutOrigin::Rule => match event {
                Some(event) => CashOutDone::ByRule(Box::new(event)),
                None => CashOutDone::Rejected(CashOutObstacle::NotOpen),
            },
        }
    }
}

impl fmt::Debug for CashOutOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CashOutOrder");
        shown.field("account", &self.account).field("ticket_id", &self.ticket_id).field("share", &self.share);
        shown.field("odds_now", &self.odds_now).field("net_min", &self.net_min).finish_non_exhaustive()
    }
}
