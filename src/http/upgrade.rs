//! Serves requests that ask for a protocol upgrade. The normal routes answer them; if the hub accepts, the socket
//! leaves the HTTP server. Used by `server.rs`; it must not decide anything itself.

use super::limits::CLOSING_MS_MAX;
use super::live_hub::{TakeOver, Taken};
use actix_codec::{Encoder, Framed};
use actix_http::body::{BodySize, MessageBody};
use actix_http::h1::{Codec, Message, SendResponse};
use actix_http::{ConnectionType, Request, Response};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, fn_factory, fn_service, map_config};
use actix_web::Error;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::rt::net::TcpStream;
use bytes::Bytes;
use socket2::SockRef;
use std::io::ErrorKind;
use std::net::Shutdown;
use std::rc::Rc;
use std::time::Duration;

/// Bytes per read of what nothing waits for.
const READ_BYTES: usize = 2 << 10;

/// Creates the service that handles such requests and their sockets.
pub(super) fn upgrades<A, F, B>(
    app: A,
) -> impl ServiceFactory<(Request, Framed<TcpStream, Codec>), Config = (), Response = (), Error = Error, InitError = ()>
where
    A: IntoServiceFactory<F, Request>,
    F: ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<B>, Error = Error, InitError = ()>
        + 'static,
    B: MessageBody + 'static,
    B::Error: Into<actix_http::Error>,
{
    let app = Rc::new(map_config(app, |()| AppConfig::default()));
    fn_factory(move || {
        let app = Rc::clone(&app);
        async move {
            let routes = Rc::new(app.new_service(()).await?);
            Ok(fn_service(move |(request, framed)| {
                let routes = Rc::clone(&routes);
                async move {
                    let response = routes.call(request).await?;
                    answer(framed, response.into()).await
                }
            }))
        }
    })
}

async fn answer<B>(framed: Framed<TcpStream, Codec>, mut response: Response<B>) -> Result<(), Error>
where
    B: MessageBody,
    B::Error: Into<actix_http::Error>,
{
    let accepted = response.extensions_mut().remove::<TakeOver>();
    if let Some(accepted) = accepted {
        let mut parts = framed.into_parts();
        let head = (response.drop_body(), BodySize::None);
        parts.codec.encode(Message::Item(head), &mut parts.write_buf)?;
        // Copied, because the server's buffers take 8 KiB each and a connection lives for hours.
        let early = Bytes::copy_from_slice(&parts.read_buf);
        let head = Bytes::copy_from_slice(&parts.write_buf);
        #[expect(
            clippy::disallowed_methods,
            reason = "its publisher closes it and waits for it; nobody awaits its end"
        )]
        // A separate task, because the server's task keeps everything that an HTTP connection needs.
        drop(actix_web::rt::spawn(accepted.run(Taken { socket: parts.io, early, head })));
        return Ok(());
    }
    // The client asked for another protocol and did not get it, so the connection ends here.
    response.head_mut().set_connection_type(ConnectionType::Close);
    let framed = SendResponse::new(framed, response).await?;
    close(&framed.into_parts().io).await;
    Ok(())
}

/// Closes a socket so that all written bytes arrive. Drain unread input before closing; otherwise the kernel sends RST
/// and the peer loses our last bytes.
pub(crate) async fn close(tcp: &TcpStream) {
    // The socket is already broken.
    if SockRef::from(tcp).shutdown(Shutdown::Write).is_err() {
        return;
    }
    let to_the_end = async { while has_more(tcp) && tcp.readable().await.is_ok() {} };
    // A peer that does not close its side in time is left to the kernel.
    let _ = tokio::time::timeout(Duration::from_millis(CLOSING_MS_MAX), to_the_end).await;
}

/// Reads what has arrived; whether there may be more. The buffer is not in the future of a connection, which lives for
/// hours.
fn has_more(tcp: &TcpStream) -> bool {
    let mut rest = [0; READ_BYTES];
    loop {
        match tcp.try_read(&mut rest) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[actix_web::test]
    async fn the_future_of_a_connection_holds_no_buffer() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let tcp = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        assert!(size_of_val(&close(&tcp)) < READ_BYTES / 4);
    }
}
