//! The replay of recorded matches as a reader of its feed sees it, from kick-off to end, in four languages.

mod embedded;
mod producer;
mod reader;
mod replay;
