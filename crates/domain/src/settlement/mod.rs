//! What becomes of a bet (CONTRACT 7) as pure functions of values: the result of a pair, the grade of a bet, and the
//! ledger entries of a settlement. The settlement engine calls them with the results and bets that the stores keep.
//! Nothing here knows in which order messages arrived: a bet is graded from the current results alone.
//!
//! | file | subject |
//! |---|---|
//! | `result.rs` | the current result of a market, and what it means for one pair |
//! | `grade.rs` | whether a bet is decided, and what it pays |
//! | `postings.rs` | the ledger entries of placing, settling and correcting a bet |

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod grade;
mod postings;
mod result;

pub use grade::{BetTerms, Grade, Outcome, Settlement, grade};
pub use postings::{LedgerAccount, Posting, PostingKind, placing, reversed, settling, with_receivable};
pub use result::{
    DeadHeat, MarketResult, MarketState, MatchResults, PairResult, Parked, RawOddResult, VoidFactor, VoidWindow,
};
