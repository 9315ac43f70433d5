//! `kvota load` as whoever tests a server meets it: the program itself against a small system, what its sessions do, what
//! it writes, and how it ends.

mod convergence;
mod ends;
mod hostile;
mod navigation;
mod personas;
mod proxy;
mod schema;
mod stage;
