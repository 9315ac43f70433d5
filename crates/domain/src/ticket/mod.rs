//! The betting ticket (CONTRACT 4) as pure functions of values. The session actor keeps a [`Ticket`], calls [`decide`]
//! for each command, applies the events and publishes them; the placement calls [`check`] and [`revalidate`]. Must not
//! read a clock, keep the offer or write a balance: all facts are arguments.
//!
//! | file | subject |
//! |---|---|
//! | `state.rs` | the ticket, its pairs, and how events change it |
//! | `command.rs`, `decide.rs` | the bettor's commands and their events |
//! | `offer_view.rs`, `bettable.rs` | what the ticket must know of the offer; why a pair cannot be bet on |
//! | `stake.rs`, `rules.rs`, `delays.rs` | the text of a stake; taxes, limits and delays, which are data |
//! | `exact.rs` | decimals of any size: the only file that calculates with them |
//! | `combinations.rs`, `tax.rs`, `totals.rs` | the numbers of the ticket |
//! | `builder_code.rs` | why a ticket cannot be sent yet |
//! | `slip.rs`, `rejection.rs`, `validate.rs` | a submitted ticket, why it is rejected, and the bet it becomes |

#![deny(clippy::arithmetic_side_effects)]

mod bettable;
mod builder_code;
mod combinations;
mod command;
mod decide;
mod delays;
mod exact;
mod offer_view;
mod rejection;
mod rules;
mod slip;
mod stake;
mod state;
mod tax;
mod totals;
mod validate;

pub use bettable::{CannotBet, bettable};
pub use builder_code::{BuilderCode, builder_code};
pub use combinations::{combinations, elementary_symmetric, elementary_symmetric_of};
pub use command::{TicketCommand, TicketError};
pub use decide::{decide, mark_favourite, match_deleted};
pub use delays::Delays;
pub use exact::ExactOdd;
pub use offer_view::{FeedHealth, MatchQuote, OddQuote, OfferView, has_market, quote_in, quote_of};
pub use rejection::{Amount, Contradiction, Rejection};
pub use rules::{Limits, PAIRS_MAX, Percent, Rules, RulesError, TaxKind, TaxRule, TaxableWin, WinTaxMode};
pub use slip::{
    AcceptedBet, AcceptedPair, AccountFacts, Checked, MatchFacts, PlacingLimits, SubmittedPair, SubmittedTicket,
};
pub use stake::stake_of;
pub use state::{Consent, Pair, Snapshot, Ticket, TicketEvent, TicketKind};
pub use tax::{stake_tax, win_tax, win_tax_percentage};
pub use totals::{Leg, SystemCombination, Totals, totals, totals_of};
pub use validate::{ChangedPair, changed_pairs, check, revalidate, revalidate_during_delay};
