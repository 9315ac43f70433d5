//! The stores: one suite for all three (`contract`), and what each database must do besides. PostgreSQL's tests have a
//! schema of their own each, SQLite's a folder.
//!
//! Must never be skipped in silence: without a PostgreSQL server its tests fail and say how to get one.

mod bets;
mod contract;
mod crash;
mod ledger;
mod logins;
mod pause;
mod postgres;
mod sessions;
mod settlement;
mod sqlite;
mod unreachable;
mod world;
