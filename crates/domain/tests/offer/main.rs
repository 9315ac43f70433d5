//! The rules of the offer: what a change of the feed makes of a match, and what its readers are told.

mod codes;
mod deltas;
mod matches;
mod rows;
mod words;
