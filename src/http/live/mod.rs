//! The calls under `/api/v1/live/`, one per file.

pub(super) mod matches;
pub(super) mod offer;
pub(super) mod price_history;
pub(super) mod rules;
pub(super) mod scoreboard;
pub(super) mod send_ticket;
pub(super) mod stream;
pub(super) mod translations;
pub(super) mod user_status;
