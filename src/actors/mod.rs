//! The command side. One actor per sport and per match applies the feed's updates and publishes events of the offer; one
//! actor per bettor holds a session. An actor receives, calls the domain, writes the read model and publishes; the rules
//! are in the domain.
//!
//! `system.rs` starts the feed actor. Each other actor is started by its parent, which holds its address: sports by the
//! feed actor, matches by their sport, sessions by the sessions actor. Must not import hub, http, load or composition.

pub mod bus;
pub mod fail_point;
pub mod feed_actor;
pub mod limits;
pub mod mailboxes;
pub mod match_actor;
pub mod messages;
pub mod offer_context;
mod pending_texts;
pub mod session;
pub mod sport_actor;
mod sport_router;
pub mod system;
