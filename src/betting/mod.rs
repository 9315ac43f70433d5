//! The services of betting: placing and cashing out bets, settling them, publishing what happens to them, the cashier,
//! and the limits of bettors. They are not actors: the store decides what is true, and a task that ends is started again. Must not import
//! hub or http.

pub mod bet_events;
pub mod cash_out_availability;
pub mod cash_out_rules;
pub mod cashier;
pub mod limits;
mod missing_results;
mod moved_lines;
pub mod placement;
pub mod protection;
pub mod register;
pub mod settlement;
pub mod watched_bets;
