//! The calls under `/api/v1/live/`, one a file.

pub(super) mod hub;
pub(super) mod matches;
pub(super) mod offer;
mod place;
pub(super) mod translations;
