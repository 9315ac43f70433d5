//! The calls under `/api/v1/live/`, one per file.

pub(super) mod admission;
#[cfg(feature = "testkit")]
pub(super) mod by_hand;
mod connection;
pub(super) mod history;
pub(super) mod hub;
pub(super) mod matches;
pub(super) mod offer;
mod resync;
pub(super) mod rules;
pub(super) mod scoreboard;
pub(super) mod send_ticket;
pub(super) mod socket;
pub(super) mod stream;
pub(super) mod translations;
pub(super) mod user_status;
