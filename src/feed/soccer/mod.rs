//! Our in-play soccer model.

pub mod book;
mod counts;
pub mod frame;
mod full_time;
mod halves;
pub mod kinds;
mod knock_out;
pub mod markets;
pub mod outlook;
pub mod poisson;
pub mod price;
pub mod sport;
pub mod state;
pub mod strengths;
pub mod teams;
pub mod texts;
pub mod words;

#[cfg(test)]
mod book_tests;
