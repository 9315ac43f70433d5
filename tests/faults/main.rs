//! The rows of the scoreboard (docs/reliability.md) that are about a feed which lies and a machine that stumbles: bombs,
//! nesting, doubled, reordered, lost and later messages, actors that panic, a clock that jumps. Each prints what it
//! measured for `make reliability`.

mod bombs;
mod clock;
mod drift;
mod gaps;
mod mangled;
mod panics;
mod seen;
mod unapplied;
