//! The operations that SQLite and PostgreSQL have in common, each written once. Both databases include this folder as a
//! module of their own (`#[path]`), so it is compiled twice and all types are those of one database: `dialect.rs` beside
//! it names them, and what the texts of the two databases differ in. An operation gets a connection, within the
//! transaction of its caller, and must write nothing if its outcome means that nothing changed.
//!
//! What differs on purpose is not here: how bets are placed, locks, reads that are gathered, and the rows of a batch.

mod accounts;
pub(super) mod bets;
pub(super) mod cash_outs;
mod cashier;
pub(super) mod grading;
mod pause;
mod protection;
pub(super) mod results;
mod rows;
pub(super) mod sessions;
pub(super) mod settlement;
mod statement;

pub(super) use rows::StoreRow;
