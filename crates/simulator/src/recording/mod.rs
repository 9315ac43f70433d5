//! The replay of recorded matches (`data/wyscout-soccer`, CC BY 4.0): real goals, cards, corners and ball positions
//! with the second at which they happened; the odds come from our own model ([`super::soccer`]) and must be labelled so
//! wherever they are shown.
//!
//! [`files`] finds and inflates, [`wyscout`] reads (events by `events`), [`timeline`] is what was read, [`script`] puts a
//! match on one time axis, [`play`] follows it and keeps its story (`story`), and [`generator`] replays all of them, round and round. Nothing here may
//! read a clock or draw a random number: the same moments give the same changes.

mod events;
pub mod files;
pub mod generator;
pub mod play;
pub mod script;
mod story;
pub mod timeline;
pub mod wyscout;
