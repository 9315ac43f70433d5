//! The way of an update from the offer to the sockets of one worker thread: [`publisher_actor`] is told it, [`rooms`]
//! knows who watches what and builds each frame once, [`timetable`] when it leaves, [`outbox`] is what one socket has not
//! taken yet. Nothing here crosses threads, and no mailbox stands between an update and a socket (DESIGN 3).

mod catch_up;
pub mod outbox;
pub mod publisher_actor;
pub mod rooms;
mod tally;
mod timetable;
