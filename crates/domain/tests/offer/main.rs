//! Tests of the offer's rules: how feed messages change a match, and which changes its readers receive.

mod codes;
mod deltas;
mod matches;
mod rows;
mod shared;
mod words;
