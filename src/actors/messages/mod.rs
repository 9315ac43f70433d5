//! The messages between actors. Commands are imperatives, events participles. A message is never changed after it is
//! made; large content is shared, or passed in a [`pending_update`] that the receiver empties.

pub mod events;
pub mod offer;
pub mod pending_update;
