//! Runs that show how a cost grows: with connections, with matches, and with connections that do not watch the changing
//! matches. Prints the points and draws them into docs/pictures (PEERS_PICTURES: another folder).

use crate::client::{self, Fleet};
use crate::plot::{Picture, drawn};
use crate::servers::Peer;
use crate::table::{BARE, Entrant, OURS, measure};
use crate::work::{Rates, Work, variable};
use kvota::hub::limits::CHECK_EVERY_MS;
use std::path::PathBuf;

type Points = Vec<(f64, f64)>;

/// Runs all three.
pub(crate) fn growth() -> Result<(), String> {
    let seconds = variable("PEERS_SECONDS", 8);
    let named = std::env::var("PEERS_GROWTH").unwrap_or_else(|_| "1000,2500,5000,10000,19500".to_owned());
    let sizes: Vec<u32> = named.split(',').filter_map(|size| size.trim().parse().ok()).collect();
    let most = sizes.iter().copied().max().ok_or("PEERS_GROWTH names no number of connections")?;

    // Slow enough for one core with most connections; the cost of the feed itself stays small.
    let rates = Rates { common: 5.0, topic: 0.1, ..Rates::default() };
    let by_connections = grown("connections", seconds, sizes.iter().map(|size| (*size, *size, 200, rates)))?;
    draw("growth-connections", "What a delivery costs, by connections", "connections", by_connections)?;

    let rates = Rates { common: 5.0, topic: 1.0, ..Rates::default() };
    let connections = most.min(5_000);
    let matches = [50, 200, 1_000].into_iter().map(|matches| (matches, connections, matches, rates));
    let by_matches = grown("matches", seconds, matches)?;
    draw("growth-matches", "What a delivery costs, by matches that change each second", "matches", by_matches)?;

    println!("\n{:<24}{:>34}", "connections beside", "us of kvota for a feed message");
    let mut beside: Points = Vec::new();
    for size in [0].into_iter().chain(sizes) {
        let us_each = bystanders(size, seconds)?;
        println!("{size:<24}{us_each:>34.1}");
        beside.push((size.into(), us_each));
    }
    let picture = Picture {
        title: "What a message of the feed costs that nobody watches",
        right: "connections that watch something else",
        up: "microseconds of a core for a message, by kvota",
        lines: vec![("kvota", beside)],
    };
    keep("growth-bystanders", &picture)
}

/// The cost of a delivery in µs, of kvota and of the reference server, for each size: connections, topics and rates.
fn grown(
    what: &str,
    seconds: u32,
    steps: impl Iterator<Item = (u32, u32, u32, Rates)>,
) -> Result<[(Entrant, Points); 2], String> {
    println!("\n{what:<24}{:>34}{:>34}", OURS.name, BARE.name);
    let mut lines = [OURS, BARE].map(|entrant| (entrant, Points::new()));
    for (number, connections, topics, rates) in steps {
        let work = Work { topics, rates, ..Work::usual() };
        for (entrant, points) in &mut lines {
            let (seen, _) = measure(*entrant, connections, &work, seconds)?;
            points.push((number.into(), seen.us_each));
        }
        let last = |line: &(Entrant, Points)| line.1.last().map_or(f64::NAN, |(_, us_each)| *us_each);
        println!("{number:<24}{:>31.2} us{:>31.2} us", last(&lines[0]), last(&lines[1]));
    }
    Ok(lines)
}

/// The cost in µs of a feed message that no connection watches. The cost of idle connections (mostly checks, the same
/// number in each window) is measured in silent windows before and after, and subtracted.
fn bystanders(connections: u32, seconds: u32) -> Result<f64, String> {
    let rates = Rates { topic: 5.0, ..Rates::default() };
    let work = Work { gather_ms: OURS.gather_ms, rates, is_bystanding: true, ..Work::usual() };
    let server = Peer::Ours.start(&work)?;
    let seconds = seconds.next_multiple_of((CHECK_EVERY_MS / 1000) as u32);
    client::with(server, connections, async |fleet: &Fleet| {
        let mut shares = [0.0; 3];
        for (share, rates) in shares.iter_mut().zip([Rates::default(), rates, Rates::default()]) {
            fleet.pace(rates).await;
            // Nothing should arrive, so no deliveries are required.
            *share = fleet.window(seconds, Rates::default()).await?.server_share;
        }
        let messages = f64::from(work.topics) * rates.topic;
        Ok((shares[1] - f64::midpoint(shares[0], shares[2])) * 1e6 / messages)
    })
}

fn draw(name: &str, title: &str, right: &str, lines: [(Entrant, Points); 2]) -> Result<(), String> {
    let lines = lines.into_iter().map(|(entrant, points)| (entrant.name, points)).collect();
    keep(name, &Picture { title, right, up: "microseconds of the server's core for a delivery", lines })
}

fn keep(name: &str, picture: &Picture<'_>) -> Result<(), String> {
    let folder = std::env::var_os("PEERS_PICTURES")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/pictures")), PathBuf::from);
    let file = folder.join(format!("{name}.svg"));
    std::fs::write(&file, drawn(picture)).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("drawn into {}", file.display());
    Ok(())
}
