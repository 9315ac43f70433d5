//! Plays and prices sports: recorded matches, simulated ones, the prices of their markets and the results. Everything is
//! pure but for reading recorded files; the caller hands in the time.
//!
//! Must never import anything above the domain, nor read a clock.

pub mod fixture;
pub mod generator;
pub mod pricing;
pub mod producer;
pub mod recording;
pub mod results;
pub mod simulator;
pub mod soccer;
