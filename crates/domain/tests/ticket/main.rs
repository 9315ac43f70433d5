//! The rules of the ticket, line by line as CONTRACT 4 has them: pairs, stake, taxes and totals, builder codes, placing.
//! Given an offer and a ticket, when something is asked for, then this comes of it.

mod builder_codes;
mod judged_again;
mod kit;
mod pairs;
mod placing;
mod properties;
mod reference;
mod stake;
mod totals;
