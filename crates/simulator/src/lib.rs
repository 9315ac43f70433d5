//! Plays and prices sports: recorded matches, simulated matches, the prices of their markets and the results. Pure
//! except for reading recorded files; the caller passes in the time.
//!
//! Must not import anything above the domain, and must not read a clock.

pub mod catalogue;
pub mod fixture;
pub mod generator;
pub mod limits;
pub mod pricing;
pub mod producer;
pub mod recording;
pub mod results;
pub mod simulator;
