//! Tests of the ticket's rules in the order of CONTRACT 4: pairs, stake, taxes and totals, builder codes, placing. Each
//! test has an offer, a ticket, a command, and the expected result.

mod builder_codes;
mod kit;
mod pairs;
mod placing;
mod properties;
mod reference;
mod revalidation;
mod stake;
mod totals;
