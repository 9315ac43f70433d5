//! Our in-play soccer model.

pub mod state;
