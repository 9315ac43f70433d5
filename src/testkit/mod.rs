//! Floor 7, feature `testkit`: what tests of kvota, and of what is built on it, are made of. `docs/testing.md` is its guide.
//!
//! | module | subject |
//! |---|---|
//! | [`probe`], [`fake`] | stand in for other actors: what must arrive, what is answered |
//! | [`crew`] | the actors of a test: watched, killed, looked into, and missed where they are left running |
//! | [`time`], [`seed`] | a clock that is held; chance that can be thrown again |
//! | [`table`], [`builders`] | what the feed says, as lines or as words |
//! | [`story`] | given, when, then for the rules of the domain |
//! | [`slip`] | slips on their way to the server, their amounts right |
//! | [`world`], [`virtual_world`] | a whole small system: behind sockets, or on one thread and a held clock |
//! | [`replica`], [`hub_socket`] | a reader of the live hub, and a connection without a socket |
//! | [`proxy`], [`faulty_store`] | links and stores that fail when told to |
//! | [`targets`], [`mutator`] | what strangers can send, and what becomes of it on the way |
//! | [`simulation`] | the whole system under seeded faults |
//! | [`measured`] | figures for the scoreboard, which no test is decided by |
//!
//! Must never import app, config, cli or telemetry, nor be imported outside tests.

pub mod crew;
pub mod fake;
pub mod faulty_store;
pub mod hub_socket;
pub mod probe;
pub mod proxy;
pub mod simulation;
pub mod targets;
pub mod time;
pub mod virtual_world;
pub mod world;

pub use crate::load::replica;
pub(crate) use kvota_testkit::history;
pub use kvota_testkit::{builders, measured, mutator, seed, slip, story, table};

/// The examples of the guide, which are compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/testing.md")]
pub mod guide {}
