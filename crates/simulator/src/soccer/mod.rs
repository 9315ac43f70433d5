//! Our in-play soccer model: computes some fifty kinds of markets with prices from the strengths of two teams, the
//! score, the clock and the red cards, and renders a match in four languages. Used by the replay of recorded matches
//! and by simulations. The odds are our own; every page that shows them must say so.
//!
//! [`strengths`] has the expectations of a pairing, [`state`] the match so far, and [`outlook`] the expectations of its
//! rest. [`markets`] fills a book of [`crate::pricing`] by the table of [`kinds`]; `verdicts` decides the results.
//! [`frame`] renders a recorded match with the texts of [`texts`], [`teams`] and [`sport`]. Everything is pure: the
//! same situation gives the same prices. Probabilities are floats; prices are exact thousandths.

mod counts;
pub mod frame;
pub(crate) mod full_time;
pub(crate) mod halves;
pub mod kinds;
pub(crate) mod knock_out;
pub mod markets;
pub mod outlook;
pub mod sport;
pub mod state;
pub mod strengths;
pub mod teams;
pub(crate) mod verdicts;

#[cfg(test)]
mod book_tests;
