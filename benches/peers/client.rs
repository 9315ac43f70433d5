//! The client for all servers: connects, subscribes in the way of the server, and measures how many payloads arrive and
//! how long after their due time.

#![expect(clippy::disallowed_methods, reason = "tasks end with the runtime that is dropped behind them")]

use crate::servers::{ClientProtocol, START, Server};
use crate::work::{MARK, PAYLOAD, Rates, STOP_MARK, now_us};
use kvota_load::process::{self, Usage};
use kvota_load::random::Random;
use kvota_load::socket::{self, Frame, Handshake, Socket};
use kvota_load::tally::Times;
use kvota_load::target::{Endpoint, Target};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::{JoinSet, LocalSet, spawn_local};
use tokio::time::Instant;

/// The wait after a change of the rates, before anything is counted.
const SETTLE_TIME: Duration = Duration::from_secs(1);

/// Connections opened in parallel. One at a time, each would wait behind the work for the earlier ones.
const AT_ONCE: usize = 250;

/// Payloads due in a window may arrive this long after its end.
const GRACE: Duration = Duration::from_millis(500);

/// The measurements of one window of time.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Payloads that were due in the window and arrived.
    pub(crate) deliveries: u64,
    /// Processor time of the server for each payload, in µs.
    pub(crate) us_each: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// The share of due payloads that arrived; 1 is all.
    pub(crate) arrived: f64,
    /// Payloads per frame.
    pub(crate) joined: f64,
    /// Processor time of the server, as a share of a core.
    pub(crate) server_share: f64,
    /// Processor time of the client, as a share of a core. Near 1 the client is the bottleneck.
    pub(crate) client_share: f64,
    /// The latency of each stop at its last connection, in ms, in the order of their due times.
    pub(crate) stops_ms: Vec<f64>,
    /// The length of the window.
    pub(crate) took: Duration,
}

#[derive(Default)]
struct Counted {
    /// Payloads due in this range are counted, in µs since the epoch.
    due: Range<i64>,
    /// Payloads that arrived in this time, whenever they were due: the server spent its time on these.
    came: u64,
    frames: u64,
    deliveries: u64,
    times: Times,
    /// For each stop, by due time: the connections that received it, and the latency of the last one.
    stops: BTreeMap<i64, (u32, i64)>,
}

/// All connections to one server.
pub(crate) struct Fleet {
    connections: u32,
    server: Server,
    counted: Rc<RefCell<Counted>>,
    /// The server's memory in bytes, before and after all connections were opened.
    memory: (u64, u64),
}

/// Opens connections to a silent server, and runs something with them.
pub(crate) fn with<T>(
    server: Server,
    connections: u32,
    act: impl AsyncFnOnce(&Fleet) -> Result<T, String>,
) -> Result<T, String> {
    with_all(vec![server], connections, async |fleets| match fleets {
        [fleet] => act(fleet).await,
        _ => Err("one server has one fleet".to_owned()),
    })
}

/// The same with several servers, which are all silent at first.
pub(crate) fn with_all<T>(
    servers: Vec<Server>,
    connections: u32,
    act: impl AsyncFnOnce(&[Fleet]) -> Result<T, String>,
) -> Result<T, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let mut fleets = Vec::new();
        for server in servers {
            fleets.push(Fleet::connect(server, connections).await?);
        }
        act(&fleets).await
    })
}

impl Fleet {
    async fn connect(server: Server, connections: u32) -> Result<Fleet, String> {
        let manner = server.manner;
        let before = usage(manner.pid)?;
        let counted = Rc::new(RefCell::new(Counted::default()));
        let scratch = Rc::new(RefCell::new(vec![0; 64 << 10]));
        let target = Target::parse(&format!("127.0.0.1:{}", manner.port)).map_err(|error| error.to_string())?;
        let numbers: Vec<u32> = (0..connections).collect();
        for together in numbers.chunks(AT_ONCE) {
            let mut connecting = JoinSet::new();
            for &number in together {
                let (topic, target) = (number % server.topics, target.clone());
                connecting.spawn_local(async move { connect(&manner, &target, number, topic).await });
            }
            while let Some(connected) = connecting.join_next().await {
                let socket = connected.map_err(|error| error.to_string())??;
                spawn_local(read(socket, Rc::clone(&counted), Rc::clone(&scratch)));
            }
        }
        tokio::time::sleep(SETTLE_TIME).await;
        let memory = (before.rss_bytes, usage(manner.pid)?.rss_bytes);
        Ok(Fleet { connections, server, counted, memory })
    }

    /// The server's memory for each connection, in KiB.
    pub(crate) fn kib_each(&self) -> f64 {
        self.memory.1.saturating_sub(self.memory.0) as f64 / 1024.0 / f64::from(self.connections.max(1))
    }

    /// Sets the rates of the server, and waits until they are in effect.
    pub(crate) async fn pace(&self, rates: Rates) {
        self.server.pace(rates);
        tokio::time::sleep(SETTLE_TIME).await;
    }

    /// Measures for this many seconds. It is an error if nothing arrived although something was due.
    pub(crate) async fn window(&self, seconds: u32, rates: Rates) -> Result<Seen, String> {
        let pid = self.server.manner.pid;
        let from_us = now_us();
        let due = from_us..from_us + i64::from(seconds) * 1_000_000;
        *self.counted.borrow_mut() = Counted { due, ..Counted::default() };
        let (begin, before) = (Instant::now(), (usage(pid)?, usage(std::process::id())?));
        tokio::time::sleep(Duration::from_secs(seconds.into())).await;
        let (after, took) = ((usage(pid)?, usage(std::process::id())?), begin.elapsed());
        tokio::time::sleep(GRACE).await;
        let counted = std::mem::take(&mut *self.counted.borrow_mut());
        if counted.came == 0 && rates.each() > 0.0 {
            return Err("nothing arrived".to_owned());
        }
        let busy = |before: Usage, after: Usage| after.cpu.saturating_sub(before.cpu).as_secs_f64();
        let used = busy(before.0, after.0);
        let reached = counted.stops.values().filter(|(connections, _)| *connections == self.connections);
        Ok(Seen {
            deliveries: counted.deliveries,
            us_each: used * 1e6 / counted.came as f64,
            p50_ms: counted.times.quantile_ms(0.5),
            p99_ms: counted.times.quantile_ms(0.99),
            arrived: counted.deliveries as f64 / (f64::from(self.connections) * rates.each() * f64::from(seconds)),
            joined: counted.came as f64 / counted.frames.max(1) as f64,
            server_share: used / took.as_secs_f64(),
            client_share: busy(before.1, after.1) / took.as_secs_f64(),
            stops_ms: reached.map(|(_, late_us)| *late_us as f64 / 1000.0).collect(),
            took,
        })
    }
}

fn usage(pid: u32) -> Result<Usage, String> {
    process::usage(pid).ok_or_else(|| "its process is gone".to_owned())
}

async fn connect(manner: &ClientProtocol, target: &Target, number: u32, topic: u32) -> Result<Socket, String> {
    let mut random = Random::new(1, number.into());
    let path = (manner.path)(topic);
    let limit = Duration::from_secs(20);
    let asked = Handshake { path: &path, subprotocol: manner.subprotocol, cookie: None, limit };
    let door = Endpoint { target: target.clone(), local: None, receive_bytes: None };
    let mut socket =
        socket::connect(&door, &asked, &mut random).await.map_err(|fault| format!("connection {number}: {fault}"))?;
    for frame in (manner.subscribe)(topic) {
        socket.writer.send(&socket::binary(&frame, &mut random)).map_err(|fault| fault.to_string())?;
    }
    let confirmed = tokio::time::timeout(START, confirmation(&mut socket, manner.confirms)).await;
    confirmed.unwrap_or_else(|_| Err("no subscription was confirmed".to_owned()))?;
    Ok(socket)
}

/// Waits until a frame contains these bytes.
async fn confirmation(socket: &mut Socket, confirms: &[u8]) -> Result<(), String> {
    let scratch = RefCell::new(vec![0; 4 << 10]);
    let mut is_confirmed = confirms.is_empty();
    while !is_confirmed {
        let seen = socket.reader.next(&scratch, |frame| {
            if let Frame::Data(body) = frame {
                is_confirmed |= body.windows(confirms.len()).any(|bytes| bytes == confirms);
            }
        });
        seen.await.map_err(|fault| fault.to_string())?;
    }
    Ok(())
}

async fn read(mut socket: Socket, counted: Rc<RefCell<Counted>>, scratch: Rc<RefCell<Vec<u8>>>) {
    let mut random = Random::new(2, 2);
    let mut is_open = true;
    while is_open {
        let seen = socket.reader.next(&scratch, |frame| match frame {
            Frame::Data(body) => count(body, &mut counted.borrow_mut()),
            Frame::Ping(body) => is_open &= socket.writer.send(&socket::pong(body, &mut random)).is_ok(),
            Frame::Pong(_) => {}
            Frame::Close(_) => is_open = false,
        });
        if seen.await.is_err() {
            return;
        }
    }
}

/// Counts every payload in a frame; some servers put several into one.
fn count(mut body: &[u8], counted: &mut Counted) {
    if counted.due.is_empty() {
        return;
    }
    let (now, before) = (now_us(), counted.came);
    let is_now = counted.due.contains(&now);
    loop {
        let all = body;
        // The fastest search of the standard library: the client must handle millions a second.
        let Ok(past @ 1..) = body.skip_until(b':') else { break };
        let (mark, digits) = (past.checked_sub(4).and_then(|from| all.get(from..past)), body.first_chunk());
        let (Some(mark), Some(due_us)) = (mark, digits.and_then(number)) else { continue };
        if mark != MARK && mark != STOP_MARK {
            continue;
        }
        counted.came += u64::from(is_now && mark == MARK);
        if !counted.due.contains(&due_us) {
            // Due before or after the window.
        } else if mark == MARK {
            counted.deliveries += 1;
            counted.times.record(Duration::from_micros(u64::try_from(now - due_us).unwrap_or_default()));
        } else {
            let (connections, late_us) = counted.stops.entry(due_us).or_default();
            *connections += 1;
            *late_us = (*late_us).max(now - due_us);
        }
        // The rest of a payload is padding. Payloads of kvota are a little shorter, because its frame counts too.
        body = body.get(PAYLOAD * 3 / 4..).unwrap_or_default();
    }
    counted.frames += u64::from(counted.came > before);
}

/// Parses 16 hexadecimal digits.
fn number(digits: &[u8; 16]) -> Option<i64> {
    digits.iter().try_fold(0, |sum, digit| Some(sum << 4 | i64::from(char::from(*digit).to_digit(16)?)))
}
