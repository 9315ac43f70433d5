//! Shutdown with bets in progress, and a full disk.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use super::audit::Folder;
use super::bettors::{Answer, Bettor, PATIENCE, call, odds, serve, start, ticket};
use super::{Running, kvota, output_of};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use tokio::time::Instant;

const KEYS: [&str; 3] = [
    "0193f5c2-7d1e-7000-8000-000000000001",
    "0193f5c2-7d1e-7000-8000-000000000002",
    "0193f5c2-7d1e-7000-8000-000000000003",
];

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::yield_now();
    }
}

/// The value of a metric without labels.
fn metric(address: SocketAddr, name: &str) -> Option<f64> {
    let (_, _, text) = call(address, "GET /metrics", &[], "")?;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

fn audit(data: &Path) -> String {
    let (code, out, err) = output_of(&kvota(&["audit"]).env("KVOTA__STORE__DATA_DIR", data).output().unwrap());
    assert_eq!(code, Some(0), "{out}{err}");
    out
}

fn status_of(answer: &Answer) -> Option<u16> {
    answer.as_ref().map(|(status, ..)| *status)
}

/// A connection to the hub that has received `hello`.
fn hub(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let ask = format!(
        "GET /api/v1/live/hub HTTP/1.1\r\nhost: {address}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         sec-websocket-protocol: kvota.v1.json\r\n\r\n"
    );
    stream.write_all(ask.as_bytes()).unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 101");
    stream
}

fn stop(server: &Running, signal: &str) {
    assert!(Command::new("kill").args([signal, &server.0.id().to_string()]).status().unwrap().success());
}

#[test]
fn sigterm_lets_pending_bets_finish() {
    for delay_s in [2, 8] {
        let folder = Folder::new(&format!("stops-{delay_s}"));
        let data = folder.file().parent().unwrap().to_owned();
        let address = free_address();
        let mut server = serve(&data, address, delay_s);
        let bettor = Bettor::register(1, address);
        let bodies: Vec<String> = odds(address).iter().take(KEYS.len()).map(ticket).collect();
        let mut watcher = hub(address);
        let answers: Vec<Answer> = std::thread::scope(|scope| {
            let placing = |(key, body): (&'static str, &String)| {
                let (bettor, body) = (&bettor, body.clone());
                scope.spawn(move || bettor.place(address, key, &body))
            };
            let placed: Vec<_> = KEYS.into_iter().zip(&bodies).map(placing).collect();
            wait_for("three bets in their delay", || metric(address, "kvota_bets_delayed") == Some(3.0));
            stop(&server, "-TERM");
            placed.into_iter().map(|placed| placed.join().unwrap()).collect()
        });
        for answer in &answers {
            assert_eq!(status_of(answer), Some(200), "{answer:?}");
        }
        let mut sent = Vec::new();
        watcher.read_to_end(&mut sent).unwrap();
        assert_eq!(sent[sent.len() - 4..], [0x88, 2, 0x03, 0xe9], "the hub says 1001 at the end");
        assert_eq!(server.0.wait().unwrap().code(), Some(0));

        // The same keys again repeat the answers.
        server = serve(&data, address, 0);
        for (key, body) in KEYS.into_iter().zip(&bodies) {
            let again = bettor.place(address, key, body);
            let first = answers.iter().flatten().find(|(_, _, text)| Some(text) == again.as_ref().map(|it| &it.2));
            assert!(first.is_some(), "{again:?}");
        }
        drop(server);
        assert!(audit(&data).lines().any(|line| line.starts_with("bets") && line.ends_with(" 3")));
    }
}

#[test]
fn full_disk_rejects_bets_and_the_offer_keeps_running() {
    let folder = Folder::new("full");
    let data = folder.file().parent().unwrap().to_owned();
    let address = free_address();
    // The kernel limits the size of files. Its signal is ignored, because a full disk sends none.
    let mut ignoring = Command::new("sh");
    ignoring.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_kvota"), "serve", "--listen"]);
    ignoring.arg(address.to_string()).stdin(std::process::Stdio::null());
    ignoring.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
    let server = start(ignoring, &data, address, 0);
    let room = |bytes: &str| {
        let (pid, limit) = (server.0.id().to_string(), format!("--fsize={bytes}"));
        assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success());
    };
    let bettor = Bettor::register(1, address);
    let bodies: Vec<String> = odds(address).iter().take(KEYS.len()).map(ticket).collect();
    assert_eq!(status_of(&bettor.place(address, KEYS[0], &bodies[0])), Some(200));

    room("1024:unlimited");
    for _ in 0..5 {
        assert_eq!(status_of(&bettor.place(address, KEYS[1], &bodies[1])), Some(503));
    }
    let (status, _, offer) = call(address, "GET /api/v1/live/offer?view=rows", &[], "").unwrap();
    assert!(status == 200 && offer.contains("\"sports\""));
    drop(hub(address));

    room("unlimited:unlimited");
    wait_for("the bet to be taken", || status_of(&bettor.place(address, KEYS[1], &bodies[1])) == Some(200));
    assert_eq!(status_of(&bettor.place(address, KEYS[1], &bodies[1])), Some(200));
    drop(server);
    assert!(audit(&data).lines().any(|line| line.starts_with("bets") && line.ends_with(" 2")));
}
