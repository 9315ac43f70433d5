//! The pure part of the test kit: builders, feed tables, seeds and stories. Called by the tests of the members under
//! `crates/` and, through `kvota::testkit`, by those of the program, which adds worlds, probes and the simulation.
//!
//! Must never import an actor, a socket or a store.

pub mod builders;
pub mod history;
pub mod measured;
pub mod mutator;
pub mod seed;
pub mod slip;
pub mod story;
pub mod table;
