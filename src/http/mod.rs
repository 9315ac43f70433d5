//! The calls of CONTRACT 2, and the handshake of the live hub. [`CALLS`] is the only route table, and each call has its
//! own file. Calls that read the offer use the read model and wait for no mailbox. What all answers share is in
//! `error.rs`, `security.rs`, `observe.rs` and `reply.rs`.
//!
//! Must not import load, testkit, app, config, cli or telemetry: the server gets what it needs as [`AppState`].

pub mod account;
mod assets;
pub(crate) mod closing;
pub mod cookie_keys;
mod demo_stream;
mod document;
pub mod error;
mod health;
mod id_parameter;
mod json;
pub mod language;
pub mod limits;
mod links;
mod live;
pub mod live_hub;
mod metrics;
mod negotiation;
mod observe;
mod openapi;
pub mod origin;
pub mod proxies;
mod query;
pub mod rate_limit;
pub(crate) mod reply;
mod request_id;
mod security;
mod server;
pub mod session_cookie;
mod store_health;
pub(crate) mod texts;
mod tracker;
mod unread_body;
pub(crate) mod upgrade;

pub use health::ProviderStates;
pub use json::JsonBody;
pub use live::scoreboard::MATCH_ID;
pub use live::stream::PERFORM_EVENT_ID;
pub use server::{app, serve, serve_internal};
pub use store_health::StoreHealth;

use crate::actors::session::sessions::Sessions;
use crate::betting::cashier::Cashier;
use crate::betting::exclusion_register::PlayerRegister;
use crate::betting::placement::Placements;
use crate::betting::protection::Protections;
use account::Accounts;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpRequest, HttpResponse, Route, guard, web};
use cookie_keys::CookieKeys;
use error::ApiError;
use kvota_feed::results::ResultsLink;
use kvota_read_model::ReadModel;
use kvota_store::Stores;
use live_hub::LiveHub;
use origin::Origin;
use proxies::{Network, Seen};
use std::fmt;
use std::sync::Arc;

/// The method of a call. GET also answers HEAD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallMethod {
    /// Reads.
    Get,
    /// Changes something.
    Post,
    /// Sets something.
    Put,
    /// Removes something.
    Delete,
}

impl CallMethod {
    /// The HTTP methods that it allows.
    pub const fn methods(self) -> &'static str {
        match self {
            CallMethod::Get => "GET, HEAD",
            CallMethod::Post => "POST",
            CallMethod::Put => "PUT",
            CallMethod::Delete => "DELETE",
        }
    }
}

/// One row of the route table.
pub struct Call {
    /// The method.
    pub verb: CallMethod,
    /// The address, as an actix pattern.
    pub path: &'static str,
    /// The handler.
    route: fn() -> Route,
}

/// The route table. Any other address is a file of the client, or 404; a listed address with another method is 405.
pub const CALLS: &[Call] = &[
    reads("/api/v1/live/offer", || web::to(live::offer::get)),
    reads("/api/v1/live/match/{id}", || web::to(live::matches::get)),
    reads("/api/v1/live/history", || web::to(live::price_history::get)),
    reads("/api/v1/live/hub", || web::to(live_hub::get)),
    reads("/api/v1/live/translations", || web::to(live::translations::get)),
    reads("/api/v1/live/user-status", || web::to(live::user_status::get)),
    reads("/api/v1/live/rules", || web::to(live::rules::get)),
    reads("/api/v1/live/stream", || web::to(live::stream::get)),
    reads("/api/v1/live/scoreboard", || web::to(live::scoreboard::get)),
    changes(CallMethod::Post, "/api/v1/live/send-ticket", || web::to(live::send_ticket::post)),
    changes(CallMethod::Post, "/api/v1/account/register", || web::to(account::register::post)),
    changes(CallMethod::Post, "/api/v1/account/login", || web::to(account::login::post)),
    changes(CallMethod::Post, "/api/v1/account/logout", || web::to(account::logout::post)),
    changes(CallMethod::Post, "/api/v1/account/password", || web::to(account::password::post)),
    reads("/api/v1/account/sessions", || web::to(account::logins::list)),
    changes(CallMethod::Delete, "/api/v1/account/sessions/{id}", || web::to(account::logins::end)),
    changes(CallMethod::Post, "/api/v1/account/deposit", || web::to(account::cashier::deposit)),
    changes(CallMethod::Post, "/api/v1/account/withdraw", || web::to(account::cashier::withdraw)),
    reads("/api/v1/account/limits", || web::to(account::own_limits::get)),
    changes(CallMethod::Put, "/api/v1/account/limits", || web::to(account::own_limits::put)),
    changes(CallMethod::Post, "/api/v1/account/time-out", || web::to(account::exclusion::time_out)),
    changes(CallMethod::Post, "/api/v1/account/self-exclusion", || web::to(account::exclusion::self_exclusion)),
    reads("/api/v1/account/history", || web::to(account::limit_history::get)),
    reads("/api/v1/account/tickets", || web::to(account::tickets::list)),
    reads("/api/v1/account/tickets/{id}", || web::to(account::tickets::get)),
    reads("/api/v1/account/tickets/{id}/cash-out", || web::to(account::cash_out::get)),
    changes(CallMethod::Post, "/api/v1/account/tickets/{id}/cash-out", || web::to(account::cash_out::post)),
    changes(CallMethod::Put, "/api/v1/account/tickets/{id}/cash-out-rule", || web::to(account::cash_out::put_rule)),
    changes(CallMethod::Delete, "/api/v1/account/tickets/{id}/cash-out-rule", || {
        web::to(account::cash_out::delete_rule)
    }),
    reads("/api/v1/account/statement", || web::to(account::statement::get)),
    reads("/api/openapi.json", || web::to(openapi::document)),
    reads("/api/docs", || web::to(openapi::page)),
    reads("/api/docs/{file}", || web::to(openapi::page_part)),
    reads("/healthz", || web::to(health::alive)),
    reads("/readyz", || web::to(health::ready)),
    reads("/metrics", || web::to(metrics::get)),
    reads("/match/{id}", || web::to(links::of_match)),
    reads("/sport/{ids}", || web::to(links::of_sports)),
    reads("/ticket/{picks}", || web::to(links::of_ticket)),
    reads("/scoreboard/{id}", || web::to(tracker::page)),
    reads(demo_stream::PATH, || web::to(demo_stream::playlist)),
    reads("/demo/{file}", || web::to(demo_stream::piece)),
    reads("/assets/{file:.*}", || web::to(assets::get)),
    reads("/", || web::to(assets::get)),
];

/// The calls for operators and monitoring, which may have their own listener (`http.internal_listen`).
const INTERNAL: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The part of the route table that a listener serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Listener {
    /// All calls.
    Only,
    /// All but [`INTERNAL`].
    Public,
    /// [`INTERNAL`] alone.
    Internal,
}

impl Listener {
    fn serves(self, path: &str) -> bool {
        match self {
            Listener::Only => true,
            Listener::Public => !INTERNAL.contains(&path),
            Listener::Internal => INTERNAL.contains(&path),
        }
    }
}

const fn reads(path: &'static str, route: fn() -> Route) -> Call {
    Call { verb: CallMethod::Get, path, route }
}

/// A call that changes something. A page of another origin is rejected before anything else is checked.
const fn changes(verb: CallMethod, path: &'static str, route: fn() -> Route) -> Call {
    Call { verb, path, route }
}

/// What the calls need. Cloned into every worker; clones share everything.
#[derive(Clone)]
pub struct AppState {
    /// The offer.
    pub read_model: Arc<ReadModel>,
    /// Accounts, bets, saved tickets.
    pub stores: Stores,
    /// Whether the store can be reached, for `/readyz`.
    pub store_health: Arc<StoreHealth>,
    /// Whether results of matches arrive.
    pub results_link: ResultsLink,
    /// The producers of a provider's feed; `None` if the offer has another source.
    pub provider: Option<ProviderStates>,
    /// Places bets.
    pub placements: Placements,
    /// Changes limits and exclusions.
    pub protections: Protections,
    /// The register of excluded players.
    pub register: PlayerRegister,
    /// Pays money in and out.
    pub cashier: Cashier,
    /// What the account calls also need.
    pub accounts: Accounts,
    /// The address of a match's video, with the placeholder `{performEventId}`; `None` if there is no video.
    pub stream_url: Option<Arc<str>>,
    /// Whether recorded matches show the built-in demo video.
    pub has_demo_stream: bool,
    /// The address of an external match tracker, with the placeholder `{matchId}` or `{performEventId}`; `None` for our
    /// own.
    pub scoreboard_url: Option<Arc<str>>,
    /// The origins whose pages may connect; empty allows only our own.
    pub allowed_origins: Arc<[Origin]>,
    /// The peers whose forwarded headers are trusted.
    pub trusted_proxies: Arc<[Network]>,
    /// The live hub.
    pub live_hub: LiveHub,
    /// The keys that sign and verify cookies.
    pub cookie_keys: CookieKeys,
    /// The bettors' sessions; `None` if only the offer is served.
    pub sessions: Option<Sessions>,
    /// Whether health, readiness and metrics have their own listener. If so, the public listener does not serve them.
    pub has_internal_listener: bool,
    /// The wall clock, in ms since 1970.
    pub now_ms: fn() -> i64,
    /// Renders `/metrics`.
    pub render_metrics: Arc<dyn Fn() -> String + Send + Sync>,
}

#[cfg(any(test, feature = "testkit"))]
impl Default for AppState {
    /// For tests: no offer, stores in memory, no limits, no sessions, no metrics, a cookie key of zeros, a clock that
    /// stands at 0.
    fn default() -> AppState {
        use crate::betting::bet_events::BetEvents;
        use crate::betting::cashier::CashierKind;
        use crate::betting::placement::Betting;
        let (read_model, stores): (Arc<ReadModel>, _) = (Arc::default(), Stores::in_memory());
        let protections = Protections::new(Arc::clone(&stores.protection), BetEvents::default(), || 0, 0);
        let cashier = Cashier::new(CashierKind::None, Arc::clone(&stores.cashier), BetEvents::default());
        let placements = Placements::new(
            Arc::clone(&read_model),
            stores.clone(),
            Betting::default(),
            || 0,
            None,
            BetEvents::default(),
        );
        AppState {
            read_model,
            stores,
            store_health: Arc::default(),
            results_link: ResultsLink::connected(),
            provider: None,
            placements,
            protections,
            register: PlayerRegister::default(),
            cashier,
            accounts: Accounts::plain(),
            stream_url: None,
            has_demo_stream: false,
            scoreboard_url: None,
            allowed_origins: Arc::default(),
            trusted_proxies: Arc::default(),
            live_hub: LiveHub::default(),
            cookie_keys: CookieKeys::new(&[0; 32]),
            sessions: None,
            has_internal_listener: false,
            now_ms: || 0,
            render_metrics: Arc::new(String::new),
        }
    }
}

impl fmt::Debug for AppState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppState").finish_non_exhaustive()
    }
}

impl AppState {
    /// The bettors' sessions.
    ///
    /// # Errors
    /// [`ApiError::Internal`] if there are none.
    pub fn sessions(&self) -> Result<&Sessions, ApiError> {
        self.sessions.as_ref().ok_or_else(|| ApiError::Internal("no sessions here".into()))
    }

    /// The scheme and the client address of a request.
    pub fn seen(&self, req: &HttpRequest) -> Seen {
        let peer = req.peer_addr().map(|peer| peer.ip());
        proxies::seen(&self.trusted_proxies, peer, req.headers())
    }

    /// Rejects a page of another origin: for the hub, and for every call that changes something.
    ///
    /// # Errors
    /// [`ApiError::Origin`].
    pub fn check_origin(&self, req: &HttpRequest) -> Result<(), ApiError> {
        let headers = req.headers();
        let scheme = self.seen(req).scheme;
        let host = reply::header(headers, actix_web::http::header::HOST);
        let is_allowed = |origin: &str| origin::is_allowed(origin, &self.allowed_origins, scheme, host);
        let sent_by = origin::SendingPage {
            // All of them, because a request with more than one Origin header must be rejected.
            origins: headers.get_all("origin").map(|value| value.to_str().unwrap_or_default()).collect(),
            referer: reply::header(headers, actix_web::http::header::REFERER),
            fetch_site: headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or_default()),
        };
        if sent_by.is_permitted(is_allowed) { Ok(()) } else { Err(ApiError::Origin) }
    }
}

/// Middleware of calls that change something.
async fn check_origin_middleware(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let state = req.app_data::<web::Data<AppState>>();
    match state.map_or(Err(ApiError::Origin), |state| state.check_origin(req.request())) {
        Ok(()) => next.call(req).await.map(ServiceResponse::map_into_boxed_body),
        Err(refused) => Ok(req.error_response(refused)),
    }
}

/// Adds a listener's part of the route table to an application.
fn routes(app: &mut web::ServiceConfig, listener: Listener) {
    let mut paths: Vec<&str> = CALLS.iter().map(|call| call.path).filter(|path| listener.serves(path)).collect();
    // An address with two methods has two neighbouring rows, but is one resource.
    paths.dedup();
    for path in paths {
        let calls = || CALLS.iter().filter(|call| call.path == path);
        let resource = calls().fold(web::resource(path), |resource, call| {
            let route = (call.route)();
            resource.route(match call.verb {
                CallMethod::Get => route.guard(guard::Any(guard::Get()).or(guard::Head())),
                CallMethod::Post => route.guard(guard::Post()).wrap(from_fn(check_origin_middleware)),
                CallMethod::Put => route.guard(guard::Put()).wrap(from_fn(check_origin_middleware)),
                CallMethod::Delete => route.guard(guard::Delete()).wrap(from_fn(check_origin_middleware)),
            })
        });
        let methods: Vec<&str> = calls().map(|call| call.verb.methods()).collect();
        let allow = methods.join(", ");
        let refuse = move || {
            let allow = allow.clone();
            std::future::ready(Err::<HttpResponse, _>(ApiError::Method { allow }))
        };
        app.service(resource.default_service(web::to(refuse)));
    }
    match listener {
        Listener::Only | Listener::Public => app.default_service(web::to(assets::get)),
        Listener::Internal => app.default_service(web::to(async || Err::<HttpResponse, _>(ApiError::NotFound))),
    };
}
