//! The servers: how each is started, on which core, how one subscribes to it, and who publishes where it does not do so
//! by itself. What is not installed is left out, with the reason.

use crate::client::{self, Manner, Seen};
use crate::ours::match_of;
use crate::publish;
use crate::work::{Due, PAYLOAD, payload};
use kvota::load::process;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::time::Instant;

/// A server may take so long to start.
const START: Duration = Duration::from_secs(60);

/// Who does the work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Peer {
    Bare,
    Ours,
    Bun,
    Nats,
    Rabbit,
}

/// A process that ends with its round.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Peer {
    /// The limit first: all others are read as a ratio to it.
    pub(crate) const ALL: [Peer; 5] = [Peer::Bare, Peer::Ours, Peer::Bun, Peer::Nats, Peer::Rabbit];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Peer::Bare => "bare write loop (limit)",
            Peer::Ours => "kvota",
            Peer::Bun => "Bun publish",
            Peer::Nats => "NATS over WebSocket",
            Peer::Rabbit => "RabbitMQ Web-STOMP",
        }
    }

    /// One round.
    pub(crate) fn measure(self, connections: u32, seconds: u32) -> Result<Seen, String> {
        match self {
            Peer::Bare => of_itself("serve-bare", by_query, "", |_| Vec::new(), connections, seconds),
            Peer::Ours => {
                let path = |_| "/api/v1/live/hub?lang=hr".to_owned();
                of_itself("serve-ours", path, "kvota.v1.msgpack", watch, connections, seconds)
            }
            Peer::Bun => {
                let bun = variable("PEERS_BUN")?;
                let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/bun.mjs");
                let (server, port) = told_port(pinned(&bun).arg(script))?;
                let manner =
                    Manner { port, path: by_query, subprotocol: "", subscribe: |_| Vec::new(), pid: server.0.id() };
                client::measure(&manner, connections, seconds)
            }
            Peer::Nats => nats(connections, seconds),
            Peer::Rabbit => rabbit(connections, seconds),
        }
    }
}

/// A topic as brokers name it.
fn name_of(due: Due) -> String {
    due.topic.map_or("common".to_owned(), |topic| format!("m{topic}"))
}

fn by_query(topic: u32) -> String {
    format!("/?topic={topic}")
}

/// The command of the hub that follows a topic's match and the common one.
fn watch(topic: u32) -> Vec<Vec<u8>> {
    let command = json!([1, "watch", {"matches": [match_of(Some(topic)), match_of(None)]}]);
    vec![rmp_serde::to_vec(&command).expect("msgpack")]
}

/// The path of a program, by the script that has installed it.
fn variable(name: &str) -> Result<PathBuf, String> {
    std::env::var_os(name).map(PathBuf::from).ok_or_else(|| format!("{name} does not say where it is"))
}

/// A program on the first core; this one is on the second (scripts/peers.sh).
fn pinned(program: &std::path::Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(program).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts what prints its port.
fn told_port(command: &mut Command) -> Result<(Running, u16), String> {
    let mut server = Running(command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?);
    let out = server.0.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
    let port = line.trim().parse().map_err(|_| format!("it says {line:?} in the place of its port"))?;
    Ok((server, port))
}

fn of_itself(
    argument: &str,
    path: fn(u32) -> String,
    subprotocol: &'static str,
    subscribe: fn(u32) -> Vec<Vec<u8>>,
    connections: u32,
    seconds: u32,
) -> Result<Seen, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let (server, port) = told_port(pinned(&own).arg(argument))?;
    client::measure(&Manner { port, path, subprotocol, subscribe, pid: server.0.id() }, connections, seconds)
}

fn free_port() -> Result<u16, String> {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(|error| error.to_string())
}

/// Waits until something listens there.
fn listening(port: u16) -> Result<SocketAddr, String> {
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

/// Publishes over a connection of a broker, on a thread that ends with the broker.
fn publish_to(address: SocketAddr, greeting: &'static str, message: fn(Due, &str) -> String) -> Result<(), String> {
    let mut stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    stream.write_all(greeting.as_bytes()).map_err(|error| error.to_string())?;
    let mut answers = stream.try_clone().map_err(|error| error.to_string())?;
    // What the broker says is read and dropped, or it would stop.
    let drain = move || std::io::copy(&mut answers, &mut std::io::sink()).map_or((), drop);
    std::thread::Builder::new().spawn(drain).map_err(|error| error.to_string())?;
    let publishing = move || {
        publish::for_ever(|due, due_us| stream.write_all(message(due, &payload(due_us, PAYLOAD)).as_bytes()).is_ok());
    };
    std::thread::Builder::new().spawn(publishing).map(drop).map_err(|error| error.to_string())
}

fn nats(connections: u32, seconds: u32) -> Result<Seen, String> {
    let program = variable("PEERS_NATS")?;
    let (port, sockets) = (free_port()?, free_port()?);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("nats-{}.conf", std::process::id()));
    let configuration =
        format!("host: 127.0.0.1\nport: {port}\nwebsocket {{ host: 127.0.0.1, port: {sockets}, no_tls: true }}\n");
    std::fs::write(&file, configuration).map_err(|error| error.to_string())?;
    let server = pinned(&program).arg("-c").arg(&file).stdout(Stdio::null()).spawn();
    let server = Running(server.map_err(|error| error.to_string())?);
    listening(sockets)?;
    let message = |due: Due, payload: &str| format!("PUB {} {}\r\n{payload}\r\n", name_of(due), payload.len());
    publish_to(listening(port)?, "CONNECT {\"verbose\":false}\r\n", message)?;
    let subscribe =
        |topic| vec![format!("CONNECT {{\"verbose\":false}}\r\nSUB common 1\r\nSUB m{topic} 2\r\n").into_bytes()];
    let manner = Manner { port: sockets, path: |_| "/".to_owned(), subprotocol: "", subscribe, pid: server.0.id() };
    client::measure(&manner, connections, seconds)
}

/// A broker that the script has started, since it takes long: only its ports are ours to know.
fn rabbit(connections: u32, seconds: u32) -> Result<Seen, String> {
    let port = |name: &str| {
        let text = std::env::var(name).map_err(|_| format!("{name} does not say where it is"))?;
        text.parse::<u16>().map_err(|error| error.to_string())
    };
    let (stomp, sockets) = (port("PEERS_STOMP_PORT")?, port("PEERS_WEB_STOMP_PORT")?);
    let pid = process::listener(listening(sockets)?).ok_or("its process is not found")?;
    let message = |due: Due, payload: &str| {
        format!("SEND\ndestination:/topic/{}\ncontent-length:{}\n\n{payload}\0", name_of(due), payload.len())
    };
    publish_to(listening(stomp)?, "CONNECT\naccept-version:1.2\nhost:/\nlogin:guest\npasscode:guest\n\n\0", message)?;
    let subscribe = |topic: u32| {
        let connect =
            b"CONNECT\naccept-version:1.2\nhost:/\nlogin:guest\npasscode:guest\nheart-beat:0,0\n\n\0".to_vec();
        let of = |id: u32, topic: &str| {
            format!("SUBSCRIBE\nid:{id}\ndestination:/topic/{topic}\nack:auto\n\n\0").into_bytes()
        };
        vec![connect, of(0, "common"), of(1, &format!("m{topic}"))]
    };
    let manner = Manner { port: sockets, path: |_| "/ws".to_owned(), subprotocol: "v12.stomp", subscribe, pid };
    client::measure(&manner, connections, seconds)
}
