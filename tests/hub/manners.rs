//! Misbehaving clients (CONTRACT 3.6): which get an error, which are closed, and that other clients are not affected.

use crate::client::Client;
use actix_http::ws::Item;
use awc::ws::{CloseCode, Message};
use kvota::hub::limits::{CONTROL_FRAMES_PER_SECOND_MAX, OUTBOX_BYTES_MAX};
use kvota::hub::publisher_actor::ObservePublisher;
use kvota::testkit::builders::{live_match, result};
use kvota::testkit::hub_socket::{HubFrame, HubSocket};
use kvota::testkit::time::advance;
use kvota::testkit::virtual_world::VirtualWorld;
use kvota::testkit::world::{PATIENCE, World};
use kvota_domain::lang::Lang;
use kvota_wire::Encoding;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn acks(frames: &[Value]) -> Vec<Value> {
    let messages = frames.iter().flat_map(|frame| frame.as_array().into_iter().flatten());
    messages.filter(|message| message[0] == 1).map(|message| json!([message[1], message[2]])).collect()
}

#[actix::test]
async fn unknown_verb_or_wrong_arguments_return_an_error_without_closing() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    assert_eq!(client.command("dance", &[]).await[2], "unknown_verb");
    assert_eq!(client.command("resync", &[json!("x")]).await[2], "wrong_arguments");
    assert_eq!(client.command("watch", &[json!(1)]).await[2], "wrong_arguments");
    assert_eq!(client.command("ping", &[]).await[2], json!(null), "the connection lives on");
}

#[actix::test]
async fn malformed_command_gets_an_error_and_a_close() {
    let world = World::start().await;
    for (text, ack) in [
        ("{bad", json!([null, "not_a_command"])),
        ("{}", json!([null, "not_a_command"])),
        ("[]", json!([null, "not_a_command"])),
        ("[7]", json!([7, "not_a_command"])),
        ("[\"1\",\"ping\"]", json!([null, "not_a_command"])),
    ] {
        let mut client = Client::connect(&world, "hr").await;
        client.send_text(text).await;
        let (frames, code) = client.until_closed().await;
        assert_eq!(acks(&frames), [ack], "{text}");
        assert_eq!(code, Some(CloseCode::Policy), "{text}");
    }
}

#[actix::test]
async fn invalid_utf_8_is_treated_as_a_malformed_command() {
    let world = World::start().await;
    let got = answer_to(&world, b"\x81\x82\0\0\0\0\xff\xfe").await;
    let text = String::from_utf8_lossy(&got);
    assert!(text.contains(r#"[[1,null,"not_a_command","#), "{text}");
}

#[actix::test]
async fn frame_over_4_kib_gets_an_error_and_a_close() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    client.send_text(&format!("[1,\"ping\"{}]", " ".repeat(4086))).await;
    client.until(|message| message[0] == 1).await;
    client.send_text(&format!("[2,\"ping\"{}]", " ".repeat(4087))).await;
    let (frames, code) = client.until_closed().await;
    assert_eq!(acks(&frames), [json!([null, "too_large"])]);
    assert_eq!(code, Some(CloseCode::Policy));
}

#[actix::test]
async fn more_than_50_commands_a_second_get_an_error_and_a_close() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    for n in 0..60 {
        client.send_text(&format!("[{n},\"ping\"]")).await;
    }
    let (frames, code) = client.until_closed().await;
    let acks = acks(&frames);
    assert!(acks.len() >= 51, "{} acknowledgements", acks.len());
    assert_eq!(acks.last(), Some(&json!([50, "too_many"])), "with the number of the command that was one too many");
    assert_eq!(code, Some(CloseCode::Policy));
}

#[actix::test]
async fn fragmented_command_is_accepted() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    let first = |text: &'static str| Message::Continuation(Item::FirstText(text.into()));
    client.send(first("[1,\"pi")).await;
    client.send(Message::Ping("between".into())).await;
    client.send(Message::Continuation(Item::Continue("".into()))).await;
    client.send(Message::Continuation(Item::Last("ng\"]".into()))).await;
    assert_eq!(client.until(|message| message[0] == 1).await, json!([1, 1, null]));
    client.send(first("[2,\"ping\"")).await;
    client.send(Message::Continuation(Item::Last("]".into()))).await;
    assert_eq!(client.until(|message| message[0] == 1).await, json!([1, 2, null]), "nothing of the first is left");
    client.send_text("[3,\"ping\"]").await;
    assert_eq!(client.until(|message| message[0] == 1).await, json!([1, 3, null]));
}

#[actix::test]
async fn size_limit_applies_to_the_whole_fragmented_command() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    client.send(Message::Continuation(Item::FirstText("[1,\"ping\"".into()))).await;
    client.send(Message::Continuation(Item::Last(format!("{}]", " ".repeat(4086)).into()))).await;
    client.until(|message| message[0] == 1).await;
    client.send(Message::Continuation(Item::FirstText("[2,\"ping\"".into()))).await;
    client.send(Message::Continuation(Item::Continue(" ".repeat(4088).into()))).await;
    let (frames, code) = client.until_closed().await;
    assert_eq!(acks(&frames), [json!([null, "too_large"])]);
    assert_eq!(code, Some(CloseCode::Policy));
}

#[actix::test]
async fn number_of_fragments_of_a_command_is_limited() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    client.send(Message::Continuation(Item::FirstText("[1,\"ping\"]".into()))).await;
    for _ in 0..64 {
        client.send(Message::Continuation(Item::Continue("".into()))).await;
    }
    let (frames, code) = client.until_closed().await;
    assert_eq!((acks(&frames), code), (vec![json!([null, "too_large"])], Some(CloseCode::Policy)));
}

#[actix::test]
async fn misbehaving_client_does_not_affect_others() {
    let mut world = World::start().await;
    world.feed.publish(vec![live_match(1).market(result(10, ["2", "3", "4"])).insert()]).await;
    world.settle().await;
    let mut good = Client::connect(&world, "hr").await;
    good.watch_all().await;
    let mut bad = Client::connect(&world, "hr").await;
    bad.send_text("nonsense").await;
    bad.until_closed().await;
    world.feed.publish(vec![live_match(1).market(result(10, ["2.5", "3", "4"])).update()]).await;
    let change = good.until(|message| message[0] == 4).await;
    assert_eq!(change[3], 0);
    assert_eq!(change[4], 2500);
}

/// Sends these bytes after the handshake, and returns all bytes received until the connection is closed.
async fn answer_to(world: &World, bytes: &[u8]) -> Vec<u8> {
    let mut socket = TcpStream::connect(world.address()).await.expect("connected");
    let handshake = format!(
        "GET /api/v1/live/hub HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Protocol: kvota.v1.json\r\n\r\n",
        world.address()
    );
    socket.write_all(handshake.as_bytes()).await.expect("sent");
    socket.write_all(bytes).await.expect("sent");
    let mut got = Vec::new();
    let closed = tokio::time::timeout(PATIENCE, socket.read_to_end(&mut got)).await.expect("closed in time");
    closed.expect("read to the end");
    got
}

#[actix::test]
async fn invalid_websocket_frame_closes_only_its_connection() {
    let world = World::start().await;
    let mut good = Client::connect(&world, "hr").await;
    for (what, bytes, code) in [
        ("unmasked", b"\x81\x0a[1,\"ping\"]".as_slice(), 1002_u16),
        ("an unknown opcode", b"\x83\x80\0\0\0\0", 1002),
        ("reserved bits", b"\xf1\x80\0\0\0\0", 1002),
        ("a length of 2^62", b"\x81\xff\x40\0\0\0\0\0\0\0", 1008),
        ("text that is no UTF-8", b"\x81\x82\0\0\0\0\xff\xfe", 1008),
        ("the same in pieces", b"\x01\x81\0\0\0\0\xff\x80\x81\0\0\0\0\xfe", 1008),
        ("a piece that continues nothing", b"\x80\x80\0\0\0\0", 1002),
        ("a command amid the pieces of another", b"\x01\x80\0\0\0\0\x81\x80\0\0\0\0", 1002),
    ] {
        let got = answer_to(&world, bytes).await;
        let close = [&[0x88, 2][..], &code.to_be_bytes()].concat();
        assert!(got.ends_with(&close), "{what}: ends with {:02x?}", &got[got.len().saturating_sub(8)..]);
        assert_eq!(good.command("ping", &[]).await[2], json!(null), "after {what}");
    }
}

#[actix::test]
async fn pings_of_a_client_that_reads_nothing_use_bounded_memory() {
    let world = VirtualWorld::start().await;
    let socket = world.node.connect(None, Lang::Hr, Encoding::Json).await.expect("it is taken");
    // As fast as allowed, for as long as a client that reads nothing stays connected.
    for _ in 0..25 {
        (0..CONTROL_FRAMES_PER_SECOND_MAX).for_each(|_| socket.send(9, &[7; 125]));
        advance(Duration::from_secs(1)).await;
    }
    let publishers = world.node.publishers.all();
    let seen = publishers[0].send(ObservePublisher).await.expect("it lives");
    // One read from the socket may exceed the limit.
    assert!(seen.occupancy.queued_bytes <= OUTBOX_BYTES_MAX + (32 << 10), "{:?}", seen.occupancy);
    drop(socket);
    world.end().await;
}

#[actix::test]
async fn too_many_pings_a_second_close_the_connection() {
    let world = VirtualWorld::start().await;
    for opcode in [9, 10] {
        let mut socket = world.node.connect(None, Lang::Hr, Encoding::Json).await.expect("it is taken");
        for _ in 0..5 {
            (0..CONTROL_FRAMES_PER_SECOND_MAX).for_each(|_| socket.send(opcode, &[]));
            advance(Duration::from_secs(1)).await;
        }
        socket.send_command("ping", &[]);
        let mut messages = Vec::new();
        while !messages.iter().any(|message: &Value| message[0] == 1) {
            next_messages(&mut socket, &mut messages).await.expect("as many as allowed close nothing");
        }
        (0..=CONTROL_FRAMES_PER_SECOND_MAX).for_each(|_| socket.send(opcode, &[]));
        let mut messages = Vec::new();
        let until_closed = async {
            loop {
                if let Err(code) = next_messages(&mut socket, &mut messages).await {
                    return code;
                }
            }
        };
        let code = tokio::time::timeout(PATIENCE, until_closed).await.expect("one too many closes it");
        let last = messages.last().expect("an error before the close");
        assert_eq!((&last[1], &last[2], code), (&Value::Null, &json!("too_many"), Some(1008)), "opcode {opcode}");
    }
    world.end().await;
}

/// Reads one frame. `Err` has the close code if the connection is closed.
async fn next_messages(socket: &mut HubSocket, messages: &mut Vec<Value>) -> Result<usize, Option<u16>> {
    match socket.next_frame().await {
        HubFrame::Messages(frame) => {
            messages.extend(frame.as_array().into_iter().flatten().cloned());
            Ok(1)
        }
        HubFrame::Ping => {
            socket.pong();
            Ok(0)
        }
        HubFrame::Closed(code) => Err(code),
    }
}

#[actix::test]
async fn full_resync_is_one_frame_and_early_requests_are_answered_together() {
    let mut world = VirtualWorld::start().await;
    world
        .feed
        .publish((1..=20).map(|id| live_match(id).market(result(id * 10, ["2", "3", "4"])).insert()).collect())
        .await;
    world.settle().await;
    let mut socket = world.node.connect(None, Lang::Hr, Encoding::Json).await.expect("it is taken");
    socket.send_command("watch", &[json!({"sports": null})]);
    let mut messages = Vec::new();
    while !messages.iter().any(|message: &Value| message[0] == 1) {
        next_messages(&mut socket, &mut messages).await.expect("it is open");
    }
    let start = tokio::time::Instant::now();
    let asked: Vec<u64> = (0..40).map(|_| socket.send_command("resync", &[Value::Null])).collect();
    let single = socket.send_command("resync", &[json!(7)]);
    let (mut acked, mut frames, mut rows, mut single_after) = (Vec::new(), 0, Vec::new(), None);
    while acked.len() < asked.len() {
        let mut messages = Vec::new();
        if next_messages(&mut socket, &mut messages).await.expect("it is open") == 0 {
            continue;
        }
        let in_frame = messages.iter().filter(|message| message[0] == 3).count();
        if in_frame > 1 {
            frames += 1;
            rows.push((in_frame, start.elapsed().as_secs()));
        }
        for ack in messages.iter().filter(|message| message[0] == 1) {
            assert_eq!(ack[2], Value::Null);
            match ack[1].as_u64() {
                Some(n) if n == single => single_after = Some(start.elapsed().as_secs()),
                n => acked.extend(n),
            }
        }
    }
    assert_eq!(single_after, Some(0), "a resync of one match is answered at once");
    assert_eq!(acked, asked);
    assert_eq!(rows, [(20, 0), (20, 2)], "two answers, each one frame with all rows, two seconds apart");
    assert_eq!(frames, 2);
    drop(socket);
    world.end().await;
}
