//! Saturation runs: the highest update rate of each server, and the latency of a match's stop under load.

use crate::client::{self, Fleet, Seen};
use crate::servers::Peer;
use crate::table::{BARE, BUN, BUN_GATHERED, Entrant, OURS, chosen};
use crate::work::{Rates, Work, variable};

/// A step passes with at most this p99 latency, in ms.
const P99_MS_MAX: f64 = 250.0;
/// A step passes if at least this share of the due payloads arrived.
const ARRIVED_MIN: f64 = 0.97;
/// Fine factor between steps, used near the limit.
const STEP: f64 = 1.1;
/// Coarse factor between steps, used first to find the limit.
const COARSE_STEP: f64 = 1.5;

/// Prints the highest rate that each server sustains.
pub(crate) fn saturation() -> Result<(), String> {
    let connections = variable("PEERS_CONNECTIONS", 5_000);
    let (rounds, seconds) = (variable("PEERS_ROUNDS", 1), variable("PEERS_SECONDS", 4));
    println!("{connections} connections, the common topic alone, steps of {seconds} s; the best step of each round\n");
    println!(
        "{:<28}{:>16}{:>9}{:>9}{:>9}{:>12}{:>16}",
        "", "updates a s", "p99, ms", "joined", "core", "client core", "x Bun"
    );
    // Bun first, since the others are compared with it. Interleaved, because the speed of the machine drifts.
    let mut best: Vec<(Entrant, Vec<(f64, Seen)>)> =
        chosen(&[BUN, BUN_GATHERED, BARE, OURS]).into_iter().map(|entrant| (entrant, Vec::new())).collect();
    for _ in 0..rounds {
        for (entrant, steps) in &mut best {
            match find_limit(*entrant, connections, seconds) {
                Ok(step) => steps.push(step),
                Err(reason) => println!("{} is left out: {reason}", entrant.name),
            }
        }
    }
    let mut of_bun = f64::NAN;
    for (entrant, mut steps) in best {
        steps.sort_by(|one, other| one.0.total_cmp(&other.0));
        let Some((reached, seen)) = steps.get(steps.len() / 2) else { continue };
        if entrant.key == BUN.key {
            of_bun = *reached;
        }
        println!(
            "{:<28}{reached:>16.0}{:>9.1}{:>9.1}{:>8.0}%{:>11.0}%{:>16.2}",
            entrant.name,
            seen.p99_ms,
            seen.joined,
            seen.server_share * 100.0,
            seen.client_share * 100.0,
            reached / of_bun
        );
    }
    Ok(())
}

/// The last step that a server passes: deliveries per second, and the measurements.
fn find_limit(entrant: Entrant, connections: u32, seconds: u32) -> Result<(f64, Seen), String> {
    let rates = |common: f64| Rates { common, ..Rates::default() };
    let work = Work { gather_ms: entrant.gather_ms, rates: rates(0.0), ..Work::usual() };
    let server = entrant.peer.start(&work)?;
    client::with(server, connections, async |fleet: &Fleet| {
        let mut hz = variable("PEERS_FROM_HZ", 10.0);
        let mut best = None;
        let mut is_near = false;
        loop {
            let mut seen = step(fleet, rates(hz), seconds).await?;
            if !is_passed(&seen) {
                // A second try, because noise seldom hits twice. First the backlog must drain, so that it does not
                // count.
                fleet.pace(Rates::default()).await;
                seen = step(fleet, rates(hz), seconds).await?;
            }
            eprintln!(
                "  {}: {hz:.1} a second, p99 {:.0} ms, {:.1} % arrived, client {:.0} %",
                entrant.key,
                seen.p99_ms,
                seen.arrived * 100.0,
                seen.client_share * 100.0
            );
            if is_passed(&seen) {
                best = Some((seen.deliveries as f64 / seen.took.as_secs_f64(), seen));
                hz *= if is_near { STEP } else { COARSE_STEP };
            } else if !is_near && best.is_some() {
                is_near = true;
                hz *= STEP / COARSE_STEP;
            } else {
                return best.ok_or_else(|| format!("it does not keep {hz} a second"));
            }
        }
    })
}

async fn step(fleet: &Fleet, rates: Rates, seconds: u32) -> Result<Seen, String> {
    fleet.pace(rates).await;
    fleet.window(seconds, rates).await
}

fn is_passed(seen: &Seen) -> bool {
    seen.p99_ms <= P99_MS_MAX && seen.arrived >= ARRIVED_MIN
}

/// Prints the latency of stops while prices keep the server busy.
pub(crate) fn stop() -> Result<(), String> {
    let connections = variable("PEERS_CONNECTIONS", 5_000);
    let (rounds, seconds) = (variable("PEERS_ROUNDS", 1), variable("PEERS_SECONDS", 60));
    let rates = Rates {
        common: variable("PEERS_COMMON_HZ", 100.0),
        topic: variable("PEERS_TOPIC_HZ", 10.0),
        stops: variable("PEERS_STOP_HZ", 2.0),
    };
    println!(
        "{connections} connections, {:.0} updates of prices a second to each, {} stops a second of a match that all watch",
        rates.each(),
        rates.stops
    );
    println!("milliseconds until a stop was with the last connection\n");
    println!("{:<28}{:>9}{:>9}{:>9}{:>9}{:>13}{:>9}", "", "stops", "p50", "p99", "most", "prices' p99", "core");
    for _ in 0..rounds {
        let work = Work { gather_ms: OURS.gather_ms, rates, ..Work::usual() };
        let server = Peer::Ours.start(&work)?;
        let seen = client::with(server, connections, async |fleet: &Fleet| step(fleet, rates, seconds).await)?;
        let mut late = seen.stops_ms;
        late.sort_by(f64::total_cmp);
        let Some(most) = late.last() else { return Err("no stop reached all connections".to_owned()) };
        let at = |part: usize| late[(late.len() * part / 100).min(late.len() - 1)];
        println!(
            "{:<28}{:>9}{:>9.1}{:>9.1}{:>9.1}{:>13.1}{:>8.0}%",
            OURS.name,
            late.len(),
            at(50),
            at(99),
            most,
            seen.p99_ms,
            seen.server_share * 100.0
        );
    }
    Ok(())
}
