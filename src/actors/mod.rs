//! Floor 4: who may change what. One actor per sport and per match applies what the feed says, one publisher a worker
//! tells the connections of that worker. An actor receives, calls the domain, writes the read model, tells; it decides
//! nothing by itself and knows other actors only by their messages. `system.rs` is the whole topology.
//!
//! Must never import http, load, or anything above, nor speak to a socket or a broker.

pub mod bus;
pub mod fail_point;
pub mod feed_actor;
pub mod match_actor;
pub mod messages;
pub mod placement;
pub mod publisher;
pub mod session;
pub mod settlement;
pub mod sport_actor;
mod sports;
pub mod system;
mod unseen;
