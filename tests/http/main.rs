//! The calls of CONTRACT 2, each against a real server on its own port. The files mirror the route table.

mod assets;
mod documents;
mod errors;
mod history;
mod kit;
mod limits;
mod links;
mod matches;
mod offer;
mod operation;
mod scoreboard;
mod security;
mod translations;
