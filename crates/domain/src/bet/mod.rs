//! Bets after they were accepted: values that are stored, and events that are published. The rules that decide a bet are in
//! [`crate::settlement`].
//!
//! | file | subject |
//! |---|---|
//! | `account.rs` | the id of an account |
//! | `bet.rs` | a bet, its pairs, its results and its settlement |
//! | `ticket_number.rs` | the number of a ticket that people read |
//! | `event.rs` | what happens to a bet |

mod account;
#[expect(clippy::module_inception, reason = "the file is about the bet itself")]
mod bet;
mod event;
mod ticket_number;

pub use account::AccountId;
pub use bet::{
    Bet, BetBasis, BetPair, BetRules, BetState, PairTexts, StoredBet, StoredResult, StoredSettlement, TicketId,
};
pub use event::{AccountMoney, BetChange, BetEvent, BetProgress};
pub use ticket_number::TicketNumber;
