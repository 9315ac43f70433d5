//! A feed that arrives in order but too late: a stalled link holds the messages back, and the server must not accept
//! bets at the old offer. Broker and link are real. The test sets the clocks of the producer and the server, so a
//! message is as late as the test needs, on any machine.

use crate::broker::Corner;
use kvota::actors::system::run_until_ended;
use kvota::testkit::builders::{soccer, usual_match};
use kvota::testkit::proxy::{ChaosProxy, NetworkConditions};
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::time::run_until_idle;
use kvota::testkit::virtual_world::{Node, NodeParts};
use kvota_domain::feed::{Change, Time};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use kvota_domain::sport::SportPatch;
use kvota_feed::amqp::{AmqpConfig, AmqpPublisher, AmqpSource};
use kvota_feed::embedded::WallClock;
use kvota_simulator::generator::{GeneratedChange, Generator, RenderMatch};
use kvota_simulator::producer::Producer;
use kvota_wire::inflate::Compression;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

const START_MS: i64 = 1_700_000_000_000;
/// No condition takes longer on the slowest machine.
const LIMIT: Duration = Duration::from_secs(40);

/// The producer's clock, which dates the messages.
static PRODUCER_MS: AtomicI64 = AtomicI64::new(START_MS);
/// The server's clock. It starts 90 s apart: the clocks of two machines never agree.
static SERVER_MS: AtomicI64 = AtomicI64::new(START_MS + 90_000);

fn server_ms() -> i64 {
    SERVER_MS.load(Ordering::SeqCst)
}

/// A generator of match 1, at the latest price that the test set.
#[derive(Clone, Default)]
struct Prices(Arc<Mutex<Vec<&'static str>>>);

#[derive(Debug)]
struct Priced(&'static str);

impl Prices {
    fn set(&self, price: &'static str) {
        self.0.lock().expect("no panic").push(price);
    }

    fn are_published(&self) -> bool {
        self.0.lock().expect("no panic").is_empty()
    }
}

impl RenderMatch for Priced {
    fn id(&self) -> MatchId {
        MatchId::new(1).expect("a small id")
    }

    fn sport_id(&self) -> SportId {
        soccer().id
    }

    fn entities(&self) -> usize {
        7
    }

    fn render(&self, _: Lang, _date_ms: i64) -> (Match, Time) {
        (usual_match(1, self.0).update().live_match, Time::None)
    }
}

impl Generator for Prices {
    fn sports(&self, _: Lang) -> Vec<SportPatch> {
        vec![soccer()]
    }

    fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange> {
        let prices = std::mem::take(&mut *self.0.lock().expect("no panic"));
        let change = |price| GeneratedChange { at_ms: to_ms, change: Change::Update, state: Arc::new(Priced(price)) };
        prices.into_iter().map(change).collect()
    }

    fn next_due_ms(&self) -> Option<i64> {
        Some(START_MS)
    }
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        run_until_idle().await;
    }
}

#[actix::test]
async fn bets_are_rejected_while_a_stalled_feed_delivers_its_backlog() {
    let corner = Corner::new("lag").await;
    let proxy = ChaosProxy::before(&corner.config.url, NetworkConditions::Clear).await;
    let config = AmqpConfig { url: proxy.url(&corner.config.url), ..corner.config.clone() };
    let prices = Prices::default();
    prices.set("1.85");
    let producer = Producer::new(1, Lang::Hr, vec![Box::new(prices.clone())]);
    let clock: WallClock = Arc::new(|| PRODUCER_MS.load(Ordering::SeqCst));
    let (publisher, _switch) =
        AmqpPublisher::new(&corner.config, producer, clock, Compression::Deflate).expect("a configuration");
    let mut tasks = JoinSet::new();
    tasks.spawn(publisher.run(std::future::pending()));

    let node = Node::start(NodeParts { now_ms: server_ms, ..NodeParts::default() }).await;
    let ana = SessionId::from_bytes([1; 16]);
    node.account("ana", ana, Money::from_cents(100_000)).await;
    let (offer, source) = (node.offer.clone(), AmqpSource::new(&config).expect("a configuration"));
    tasks.spawn_local(async move { run_until_ended(&offer, server_ms, Box::new(source)).await });
    let model = Arc::clone(&node.offer.model);
    let state = || model.feed_state(Lang::Hr);
    let has_match = || state() == FeedState::Active && !model.entries().is_empty();
    until("the offer is there", has_match).await;
    let place = async |number: u64, price: &str| {
        let answer = node.place(ana, &key(number), &slip_body(0, "1.00", &[(1, price)])).await;
        (answer.status, answer.json()["message"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(place(1, "1.85").await.0, 200);

    for (round, (late_ms, expected)) in
        [(4_000, FeedState::Recovering), (20_000, FeedState::Inactive)].into_iter().enumerate()
    {
        proxy.set(NetworkConditions::Blackhole);
        prices.set(["1.90", "1.95"][round]);
        until("the producer has published the new price", || prices.are_published()).await;
        SERVER_MS.fetch_add(late_ms, Ordering::SeqCst);
        proxy.set(NetworkConditions::Clear);
        until(&format!("the server has noticed {late_ms} ms"), || state() == expected).await;
        assert!(!model.readiness().is_ready());
        let seen = node.get("live/offer").await.status;
        assert_eq!(seen, if expected == FeedState::Inactive { 204 } else { 200 });
        let text = match expected {
            FeedState::Recovering => "The offer is being restored. Please try again in a moment.",
            _ => "The offer is not available at the moment, so no bets are accepted.",
        };
        let number = 10 + round as u64;
        assert_eq!(place(number, "1.85").await, (400, text.to_owned()), "{late_ms} ms late");

        // The backlog is read. New messages are as old as they were before the stall.
        PRODUCER_MS.fetch_add(late_ms, Ordering::SeqCst);
        until("the feed is active again", has_match).await;
        assert!(model.readiness().is_ready());
        assert_eq!(place(number + 10, ["1.90", "1.95"][round]).await.0, 200, "by the price of now");
    }
    tasks.shutdown().await;
    node.publishers.close_connections().await;
    corner.clear().await;
}
