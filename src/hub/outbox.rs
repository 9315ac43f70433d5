//! The outbox of one connection. A frame goes to the socket at once; bytes that the socket does not take wait here, up
//! to `OUTBOX_BYTES_MAX`. Beyond that, changes are only noted, and their current state is sent when the client reads
//! again (CONTRACT 3.4). A client that reads nothing for `STALLED_MS_MAX` is closed, without effect on others.
//!
//! Used by the rooms of its thread and by the connection. Must never wait.

use super::catch_up::{CatchUpFrame, MissedChanges};
use super::encode::HubUpdate;
use crate::hub::limits::{OUTBOX_BYTES_MAX, PING_EVERY_MS, SILENT_MS_MAX, STALLED_MS_MAX, STUCK_MS_MIN};
use bytes::{Bytes, BytesMut};
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_read_model::ReadModel;
use kvota_wire::Encoding;
use kvota_wire::hub::frame::{PING, close_frame, frame_of};
use kvota_wire::hub::message::Message;
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
/// Closed because the server shuts down, or the client was silent for `SILENT_MS_MAX`.
pub const CLOSE_GOING_AWAY: u16 = 1001;
/// Closed because the client asked for it.
pub const CLOSE_NORMAL: u16 = 1000;
/// Closed because the client breaks the WebSocket protocol.
pub const CLOSE_PROTOCOL: u16 = 1002;
/// Closed because the session of the connection panicked or its cookie changed: the client must reconnect.
pub const CLOSE_RESTART: u16 = 1012;

/// The socket of a connection on the same thread.
pub trait SocketSink {
    /// Writes as much as the socket takes.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if the socket takes nothing now; any other error means that it is broken.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Prefetches the memory that [`SocketSink::try_write`] will read.
    fn prefetch(&self) {}
}

impl fmt::Debug for dyn SocketSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a socket")
    }
}

/// The result of [`Outbox::write`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Everything is written.
    All,
    /// The socket takes no more bytes now.
    Blocked,
    /// Everything is written, the close frame last.
    Ended,
    /// The socket is broken.
    Broken,
}

/// The outbox of one connection. See the head of this file.
#[derive(Debug)]
pub struct Outbox {
    lang: Lang,
    encoding: Encoding,
    model: Arc<ReadModel>,
    inner: RefCell<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// `None` before the handshake is written; frames are queued until then.
    sink: Option<Rc<dyn SocketSink>>,
    is_broken: bool,
    /// The bytes of the current frame that the socket has not taken.
    rest: Bytes,
    queue: VecDeque<Bytes>,
    /// Bytes of `rest` and `queue` together.
    queued_bytes: usize,
    merged: Option<MissedChanges>,
    end: End,
    waker: Option<Waker>,
    last_write_at: Instant,
    last_received_at: Instant,
    next_ping: Instant,
}

/// Whether the connection is open, closing or gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Open,
    /// Takes no new frames. Queued frames are still written, the close frame last.
    Closing,
    /// The socket is gone.
    Gone,
}

impl Outbox {
    /// The empty outbox of a new connection.
    pub fn new(lang: Lang, encoding: Encoding, model: Arc<ReadModel>) -> Outbox {
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
            last_write_at: now,
            last_received_at: now,
            next_ping: now + Duration::from_millis(PING_EVERY_MS),
        };
        Outbox { lang, encoding, model, inner: RefCell::new(inner) }
    }

    /// What its messages are encoded from.
    pub(super) fn model(&self) -> Arc<ReadModel> {
        Arc::clone(&self.model)
    }

    /// The connection's language.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The connection's encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Bytes queued.
    pub fn queued_bytes(&self) -> usize {
        self.inner.borrow().queued_bytes
    }

    /// Whether changes are being merged because the client does not keep up.
    pub fn is_catching_up(&self) -> bool {
        self.inner.borrow().merged.is_some()
    }

    /// Prefetches the memory that [`Outbox::push`] will read. The connections of a room lie far apart in memory and are
    /// out of the cache after the kernel's writes; prefetching several together overlaps the waits.
    pub(super) fn prefetch(&self) {
        let inner = self.inner.borrow();
        std::hint::black_box((inner.end, inner.queued_bytes, inner.merged.is_some(), inner.last_write_at));
        if let Some(sink) = &inner.sink {
            sink.prefetch();
        }
    }

    /// Queues a frame shared by a room. If there is no space, `updates`, the content of the frame, are noted for
    /// catch-up.
    pub fn push<'a>(&self, frame: &Bytes, updates: impl Iterator<Item = &'a HubUpdate>) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        if inner.merged.is_some() || inner.is_too_much(frame) {
            let merged = inner.merge();
            updates.for_each(|update| merged.note(update));
        } else {
            inner.enqueue(frame);
        }
    }

    /// Queues messages for this connection only, without a limit: they are small, and most of them answer commands of
    /// the client, which are limited per second.
    pub fn reply(&self, messages: &[Message]) {
        let mut inner = self.inner.borrow_mut();
        if inner.end == End::Open {
            inner.enqueue(&frame_of(messages, self.lang, self.encoding));
        }
    }

    /// Sends the state of a match, or its deletion: now, or as catch-up if there is no space. Bounded, because a client
    /// may request many matches at once.
    pub fn send_match(&self, id: MatchId, with_detail: bool) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        let frame = match &inner.merged {
            Some(_) => None,
            None => {
                let mut frame = self.catch_up_frame();
                frame.row(id);
                if with_detail {
                    frame.detail(id);
                }
                frame.finish()
            }
        };
        match frame.filter(|frame| !inner.is_too_much(frame)) {
            Some(frame) => inner.enqueue(&frame),
            None => inner.merge().add_match(id, with_detail),
        }
    }

    /// Sends all of this in one frame, `head` first. If there is no space, `head` is sent now and the matches are noted
    /// for catch-up, as in [`Outbox::send_match`].
    pub fn send_matches(&self, head: &[Message], rows: &[MatchId], details: &[MatchId]) {
        let mut inner = self.inner.borrow_mut();
        if inner.end != End::Open {
            return;
        }
        let mut frame = self.catch_up_frame();
        head.iter().for_each(|message| frame.message(message.clone()));
        rows.iter().for_each(|id| frame.row(*id));
        for id in details {
            frame.row(*id);
            frame.detail(*id);
        }
        let Some(frame) = frame.finish() else { return };
        if inner.merged.is_none() && !inner.is_too_much(&frame) {
            return inner.enqueue(&frame);
        }
        inner.enqueue(&frame_of(head, self.lang, self.encoding));
        let merged = inner.merge();
        rows.iter().for_each(|id| merged.add_match(*id, false));
        details.iter().for_each(|id| merged.add_match(*id, true));
    }

    /// Queues a finished frame for this connection only, without a limit.
    pub fn push_frame(&self, frame: Bytes) {
        let mut inner = self.inner.borrow_mut();
        if inner.end == End::Open {
            inner.enqueue(&frame);
        }
    }

    /// The client has sent a frame or a pong.
    pub fn note_activity(&self) {
        self.inner.borrow_mut().last_received_at = Instant::now();
    }

    /// Sets the socket. `head` is written first, then the frames that are queued already.
    pub fn connect(&self, sink: Rc<dyn SocketSink>, head: &[u8]) {
        let mut inner = self.inner.borrow_mut();
        let mut first = BytesMut::from(head);
        inner.queue.drain(..).for_each(|frame| first.extend_from_slice(&frame));
        inner.queued_bytes = first.len();
        inner.rest = first.freeze();
        inner.sink = Some(sink);
    }

    /// Writes as much as the socket takes. `own` returns frames of the connection's session; they go before queued
    /// frames, because they are few and the bettor waits for them. `waker` is woken when there is more to write later,
    /// or to close.
    pub fn write(&self, mut own: impl FnMut() -> Option<Bytes>, waker: &Waker) -> Written {
        loop {
            {
                let mut inner = self.inner.borrow_mut();
                if !inner.write_remaining() {
                    inner.store_waker(waker);
                    return if inner.is_broken { Written::Broken } else { Written::Blocked };
                }
            }
            // The close frame may be written already, and nothing may follow it (RFC 6455, 5.5.1).
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
            // `own` may have queued frames of its own, part of which the socket did not take.
            if inner.rest.is_empty() {
                inner.queued_bytes += frame.len();
                inner.rest = frame;
            } else {
                inner.queued_bytes += frame.len();
                inner.queue.push_front(frame);
            }
        }
    }

    /// Closes the connection with `code`, after the queued frames. With [`CLOSE_STALLED`] the queued frames are
    /// dropped.
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

    /// The socket is gone: drops everything and queues nothing more.
    pub fn mark_gone(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.end = End::Gone;
        inner.sink = None;
        inner.rest = Bytes::new();
        inner.queue = VecDeque::new();
        inner.queued_bytes = 0;
        inner.merged = None;
        inner.waker = None;
    }

    /// Whether the connection is closing or gone.
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
                inner.last_write_at = Instant::now();
                Poll::Ready(Some(frame))
            }
            None if inner.end != End::Open => Poll::Ready(None),
            None => {
                inner.last_write_at = Instant::now();
                inner.store_waker(waker);
                Poll::Pending
            }
        }
    }

    /// Pings the connection, or closes it if it is stuck or silent. Called by the publisher, because a blocked socket
    /// also stops the timers of its own actor.
    pub fn ping_or_close(&self, now: Instant) {
        let (stalled, silent, ping) = {
            let inner = self.inner.borrow();
            let since = |then: Instant| now.saturating_duration_since(then);
            let waiting = inner.merged.is_some() || inner.queued_bytes > 0;
            let patience = Duration::from_millis(STALLED_MS_MAX);
            // The kernel buffers data for a client that reads nothing, so the queue may still shrink. But such a client
            // answers no ping either.
            let mute = since(inner.last_received_at) >= patience
                && since(inner.last_write_at) >= Duration::from_millis(STUCK_MS_MIN);
            let stalled = waiting && (mute || since(inner.last_write_at) >= patience);
            (stalled, since(inner.last_received_at) >= Duration::from_millis(SILENT_MS_MAX), now >= inner.next_ping)
        };
        if self.is_ending() {
            return;
        }
        if stalled {
            metrics::counter!("kvota_connections_closed_total", "cause" => "stalled").increment(1);
            self.close(CLOSE_STALLED);
        } else if silent {
            metrics::counter!("kvota_connections_closed_total", "cause" => "silent").increment(1);
            self.close(CLOSE_GOING_AWAY);
        } else if ping {
            let mut inner = self.inner.borrow_mut();
            inner.next_ping = now + Duration::from_millis(PING_EVERY_MS);
            // Also while changes are merged: the pong is then the only sign that a slow client is alive.
            inner.enqueue(&PING);
        }
    }

    /// Queues the next catch-up frame.
    fn catch_up(&self, inner: &mut Inner) {
        let Some(merged) = inner.merged.take() else { return };
        let (frame, left) = merged.next_frame(self.catch_up_frame());
        inner.merged = left;
        if let Some(frame) = frame.filter(|_| inner.end == End::Open) {
            inner.queued_bytes += frame.len();
            inner.queue.push_back(frame);
        }
    }

    fn catch_up_frame(&self) -> CatchUpFrame<'_> {
        CatchUpFrame::new(&self.model, self.lang, self.encoding)
    }
}

impl Inner {
    /// Whether a frame would exceed `OUTBOX_BYTES_MAX`.
    fn is_too_much(&self, frame: &Bytes) -> bool {
        self.queued_bytes + frame.len() > OUTBOX_BYTES_MAX
    }

    /// Starts merging: changes are noted here until the client has caught up.
    fn merge(&mut self) -> &mut MissedChanges {
        if self.merged.is_none() {
            metrics::counter!("kvota_connections_merging_total").increment(1);
            if self.queued_bytes == 0 {
                // One frame can be too large for an empty queue; then nothing else wakes the connection to catch up.
                self.wake();
            }
        }
        self.merged.get_or_insert_default()
    }

    /// Writes a frame to the socket if nothing waits before it. The rest goes to the end of the queue.
    fn enqueue(&mut self, frame: &Bytes) {
        let is_first = self.queued_bytes == 0;
        let taken = if is_first { self.write_to_socket(frame) } else { 0 };
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
            // An empty queue does not count as time in which the client read nothing.
            self.last_write_at = Instant::now();
            self.wake();
        }
    }

    /// Writes the rest of the current frame. Returns whether the socket took all of it.
    fn write_remaining(&mut self) -> bool {
        let rest = std::mem::take(&mut self.rest);
        let taken = self.write_to_socket(&rest);
        self.queued_bytes -= taken;
        if taken < rest.len() {
            self.rest = rest.slice(taken..);
        }
        self.rest.is_empty() && !self.is_broken
    }

    /// Writes to the socket. Returns the number of bytes that it took.
    fn write_to_socket(&mut self, bytes: &[u8]) -> usize {
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
            self.last_write_at = Instant::now();
        }
        taken
    }

    fn wake(&self) {
        if let Some(waker) = &self.waker {
            waker.wake_by_ref();
        }
    }

    fn store_waker(&mut self, waker: &Waker) {
        if !self.waker.as_ref().is_some_and(|held| held.will_wake(waker)) {
            self.waker = Some(waker.clone());
        }
    }
}
