//! Bad manners (CONTRACT 3.6): what is answered, what is closed, and that nobody else notices.

use crate::client::Client;
use actix_http::ws::Item;
use awc::ws::{CloseCode, Message};
use kvota::testkit::builders::{live_match, result};
use kvota::testkit::world::World;
use serde_json::{Value, json};

fn acks(frames: &[Value]) -> Vec<Value> {
    let messages = frames.iter().flat_map(|frame| frame.as_array().into_iter().flatten());
    messages.filter(|message| message[0] == 1).map(|message| json!([message[1], message[2]])).collect()
}

#[actix::test]
async fn an_unknown_verb_or_wrong_arguments_cost_an_error_alone() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    assert_eq!(client.command("dance", &[]).await[2], "unknown_verb");
    assert_eq!(client.command("resync", &[json!("x")]).await[2], "wrong_arguments");
    assert_eq!(client.command("watch", &[json!(1)]).await[2], "wrong_arguments");
    assert_eq!(client.command("ping", &[]).await[2], json!(null), "the connection lives on");
}

#[actix::test]
async fn what_is_no_command_is_answered_and_closed() {
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
async fn a_frame_over_4_kib_is_answered_and_closed() {
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
async fn more_than_50_commands_a_second_are_answered_and_closed() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    for n in 0..60 {
        client.send_text(&format!("[{n},\"ping\"]")).await;
    }
    let (frames, code) = client.until_closed().await;
    let acks = acks(&frames);
    assert!(acks.len() >= 51, "{} acknowledgements", acks.len());
    assert_eq!(acks.last(), Some(&json!([null, "too_many"])));
    assert_eq!(code, Some(CloseCode::Policy));
}

#[actix::test]
async fn frames_in_pieces_are_closed() {
    let world = World::start().await;
    let mut client = Client::connect(&world, "hr").await;
    client.send(Message::Continuation(Item::FirstText("[1,".into()))).await;
    let (_, code) = client.until_closed().await;
    assert_eq!(code, Some(CloseCode::Size));
}

#[actix::test]
async fn others_do_not_notice() {
    let mut world = World::start().await;
    world.feed.say(vec![live_match(1).market(result(10, ["2", "3", "4"])).insert()]).await;
    world.settle().await;
    let mut good = Client::connect(&world, "hr").await;
    good.watch_all().await;
    let mut bad = Client::connect(&world, "hr").await;
    bad.send_text("nonsense").await;
    bad.until_closed().await;
    world.feed.say(vec![live_match(1).market(result(10, ["2.5", "3", "4"])).update()]).await;
    let change = good.until(|message| message[0] == 4).await;
    assert_eq!(change[3], 0);
    assert_eq!(change[4], 2500);
}
