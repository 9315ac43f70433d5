//! A provider's feed as a whole: `kvota uof-provider`, read by `kvota serve` itself, and published by two
//! `kvota feed --source uof` of which one is killed (CONTRACT 10).

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use super::audit::Folder;
use super::bettors::{Bettor, call, odds_if_any as odds, ticket, with_services};
use super::services::exchange;
use super::{Running, kvota};
use serde_json::Value;
use std::net::{SocketAddr, TcpListener};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::time::Instant;

const PATIENCE: Duration = Duration::from_secs(120);
const TOKEN: &str = "token-that-no-log-may-show";

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// The addresses and names of one test.
struct Provider {
    name: String,
    folder: Folder,
    rest: SocketAddr,
    _running: Running,
}

impl Provider {
    fn start(test: &str) -> Provider {
        let (name, folder, rest) = (exchange(test), Folder::new(test), free_address());
        let mut command = kvota(&["uof-provider", "--listen", &rest.to_string(), "--token", TOKEN, "--matches", "0"]);
        with_services(&mut command, &name, folder.path());
        command.env("KVOTA__FEED__UOF__EXCHANGE", format!("{name}-uof")).env("KVOTA__FEED__START_MINUTE", "10");
        let running = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        Provider { name, folder, rest, _running: running }
    }

    /// Lets a program read this feed as the node with this number, with a log of everything.
    fn read_by(&self, mut command: Command, node: u32) -> (Running, std::path::PathBuf) {
        let data = self.folder.path().join(format!("node-{node}"));
        std::fs::create_dir_all(&data).unwrap();
        with_services(&mut command, &self.name, &data);
        let log = data.join("log");
        command
            .env("KVOTA__FEED__UOF__AMQP_URL", std::env::var("KVOTA_TEST_AMQP_URL").unwrap())
            .env("KVOTA__FEED__UOF__EXCHANGE", format!("{}-uof", self.name))
            .env("KVOTA__FEED__UOF__API_URL", format!("http://{}/v1", self.rest))
            .env("KVOTA__FEED__UOF__TOKEN", TOKEN)
            .env("KVOTA__FEED__UOF__NODE_ID", node.to_string())
            // The provider gives a sign of life every 10 s.
            .env("KVOTA__FEED__UOF__ALIVE_SECONDS", "16")
            .env("KVOTA__BETTING__DELAY__DEFAULT", "0")
            .env("KVOTA__ACCOUNTS__OPENING_BALANCE", "1000.00")
            .env("KVOTA__LOG__LEVEL", "debug")
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).unwrap());
        (Running(command.spawn().unwrap()), log)
    }

    fn fault(&self, name: &str, seconds: u32) {
        let request = format!("POST /faults/{name}?seconds={seconds}");
        until(&format!("the fault {name} begins"), || {
            call(self.rest, &request, &[], "").is_some_and(|(status, ..)| status == 200)
        });
    }
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        std::thread::yield_now();
    }
}

fn ready(address: SocketAddr) -> Option<(u16, Value)> {
    let (status, _, body) = call(address, "GET /readyz", &[], "")?;
    Some((status, serde_json::from_str(&body).unwrap_or_default()))
}

fn is_ready(address: SocketAddr) -> bool {
    ready(address).is_some_and(|(status, _)| status == 200)
}

fn has_odds(address: SocketAddr) -> bool {
    is_ready(address) && !odds(address).is_empty()
}

#[test]
fn bettors_bet_on_a_providers_feed_and_its_silence_stops_them() {
    let provider = Provider::start("uof-serve");
    let address = free_address();
    let mut command = kvota(&["serve", "--listen", &address.to_string()]);
    command.env("KVOTA__FEED__SOURCE", "uof");
    let (_server, log) = provider.read_by(command, 1);
    until("there is an offer", || has_odds(address));
    let is = |state: &str| ready(address).is_some_and(|(_, body)| body["producers"]["1"] == state);
    until("the producer is up", || is("up"));

    let bettor = Bettor::register(1, address);
    let bet = |number: u32| {
        odds(address).iter().any(|odd| {
            let key = format!("00000000-0000-4000-8000-0000000{number:05}");
            bettor.place(address, &key, &ticket(odd)).is_some_and(|(status, ..)| status == 200)
        })
    };
    until("a bet is accepted", || bet(1));

    // Twice and shuffled, with torn messages between: nothing changes for bettors.
    for fault in ["twice", "shuffled", "malformed"] {
        provider.fault(fault, 5);
    }
    let malformed =
        || call(address, "GET /metrics", &[], "").is_some_and(|(.., text)| text.contains("kvota_uof_malformed_total"));
    until("messages are skipped", malformed);
    until("bettors have the offer", || has_odds(address));

    provider.fault("silence", 22);
    until("the silence is noticed", || is("down") && !is_ready(address));
    until("it has recovered", || has_odds(address));
    until("a bet is accepted again", || bet(2));

    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("producer 1 is up"), "{log}");
    assert!(!log.contains(TOKEN), "the token is in the log");
}

#[test]
fn of_two_publishers_of_a_providers_feed_the_second_goes_on_when_the_first_is_killed() {
    let provider = Provider::start("uof-feed");
    let publish = |node| provider.read_by(kvota(&["feed", "--source", "uof"]), node);
    let (first, _) = publish(1);
    let address = free_address();
    let mut command = kvota(&["serve", "--listen", &address.to_string()]);
    command.env("KVOTA__FEED__SOURCE", "amqp");
    let (_server, _) = provider.read_by(command, 3);
    until("there is an offer", || has_odds(address));
    let (_second, log) = publish(2);
    let waits = || {
        let log = std::fs::read_to_string(&log).unwrap();
        log.contains("producer 1 is up") && log.contains("another publisher publishes this feed")
    };
    until("the second waits with everything at hand", waits);
    let ids = || -> Vec<Value> { odds(address).iter().map(|odd| odd["oddId"].clone()).collect() };
    let before = ids();

    drop(first);
    let publishes = || std::fs::read_to_string(&log).unwrap().contains("the feed is being published");
    until("the second publishes", publishes);
    until("the offer is there", || has_odds(address));
    let after = ids();
    let kept = before.iter().filter(|id| after.contains(id)).count();
    assert!(kept > 0, "the ids of both are the same: {before:?} {after:?}");
    let bettor = Bettor::register(1, address);
    until("a bet is accepted", || {
        let bet = |odd: &Value| {
            let key = "00000000-0000-4000-8000-000000000001";
            bettor.place(address, key, &ticket(odd)).is_some_and(|(status, ..)| status == 200)
        };
        odds(address).iter().any(bet)
    });
}
