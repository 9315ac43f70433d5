//! The simulator of the feed: an endless offer that nobody played, made from a seed. Used by whoever composes the sources.
//!
//! [`names`] says what teams, players and tournaments are called. Must never read a clock of its own.

pub mod names;
