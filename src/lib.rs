//! kvota: live, in-play sports betting. This file is the map of the program.
//!
//! The layers, lowest first. Those above the line are packages of their own, so Cargo checks what they import; a test
//! (`tests/tidy/layers.rs`) checks the folders of this package, which import only what stands above them.
//!
//! ```text
//!  kvota_domain       the rules: pure functions of values
//!  kvota_wire         converts bytes to domain values and back
//!  kvota_store        accounts, bets, results and sessions in a database
//!  kvota_simulator    plays and prices sports, and reports results
//!  kvota_feed         the sources of the offer, and the recovery of a feed
//!  kvota_read_model   the query side: the current offer, already encoded
//!  kvota_load         the load tester: thousands of sessions over the public interface
//!  ──────────────────────────────────────────────────────────────────────────────────────────
//!  betting            the services of betting: placing, cashing out and settling bets
//!  actors             the command side: the actors of the offer and of the sessions
//!  http               the calls
//!  hub                the live connection: events become messages, messages reach sockets
//!  testkit            the actor test kit (feature `testkit`)
//!  config             the configuration
//!  the other files    composition: the command line (`cli.rs`, `app.rs`), the server (`serving.rs`) and its parts
//! ```
//!
//! One exception: `http` mounts the handshake of the hub among its calls, and its state holds the hub's admission.

pub mod actors;
pub mod app;
pub mod app_error;
pub mod arguments;
pub mod betting;
pub mod cli;
pub mod config;
mod cookie_key;
pub mod http;
pub mod hub;
pub mod nodes;
mod open_files;
mod register_client;
mod serving;
mod signals;
mod sources;
mod stores;
mod supervise;
pub mod telemetry;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod wall_clock;
