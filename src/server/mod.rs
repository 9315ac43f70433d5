//! Composition of the server: builds every part from the configuration, runs them until a signal, and stops them in
//! order. Called by `command/actions.rs`. It must not contain rules of its own.

#![expect(
    clippy::disallowed_methods,
    reason = "starts the tasks that go on as long as the server, and hands the wall clock to everybody else"
)]

pub(crate) mod cookie_key_file;
pub mod nodes;
mod open_files;
mod register_client;
pub mod services;
pub(crate) mod signals;
pub(crate) mod sources;
pub(crate) mod stores;
mod supervise;

use self::cookie_key_file::load_or_create_key;
use self::register_client::HttpRegister;
use self::services::{ServiceParts, Services};
use self::signals::{Order, Signals};
use self::stores::open_stores;
use self::supervise::supervise;
use crate::actors::offer_context::OfferContext;
use crate::actors::system;
use crate::betting::exclusion_register::PlayerRegister;
use crate::betting::placement::Placements;
use crate::config::{self, Config, FeedKind};
use crate::error::ProgramError;
use crate::http::account::{Accounts, PasswordCost, Passwords, Tries};
use crate::http::closing;
use crate::http::cookie_keys::CookieKeys;
use crate::http::limits::SESSION_COOKIE_SECONDS;
use crate::http::{self, AppState, ProviderStates};
use crate::hub::admission::{Admission, HubLimits};
use crate::hub::publishers::Publishers;
use crate::hub::websocket::live_hub;
use crate::telemetry;
use crate::wall_clock::{now_ms, steady_now_ms};
use actix::Arbiter;
use actix_web::dev::ServerHandle;
use actix_web::web;
use kvota_feed::embedded_results::ResultsPort;
use kvota_feed::results::ResultsLink;
use kvota_read_model::ReadModel;
use kvota_store::limits::ANONYMOUS_SESSIONS_MAX;
use kvota_store::{StoreLocation, Stores};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tracing::{info, warn};

/// How long the store keeps the results of a market without bets, in ms: longer than a match is offered. Those of markets
/// with bets are kept, because a bettor may ask about them.
const RESULTS_WITHOUT_BETS_KEPT_MS: i64 = 30 * 24 * 3_600_000;

/// The listener of a node without others closes within this time after the server was stopped. Orders that arrived before
/// are still accepted.
const LISTENER_CLOSES_AFTER: Duration = Duration::from_millis(100);
/// Metrics keep every measurement until this upkeep, so it bounds their memory even if nothing scrapes them.
const METRICS_UPKEEP: Duration = Duration::from_secs(5);

/// How often expired logins and abandoned anonymous sessions are deleted.
const STORE_UPKEEP: Duration = Duration::from_secs(3_600);

/// The listening sockets of a server.
pub(crate) struct Listeners {
    /// For bettors.
    pub(crate) public: TcpListener,
    /// For health, readiness and metrics; `None` if the public listener serves them.
    pub(crate) internal: Option<TcpListener>,
}

/// The running parts of a server that must be stopped.
struct Parts {
    state: AppState,
    /// The limits of the hub's connections.
    hub: Admission,
    offer: OfferContext,
    placements: Placements,
    stores: Stores,
    /// Turns the embedded feed off and on.
    switch: sources::Switch,
    /// The thread that reads the feed.
    reading: Arbiter,
    /// The thread of the sessions.
    of_sessions: Option<Arbiter>,
}

/// Serves on the listeners until a signal stops it.
///
/// # Errors
/// A part cannot be started, or the server ends by itself.
pub(crate) async fn serve_on(listeners: Listeners, config: Config) -> Result<(), ProgramError> {
    let bound = listeners.public.local_addr().map_err(ProgramError::Serve)?;
    let mut signals = Signals::listen()?;
    let render_metrics = record_metrics()?;
    let (stores, cookie_keys) = open_stores_and_keys(&config).await?;
    if config.http.lacks_trusted_proxies() {
        warn!(
            "http.allowed_origins has an https origin and http.trusted_proxies is empty: list the proxy that ends TLS, or all \
             of its clients share the limits of one address, and cookies are not marked Secure"
        );
    }
    let used = used(&config);
    let (gather, workers, drain) = (config.http.gather, config.http.workers, config.http.drain);
    let has_other_nodes = matches!(StoreLocation::parse(config.store.url.reveal()), Some(StoreLocation::Postgres(_)));
    let mut parts = start(config, stores, cookie_keys, render_metrics)?;
    parts.placements.read_pause().await;
    let internal = listeners.internal.map(|listener| start_internal(&mut parts.state, listener)).transpose()?;

    let publishers = Publishers::gathering(gather);
    let start_publisher = {
        let (publishers, offer) = (publishers.clone(), parts.offer.clone());
        move |worker: &mut web::ServiceConfig| {
            worker.app_data(publishers.start_here(&offer));
        }
    };
    let hub = parts.hub;
    let listener = listeners.public.try_clone().map_err(ProgramError::Serve)?;
    let server = http::serve(parts.state, listeners.public, workers, start_publisher).map_err(ProgramError::Serve)?;
    let handle = server.handle();
    let mut running = actix::spawn(server);
    info!("{used}");
    announce(bound);

    let signal = loop {
        tokio::select! {
            order = signals.given() => match order {
                Order::Stop(signal) => {
                    info!(signal, "stopping on {signal}: requests in flight may finish");
                    break signal;
                }
                Order::Feed { active } => {
                    info!(active, "switching the embedded feed");
                    parts.switch.set(active);
                }
            },
            ended = &mut running => return ended_by_itself(ended),
        }
    };
    hub.stop();
    let drains = signal == "SIGTERM" && has_other_nodes && !drain.is_zero();
    if drains {
        info!("serving on for {} s, while clients move to other nodes", drain.as_secs());
        tokio::select! {
            () = publishers.close_connections_over(drain) => {}
            () = async { while !matches!(signals.given().await, Order::Stop(_)) {} } => {}
            ended = &mut running => return ended_by_itself(ended),
        }
    }
    publishers.close_connections().await;
    if drains {
        closing::close_listener(&listener, &handle).await;
    }
    // This copy would keep the listener open.
    drop(listener);
    // The listener closes first, so that a balancer sends new orders to another node: here they would be rejected.
    let stopped = handle.stop(true);
    if !drains {
        tokio::time::sleep(if has_other_nodes { closing::SERVED_ON } else { LISTENER_CLOSES_AFTER }).await;
    }
    parts.placements.drain().await;
    stopped.await;
    parts.reading.stop();
    if let Some(of_sessions) = parts.of_sessions {
        of_sessions.stop();
    }
    // All accepted bets are stored by now; the callers of all others have received an error.
    parts.stores.close().await?;
    if let Some(internal) = internal {
        // Last, so that health checks are answered until the end.
        internal.stop(false).await;
    }
    info!("stopped");
    Ok(())
}

/// Moves health, readiness and metrics from the public listener to their own.
fn start_internal(state: &mut AppState, listener: TcpListener) -> Result<ServerHandle, ProgramError> {
    let bound = listener.local_addr().map_err(ProgramError::Serve)?;
    state.has_internal_listener = true;
    let server = http::serve_internal(state.clone(), listener).map_err(ProgramError::Serve)?;
    let handle = server.handle();
    actix::spawn(server);
    info!(internal = %bound, "health, readiness and metrics are served on {bound}");
    Ok(handle)
}

/// Starts recording metrics; returns the function that renders them.
fn record_metrics() -> Result<Arc<dyn Fn() -> String + Send + Sync>, ProgramError> {
    let recorder = telemetry::metrics()?;
    let render = recorder.clone();
    actix::spawn(supervise("metrics_upkeep", move || {
        let recorder = recorder.clone();
        async move {
            loop {
                tokio::time::sleep(METRICS_UPKEEP).await;
                recorder.run_upkeep();
            }
        }
    }));
    Ok(Arc::new(move || render.render()))
}

/// Opens the stores, schedules their upkeep, and loads the cookie keys.
async fn open_stores_and_keys(config: &Config) -> Result<(Stores, CookieKeys), ProgramError> {
    let configured = &config.http.cookie_keys;
    let (stores, cookie_keys) = if configured.is_empty() {
        let folder = &config.store.data_dir;
        let own_key =
            load_or_create_key(folder).map_err(|source| ProgramError::CookieKey { folder: folder.clone(), source })?;
        let stores = open_stores(config).await?;
        // Servers that share a store must accept each other's cookies.
        let key = stores.shared_key(own_key.clone()).await?.unwrap_or(own_key);
        (stores, CookieKeys::new(&key))
    } else {
        let keys = configured.iter().map(|key| key.reveal().as_bytes());
        (open_stores(config).await?, CookieKeys::rotating(keys))
    };
    let kept = stores.clone();
    actix::spawn(supervise("store_upkeep", move || {
        let kept = kept.clone();
        async move {
            loop {
                tokio::time::sleep(STORE_UPKEEP).await;
                delete_expired_rows(&kept).await;
            }
        }
    }));
    Ok((stores, cookie_keys))
}

/// Starts the actors and services, the feed first.
fn start(
    config: Config,
    stores: Stores,
    cookie_keys: CookieKeys,
    render_metrics: Arc<dyn Fn() -> String + Send + Sync>,
) -> Result<Parts, ProgramError> {
    let connections_max = open_files::raise_limit(config.hub.connections_max);
    let hub = Admission::new(HubLimits { connections_max, ..config.hub.clone() });
    // Nodes may start in the same millisecond.
    let nonce = getrandom::u64().unwrap_or_else(|_| u64::try_from(now_ms()).unwrap_or_default());
    let read_model = Arc::new(ReadModel::new(config.feed.primary_language, nonce));
    let offer = OfferContext { lag_limits: config.feed.lag_limits, ..OfferContext::new(Arc::clone(&read_model)) };
    let switch = sources::Switch::default();
    let results_link = ResultsLink::default();
    let (results_port, embedded_results) = ResultsPort::new(results_link.clone());
    let uof = sources::uof_of_source(&config)?;
    let make_source = sources::factory(&config, switch.clone(), results_port, uof.clone())?;
    let reading = system::start(offer.clone(), steady_now_ms, make_source);

    let (services, of_sessions) = Services::start(ServiceParts {
        offer: offer.clone(),
        stores: stores.clone(),
        link: stores.join_nodes(),
        betting: config.betting.clone(),
        register: register_of(&config.protection),
        cashier: config.wallet.cashier,
        raise_after_ms: config.protection.raise_after_ms,
        now_ms,
        // This thread outlives the workers.
        completes_on: Some(Handle::current()),
        sessions_have_thread: true,
    });
    for task in services.tasks() {
        actix::spawn(task.supervise());
    }
    let make_results = sources::results(&config, embedded_results, results_link.clone())?;
    actix::spawn(services.settlements.clone().supervise(make_results));
    let Services { sessions, placements, protections, register, cashier, .. } = services;
    let accounts = Accounts {
        opening_balance: config.accounts.opening_balance,
        currency: config.accounts.currency,
        passwords: Passwords::new(PasswordCost::SERVER),
        events: Arc::new(sessions.clone()),
        tries: Arc::new(Tries::new(config.accounts.registrations_per_minute)),
        registration: config.accounts.registration,
        unlimited_networks: config.accounts.unlimited_networks.into(),
        login_idle_ms: i64::from(config.accounts.login_idle_hours).saturating_mul(3_600_000),
    };
    let state = AppState {
        read_model,
        stores: stores.clone(),
        store_health: Arc::default(),
        results_link,
        provider: uof.map(|uof| ProviderStates::new(move || sources::uof_states(&uof))),
        placements: placements.clone(),
        protections,
        register,
        cashier,
        accounts,
        has_demo_stream: config.media.has_demo_stream,
        stream_url: config.media.stream_url,
        scoreboard_url: config.media.scoreboard_url,
        allowed_origins: config.http.allowed_origins.into(),
        trusted_proxies: config.http.trusted_proxies.into(),
        live_hub: live_hub(hub.clone()),
        cookie_keys,
        sessions: Some(sessions),
        has_internal_listener: false,
        now_ms,
        render_metrics,
    };
    Ok(Parts { state, hub, offer, placements, stores, switch, reading, of_sessions })
}

/// Deletes expired logins, abandoned anonymous sessions, and old results of markets without bets. A failure is retried an
/// hour later.
async fn delete_expired_rows(stores: &Stores) {
    let now_ms = now_ms();
    let oldest_ms = now_ms.saturating_sub(SESSION_COOKIE_SECONDS.saturating_mul(1_000));
    let logins = stores.accounts.forget_ended_logins(now_ms).await;
    let sessions = stores.sessions.forget_anonymous(oldest_ms, ANONYMOUS_SESSIONS_MAX).await;
    let results = stores.settlements.forget_results(now_ms.saturating_sub(RESULTS_WITHOUT_BETS_KEPT_MS)).await;
    match (logins, sessions, results) {
        (Ok(logins), Ok(sessions), Ok(results)) => info!(logins, sessions, results, "deleted expired rows"),
        (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => {
            tracing::warn!(%error, "expired rows are not deleted yet: {error}");
        }
    }
}

fn ended_by_itself(ended: Result<io::Result<()>, tokio::task::JoinError>) -> Result<(), ProgramError> {
    let reason = match ended {
        Ok(Ok(())) => io::Error::other("it ended without being told to"),
        Ok(Err(error)) => error,
        Err(error) => io::Error::other(error),
    };
    Err(ProgramError::Serve(reason))
}

/// Which store, data folder and feed the server uses, without credentials.
fn used(config: &Config) -> String {
    let folder = &config.store.data_dir;
    let store = match StoreLocation::parse(config.store.url.reveal()) {
        Some(StoreLocation::Sqlite(file)) => format!("SQLite in {}", folder.join(file).display()),
        _ => "PostgreSQL".to_owned(),
    };
    let feed = match config.feed.source {
        FeedKind::Embedded => "embedded",
        FeedKind::Amqp => "RabbitMQ",
        FeedKind::Uof => "a provider's (UOF)",
        #[cfg(feature = "testkit")]
        FeedKind::Scripted => "scripted",
    };
    format!("the store is {store}, the data folder {}, the feed {feed}", folder.display())
}

/// Prints one plain line to the standard output, whatever the log settings: people and scripts wait for it.
#[expect(clippy::print_stdout, reason = "the one line that is the program's output")]
fn announce(bound: SocketAddr) {
    let mut shown = bound;
    if bound.ip().is_unspecified() {
        // A browser cannot open 0.0.0.0.
        shown.set_ip(match bound {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    info!(%bound, "listening on {bound}");
    println!("kvota is ready: http://{shown}");
}

/// The configured register of excluded players.
fn register_of(protection: &config::Protection) -> PlayerRegister {
    let Some(url) = &protection.register_url else { return PlayerRegister::default() };
    let client = HttpRegister::new(url, protection.register_token.clone());
    PlayerRegister::new(Arc::new(client), protection.register_unreachable, now_ms)
}
