//! What decides about money, as pure functions of values (CONTRACT 4, 7, 8 and 9): how bets change with results, what a
//! cash-out and a payment book, and whether a bet is beyond a limit. The store reads within its transaction, asks here,
//! and writes what it is given; so every database decides alike.
//!
//! | file | subject |
//! |---|---|
//! | `revise.rs` | how the current results change a bet |
//! | `batch.rs` | the rows of bets that change |
//! | `cash_out.rs` | whether a cash-out happens, and what it writes |
//! | `payment.rs` | whether money is paid in or out, and what is booked |
//! | `limits.rs` | whether a bet would exceed a limit of its bettor |
//! | `results.rs` | which results of a message count |
//! | `unsettled.rs` | why an open bet is not settled |

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod batch;
mod cash_out;
mod limits;
mod payment;
mod results;
mod revise;
mod unsettled;

pub use batch::{
    Batch, BetRow, Holdings, LoadedBet, PairRow, PostingRow, Revised, SettlementRow, revisions, taken_back,
};
pub use cash_out::{
    CashOutAttempt, CashOutObstacle, CashOutReceipt, Decision, Plan, decide, rest_of, rule_changed, stored_cash_out,
};
pub use limits::{account_facts, has_limit, has_match_limit, is_over};
pub use payment::{BookedPayment, PaymentAttempt, PaymentKind, PaymentObstacle};
pub use results::{NewerResults, by_match, settled_pair};
pub use revise::{GradedBet, GradedPair, Revision, outcome_of, revise};
pub use unsettled::{UndecidedPair, UnsettledBet, UnsettledCause, unsettled};

/// What was read cannot be: the ledger is damaged. Nothing may be written. Contains the cause, in lower case.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LedgerFault(pub String);
