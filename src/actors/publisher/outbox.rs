//! What one connection is sent: a frame goes to its socket at once, and what the socket does not take waits here until
//! there is room. Bounded: beyond the limit, changes are no longer queued but noted, and told as the state they led to
//! once the client reads again (CONTRACT 3.4). Who reads nothing for long is closed; nobody else notices. Used by the
//! rooms of its thread and by the connection; must never wait.

use super::super::messages::events::OfferEvent;
use super::catch_up::{Letter, Merged};
use crate::domain::ids::MatchId;
use crate::domain::lang::Lang;
use crate::domain::limits::{OUTBOX_BYTES_MAX, PING_EVERY_MS, SILENT_MS_MAX, STALLED_MS_MAX, STUCK_MS_MIN};
use crate::read_model::ReadModel;
use crate::wire::Spelling;
use crate::wire::hub::frame::{PING, close_frame, frame_of};
use crate::wire::hub::message::Message;
use bytes::{Bytes, BytesMut};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind};
use std::rc::Rc;
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

/// Where an outbox writes: the socket of a connection of the same thread.
pub trait Sink {
    /// Writes as much as there is room for.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] where there is none; anything else: the socket is broken.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Reads what writing reads of memory, and does nothing.
    fn look_at(&self) {}
}

impl fmt::Debug for dyn Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a socket")
    }
}

/// How far writing has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Nothing is left.
    All,
    /// The socket has no room.
    Blocked,
    /// Nothing is left, and the close frame was the last.
    Ended,
    /// The socket is broken.
    Broken,
}

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
    /// Nothing while there is no socket yet: what is told until then waits for it.
    sink: Option<Rc<dyn Sink>>,
    is_broken: bool,
    /// What the socket has not taken of the frame that it is being given.
    rest: Bytes,
    queue: VecDeque<Bytes>,
    /// Of the rest and of the queue.
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

impl Outbox {
    /// The empty queue of a connection that has just come in.
    pub fn new(lang: Lang, spelling: Spelling, model: Arc<ReadModel>) -> Outbox {
        let now = Instant::now();
        let inner = Inner {
            sink: None,
            is_broken: false,
            rest: Bytes::new(),
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

    /// Reads what [`Outbox::push`] reads of memory, and does nothing. The connections of a room lie far apart, and between
    /// two of its frames the kernel's writes take all of the cache: one after the other each would be waited for, looked at
    /// together they come together.
    pub(super) fn look_at(&self) {
        let inner = self.inner.borrow();
        std::hint::black_box((inner.end, inner.queued_bytes, inner.merged.is_some(), inner.last_taken));
        if let Some(sink) = &inner.sink {
            sink.look_at();
        }
    }

    /// Queues a frame shared by a room; `events` is what it tells, for the case that there is no room for it.
    pub fn push<'a>(&self, frame: &Bytes, events: impl Iterator<Item = &'a OfferEvent>) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        if inner.merged.is_some() || inner.is_too_much(frame) {
            let merged = inner.merge();
            events.for_each(|event| merged.note(event));
        } else {
            inner.enqueue(frame);
        }
    }

    /// Queues messages for this connection alone. They are small and answer the client's own commands, whose number is
    /// limited; so is what they may add.
    pub fn reply(&self, messages: &[Message]) {
        let mut inner = self.inner.borrow_mut();
        if inner.end == End::Open {
            inner.enqueue(&frame_of(messages, self.lang, self.spelling));
        }
    }

    /// Tells the state of a match, or that it is gone: now, or when the client reads again. A client may ask for it as
    /// often as for anything, and for many at once, so that this is bounded as changes are.
    pub fn tell_match(&self, id: MatchId, with_detail: bool) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        let frame = match &inner.merged {
            Some(_) => None,
            None => {
                let mut letter = self.letter();
                letter.row(id);
                if with_detail {
                    letter.detail(id);
                }
                letter.frame()
            }
        };
        match frame.filter(|frame| !inner.is_too_much(frame)) {
            Some(frame) => inner.enqueue(&frame),
            None => inner.merge().note_match(id, with_detail),
        }
    }

    /// Tells all of this in one frame, `head` first; rows and details now, or when the client reads again, as with
    /// [`Outbox::tell_match`].
    pub fn tell_all(&self, head: &[Message], rows: &[MatchId], details: &[MatchId]) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        let mut letter = self.letter();
        head.iter().for_each(|message| letter.message(message.clone()));
        rows.iter().for_each(|id| letter.row(*id));
        for id in details {
            letter.row(*id);
            letter.detail(*id);
        }
        let Some(frame) = letter.frame() else { return };
        if inner.merged.is_none() && !inner.is_too_much(&frame) {
            return inner.enqueue(&frame);
        }
        inner.enqueue(&frame_of(head, self.lang, self.spelling));
        let merged = inner.merge();
        rows.iter().for_each(|id| merged.note_match(*id, false));
        details.iter().for_each(|id| merged.note_match(*id, true));
    }

    /// A ready-made frame that no room shares.
    pub fn push_frame(&self, frame: Bytes) {
        let mut inner = self.inner.borrow_mut();
        if inner.end == End::Open {
            inner.enqueue(&frame);
        }
    }

    /// The client was heard of: a frame or a pong.
    pub fn heard(&self) {
        self.inner.borrow_mut().last_heard = Instant::now();
    }

    /// From now on frames are written to this socket, after `head` and what is queued already, which is the greeting:
    /// nothing comes before it.
    pub fn connect(&self, sink: Rc<dyn Sink>, head: &[u8]) {
        let mut inner = self.inner.borrow_mut();
        let mut first = BytesMut::from(head);
        inner.queue.drain(..).for_each(|frame| first.extend_from_slice(&frame));
        inner.queued_bytes = first.len();
        inner.rest = first.freeze();
        inner.sink = Some(sink);
    }

    /// Writes what the socket has room for. `own` gives frames of the connection's own, which are taken before those
    /// that are queued: they are few, and the bettor waits for them. `waker` is woken when there is something to do
    /// that is not done at once: for a socket without room, or at the end.
    pub fn write(&self, mut own: impl FnMut() -> Option<Bytes>, waker: &Waker) -> Written {
        loop {
            {
                let mut inner = self.inner.borrow_mut();
                if !inner.write_rest() {
                    inner.wake_later(waker);
                    return if inner.is_broken { Written::Broken } else { Written::Blocked };
                }
            }
            // Nothing follows a close frame, which may stand on the wire already (RFC 6455, 5.5.1): also not what led to it.
            let own = if self.is_ending() { None } else { own() };
            let frame = match own.filter(|_| !self.is_ending()) {
                Some(frame) => frame,
                None => match self.poll_frame(waker) {
                    Poll::Ready(Some(frame)) => frame,
                    Poll::Ready(None) => return Written::Ended,
                    Poll::Pending => return Written::All,
                },
            };
            let mut inner = self.inner.borrow_mut();
            // Something may have been left over by what `own` told.
            if inner.rest.is_empty() {
                inner.queued_bytes += frame.len();
                inner.rest = frame;
            } else {
                inner.queued_bytes += frame.len();
                inner.queue.push_front(frame);
            }
        }
    }

    /// Ends the connection after what is queued, with a code. A client that reads nothing gets the code alone.
    pub fn close(&self, code: u16) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        if code == CLOSE_STALLED {
            inner.queue.clear();
            inner.queued_bytes = inner.rest.len();
        }
        inner.merged = None;
        inner.enqueue(&close_frame(code));
        inner.end = End::Closing;
        inner.wake();
    }

    /// The socket is gone: nothing is queued any more.
    pub fn gone(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.end = End::Gone;
        inner.sink = None;
        inner.rest = Bytes::new();
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
                inner.wake_later(waker);
                Poll::Pending
            }
        }
    }

    /// Looks after the connection from outside: a blocked socket stops the timers of its own actor.
    pub fn look_after(&self, now: Instant) {
        let (stalled, silent, ping) = {
            let inner = self.inner.borrow();
            let since = |then: Instant| now.saturating_duration_since(then);
            let waiting = inner.merged.is_some() || inner.queued_bytes > 0;
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
            // Also while changes are merged: who reads slowly shows by nothing else that he is there.
            inner.enqueue(&PING);
        }
    }

    /// Tells what was merged, as much as one reading of the client may get.
    fn catch_up(&self, inner: &mut Inner) {
        let Some(merged) = inner.merged.take() else { return };
        let (frame, left) = merged.told(self.letter());
        inner.merged = left;
        if let Some(frame) = frame.filter(|_| inner.end == End::Open) {
            inner.queued_bytes += frame.len();
            inner.queue.push_back(frame);
        }
    }

    fn letter(&self) -> Letter<'_> {
        Letter::new(&self.model, self.lang, self.spelling)
    }
}

impl Inner {
    /// Whether there is no room for a frame.
    fn is_too_much(&self, frame: &Bytes) -> bool {
        self.queued_bytes + frame.len() > OUTBOX_BYTES_MAX
    }

    /// From now on changes are noted here, until they are told.
    fn merge(&mut self) -> &mut Merged {
        if self.merged.is_none() {
            metrics::counter!("kvota_connections_merging_total").increment(1);
            if self.queued_bytes == 0 {
                // A frame may be too much by itself, and then nothing else wakes the connection to tell what it led to.
                self.wake();
            }
        }
        self.merged.get_or_insert_default()
    }

    /// To the socket where nothing waits before it; what it does not take, to the end of the queue.
    fn enqueue(&mut self, frame: &Bytes) {
        let is_first = self.queued_bytes == 0;
        let taken = if is_first { self.give(frame) } else { 0 };
        if taken == frame.len() {
            return;
        }
        self.queued_bytes += frame.len() - taken;
        if is_first && self.sink.is_some() {
            self.rest = frame.slice(taken..);
        } else {
            self.queue.push_back(frame.clone());
        }
        if is_first {
            // The time of an empty queue is not time in which the client read nothing.
            self.last_taken = Instant::now();
            self.wake();
        }
    }

    /// Whether the socket took all of what was begun.
    fn write_rest(&mut self) -> bool {
        let rest = std::mem::take(&mut self.rest);
        let taken = self.give(&rest);
        self.queued_bytes -= taken;
        if taken < rest.len() {
            self.rest = rest.slice(taken..);
        }
        self.rest.is_empty() && !self.is_broken
    }

    /// How much the socket takes now.
    fn give(&mut self, bytes: &[u8]) -> usize {
        let Some(sink) = &self.sink else { return 0 };
        let mut taken = 0;
        while taken < bytes.len() && !self.is_broken {
            match sink.try_write(&bytes[taken..]) {
                Ok(more) => taken += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.is_broken = true,
            }
        }
        if taken > 0 {
            self.last_taken = Instant::now();
        }
        taken
    }

    fn wake(&self) {
        if let Some(waker) = &self.waker {
            waker.wake_by_ref();
        }
    }

    fn wake_later(&mut self, waker: &Waker) {
        if !self.waker.as_ref().is_some_and(|held| held.will_wake(waker)) {
            self.waker = Some(waker.clone());
        }
    }
}
