//! The rules of live betting as pure functions of values.
//!
//! Must never import another crate of the workspace, nor actix, tokio, serde, a clock, the environment, randomness or
//! I/O. A rule that needs more than its arguments, such as the current time, is in the wrong place.

#![deny(clippy::float_arithmetic)]

pub mod account_name;
pub mod aggregate;
pub mod bet;
pub mod clock;
pub mod delta;
pub mod facts;
pub mod favourites;
pub mod feed;
pub mod hex;
pub mod ids;
pub mod incidents;
pub mod lang;
pub mod ledger;
pub mod limits;
pub mod market;
pub mod matches;
pub mod money;
pub mod offer_event;
pub mod price;
pub mod price_history;
pub mod protection;
pub mod rows;
pub mod session;
pub mod session_state;
pub mod settlement;
pub mod sport;
pub mod texts;
pub mod ticket;

use std::sync::Arc;

/// A text of the feed. Shared, because the same names travel with every update of a match.
pub type Text = Arc<str>;
