//! Sends events of the offer to the sockets of one worker thread. Nothing here crosses threads, and there is no mailbox
//! between an update and a socket.
//!
//! | file | subject |
//! |---|---|
//! | [`publisher_actor`] | receives events, decides when rooms send |
//! | [`rooms`] | which connections watch what; builds each frame once per room |
//! | `flush_schedule` | the flush schedule: when each room sends |
//! | [`outbox`], `catch_up` | the bytes that one socket has not taken yet; the state it receives after it fell behind |
//! | `checksums` | checksums by which clients notice a lost update |

mod catch_up;
mod checksums;
mod flush_schedule;
pub mod outbox;
pub mod publisher_actor;
pub mod rooms;
