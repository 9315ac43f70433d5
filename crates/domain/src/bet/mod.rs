//! Bets after they were accepted: values that are stored, and events that are published. The rules that decide a bet are in
//! [`crate::settlement`].
//!
//! | file | subject |
//! |---|---|
//! | `account.rs` | the id of an account |
//! | `bet.rs` | a bet, its pairs, its results and its settlement |
//! | `cash_out.rs` | whether a bet can be cashed out now, and for how much |
//! | `ticket_number.rs` | the number of a ticket that people read |
//! | `event.rs` | what happens to a bet |

mod account;
#[expect(clippy::module_inception, reason = "the file is about the bet itself")]
mod bet;
mod cash_out;
mod event;
mod ticket_number;

pub use account::AccountId;
pub use bet::{
    Bet, BetBasis, BetPair, BetRules, BetState, CashOutRule, PairTexts, StoredBet, StoredCashOut, StoredResult,
    StoredSettlement, TicketId,
};
pub use cash_out::{CashOutOffer, CashOutReason, present_odd};
pub use event::{AccountMoney, BetChange, BetEvent, BetProgress, CashOutProgress};
pub use ticket_number::TicketNumber;
