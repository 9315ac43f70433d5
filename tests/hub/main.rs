//! The live hub: its bytes (docs/protocol.md) and its promises (CONTRACT 3).

mod commands;
mod golden;
