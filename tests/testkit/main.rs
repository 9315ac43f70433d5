//! Tests of the test kit: each part works, and its failure messages contain what one needs to know.

mod chaos;
mod crew;
mod failing;
mod fakes;
mod model;
mod mutated;
mod probes;
mod rules;
mod worlds;
