//! Property 4 of the hub (CONTRACT 3): a slow client costs bounded memory and does not affect other clients.

use super::stage::{Client, Stage, all_sports};
use kvota::hub::limits::OUTBOX_BYTES_MAX;
use kvota::testkit::builders::{MatchBuilder, live_match, match_id, price, result};
use kvota_wire::Encoding;
use std::time::Duration;
use tokio::time::Instant;

fn base(id: u64) -> MatchBuilder {
    live_match(id).market(result(id * 10, ["1.85", "3.2", "4"]))
}

/// A price that differs at every step.
fn moved(id: u64, step: u32) -> MatchBuilder {
    let text = format!("1.{:03}", 1 + step % 999);
    base(id).with(|m| m.market_mut(0).odds[0].value = price(&text))
}

async fn fill(stage: &mut Stage, quick: &mut Client, until: impl Fn(&Stage) -> bool) {
    for step in 0.. {
        stage.feed((1..=40).map(|id| moved(id, step).update()).collect()).await;
        stage.rooms.flush_all();
        quick.take_all();
        if until(stage) {
            return;
        }
    }
}

#[actix::test]
async fn queue_of_a_slow_client_is_bounded_and_keeps_the_newest_values() {
    let mut stage = Stage::new();
    stage.feed((1..=40).map(|id| base(id).insert()).collect()).await;
    let mut quick = stage.client(Encoding::Msgpack, all_sports());
    let mut slow = stage.client(Encoding::Msgpack, all_sports());
    for client in [&mut quick, &mut slow] {
        (1..=40).for_each(|id| client.outbox.send_match(match_id(id), false));
        client.take_all();
    }
    let outbox = std::rc::Rc::clone(&slow.outbox);
    fill(&mut stage, &mut quick, move |_| outbox.is_catching_up()).await;
    assert!(slow.outbox.queued_bytes() <= OUTBOX_BYTES_MAX);
    // While the client reads nothing, one match is deleted and another inserted.
    stage.feed(vec![base(7).delete(), base(41).insert()]).await;
    stage.feed((8..=40).map(|id| moved(id, 500).update()).collect()).await;
    stage.rooms.flush_all();
    quick.take_all();
    let queued = slow.outbox.queued_bytes();
    assert!(queued <= OUTBOX_BYTES_MAX, "{queued}");

    slow.take_all();
    assert!(!slow.outbox.is_catching_up());
    assert_eq!(slow.replica.rows, quick.replica.rows, "both have the same offer in the end");
    assert!(slow.frames < quick.frames);
}

#[actix::test]
async fn repeated_state_requests_without_reading_stay_within_the_queue_limit() {
    let mut stage = Stage::new();
    stage.feed((1..=40).map(|id| base(id).insert()).collect()).await;
    let mut quick = stage.client(Encoding::Msgpack, all_sports());
    let mut slow = stage.client(Encoding::Msgpack, all_sports());
    let ask = |client: &Client| (1..=40).for_each(|id| client.outbox.send_match(match_id(id), true));
    for _ in 0..500 {
        ask(&slow);
    }
    let queued = slow.outbox.queued_bytes();
    assert!(queued <= OUTBOX_BYTES_MAX, "{queued}");
    ask(&quick);
    quick.take_all();
    slow.take_all();
    assert!(!slow.outbox.is_catching_up());
    assert_eq!(slow.replica.rows, quick.replica.rows, "what has no room is told when there is some");
}

#[actix::test]
async fn slow_client_is_still_pinged() {
    tokio::time::pause();
    let mut stage = Stage::new();
    stage.feed((1..=40).map(|id| base(id).insert()).collect()).await;
    let mut quick = stage.client(Encoding::Msgpack, all_sports());
    let slow = stage.client(Encoding::Msgpack, all_sports());
    let outbox = std::rc::Rc::clone(&slow.outbox);
    fill(&mut stage, &mut quick, move |_| outbox.is_catching_up()).await;
    let before = slow.outbox.queued_bytes();
    pass(&stage, 16).await;
    assert_eq!(slow.outbox.queued_bytes(), before + 2, "without a ping it could not show that it lives");
}

#[actix::test]
async fn client_that_reads_nothing_is_closed_with_4008_and_others_are_not() {
    tokio::time::pause();
    let mut stage = Stage::new();
    stage.feed((1..=40).map(|id| base(id).insert()).collect()).await;
    let mut quick = stage.client(Encoding::Msgpack, all_sports());
    let slow = stage.client(Encoding::Msgpack, all_sports());
    let outbox = std::rc::Rc::clone(&slow.outbox);
    fill(&mut stage, &mut quick, move |_| outbox.is_catching_up()).await;

    pass(&stage, 29).await;
    quick.take_all();
    assert!(!slow.outbox.is_ending());
    pass(&stage, 2).await;
    assert!(slow.outbox.is_ending());
    assert!(!quick.outbox.is_ending());
    let frame = match slow.outbox.poll_frame(std::task::Waker::noop()) {
        std::task::Poll::Ready(Some(frame)) => frame,
        other => panic!("expected the close frame, got {other:?}"),
    };
    assert_eq!(&frame[..], [0x88, 2, 0x0f, 0xa8], "4008, and nothing before it");
    assert!(matches!(slow.outbox.poll_frame(std::task::Waker::noop()), std::task::Poll::Ready(None)));
}

#[actix::test]
async fn stuck_client_is_closed_with_4008_even_if_its_kernel_buffered_megabytes() {
    tokio::time::pause();
    let mut stage = Stage::new();
    stage.feed((1..=40).map(|id| base(id).insert()).collect()).await;
    let mut quick = stage.client(Encoding::Msgpack, all_sports());
    let mut slow = stage.client(Encoding::Msgpack, all_sports());
    // For 20 s the kernel accepts the frames, but no pong comes back.
    for step in 0..20 {
        stage.feed((1..=40).map(|id| moved(id, step).update()).collect()).await;
        stage.rooms.flush_all();
        slow.take_all();
        quick.take_all();
        quick.outbox.note_activity();
        pass(&stage, 1).await;
    }
    let outbox = std::rc::Rc::clone(&slow.outbox);
    fill(&mut stage, &mut quick, move |_| outbox.is_catching_up()).await;
    pass(&stage, 9).await;
    assert!(!slow.outbox.is_ending());
    pass(&stage, 2).await;
    assert!(slow.outbox.is_ending());
    let frame = match slow.outbox.poll_frame(std::task::Waker::noop()) {
        std::task::Poll::Ready(Some(frame)) => frame,
        other => panic!("expected the close frame, got {other:?}"),
    };
    assert_eq!(&frame[..], [0x88, 2, 0x0f, 0xa8]);
}

#[actix::test]
async fn silent_connection_is_pinged_and_then_closed() {
    tokio::time::pause();
    let mut stage = Stage::new();
    let client = stage.client(Encoding::Msgpack, all_sports());
    let take = || match client.outbox.poll_frame(std::task::Waker::noop()) {
        std::task::Poll::Ready(Some(frame)) => Some(frame.to_vec()),
        _ => None,
    };
    pass(&stage, 14).await;
    assert_eq!(take(), None);
    pass(&stage, 2).await;
    assert_eq!(take(), Some(vec![0x89, 0]));
    pass(&stage, 23).await;
    take();
    assert!(!client.outbox.is_ending());
    pass(&stage, 2).await;
    assert!(client.outbox.is_ending());
}

/// Advances the clock and runs the publisher's check of its connections.
async fn pass(stage: &Stage, seconds: u64) {
    tokio::time::advance(Duration::from_secs(seconds)).await;
    stage.rooms.ping_or_close(Instant::now());
}
