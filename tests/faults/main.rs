//! The rows of docs/reliability.md about a faulty feed and a faulty machine: compression bombs, deep nesting, doubled,
//! reordered, lost and newer messages, actors that panic, a clock that jumps. Each test prints its measurements for
//! `make reliability`.

mod bombs;
mod clock;
mod drift;
mod gaps;
mod mangled;
mod moments;
mod panics;
mod seen;
mod unapplied;
