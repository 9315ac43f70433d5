//! The replay of recorded matches (`data/wyscout-soccer`, CC BY 4.0): real goals, cards, corners and ball positions,
//! each with its second. The odds come from our own model
//! ([`crate::simulator::soccer`]); every page that shows them must say so.
//!
//! [`files`] finds and decompresses the files, [`wyscout`] and `events` decode them into a [`timeline`], [`script`]
//! puts a match on one time axis, [`play`] plays it and keeps its history (`story`), and [`generator`] replays all
//! matches in a loop. Nothing here may read a clock or draw a random number: the same times give the same changes.

mod events;
pub mod files;
pub mod generator;
pub mod period;
pub mod play;
pub mod script;
mod story;
mod teams;
pub mod timeline;
pub mod wyscout;
