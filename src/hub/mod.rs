//! The live connection (CONTRACT 3): from events of the offer to the sockets of the clients, and from their commands to
//! the sessions. Nothing here crosses threads except batches of events, which the publishers of all workers share.
//!
//! | file | subject |
//! |---|---|
//! | `websocket` | the handshake and the commands of a client; the only file with the WebSocket crate |
//! | `admission` | whether one more connection is allowed |
//! | `connection` | what one connection watches, and the messages of its session |
//! | [`open_bets`] | reads the open bets of accounts, at most so many at a time |
//! | `resync` | how often a connection may ask for everything again |
//! | `socket` | the loop that reads and writes a socket |
//! | [`encode`] | events of the offer become messages, once for all connections |
//! | [`publishers`], [`publisher_actor`] | one publisher per worker: receives messages, decides when rooms send |
//! | [`rooms`] | which connections watch what; builds each frame once per room |
//! | `flush_schedule` | when each room sends |
//! | [`outbox`], `catch_up` | the bytes that one socket has not taken yet; the state it receives after it fell behind |
//! | `checksums` | checksums by which clients notice a lost update |

pub mod admission;
mod catch_up;
mod checksums;
mod connection;
pub mod encode;
mod flush_schedule;
pub mod limits;
#[cfg(feature = "testkit")]
pub(crate) mod memory_socket;
pub mod open_bets;
pub mod outbox;
mod pace;
pub mod publisher_actor;
pub mod publishers;
mod resync;
pub mod rooms;
pub(crate) mod socket;
pub mod websocket;
