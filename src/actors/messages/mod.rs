//! What actors say to each other: commands are imperatives, events participles. A message is never changed after it
//! was made; what is large in it is shared.

pub mod events;
pub mod offer;
