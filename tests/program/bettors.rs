//! Test support: bettors of a running program. Each call uses a new connection.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use super::{Running, kvota};
use kvota::testkit::seed::Dice;
use kvota::testkit::slip::body_with_amounts;
use kvota_domain::price::Price;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::time::Instant;

const PASSWORD: &str = "correct horse";
/// More calls get status 429. Half of the allowed calls are left for repeating the bets.
const BETS_A_ROUND: u64 = 80;
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Status, head and body; `None` if no complete response came.
pub(crate) type Answer = Option<(u16, String, String)>;

pub(crate) fn call(address: SocketAddr, request: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    call_over(TcpStream::connect(address).ok()?, request, headers, body)
}

/// The same over an open connection.
fn call_over(mut stream: TcpStream, request: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let address = stream.peer_addr().ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let mut text =
        format!("{request} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    stream.write_all(text.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let answer = String::from_utf8(answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
    (length.parse() == Ok(body.len())).then(|| (status, head.to_owned(), body.to_owned()))
}

/// Starts the program with this data folder and a delay of `delay_s` seconds, and waits for its offer.
pub(crate) fn serve(data: &Path, address: SocketAddr, delay_s: u32) -> Running {
    start(kvota(&["serve", "--listen", &address.to_string()]), data, address, delay_s)
}

/// The same with a command that starts the program.
pub(crate) fn start(mut command: Command, data: &Path, address: SocketAddr, delay_s: u32) -> Running {
    command.env("KVOTA__STORE__DATA_DIR", data).env("KVOTA__FEED__SIMULATED_MATCHES", "0");
    command.env("KVOTA__FEED__RECORDING_DIR", recordings(data));
    command
        .env("KVOTA__BETTING__DELAY__DEFAULT", delay_s.to_string())
        .env("KVOTA__ACCOUNTS__OPENING_BALANCE", "100000.00");
    command.env("KVOTA__LOG__LEVEL", "error");
    let mut server = Running(command.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("kvota is ready"), "{line}");
    let deadline = Instant::now() + PATIENCE;
    while call(address, "GET /readyz", &[], "").is_none_or(|(status, ..)| status != 200) {
        assert!(Instant::now() < deadline, "waited in vain for the offer");
        std::thread::yield_now();
    }
    server
}

/// A folder with two of the recorded matches: enough to bet on, and much faster to read.
fn recordings(data: &Path) -> PathBuf {
    let (of_project, folder) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wyscout-soccer"), data.join("played"));
    std::fs::create_dir_all(&folder).unwrap();
    for file in ["matches.json.gz", "2500089.json.gz", "2500090.json.gz"] {
        std::fs::copy(of_project.join(file), folder.join(file)).unwrap();
    }
    folder
}

/// A bettor, and the outcome of each bet.
#[derive(Default)]
pub(crate) struct Bettor {
    number: usize,
    cookie: String,
    asked: u64,
    /// The key, body and first response of each bet of the latest round.
    pub(crate) latest: Vec<(String, String, Answer)>,
    /// The response of each accepted bet, by ticket id.
    pub(crate) taken: HashMap<String, String>,
}

impl Bettor {
    pub(crate) fn register(number: usize, address: SocketAddr) -> Bettor {
        let body = json!({"name": format!("bettor-{number}"), "password": PASSWORD}).to_string();
        let json = [("content-type", "application/json")];
        let (status, head, body) = call(address, "POST /api/v1/account/register", &json, &body).unwrap();
        assert_eq!(status, 201, "{body}");
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Bettor { number, cookie, ..Bettor::default() }
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.cookie
    }

    /// The idempotency key of a bet.
    pub(crate) fn key(&self, bet: u64) -> String {
        format!("0193f5c2-7d1e-7000-{:04x}-{bet:012x}", 0x8000 + self.number)
    }

    pub(crate) fn place(&self, address: SocketAddr, key: &str, body: &str) -> Answer {
        self.place_over(TcpStream::connect(address).ok()?, key, body)
    }

    /// The same over an open connection.
    pub(crate) fn place_over(&self, connection: TcpStream, key: &str, body: &str) -> Answer {
        let headers = [("content-type", "application/json"), ("cookie", &self.cookie), ("idempotency-key", key)];
        call_over(connection, "POST /api/v1/live/send-ticket", &headers, body)
    }

    /// Places bets until the server is gone, and signals each response.
    pub(crate) fn bet(&mut self, address: SocketAddr, odds: &[Value], answered: &Sender<()>) {
        self.latest.clear();
        let mut dice = Dice::new(self.asked + self.number as u64 * 7_919);
        for _ in 0..BETS_A_ROUND {
            self.asked += 1;
            let key = self.key(self.asked);
            let body = ticket(dice.one_of(odds));
            let answer = self.place(address, &key, &body);
            let is_gone = answer.is_none();
            self.latest.push((key, body, answer));
            if is_gone {
                return;
            }
            let _ = answered.send(());
        }
    }

    /// Repeats the bets of the round. A bet with a response must get the same one; any other bet is settled now.
    pub(crate) fn repeat_bets(&mut self, address: SocketAddr) {
        for (key, body, first) in std::mem::take(&mut self.latest) {
            let again = self.place(address, &key, &body);
            let (status, _, text) = again.unwrap_or_else(|| panic!("{key}: no answer from a server that runs"));
            match first {
                Some((200, _, earlier)) => {
                    assert_eq!((status, &text), (200, &earlier), "{key}: told otherwise than before")
                }
                // A rejection before the delay does not use the key up: the current offer decides.
                Some((400, ..)) | None => assert!(status == 200 || status == 400, "{key}: {status} {text}"),
                Some((other, _, earlier)) => panic!("{key}: {other} {earlier}"),
            }
            if status == 200 {
                let ticket = serde_json::from_str::<Value>(&text).unwrap()["ticketId"].as_str().unwrap().to_owned();
                assert_eq!(self.taken.insert(ticket, text), None, "{key}: a ticket of two keys");
            }
        }
    }

    /// The ticket ids of all bets of this bettor, from all pages.
    pub(crate) fn tickets(&self, address: SocketAddr) -> Vec<String> {
        let (mut tickets, mut cursor) = (Vec::new(), String::new());
        loop {
            let request = format!("GET /api/v1/account/tickets?limit=100{cursor}");
            let (status, _, body) = call(address, &request, &[("cookie", &self.cookie)], "").unwrap();
            assert_eq!(status, 200, "{body}");
            let page: Value = serde_json::from_str(&body).unwrap();
            tickets.extend(
                page["tickets"].as_array().unwrap().iter().map(|it| it["ticketId"].as_str().unwrap().to_owned()),
            );
            let Some(next) = page["next"].as_str() else {
                return tickets;
            };
            cursor = format!("&cursor={next}");
        }
    }
}

/// A ticket of 2.00 on one odd, with consent to any change.
pub(crate) fn ticket(odd: &Value) -> String {
    let price = (odd["value"].as_f64().unwrap() * 1000.0).round() as u32;
    let price = Price::from_thousandths(price).unwrap();
    let pair = json!({
        "matchId": odd["matchId"], "marketId": odd["id"], "marketType": odd["marketType"], "marketSubType": null,
        "sbv": null, "oddType": odd["type"], "oddValue": price.to_string(), "isFix": false,
    });
    body_with_amounts(json!({"bruto": "2.00", "systemType": 0, "oddsPolicy": "any", "pairs": [pair]})).to_string()
}

/// The odds of full-time results in the current offer, of which there are some.
pub(crate) fn odds(address: SocketAddr) -> Vec<Value> {
    let odds = odds_if_any(address);
    assert!(!odds.is_empty());
    odds
}

/// The odds of full-time results in the current offer.
pub(crate) fn odds_if_any(address: SocketAddr) -> Vec<Value> {
    let deadline = Instant::now() + PATIENCE;
    let body = loop {
        // The feed becomes active a moment before its first matches arrive.
        if let Some((200, _, body)) = call(address, "GET /api/v1/live/offer?view=rows", &[], "") {
            break body;
        }
        assert!(Instant::now() < deadline, "waited in vain for matches");
    };
    let offer: Value = serde_json::from_str(&body).unwrap();
    let matches = offer["sports"].as_array().unwrap().iter().flat_map(|sport| sport["matches"].as_array().unwrap());
    let mut odds = Vec::new();
    for live_match in matches {
        let markets = live_match["markets"].as_array().unwrap().iter().filter(|market| market["type"] == 1);
        for odd in markets.flat_map(|market| market["odds"].as_array().unwrap()) {
            let mut odd = odd.clone();
            (odd["matchId"], odd["marketType"]) = (live_match["id"].clone(), json!(1));
            if odd["value"].as_f64() > Some(1.0) {
                odds.push(odd);
            }
        }
    }
    odds
}

/// The body of a call of this bettor that succeeds. Waits a little before, because tests ask again and again, and an account
/// has a limit of calls.
pub(crate) fn body_of(bettor: &Bettor, address: SocketAddr, path: &str) -> Value {
    let request = format!("GET /api/v1/{path}");
    let (_never, pause) = std::sync::mpsc::channel::<()>();
    let _ = pause.recv_timeout(Duration::from_millis(5));
    let (status, _, body) = call(address, &request, &[("cookie", bettor.cookie())], "").expect("an answer");
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).expect("JSON")
}

/// Lets a program use the broker with names of its own, and recordings that are fast to read.
pub(crate) fn with_services(command: &mut Command, name: &str, data: &Path) {
    let url = std::env::var("KVOTA_TEST_AMQP_URL").expect("KVOTA_TEST_AMQP_URL: `make services` prints it");
    command
        .env("KVOTA__STORE__DATA_DIR", data)
        .env("KVOTA__FEED__AMQP_URL", url)
        .env("KVOTA__FEED__EXCHANGE", name)
        .env("KVOTA__FEED__SNAPSHOT_QUEUE", format!("{name}-offer"))
        .env("KVOTA__FEED__RESULTS_QUEUE", format!("{name}-results"))
        .env("KVOTA__FEED__RESULTS_REQUEST_QUEUE", format!("{name}-results-requested"))
        .env("KVOTA__FEED__SIMULATED_MATCHES", "0")
        .env("KVOTA__FEED__RECORDING_DIR", recordings(data))
        .env("KVOTA__LOG__LEVEL", "error");
}
