//! Restarts of a producer on kept data (CONTRACT 0 and 7): its ids never name another match, its open prices can be bet
//! on, and open bets on matches that it no longer knows are cancelled, with the stake returned.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use super::audit::Folder;
use super::bettors::{Bettor, body_of, call, odds, start, ticket, with_services};
use super::services::{Schema, exchange};
use super::{Running, kvota, output_of};
use serde_json::Value;
use std::collections::HashSet;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::time::Instant;

/// CONTRACT 7: matches that have left the offer are requested after a minute.
const TWO_MINUTES: Duration = Duration::from_secs(120);

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// What an embedded feed plays: the seed and the number of simulated matches.
#[derive(Clone, Copy)]
struct Played(&'static str, &'static str);

/// What is played before the restart.
const FIRST: Played = Played("1", "120");

/// `kvota serve` with its own feed on this store, at `speed` times real time.
fn serve(store: &Store, address: SocketAddr, speed: &str, Played(seed, matches): Played) -> Running {
    let mut command = kvota(&["serve", "--listen", &address.to_string()]);
    store.apply(&mut command);
    command.env("KVOTA__FEED__SPEED", speed).env("KVOTA__FEED__START_MINUTE", "30").env("KVOTA__FEED__SEED", seed);
    command.env("KVOTA__FEED__SIMULATED_MATCHES", matches);
    start(command, store.data(), address, 0)
}

/// Where bets are kept.
struct Store {
    folder: Folder,
    schema: Option<Schema>,
}

impl Store {
    fn sqlite(name: &str) -> Store {
        Store { folder: Folder::new(name), schema: None }
    }

    async fn postgres(name: &str) -> Store {
        Store { folder: Folder::new(name), schema: Some(Schema::new().await) }
    }

    fn data(&self) -> &Path {
        self.folder.path()
    }

    fn apply(&self, command: &mut Command) {
        command.env("KVOTA__STORE__DATA_DIR", self.data());
        if let Some(schema) = &self.schema {
            command.env("KVOTA__STORE__URL", schema.url());
        }
    }

    /// The audit finds nothing; then everything is deleted.
    async fn end(self) {
        let mut command = kvota(&["audit"]);
        self.apply(&mut command);
        let (code, out, err) = output_of(&command.output().unwrap());
        assert_eq!(code, Some(0), "{out}{err}");
        if let Some(schema) = self.schema {
            schema.drop().await;
        }
    }
}

/// Bets on every open full-time result until `wanted` bets are accepted. None may be rejected as already decided.
fn place(bettor: &Bettor, address: SocketAddr, round: usize, wanted: usize) -> usize {
    let deadline = Instant::now() + TWO_MINUTES;
    let mut placed = 0;
    while placed < wanted {
        assert!(Instant::now() < deadline, "only {placed} bets are accepted");
        for (number, odd) in odds(address).iter().enumerate() {
            let key = format!("0193f5c2-7d1e-7000-8{round:03x}-{placed:06x}{number:06x}");
            let Some((status, _, body)) = bettor.place(address, &key, &ticket(odd)) else { continue };
            assert!(!body.contains("already decided") && !body.contains("odlučen"), "{body}");
            placed += usize::from(status == 200);
        }
    }
    placed
}

fn matches(address: SocketAddr) -> HashSet<u64> {
    odds(address).iter().map(|odd| odd["matchId"].as_u64().unwrap()).collect()
}

fn tickets(bettor: &Bettor, address: SocketAddr, state: &str) -> Vec<Value> {
    let body = body_of(bettor, address, &format!("account/tickets?state={state}&limit=100"));
    body["tickets"].as_array().unwrap().clone()
}

/// Waits until no bet of `before` is open.
fn wait_until_settled(bettor: &Bettor, address: SocketAddr, before: &[Value], within: Duration) {
    let deadline = Instant::now() + within;
    let is_open = |open: &[Value]| open.iter().any(|bet| before.iter().any(|old| old["ticketId"] == bet["ticketId"]));
    while is_open(&tickets(bettor, address, "open")) {
        assert!(Instant::now() < deadline, "the bets of the earlier start are still open after {within:?}");
        std::thread::yield_now();
    }
}

/// Places bets, restarts the server, which then plays `second`, and follows the bets to their end.
async fn restart(store: Store, second: Played) {
    let address = free_address();
    // Fast, so that the store holds results of many matches.
    let server = serve(&store, address, "300", FIRST);
    let bettor = Bettor::register(0, address);
    place(&bettor, address, 0, 3);
    let deadline = Instant::now() + TWO_MINUTES;
    while tickets(&bettor, address, "settled").is_empty() {
        assert!(Instant::now() < deadline, "no bet is settled");
        std::thread::yield_now();
    }
    drop(server);

    let server = serve(&store, address, "1", FIRST);
    place(&bettor, address, 1, 3);
    let (before, known) = (tickets(&bettor, address, "open"), matches(address));
    assert!(before.len() >= 3);
    let settled = tickets(&bettor, address, "settled");
    drop(server);

    let server = serve(&store, address, "1", second);
    assert!(known.is_disjoint(&matches(address)), "an id names another match");
    wait_until_settled(&bettor, address, &before, Duration::from_secs(60));
    let after = tickets(&bettor, address, "settled");
    let of = |bet: &Value| after.iter().find(|now| now["ticketId"] == bet["ticketId"]).unwrap().clone();
    for bet in &before {
        let bet = of(bet);
        assert_eq!((&bet["state"], &bet["settlement"]["paid"]), (&"void".into(), &bet["bruto"]), "{bet}");
        assert_eq!(bet["settlement"]["reason"], "source_restarted", "{bet}");
    }
    for bet in settled.iter().filter(|bet| bet["settlement"]["reason"] != "source_restarted") {
        assert_eq!(of(bet)["settlement"], bet["settlement"], "a settled bet is settled again");
    }
    // Every open price can be bet on.
    place(&bettor, address, 2, 3);
    drop(server);
    store.end().await;
}

#[tokio::test]
async fn open_bets_of_an_earlier_start_are_cancelled_sqlite() {
    restart(Store::sqlite("restart"), FIRST).await;
}

#[tokio::test]
async fn open_bets_of_an_earlier_start_are_cancelled_postgres() {
    restart(Store::postgres("restart-postgres").await, FIRST).await;
}

#[tokio::test]
async fn another_seed_settles_no_bet_of_an_earlier_start() {
    restart(Store::sqlite("restart-seed"), Played("99", FIRST.1)).await;
}

#[tokio::test]
async fn another_number_of_matches_settles_no_bet_of_an_earlier_start() {
    restart(Store::sqlite("restart-number"), Played(FIRST.0, "90")).await;
}

#[tokio::test]
async fn a_restarted_feed_beside_a_running_server_cancels_open_bets_within_two_minutes() {
    let store = Store::sqlite("restart-feed");
    let (name, address) = (exchange("restart-feed"), free_address());
    let feed = || {
        let mut command = kvota(&["feed"]);
        with_services(&mut command, &name, store.data());
        command.env("KVOTA__FEED__START_MINUTE", "30");
        Running(command.spawn().unwrap())
    };
    let first = feed();
    let mut command = kvota(&["serve", "--listen", &address.to_string()]);
    with_services(&mut command, &name, store.data());
    command.env("KVOTA__FEED__SOURCE", "amqp");
    let server = start(command, store.data(), address, 0);
    let bettor = Bettor::register(0, address);
    place(&bettor, address, 0, 3);
    let before = tickets(&bettor, address, "open");
    drop(first);

    let second = feed();
    wait_until_settled(&bettor, address, &before, TWO_MINUTES);
    for bet in tickets(&bettor, address, "settled") {
        assert_eq!(bet["settlement"]["reason"], "source_restarted", "{bet}");
    }
    let ready = call(address, "GET /readyz", &[], "").unwrap();
    assert!(ready.2.contains("\"degraded\":[]"), "{}", ready.2);
    drop((server, second));
    store.end().await;
}
