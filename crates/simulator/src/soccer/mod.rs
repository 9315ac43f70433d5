//! Our in-play soccer model: from the strength of two teams, the score, the clock and the red cards to some fifty kinds of
//! markets with prices, and to a match of the offer in four languages. Used by the replay of recorded matches and by
//! simulations; its odds are ours and must be labelled so wherever they are shown.
//!
//! [`strengths`] says what is expected of a pairing, [`state`] what has happened, [`outlook`] what is still to come;
//! [`markets`] fills a book of [`crate::pricing`] by the table of [`kinds`]; `verdicts` says what became of a market;
//! [`frame`] renders a recorded match with the words of [`texts`], [`teams`] and [`sport`]. Everything is pure: the same
//! situation gives the same prices. Floats are fine here, for chances; prices leave as exact thousandths.

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
pub mod texts;
pub(crate) mod verdicts;

#[cfg(test)]
mod book_tests;
