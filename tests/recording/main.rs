//! The replay of recorded matches: what a reader of its feed sees, from the kick-off to the end, in four languages.

mod embedded;
mod producer;
mod reader;
mod replay;
