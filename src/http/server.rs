//! Builds the HTTP server: connection limits and the middleware around every call. Started by `server/mod.rs`, and by
//! tests on port 0.

use super::upgrade::upgrades;
use super::{AppState, Listener, closing, error, observe, routes, security, unread_body};
use crate::http::limits::{
    CLOSING_MS_MAX, KEEP_ALIVE_MS, REQUEST_HEAD_MS_MAX, SHUTDOWN_SECONDS_BEYOND_DELAY, TCP_UNACKNOWLEDGED_MS_MAX,
    WAITING_CONNECTIONS_MAX,
};
use actix_http::HttpService;
use actix_http::body::MessageBody;
use actix_server::ServerBuilder;
use actix_service::{ServiceFactory, map_config};
use actix_web::dev::{AppConfig, Extensions, Server, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::{App, Error, web};
use socket2::SockRef;
use std::io;
use std::net::TcpListener;
use std::time::Duration;

/// Starts serving on a bound listener, until the server's handle stops it. `per_worker` adds what each worker owns (the
/// publisher of its hub). The caller handles signals, because it has more than the server to stop.
///
/// # Errors
/// The listener cannot listen or cannot be made non-blocking.
pub fn serve(
    state: AppState,
    listener: TcpListener,
    workers: Option<usize>,
    per_worker: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
) -> io::Result<Server> {
    set_backlog(&listener)?;
    let shutdown_seconds = state.placements.longest_delay().as_secs() + SHUTDOWN_SECONDS_BEYOND_DELAY;
    let server = ServerBuilder::new().shutdown_timeout(shutdown_seconds).disable_signals();
    let server = match workers {
        Some(workers) => server.workers(workers),
        None => server,
    };
    let stopping = server.graceful_shutdown_signal();
    let server = server.listen("kvota", listener, move || {
        let stopping = stopping.clone();
        HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .client_request_timeout(Duration::from_millis(REQUEST_HEAD_MS_MAX))
            .client_disconnect_timeout(Duration::from_millis(CLOSING_MS_MAX))
            .keep_alive(Duration::from_millis(KEEP_ALIVE_MS))
            .tcp_nodelay(true)
            .on_connect_ext(|stream: &TcpStream, _: &mut Extensions| limit_unacknowledged_time(stream))
            // Only the hub needs `per_worker`, and it is reached only by an upgrade.
            .upgrade(upgrades(app(state.clone(), per_worker.clone())))
            .finish(map_config(app(state.clone(), |_: &mut web::ServiceConfig| {}), |()| AppConfig::default()))
            .tcp()
    })?;
    Ok(server.run())
}

/// Starts serving health, readiness and metrics on their own listener, until the server's handle stops it.
///
/// # Errors
/// The listener cannot listen or cannot be made non-blocking.
pub fn serve_internal(state: AppState, listener: TcpListener) -> io::Result<Server> {
    // One worker is enough for a health check and a scrape every few seconds.
    let server = ServerBuilder::new().shutdown_timeout(SHUTDOWN_SECONDS_BEYOND_DELAY).disable_signals().workers(1);
    let server = server.listen("kvota-internal", listener, move || {
        HttpService::build()
            .client_request_timeout(Duration::from_millis(REQUEST_HEAD_MS_MAX))
            .client_disconnect_timeout(Duration::from_millis(CLOSING_MS_MAX))
            .keep_alive(Duration::from_millis(KEEP_ALIVE_MS))
            .finish(map_config(wrapped(state.clone(), |_| {}, Listener::Internal), |()| AppConfig::default()))
            .tcp()
    })?;
    Ok(server.run())
}

/// The application of one worker. [`serve`] puts it behind sockets; the test kit calls it without sockets.
pub fn app<F: FnOnce(&mut web::ServiceConfig)>(
    state: AppState,
    more: F,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody<Error = actix_http::Error> + use<F>>,
        Error = Error,
        InitError = (),
    > + use<F>,
> {
    let listener = if state.has_internal_listener { Listener::Public } else { Listener::Only };
    wrapped(state, more, listener)
}

fn wrapped<F: FnOnce(&mut web::ServiceConfig)>(
    state: AppState,
    more: F,
    listener: Listener,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody<Error = actix_http::Error> + use<F>>,
        Error = Error,
        InitError = (),
    > + use<F>,
> {
    App::new()
        .app_data(web::Data::new(state))
        .configure(more)
        .configure(move |app| routes(app, listener))
        .wrap(from_fn(error::errors_as_json))
        .wrap(from_fn(security::headers))
        .wrap(from_fn(closing::end_connections))
        .wrap(from_fn(unread_body::close_after_unread_body))
        .wrap(from_fn(observe::observe))
}

/// Sets the size of the backlog: a second `listen` changes only that.
fn set_backlog(listener: &TcpListener) -> io::Result<()> {
    SockRef::from(listener).listen(WAITING_CONNECTIONS_MAX)
}

/// Without this limit, a peer that stops reading keeps its socket forever; only the kernel notices.
fn limit_unacknowledged_time(stream: &TcpStream) {
    let limit = Duration::from_millis(TCP_UNACKNOWLEDGED_MS_MAX);
    if let Err(error) = SockRef::from(stream).set_tcp_user_timeout(Some(limit)) {
        tracing::debug!(error = &error as &dyn std::error::Error, "a socket takes no limit for unacknowledged data");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_simultaneous_connections_wait_in_the_backlog() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        set_backlog(&listener).unwrap();
        let address = listener.local_addr().unwrap();
        let come = |_| std::net::TcpStream::connect_timeout(&address, Duration::from_secs(10)).unwrap();
        let waiting: Vec<_> = (0..400).map(come).collect();
        assert_eq!(waiting.len(), 400, "and nobody has been accepted");
    }

    #[actix_web::test]
    async fn tcp_user_timeout_is_set() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        limit_unacknowledged_time(&stream);
        let limit = SockRef::from(&stream).tcp_user_timeout().unwrap();
        assert_eq!(limit, Some(Duration::from_millis(TCP_UNACKNOWLEDGED_MS_MAX)));
    }
}
