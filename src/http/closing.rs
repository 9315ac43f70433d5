//! The end of the public listener at the end of a drain (CONTRACT 11.4): no connection that a client believes to be open is
//! lost. Called by `server/mod.rs`. It must not stop requests in flight; the server does that afterwards.
//!
//! Linux resets the connections that wait to be accepted when their listener closes. So new ones are first left without an
//! answer, which their clients repeat a second later, until those that wait have been accepted.

use actix_web::body::MessageBody;
use actix_web::dev::{ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::middleware::Next;
use actix_web::web;
use socket2::SockRef;
use std::io;
use std::net::{Shutdown, TcpListener};
use std::time::Duration;

/// How long the connections that wait have to be accepted.
const LAST_ACCEPTED_AFTER: Duration = Duration::from_millis(100);
/// How long accepted connections are served after the listener has closed.
pub(crate) const SERVED_ON: Duration = Duration::from_secs(1);

/// Closes the listener, then serves the accepted connections on for a second.
pub(crate) async fn close_listener(listener: &TcpListener, server: &ServerHandle) {
    if let Err(error) = leave_new_ones_waiting(listener) {
        tracing::debug!(error = &error as &dyn std::error::Error, "new connections are still accepted");
    }
    tokio::time::sleep(LAST_ACCEPTED_AFTER).await;
    // Without the pause, the server would try to accept from a closed listener.
    server.pause().await;
    if let Err(error) = SockRef::from(listener).shutdown(Shutdown::Read) {
        tracing::debug!(error = &error as &dyn std::error::Error, "the listener is not closed yet");
    }
    tokio::time::sleep(SERVED_ON).await;
}

/// Drops the first packet of each new connection.
#[cfg(target_os = "linux")]
fn leave_new_ones_waiting(listener: &TcpListener) -> io::Result<()> {
    use socket2::SockFilter;
    /// The byte of a TCP header with its flags, and those of the first packet: SYN without ACK.
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    const SYN_AND_ACK: u32 = 0x12;
    // Instructions of classic BPF: load a byte, and, jump if equal, return.
    let (load, and, jump, keep) = (0x30, 0x54, 0x15, 0x06);
    SockRef::from(listener).attach_filter(&[
        SockFilter::new(load, 0, 0, FLAGS),
        SockFilter::new(and, 0, 0, SYN_AND_ACK),
        SockFilter::new(jump, 0, 1, SYN),
        SockFilter::new(keep, 0, 0, 0),
        SockFilter::new(keep, 0, 0, u32::MAX),
    ])
}

#[cfg(not(target_os = "linux"))]
fn leave_new_ones_waiting(_: &TcpListener) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Middleware: while the node stops, each answer ends its connection, so that the client's next call goes elsewhere.
pub(crate) async fn end_connections<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let state = req.app_data::<web::Data<super::AppState>>().cloned();
    let mut answered = next.call(req).await?;
    let is_upgrade = answered.response().head().upgrade();
    if !is_upgrade && state.is_some_and(|state| state.live_hub.is_stopping()) {
        answered.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    Ok(answered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    #[cfg(target_os = "linux")]
    #[test]
    fn connections_that_wait_are_kept_and_new_ones_wait_until_the_listener_is_closed() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut early = TcpStream::connect(address).unwrap();
        leave_new_ones_waiting(&listener).unwrap();
        let (mut accepted, _) = listener.accept().unwrap();
        early.write_all(b"a request").unwrap();
        let mut request = [0; 9];
        accepted.read_exact(&mut request).unwrap();
        assert_eq!(&request, b"a request");

        let late = TcpStream::connect_timeout(&address, Duration::from_millis(50));
        assert_eq!(late.unwrap_err().kind(), io::ErrorKind::TimedOut);
        SockRef::from(&listener).shutdown(Shutdown::Read).unwrap();
        assert_eq!(TcpStream::connect(address).unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
    }
}
