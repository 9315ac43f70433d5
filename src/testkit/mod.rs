//! The tools for tests of kvota, and of programs built on it (feature `testkit`). `docs/testing.md` is its guide.
//!
//! | module | subject |
//! |---|---|
//! | [`probe`], [`fake`] | replace other actors: assert messages, give answers |
//! | [`actor_tracker`] | the actors of a test: tracked, stopped, observed, reported if they still run at the end |
//! | [`time`], [`seed`] | a paused clock; random numbers that a seed repeats |
//! | [`table`], [`builders`] | feed messages from text tables or from code |
//! | [`scenario`] | given, when, then for the rules of the domain |
//! | [`slip`] | tickets to submit, with correct amounts |
//! | [`world`], [`virtual_world`] | a small complete system: with sockets, or on one thread with a paused clock |
//! | [`replica`], [`hub_socket`] | a reader of the live hub, and a connection without a socket |
//! | [`proxy`], [`faulty_store`] | network links and stores with faults |
//! | [`targets`], [`mutator`] | all inputs that an attacker can send, and their mutation |
//! | [`simulation`] | the whole system under seeded faults |
//! | [`uof_provider`] | a provider of the Unified Odds Feed, with its faults |
//! | [`log_probe`] | what is logged |
//! | [`openapi`] | compares answers with the document of the calls |
//! | [`measured`] | measurements for the scoreboard; no test depends on them |
//!
//! Must not import app, config, cli or telemetry.

pub mod faulty_store;
pub mod hub_socket;
pub mod openapi;
pub mod proxy;
pub mod simulation;
pub mod targets;
pub mod virtual_world;
pub mod world;

pub use crate::panics::remember_panics;
pub use kvota_actor_testkit::{actor_tracker, fake, log_probe, probe, time};
pub use kvota_load::replica;
pub(crate) use kvota_testkit::received;
pub use kvota_testkit::{builders, measured, mutator, scenario, seed, slip, table};
pub use kvota_uof_provider as uof_provider;

/// The guide, so that its examples are compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/testing.md")]
pub mod guide {}
