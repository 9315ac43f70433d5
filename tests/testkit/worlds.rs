//! Complete systems in one line: on a paused clock without sockets, or with real sockets.

use kvota::testkit::hub_socket::HubFrame;
use kvota::testkit::time::advance;
use kvota::testkit::virtual_world::VirtualWorld;
use kvota::testkit::world::World;
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_wire::Encoding;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

const TABLE: &str = "MATCH 17 soccer 1:0 live
                       result 1.85 3.2 4";

#[actix::test]
async fn hour_on_the_paused_clock_passes_at_once() {
    let mut world = VirtualWorld::with_feed(TABLE).await;
    let mut socket = world.node.connect(None, Lang::En, Encoding::Msgpack).await.expect("it is taken");
    let n = socket.send_command("watch", &[json!({"sports": null})]);
    socket.expect_eventually("the acknowledgement", |message| message[0] == 1 && message[1] == n).await;
    let begun = Instant::now();
    world.publish("MATCH 17 soccer 2:0 live\n result 1.2 5 9").await;
    let messages = socket.until("a goal", |message| message[0] == 9).await;
    assert!(messages.iter().any(|message| message[0] == 4 && message[1] == 17), "{messages:?}");
    for _ in 0..60 {
        world.feed.active(true).await;
        advance(Duration::from_secs(5)).await;
        world.settle().await;
        while let Ok(frame) = tokio::time::timeout(Duration::from_millis(5), socket.next_frame()).await {
            if frame == HubFrame::Ping {
                socket.pong();
            }
            assert!(!matches!(frame, HubFrame::Closed(_)), "a client that answers is kept");
        }
    }
    assert!(begun.elapsed() > Duration::from_secs(300));
    drop(socket);
    world.end().await;
}

#[actix::test]
async fn client_that_does_not_read_is_closed_after_40_seconds() {
    let mut world = VirtualWorld::with_feed(TABLE).await;
    let mut socket = world.node.connect(None, Lang::Hr, Encoding::Json).await.expect("it is taken");
    socket.until("the greeting", |message| message[0] == 0).await;
    for _ in 0..10 {
        world.feed.active(true).await;
        advance(Duration::from_secs(5)).await;
        world.settle().await;
    }
    let mut closed = None;
    while closed.is_none() {
        closed = match socket.next_frame().await {
            HubFrame::Closed(code) => Some(code),
            _ => None,
        };
    }
    assert_eq!(closed, Some(Some(1001)), "silent for 40 s: what waits is little, and fits the socket");
    drop(socket);
    world.end().await;
}

#[actix::test]
async fn bet_is_placed_with_encoded_bytes() {
    let world = VirtualWorld::with_feed(TABLE).await;
    let session = SessionId::from_bytes([7; 16]);
    world.node.account("ana", session, Money::from_cents(10_000)).await;
    let ticket = json!({
        "stake": "9.50", "bruto": "10.00", "potentialWin": "17.58", "winTax": "0.81", "payout": "16.77",
        "systemType": 0, "consentForChangedOdss": false,
        "pairs": [{"matchId": 17, "marketId": 17_000, "marketType": 1, "oddType": "1", "oddValue": "1.85", "isFix": false}],
    });
    let key = "0193f5c2-7d1e-7000-8000-000000000001";
    let answer = world.node.place(session, key, &ticket).await;
    assert_eq!((answer.status, &answer.json()["balance"]), (200, &json!("90.00")), "{}", answer.json());
    let status = world.node.get_as(session, "live/user-status").await;
    assert_eq!(status.json()["balance"], "90.00");
    world.end().await;
}

#[actix::test]
async fn world_with_real_sockets_can_start_from_a_table() {
    let world = World::with_feed(TABLE).await;
    let url = format!("{}/api/v1/live/match/17", world.origin());
    let mut answer = awc::Client::new().get(url).send().await.expect("an answer");
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!(body["score"], json!([1, 0]));
}
