//! A whole small system in one line: a feed that the test speaks, the actors, the calls and the hub on a free port.
//! `World::start().await` is live and empty; `world.feed.say(…)` is a live event in all four languages.

use crate::actors::feed_actor::FeedActor;
use crate::actors::system::{Offer, Publishers};
use crate::domain::feed::{FeedUpdate, MatchUpdate, SportUpdate};
use crate::domain::lang::{Lang, PerLang};
use crate::domain::sport::SportPatch;
use crate::feed::fold::fold;
use crate::feed::{FeedInput, Position, SnapshotRequest};
use crate::http::{AppState, serve};
use crate::read_model::ReadModel;
use crate::testkit::builders::soccer;
use crate::wire::hub::message::FeedState;
use actix::Addr;
use actix_web::dev::ServerHandle;
use actix_web::web;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The date of the world: its clock stands.
pub const NOW_MS: i64 = 1_700_000_000_000;

/// How long anything that is waited for may take.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A small system that ends with the test.
#[derive(Debug)]
pub struct World {
    /// What the feed says.
    pub feed: ScriptedFeed,
    /// What the actors share: the read model, and the way to the publishers.
    pub offer: Offer,
    /// Those who bring events to connections, one a worker.
    pub publishers: Publishers,
    address: SocketAddr,
    handle: ServerHandle,
    _reader: Addr<FeedActor>,
}

impl World {
    /// A live system without matches.
    pub async fn start() -> World {
        World::with_state(|_| {}).await
    }

    /// The same with another state of the calls.
    #[expect(clippy::disallowed_methods, reason = "the world ends its server")]
    pub async fn with_state(set_up: impl FnOnce(&mut AppState)) -> World {
        let model = Arc::new(ReadModel::new(Lang::Hr, 1));
        let offer = Offer::new(Arc::clone(&model));
        let (sink, inputs) = mpsc::channel(256);
        let (ask, requests) = mpsc::channel(64);
        let reader = FeedActor::start_here(offer.clone(), || NOW_MS, inputs, ask);

        let mut state = AppState { read_model: model, now_ms: || NOW_MS, ..AppState::default() };
        set_up(&mut state);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let publishers = Publishers::default();
        let (of_worker, publishers_of_worker) = (offer.clone(), publishers.clone());
        let server = serve(state, listener, Some(1), move |worker: &mut web::ServiceConfig| {
            worker.app_data(publishers_of_worker.start_here(&of_worker));
        });
        let server = server.expect("the server starts");
        let handle = server.handle();
        actix_web::rt::spawn(server);

        let mut world =
            World { feed: ScriptedFeed::new(sink, requests), offer, publishers, address, handle, _reader: reader };
        world.feed.connect().await;
        world.until("the feed is active", |world| world.is_active()).await;
        world
    }

    /// `127.0.0.1:port`.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://127.0.0.1:port`: also the origin of its pages.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Whether readers of every language have a live offer.
    pub fn is_active(&self) -> bool {
        Lang::ALL.into_iter().all(|lang| self.offer.model.feed_state(lang) == FeedState::Active)
    }

    /// Waits for a condition, answering requests for snapshots meanwhile.
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

    /// Waits until everything said so far is applied.
    pub async fn settle(&mut self) {
        // The reader takes an input only when it is done with the one before: once it has taken this one, which means
        // nothing, all others are applied.
        self.feed.input(FeedInput::Undecodable { lang: Lang::Hr, position: None }).await;
        self.until("the feed is applied", |world| world.feed.sink.capacity() == world.feed.sink.max_capacity()).await;
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // The order is given at once; what it returns only waits for the end.
        drop(self.handle.stop(false));
    }
}

/// A producer of the feed whose every word is the test's.
#[derive(Debug)]
pub struct ScriptedFeed {
    sink: mpsc::Sender<FeedInput>,
    requests: mpsc::Receiver<SnapshotRequest>,
    /// The producer's start.
    pub epoch: i64,
    /// The place of its latest event, in every language.
    pub seq: u64,
    /// Whether requests for snapshots are answered.
    pub answers: bool,
    /// Requests that came in, the latest of each language.
    pub asked: PerLang<Option<u64>>,
    book: PerLang<FeedUpdate>,
}

impl ScriptedFeed {
    fn new(sink: mpsc::Sender<FeedInput>, requests: mpsc::Receiver<SnapshotRequest>) -> ScriptedFeed {
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

    /// The link stands.
    pub async fn connect(&mut self) {
        self.input(FeedInput::Connected).await;
    }

    /// The link is lost.
    pub async fn lose_link(&mut self) {
        self.input(FeedInput::Lost { cause: "the test cut it".into() }).await;
    }

    /// A live event about soccer, in all languages, the primary last.
    pub async fn say(&mut self, matches: Vec<MatchUpdate>) {
        self.say_of(soccer(), matches).await;
    }

    /// A live event about a sport.
    pub async fn say_of(&mut self, sport: SportPatch, matches: Vec<MatchUpdate>) {
        let update =
            FeedUpdate { sports: vec![SportUpdate { sport, matches }], number_of_matches: None, date_ms: Some(NOW_MS) };
        let events = self.next_event(update);
        for event in events {
            self.input(event).await;
        }
    }

    /// A live event that happens at the producer and is returned instead of being sent: to be lost, doubled, sent late.
    pub fn next_event(&mut self, update: FeedUpdate) -> Vec<FeedInput> {
        self.seq += 1;
        let position = Position { epoch: self.epoch, seq: self.seq };
        let of = |lang: Lang| {
            self.book[lang] = fold(&self.book[lang], [&update]);
            FeedInput::Event { lang, position, update: update.clone() }
        };
        [Lang::En, Lang::Bs, Lang::Sr, Lang::Hr].map(of).into()
    }

    /// feed-active in all languages.
    pub async fn active(&mut self, active: bool) {
        let position = Some(Position { epoch: self.epoch, seq: self.seq });
        for lang in Lang::ALL {
            self.input(FeedInput::Active { lang, active, position }).await;
        }
    }

    /// The producer starts anew, with the same offer.
    pub fn restart(&mut self) {
        self.epoch += 1;
        self.seq = 0;
    }

    /// Says anything.
    pub async fn input(&mut self, input: FeedInput) {
        self.sink.send(input).await.expect("the reader lives");
    }

    /// Answers what was asked for meanwhile, if it answers at all.
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
