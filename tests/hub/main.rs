//! The live hub over real sockets: its encoded messages (docs/protocol.md) and its guarantees (CONTRACT 3).

mod admission;
mod bets;
mod bodies;
mod client;
mod commands;
mod convergence;
mod fan_out;
mod faults;
mod golden;
mod handshake;
mod manners;
mod match_clocks;
mod nodes;
mod payouts;
mod reading;
mod reality;
mod sessions;
mod tasks;
