//! The socket of one connection after its handshake, taken over from the HTTP server: no dispatcher and no buffers
//! stand between the outbox and the kernel (docs/decisions/0012). Made by the hub, run by `http/upgrade.rs` until the
//! connection is over; must never hold bytes that the client has not taken, which is the outbox's task, nor wait for
//! anything but the socket and the connection's own actor.

use crate::actors::publisher::outbox::{Outbox, Sink, Written};
use crate::domain::limits::{CLOSING_MS_MAX, SOCKET_SEND_BUFFER_BYTES};
use crate::http::live::place::Place;
use actix_web::Error;
use actix_web::error::PayloadError;
use actix_web::rt::net::TcpStream;
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt, Stream};
use socket2::SockRef;
use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::os::fd::AsRawFd;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker, ready};
use std::time::Duration;

/// Read at once: commands are small.
const READ_BYTES: usize = 2 << 10;

/// What becomes of the socket of an answered handshake. Travels in the extensions of its response, from the call to the
/// server.
pub(crate) struct TakeOver(Box<dyn FnOnce(Taken) -> LocalBoxFuture<'static, ()>>);

/// A socket that is no longer the server's.
pub(crate) struct Taken {
    /// The socket.
    pub(crate) socket: Socket,
    /// What was read of it behind the handshake.
    pub(crate) early: Bytes,
    /// The answer to the handshake, not yet written.
    pub(crate) head: Bytes,
}

impl TakeOver {
    /// Runs a connection on the socket: its outbox, its place, and the actor that `listening` makes of what is read.
    pub(super) fn new<L>(
        outbox: Rc<Outbox>,
        place: Rc<RefCell<Place>>,
        listening: impl FnOnce(Incoming) -> L + 'static,
    ) -> TakeOver
    where
        L: Stream<Item = Result<Bytes, Error>> + 'static,
    {
        TakeOver(Box::new(move |Taken { socket, early, head }| {
            socket.limit_buffer();
            let socket = Rc::new(socket);
            outbox.connect(Rc::<Socket>::clone(&socket), &head);
            let listening = Box::pin(listening(Incoming { socket: Rc::clone(&socket), early }));
            let mut connection = Connection::new(Rc::clone(&socket), outbox, place, listening);
            async move {
                poll_fn(|cx| connection.poll(cx)).await;
                drop(connection);
                socket.end().await;
            }
            .boxed_local()
        }))
    }

    /// Runs the connection until it is over.
    pub(crate) fn run(self, taken: Taken) -> LocalBoxFuture<'static, ()> {
        (self.0)(taken)
    }
}

/// Takes an accepted connection over in a test: the client's end, and what runs the server's until it is over. Nothing for
/// an answer that accepts none.
#[cfg(feature = "testkit")]
pub(crate) fn take_by_hand<B>(
    answer: &mut actix_web::HttpResponse<B>,
) -> Option<(super::by_hand::End, LocalBoxFuture<'static, ()>)> {
    let accepted = answer.extensions_mut().remove::<TakeOver>()?;
    let (near, far) = super::by_hand::ends();
    let taken = Taken { socket: Socket::ByHand(far), early: Bytes::new(), head: Bytes::new() };
    Some((near, accepted.run(taken)))
}

/// The socket of a connection; in a test, what stands in for one.
pub(crate) enum Socket {
    /// The kernel's.
    Tcp(TcpStream),
    /// The test's.
    #[cfg(feature = "testkit")]
    ByHand(super::by_hand::End),
}

impl Socket {
    fn limit_buffer(&self) {
        match self {
            Socket::Tcp(tcp) => {
                if let Err(error) = SockRef::from(tcp).set_send_buffer_size(SOCKET_SEND_BUFFER_BYTES) {
                    tracing::debug!(%error, "a socket takes no limit for what it buffers");
                }
            }
            #[cfg(feature = "testkit")]
            Socket::ByHand(_) => {}
        }
    }

    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Socket::Tcp(tcp) => tcp.poll_read_ready(cx),
            #[cfg(feature = "testkit")]
            Socket::ByHand(end) => end.poll_read_ready(cx),
        }
    }

    fn try_read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(tcp) => tcp.try_read(bytes),
            #[cfg(feature = "testkit")]
            Socket::ByHand(end) => end.try_read(bytes),
        }
    }

    fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Socket::Tcp(tcp) => tcp.poll_write_ready(cx),
            #[cfg(feature = "testkit")]
            Socket::ByHand(end) => end.poll_write_ready(cx),
        }
    }

    async fn end(&self) {
        match self {
            Socket::Tcp(tcp) => close(tcp).await,
            // Dropped, it is ended.
            #[cfg(feature = "testkit")]
            Socket::ByHand(_) => {}
        }
    }
}

impl Sink for Socket {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // The kernel is asked first: the runtime's own book of which socket has room lies elsewhere in memory, and
            // there nearly always is some. Where there is none, the runtime must know, which wakes when there is again.
            Socket::Tcp(tcp) => match SockRef::from(tcp).send(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => tcp.try_write(bytes),
                sent => sent,
            },
            #[cfg(feature = "testkit")]
            Socket::ByHand(end) => end.try_write(bytes),
        }
    }

    fn look_at(&self) {
        match self {
            Socket::Tcp(tcp) => {
                std::hint::black_box(tcp.as_raw_fd());
            }
            #[cfg(feature = "testkit")]
            Socket::ByHand(_) => {}
        }
    }
}

/// Ends a socket so that what was written arrives: one that is closed with something unread takes back what it sent.
pub(crate) async fn close(tcp: &TcpStream) {
    // Where it is broken already, nothing is left to be done.
    if SockRef::from(tcp).shutdown(Shutdown::Write).is_err() {
        return;
    }
    let to_the_end = async {
        let mut rest = [0; READ_BYTES];
        loop {
            match tcp.try_read(&mut rest) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if tcp.readable().await.is_err() {
                        return;
                    }
                }
                Err(_) => return,
            }
        }
    };
    // Who does not end it either is left to the kernel.
    let _ = tokio::time::timeout(Duration::from_millis(CLOSING_MS_MAX), to_the_end).await;
}

/// What the client sends.
pub(super) struct Incoming {
    socket: Rc<Socket>,
    early: Bytes,
}

impl Stream for Incoming {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.early.is_empty() {
            return Poll::Ready(Some(Ok(std::mem::take(&mut self.early))));
        }
        let mut read = [0; READ_BYTES];
        loop {
            if ready!(self.socket.poll_read_ready(cx)).is_err() {
                return Poll::Ready(None);
            }
            match self.socket.try_read(&mut read) {
                Ok(0) => return Poll::Ready(None),
                Ok(bytes) => return Poll::Ready(Some(Ok(Bytes::copy_from_slice(&read[..bytes])))),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(_) => return Poll::Ready(None),
            }
        }
    }
}

/// One connection: what its actor says, what its session tells, and what its outbox could not write at once. The actor's
/// context is polled only when something woke it, not whenever the socket has room.
struct Connection<L> {
    socket: Rc<Socket>,
    outbox: Rc<Outbox>,
    place: Rc<RefCell<Place>>,
    listening: Pin<Box<L>>,
    listening_ended: bool,
    woken: Arc<Woken>,
    listening_waker: Waker,
}

struct Woken {
    flag: AtomicBool,
    task: Mutex<Option<Waker>>,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.flag.store(true, Ordering::Release);
        if let Some(task) = self.task.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            task.wake_by_ref();
        }
    }
}

impl<L: Stream<Item = Result<Bytes, Error>>> Connection<L> {
    fn new(socket: Rc<Socket>, outbox: Rc<Outbox>, place: Rc<RefCell<Place>>, listening: Pin<Box<L>>) -> Self {
        let woken = Arc::new(Woken { flag: AtomicBool::new(true), task: Mutex::new(None) });
        let listening_waker = Arc::clone(&woken).into();
        place.borrow_mut().enter();
        metrics::gauge!("kvota_connections").increment(1.0);
        Connection { socket, outbox, place, listening, listening_ended: false, woken, listening_waker }
    }

    /// Ready when the connection is over.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        {
            let mut task = self.woken.task.lock().unwrap_or_else(PoisonError::into_inner);
            if !task.as_ref().is_some_and(|task| task.will_wake(cx.waker())) {
                *task = Some(cx.waker().clone());
            }
        }
        loop {
            self.listen();
            let place = &self.place;
            match self.outbox.write(|| place.borrow_mut().poll(cx.waker()), cx.waker()) {
                Written::Ended | Written::Broken => return Poll::Ready(()),
                Written::All if self.listening_ended => return Poll::Ready(()),
                Written::All => return Poll::Pending,
                Written::Blocked => {
                    if ready!(self.socket.poll_write_ready(cx)).is_err() {
                        return Poll::Ready(());
                    }
                }
            }
        }
    }

    /// Lets the actor hear what came; what it says itself is little (pongs) and answers what the client sent.
    fn listen(&mut self) {
        while !self.listening_ended && self.woken.flag.swap(false, Ordering::AcqRel) {
            match self.listening.as_mut().poll_next(&mut Context::from_waker(&self.listening_waker)) {
                Poll::Ready(Some(Ok(frame))) => {
                    self.woken.flag.store(true, Ordering::Release);
                    self.outbox.push_frame(frame);
                }
                Poll::Ready(Some(Err(_)) | None) => self.listening_ended = true,
                Poll::Pending => {}
            }
        }
    }
}

/// However it ends, also by a panic of its actor: its place is free.
impl<L> Drop for Connection<L> {
    fn drop(&mut self) {
        self.outbox.gone();
        self.place.borrow_mut().leave();
        metrics::gauge!("kvota_connections").decrement(1.0);
    }
}
