//! Sports against the clock: soccer, basketball, rugby, American football, ice hockey, handball and futsal. They share
//! one state machine; each sport is a table of rules and a table of markets. A side scores at random moments (a Poisson
//! process), or the sides attack in turn. The points of a score are drawn; a goal is one point. Prices are computed from
//! the same process. Must not contain anything of a single sport.
//!
//! | file | subject |
//! |---|---|
//! | [`rules`] | the rules of a sport: scores, periods, pauses, overtime |
//! | [`scoring`] | distributions of further points; which side first reaches a number of points |
//! | [`game`] | the state machine |
//! | `periods` | how long periods are, what follows them, the clock |
//! | `short` | sides that are a player short, corners and cards |
//! | `reported` | matches with events from outside |
//! | `facts` | what the tracker shows |
//! | [`record`] | what has been scored, by period |
//! | [`question`] | the questions of markets, and their results |
//! | [`outlook`] | the probabilities of the rest of a game |
//! | [`overtime`] | the points that overtime adds to a drawn match |
//! | [`offer`] | the book |
//!
//! Sports of many points have no `leader_kind`. Points are so frequent that a strong side with a small lead becomes less
//! likely to win while nothing happens. The tests of [`outlook`] check that time helps a leader that is not the stronger
//! side.

mod facts;
pub mod game;
pub mod offer;
pub mod outlook;
pub mod overtime;
mod periods;
pub mod question;
pub mod record;
mod reported;
pub mod rules;
pub mod scoring;
mod short;
