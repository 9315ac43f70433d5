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
//!  config             the configuration
//!  server             composition: the services of a node, and the server around them
//!  command            the command line, and what its commands do
//!  testkit            the actor test kit (feature `testkit`)
//! ```
//!
//! One exception: `http` mounts the handshake of the hub among its calls, and its state holds the hub's admission.

pub mod actors;
pub mod betting;
pub mod command;
pub mod config;
mod error;
pub mod http;
pub mod hub;
pub mod panics;
pub mod server;
pub mod telemetry;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod wall_clock;
