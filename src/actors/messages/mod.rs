//! What actors say to each other: commands are imperatives, events participles. A message is never changed after it
//! was made; what is large in it is shared, or handed on in a parcel that its receiver empties.

pub mod events;
pub mod offer;
pub mod parcel;
