//! Sessions of bettors: ticket and favourites. All of it runs on one thread of its own, apart from the server's
//! workers; only inboxes and session handles are used by other threads.
//!
//! | file | subject |
//! |---|---|
//! | [`session_actor`], `saving` | one session: its commands and events; when and how it is saved |
//! | [`sessions`] | finds or starts the session of a connection; moves a session at login |
//! | [`registry`] | the registry of live sessions, shared by the actors of the thread |
//! | [`subscriptions`] | which sessions are subscribed to which match |
//! | [`inbox`], `handle` | what a connection receives from its session; how it sends commands to it |
//! | `connections`, `store_line` | the index of all connections; the store with a time limit |
//! | `other_nodes` | what other nodes did to sessions and cookies |
//! | `cash_out_values` | the cash-out values of watched bets |
//! | `ticket_info` | the ticket as it is shown in one language |
//!
//! The session actor, its saving, the registry, the handle and the sessions actor import each other: each holds the
//! address of another or answers it.

mod bet_news;
mod cash_out_values;
mod connections;
mod handle;
pub mod inbox;
mod logging_in;
mod login_watch;
mod other_nodes;
pub mod registry;
mod saving;
pub mod session_actor;
pub mod sessions;
mod store_line;
pub mod subscriptions;
mod ticket_info;

pub use cash_out_values::CashOutValues;
pub use handle::SessionHandle;
pub use ticket_info::ticket_info;
