//! R16: each kind of actor panics again and again. It restarts with its last published state, and other actors are not
//! affected. Times are those of the paused clock, so only the delays of the program itself count.

use crate::seen::{ExpectedOffer, match_at, offer_of};
use kvota::actors::fail_point::{Moment, Point};
use kvota::actors::session::inbox::SessionInbox;
use kvota::actors::session::sessions::Bettor;
use kvota::actors::system::{run_until_ended, run_with_restarts};
use kvota::hub::publisher_actor::Panic;
use kvota::testkit::builders::{live_match, match_id, message, soccer, sport_id};
use kvota::testkit::hub_socket::{HubFrame, HubSocket};
use kvota::testkit::measured::{count, most, ms};
use kvota::testkit::time::{advance, pause_clock, run_until_idle};
use kvota::testkit::virtual_world::{Node, NodeParts, VirtualWorld};
use kvota::testkit::world::NOW_MS;
use kvota_domain::feed::{FeedUpdate, MatchUpdate};
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use kvota_feed::fold::fold;
use kvota_feed::{FeedInput, FeedSink, FeedSource, Position, SnapshotRequest};
use kvota_wire::Encoding;
use serde_json::{Value, json};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

const PANICS: u64 = 50;
/// Longest time until an actor has restarted, in ms.
const RESTARTED_MS: u64 = 100;

/// Hides the messages of panics that the test caused.
pub(crate) fn hide_expected_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panicked| {
        if !panicked.payload_as_str().is_some_and(|text| text.contains("a test asked for it")) {
            usual(panicked);
        }
    }));
}

fn report(actor: &str, slowest: Duration) {
    count("R16", &format!("deaths of {actor}, others unaffected"), PANICS);
    most("R16", &format!("ms until {actor} was back, the slowest"), ms(slowest), RESTARTED_MS);
}

/// Waits on the paused clock until a condition holds; returns the time that it took.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < Duration::from_secs(30), "waited in vain until {what}");
        advance(Duration::from_millis(5)).await;
    }
    began.elapsed()
}

/// A system with four matches, and one connection that watches all of them.
struct Watched {
    world: VirtualWorld,
    truth: ExpectedOffer,
    socket: HubSocket,
}

impl Watched {
    async fn start() -> Watched {
        hide_expected_panics();
        let mut world = VirtualWorld::start().await;
        let mut truth = ExpectedOffer::default();
        let matches: Vec<MatchUpdate> = (1..=4).map(|id| match_at(id, "2", 0).insert()).collect();
        matches.iter().for_each(|update| truth.note(update));
        world.feed.publish(matches).await;
        world.settle().await;
        let socket = watch(&world.node, SessionId::from_bytes([9; 16])).await;
        Watched { world, truth, socket }
    }

    async fn publish(&mut self, matches: Vec<MatchUpdate>) {
        matches.iter().for_each(|update| self.truth.note(update));
        self.world.feed.publish(matches).await;
    }

    async fn is_true(&self) -> bool {
        offer_of(&self.world.node).await == self.truth.0
    }
}

/// A connection that watches everything.
pub(crate) async fn watch(node: &Node, session: SessionId) -> HubSocket {
    let mut socket = node.connect(Some(session), Lang::Hr, Encoding::Json).await.expect("it is taken");
    socket.send_command("watch", &[json!({"sports": null, "favourites": false, "matches": []})]);
    read_until(&mut socket, |message| message[0] == 1).await;
    socket
}

/// Reads messages until one fits. False if the connection was closed before that.
async fn read_until(socket: &mut HubSocket, is_it: impl Fn(&Value) -> bool) -> bool {
    let read = async {
        loop {
            match socket.next_frame().await {
                HubFrame::Messages(frame) => {
                    if frame.as_array().into_iter().flatten().any(&is_it) {
                        return true;
                    }
                }
                HubFrame::Ping => socket.pong(),
                HubFrame::Closed(_) => return false,
            }
        }
    };
    timeout(Duration::from_secs(30), read).await.unwrap_or(false)
}

/// Fits a change of this match.
fn is_change_of(id: u64) -> impl Fn(&Value) -> bool {
    move |message| matches!(message[0].as_u64(), Some(4 | 5)) && message[1] == id
}

fn price(round: u64) -> String {
    format!("{}.{:02}", 2 + round % 7, round % 90 + 5)
}

#[actix::test]
async fn match_actor_restarts_after_a_panic_and_applies_the_update() {
    let mut watched = Watched::start().await;
    let mut slowest = Duration::ZERO;
    for round in 0..PANICS {
        watched.world.node.offer.fail_points.arm(Point::Match(match_id(1)), Moment::Before);
        let began = Instant::now();
        watched.publish(vec![match_at(1, &price(round), 0).update(), match_at(2, &price(round + 3), 0).update()]).await;
        assert!(read_until(&mut watched.socket, is_change_of(2)).await, "round {round}: its neighbour is told of");
        until("the offer is what the feed says", async || watched.is_true().await).await;
        slowest = slowest.max(began.elapsed());
    }
    // The time includes the few ms for which rooms gather changes.
    report("a match", slowest);
    watched.world.end().await;
}

#[actix::test]
async fn sport_actor_restarts_after_a_panic_with_all_its_matches() {
    let mut watched = Watched::start().await;
    let mut slowest = Duration::ZERO;
    for round in 0..PANICS {
        watched.world.node.offer.fail_points.arm(Point::Sport(sport_id(1)), Moment::Written);
        let began = Instant::now();
        let matches = (1..=3).map(|id| match_at(id, &price(round + id), 0).update()).collect();
        watched.publish(matches).await;
        until("the offer is what the feed says", async || watched.is_true().await).await;
        slowest = slowest.max(began.elapsed());
        watched.publish(vec![match_at(4, &price(round), 0).update()]).await;
        assert!(read_until(&mut watched.socket, is_change_of(4)).await, "round {round}: it goes on");
    }
    report("a sport", slowest);
    watched.world.end().await;
}

#[actix::test]
async fn sport_actor_keeps_pending_texts_of_other_languages_after_a_panic() {
    hide_expected_panics();
    let mut world = VirtualWorld::start().await;
    let position = Position { epoch: world.feed.epoch, seq: world.feed.seq + 1 };
    let event = |lang: Lang| {
        let of =
            |id: u64| live_match(id).with(|it| it.home = Some(format!("Home {id} {}", lang.code()).into())).insert();
        FeedInput::Event { lang, position, update: message(soccer(), NOW_MS, (1..=4).map(of).collect()) }
    };
    world.feed.input(event(Lang::En)).await;
    world.node.offer.fail_points.arm(Point::Sport(sport_id(1)), Moment::Written);
    world.feed.input(event(Lang::Hr)).await;
    let homes = async |lang: &str| -> Vec<String> {
        let offer = world.get(&format!("live/offer?lang={lang}")).await.json();
        let matches = offer["sports"][0]["matches"].as_array().cloned().unwrap_or_default();
        matches.iter().map(|live_match| live_match["home"].as_str().unwrap_or_default().to_owned()).collect()
    };
    until("all matches are there", async || homes("hr").await.len() == 4).await;
    assert_eq!(homes("en").await, ["Home 1 en", "Home 2 en", "Home 3 en", "Home 4 en"]);
    world.end().await;
}

#[actix::test]
async fn publisher_restarts_after_a_panic_and_keeps_its_connections() {
    let mut watched = Watched::start().await;
    let mut slowest = Duration::ZERO;
    for round in 0..PANICS {
        let began = Instant::now();
        for publisher in watched.world.node.publishers.all() {
            assert!(publisher.send(Panic).await.is_err(), "it dies of it");
        }
        let is_reload = |message: &Value| message[0] == 14 && message[1] == "reload";
        assert!(read_until(&mut watched.socket, is_reload).await, "round {round}: told to start over");
        slowest = slowest.max(began.elapsed());
        watched.publish(vec![match_at(1, &price(round), 0).update()]).await;
        assert!(read_until(&mut watched.socket, is_change_of(1)).await, "round {round}: and of what follows");
        assert!(watched.is_true().await, "round {round}: the offer itself noticed nothing");
    }
    report("a publisher", slowest);
    watched.world.end().await;
}

#[actix::test]
async fn session_directory_restarts_after_a_panic_without_affecting_sessions() {
    let mut watched = Watched::start().await;
    let mut slowest = Duration::ZERO;
    for round in 0..PANICS {
        watched.world.node.sessions.panic().await;
        let began = Instant::now();
        let node = watched.world.node.clone();
        let inbox = Arc::new(SessionInbox::new(SessionId::from_bytes([3; 16]), Lang::Hr));
        until("sessions are found again", async || {
            node.sessions.attach(&anonymous(3), Arc::clone(&inbox), false).await.is_ok()
        })
        .await;
        slowest = slowest.max(began.elapsed());
        inbox.hang_up();
        // The session of the watching connection continues.
        let n = watched.socket.send_command("favourite", &[json!(1), json!(round % 2 == 0)]);
        let is_done = move |message: &Value| message[0] == 1 && message[1] == n;
        assert!(read_until(&mut watched.socket, is_done).await, "round {round}: the session goes on");
    }
    report("the finder of sessions", slowest);
    watched.world.end().await;
}

fn anonymous(byte: u8) -> Bettor {
    Bettor::anonymous(SessionId::from_bytes([byte; 16]))
}

#[actix::test]
async fn session_restarts_after_a_panic_with_all_acknowledged_commands() {
    let mut watched = Watched::start().await;
    let mut slowest = Duration::ZERO;
    let session = SessionId::from_bytes([3; 16]);
    let mut socket = watch(&watched.world.node, session).await;
    for round in 0..PANICS {
        let (id, on) = (1 + round % 4, round % 8 < 4);
        let n = socket.send_command("favourite", &[json!(id), json!(on)]);
        assert!(read_until(&mut socket, |message| message[0] == 1 && message[1] == n).await, "round {round}");
        let inbox = Arc::new(SessionInbox::new(session, Lang::Hr));
        let handle = watched.world.node.sessions.attach(&anonymous(3), Arc::clone(&inbox), false).await;
        let began = Instant::now();
        handle.expect("it lives until now").panic();
        inbox.hang_up();
        assert!(!read_until(&mut socket, |_| false).await, "round {round}: its connection is ended");
        socket = watched.world.node.connect(Some(session), Lang::Hr, Encoding::Json).await.expect("it is taken");
        let expected: Vec<u64> = (1..=4).filter(|id| is_marked(round, *id)).collect();
        let is_whole = |message: &Value| message[0] == 16 && message[1] == json!(expected);
        assert!(read_until(&mut socket, is_whole).await, "round {round}: {expected:?} are what was acknowledged");
        slowest = slowest.max(began.elapsed());
        let n = watched.socket.send_command("favourite", &[json!(2), json!(on)]);
        let is_done = move |message: &Value| message[0] == 1 && message[1] == n;
        assert!(read_until(&mut watched.socket, is_done).await, "round {round}: another session goes on");
    }
    report("a session", slowest);
    drop(socket);
    watched.world.end().await;
}

/// Whether a match is a favourite after a round. Each round marks or unmarks one match, four rounds each way.
fn is_marked(round: u64, id: u64) -> bool {
    let latest = (0..=round).rev().find(|round| 1 + round % 4 == id);
    latest.is_some_and(|round| round % 8 < 4)
}

/// A producer that outlives its readers: all sources that it creates share one offer.
#[derive(Clone)]
pub(crate) struct Producer(pub(crate) Arc<Mutex<Book>>);

pub(crate) struct Book {
    pub(crate) offer: FeedUpdate,
    pub(crate) seq: u64,
    /// The sink of the source that runs now.
    pub(crate) sink: Option<FeedSink>,
}

impl Producer {
    fn position(&self) -> Position {
        Position { epoch: 1, seq: self.0.lock().expect("nobody panics with it").seq }
    }

    /// Sends a live event in all languages to the current source.
    pub(crate) async fn publish(&self, matches: Vec<MatchUpdate>) {
        let update = message(soccer(), NOW_MS, matches);
        let sink = {
            let mut book = self.0.lock().expect("nobody panics with it");
            book.offer = fold(&book.offer, [&update]);
            book.seq += 1;
            book.sink.clone()
        };
        let position = self.position();
        for lang in [Lang::En, Lang::Bs, Lang::Sr, Lang::Hr] {
            if let Some(sink) = &sink {
                // After a crash the next reader gets this change with its snapshot.
                let _ = sink.send(FeedInput::Event { lang, position, update: update.clone() }).await;
            }
        }
    }
}

impl FeedSource for Producer {
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        mut requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.0.lock().expect("nobody panics with it").sink = Some(sink.clone());
        Box::pin(async move {
            // If nobody receives it, the source ends with its sink.
            let _ = sink.send(FeedInput::Connected).await;
            loop {
                let request = tokio::select! {
                    () = sink.closed() => return,
                    request = requests.recv() => request,
                };
                let Some(SnapshotRequest { lang, correlation }) = request else { return };
                let update = self.0.lock().expect("nobody panics with it").offer.clone();
                let _ = sink.send(FeedInput::Snapshot { lang, correlation, position: self.position(), update }).await;
            }
        })
    }
}

#[actix::test]
async fn feed_reader_restarts_after_a_panic_with_the_whole_offer() {
    hide_expected_panics();
    pause_clock();
    let node = Node::start(NodeParts::default()).await;
    let offer = FeedUpdate { date_ms: Some(NOW_MS), ..FeedUpdate::default() };
    let producer = Producer(Arc::new(Mutex::new(Book { offer, seq: 0, sink: None })));
    let made = producer.clone();
    let reading = run_with_restarts(node.offer.clone(), || NOW_MS, move || Box::new(made.clone()));
    let mut truth = ExpectedOffer::default();
    let received = async {
        run_until_idle().await;
        let matches: Vec<MatchUpdate> = (1..=4).map(|id| match_at(id, "2", 0).insert()).collect();
        matches.iter().for_each(|update| truth.note(update));
        producer.publish(matches).await;
        run_until_idle().await;
        let (mut slowest, model) = (Duration::ZERO, Arc::clone(&node.offer.model));
        let mut other = watch(&node, SessionId::from_bytes([9; 16])).await;
        for round in 0..PANICS {
            // The restart delay grows with each crash and resets after some uptime. So let this reader live for 6 s.
            advance(Duration::from_secs(6)).await;
            assert_eq!(offer_of(&node).await, truth.0, "round {round}");
            node.offer.fail_points.arm(Point::Feed, Moment::Before);
            let began = Instant::now();
            let change = match_at(1 + round % 4, &price(round), 0).update();
            truth.note(&change);
            producer.publish(vec![change]).await;
            run_until_idle().await;
            let is_back = async || {
                let is_active = Lang::ALL.into_iter().all(|lang| model.feed_state(lang) == FeedState::Active);
                is_active && offer_of(&node).await == truth.0
            };
            until("the offer is whole again", is_back).await;
            slowest = slowest.max(began.elapsed());
            let n = other.send_command("favourite", &[json!(2), json!(round % 2 == 0)]);
            let is_done = move |message: &Value| message[0] == 1 && message[1] == n;
            assert!(read_until(&mut other, is_done).await, "round {round}: sessions go on without a feed");
        }
        report("the reader of the feed", slowest);
    };
    tokio::select! {
        () = reading => panic!("reading never ends by itself"),
        () = received => {}
    }
    node.publishers.close_connections().await;
}

/// A source that answers the snapshot requests once and then ends.
struct OneSnapshotSource(FeedUpdate);

impl FeedSource for OneSnapshotSource {
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        mut requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            let received = async {
                sink.send(FeedInput::Connected).await.ok()?;
                while let Some(SnapshotRequest { lang, correlation }) = requests.recv().await {
                    let (position, update) = (Position { epoch: 1, seq: 0 }, self.0.clone());
                    sink.send(FeedInput::Snapshot { lang, correlation, position, update }).await.ok()?;
                    if lang == Lang::Hr {
                        return Some(());
                    }
                }
                None
            };
            assert!(received.await.is_some(), "the reader asks for the offer");
        })
    }
}

#[actix::test]
async fn offer_is_cleared_after_a_source_ends_and_before_the_next_starts() {
    pause_clock();
    let node = Node::start(NodeParts::default()).await;
    let matches = (1..=4).map(|id| match_at(id, "2", 0).insert()).collect();
    let source = OneSnapshotSource(message(soccer(), NOW_MS, matches));
    let model = Arc::clone(&node.offer.model);
    let seen = || (model.entries().len(), model.sports().len(), model.feed_state(Lang::Hr));

    run_until_ended(&node.offer, || NOW_MS, Box::new(source)).await;
    assert_eq!(model.feed_date_ms(), NOW_MS, "the offer was taken");
    assert_eq!(seen(), (0, 0, FeedState::Inactive));
    run_until_idle().await;
    assert_eq!(seen(), (0, 0, FeedState::Inactive), "nothing of it comes later");
    node.publishers.close_connections().await;
}

#[actix::test]
async fn revisions_keep_increasing_when_a_match_is_inserted_again_after_a_reader_panic() {
    hide_expected_panics();
    pause_clock();
    let node = Node::start(NodeParts::default()).await;
    let offer = FeedUpdate { date_ms: Some(NOW_MS), ..FeedUpdate::default() };
    let producer = Producer(Arc::new(Mutex::new(Book { offer, seq: 0, sink: None })));
    let made = producer.clone();
    let reading = run_with_restarts(node.offer.clone(), || NOW_MS, move || Box::new(made.clone()));
    let model = Arc::clone(&node.offer.model);
    let revision = || model.entry(match_id(1)).map_or(0, |entry| entry.state.row_revision);
    let received = async {
        run_until_idle().await;
        producer.publish(vec![match_at(1, "2", 0).insert()]).await;
        for round in 0..9 {
            producer.publish(vec![match_at(1, &price(round), 0).update()]).await;
        }
        run_until_idle().await;
        let before = revision();
        assert!(before > 9, "{before}");
        node.offer.fail_points.arm(Point::Feed, Moment::Before);
        let change = match_at(1, "3", 0).update();
        let mut truth = ExpectedOffer::default();
        truth.note(&change);
        producer.publish(vec![change]).await;
        until("the match is back", async || offer_of(&node).await == truth.0).await;
        assert!(revision() > before, "{} after {before}: a late change of then would fit", revision());
    };
    tokio::select! {
        () = reading => panic!("reading never ends by itself"),
        () = received => {}
    }
    node.publishers.close_connections().await;
}
