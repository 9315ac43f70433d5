//! `kvota load` as its user runs it: the program against a small system; what its sessions do, what it writes, and its
//! exit codes.

mod convergence;
mod ends;
mod hostile;
mod navigation;
mod personas;
mod proxy;
mod schema;
mod stage;
mod testers;
mod verdicts;
