//! Bettors' sessions, as their connections have them: taps in the place of sockets, a feed that the test speaks, stores
//! in memory (CONTRACT 3, *favourites* and the verbs of the ticket; CONTRACT 4, *The ticket*).

mod idle;
mod kept;
mod logins;
mod offer;
mod stage;
mod store_trouble;
mod tabs;
