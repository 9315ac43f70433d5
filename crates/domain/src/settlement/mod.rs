//! The settlement of a bet (CONTRACT 7) as pure functions of values: the result of a pair, the grade of a bet, and the
//! ledger entries. The settlement engine calls them with the results and bets that the stores keep. The order of
//! messages must not matter: a bet is graded only from the current results.
//!
//! | file | subject |
//! |---|---|
//! | `cash_out.rs` | what an open bet is worth at the present odds |
//! | `result.rs` | the current result of a market, and what it means for one pair |
//! | `grade.rs` | whether a bet is decided, and what it pays |
//! | `postings.rs` | the ledger entries of placing, settling and correcting a bet |

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod cash_out;
mod grade;
mod postings;
mod result;

pub use cash_out::{
    CashOut, CashOutPair, CashOutShare, CashOutTerms, CashOutValue, StakePart, cash_out, cash_out_value,
};
pub use grade::{BetTerms, Grade, Outcome, Settlement, grade, possible};
pub use postings::{LedgerAccount, Posting, PostingKind, cashing_out, placing, reversed, settling, with_receivable};
pub use result::{
    DeadHeat, MarketResult, MarketState, MatchResults, PairResult, Parked, RawOddResult, RequestedMatch,
    SOURCE_RESTARTED, VoidFactor, VoidWindow,
};
