//! Floor 7, feature `testkit`: what tests of kvota, and of what is built on it, are made of.
//!
//! Must never import app, config, cli or telemetry, nor be imported outside tests.

pub mod builders;
pub mod faulty_store;
pub mod world;

pub use crate::load::replica;
