//! Sports with sets won by points: one engine, and for each sport a file with its rules as data.
//!
//! | file | subject |
//! |---|---|
//! | [`rules`] | the rules and breaks of a sport |
//! | [`play`] | a match by these rules, point by point |
//! | [`table_tennis`], [`volleyball`], [`badminton`], [`beach_volleyball`], [`squash`] | the sports |
//!
//! The probability of winning a point depends only on the server, so that prices are exact. A play must never use the
//! time: breaks and timeouts take time and do not change probabilities.

pub mod badminton;
pub mod beach_volleyball;
pub mod play;
pub mod rules;
pub mod squash;
pub mod table_tennis;
pub mod volleyball;
