//! Sports in which points are scored against the clock: basketball, rugby and American football, each a table of rules
//! and of markets over one state machine. A side scores at random moments, each as likely as the next, or in attacks that
//! alternate; a score draws what it is worth. Prices are worked out from the very same process.
//!
//! | file | subject |
//! |---|---|
//! | [`rules`] | what a sport's module says: scores, periods, pauses, overtime |
//! | [`scoring`] | points still to come, as distributions; who comes first to so many |
//! | [`game`] | the state machine |
//! | [`record`] | what has been scored, by period |
//! | [`question`] | what can be asked, and what became of it |
//! | [`outlook`] | what is still to come, from the state of the game |
//! | [`overtime`] | what an overtime adds to a drawn match |
//! | [`offer`] | the book |
//! | [`words`] | names of markets that these sports share |
//!
//! Of these sports none has a `leader_kind`: points fall so often that a strong side that leads by a little loses chances
//! while nothing happens. The tests of [`outlook`] show that time helps a leader who is no stronger than the other.

pub mod game;
pub mod offer;
pub mod outlook;
pub mod overtime;
pub mod question;
pub mod record;
pub mod rules;
pub mod scoring;
pub mod words;
