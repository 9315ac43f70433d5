//! Bets (CONTRACT 4 *Placing*, CONTRACT 8): over real HTTP where a client could see a
//! difference, on the placement itself where time passes, and on a changing seeded offer for races.

mod access;
mod cash_outs;
mod closing;
mod delay;
mod keys;
#[allow(dead_code, reason = "shared with the tests of accounts")]
mod kit;
mod limits;
mod pause;
mod race;
mod receipts;
mod refusals;
mod rules;
mod stage;
mod tampered;
