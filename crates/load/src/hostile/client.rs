//! One hostile client: acts at each of its moments, whatever the result of the previous action, and reconnects after a
//! rejection. It waits for answers only to count them. Runs on the thread of `attack.rs`.

use super::Kind;
use super::moments::{Moments, random_of};
use super::tally::{HostileTally, KindTally};
use super::variants::variant;
use super::windows::Window;
use crate::accounts::register;
use crate::catalogue::Catalogue;
use crate::fault::Fault;
use crate::http::{Line, Request};
use crate::random::Random;
use crate::scan::{ShownRow, scan};
use crate::socket::{self, Frame, Handshake, Reader, Writer};
use crate::target::{Endpoint, Target};
use serde_json::{Value, json};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Answers that a client may await at once; older ones count as not answered.
const AWAITED_MAX: usize = 1_000;
/// Receive buffer of a client that never reads: small, so that the server soon cannot write.
const STALLED_RECEIVE_BYTES: u32 = 4_096;
/// Open matches of a stalled client: rows alone fill the system's buffers in minutes, markets in seconds. The ids must
/// fit into a command of 4 KiB.
const STALLED_MATCHES: usize = 300;
/// Stalled clients all connect within this time.
const STALLED_CONNECT: Duration = Duration::from_secs(1);

/// Data shared by all hostile clients of a run.
#[derive(Debug)]
pub struct Shared {
    /// The server.
    pub target: Target,
    /// The start of the run.
    pub begin: Instant,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The time limit for an answer.
    pub answer_limit: Duration,
    /// The periods in which hostile clients are active or quiet.
    pub spans: Vec<Window>,
    /// Actions per second of each client.
    pub rate: u32,
    /// The number of clients.
    pub clients: u32,
    /// The current matches.
    pub catalogue: watch::Receiver<Arc<Catalogue>>,
    /// The read buffer.
    pub scratch: RefCell<Vec<u8>>,
    /// The counts.
    pub tally: RefCell<HostileTally>,
}

/// A hostile client.
#[derive(Debug)]
pub struct Client {
    shared: Rc<Shared>,
    number: u32,
    kind: Kind,
    door: Endpoint,
    moments: RefCell<Moments>,
    random: RefCell<Random>,
    last: Cell<Option<Instant>>,
    /// The cookie of its account, if it has one.
    cookie: OnceCell<String>,
}

/// Actions whose answers are awaited, by number: the intended and the actual moment.
#[derive(Debug, Default)]
struct Awaited(RefCell<BTreeMap<u64, (Instant, Instant)>>);

impl Client {
    /// A client of this kind.
    pub fn new(shared: Rc<Shared>, number: u32, kind: Kind) -> Client {
        let receive_bytes = (kind == Kind::Stalled).then_some(STALLED_RECEIVE_BYTES);
        Client {
            number,
            kind,
            door: Endpoint { receive_bytes, ..shared.target.hostile_endpoint(number) },
            moments: RefCell::new(Moments::new(&shared.spans, shared.rate, shared.seed, number)),
            random: RefCell::new(random_of(shared.seed, number)),
            last: Cell::new(None),
            cookie: OnceCell::new(),
            shared,
        }
    }

    /// Acts until no moment is left.
    pub async fn run(self) {
        match self.kind {
            Kind::Handshake => self.open_and_close().await,
            Kind::Offer => self.get_offers().await,
            Kind::Stalled => self.stall().await,
            Kind::Rewatch | Kind::Resync | Kind::Ping => self.send_commands().await,
            Kind::Reality | Kind::Bets => {
                self.log_in().await;
                self.send_commands().await;
            }
        }
    }

    fn count<T>(&self, count: impl FnOnce(&mut KindTally) -> T) -> T {
        count(self.shared.tally.borrow_mut().kinds.entry(self.kind).or_default())
    }

    /// Waits for the next moment to act. Even a late client stays below the hub's limit.
    async fn due(&self) -> Option<Instant> {
        let at = self.moments.borrow_mut().next()?;
        let intended = self.shared.begin + at;
        let least_apart = self.moments.borrow().least_apart();
        sleep_until(self.last.get().map_or(intended, |last| intended.max(last + least_apart))).await;
        self.last.set(Some(Instant::now()));
        self.count(|tally| tally.actions += 1);
        Some(intended)
    }

    /// Opens an account, but for every other client that needs none. Without one it attacks anonymously.
    async fn log_in(&self) {
        if self.kind == Kind::Reality && self.number.is_multiple_of(2) {
            return;
        }
        let random = self.random.borrow_mut().uuid();
        match register(self.door.clone(), &format!("hostile-{random}"), &random).await {
            // It is set once.
            Ok(cookie) => drop(self.cookie.set(cookie)),
            Err(fault) => self.count(|tally| tally.fault("register", &fault)),
        }
    }

    async fn connect(&self) -> Result<(Reader, Writer), Fault> {
        let mut random = Random::new(self.random.borrow_mut().bits(), 0);
        let asked = Handshake {
            path: "/api/v1/live/hub?lang=hr",
            subprotocol: "kvota.v1.msgpack",
            cookie: self.cookie.get().map(String::as_str),
            limit: self.shared.answer_limit,
        };
        let socket = socket::connect(&self.door, &asked, &mut random).await?;
        self.count(|tally| tally.connections += 1);
        Ok((socket.reader, socket.writer))
    }

    async fn open_and_close(&self) {
        while let Some(intended) = self.due().await {
            let started = Instant::now();
            let connected = self.connect().await;
            let now = Instant::now();
            self.count(|tally| match connected {
                Ok(_) => tally.answer(now.duration_since(intended), now.duration_since(started)),
                Err(fault) => tally.fault("handshake", &fault),
            });
        }
    }

    async fn get_offers(&self) {
        let mut line = Line::new(self.door.clone());
        // Each client begins with another variant.
        let mut number = u64::from(self.number) * 7;
        while let Some(intended) = self.due().await {
            let (path, headers) = variant(number);
            number += 1;
            let started = Instant::now();
            let request = Request { headers: &headers, ..Request::get(&path, self.shared.answer_limit) };
            let answer = line.call(&request).await;
            let now = Instant::now();
            self.count(|tally| match answer {
                Ok(answer) if matches!(answer.status, 200 | 204 | 304) => {
                    tally.bytes += answer.body_bytes;
                    tally.answer(now.duration_since(intended), now.duration_since(started));
                }
                Ok(answer) => tally.fault("offer", &Fault::Status(answer.status)),
                Err(fault) => tally.fault("offer", &fault),
            });
        }
    }

    /// Connects at one moment, then sends a command at each following one until the connection ends.
    async fn send_commands(&self) {
        while self.due().await.is_some() {
            let (reader, writer) = match self.connect().await {
                Ok(connected) => connected,
                Err(fault) => {
                    self.count(|tally| tally.fault("handshake", &fault));
                    continue;
                }
            };
            let awaited = Awaited::default();
            let ended = tokio::select! {
                fault = self.read(reader, &writer, &awaited) => Some(fault),
                fault = self.send(&writer, &awaited) => fault,
            };
            if let Some(fault) = ended {
                self.count(|tally| tally.fault("hub", &fault));
            }
        }
    }

    /// Sends until the end of an active period, or until sending fails.
    async fn send(&self, writer: &Writer, awaited: &Awaited) -> Option<Fault> {
        let mut n = 0;
        if self.kind == Kind::Resync {
            n += 1;
            if let Err(fault) = self.send_command(writer, &json!([n, "watch", {"sports": null}])) {
                return Some(fault);
            }
        }
        let mut step = 0;
        let begin = self.shared.begin;
        let connected = Instant::now().duration_since(begin);
        while let Some(intended) = self.due().await {
            if !self.moments.borrow().is_in_one_span(connected, intended.duration_since(begin)) {
                return None;
            }
            n += 1;
            step += 1;
            let sent = match self.kind {
                // Every other ping is a control frame; its answer carries the same number.
                Kind::Ping if step % 2 == 0 => {
                    writer.send(&socket::ping(&u64::to_be_bytes(n), &mut self.random.borrow_mut()))
                }
                Kind::Ping => self.send_command(writer, &json!([n, "ping"])),
                Kind::Resync => self.send_command(writer, &json!([n, "resync", null])),
                Kind::Reality => self.send_command(writer, &json!([n, "reality", "continue"])),
                Kind::Bets => {
                    let watch = json!({"sports": [], "bets": step % 2 == 1});
                    self.send_command(writer, &json!([n, "watch", watch]))
                }
                _ => self.send_command(writer, &json!([n, "watch", self.watch_set(step)])),
            };
            match sent {
                Ok(()) => awaited.add(n, intended),
                Err(fault) => return Some(fault),
            }
        }
        None
    }

    /// Alternates between two sets, each sent twice: a new set and an equal one.
    fn watch_set(&self, step: u64) -> Value {
        let chosen = self.shared.catalogue.borrow().match_by(u64::from(self.number), None);
        match (step / 2 % 2, chosen) {
            (1, Some(id)) => json!({"sports": null, "matches": [id]}),
            (1, None) => json!({"sports": []}),
            _ => json!({"sports": null}),
        }
    }

    fn send_command(&self, writer: &Writer, command: &Value) -> Result<(), Fault> {
        let body = rmp_serde::to_vec(command).map_err(|_| Fault::Malformed)?;
        writer.send(&socket::binary(&body, &mut self.random.borrow_mut()))
    }

    /// Reads until the connection ends; returns the reason.
    async fn read(&self, mut reader: Reader, writer: &Writer, awaited: &Awaited) -> Fault {
        let mut ended = None;
        loop {
            let read = reader.next(&self.shared.scratch, |frame| match frame {
                Frame::Data(body) => {
                    self.count(|tally| tally.bytes += body.len() as u64);
                    let answered = |seen: ShownRow<'_>| {
                        if let ShownRow::Ack { n: Some(n), .. } = seen {
                            self.answered(awaited, n);
                        }
                    };
                    if scan(body, answered).is_err() {
                        ended = Some(Fault::Malformed);
                    }
                }
                Frame::Ping(body) => {
                    ended = writer.send(&socket::pong(body, &mut self.random.borrow_mut())).err().or(ended.take());
                }
                Frame::Pong(body) => {
                    if let Some(n) = body.first_chunk() {
                        self.answered(awaited, u64::from_be_bytes(*n));
                    }
                }
                Frame::Close(code) => ended = Some(Fault::Closed(code)),
            });
            if let Err(fault) = read.await {
                return ended.unwrap_or(fault);
            }
            if let Some(fault) = ended {
                return fault;
            }
        }
    }

    fn answered(&self, awaited: &Awaited, n: u64) {
        if let Some((intended, started)) = awaited.take(n) {
            let now = Instant::now();
            self.count(|tally| tally.answer(now.duration_since(intended), now.duration_since(started)));
        }
    }

    /// Watches all rows and many matches in each period. Reads in quiet periods and never in hostile ones.
    async fn stall(&self) {
        for span in &self.shared.spans {
            let share = f64::from(self.number) / f64::from(self.shared.clients.max(1));
            sleep_until(self.shared.begin + span.from + STALLED_CONNECT.mul_f64(share)).await;
            let end = sleep_until(self.shared.begin + span.until);
            tokio::select! {
                () = self.stay(span.is_hostile) => {}
                () = end => {}
            }
        }
    }

    async fn stay(&self, is_hostile: bool) {
        if is_hostile {
            self.count(|tally| tally.actions += 1);
        }
        let started = Instant::now();
        let connected = self.connect().await.and_then(|(reader, writer)| {
            let matches = self.shared.catalogue.borrow().first_matches(STALLED_MATCHES);
            self.send_command(&writer, &json!([1, "watch", {"sports": null, "matches": matches}]))?;
            Ok((reader, writer))
        });
        match connected {
            Ok((_reader, _writer)) if is_hostile => {
                let took = Instant::now().duration_since(started);
                self.count(|tally| tally.answer(took, took));
                // Keeps both halves unread until the period is over.
                std::future::pending::<()>().await;
            }
            Ok((reader, writer)) => {
                let fault = self.read(reader, &writer, &Awaited::default()).await;
                self.count(|tally| tally.fault("hub", &fault));
            }
            Err(fault) => self.count(|tally| tally.fault("handshake", &fault)),
        }
    }
}

impl Awaited {
    fn add(&self, n: u64, intended: Instant) {
        let mut awaited = self.0.borrow_mut();
        awaited.insert(n, (intended, Instant::now()));
        if awaited.len() > AWAITED_MAX {
            awaited.pop_first();
        }
    }

    fn take(&self, n: u64) -> Option<(Instant, Instant)> {
        self.0.borrow_mut().remove(&n)
    }
}
