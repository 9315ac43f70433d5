//! The live hub as the HTTP server sees it: a call that answers a handshake, what then takes the socket over, and whether
//! the node stops. The hub (`src/hub/websocket.rs`) makes it; this file must not know how it works.

use super::AppState;
use super::error::ApiError;
use actix_web::rt::net::TcpStream;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

type Answer = LocalBoxFuture<'static, Result<HttpResponse, ApiError>>;

/// The hub of a node. Clones share it.
#[derive(Clone)]
pub struct LiveHub {
    handshake: Arc<dyn Fn(HttpRequest, web::Data<AppState>) -> Answer + Send + Sync>,
    stopping: Stopping,
}

impl LiveHub {
    /// A hub that answers handshakes with this call. `stopping` is set when the node stops.
    pub(crate) fn new(
        stopping: Stopping,
        handshake: impl Fn(HttpRequest, web::Data<AppState>) -> Answer + Send + Sync + 'static,
    ) -> LiveHub {
        LiveHub { handshake: Arc::new(handshake), stopping }
    }

    /// Whether the node stops.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.is_set()
    }
}

#[cfg(any(test, feature = "testkit"))]
impl Default for LiveHub {
    /// No hub: each handshake is answered with 503.
    fn default() -> LiveHub {
        LiveHub::new(Stopping::default(), |_, _| Box::pin(async { Err(ApiError::Unavailable) }))
    }
}

impl fmt::Debug for LiveHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveHub").field("stopping", &self.stopping).finish_non_exhaustive()
    }
}

/// Whether a node stops. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stopping(Arc<AtomicBool>);

impl Stopping {
    /// The node stops from now on.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it does.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Takes over the socket of an accepted handshake, which puts it into the extensions of its response.
pub(crate) struct TakeOver(Box<dyn FnOnce(Taken) -> LocalBoxFuture<'static, ()>>);

/// A socket that the HTTP server has handed over.
pub(crate) struct Taken {
    /// The socket.
    pub(crate) socket: TcpStream,
    /// Bytes that the server read after the handshake.
    pub(crate) early: Bytes,
    /// The response to the handshake, not yet written.
    pub(crate) head: Bytes,
}

impl TakeOver {
    /// What runs the connection until it is over.
    pub(crate) fn new(run: impl FnOnce(Taken) -> LocalBoxFuture<'static, ()> + 'static) -> TakeOver {
        TakeOver(Box::new(run))
    }

    pub(super) fn run(self, taken: Taken) -> LocalBoxFuture<'static, ()> {
        (self.0)(taken)
    }
}

/// `GET /api/v1/live/hub`.
pub(super) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let handshake = Arc::clone(&state.live_hub.handshake);
    handshake(req, state).await
}
