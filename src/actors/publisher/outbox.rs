//! What one connection has not taken yet: frames ready to be written, pulled by the socket when it has room. Bounded:
//! beyond the limit, changes are no longer queued but noted, and told as the state they led to once the client reads
//! again (CONTRACT 3.4). Who reads nothing for long is closed; nobody else notices.

use super::super::messages::events::{OfferEvent, Scope};
use crate::domain::ids::{MatchId, SportId};
use crate::domain::lang::Lang;
use crate::domain::limits::{OUTBOX_BYTES_MAX, PING_EVERY_MS, SILENT_MS_MAX, STALLED_MS_MAX, STUCK_MS_MIN};
use crate::read_model::ReadModel;
use crate::wire::Spelling;
use crate::wire::hub::fragment::Fragment;
use crate::wire::hub::frame::{PING, close_frame, compose, frame_of};
use crate::wire::hub::message::Message;
use bytes::Bytes;
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::Duration;
use tokio::time::Instant;

/// Closed because the client reads nothing (CONTRACT 3.4).
pub const CLOSE_STALLED: u16 = 4008;
/// Closed for abuse (CONTRACT 3.6).
pub const CLOSE_ABUSE: u16 = 1008;
/// Closed because the server goes away.
pub const CLOSE_AWAY: u16 = 1001;
/// Closed because the client said so.
pub const CLOSE_DONE: u16 = 1000;
/// Closed because the client breaks the WebSocket protocol.
pub const CLOSE_PROTOCOL: u16 = 1002;
/// Closed because the connection's session is another one now, or died: the client comes again with its cookie.
pub const CLOSE_RESTART: u16 = 1012;
/// Closed because of frames in pieces.
pub const CLOSE_PIECES: u16 = 1009;

/// Bytes of caught-up state put into one frame: a client that reads again must not be buried.
const CATCH_UP_BYTES: usize = 32 << 10;
/// Matches to catch up with beyond which the whole offer is cheaper.
const CATCH_UP_MATCHES_MAX: usize = 400;

/// The queue of one connection.
#[derive(Debug)]
pub struct Outbox {
    lang: Lang,
    spelling: Spelling,
    model: Arc<ReadModel>,
    inner: RefCell<Inner>,
}

#[derive(Debug)]
struct Inner {
    queue: VecDeque<Bytes>,
    queued_bytes: usize,
    merged: Option<Merged>,
    end: End,
    waker: Option<Waker>,
    last_taken: Instant,
    last_heard: Instant,
    next_ping: Instant,
}

/// How far the end of the connection has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Open,
    /// Nothing more is queued; what is queued, a close frame last, is still written.
    Closing,
    /// The socket is gone.
    Gone,
}

/// What changed while the queue was full.
#[derive(Debug, Default)]
struct Merged {
    feed: bool,
    reload: bool,
    sports: BTreeSet<SportId>,
    rows: BTreeSet<MatchId>,
    details: BTreeSet<MatchId>,
}

impl Outbox {
    /// The empty queue of a connection that has just come in.
    pub fn new(lang: Lang, spelling: Spelling, model: Arc<ReadModel>) -> Outbox {
        let now = Instant::now();
        let inner = Inner {
            queue: VecDeque::new(),
            queued_bytes: 0,
            merged: None,
            end: End::Open,
            waker: None,
            last_taken: now,
            last_heard: now,
            next_ping: now + Duration::from_millis(PING_EVERY_MS),
        };
        Outbox { lang, spelling, model, inner: RefCell::new(inner) }
    }

    /// The connection's language.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The connection's spelling.
    pub fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// Bytes queued.
    pub fn queued_bytes(&self) -> usize {
        self.inner.borrow().queued_bytes
    }

    /// Whether changes are being merged because the client does not keep up.
    pub fn is_merging(&self) -> bool {
        self.inner.borrow().merged.is_some()
    }

    /// Queues a frame shared by a room; `events` is what it tells, for the case that there is no room for it.
    pub fn push<'a>(&self, frame: &Bytes, events: impl Iterator<Item = &'a OfferEvent>) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        if let Some(merged) = &mut inner.merged {
            events.for_each(|event| merged.note(event));
        } else if inner.queued_bytes + frame.len() > OUTBOX_BYTES_MAX {
            metrics::counter!("kvota_connections_merging_total").increment(1);
            let mut merged = Merged::default();
            events.for_each(|event| merged.note(event));
            inner.merged = Some(merged);
        } else {
            inner.enqueue(frame.clone());
        }
    }

    /// Queues messages for this connection alone. They are small and answer the client's own commands, whose number is
    /// limited; so is what they may add.
    pub fn reply(&self, messages: &[Message]) {
        let mut inner = self.inner.borrow_mut();
        if inner.end == End::Open {
            inner.enqueue(frame_of(messages, self.lang, self.spelling));
        }
    }

    /// Tells the state of a match, or that it is gone: now, or when the client reads again.
    pub fn tell_match(&self, id: MatchId, with_detail: bool) {
        let merging = {
            let mut inner = self.inner.borrow_mut();
            inner.merged.as_mut().is_some_and(|merged| {
                merged.rows.insert(id);
                if with_detail {
                    merged.details.insert(id);
                }
                true
            })
        };
        if !merging {
            let mut frame = CatchUp::new(self);
            frame.row(id);
            if with_detail {
                frame.detail(id);
            }
            frame.queue(&mut self.inner.borrow_mut());
        }
    }

    /// A ready-made frame that no room shares.
    pub fn push_frame(&self, frame: Bytes) {
        let mut inner = self.inner.borrow_mut();
        if inner.end == End::Open {
            inner.enqueue(frame);
        }
    }

    /// The client was heard of: a frame or a pong.
    pub fn heard(&self) {
        self.inner.borrow_mut().last_heard = Instant::now();
    }

    /// Ends the connection after what is queued, with a code. A client that reads nothing gets the code alone.
    pub fn close(&self, code: u16) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        if code == CLOSE_STALLED {
            inner.queue.clear();
            inner.queued_bytes = 0;
        }
        inner.merged = None;
        inner.enqueue(close_frame(code));
        inner.end = End::Closing;
    }

    /// The socket is gone: nothing is queued any more.
    pub fn gone(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.end = End::Gone;
        inner.queue = VecDeque::new();
        inner.queued_bytes = 0;
        inner.merged = None;
        inner.waker = None;
    }

    /// Whether the connection is over or about to be.
    pub fn is_ending(&self) -> bool {
        self.inner.borrow().end != End::Open
    }

    /// The next frame for the socket; nothing more after the close frame.
    pub fn poll_frame(&self, waker: &Waker) -> Poll<Option<Bytes>> {
        let mut inner = self.inner.borrow_mut();
        if inner.queue.is_empty() && inner.merged.is_some() {
            self.catch_up(&mut inner);
        }
        match inner.queue.pop_front() {
            Some(frame) => {
                inner.queued_bytes -= frame.len();
                inner.last_taken = Instant::now();
                Poll::Ready(Some(frame))
            }
            None if inner.end != End::Open => Poll::Ready(None),
            None => {
                inner.last_taken = Instant::now();
                if !inner.waker.as_ref().is_some_and(|held| held.will_wake(waker)) {
                    inner.waker = Some(waker.clone());
                }
                Poll::Pending
            }
        }
    }

    /// Looks after the connection from outside: a blocked socket stops the timers of its own actor.
    pub fn look_after(&self, now: Instant) {
        let (stalled, silent, ping) = {
            let inner = self.inner.borrow();
            let since = |then: Instant| now.saturating_duration_since(then);
            let waiting = inner.merged.is_some() || !inner.queue.is_empty();
            let patience = Duration::from_millis(STALLED_MS_MAX);
            // The kernel takes megabytes for a client that reads nothing before the queue stands still, but such a
            // client answers no ping either.
            let mute =
                since(inner.last_heard) >= patience && since(inner.last_taken) >= Duration::from_millis(STUCK_MS_MIN);
            let stalled = waiting && (mute || since(inner.last_taken) >= patience);
            (stalled, since(inner.last_heard) >= Duration::from_millis(SILENT_MS_MAX), now >= inner.next_ping)
        };
        if self.is_ending() {
            return;
        }
        if stalled {
            metrics::counter!("kvota_connections_closed_total", "cause" => "stalled").increment(1);
            self.close(CLOSE_STALLED);
        } else if silent {
            metrics::counter!("kvota_connections_closed_total", "cause" => "silent").increment(1);
            self.close(CLOSE_AWAY);
        } else if ping {
            let mut inner = self.inner.borrow_mut();
            inner.next_ping = now + Duration::from_millis(PING_EVERY_MS);
            if inner.merged.is_none() {
                inner.enqueue(PING.clone());
            }
        }
    }

    /// Turns what was merged into frames, as much as one reading of the client may get.
    fn catch_up(&self, inner: &mut Inner) {
        let Some(mut merged) = inner.merged.take() else { return };
        let mut frame = CatchUp::new(self);
        if merged.feed {
            frame.message(Message::Feed(self.model.feed_state(self.lang)));
        }
        if merged.reload || merged.rows.len() > CATCH_UP_MATCHES_MAX {
            frame.message(Message::Reload);
            merged.rows.clear();
        }
        for id in std::mem::take(&mut merged.sports) {
            frame.sport(id);
        }
        while frame.bytes < CATCH_UP_BYTES
            && let Some(id) = merged.rows.pop_first()
        {
            frame.row(id);
        }
        while frame.bytes < CATCH_UP_BYTES
            && let Some(id) = merged.details.pop_first()
        {
            frame.detail(id);
        }
        frame.queue(inner);
        if !(merged.rows.is_empty() && merged.details.is_empty()) {
            inner.merged = Some(Merged { rows: merged.rows, details: merged.details, ..Merged::default() });
        }
    }
}

impl Inner {
    fn enqueue(&mut self, frame: Bytes) {
        if self.queue.is_empty() {
            // The time of an empty queue is not time in which the client read nothing.
            self.last_taken = Instant::now();
        }
        self.queued_bytes += frame.len();
        self.queue.push_back(frame);
        if let Some(waker) = &self.waker {
            waker.wake_by_ref();
        }
    }
}

impl Merged {
    fn note(&mut self, event: &OfferEvent) {
        match event.scope {
            Scope::Everyone => match event.fragment.message() {
                Message::Reload => self.reload = true,
                _ => self.feed = true,
            },
            Scope::Sport(sport) => {
                self.sports.insert(sport);
            }
            Scope::Row(_, id) => {
                self.rows.insert(id);
            }
            Scope::Detail(id) => {
                self.details.insert(id);
            }
        }
    }
}

/// A frame of states, for one connection.
struct CatchUp<'a> {
    outbox: &'a Outbox,
    parts: Vec<Bytes>,
    bytes: usize,
}

impl<'a> CatchUp<'a> {
    fn new(outbox: &'a Outbox) -> CatchUp<'a> {
        CatchUp { outbox, parts: Vec::new(), bytes: 0 }
    }

    fn fragment(&mut self, fragment: &Fragment) {
        let bytes = fragment.bytes(self.outbox.lang, self.outbox.spelling).clone();
        self.bytes += bytes.len();
        self.parts.push(bytes);
    }

    fn message(&mut self, message: Message) {
        self.fragment(&Fragment::new(message));
    }

    fn row(&mut self, id: MatchId) {
        match self.outbox.model.entry(id) {
            Some(entry) => self.fragment(&entry.row(self.outbox.model.feed_date_ms())),
            None => self.message(Message::Deleted(id)),
        }
    }

    fn detail(&mut self, id: MatchId) {
        if let Some(entry) = self.outbox.model.entry(id) {
            self.fragment(&entry.detail());
        }
    }

    fn sport(&mut self, id: SportId) {
        self.message(match self.outbox.model.sport(id) {
            Some(sport) => Message::Sport(sport),
            None => Message::SportRemoved(id),
        });
    }

    fn queue(self, inner: &mut Inner) {
        if !self.parts.is_empty() && inner.end == End::Open {
            inner.enqueue(compose(self.outbox.spelling, self.parts.iter().map(|part| &part[..])));
        }
    }
}
