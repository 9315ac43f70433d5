//! Sessions as their connections see them, with a test feed and stores in memory instead of sockets and databases
//! (CONTRACT 3, *favourites* and the verbs of the ticket; CONTRACT 4, *The ticket*).

mod idle;
mod kept;
mod logins;
mod offer;
mod stage;
mod store_trouble;
mod tabs;
