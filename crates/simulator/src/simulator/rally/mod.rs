//! Sports with sets won by points: one engine, and for each sport a file with its rules as data.
//!
//! | file | subject |
//! |---|---|
//! | [`rules`] | what a sport's rules and habits are |
//! | [`play`] | a match by these rules, point by point |
//! | [`kinds`] | their kinds of markets |
//! | [`table_tennis`], [`volleyball`], [`badminton`], [`beach_volleyball`], [`squash`] | the sports |
//!
//! Every point is won with a chance that depends on who serves and on nothing else, so that prices are exact. A play
//! must never look at the time: breaks and timeouts take time and change nothing.

pub mod badminton;
pub mod beach_volleyball;
pub mod kinds;
pub mod play;
pub mod rules;
pub mod squash;
pub mod table_tennis;
pub mod volleyball;
