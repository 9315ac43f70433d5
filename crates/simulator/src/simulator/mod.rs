//! Plays matches of all sports of the live offer, endlessly and from a seed: realistic state machines of each sport's
//! rules, markets with prices that follow from the state, and a result for every decided market. The same seed and
//! speed give the same feed on any machine.
//!
//! | file | subject |
//! |---|---|
//! | [`generator`] | many concurrent matches; in each place one after the other |
//! | [`options`] | the number of matches, sports, seed and speed, with the allowed ranges |
//! | [`course`] | one match from its announcement to its end, with rare events |
//! | [`sport`] | the interface of a sport |
//! | [`sports`] | the table of the sports |
//! | [`frame`] | a match at one moment, which can be rendered in any language |
//! | [`random`] | random numbers from a seed |
//! | [`names`] | fictional teams, people and tournaments, in Latin and Cyrillic script |
//! | [`calibration`] | checks that an answer priced at p happens with frequency p |
//! | [`diagram`] | draws the calibration |
//! | [`clock`] | the engine of goals and points |
//! | [`soccer`], [`goals`], [`basketball`], [`rugby`], [`american_football`] | its sports; `goals` has three |
//! | [`sets`] | the engine of sets |
//! | [`rally`], [`tennis`], [`darts`], [`snooker`] | its sports; `rally` has five |
//! | [`baseball`], [`cricket`], [`mma`] | innings and rounds, each with its own model |
//! | `settled` | results that all of them share |
//!
//! Everything is pure: it must never read a clock, draw a number that is not from its seed, or call a float's own
//! `exp`, `ln` or `powf` ([`crate::pricing::maths`] has those that are the same everywhere).

pub mod american_football;
pub mod baseball;
pub mod basketball;
pub mod calibration;
pub mod clock;
pub mod course;
pub mod cricket;
pub mod darts;
pub mod diagram;
pub mod frame;
pub mod generator;
pub mod goals;
pub mod mma;
pub mod names;
pub mod options;
pub mod rally;
pub mod random;
pub mod rugby;
pub mod sets;
mod settled;
pub mod snooker;
pub mod soccer;
pub mod sport;
pub mod sports;
pub mod tennis;

#[cfg(test)]
mod client_tests;
#[cfg(test)]
mod fact_tests;
#[cfg(test)]
mod result_tests;
#[cfg(test)]
mod sport_tests;
