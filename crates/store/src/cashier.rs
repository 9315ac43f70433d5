//! The types of [`super::CashierStore`]. Whether money is paid in or out is decided by
//! [`PaymentAttempt`](kvota_domain::ledger::PaymentAttempt).

use super::{AccountId, Answer, IdempotencyKey};
use kvota_domain::bet::AccountMoney;
use kvota_domain::ledger::{BookedPayment, PaymentAttempt, PaymentKind, PaymentObstacle};
use kvota_domain::money::Money;
use std::fmt;
use std::sync::Arc;

/// Writes the body of the 200 inside the transaction. It must not wait, block or panic.
pub type PaymentAnswerMaker = Arc<dyn Fn(&AccountMoney) -> Vec<u8> + Send + Sync>;

/// The arguments of [`super::CashierStore::pay`].
#[derive(Clone)]
pub struct Payment {
    /// The account.
    pub account: AccountId,
    /// The direction.
    pub kind: PaymentKind,
    /// Whether the caller found out that nothing may be paid now. A repeated key still gets its answer.
    pub is_refused: bool,
    /// The amount, in cents and above 0.
    pub amount: Money,
    /// The key of the call. Keys of payments are separate from those of bets.
    pub key: IdempotencyKey,
    /// The digest of the kind and the canonical body. A call with the same key and another digest is a conflict.
    pub digest: [u8; 32],
    /// Writes the body of the answer.
    pub answer: PaymentAnswerMaker,
    /// The time, in ms since the epoch.
    pub now_ms: i64,
}

/// The outcome of [`super::CashierStore::pay`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Paid {
    /// It is booked.
    Paid {
        /// The stored answer, with status 200.
        answer: Answer,
        /// The money of the account after it.
        money: AccountMoney,
    },
    /// The key was used for the same body. This is its answer; nothing is written.
    Replayed(Answer),
    /// The key was used for another body; nothing is written.
    KeyConflict,
    /// Nothing is written, and the key is not used up.
    Rejected(PaymentObstacle),
}

impl Payment {
    /// What is decided about.
    pub(super) fn attempt(&self) -> PaymentAttempt {
        let Payment { kind, is_refused, amount, now_ms, .. } = *self;
        PaymentAttempt { kind, is_refused, amount, now_ms }
    }

    /// The outcome of a payment that is booked.
    pub(super) fn done(&self, booked: &BookedPayment) -> (Answer, AccountMoney) {
        let money = booked.held.into();
        (Answer { status: 200, body: (self.answer)(&money) }, money)
    }
}

impl fmt::Debug for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Payment");
        shown.field("account", &self.account).field("kind", &self.kind).field("amount", &self.amount);
        shown.field("key", &self.key).finish_non_exhaustive()
    }
}
