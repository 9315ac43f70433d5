//! kvota: live, in-play sports betting. This file is the map of the house.
//!
//! The floors, lowest first; a floor imports only floors above it in this list (`tests/tidy.rs` enforces it):
//!
//! | floor | folder | what it is |
//! |---|---|---|
//! | 0 | [`domain`] | the rules, pure functions of values |
//! | 1 | [`wire`] | bytes to domain and back |
//! | 2 | [`feed`], [`store`] | where the offer comes from; what must not be lost |
//! | 3 | [`read_model`] | the query side: the offer as it is now, already encoded |
//! | 4 | [`actors`] | the command side: who may change what |
//! | 5 | [`http`] | the calls and the live hub |
//! | 6 | [`load`] | the load tester: thousands of sessions through the public doors |
//! | 7 | [`testkit`] | the actor test kit (feature `testkit`) |
//! | 8 | [`app`], [`cli`], [`config`], [`telemetry`], and `serving`, which puts the server together | composition |

pub mod actors;
pub mod app;
pub mod cli;
pub mod config;
mod cookie_key;
pub mod feed;
pub mod http;
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
