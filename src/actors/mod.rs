//! The command side. One actor per sport and per match applies the feed's updates, one publisher per worker sends the
//! changes to the connections of that worker, and one actor per bettor holds a session. An actor receives, calls the
//! domain, writes the read model and publishes; the rules are in the domain.
//!
//! `system.rs` starts the feed actor and the publishers. Each other actor is started by its parent, which holds its
//! address: sports by the feed actor, matches by their sport, sessions by the sessions actor. `placement`,
//! `settlement`, `cash_out_rules` and `cash_out_availability` are services, not actors. Must not import http, load or composition.

pub mod bet_events;
pub mod bus;
pub mod cash_out_availability;
pub mod cash_out_rules;
pub mod fail_point;
pub mod feed_actor;
pub mod match_actor;
pub mod messages;
pub mod nodes;
mod pending_texts;
pub mod placement;
pub mod publisher;
pub mod session;
pub mod settlement;
pub mod sport_actor;
mod sports;
pub mod system;
