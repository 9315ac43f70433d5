//! A panic at any moment of any handler, once, twice or every time: no bet is taken at a price that the feed has changed,
//! and the match is open again, with the right offer, after its next good update.

use crate::panics::{Book, Producer, watch};
use crate::seen::{ExpectedOffer, bet_on, match_at, offer_of};
use crate::unapplied::Betting;
use kvota::actors::fail_point::{Moment, Point};
use kvota::actors::system::run_with_restarts;
use kvota::testkit::builders::{column, match_id, message, soccer, sport_id};
use kvota::testkit::hub_socket::HubFrame;
use kvota::testkit::slip::key;
use kvota::testkit::time::{advance, pause_clock, run_until_idle};
use kvota::testkit::virtual_world::{Node, NodeParts};
use kvota::testkit::world::NOW_MS;
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, SportUpdate};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use kvota_feed::{FeedInput, Position};
use serde_json::json;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Panics of one point: once, twice, and more often than any command is repeated.
const TIMES: [u32; 3] = [1, 2, 1_000];

/// What the feed sends while an actor panics. Each changes the price of match 1 from 2.00, or removes the match.
#[derive(Clone, Copy, Debug)]
enum Stimulus {
    Update,
    /// The match leaves and is inserted again.
    Reinsert,
    Delete,
    /// The columns of the sport change with the price.
    Columns,
    /// Texts of another language, then the price.
    Texts,
    /// A snapshot with another price.
    Snapshot,
}

const STIMULI: [Stimulus; 6] =
    [Stimulus::Update, Stimulus::Reinsert, Stimulus::Delete, Stimulus::Columns, Stimulus::Texts, Stimulus::Snapshot];

async fn stimulate(betting: &mut Betting, stimulus: Stimulus) {
    let changed = match_at(1, "3", 0).update();
    match stimulus {
        Stimulus::Update => betting.publish(vec![changed]).await,
        Stimulus::Reinsert => {
            betting.publish(vec![match_at(1, "2", 0).delete()]).await;
            betting.publish(vec![MatchUpdate { change: Change::Insert, ..changed }]).await;
        }
        Stimulus::Delete => betting.publish(vec![match_at(1, "2", 0).delete()]).await,
        Stimulus::Columns => {
            betting.truth.note(&changed);
            let mut update = message(soccer(), NOW_MS, vec![changed]);
            update.sports.iter_mut().for_each(with_other_columns);
            let inputs = betting.world.feed.next_event(update);
            betting.send(inputs).await;
        }
        Stimulus::Texts => {
            let position = Position { epoch: betting.world.feed.epoch, seq: betting.world.feed.seq + 1 };
            let texts = match_at(1, "3", 0).with(|it| it.home = Some("Another name".into())).update();
            let update = message(soccer(), NOW_MS, vec![texts]);
            betting.send(vec![FeedInput::Event { lang: Lang::En, position, update }]).await;
            betting.publish(vec![changed]).await;
        }
        Stimulus::Snapshot => {
            // A gap: the message with the new price is lost, and the snapshot has it.
            betting.truth.note(&changed);
            drop(betting.world.feed.next_event(message(soccer(), NOW_MS, vec![changed])));
            betting.world.feed.active(true).await;
            betting.world.settle().await;
        }
    }
}

fn with_other_columns(sport: &mut SportUpdate) {
    sport.sport.preferred = Some(vec![column(1, 18, &["Manje", "Više"])]);
}

/// Runs a case in a system of its own.
fn run(case: impl Future<Output = ()>) {
    actix::System::new().block_on(case);
}

#[test]
fn no_bet_is_taken_at_an_old_price_after_a_panic_of_a_match_or_a_sport() {
    for point in [Point::Match(match_id(1)), Point::Sport(sport_id(1))] {
        for moment in Moment::ALL {
            for stimulus in STIMULI {
                for times in TIMES {
                    run(old_price_is_rejected(point, moment, stimulus, times));
                }
            }
        }
    }
}

async fn old_price_is_rejected(point: Point, moment: Moment, stimulus: Stimulus, times: u32) {
    let case = format!("{point:?} {moment:?} {stimulus:?}, {times} times");
    let mut betting = Betting::start().await;
    let fail_points = betting.world.node.offer.fail_points.clone();
    fail_points.arm_times(point, moment, times);
    stimulate(&mut betting, stimulus).await;
    assert_eq!(betting.place(1, "2").await, 400, "{case}: the old price");
    fail_points.disarm();

    // The next good update opens the match, with the right offer.
    betting.publish(vec![match_at(1, "4", 1).update(), match_at(2, "2.5", 0).update()]).await;
    betting.heals().await;
    assert_eq!(betting.place(1, "4").await, 200, "{case}: the next price");
    assert_eq!(betting.place(2, "2.5").await, 200, "{case}: its neighbour");
    let ready = betting.world.node.offer.model.readiness();
    assert_eq!(ready.unapplied, [], "{case}");
    betting.world.end().await;
}

#[actix::test]
async fn match_whose_update_was_lost_is_shown_suspended_counted_and_named() {
    let mut betting = Betting::start().await;
    betting.publish(vec![match_at(1, "1.85", 1).update()]).await;
    let mut socket = watch(&betting.world.node, SessionId::from_bytes([9; 16])).await;
    betting.world.node.offer.fail_points.arm(Point::Match(match_id(1)), Moment::Taken);
    betting.world.feed.publish(vec![match_at(1, "1.10", 2).update()]).await;
    run_until_idle().await;
    assert_eq!(betting.place(1, "1.85").await, 400, "the goal has made another price of it");
    assert_eq!(betting.world.get("live/match/1").await.json()["suspended"], true);
    let is_suspended = |message: &serde_json::Value| message[0] == 4 && message[1] == 1;
    let mut seen = Vec::new();
    while !seen.iter().any(is_suspended) {
        match socket.next_frame().await {
            HubFrame::Messages(frame) => seen.extend(frame.as_array().cloned().unwrap_or_default()),
            HubFrame::Ping => socket.pong(),
            HubFrame::Closed(code) => panic!("closed with {code:?}"),
        }
    }
    assert_eq!(betting.world.node.offer.model.readiness().unapplied, [match_id(1)]);

    betting.publish(vec![match_at(1, "1.10", 2).update()]).await;
    assert_eq!(betting.world.get("live/match/1").await.json()["suspended"], json!(null));
    assert_eq!(betting.place(1, "1.10").await, 200);
    betting.world.end().await;
}

#[actix::test]
async fn match_that_cannot_be_inserted_is_named_and_inserted_by_its_next_update() {
    let mut betting = Betting::start().await;
    let fail_points = betting.world.node.offer.fail_points.clone();
    for moment in [Moment::Before, Moment::Written] {
        fail_points.arm_times(Point::Match(match_id(3)), moment, 1_000);
        betting.world.feed.publish(vec![match_at(3, "2", 0).insert()]).await;
        run_until_idle().await;
        assert_eq!(betting.world.get("live/match/3").await.status, 404, "{moment:?}");
        assert_eq!(betting.world.node.offer.model.readiness().unapplied, [match_id(3)], "{moment:?}");
        fail_points.disarm();
        betting.publish(vec![match_at(3, "2", 0).update()]).await;
        assert_eq!(betting.world.node.offer.model.readiness().unapplied, [], "{moment:?}");
        assert_eq!(betting.place(3, "2").await, 200, "{moment:?}");
        betting.publish(vec![match_at(3, "2", 0).delete()]).await;
    }
    betting.world.end().await;
}

#[test]
fn offer_ends_with_the_reader_of_the_feed_at_any_moment() {
    Moment::ALL.into_iter().for_each(|moment| run(offer_ends_with_its_reader(moment)));
}

async fn offer_ends_with_its_reader(moment: Moment) {
    pause_clock();
    crate::panics::hide_expected_panics();
    let node = Node::start(NodeParts::default()).await;
    let ana = SessionId::from_bytes([1; 16]);
    node.account("ana", ana, Money::from_cents(1_000_000)).await;
    let offer = FeedUpdate { date_ms: Some(NOW_MS), ..FeedUpdate::default() };
    let producer = Producer(Arc::new(Mutex::new(Book { offer, seq: 0, sink: None })));
    let made = producer.clone();
    let reading = run_with_restarts(node.offer.clone(), || NOW_MS, move || Box::new(made.clone()));
    let received = async {
        run_until_idle().await;
        let mut truth = ExpectedOffer::default();
        let publish = async |truth: &mut ExpectedOffer, update: MatchUpdate| {
            truth.note(&update);
            producer.publish(vec![update]).await;
            run_until_idle().await;
        };
        publish(&mut truth, match_at(1, "2", 0).insert()).await;
        assert_eq!(node.place(ana, &key(1), &bet_on(1, "2")).await.status, 200);
        node.offer.fail_points.arm(Point::Feed, moment);
        publish(&mut truth, match_at(1, "3", 0).update()).await;
        assert!(!node.offer.fail_points.is_armed(Point::Feed, moment), "{moment:?} was passed");
        assert_eq!(node.offer.model.feed_state(Lang::Hr), FeedState::Inactive, "{moment:?}");
        assert_eq!(node.place(ana, &key(2), &bet_on(1, "2")).await.status, 400, "{moment:?}");
        for _ in 0..100 {
            advance(Duration::from_millis(50)).await;
        }
        assert_eq!(offer_of(&node).await, truth.0, "{moment:?}");
        assert_eq!(node.place(ana, &key(3), &bet_on(1, "3")).await.status, 200, "{moment:?}");
    };
    tokio::select! {
        () = reading => panic!("reading never ends by itself"),
        () = received => {}
    }
    node.publishers.close_connections().await;
}

#[test]
fn panic_of_a_session_or_a_publisher_affects_neither_prices_nor_acknowledged_commands() {
    for point in [Point::Session, Point::Sessions, Point::Publisher] {
        for moment in Moment::ALL {
            for times in [1, 3] {
                run(acknowledged_command_is_kept(point, moment, times));
            }
        }
    }
}

async fn acknowledged_command_is_kept(point: Point, moment: Moment, times: u32) {
    let case = format!("{point:?} {moment:?}, {times} times");
    let mut betting = Betting::start().await;
    let fail_points = betting.world.node.offer.fail_points.clone();
    let session = SessionId::from_bytes([7; 16]);
    let mut socket = watch(&betting.world.node, session).await;
    socket.send_command("pick", &[json!(1), json!(10), json!(101)]);
    run_until_idle().await;
    fail_points.arm_times(point, moment, times);
    let n = socket.send_command("favourite", &[json!(2), json!(true)]);
    betting.publish(vec![match_at(1, "3", 0).update()]).await;
    assert_eq!(betting.place(1, "2").await, 400, "{case}: the old price");
    assert_eq!(betting.place(1, "3").await, 200, "{case}: the new price");
    fail_points.disarm();

    // Either the command is acknowledged, and then it is kept, or the connection has ended.
    let (mut acknowledged, mut pings) = (false, 0);
    loop {
        match socket.next_frame().await {
            HubFrame::Messages(frame) => {
                acknowledged |= frame.as_array().into_iter().flatten().any(|it| it[0] == 1 && it[1] == n);
                if acknowledged {
                    break;
                }
            }
            HubFrame::Ping => {
                pings += 1;
                assert!(pings < 10, "{case}: neither an acknowledgement nor an end");
                socket.pong();
            }
            HubFrame::Closed(_) => break,
        }
    }
    drop(socket);
    let mut again = watch(&betting.world.node, session).await;
    let m = again.send_command("favourite", &[json!(1), json!(true)]);
    let (mut favourites, mut is_acknowledged) = (json!([]), false);
    while !is_acknowledged {
        match again.next_frame().await {
            HubFrame::Messages(frame) => {
                for message in frame.as_array().into_iter().flatten() {
                    if message[0] == 16 {
                        favourites = message[1].clone();
                    }
                    is_acknowledged |= message[0] == 1 && message[1] == m;
                }
            }
            HubFrame::Ping => again.pong(),
            HubFrame::Closed(code) => panic!("{case}: closed with {code:?}"),
        }
    }
    if acknowledged {
        assert!(favourites.as_array().is_some_and(|ids| ids.contains(&json!(2))), "{case}: {favourites}");
    }
    drop(again);
    betting.world.end().await;
}
