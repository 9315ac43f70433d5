//! The test kit's own tests: each piece does what it says, and its failures tell what there is to know.

mod chaos;
mod crew;
mod failing;
mod fakes;
mod model;
mod mutated;
mod probes;
mod rules;
mod worlds;
