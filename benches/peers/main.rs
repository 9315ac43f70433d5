//! Compares the fan-out of several servers: a bare write loop (the reference), kvota, Bun, NATS over WebSocket and
//! RabbitMQ over Web-STOMP. `make peers` runs it; docs/performance.md has the results with their date.
//!
//! The work: connections, 200 topics and a common topic. Connection i subscribes to the common topic and to topic i mod
//! 200. By default the common topic publishes 10 times a second and each other topic once: 11 deliveries of 256 bytes a
//! second for each connection. A payload carries its due time, so that delays show. All servers have the same client,
//! on another core, and get their updates over a socket. The servers run in turns of a few seconds.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the figures are what it is run for")]

mod bare;
mod client;
mod growth;
mod offer;
mod ours;
mod plot;
mod publish;
mod ramp;
mod servers;
mod table;
mod turns;
mod work;

/// The runs and what each does.
const RUNS: &str = "\
fan-out      11 updates a second to each connection, written one by one (the default)
latency      the same with 10,000 connections
live-day     60 updates a second to each connection, gathered for 50 ms; the bare loop writes each by itself
saturation   the common topic faster by half, then by 10 % a step, until p99 is above 250 ms or less than 97 % arrives
stop         how late a match's stop is with the last connection, while prices saturate the server
growth       the cost by connections, by matches, and by connections that do not watch; draws docs/pictures/growth-*.svg
offer        GET live/offer beside nginx with the same bytes, and the first answer after a change";

fn main() {
    // cargo adds options of its own.
    let run = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    // The program also contains the servers; each runs as a separate process.
    let done = match run.as_deref() {
        Some("serve-bare") => return bare::serve(),
        Some("serve-ours") => return ours::serve(),
        Some("serve-offer") => return offer::serve(),
        None | Some("fan-out") => table::fan_out(1000),
        Some("latency") => table::fan_out(10_000),
        Some("live-day") => table::live_day(),
        Some("saturation") => ramp::saturation(),
        Some("stop") => ramp::stop(),
        Some("growth") => growth::growth(),
        Some("offer") => offer::offer(),
        Some(other) => Err(format!("{other} is none of these:\n{RUNS}")),
    };
    if let Err(reason) = done {
        eprintln!("{reason}");
        std::process::exit(1);
    }
}
