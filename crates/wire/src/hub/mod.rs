//! The bytes of the live hub (docs/protocol.md, CONTRACT 3): messages to the client, commands from it, frames.
//! Whoever changes a byte here changes docs/protocol.md with it; `tests/tidy.rs` holds the two together.

pub mod change;
pub mod command;
pub mod fragment;
pub mod frame;
pub mod message;
pub mod scan;
pub mod ticket;
