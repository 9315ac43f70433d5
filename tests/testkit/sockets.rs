//! The questions of a hub connection without a socket, each with a limit; and the probe for the log.

use crate::failing::failure_of;
use kvota::actors::fail_point::{Moment, Point};
use kvota::testkit::builders::match_id;
use kvota::testkit::hub_socket::HubSocket;
use kvota::testkit::log_probe::LogProbe;
use kvota::testkit::remember_panics;
use kvota::testkit::virtual_world::VirtualWorld;
use kvota_domain::lang::Lang;
use kvota_wire::Encoding;
use kvota_wire::hub::command::{Command, Sports, Watch};
use serde_json::Value;

const TABLE: &str = "MATCH 17 soccer 1:0 live
                       result 1.85 3.2 4";

async fn watching(world: &VirtualWorld) -> HubSocket {
    let mut socket = world.node.connect(None, Lang::En, Encoding::Json).await.expect("it is accepted");
    socket.ignore(|message| message[0] == 13);
    let watch = Watch { sports: Sports::All, favourites: false, matches: vec![match_id(17)], bets: false };
    let n = socket.command(&Command::Watch(watch));
    socket.expect_eventually("the acknowledgement", |message| message[0] == 1 && message[1] == n).await;
    socket.receive_while(|_| true).await;
    socket
}

fn of_kind(kind: u64) -> Box<dyn Fn(&Value) -> bool> {
    Box::new(move |message| message[0] == kind)
}

#[actix::test]
async fn questions_of_a_connection_end_on_the_paused_clock_and_list_the_frames() {
    let mut world = VirtualWorld::with_feed(TABLE).await;
    let mut socket = watching(&world).await;
    socket.expect_none().await;
    world.publish("MATCH 17 soccer 2:0 live\n result 1.2 5 9").await;
    let messages = socket.until("the goal", |message| message[0] == 9).await;
    assert!(messages.len() > 1, "{messages:?}");
    socket.receive_while(|_| true).await;

    let text = failure_of(async { drop(socket.expect_eventually("a ticket", |message| message[0] == 15).await) }).await;
    for part in ["a ticket was fished for, and did not come", "messages that HubSocket received", "[9,17"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let is_ticket = |message: &Value| message[0] == 15;
    let text = failure_of(async { drop(socket.expect_where("a ticket", is_ticket).await) }).await;
    assert!(text.contains("the next message is not a ticket"), "{text}");

    world.publish("MATCH 17 soccer 2:0 live\n result 1.3 5 9").await;
    let text = failure_of(socket.expect_none()).await;
    assert!(text.contains("no message was expected"), "{text}");
    drop(socket);
    world.end().await;
}

#[actix::test]
async fn messages_are_expected_in_any_order_and_others_are_noticed() {
    let world = VirtualWorld::with_feed(TABLE).await;
    let mut socket = watching(&world).await;
    let n = socket.command(&Command::Ping);
    let acknowledged: Box<dyn Fn(&Value) -> bool> = Box::new(move |message| message[0] == 1 && message[1] == n);
    socket.expect_all_of(vec![("the acknowledgement", acknowledged)]).await;
    socket.command(&Command::Ping);
    let text = failure_of(async { drop(socket.expect_all_of(vec![("a ticket", of_kind(15))]).await) }).await;
    assert!(text.contains("a message came that was not expected"), "{text}");
    drop(socket);
    world.end().await;
}

#[actix::test]
async fn dead_actor_is_logged_once_with_its_id_its_sport_and_the_panic() {
    remember_panics();
    let mut world = VirtualWorld::with_feed(TABLE).await;
    let log = LogProbe::start();
    for prices in ["1.9 3 4", "2 3 4"] {
        world.node.offer.fail_points.arm(Point::Match(match_id(17)), Moment::Before);
        world.publish(&format!("MATCH 17 soccer 1:0 live\n result {prices}")).await;
    }
    let event = log.expect_event("the death of the actor", |event| event.field("actor") == Some("match"));
    assert_eq!((event.field("actor.id"), event.field("sport.id")), (Some("17"), Some("1")));
    assert!(event.field("panic").is_some_and(|text| text.contains("a test asked for it")), "{event:?}");
    let errors = log
        .events()
        .into_iter()
        .filter(|event| event.field("actor") == Some("match") && event.level == tracing::Level::ERROR);
    assert_eq!(errors.count(), 1, "a second panic of the same kind is no error again");
    log.expect_no_event("an update that is left out", |event| event.message.contains("left out"));
    world.end().await;
}
