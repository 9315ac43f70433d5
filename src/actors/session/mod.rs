//! Bettors' sessions: [`session_actor`] is one bettor's ticket and favourites, [`sessions`] finds or starts it for a
//! connection, [`concern`] knows which sessions a match concerns, [`tap`] is what one connection has not been told yet,
//! [`line`] is the connection's way to the session, [`connections`] the index of all connections,
//! [`store_line`] speaks to the store with a limit of time. All of it lives on one thread of its own, away from those
//! that serve; only taps and handles cross over.

pub mod concern;
mod connections;
pub mod desk;
mod line;
mod saving;
pub mod session_actor;
pub mod sessions;
mod store_line;
pub mod tap;
mod telling;

pub use line::Line;
pub use telling::ticket_info;
