//! The kit's control over actors: a test can stop and inspect them, and fails if it leaves one running.

use crate::failing::failure_of;
use actix::{Actor, AsyncContext, Context, Handler};
use kvota::actors::match_actor::{MatchActor, ObserveMatch};
use kvota::actors::messages::offer::{Publish, RemoveMatch, UpdateMatch};
use kvota::actors::messages::pending_update::PendingUpdate;
use kvota::actors::offer_context::OfferContext;
use kvota::hub::publisher_actor::{ObservePublisher, Panic};
use kvota::testkit::actor_tracker::{ActorTracker, await_assert, expect_stopped, inject_panic, observe};
use kvota::testkit::builders::live_match;
use kvota::testkit::time;
use kvota::testkit::virtual_world::VirtualWorld;
use kvota_domain::aggregate::MatchState;
use kvota_domain::lang::PerLang;
use std::sync::Arc;
use std::time::Duration;

/// An actor with a timer, so that it keeps running when nothing holds its address.
struct Ticker;

impl Actor for Ticker {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(Duration::from_secs(1), |_, _| ());
    }
}

#[derive(actix::Message)]
#[rtype(result = "()")]
struct Break;

impl Handler<Break> for Ticker {
    type Result = ();

    fn handle(&mut self, _: Break, _: &mut Self::Context) {
        panic!("a test asked for it");
    }
}

#[actix::test]
async fn running_actor_at_the_end_fails_the_test() {
    time::pause_clock();
    let tracker = ActorTracker::new();
    tracker.start(Ticker);
    assert_eq!(tracker.running(), ["Ticker"]);
    let failure = failure_of(tracker.end()).await;
    assert!(failure.contains("the test leaves actors running: [\"Ticker\"]"), "{failure}");
}

#[actix::test]
#[should_panic(expected = "the test leaves actors running: [\"Ticker\"]")]
async fn running_actor_fails_the_test_without_an_explicit_check() {
    let tracker = ActorTracker::new();
    tracker.start(Ticker);
    time::pause_clock();
    time::run_until_idle().await;
}

#[actix::test]
async fn test_can_make_an_actor_panic() {
    time::pause_clock();
    let tracker = ActorTracker::new();
    let ticker = tracker.start(Ticker);
    let failure = failure_of(expect_stopped(&ticker)).await;
    assert!(failure.contains("Ticker was expected to stop"), "{failure}");
    inject_panic(&ticker, Break).await;
    assert!(!ticker.connected());
    drop(ticker);
    tracker.end().await;
}

#[actix::test]
async fn match_actor_shows_its_state_and_stops_with_its_match() {
    time::pause_clock();
    let (tracker, offer) = (ActorTracker::new(), OfferContext::new(Arc::default()));
    let match_of = |home| live_match(17).score(home, 0);
    let state = MatchState::inserted(&match_of(0).insert(), 0, &[], PerLang::default(), 1);
    let actor = tracker.start(MatchActor::restarted(Arc::new(state), offer));
    let update =
        UpdateMatch { update: PendingUpdate::new(match_of(1).update()), date_ms: 0, preferred: Arc::default() };
    actor.send(update).await.expect("the match lives").expect("nothing is lost");
    let seen = observe(&actor, ObserveMatch).await.state.expect("it has a state");
    assert_eq!((seen.live_match.score, seen.row_revision), (Some([1, 0]), 2));
    actor.send(RemoveMatch { announce: Publish::Each }).await.expect("the match lives");
    expect_stopped(&actor).await;
    let failure = failure_of(async { drop(observe(&actor, ObserveMatch).await) }).await;
    assert!(failure.contains("MatchActor shows nothing"), "{failure}");
    tracker.end().await;
}

#[actix::test]
async fn publisher_restarts_after_an_injected_panic_with_its_connections() {
    use kvota_domain::lang::Lang;
    use kvota_wire::Encoding;
    let mut world = VirtualWorld::with_feed("MATCH 17 soccer 0:0 live").await;
    let mut socket = world.node.connect(None, Lang::Hr, Encoding::Json).await.expect("it is taken");
    socket.next_frame().await;
    world.settle().await;
    let publisher = world.node.publishers.all().remove(0);
    let before = observe(&publisher, ObservePublisher).await.occupancy;
    assert_eq!(before.connections, 1);
    inject_panic(&publisher, Panic).await;
    let publishers = world.node.publishers.clone();
    let again = await_assert(|| {
        let now = publishers.all().remove(0);
        if now.connected() { Ok(now) } else { Err("no publisher runs") }
    })
    .await;
    assert_eq!(observe(&again, ObservePublisher).await.occupancy.connections, 1);
    drop(socket);
    world.end().await;
}

#[actix::test]
async fn failed_wait_reports_the_last_reason() {
    time::pause_clock();
    let mut looks = 0;
    let seen = await_assert(|| {
        looks += 1;
        if looks == 5 { Ok(looks) } else { Err(format!("only {looks}")) }
    });
    assert_eq!(seen.await, 5);
    let failure = failure_of(async { await_assert(|| Err::<(), _>("the moon is not green")).await }).await;
    assert!(failure.contains("waited in vain: the moon is not green"), "{failure}");
}
