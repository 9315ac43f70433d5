//! Our in-play soccer model.

pub mod book;
mod counts;
mod full_time;
mod halves;
pub mod kinds;
mod knock_out;
pub mod markets;
pub mod outlook;
pub mod poisson;
pub mod price;
pub mod state;
pub mod strengths;

#[cfg(test)]
mod book_tests;
