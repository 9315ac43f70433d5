//! A small complete system on one thread and without sockets: every actor, the calls and the hub, with the real bytes of
//! requests and frames. A test may pause its clock, so that an hour passes at once. For tests that need real sockets, a
//! broker or a database, use [`super::world::World`].
//!
//! ```
//! use kvota::testkit::virtual_world::VirtualWorld;
//!
//! # actix::System::new().block_on(async {
//! let mut world = VirtualWorld::with_feed("MATCH 17 soccer 1:0 live\n result 1.85 3.2 4").await;
//! let offer = world.get("live/offer").await;
//! assert_eq!(offer.json()["sports"][0]["matches"][0]["score"], serde_json::json!([1, 0]));
//! world.end().await;
//! # });
//! ```

use super::actor_tracker::ActorTracker;
use super::hub_socket::HubSocket;
use super::table::feed_table;
use super::time::{patience, run_until_idle};
use super::world::{NOW_MS, OPENING_BALANCE, RAISE_AFTER_MS, ScriptedFeed};
use crate::actors::feed_actor::FeedActor;
use crate::actors::offer_context::OfferContext;
use crate::actors::session::sessions::Sessions;
use crate::betting::cashier::CashierKind;
use crate::betting::exclusion_register::PlayerRegister;
use crate::betting::placement::{Betting, Placements};
use crate::betting::settlement::Settlements;
use crate::http::account::Accounts;
use crate::http::cookie_keys::CookieKeys;
use crate::http::session_cookie::NAME;
use crate::http::{AppState, app};
use crate::hub::admission::{Admission, HubLimits};
use crate::hub::publishers::Publishers;
use crate::hub::socket::accept_in_memory;
use crate::hub::websocket::live_hub;
use crate::server::services::{ServiceParts, Services};
use actix_web::body::{BoxBody, to_bytes};
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::test::{TestRequest, init_service};
use actix_web::web::ServiceConfig;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use kvota_read_model::ReadModel;
use kvota_store::nodes::NodeLink;
use kvota_store::{AccountId, Created, Login, NewAccount, Stores};
use kvota_wire::Encoding;
use serde_json::Value;
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The host of requests and of their pages.
const HOST: &str = "kvota.test";

/// The replaceable parts of a [`Node`].
pub struct NodeParts {
    /// Accounts, bets and saved sessions.
    pub stores: Stores,
    /// Taxes, limits and delays of bets.
    pub betting: Betting,
    /// The wall clock.
    pub now_ms: fn() -> i64,
    /// The link to the other nodes.
    pub link: Option<NodeLink>,
    /// Makes the name of this run differ from that of other nodes.
    pub nonce: u64,
}

impl Default for NodeParts {
    /// Empty stores, the default rules without a delay, a clock that stands still.
    fn default() -> NodeParts {
        NodeParts { stores: Stores::in_memory(), betting: Betting::default(), now_ms: || NOW_MS, link: None, nonce: 1 }
    }
}

impl fmt::Debug for NodeParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeParts").field("betting", &self.betting).finish_non_exhaustive()
    }
}

type Answering = Pin<Box<dyn Future<Output = Result<ServiceResponse<BoxBody>, actix_web::Error>>>>;
type Ask = Rc<dyn Fn(TestRequest) -> Answering>;

/// One process of the system without its feed. Clones share it.
#[derive(Clone)]
pub struct Node {
    /// What the actors share.
    pub offer: OfferContext,
    /// The publishers, which send events to connections.
    pub publishers: Publishers,
    /// Accounts and bets.
    pub stores: Stores,
    /// Places bets.
    pub placements: Placements,
    /// The bettors' sessions.
    pub sessions: Sessions,
    /// The settlement engine. It does nothing until it runs.
    pub settlements: Settlements,
    /// All services, for the tasks that run beside the calls.
    pub services: Services,
    keys: CookieKeys,
    ask: Ask,
}

impl Node {
    /// Starts it on this thread, without an offer.
    pub async fn start(parts: NodeParts) -> Node {
        let NodeParts { stores, betting, now_ms, link, nonce } = parts;
        let model = Arc::new(ReadModel::new(Lang::Hr, nonce));
        model.make_bodies_on_this_thread();
        let offer = OfferContext::new(Arc::clone(&model));
        let (services, _) = Services::start(ServiceParts {
            offer: offer.clone(),
            stores: stores.clone(),
            link,
            betting,
            register: PlayerRegister::default(),
            cashier: CashierKind::None,
            raise_after_ms: RAISE_AFTER_MS,
            now_ms,
            completes_on: None,
            sessions_have_thread: false,
        });
        let Services { sessions, placements, settlements, protections, cashier, .. } = services.clone();
        let accounts =
            Accounts { opening_balance: OPENING_BALANCE, events: Arc::new(sessions.clone()), ..Accounts::plain() };
        let state = AppState {
            read_model: model,
            stores: stores.clone(),
            placements: placements.clone(),
            protections,
            cashier,
            accounts,
            sessions: Some(sessions.clone()),
            now_ms,
            live_hub: live_hub(Admission::new(HubLimits::none())),
            ..AppState::default()
        };
        let keys = state.cookie_keys.clone();
        let publishers = Publishers::default();
        let rooms = publishers.start_here(&offer);
        let calls = app(state, move |worker: &mut ServiceConfig| {
            worker.app_data(rooms);
        });
        let service = Rc::new(init_service(calls).await);
        let ask = move |request: TestRequest| -> Answering {
            let service = Rc::clone(&service);
            Box::pin(async move {
                let answer = service.call(request.to_request()).await;
                answer.map(ServiceResponse::map_into_boxed_body)
            })
        };
        let ask = Rc::new(ask);
        Node { offer, publishers, stores, placements, sessions, settlements, services, keys, ask }
    }

    /// `GET /api/v1/…`.
    pub async fn get(&self, call: &str) -> Answer {
        self.ask(TestRequest::get(), call, None).await
    }

    /// `GET /api/v1/…` with a session's cookie.
    pub async fn get_as(&self, session: SessionId, call: &str) -> Answer {
        self.ask(TestRequest::get(), call, Some(session)).await
    }

    /// `POST live/send-ticket` with an idempotency key.
    pub async fn place(&self, session: SessionId, key: &str, body: &Value) -> Answer {
        let request = TestRequest::post().insert_header(("idempotency-key", key));
        let request = request.insert_header(("content-type", "application/json"));
        self.ask(request.set_payload(body.to_string()), "live/send-ticket?lang=en", Some(session)).await
    }

    /// Any request, as one of our own pages sends it.
    pub async fn ask(&self, request: TestRequest, call: &str, session: Option<SessionId>) -> Answer {
        match (self.ask)(self.as_our_page(request, call, session)).await {
            Ok(answer) => {
                let status = answer.status();
                let body = to_bytes(answer.into_body()).await.unwrap_or_default().to_vec();
                Answer { status: status.as_u16(), body }
            }
            Err(error) => Answer { status: error.as_response_error().status_code().as_u16(), body: Vec::new() },
        }
    }

    /// Opens a hub connection with a session's cookie; without one, a new session starts.
    ///
    /// # Errors
    /// The status of the rejection.
    pub async fn connect(
        &self,
        session: Option<SessionId>,
        lang: Lang,
        encoding: Encoding,
    ) -> Result<HubSocket, StatusCode> {
        let subprotocol = match encoding {
            Encoding::Json => "kvota.v1.json",
            Encoding::Msgpack => "kvota.v1.msgpack",
        };
        let mut request = TestRequest::get();
        for (name, value) in [
            ("connection", "upgrade"),
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("sec-websocket-protocol", subprotocol),
        ] {
            request = request.insert_header((name, value));
        }
        let request = self.as_our_page(request, &format!("live/hub?lang={}", lang.code()), session);
        let mut answer = (self.ask)(request).await.map_err(|error| error.as_response_error().status_code())?;
        let Some((end, run)) = accept_in_memory(answer.response_mut()) else { return Err(answer.status()) };
        #[expect(clippy::disallowed_methods, reason = "ends with its connection, as a worker's does")]
        actix::spawn(run);
        Ok(HubSocket::new(end, encoding))
    }

    /// Creates an account with this opening balance and logs it in under a session.
    ///
    /// # Panics
    /// The store rejects it.
    pub async fn account(&self, name: &str, session: SessionId, opening: kvota_domain::money::Money) -> AccountId {
        let account = NewAccount {
            name: name.to_owned(),
            password_hash: String::new(),
            opening,
            now_ms: NOW_MS,
            external_id: None,
        };
        let Created::Account(id) = self.stores.accounts.create(account).await.expect("the store keeps it") else {
            panic!("{name} is taken")
        };
        let login = Login::until(id, i64::MAX);
        self.stores.accounts.log_in(session, login.into()).await.expect("the store keeps it");
        id
    }

    fn as_our_page(&self, request: TestRequest, call: &str, session: Option<SessionId>) -> TestRequest {
        let request = request.uri(&format!("/api/v1/{call}")).insert_header(("host", HOST));
        let request = request.insert_header(("origin", format!("http://{HOST}")));
        let request = request.peer_addr(SocketAddr::from(([127, 0, 0, 1], 4)));
        match session {
            Some(session) => request.insert_header(("cookie", format!("{NAME}={}", self.keys.sign(session)))),
            None => request,
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("offer", &self.offer).finish_non_exhaustive()
    }
}

/// The answer of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null if it is not JSON.
    pub fn json(&self) -> Value {
        json_of(&self.body).unwrap_or_default()
    }
}

/// Parses bytes as JSON; `None` if they are not. Uses the parser that is compiled with optimisation in its own crate,
/// because tests read a lot of JSON.
pub(super) fn json_of(bytes: &[u8]) -> Option<Value> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// A [`Node`] with a feed that the test controls.
pub struct VirtualWorld {
    /// The feed.
    pub feed: ScriptedFeed,
    /// All other parts.
    pub node: Node,
    reader: ActorTracker,
}

impl VirtualWorld {
    /// A live system without matches; pauses the clock.
    pub async fn start() -> VirtualWorld {
        VirtualWorld::over(NodeParts::default()).await
    }

    /// A live system with the offer in a feed table.
    pub async fn with_feed(table: &str) -> VirtualWorld {
        let mut world = VirtualWorld::start().await;
        world.publish(table).await;
        world
    }

    /// A live system with these parts.
    pub async fn over(parts: NodeParts) -> VirtualWorld {
        super::time::pause_clock();
        let node = Node::start(parts).await;
        let (sink, inputs) = mpsc::channel(256);
        let (ask, requests) = mpsc::channel(64);
        let reader = ActorTracker::new();
        // Like the program, the reader uses a clock that never jumps.
        reader.answer_for(&FeedActor::start_here(node.offer.clone(), || NOW_MS, inputs, ask));
        let mut world = VirtualWorld { feed: ScriptedFeed::new(sink, requests), node, reader };
        world.feed.connect().await;
        let until = Instant::now() + patience();
        while world.node.offer.model.feed_state(Lang::Sr) != FeedState::Active {
            assert!(Instant::now() < until, "the feed did not become active");
            world.settle().await;
        }
        world
    }

    /// Publishes a feed table, and waits until the system has applied it.
    pub async fn publish(&mut self, table: &str) {
        for sport in feed_table(table) {
            self.feed.publish_sport(sport.sport, sport.matches).await;
        }
        self.settle().await;
    }

    /// Runs everything that can run, and answers the system's requests for snapshots.
    pub async fn settle(&mut self) {
        run_until_idle().await;
        self.feed.answer_requests().await;
        run_until_idle().await;
    }

    /// `GET /api/v1/…`.
    pub async fn get(&self, call: &str) -> Answer {
        self.node.get(call).await
    }

    /// Ends the system; no actor may be left running.
    pub async fn end(self) {
        let VirtualWorld { feed, node, reader } = self;
        node.publishers.close_connections().await;
        drop(feed);
        reader.end().await;
    }
}

impl fmt::Debug for VirtualWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VirtualWorld").field("node", &self.node).finish_non_exhaustive()
    }
}
