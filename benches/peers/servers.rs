//! The servers: how each is started, on which core, how a client subscribes, and how it gets its updates: each from a thread
//! of this program, over a socket. A server that is not installed is left out, with the reason.

use crate::ours::{match_of, silent};
use crate::publish;
use crate::work::{Due, PAYLOAD, Pace, Rates, Work};
use kvota_load::process;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::time::Instant;

/// Longest time to start a server, and until it has confirmed a subscription.
pub(crate) const START: Duration = Duration::from_secs(60);

/// A server to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    Bare,
    Ours,
    Bun,
    Nats,
    Rabbit,
}

/// How a client connects and subscribes.
#[derive(Clone, Copy)]
pub(crate) struct ClientProtocol {
    /// The port.
    pub(crate) port: u16,
    /// The path of the handshake for a topic.
    pub(crate) path: fn(u32) -> String,
    /// The subprotocol offered in the handshake.
    pub(crate) subprotocol: &'static str,
    /// The frames that subscribe to a topic and to the common one.
    pub(crate) subscribe: fn(u32) -> Vec<Vec<u8>>,
    /// What the server's answer to the last of them contains; empty if it gives none.
    pub(crate) confirms: &'static [u8],
    /// The process id of the server.
    pub(crate) pid: u32,
}

/// A running server. Stopped when it is dropped.
pub(crate) struct Server {
    pub(crate) manner: ClientProtocol,
    pub(crate) topics: u32,
    /// The rates of the thread that publishes to it.
    pace: Pace,
    /// `None` for a broker that the script has started.
    _process: Option<Running>,
}

/// A process. Killed when it is dropped.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// Sets the rates.
    pub(crate) fn pace(&self, rates: Rates) {
        self.pace.set(Some(rates));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.pace.set(None);
    }
}

impl Peer {
    /// Starts the server. It is silent at first.
    pub(crate) fn start(self, work: &Work) -> Result<Server, String> {
        match self {
            Peer::Bare => start_own_server("serve-bare", by_query, "", |_| Vec::new(), work),
            Peer::Ours => {
                let path = |_| "/api/v1/live/hub?lang=hr".to_owned();
                let subscribe = if work.is_bystanding { watch_silent } else { watch };
                start_own_server("serve-ours", path, "kvota.v1.msgpack", subscribe, work)
            }
            Peer::Bun => {
                let bun = path_of("PEERS_BUN")?;
                let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/bun.mjs");
                speaking(pinned(&bun).arg(script), by_query, "", |_| Vec::new(), work)
            }
            Peer::Nats => nats(work),
            Peer::Rabbit => rabbit(work),
        }
    }
}

/// The name of a topic at brokers.
fn name_of(due: Due) -> String {
    due.topic.map_or("common".to_owned(), |topic| format!("m{topic}"))
}

fn by_query(topic: u32) -> String {
    format!("/?topic={topic}")
}

/// The hub command that subscribes to a topic's match and to the common one.
fn watch(topic: u32) -> Vec<Vec<u8>> {
    let command = json!([1, "watch", {"matches": [match_of(Some(topic)), match_of(None)]}]);
    vec![rmp_serde::to_vec(&command).expect("msgpack")]
}

/// The hub command that subscribes to a silent match only.
fn watch_silent(topic: u32) -> Vec<Vec<u8>> {
    let command = json!([1, "watch", {"matches": [silent(topic)]}]);
    vec![rmp_serde::to_vec(&command).expect("msgpack")]
}

/// The path of a program, from the variable that the install script sets.
pub(crate) fn path_of(name: &str) -> Result<PathBuf, String> {
    std::env::var_os(name).map(PathBuf::from).ok_or_else(|| format!("{name} does not say where it is"))
}

/// A command on the first core; this program runs on the second (scripts/peers.sh).
pub(crate) fn pinned(program: &std::path::Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(program).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts a server that prints its port and the port at which it reads updates.
fn speaking(
    command: &mut Command,
    path: fn(u32) -> String,
    subprotocol: &'static str,
    subscribe: fn(u32) -> Vec<Vec<u8>>,
    work: &Work,
) -> Result<Server, String> {
    command.envs(work.environment()).stdout(Stdio::piped());
    let mut process = Running(command.spawn().map_err(|error| error.to_string())?);
    let out = process.0.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
    let ports = line.trim().split_once(' ').and_then(|(port, input)| Some((port.parse().ok()?, input.parse().ok()?)));
    let (port, input): (u16, u16) = ports.ok_or_else(|| format!("it says {line:?} and not its ports"))?;
    let input = SocketAddr::from(([127, 0, 0, 1], input));
    let pace = publish_to(input, "", |due, _| due.line(), work.topics)?;
    let pid = process.0.id();
    let manner = ClientProtocol { port, path, subprotocol, subscribe, confirms: b"", pid };
    Ok(Server { manner, topics: work.topics, pace, _process: Some(process) })
}

fn start_own_server(
    argument: &str,
    path: fn(u32) -> String,
    subprotocol: &'static str,
    subscribe: fn(u32) -> Vec<Vec<u8>>,
    work: &Work,
) -> Result<Server, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    speaking(pinned(&own).arg(argument), path, subprotocol, subscribe, work)
}

pub(crate) fn free_port() -> Result<u16, String> {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(|error| error.to_string())
}

/// Waits until something listens on the port.
pub(crate) fn listening(port: u16) -> Result<SocketAddr, String> {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let begin = Instant::now();
    while TcpStream::connect(address).is_err() {
        if begin.elapsed() > START {
            return Err("it did not start".to_owned());
        }
        std::thread::park_timeout(Duration::from_millis(100));
    }
    Ok(address)
}

/// Publishes over a broker connection, on a thread that ends with the broker or the run.
fn publish_to(
    address: SocketAddr,
    greeting: &'static str,
    message: fn(Due, &str) -> String,
    topics: u32,
) -> Result<Pace, String> {
    let mut stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    stream.write_all(greeting.as_bytes()).map_err(|error| error.to_string())?;
    let mut answers = stream.try_clone().map_err(|error| error.to_string())?;
    // The broker's output is read and dropped, or it would block.
    let drain = move || std::io::copy(&mut answers, &mut std::io::sink()).map_or((), drop);
    std::thread::Builder::new().spawn(drain).map_err(|error| error.to_string())?;
    let pace = Pace::new();
    let followed = pace.clone();
    let publishing = move || {
        publish::publish_until_end(topics, &followed, |due| {
            stream.write_all(message(due, &due.payload(PAYLOAD)).as_bytes()).is_ok()
        });
    };
    std::thread::Builder::new().spawn(publishing).map_err(|error| error.to_string())?;
    Ok(pace)
}

fn nats(work: &Work) -> Result<Server, String> {
    let program = path_of("PEERS_NATS")?;
    let (port, sockets) = (free_port()?, free_port()?);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("nats-{}.conf", std::process::id()));
    let configuration =
        format!("host: 127.0.0.1\nport: {port}\nwebsocket {{ host: 127.0.0.1, port: {sockets}, no_tls: true }}\n");
    std::fs::write(&file, configuration).map_err(|error| error.to_string())?;
    let server = pinned(&program).arg("-c").arg(&file).stdout(Stdio::null()).spawn();
    let server = Running(server.map_err(|error| error.to_string())?);
    listening(sockets)?;
    let message = |due: Due, payload: &str| format!("PUB {} {}\r\n{payload}\r\n", name_of(due), payload.len());
    let pace = publish_to(listening(port)?, "CONNECT {\"verbose\":false}\r\n", message, work.topics)?;
    let subscribe =
        |topic| vec![format!("CONNECT {{\"verbose\":false}}\r\nSUB common 1\r\nSUB m{topic} 2\r\n").into_bytes()];
    let (path, pid) = (|_| "/".to_owned(), server.0.id());
    let manner = ClientProtocol { port: sockets, path, subprotocol: "", subscribe, confirms: b"", pid };
    Ok(Server { manner, topics: work.topics, pace, _process: Some(server) })
}

/// RabbitMQ, which the script starts because that takes long; this program only needs its ports.
fn rabbit(work: &Work) -> Result<Server, String> {
    let port = |name: &str| {
        let text = std::env::var(name).map_err(|_| format!("{name} does not say where it is"))?;
        text.parse::<u16>().map_err(|error| error.to_string())
    };
    let (stomp, sockets) = (port("PEERS_STOMP_PORT")?, port("PEERS_WEB_STOMP_PORT")?);
    let pid = process::listener(listening(sockets)?).ok_or("its process is not found")?;
    let message = |due: Due, payload: &str| {
        format!("SEND\ndestination:/topic/{}\ncontent-length:{}\n\n{payload}\0", name_of(due), payload.len())
    };
    let greeting = "CONNECT\naccept-version:1.2\nhost:/\nlogin:guest\npasscode:guest\n\n\0";
    let pace = publish_to(listening(stomp)?, greeting, message, work.topics)?;
    let subscribe = |topic: u32| {
        let connect =
            b"CONNECT\naccept-version:1.2\nhost:/\nlogin:guest\npasscode:guest\nheart-beat:0,0\n\n\0".to_vec();
        let of = |id: u32, topic: &str| {
            format!("SUBSCRIBE\nid:{id}\ndestination:/topic/{topic}\nack:auto\nreceipt:{id}\n\n\0").into_bytes()
        };
        vec![connect, of(0, "common"), of(1, &format!("m{topic}"))]
    };
    // It makes a queue for each subscription, which takes it longer than all other servers together.
    let (path, subprotocol, confirms) = (|_| "/ws".to_owned(), "v12.stomp", b"receipt-id:1");
    let manner = ClientProtocol { port: sockets, path, subprotocol, subscribe, confirms, pid };
    Ok(Server { manner, topics: work.topics, pace, _process: None })
}
