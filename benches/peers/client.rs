//! The one client that measures them all: connects, subscribes in the server's own way, counts what arrives and how long
//! after it was due.

#![expect(clippy::disallowed_methods, reason = "tasks end with the runtime that is dropped behind them")]

use crate::work::{MARK, TOPICS, now_us};
use kvota::load::process::{self, Usage};
use kvota::load::random::Random;
use kvota::load::socket::{self, Frame, Handshake, Socket};
use kvota::load::tally::Times;
use kvota::load::target::{Door, Target};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::{JoinSet, LocalSet, spawn_local};
use tokio::time::Instant;

/// Before anything is counted.
const WARM: Duration = Duration::from_secs(2);

/// Connections that are made at once: one after the other, each would wait behind the work for those before it.
const AT_ONCE: usize = 250;

/// How a server is spoken to.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    /// Where its sockets are.
    pub(crate) port: u16,
    /// Of the handshake of a connection for this topic.
    pub(crate) path: fn(u32) -> String,
    /// Offered in the handshake.
    pub(crate) subprotocol: &'static str,
    /// What subscribes to a topic and to the common one; each is a frame.
    pub(crate) subscribe: fn(u32) -> Vec<Vec<u8>>,
    /// The server's process.
    pub(crate) pid: u32,
}

/// What a round has shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) us_each: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) kib_each: f64,
    /// Of what should have, 1 is all.
    pub(crate) arrived: f64,
}

#[derive(Default)]
struct Counted {
    is_counting: bool,
    deliveries: u64,
    times: Times,
}

/// Connects so many, lets them settle, and counts for so long.
pub(crate) fn measure(manner: &Manner, connections: u32, seconds: u32) -> Result<Seen, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let usage = || process::usage(manner.pid).ok_or_else(|| "its process is gone".to_owned());
        let idle = usage()?;
        let counted = Rc::new(RefCell::new(Counted::default()));
        let scratch = Rc::new(RefCell::new(vec![0; 64 << 10]));
        let target = Target::parse(&format!("127.0.0.1:{}", manner.port)).map_err(|error| error.to_string())?;
        let numbers: Vec<u32> = (0..connections).collect();
        for together in numbers.chunks(AT_ONCE) {
            let mut connecting = JoinSet::new();
            for &number in together {
                let (manner, target) = (*manner, target.clone());
                connecting.spawn_local(async move { connect(&manner, &target, number).await });
            }
            while let Some(connected) = connecting.join_next().await {
                let socket = connected.map_err(|error| error.to_string())??;
                spawn_local(read(socket, Rc::clone(&counted), Rc::clone(&scratch)));
            }
        }
        tokio::time::sleep(WARM).await;
        let full = usage()?;
        counted.borrow_mut().is_counting = true;
        let (begin, before) = (Instant::now(), usage()?);
        tokio::time::sleep(Duration::from_secs(seconds.into())).await;
        let (after, took) = (usage()?, begin.elapsed());
        let counted = counted.borrow();
        if counted.deliveries == 0 {
            return Err("nothing arrived".to_owned());
        }
        Ok(seen(&counted, connections, took, (idle, full), (before, after)))
    })
}

fn seen(counted: &Counted, connections: u32, took: Duration, memory: (Usage, Usage), cpu: (Usage, Usage)) -> Seen {
    let used = cpu.1.cpu.saturating_sub(cpu.0.cpu).as_secs_f64() * 1e6;
    let grown = memory.1.rss_bytes.saturating_sub(memory.0.rss_bytes) as f64 / 1024.0;
    Seen {
        us_each: used / counted.deliveries as f64,
        p50_ms: counted.times.quantile_ms(0.5),
        p99_ms: counted.times.quantile_ms(0.99),
        kib_each: grown / f64::from(connections),
        arrived: counted.deliveries as f64 / (f64::from(connections) * 11.0 * took.as_secs_f64()),
    }
}

async fn connect(manner: &Manner, target: &Target, number: u32) -> Result<Socket, String> {
    let topic = number % TOPICS;
    let mut random = Random::new(1, number.into());
    let path = (manner.path)(topic);
    let limit = Duration::from_secs(10);
    let asked = Handshake { path: &path, subprotocol: manner.subprotocol, cookie: None, limit };
    let door = Door { target: target.clone(), local: None };
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
            Frame::Pong => {}
            Frame::Close(_) => is_open = false,
        });
        if seen.await.is_err() {
            return;
        }
    }
}

/// Every payload in a frame; some servers put several into one.
fn count(mut body: &[u8], counted: &mut Counted) {
    let now = now_us();
    while let Some(at) = body.windows(MARK.len()).position(|window| window == MARK) {
        let digits = body.get(at + MARK.len()..at + MARK.len() + 16);
        let due_us = digits.and_then(|digits| i64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        if let Some(due_us) = due_us
            && counted.is_counting
        {
            counted.deliveries += 1;
            counted.times.record(Duration::from_micros(u64::try_from(now - due_us).unwrap_or_default()));
        }
        body = &body[at + MARK.len()..];
    }
}
