//! Tests of the test kit: each part works, and its failure messages contain what one needs to know.

mod actor_tracker;
mod chaos;
mod failing;
mod fakes;
mod model;
mod mutated;
mod outside;
mod probes;
mod rules;
mod sockets;
mod worlds;
