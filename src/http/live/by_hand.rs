//! A socket by hand: two ends on one thread, each a bounded pipe to the other, so that a test can be the client of a
//! connection without a kernel between them. Used by `socket.rs` in the place of a socket, and by the test kit; compiled
//! with the feature `testkit` alone. Must never wait, nor hold more than a kernel would.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// As much as the kernel takes for a client that reads nothing.
const ROOM: usize = 32 << 10;

/// One end. Dropped, the other end reads what is left and then the end.
pub(crate) struct End {
    to_read: Rc<RefCell<Pipe>>,
    to_write: Rc<RefCell<Pipe>>,
}

#[derive(Default)]
struct Pipe {
    bytes: VecDeque<u8>,
    is_closed: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

/// Two ends of one connection.
pub(crate) fn ends() -> (End, End) {
    let (one, other): (Rc<RefCell<Pipe>>, Rc<RefCell<Pipe>>) = Default::default();
    let near = End { to_read: Rc::clone(&one), to_write: Rc::clone(&other) };
    (near, End { to_read: other, to_write: one })
}

impl End {
    /// Ready where there is something to be read, the end included.
    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut pipe = self.to_read.borrow_mut();
        if pipe.bytes.is_empty() && !pipe.is_closed {
            pipe.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    /// Reads what there is; 0 is the end.
    pub(crate) fn try_read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut pipe = self.to_read.borrow_mut();
        if pipe.bytes.is_empty() {
            return if pipe.is_closed { Ok(0) } else { Err(ErrorKind::WouldBlock.into()) };
        }
        let count = bytes.len().min(pipe.bytes.len());
        for (to, from) in bytes.iter_mut().zip(pipe.bytes.drain(..count)) {
            *to = from;
        }
        wake(&mut pipe.writer);
        Ok(count)
    }

    /// Ready where there is room, or where nobody reads any more.
    pub(crate) fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut pipe = self.to_write.borrow_mut();
        if pipe.bytes.len() >= ROOM && !pipe.is_closed {
            pipe.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    /// Writes as much as there is room for.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut pipe = self.to_write.borrow_mut();
        if pipe.is_closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(ROOM.saturating_sub(pipe.bytes.len()));
        if count == 0 && !bytes.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        pipe.bytes.extend(&bytes[..count]);
        wake(&mut pipe.reader);
        Ok(count)
    }
}

impl Drop for End {
    fn drop(&mut self) {
        for pipe in [&self.to_read, &self.to_write] {
            let mut pipe = pipe.borrow_mut();
            pipe.is_closed = true;
            wake(&mut pipe.reader);
            wake(&mut pipe.writer);
        }
    }
}

fn wake(waker: &mut Option<Waker>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}
