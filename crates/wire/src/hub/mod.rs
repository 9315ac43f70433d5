//! The bytes of the live hub (docs/protocol.md, CONTRACT 3): messages to the client, commands from it, frames.
//! A change of a byte here needs the same change in docs/protocol.md. No test compares that page with the code;
//! `tests/golden/hub/` has the bytes that the Rust and the TypeScript tests read.

pub mod change;
pub mod command;
pub mod fragment;
pub mod frame;
pub mod message;
pub mod scan;
pub mod sums;
pub mod ticket;
