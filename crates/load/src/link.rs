//! One connection of a session to the hub: sends commands and waits for their acknowledgements, reads frames and counts
//! them. Reading and acting run concurrently in one task, so shared state is in cells. Used by `session.rs`.

use super::fault::Fault;
use super::personas::Persona;
use super::random::Random;
use super::sample::Sample;
use super::scan::{ShownRow, scan};
use super::socket::{self, Frame, Reader, Writer};
use super::tally::{Count, Timing};
use super::worker::Worker;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use tokio::sync::Notify;
use tokio::time::Instant;

/// Codes of a rejection that only mean that the offer has changed.
const MOVED_ON: [&str; 7] = [
    "unknown_match",
    "unknown_market",
    "unknown_odd",
    "not_offered",
    "not_on_ticket",
    "too_many_pairs",
    "no_such_combination",
];

/// An open connection.
#[derive(Debug)]
pub struct Link<'w> {
    worker: &'w Worker,
    persona: Persona,
    writer: Writer,
    random: RefCell<Random>,
    n: Cell<u64>,
    state: RefCell<State>,
    received: Notify,
    /// The copy of the offer of a sampled session.
    pub sample: Option<RefCell<Sample>>,
}

#[derive(Debug, Default)]
struct State {
    is_greeted: bool,
    run: String,
    /// The command whose acknowledgement is awaited.
    awaited: Option<u64>,
    /// Its acknowledgement: the code if it was rejected.
    answer: Option<Option<String>>,
    feed: u64,
    /// Whether the answer to `resync null` has begun to arrive.
    is_shown: bool,
    must_reload: bool,
    ticket: Option<Vec<u8>>,
}

impl<'w> Link<'w> {
    /// A connection that was just opened.
    pub fn new(
        (worker, persona): (&'w Worker, Persona),
        writer: Writer,
        random: Random,
        sample: Option<Sample>,
    ) -> Link<'w> {
        worker.connections.set(worker.connections.get() + 1);
        Link {
            worker,
            persona,
            writer,
            random: RefCell::new(random),
            n: Cell::new(0),
            state: RefCell::default(),
            received: Notify::new(),
            sample: sample.map(RefCell::new),
        }
    }

    /// Reads until the connection ends; returns the reason.
    pub async fn read(&self, mut reader: Reader) -> Fault {
        let mut ended = None;
        loop {
            let read = reader.next(&self.worker.scratch, |frame| match frame {
                Frame::Data(body) => self.take(body, &mut ended),
                Frame::Ping(body) => {
                    let pong = socket::pong(body, &mut self.random.borrow_mut());
                    ended = self.writer.send(&pong).err().or(ended.take());
                }
                Frame::Pong(_) => {}
                Frame::Close(code) => ended = Some(Fault::Closed(code)),
            });
            if let Err(fault) = read.await {
                // A close frame gives a better reason than the end of the stream.
                return ended.unwrap_or(fault);
            }
            if let Some(fault) = ended {
                return fault;
            }
        }
    }

    fn take(&self, body: &[u8], ended: &mut Option<Fault>) {
        let now = Instant::now();
        let mut is_news = false;
        let mut date = None;
        let mut state = self.state.borrow_mut();
        let scanned = scan(body, |row| match row {
            // The date is 0 before the first message of the feed.
            ShownRow::Date(date_ms) => date = Some(date_ms).filter(|date_ms| *date_ms > 0),
            ShownRow::Hello { feed, run } => {
                state.is_greeted = true;
                state.feed = feed;
                state.run = String::from_utf8_lossy(run).into_owned();
                is_news = true;
            }
            ShownRow::Ack { n, refused } => {
                let code = refused.map(|code| String::from_utf8_lossy(code).into_owned());
                if n.is_some() && n == state.awaited {
                    state.answer = Some(code);
                    is_news = true;
                }
            }
            ShownRow::Feed(feed) => {
                state.must_reload |= state.feed == 0 && feed != 0;
                state.feed = feed;
                is_news = true;
            }
            ShownRow::Reload => {
                state.must_reload = true;
                is_news = true;
            }
            ShownRow::WholeSport => {
                state.is_shown = true;
                is_news = true;
            }
            ShownRow::Ticket(bytes) => state.ticket = Some(bytes.to_vec()),
        });
        drop(state);
        let mut tally = self.worker.tally(self.persona);
        tally.count(Count::Frames, 1);
        tally.count(Count::HubBytes, body.len() as u64);
        match scanned {
            Ok(messages) => tally.count(Count::Messages, u64::from(messages)),
            Err(_) => *ended = Some(Fault::Malformed),
        }
        if let Some(date_ms) = date {
            let took = self.worker.clock.since_date(date_ms, now);
            tally.time(Timing::FeedToClient, took, took);
        }
        drop(tally);
        if let Some(sample) = &self.sample {
            let lost = sample.borrow_mut().take(body, now, &mut self.worker.convergence.borrow_mut());
            lost.iter().for_each(|of| self.resync(of));
        }
        if is_news {
            self.received.notify_one();
        }
    }

    /// The run of the server, which calls must name to get revisions.
    pub fn run(&self) -> String {
        self.state.borrow().run.clone()
    }

    /// Requests the state of a match, or of everything, without waiting for it.
    pub fn resync(&self, of: &Value) {
        // If sending fails, the connection has ended, and the reader reports it.
        let _ = self.send_command("resync", std::slice::from_ref(of));
    }

    fn send_command(&self, verb: &str, arguments: &[Value]) -> Result<u64, Fault> {
        let n = self.n.get() + 1;
        self.n.set(n);
        let mut command = vec![json!(n), json!(verb)];
        command.extend_from_slice(arguments);
        let body = rmp_serde::to_vec(&command).map_err(|_| Fault::Malformed)?;
        self.writer.send(&socket::binary(&body, &mut self.random.borrow_mut()))?;
        Ok(n)
    }

    async fn until<T>(&self, mut fits: impl FnMut(&mut State) -> Option<T>) -> Result<T, Fault> {
        let waiting = async {
            loop {
                if let Some(found) = fits(&mut self.state.borrow_mut()) {
                    return found;
                }
                self.received.notified().await;
            }
        };
        tokio::time::timeout(self.worker.settings.answer_limit, waiting).await.map_err(|_| Fault::NoAnswer)
    }

    /// Waits for *hello*.
    ///
    /// # Errors
    /// [`Fault::NoAnswer`].
    pub async fn greeted(&self) -> Result<(), Fault> {
        self.until(|state| state.is_greeted.then_some(())).await
    }

    /// Sends a command and waits for its acknowledgement; true if it was accepted. A rejection because the offer has
    /// changed is not an error.
    ///
    /// # Errors
    /// No answer, or an unexpected rejection.
    pub async fn command(&self, intended: Instant, verb: &str, arguments: &[Value]) -> Result<bool, Fault> {
        let started = Instant::now();
        let n = self.send_command(verb, arguments)?;
        {
            let mut state = self.state.borrow_mut();
            (state.awaited, state.answer) = (Some(n), None);
        }
        let refused = self.until(|state| state.answer.take()).await?;
        let now = Instant::now();
        let mut tally = self.worker.tally(self.persona);
        tally.time(Timing::Command, now.duration_since(intended), now.duration_since(started));
        match refused {
            None => tally.count(Count::Commands, 1),
            Some(code) if MOVED_ON.contains(&code.as_str()) => {
                tally.count(Count::CommandsRefused, 1);
                return Ok(false);
            }
            Some(code) => return Err(Fault::Refused(code)),
        }
        Ok(true)
    }

    /// Requests the state of everything watched and waits for it. True if the whole offer must be fetched by HTTP
    /// instead; otherwise the time to the first frame is counted from the intended moment.
    ///
    /// # Errors
    /// No answer, or a rejection.
    pub async fn show_all(&self, intended: Instant) -> Result<bool, Fault> {
        let started = Instant::now();
        let n = self.send_command("resync", &[Value::Null])?;
        if let Some(sample) = &self.sample {
            sample.borrow_mut().set_pending_command(n);
        }
        {
            let mut state = self.state.borrow_mut();
            (state.awaited, state.answer, state.is_shown) = (Some(n), None, false);
        }
        // If nothing that is watched has a state, only the acknowledgement comes.
        self.until(|state| (state.is_shown || state.must_reload || state.answer.is_some()).then_some(())).await?;
        let (now, must_reload) = (Instant::now(), self.state.borrow().must_reload);
        if !must_reload {
            let (felt, served) = (now.duration_since(intended), now.duration_since(started));
            self.worker.tally(self.persona).time(Timing::WatchState, felt, served);
        }
        match self.until(|state| state.answer.take()).await? {
            None => Ok(std::mem::take(&mut self.state.borrow_mut().must_reload)),
            Some(code) => Err(Fault::Refused(code)),
        }
    }

    /// Waits until the whole offer must be fetched again.
    pub async fn reload_asked(&self) {
        while !std::mem::take(&mut self.state.borrow_mut().must_reload) {
            self.received.notified().await;
        }
    }

    /// The last ticket that the hub sent.
    pub fn ticket(&self) -> Option<Value> {
        let bytes = self.state.borrow().ticket.clone()?;
        rmp_serde::from_slice(&bytes).ok()
    }
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        self.worker.connections.set(self.worker.connections.get() - 1);
    }
}
