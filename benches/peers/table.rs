//! Runs that compare servers at one rate; prints one line for each.

use crate::client::{self, Seen};
use crate::servers::Peer;
use crate::work::{Rates, Work, variable};
use std::collections::BTreeMap;

/// A server, and the interval in ms for which it gathers.
#[derive(Clone, Copy)]
pub(crate) struct Entrant {
    /// Its name in PEERS_ONLY.
    pub(crate) key: &'static str,
    pub(crate) name: &'static str,
    pub(crate) peer: Peer,
    pub(crate) gather_ms: u32,
}

/// The reference: all others are compared with it.
pub(crate) const BARE: Entrant =
    Entrant { key: "bare", name: "bare write loop (limit)", peer: Peer::Bare, gather_ms: 0 };
/// kvota with its default interval.
pub(crate) const OURS: Entrant =
    Entrant { key: "kvota", name: "kvota, gathers 50 ms", peer: Peer::Ours, gather_ms: 50 };
/// kvota with the smallest allowed http.gather_ms.
pub(crate) const OURS_AT_ONCE: Entrant =
    Entrant { key: "kvota-2", name: "kvota, gathers 2 ms", peer: Peer::Ours, gather_ms: 2 };
pub(crate) const BUN: Entrant = Entrant { key: "bun", name: "Bun publish", peer: Peer::Bun, gather_ms: 0 };
pub(crate) const BUN_GATHERED: Entrant =
    Entrant { key: "bun-50", name: "Bun publish, gathers 50 ms", peer: Peer::Bun, gather_ms: 50 };
const NATS: Entrant = Entrant { key: "nats", name: "NATS over WebSocket", peer: Peer::Nats, gather_ms: 0 };
const RABBIT: Entrant = Entrant { key: "rabbit", name: "RabbitMQ Web-STOMP", peer: Peer::Rabbit, gather_ms: 0 };

/// The entrants named in PEERS_ONLY (keys separated by commas), or all.
pub(crate) fn chosen(all: &[Entrant]) -> Vec<Entrant> {
    let only = std::env::var("PEERS_ONLY").unwrap_or_default();
    let is_named = |entrant: &&Entrant| only.is_empty() || only.split(',').any(|key| key == entrant.key);
    all.iter().filter(is_named).copied().collect()
}

/// Compares all servers; updates are sent one by one where the server can do so.
pub(crate) fn fan_out(connections: u32) -> Result<(), String> {
    let all: &[Entrant] = if connections > 5_000 {
        &[BARE, OURS_AT_ONCE, OURS, BUN]
    } else {
        &[BARE, OURS_AT_ONCE, OURS, BUN, NATS, RABBIT]
    };
    compare(all, connections, &Work::usual())
}

/// Compares at 60 updates a second for each connection.
pub(crate) fn live_day() -> Result<(), String> {
    let rates =
        Rates { common: variable("PEERS_COMMON_HZ", 50.0), topic: variable("PEERS_TOPIC_HZ", 10.0), stops: 0.0 };
    compare(&[BARE, OURS, BUN_GATHERED], 5_000, &Work { rates, ..Work::usual() })
}

fn compare(all: &[Entrant], connections: u32, work: &Work) -> Result<(), String> {
    let connections = variable("PEERS_CONNECTIONS", connections);
    let (rounds, seconds) = (variable("PEERS_ROUNDS", 3), variable("PEERS_SECONDS", 8));
    let all = chosen(all);
    println!(
        "{connections} connections, {:.0} deliveries a second of 256 bytes, {rounds} rounds of {seconds} s\n",
        f64::from(connections) * work.rates.each()
    );
    let mut seen: BTreeMap<usize, Vec<(Seen, f64)>> = BTreeMap::new();
    for round in 0..rounds {
        for (place, entrant) in all.iter().enumerate() {
            match measure(*entrant, connections, work, seconds) {
                Ok(figures) => seen.entry(place).or_default().push(figures),
                Err(reason) if round == 0 => eprintln!("{} is left out: {reason}", entrant.name),
                Err(reason) => eprintln!("{}, round {}: {reason}", entrant.name, round + 1),
            }
        }
    }
    println!(
        "{:<28}{:>13}{:>9}{:>9}{:>9}{:>9}{:>10}{:>9}{:>12}{:>9}",
        "", "us a deliv.", "x limit", "p50, ms", "p99, ms", "joined", "arrived", "core", "client core", "KiB"
    );
    let limit = all.iter().position(|entrant| entrant.peer == Peer::Bare).and_then(|place| seen.get(&place));
    let limit = limit.map_or(f64::NAN, |rounds| median(rounds, |(it, _)| it.us_each));
    for (place, rounds) in &seen {
        let us_each = median(rounds, |(it, _)| it.us_each);
        println!(
            "{:<28}{us_each:>13.2}{:>9.2}{:>9.1}{:>9.1}{:>9.1}{:>9.1}%{:>8.0}%{:>11.0}%{:>9.1}",
            all[*place].name,
            us_each / limit,
            median(rounds, |(it, _)| it.p50_ms),
            median(rounds, |(it, _)| it.p99_ms),
            median(rounds, |(it, _)| it.joined),
            median(rounds, |(it, _)| it.arrived * 100.0),
            median(rounds, |(it, _)| it.server_share * 100.0),
            median(rounds, |(it, _)| it.client_share * 100.0),
            median(rounds, |(_, kib)| *kib),
        );
    }
    Ok(())
}

/// One round: the measurements, and the server's memory for each connection in KiB.
pub(crate) fn measure(entrant: Entrant, connections: u32, work: &Work, seconds: u32) -> Result<(Seen, f64), String> {
    let work = Work { gather_ms: entrant.gather_ms, ..*work };
    let server = entrant.peer.start(&work)?;
    client::with(server, connections, async |fleet| {
        fleet.pace(work.rates).await?;
        Ok((fleet.window(seconds, work.rates).await?, fleet.kib_each()))
    })
}

pub(crate) fn median<T>(rounds: &[T], value: impl Fn(&T) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
