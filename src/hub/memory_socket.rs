//! An in-memory socket for tests: two ends on one thread, joined by a bounded pipe in each direction. `socket.rs` and
//! the test kit use it instead of a TCP socket, with the feature `testkit` only. It must not wait, and must not buffer
//! more than a kernel would.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Bytes a pipe holds: about as much as the kernel buffers for a client that does not read.
const PIPE_BYTES_MAX: usize = 32 << 10;

/// One end. When it is dropped, the other end reads the remaining bytes and then the end of the stream.
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

/// Creates the two ends of one connection.
pub(crate) fn ends() -> (End, End) {
    let (one, other): (Rc<RefCell<Pipe>>, Rc<RefCell<Pipe>>) = Default::default();
    let near = End { to_read: Rc::clone(&one), to_write: Rc::clone(&other) };
    (near, End { to_read: other, to_write: one })
}

impl End {
    /// Ready when there are bytes to read, or at the end of the stream.
    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut pipe = self.to_read.borrow_mut();
        if pipe.bytes.is_empty() && !pipe.is_closed {
            pipe.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    /// Reads available bytes; 0 means the end of the stream.
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

    /// Ready when there is room, or when the other end was dropped.
    pub(crate) fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut pipe = self.to_write.borrow_mut();
        if pipe.bytes.len() >= PIPE_BYTES_MAX && !pipe.is_closed {
            pipe.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    /// Writes as many bytes as fit.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut pipe = self.to_write.borrow_mut();
        if pipe.is_closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(PIPE_BYTES_MAX.saturating_sub(pipe.bytes.len()));
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
