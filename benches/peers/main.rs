//! The same fan-out work by several servers, side by side: a bare write loop (the limit), kvota, Bun, NATS over WebSocket
//! and RabbitMQ over Web-STOMP. `make peers` runs it; docs/performance.md has what it found, and when.
//!
//! The work: so many connections, 200 topics and a common one. Connection i follows the common topic and topic i mod 200.
//! The common topic speaks 10 times a second, each other once: 11 deliveries a second and connection, of 256 bytes. A
//! payload carries the moment at which it was due, so that a server which falls behind shows it. One client for all: that
//! of the load tester, on another core than the server. Servers take turns, several rounds of them.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the figures are what it is run for")]

mod bare;
mod client;
mod ours;
mod publish;
mod servers;
mod work;

use client::Seen;
use servers::Peer;
use std::collections::BTreeMap;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // The program is also its own servers, so that each is a process by itself.
    match arguments.get(1).map(String::as_str) {
        Some("serve-bare") => return bare::serve(),
        Some("serve-ours") => return ours::serve(),
        _ => {}
    }
    let number = |name: &str, other: u32| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other);
    let (connections, rounds, seconds) =
        (number("PEERS_CONNECTIONS", 1000), number("PEERS_ROUNDS", 3), number("PEERS_SECONDS", 8));
    println!(
        "{connections} connections, {} deliveries a second of 256 bytes, {rounds} rounds of {seconds} s\n",
        connections * 11
    );
    let mut seen: BTreeMap<usize, Vec<Seen>> = BTreeMap::new();
    for round in 0..rounds {
        for (place, peer) in Peer::ALL.into_iter().enumerate() {
            match peer.measure(connections, seconds) {
                Ok(figures) => seen.entry(place).or_default().push(figures),
                Err(reason) if round == 0 => eprintln!("{} is left out: {reason}", peer.name()),
                Err(_) => {}
            }
        }
    }
    println!(
        "{:<26}{:>14}{:>9}{:>10}{:>10}{:>12}{:>10}",
        "", "us a delivery", "x limit", "p50, ms", "p99, ms", "KiB a conn.", "arrived"
    );
    let limit = seen.get(&0).map(|rounds| median(rounds, |it| it.us_each));
    for (place, rounds) in &seen {
        let us_each = median(rounds, |it| it.us_each);
        println!(
            "{:<26}{us_each:>14.1}{:>9.2}{:>10.1}{:>10.1}{:>12.1}{:>9.1}%",
            Peer::ALL[*place].name(),
            us_each / limit.unwrap_or(f64::NAN),
            median(rounds, |it| it.p50_ms),
            median(rounds, |it| it.p99_ms),
            median(rounds, |it| it.kib_each),
            median(rounds, |it| it.arrived * 100.0),
        );
    }
}

fn median(rounds: &[Seen], value: impl Fn(&Seen) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
