//! Drives the socket of one connection after its handshake, without the HTTP server's dispatcher and buffers between
//! the outbox and the kernel (docs/decisions/0012). Created by the hub, run by `src/http/upgrade.rs` until the connection
//! is over. It must not queue bytes, which is the outbox's job, and must wait for nothing but the socket and its own
//! actor.

use crate::http::live_hub::{TakeOver, Taken};
use crate::http::upgrade::close;
use crate::hub::connection::Connection;
use crate::hub::limits::SOCKET_SEND_BUFFER_BYTES;
use crate::hub::outbox::{Outbox, SocketSink, Written};
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
use std::os::fd::AsRawFd;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker, ready};

/// Bytes per read; small, because commands are small.
const READ_BYTES: usize = 2 << 10;

/// Runs a connection on the socket of an accepted handshake. The handshake puts it into the extensions of its response.
pub(super) struct SocketHandler(Box<dyn FnOnce(Socket, Bytes, Bytes) -> LocalBoxFuture<'static, ()>>);

impl SocketHandler {
    /// Connects the socket to its outbox, its connection, and the actor that `listening` creates for the incoming
    /// bytes.
    pub(super) fn new<L>(
        outbox: Rc<Outbox>,
        connection: Rc<RefCell<Connection>>,
        listening: impl FnOnce(Incoming) -> L + 'static,
    ) -> SocketHandler
    where
        L: Stream<Item = Result<Bytes, Error>> + 'static,
    {
        SocketHandler(Box::new(move |socket, early, head| {
            socket.limit_buffer();
            let socket = Rc::new(socket);
            outbox.connect(Rc::<Socket>::clone(&socket), &head);
            let listening = Box::pin(listening(Incoming { socket: Rc::clone(&socket), early }));
            let mut socket_loop = SocketLoop::new(Rc::clone(&socket), outbox, connection, listening);
            async move {
                poll_fn(|cx| socket_loop.poll(cx)).await;
                drop(socket_loop);
                socket.end().await;
            }
            .boxed_local()
        }))
    }

    /// Puts it into an accepted handshake, for the HTTP server; in tests also for [`accept_in_memory`].
    pub(super) fn put_into(self, response: &mut actix_web::HttpResponse) {
        #[cfg(feature = "testkit")]
        let in_memory = Rc::new(RefCell::new(Some(self)));
        #[cfg(feature = "testkit")]
        response.extensions_mut().insert(Rc::clone(&in_memory));
        #[cfg(feature = "testkit")]
        let take = move || in_memory.borrow_mut().take();
        #[cfg(not(feature = "testkit"))]
        let take = move || Some(self);
        response.extensions_mut().insert(TakeOver::new(move |Taken { socket, early, head }| match take() {
            Some(handler) => (handler.0)(Socket::Tcp(socket), early, head),
            None => std::future::ready(()).boxed_local(),
        }));
    }
}

/// Takes over an accepted connection in a test. Returns the client's end and the future that runs the server's end, or
/// `None` if the response accepted no connection.
#[cfg(feature = "testkit")]
pub(crate) fn accept_in_memory<B>(
    answer: &mut actix_web::HttpResponse<B>,
) -> Option<(super::memory_socket::End, LocalBoxFuture<'static, ()>)> {
    let accepted = answer.extensions_mut().remove::<Rc<RefCell<Option<SocketHandler>>>>()?.take()?;
    let (near, far) = super::memory_socket::ends();
    Some((near, (accepted.0)(Socket::ByHand(far), Bytes::new(), Bytes::new())))
}

/// A TCP socket, or its replacement in a test.
pub(crate) enum Socket {
    /// A TCP socket.
    Tcp(TcpStream),
    /// One end of an in-memory pipe.
    #[cfg(feature = "testkit")]
    ByHand(super::memory_socket::End),
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
            // Dropping the end closes it.
            #[cfg(feature = "testkit")]
            Socket::ByHand(_) => {}
        }
    }
}

impl SocketSink for Socket {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // Try the kernel first: there is nearly always room, and the runtime's readiness state lies elsewhere in
            // memory. If there is none, go through the runtime, so that it registers the socket and wakes us.
            Socket::Tcp(tcp) => match SockRef::from(tcp).send(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => tcp.try_write(bytes),
                sent => sent,
            },
            #[cfg(feature = "testkit")]
            Socket::ByHand(end) => end.try_write(bytes),
        }
    }

    fn prefetch(&self) {
        match self {
            Socket::Tcp(tcp) => {
                std::hint::black_box(tcp.as_raw_fd());
            }
            #[cfg(feature = "testkit")]
            Socket::ByHand(_) => {}
        }
    }
}

/// The bytes that the client sends.
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

/// One connection: the frames of its actor, the messages of its session, and what the outbox could not write at once.
/// The actor is polled only when something woke it, not whenever the socket becomes writable.
struct SocketLoop<L> {
    socket: Rc<Socket>,
    outbox: Rc<Outbox>,
    connection: Rc<RefCell<Connection>>,
    listening: Pin<Box<L>>,
    listening_ended: bool,
    woken: Arc<ActorWaker>,
    listening_waker: Waker,
}

struct ActorWaker {
    flag: AtomicBool,
    task: Mutex<Option<Waker>>,
}

impl Wake for ActorWaker {
    fn wake(self: Arc<Self>) {
        self.flag.store(true, Ordering::Release);
        if let Some(task) = self.task.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            task.wake_by_ref();
        }
    }
}

impl<L: Stream<Item = Result<Bytes, Error>>> SocketLoop<L> {
    fn new(
        socket: Rc<Socket>,
        outbox: Rc<Outbox>,
        connection: Rc<RefCell<Connection>>,
        listening: Pin<Box<L>>,
    ) -> Self {
        let woken = Arc::new(ActorWaker { flag: AtomicBool::new(true), task: Mutex::new(None) });
        let listening_waker = Arc::clone(&woken).into();
        connection.borrow_mut().enter();
        metrics::gauge!("kvota_connections").increment(1.0);
        SocketLoop { socket, outbox, connection, listening, listening_ended: false, woken, listening_waker }
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
            let connection = &self.connection;
            match self.outbox.write(|| connection.borrow_mut().poll(cx.waker()), cx.waker()) {
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

    /// Lets the actor read what arrived. It writes little itself: pongs in answer to pings.
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

/// Also runs after a panic of the actor, so that the connection's slot is always released.
impl<L> Drop for SocketLoop<L> {
    fn drop(&mut self) {
        self.outbox.mark_gone();
        self.connection.borrow_mut().leave();
        metrics::gauge!("kvota_connections").decrement(1.0);
    }
}
