//! The pure part of the test kit: builders, feed tables, seeds and given-when-then scenarios. Used by the tests of the
//! crates and, through `kvota::testkit`, by those of the program.
//!
//! Must not import an actor, a socket or a store.

pub mod builders;
pub mod measured;
pub mod mutator;
pub mod received;
pub mod scenario;
pub mod seed;
pub mod slip;
pub mod table;
