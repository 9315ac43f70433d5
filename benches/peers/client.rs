//! The one client that measures them all: connects, subscribes in the server's own way, counts what arrives and how long
//! after it was due.

#![expect(clippy::disallowed_methods, reason = "tasks end with the runtime that is dropped behind them")]

use crate::servers::{Manner, Server};
use crate::work::{MARK, PAYLOAD, Rates, STOP_MARK, now_us};
use kvota::load::process::{self, Usage};
use kvota::load::random::Random;
use kvota::load::socket::{self, Frame, Handshake, Socket};
use kvota::load::tally::Times;
use kvota::load::target::{Door, Target};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::{JoinSet, LocalSet, spawn_local};
use tokio::time::Instant;

/// After a change of pace, before anything is counted.
const WARM: Duration = Duration::from_secs(2);

/// Connections that are made at once: one after the other, each would wait behind the work for those before it.
const AT_ONCE: usize = 250;

/// So long after a window what was due in it still counts as arrived.
const GRACE: Duration = Duration::from_millis(500);

/// What a window of time has shown.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Payloads that were due in it and arrived.
    pub(crate) deliveries: u64,
    /// Of the server's time on its core.
    pub(crate) us_each: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// Of those that should have, 1 is all.
    pub(crate) arrived: f64,
    /// Payloads in a frame.
    pub(crate) joined: f64,
    /// Of a core.
    pub(crate) server_share: f64,
    /// Of a core: near 1 it is the client that is measured.
    pub(crate) client_share: f64,
    /// How late each stop was with the last connection, by the moment at which it was due, milliseconds.
    pub(crate) stops_ms: Vec<f64>,
    /// How long it was.
    pub(crate) took: Duration,
}

#[derive(Default)]
struct Counted {
    /// What was due in this time is counted, microseconds since the epoch.
    due: Range<i64>,
    /// What came in this time, whenever it was due: what the server's time was spent on.
    came: u64,
    frames: u64,
    deliveries: u64,
    times: Times,
    /// By the moment at which a stop was due: of how many connections, and how late of the last.
    stops: BTreeMap<i64, (u32, i64)>,
}

/// All connections to one server.
pub(crate) struct Fleet {
    connections: u32,
    server: RefCell<Server>,
    counted: Rc<RefCell<Counted>>,
    /// Of the server's memory, while nobody was connected, and once all were.
    memory: (u64, u64),
}

/// Connects so many to a server that says nothing yet, and does something with them.
pub(crate) fn with<T>(
    server: Server,
    connections: u32,
    act: impl AsyncFnOnce(&Fleet) -> Result<T, String>,
) -> Result<T, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let fleet = Fleet::connect(server, connections).await?;
        act(&fleet).await
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
        tokio::time::sleep(WARM).await;
        let memory = (before.rss_bytes, usage(manner.pid)?.rss_bytes);
        Ok(Fleet { connections, server: RefCell::new(server), counted, memory })
    }

    /// Of the server's memory.
    pub(crate) fn kib_each(&self) -> f64 {
        self.memory.1.saturating_sub(self.memory.0) as f64 / 1024.0 / f64::from(self.connections.max(1))
    }

    /// From now on the server speaks so often.
    pub(crate) async fn pace(&self, rates: Rates) -> Result<(), String> {
        self.server.borrow_mut().pace(rates)?;
        tokio::time::sleep(WARM).await;
        Ok(())
    }

    /// Counts for so long. That nothing came is an error where something should have.
    pub(crate) async fn window(&self, seconds: u32, rates: Rates) -> Result<Seen, String> {
        let pid = self.server.borrow().manner.pid;
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

async fn connect(manner: &Manner, target: &Target, number: u32, topic: u32) -> Result<Socket, String> {
    let mut random = Random::new(1, number.into());
    let path = (manner.path)(topic);
    let limit = Duration::from_secs(20);
    let asked = Handshake { path: &path, subprotocol: manner.subprotocol, cookie: None, limit };
    let door = Door { target: target.clone(), local: None, receive_bytes: None };
    let socket =
        socket::connect(&door, &asked, &mut random).await.map_err(|fault| format!("connection {number}: {fault}"))?;
    for frame in (manner.subscribe)(topic) {
        socket.writer.send(&socket::binary(&frame, &mut random)).map_err(|fault| fault.to_string())?;
    }
    Ok(socket)
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

/// Every payload in a frame; some servers put several into one.
fn count(mut body: &[u8], counted: &mut Counted) {
    if counted.due.is_empty() {
        return;
    }
    let (now, before) = (now_us(), counted.came);
    let is_now = counted.due.contains(&now);
    loop {
        let all = body;
        // By the fastest search that there is in the standard library: of millions a second the client must not tire first.
        let Ok(past @ 1..) = body.skip_until(b':') else { break };
        let (mark, digits) = (past.checked_sub(4).and_then(|from| all.get(from..past)), body.first_chunk());
        let (Some(mark), Some(due_us)) = (mark, digits.and_then(number)) else { continue };
        if mark != MARK && mark != STOP_MARK {
            continue;
        }
        counted.came += u64::from(is_now && mark == MARK);
        if !counted.due.contains(&due_us) {
            // Of before the window, or of after it.
        } else if mark == MARK {
            counted.deliveries += 1;
            counted.times.record(Duration::from_micros(u64::try_from(now - due_us).unwrap_or_default()));
        } else {
            let (connections, late_us) = counted.stops.entry(due_us).or_default();
            *connections += 1;
            *late_us = (*late_us).max(now - due_us);
        }
        // The rest of a payload says nothing; a payload of ours is a little shorter, for its frame counts too.
        body = body.get(PAYLOAD * 3 / 4..).unwrap_or_default();
    }
    counted.frames += u64::from(counted.came > before);
}

/// The number that hexadecimal digits say.
fn number(digits: &[u8; 16]) -> Option<i64> {
    digits.iter().try_fold(0, |sum, digit| Some(sum << 4 | i64::from(char::from(*digit).to_digit(16)?)))
}
