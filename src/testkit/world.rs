//! A small complete system in one line: a feed that the test controls, the actors, the calls and the hub on a free
//! port. `World::start().await` is live and empty; `world.feed.publish(…)` sends a live event in all four languages.
//! Another world over the same stores is another node, or the same one after a restart.

use crate::actors::feed_actor::FeedActor;
use crate::actors::offer_context::OfferContext;
use crate::actors::session::sessions::Sessions;
use crate::betting::bet_events::BetEvents;
use crate::betting::cashier::CashierKind;
use crate::betting::exclusion_register::PlayerRegister;
use crate::betting::placement::{Betting, Placements};
use crate::betting::settlement::ResultsElsewhere;
use crate::http::account::Accounts;
use crate::http::{AppState, serve};
use crate::hub::admission::{Admission, HubLimits};
use crate::hub::publishers::Publishers;
use crate::hub::websocket::live_hub;
use crate::server::services::{ServiceParts, Services};
use crate::testkit::builders::soccer;
use crate::testkit::table::feed_table;
use actix::{Addr, Arbiter};
use actix_web::dev::ServerHandle;
use actix_web::web;
use kvota_domain::feed::{FeedUpdate, MatchUpdate, SportUpdate};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::sport::SportPatch;
use kvota_feed::fold::fold;
use kvota_feed::{FeedInput, Position, SnapshotRequest};
use kvota_read_model::ReadModel;
use kvota_store::Stores;
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The fixed time of the world's clock, in ms since 1970.
pub const NOW_MS: i64 = 1_700_000_000_000;

/// How long a higher limit of a bettor waits.
pub(super) const RAISE_AFTER_MS: i64 = 86_400_000;

/// The balance of a new account: 1000.00.
pub const OPENING_BALANCE: Money = Money::from_cents(100_000);

/// How long to wait for anything.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A small system that ends with the test.
pub struct World {
    /// The feed.
    pub feed: ScriptedFeed,
    /// What the actors share: the read model, and the bus to the publishers.
    pub offer: OfferContext,
    /// The publishers, which send events to connections, one per worker.
    pub publishers: Publishers,
    /// Accounts and bets.
    pub stores: Stores,
    /// Places bets with the default rules and without a delay, unless the test changes that.
    pub placements: Placements,
    /// The bettors' sessions, with the default rules.
    pub sessions: Sessions,
    /// Publishes what happens to bets, to this node and the others.
    pub bet_events: BetEvents,
    /// The results that other nodes store, for an engine of this one.
    pub results_elsewhere: ResultsElsewhere,
    /// All services, for the tasks that run beside the calls.
    pub services: Services,
    of_sessions: Option<Arbiter>,
    address: SocketAddr,
    handle: ServerHandle,
    _reader: Addr<FeedActor>,
}

/// Each world is a run of its own.
static RUNS: AtomicU64 = AtomicU64::new(1);

impl World {
    /// A live system without matches.
    pub async fn start() -> World {
        World::over(Stores::in_memory()).await
    }

    /// A live system with the offer in a feed table (`table.rs`).
    pub async fn with_feed(table: &str) -> World {
        let mut world = World::start().await;
        for sport in feed_table(table) {
            world.feed.publish_sport(sport.sport, sport.matches).await;
        }
        world.settle().await;
        world
    }

    /// A live system over these stores.
    pub async fn over(stores: Stores) -> World {
        World::with(stores, |_| {}).await
    }

    /// A live system with a changed [`AppState`].
    pub async fn with_state(set_up: impl FnOnce(&mut AppState)) -> World {
        World::with(Stores::in_memory(), set_up).await
    }

    /// A live system with other betting rules.
    pub async fn with_betting(betting: Betting) -> World {
        World::made(Stores::in_memory(), Publishers::default(), |parts| parts.betting = betting, |_| {}).await
    }

    /// A live system with a register of excluded players.
    pub async fn with_register(register: PlayerRegister) -> World {
        World::made(Stores::in_memory(), Publishers::default(), |parts| parts.register = register, |_| {}).await
    }

    /// A live system that gathers price changes for this time.
    pub async fn gathering(gather: Duration) -> World {
        World::made(Stores::in_memory(), Publishers::gathering(gather), |_| {}, |_| {}).await
    }

    /// A live system over these stores with a changed [`AppState`].
    pub async fn with(stores: Stores, set_up: impl FnOnce(&mut AppState)) -> World {
        World::made(stores, Publishers::default(), |_| {}, set_up).await
    }

    #[expect(clippy::disallowed_methods, reason = "the world ends its server")]
    async fn made(
        stores: Stores,
        publishers: Publishers,
        change: impl FnOnce(&mut ServiceParts),
        set_up: impl FnOnce(&mut AppState),
    ) -> World {
        let model = Arc::new(ReadModel::new(Lang::Hr, RUNS.fetch_add(1, Ordering::Relaxed)));
        let offer = OfferContext::new(Arc::clone(&model));
        let (sink, inputs) = mpsc::channel(256);
        let (ask, requests) = mpsc::channel(64);
        let reader = FeedActor::start_here(offer.clone(), || NOW_MS, inputs, ask);

        let mut parts = ServiceParts {
            offer: offer.clone(),
            stores: stores.clone(),
            link: stores.join_nodes(),
            betting: Betting::default(),
            register: PlayerRegister::default(),
            cashier: CashierKind::Demo,
            raise_after_ms: RAISE_AFTER_MS,
            now_ms: || NOW_MS,
            completes_on: None,
            sessions_have_thread: true,
        };
        change(&mut parts);
        let (services, of_sessions) = Services::start(parts);
        let Services { sessions, placements, protections, register, cashier, .. } = services.clone();
        let accounts =
            Accounts { opening_balance: OPENING_BALANCE, events: Arc::new(sessions.clone()), ..Accounts::plain() };
        let mut state = AppState {
            read_model: model,
            stores,
            placements,
            protections,
            register,
            cashier,
            accounts,
            sessions: Some(sessions.clone()),
            now_ms: || NOW_MS,
            live_hub: live_hub(Admission::new(HubLimits::none())),
            ..AppState::default()
        };
        set_up(&mut state);
        let services = services.with_placements(state.placements.clone());
        let (stores, placements) = (state.stores.clone(), state.placements.clone());
        for task in services.tasks() {
            actix::spawn(task.supervise());
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let (of_worker, publishers_of_worker) = (offer.clone(), publishers.clone());
        let server = serve(state, listener, Some(1), move |worker: &mut web::ServiceConfig| {
            worker.app_data(publishers_of_worker.start_here(&of_worker));
        });
        let server = server.expect("the server starts");
        let handle = server.handle();
        actix_web::rt::spawn(server);

        let feed = ScriptedFeed::new(sink, requests);
        let mut world = World {
            feed,
            offer,
            publishers,
            stores,
            placements,
            sessions,
            bet_events: services.bet_events.clone(),
            results_elsewhere: services.results_elsewhere.clone(),
            services,
            of_sessions,
            address,
            handle,
            _reader: reader,
        };
        world.feed.connect().await;
        world.until("the feed is active", |world| world.is_active()).await;
        world
    }

    /// `127.0.0.1:port`.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://127.0.0.1:port`, which is also the origin of its pages.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Whether the offer is live in every language.
    pub fn is_active(&self) -> bool {
        Lang::ALL.into_iter().all(|lang| self.offer.model.feed_state(lang) == FeedState::Active)
    }

    /// Waits for a condition, and answers requests for snapshots meanwhile.
    #[track_caller]
    pub fn until<'a>(
        &'a mut self,
        what: &'static str,
        is_so: impl Fn(&World) -> bool + 'a,
    ) -> impl Future<Output = ()> + 'a {
        let caller = std::panic::Location::caller();
        async move {
            let deadline = Instant::now() + PATIENCE;
            while !is_so(self) {
                assert!(Instant::now() < deadline, "{caller}: waited in vain until {what}");
                self.feed.answer_requests().await;
                tokio::task::yield_now().await;
            }
        }
    }

    /// Waits until everything sent so far is applied.
    pub async fn settle(&mut self) {
        // The reader takes one input at a time. Once it has taken this one, which has no effect, it has applied all
        // earlier ones.
        self.feed.input(FeedInput::Undecodable { lang: Lang::Hr, position: None }).await;
        self.until("the feed is applied", |world| world.feed.sink.capacity() == world.feed.sink.max_capacity()).await;
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // `stop` takes effect at once; its future only waits for the end.
        drop(self.handle.stop(false));
        if let Some(of_sessions) = &self.of_sessions {
            of_sessions.stop();
        }
    }
}

/// A feed producer that the test controls.
#[derive(Debug)]
pub struct ScriptedFeed {
    sink: mpsc::Sender<FeedInput>,
    requests: mpsc::Receiver<SnapshotRequest>,
    /// The epoch of the producer, which changes when it restarts.
    pub epoch: i64,
    /// The sequence number of its latest event, the same in every language.
    pub seq: u64,
    /// Whether requests for snapshots are answered.
    pub answers: bool,
    /// The latest request for a snapshot in each language.
    pub asked: PerLang<Option<u64>>,
    book: PerLang<FeedUpdate>,
}

impl ScriptedFeed {
    pub(super) fn new(sink: mpsc::Sender<FeedInput>, requests: mpsc::Receiver<SnapshotRequest>) -> ScriptedFeed {
        ScriptedFeed {
            sink,
            requests,
            epoch: 1,
            seq: 0,
            answers: true,
            asked: PerLang::default(),
            book: PerLang::new(|_| FeedUpdate { date_ms: Some(NOW_MS), ..FeedUpdate::default() }),
        }
    }

    /// Opens the link.
    pub async fn connect(&mut self) {
        self.input(FeedInput::Connected).await;
    }

    /// Breaks the link.
    pub async fn lose_link(&mut self) {
        self.input(FeedInput::Lost { cause: "the test cut it".into() }).await;
    }

    /// Sends a live event about soccer in all languages, the primary last.
    pub async fn publish(&mut self, matches: Vec<MatchUpdate>) {
        self.publish_sport(soccer(), matches).await;
    }

    /// Sends a live event about a sport.
    pub async fn publish_sport(&mut self, sport: SportPatch, matches: Vec<MatchUpdate>) {
        let update = FeedUpdate {
            sports: vec![SportUpdate { sport, matches }],
            number_of_matches: None,
            date_ms: Some(NOW_MS),
            ..FeedUpdate::default()
        };
        let events = self.next_event(update);
        for event in events {
            self.input(event).await;
        }
    }

    /// Creates a live event and returns it without sending it, so that a test can lose, duplicate or delay it.
    pub fn next_event(&mut self, update: FeedUpdate) -> Vec<FeedInput> {
        self.seq += 1;
        let position = Position { epoch: self.epoch, seq: self.seq };
        let of = |lang: Lang| {
            self.book[lang] = fold(&self.book[lang], [&update]);
            // The producer knows what a reader could not read.
            self.book[lang].unreadable.clear();
            FeedInput::Event { lang, position, update: update.clone() }
        };
        [Lang::En, Lang::Bs, Lang::Sr, Lang::Hr].map(of).into()
    }

    /// Sends feed-active in all languages.
    pub async fn active(&mut self, active: bool) {
        let position = Some(Position { epoch: self.epoch, seq: self.seq });
        for lang in Lang::ALL {
            self.input(FeedInput::Active { lang, active, position, date_ms: Some(NOW_MS) }).await;
        }
    }

    /// Restarts the producer with the same offer.
    pub fn restart(&mut self) {
        self.epoch += 1;
        self.seq = 0;
    }

    /// Sends any input.
    pub async fn input(&mut self, input: FeedInput) {
        self.sink.send(input).await.expect("the reader lives");
    }

    /// Answers the requests for snapshots, if answers are enabled.
    pub async fn answer_requests(&mut self) {
        while let Ok(SnapshotRequest { lang, correlation }) = self.requests.try_recv() {
            self.asked[lang] = Some(correlation);
            if self.answers {
                let position = Position { epoch: self.epoch, seq: self.seq };
                let update = self.book[lang].clone();
                self.input(FeedInput::Snapshot { lang, correlation, position, update }).await;
            }
        }
    }
}
