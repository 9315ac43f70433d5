//! The live hub: its bytes (docs/protocol.md) and its promises over a real socket (CONTRACT 3).

mod admission;
mod bodies;
mod client;
mod commands;
mod convergence;
mod faults;
mod golden;
mod handshake;
mod manners;
mod reading;
mod sessions;
