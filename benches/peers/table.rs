//! Runs that compare servers at one rate; prints one line for each.

use crate::client::{self, Seen};
use crate::servers::Peer;
use crate::turns::Ratios;
use crate::work::{Rates, Work, variable};

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

/// The servers run at the same time, all but one silent, and each speaks in short windows in its turn. Another's server
/// that breaks down under the load is left out from then on.
fn compare(all: &[Entrant], connections: u32, work: &Work) -> Result<(), String> {
    let wanted = variable("PEERS_CONNECTIONS", connections);
    let (turns, seconds) = (variable("PEERS_ROUNDS", 11), variable("PEERS_SECONDS", 3));
    let (mut entrants, mut servers) = (Vec::new(), Vec::new());
    for entrant in chosen(all) {
        match entrant.peer.start(&Work { gather_ms: entrant.gather_ms, ..*work }) {
            Ok(server) => {
                entrants.push(entrant);
                servers.push(server);
            }
            Err(reason) => eprintln!("{} is left out: {reason}", entrant.name),
        }
    }
    let connections = wanted.min(connections_max(servers.len()));
    println!(
        "{connections} connections to each server, {:.0} deliveries a second of 256 bytes, {turns} turns of {seconds} s\n",
        f64::from(connections) * work.rates.each()
    );
    let seen = client::with_all(servers, connections, async |fleets| {
        let mut seen: Vec<Option<Vec<(Seen, f64)>>> = fleets.iter().map(|_| Some(Vec::new())).collect();
        for turn in 0..turns {
            let forward = turn % 2 == 0;
            for step in 0..fleets.len() {
                // Back and forth, so that no place gains from a change of the machine's speed.
                let place = if forward { step } else { fleets.len() - 1 - step };
                let (entrant, fleet) = (entrants[place], &fleets[place]);
                let Some(turns) = &mut seen[place] else { continue };
                fleet.pace(work.rates).await;
                let window = fleet.window(seconds, work.rates).await;
                fleet.pace(Rates::default()).await;
                match window {
                    Ok(window) => turns.push((window, fleet.kib_each())),
                    Err(reason) if matches!(entrant.peer, Peer::Bare | Peer::Ours) => {
                        return Err(format!("{}: {reason}", entrant.name));
                    }
                    Err(reason) => {
                        eprintln!("{} is left out after {} turns: {reason}", entrant.name, turns.len());
                        seen[place] = None;
                    }
                }
            }
        }
        Ok(seen)
    })?;
    let (entrants, seen): (Vec<Entrant>, Vec<_>) =
        entrants.into_iter().zip(seen).filter_map(|(entrant, turns)| Some((entrant, turns?))).unzip();
    print_medians(&entrants, &seen);
    print_ratios(&entrants, &seen);
    Ok(())
}

/// So many connections fit to each of several servers: this process has the client's ends.
fn connections_max(servers: usize) -> u32 {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(1_024);
    u32::try_from(files.saturating_sub(500) / (servers.max(1) as u64)).unwrap_or(u32::MAX)
}

fn print_medians(entrants: &[Entrant], seen: &[Vec<(Seen, f64)>]) {
    println!(
        "{:<28}{:>13}{:>9}{:>9}{:>9}{:>9}{:>10}{:>9}{:>12}{:>9}",
        "", "us a deliv.", "x limit", "p50, ms", "p99, ms", "joined", "arrived", "core", "client core", "KiB"
    );
    let limit = entrants.iter().position(|entrant| entrant.peer == Peer::Bare);
    let limit = limit.map_or(f64::NAN, |place| median(&seen[place], |(it, _)| it.us_each));
    for (entrant, turns) in entrants.iter().zip(seen) {
        let us_each = median(turns, |(it, _)| it.us_each);
        println!(
            "{:<28}{us_each:>13.2}{:>9.2}{:>9.1}{:>9.1}{:>9.1}{:>9.1}%{:>8.0}%{:>11.0}%{:>9.1}",
            entrant.name,
            us_each / limit,
            median(turns, |(it, _)| it.p50_ms),
            median(turns, |(it, _)| it.p99_ms),
            median(turns, |(it, _)| it.joined),
            median(turns, |(it, _)| it.arrived * 100.0),
            median(turns, |(it, _)| it.server_share * 100.0),
            median(turns, |(it, _)| it.client_share * 100.0),
            median(turns, |(_, kib)| *kib),
        );
    }
}

/// kvota beside the others, turn by turn.
fn print_ratios(entrants: &[Entrant], seen: &[Vec<(Seen, f64)>]) {
    println!("\nmedian of the ratios of each turn, with its 95 % interval; less is better");
    let all = || entrants.iter().zip(seen);
    for (ours, our_turns) in all().filter(|(entrant, _)| entrant.peer == Peer::Ours) {
        for (theirs, their_turns) in all().filter(|(entrant, _)| entrant.peer != Peer::Ours) {
            let ratios = |value: fn(&(Seen, f64)) -> f64| {
                let values = |turns: &[(Seen, f64)]| turns.iter().map(value).collect::<Vec<f64>>();
                Ratios::of(&values(our_turns), &values(their_turns))
            };
            println!("{} / {}", ours.name, theirs.name);
            println!("  us of a processor a delivery   {}", ratios(|(it, _)| it.us_each));
            println!("  p99                            {}", ratios(|(it, _)| it.p99_ms));
            println!("  memory of a connection         {}", ratios(|(_, kib)| *kib));
        }
    }
}

/// One round: the measurements, and the server's memory for each connection in KiB.
pub(crate) fn measure(entrant: Entrant, connections: u32, work: &Work, seconds: u32) -> Result<(Seen, f64), String> {
    let work = Work { gather_ms: entrant.gather_ms, ..*work };
    let server = entrant.peer.start(&work)?;
    client::with(server, connections, async |fleet| {
        fleet.pace(work.rates).await;
        Ok((fleet.window(seconds, work.rates).await?, fleet.kib_each()))
    })
}

pub(crate) fn median<T>(rounds: &[T], value: impl Fn(&T) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
