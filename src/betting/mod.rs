//! The services of betting: placing and cashing out bets, settling them, publishing what happens to them, the cashier,
//! and the limits of bettors. They are not actors: the store decides what is true, and a task that ends is started again. Must not import
//! hub or http.

pub mod auto_cash_out;
pub mod bet_events;
pub mod cash_out_availability;
pub mod cashier;
pub mod exclusion_register;
pub mod limits;
mod missing_results;
mod moved_lines;
pub mod placement;
pub mod protection;
pub mod settlement;
pub mod watched_bets;
