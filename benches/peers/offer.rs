//! `GET live/offer` compared with nginx: 300 matches of 40 markets with 3 odds each. kvota answers from its encoded
//! bodies, nginx from a file with the same bytes. Also measures the first response after a change, which must be
//! encoded. The servers run on the first core, wrk on the second.

use crate::servers::{Running, free_port, listening, path_of, pinned};
use crate::table::median;
use crate::work::variable;
use kvota::testkit::builders::{live_match, market};
use kvota::testkit::world::World;
use kvota_read_model::limits::OFFER_BODY_AGE_MS_MIN;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

const MATCHES: u64 = 300;
const MARKETS: u64 = 40;
/// Changes; the first response after each of them is timed.
const CHANGES: usize = 40;

/// Interval of the feed's heartbeat.
const ALIVE: Duration = Duration::from_secs(2);

/// The requests: name, path and content coding.
const ASKED: [(&str, &str, &str); 3] = [
    ("whole", "/api/v1/live/offer?lang=hr", "identity"),
    ("whole, brotli", "/api/v1/live/offer?lang=hr", "br"),
    ("rows, brotli", "/api/v1/live/offer?lang=hr&view=rows", "br"),
];

/// Serves the offer on a free port, which it prints. Each line of input changes a price and is confirmed.
pub(crate) fn serve() {
    actix::System::new().block_on(async {
        let mut world = World::start().await;
        let offered = |id: u64, price: &str| {
            (0..MARKETS).fold(live_match(id), |built, kind| {
                let own = market(id * 100 + kind, 1 + kind as i64);
                built.market(own.odd("1", price).odd("X", "3.25").odd("2", "4.1"))
            })
        };
        world.feed.publish((1..=MATCHES).map(|id| offered(id, "1.85").insert()).collect()).await;
        world.settle().await;
        println!("{}", world.address().port());
        let (tell, mut received) = mpsc::unbounded_channel();
        let listen = move || {
            let lines = std::io::stdin().lock().lines().map_while(Result::ok);
            lines.take_while(|_| tell.send(()).is_ok()).for_each(drop);
            std::process::exit(0);
        };
        std::thread::Builder::new().spawn(listen).expect("a thread");
        let mut changes = 0;
        // A silent feed counts as down, and its offer is cleared.
        let mut alive = tokio::time::interval(ALIVE);
        loop {
            tokio::select! {
                _ = alive.tick() => world.feed.active(true).await,
                line = received.recv() => {
                    if line.is_none() {
                        return;
                    }
                    changes += 1;
                    let id = 1 + changes % MATCHES;
                    world.feed.publish(vec![offered(id, &format!("1.{}", 10 + changes % 90)).update()]).await;
                    world.settle().await;
                    println!("changed");
                }
            }
        }
    });
}

/// Prints both figures.
pub(crate) fn offer() -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = pinned(&own);
    let mut server = Running(
        command.arg("serve-offer").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?,
    );
    let mut input = server.0.stdin.take().ok_or("no input")?;
    let mut lines = BufReader::new(server.0.stdout.take().ok_or("no output")?).lines();
    let mut line = || lines.next().and_then(Result::ok).ok_or("the server is gone");
    let port: u16 = line()?.trim().parse().map_err(|_| "no port")?;

    let (rounds, seconds) = (variable("PEERS_ROUNDS", 3), variable("PEERS_SECONDS", 5));
    println!("{MATCHES} matches of {MARKETS} markets, msgpack; {rounds} rounds of {seconds} s, 16 connections\n");
    println!("{:<16}{:>10}{:>16}{:>16}{:>9}", "", "bytes", "kvota, a s", "nginx, a s", "x nginx");
    for (name, path, coding) in ASKED {
        let body = get(port, path, coding)?.0;
        let (_nginx, nginx_port) = nginx(&body)?;
        let mut seen: Vec<(f64, f64)> = Vec::new();
        for _ in 0..rounds {
            seen.push((load(port, path, coding, seconds)?, load(nginx_port, "/offer", coding, seconds)?));
        }
        let (ours, theirs) = (median(&seen, |it| it.0), median(&seen, |it| it.1));
        println!("{name:<16}{:>10}{ours:>16.0}{theirs:>16.0}{:>9.2}", body.len(), ours / theirs);
    }

    println!("\nmilliseconds of the first answer after a change, of {CHANGES}");
    println!("{:<16}{:>10}{:>10}{:>16}", "", "p50", "most", "the next, p50");
    for (name, path, coding) in ASKED {
        let mut seen: Vec<(f64, f64)> = Vec::new();
        for _ in 0..CHANGES {
            // A body is rebuilt at most this often. The time to build it is measured, not the wait.
            std::thread::park_timeout(Duration::from_millis(OFFER_BODY_AGE_MS_MIN));
            input.write_all(b"change\n").map_err(|error| error.to_string())?;
            line()?;
            let ms = |took: Duration| took.as_secs_f64() * 1000.0;
            let first = ms(get(port, path, coding)?.1);
            seen.push((first, ms(get(port, path, coding)?.1)));
        }
        let most = seen.iter().map(|it| it.0).fold(0.0, f64::max);
        println!("{name:<16}{:>10.1}{most:>10.1}{:>16.1}", median(&seen, |it| it.0), median(&seen, |it| it.1));
    }
    Ok(())
}

/// The body of a response, and the time since the request.
fn get(port: u16, path: &str, coding: &str) -> Result<(Vec<u8>, Duration), String> {
    let text_of = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).map_err(text_of)?;
    stream.set_nodelay(true).map_err(text_of)?;
    let begin = Instant::now();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/msgpack\r\nAccept-Encoding: {coding}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).map_err(text_of)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(text_of)?;
    let took = begin.elapsed();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no answer")?;
    if !answer.starts_with(b"HTTP/1.1 200") {
        return Err(format!("{path}: {}", String::from_utf8_lossy(&answer[..end])));
    }
    Ok((answer.split_off(end + 4), took))
}

/// Starts nginx as one process, with the bytes in a file.
fn nginx(body: &[u8]) -> Result<(Running, u16), String> {
    let text_of = |error: std::io::Error| error.to_string();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("nginx-{}", std::process::id()));
    let port = free_port()?;
    std::fs::create_dir_all(folder.join("www")).map_err(text_of)?;
    std::fs::write(folder.join("www/offer"), body).map_err(text_of)?;
    let own = folder.display();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary: String = temporary.iter().map(|kind| format!("{kind}_temp_path {own}/{kind};\n")).collect();
    let configuration = format!(
        "daemon off;\nmaster_process off;\npid {own}/pid;\nerror_log {own}/error.log;\nevents {{}}\nhttp {{\n\
         access_log off;\nsendfile on;\ntcp_nopush on;\nkeepalive_requests 100000000;\n{temporary}\
         default_type application/msgpack;\nserver {{ listen 127.0.0.1:{port}; root {own}/www; }}\n}}\n"
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, configuration).map_err(text_of)?;
    let mut command = pinned(&path_of("PEERS_NGINX")?);
    command.arg("-p").arg(&folder).arg("-c").arg(&file).stdout(Stdio::null());
    let running = Running(command.spawn().map_err(text_of)?);
    listening(port)?;
    Ok((running, port))
}

/// Responses per second under load.
fn load(port: u16, path: &str, coding: &str, seconds: u32) -> Result<f64, String> {
    let wrk: PathBuf = path_of("PEERS_WRK")?;
    let out = Command::new("taskset")
        .args(["-c", "1"])
        .arg::<&Path>(&wrk)
        .args(["-t1", "-c16", &format!("-d{seconds}s"), "-H", "Accept: application/msgpack", "-H"])
        .arg(format!("Accept-Encoding: {coding}"))
        .arg(format!("http://127.0.0.1:{port}{path}"))
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&out.stdout);
    if let Some(failed) = text.lines().find(|line| line.contains("Non-2xx") || line.contains("Socket errors")) {
        return Err(failed.trim().to_owned());
    }
    let rate = text.lines().find_map(|line| line.trim().strip_prefix("Requests/sec:"));
    rate.and_then(|rate| rate.trim().parse().ok()).ok_or_else(|| format!("wrk says {text}"))
}
