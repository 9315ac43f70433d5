//! Tools for tests of actix actors, which know nothing of the program.
//!
#![doc = include_str!("../README.md")]
//!
//! Must not import an actor of the program, a socket, a store or a broker.

pub mod actor_tracker;
pub mod fake;
pub mod log_probe;
pub mod probe;
pub mod time;

pub use kvota_testkit::seed;
