//! kvota: live, in-play sports betting. This file is the map of the library.
//!
//! The layers, lowest first. [`domain`], [`wire`], [`load`] and the simulator (re-exported by [`feed`]) are crates of
//! their own, so they cannot import this one. Between the folders of this crate the order is a convention that nothing
//! checks: a folder imports only layers above it in this table.
//!
//! | layer | folder | what it is |
//! |---|---|---|
//! | 0 | [`domain`] | the rules: pure functions of values |
//! | 1 | [`wire`] | converts bytes to domain values and back |
//! | 2 | [`feed`], [`store`] | the sources of the offer; accounts, bets and sessions in a database |
//! | 3 | [`read_model`] | the query side: the current offer, already encoded |
//! | 4 | [`betting`] | the services of betting: placing, cashing out and settling bets |
//! | 5 | [`actors`] | the command side: the actors of the offer and of the sessions |
//! | 6 | [`http`] | the calls |
//! | 7 | [`hub`] | the live connection: events become messages, messages reach sockets |
//! | 8 | [`load`] | the load tester: thousands of sessions over the public interface |
//! | 9 | [`testkit`] | the actor test kit (feature `testkit`) |
//! | 10 | [`app`], [`cli`], [`config`], [`telemetry`], [`nodes`], and `serving`, which starts the server | composition |
//!
//! One exception: `http` mounts the handshake of the hub among its calls, and its state holds the hub's admission.

pub mod actors;
pub mod app;
pub mod betting;
pub mod cli;
pub mod config;
mod cookie_key;
pub mod feed;
pub mod http;
pub mod hub;
pub mod nodes;
mod open_files;
pub mod read_model;
mod serving;
mod signals;
mod sources;
pub mod store;
pub mod telemetry;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use kvota_domain as domain;
pub use kvota_load as load;
pub use kvota_wire as wire;
