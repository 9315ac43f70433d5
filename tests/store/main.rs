//! The stores: one suite for all three (`contract`), and tests of each database. Each PostgreSQL test has its own
//! schema, each SQLite test its own folder.
//!
//! Never skipped silently: without a PostgreSQL server the tests fail and print how to get one.

mod bets;
mod cash_outs;
mod cashier;
mod contract;
mod crash;
mod engine;
mod ledger;
mod life;
mod logins;
mod moved_lines;
mod nodes;
mod older;
mod pause;
mod postgres;
mod protection;
mod sessions;
mod settlement;
mod sqlite;
mod unreachable;
mod world;
