//! Whether money is paid in or out, and what is booked (CONTRACT 9). Asked inside the transaction that has locked the
//! account. Must not look at bets: a debt is paid off by the postings themselves.

use super::LedgerFault;
use super::batch::Holdings;
use crate::money::Money;
use crate::protection::{Allowance, Exclusion, Flow, Flows, Protection, Window};
use crate::settlement::{LedgerAccount, Posting, PostingKind, with_receivable};

/// The direction of a payment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaymentKind {
    /// Into the account. A debt is paid off first.
    Deposit,
    /// Out of the account.
    Withdrawal,
}

/// A payment that is to be booked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaymentAttempt {
    /// The direction.
    pub kind: PaymentKind,
    /// Whether the caller found out that nothing may be paid now. A repeated key still gets its answer.
    pub is_refused: bool,
    /// The amount, in cents and above 0.
    pub amount: Money,
    /// The time, in ms since the epoch.
    pub now_ms: i64,
}

/// Why a payment is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaymentObstacle {
    /// [`PaymentAttempt::is_refused`].
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

/// What a payment writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookedPayment {
    /// The postings, each with the balance after it where it concerns the bettor's account.
    pub postings: Vec<(Posting, Option<Money>)>,
    /// The money of the account after it.
    pub held: Holdings,
}

impl PaymentAttempt {
    /// The longest window of deposits that the transaction needs; `None` if it needs none.
    pub fn longest_window(&self, protection: &Protection) -> Option<Window> {
        match self.kind {
            PaymentKind::Deposit => protection.longest_window([Flow::Deposit], self.now_ms),
            PaymentKind::Withdrawal => None,
        }
    }

    /// What is booked, or the obstacle.
    ///
    /// # Errors
    /// The balance would exceed the range of an amount.
    pub fn book(
        &self,
        mut held: Holdings,
        protection: &Protection,
        flows: &Flows,
    ) -> Result<Result<BookedPayment, PaymentObstacle>, LedgerFault> {
        if let Some(obstacle) = self.obstacle(&held, protection, flows) {
            return Ok(Err(obstacle));
        }
        if held.balance.checked_add(self.amount).is_none() {
            return Err(LedgerFault("a balance is too large".to_owned()));
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
        Ok(Ok(BookedPayment { postings, held }))
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
