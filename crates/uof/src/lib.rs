//! The Unified Odds Feed (contract 10): its messages, names, lines and producers, as values and pure functions.
//!
//! | file | subject |
//! |---|---|
//! | [`xml`] | reading of bounded XML |
//! | [`message`], `read` | the messages, and how they are read |
//! | [`event_status`] | score, clock and statistics of an event |
//! | [`lines`] | the lines of an event: open, locked or gone |
//! | [`producer`], [`recovery_limits`] | whether a producer can be trusted, and its recovery |
//! | [`descriptions`], [`names`] | what markets and outcomes are called |
//! | [`results`] | settlements and cancellations, and their rollbacks |
//! | [`fixture`], [`status_label`], [`projection`] | an event as a match of our offer |
//! | [`urn`], [`line_key`], [`ids`], [`routing_key`] | names of things in the feed, and our numbers for them |
//!
//! Must never import actors, HTTP, or the sources of the native feed. Nothing in it may panic on any input.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

pub mod adapter;
mod bet_stop_reason;
pub mod columns;
pub mod connection;
pub mod descriptions;
pub mod event;
pub mod event_status;
pub mod fixture;
pub mod ids;
pub mod line_key;
pub mod lines;
pub mod message;
pub mod names;
pub mod producer;
pub mod producer_list;
pub mod projection;
pub mod question;
mod read;
pub mod recovery_limits;
pub mod results;
pub mod routing_key;
mod shared_text;
pub mod status_label;
pub mod urn;
pub mod xml;
