//! The types of [`super::CashierStore`], and the decision that all databases share: whether money is paid in or out, and
//! what is booked (CONTRACT 9). Called inside the transaction that has locked the account.

use super::settling::Holdings;
use super::{AccountId, Answer, IdempotencyKey, StoreError};
use kvota_domain::bet::AccountMoney;
use kvota_domain::money::Money;
use kvota_domain::protection::{Allowance, Exclusion, Flow, Flows, Protection, Window};
use kvota_domain::settlement::{LedgerAccount, Posting, PostingKind, with_receivable};
use std::fmt;
use std::sync::Arc;

/// The direction of a payment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaymentKind {
    /// Into the account. A debt is paid off first.
    Deposit,
    /// Out of the account.
    Withdrawal,
}

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

/// Why a payment is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaymentObstacle {
    /// [`Payment::is_refused`].
    Refused,
    /// A withdrawal of more than the balance.
    NotEnough {
        /// The balance, in cents.
        balance: Money,
    },
    /// A deposit during an exclusion.
    Excluded(Exclusion),
    /// A deposit to an account with a limit or an exclusion that this version does not know.
    UnknownProtection,
    /// A deposit beyond a limit of the bettor.
    OwnLimit(Allowance),
}

/// A payment as both databases write it.
pub(super) struct BookedPayment {
    /// The postings, each with the balance after it where it concerns the bettor's account.
    pub(super) postings: Vec<(Posting, Option<Money>)>,
    pub(super) held: Holdings,
    pub(super) answer: Answer,
}

impl BookedPayment {
    pub(super) fn money(&self) -> AccountMoney {
        let Holdings { balance, receivable, revision } = self.held;
        AccountMoney { balance, receivable, revision }
    }

    pub(super) fn outcome(self) -> Paid {
        Paid::Paid { money: self.money(), answer: self.answer }
    }
}

impl Payment {
    /// The longest window of deposits that the transaction needs; `None` if it needs none.
    pub(super) fn longest_window(&self, protection: &Protection) -> Option<Window> {
        match self.kind {
            PaymentKind::Deposit => protection.longest_window([Flow::Deposit], self.now_ms),
            PaymentKind::Withdrawal => None,
        }
    }

    /// What is booked, or the obstacle.
    ///
    /// # Errors
    /// The balance would exceed the range of an amount.
    pub(super) fn book(
        &self,
        mut held: Holdings,
        protection: &Protection,
        flows: &Flows,
    ) -> Result<Result<BookedPayment, PaymentObstacle>, StoreError> {
        if let Some(obstacle) = self.obstacle(&held, protection, flows) {
            return Ok(Err(obstacle));
        }
        if held.balance.checked_add(self.amount).is_none() {
            return Err(StoreError::corrupt("a balance is too large"));
        }
        let (kind, from, to) = match self.kind {
            PaymentKind::Deposit => (PostingKind::Deposit, LedgerAccount::Bank, LedgerAccount::Bettor),
            PaymentKind::Withdrawal => (PostingKind::Withdrawal, LedgerAccount::Bettor, LedgerAccount::Bank),
        };
        let movement = Posting { kind, from, to, amount: self.amount };
        let mut postings = Vec::new();
        for posting in with_receivable(&[movement], held.balance, held.receivable) {
            held.apply(&posting);
            let concerns_bettor = posting.change_of(LedgerAccount::Bettor) != Money::ZERO;
            postings.push((posting, concerns_bettor.then_some(held.balance)));
        }
        let mut booked = BookedPayment { postings, held, answer: Answer { status: 200, body: Vec::new() } };
        booked.answer.body = (self.answer)(&booked.money());
        Ok(Ok(booked))
    }

    fn obstacle(&self, held: &Holdings, protection: &Protection, flows: &Flows) -> Option<PaymentObstacle> {
        if self.is_refused {
            return Some(PaymentObstacle::Refused);
        }
        match self.kind {
            PaymentKind::Withdrawal => {
                let balance = held.balance;
                (self.amount > balance).then_some(PaymentObstacle::NotEnough { balance })
            }
            PaymentKind::Deposit => match protection.exclusion(self.now_ms) {
                Some(exclusion) => Some(PaymentObstacle::Excluded(exclusion)),
                None if !protection.unknown.is_empty() => Some(PaymentObstacle::UnknownProtection),
                None => {
                    let allowances = protection.allowances([Flow::Deposit], flows, self.now_ms);
                    let reached = allowances.into_iter().find(|allowance| self.amount > allowance.left);
                    reached.map(PaymentObstacle::OwnLimit)
                }
            },
        }
    }
}

impl fmt::Debug for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Payment");
        shown.field("account", &self.account).field("kind", &self.kind).field("amount", &self.amount);
        shown.field("key", &self.key).finish_non_exhaustive()
    }
}
