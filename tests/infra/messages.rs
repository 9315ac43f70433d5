//! Messages that no publisher of ours sends.

use crate::broker::{Corner, placed};
use crate::listener::Listener;
use kvota::domain::feed::FeedUpdate;
use kvota::domain::lang::Lang;
use kvota::feed::{FeedInput, Position};
use kvota::wire::feed::encode;
use kvota::wire::inflate::{Encoding, compress};
use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable};

fn at(seq: u64) -> Position {
    Position { epoch: -3, seq }
}

async fn told_of_event(listener: &mut Listener) -> (Lang, Option<Position>, bool) {
    match listener.next().await {
        FeedInput::Event { lang, position, .. } => (lang, Some(position), true),
        FeedInput::Undecodable { lang, position } => (lang, position, false),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn garbage_leaves_a_hole_and_nothing_else() {
    let corner = Corner::new("garbage").await;
    corner.declare_exchange().await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    let good = encode::update(&FeedUpdate::default());
    let bomb = compress(&vec![0; 64 << 20], Encoding::Gzip).expect("memory");
    let mut text_headers = FieldTable::default();
    text_headers.insert("epoch".into(), AMQPValue::LongString("1".into()));
    text_headers.insert("seq".into(), AMQPValue::LongString("1".into()));
    let gzip = |seq| placed(at(seq)).with_content_encoding("gzip".into());
    let cases: [(&str, BasicProperties, &[u8], Option<Position>); 8] = [
        ("no headers", BasicProperties::default(), &good, None),
        ("headers that are texts", BasicProperties::default().with_headers(text_headers), &good, None),
        ("nothing", placed(at(1)), b"", Some(at(1))),
        ("a text", placed(at(2)), b"\xa5hello", Some(at(2))),
        ("two messages", placed(at(3)), &good.repeat(2), Some(at(3))),
        ("a compression nobody knows", placed(at(4)).with_content_encoding("br".into()), &good, Some(at(4))),
        ("not what it says", gzip(5), &good, Some(at(5))),
        ("a bomb", gzip(6), &bomb, Some(at(6))),
    ];
    for (name, properties, body, expected) in cases {
        corner.publish("live-event", Lang::Bs, properties, body).await;
        assert_eq!(told_of_event(&mut listener).await, (Lang::Bs, expected, false), "{name}");
    }
    // Bad feed-active messages leave no trace at all; the good one behind them is heard.
    for body in [&b"garbage"[..], b"\x90", b"\x91\x01"] {
        corner.publish("feed-active", Lang::En, BasicProperties::default(), body).await;
    }
    corner.publish("feed-active", Lang::En, BasicProperties::default(), &encode::active(true, 5)).await;
    let active = listener.next().await;
    assert!(matches!(active, FeedInput::Active { lang: Lang::En, active: true, position: None }), "{active:?}");
    corner.publish("live-event", Lang::Bs, placed(at(7)), &good).await;
    assert_eq!(told_of_event(&mut listener).await, (Lang::Bs, Some(at(7)), true));
    corner.clear().await;
}

#[tokio::test]
async fn an_event_of_the_largest_size_passes_and_a_larger_one_does_not() {
    let corner = Corner::new("large").await;
    corner.declare_exchange().await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    // Elements of a later version fill it up: they are ignored, but their bytes count.
    let filled = |bytes: usize| {
        let mut body = b"\x94\xc0\xc0\xc0\xc6".to_vec();
        body.extend(u32::try_from(bytes - 9).expect("a size").to_be_bytes());
        body.resize(bytes, 0);
        body
    };
    corner.publish("live-event", Lang::Hr, placed(at(1)), &filled(4 << 20)).await;
    assert_eq!(told_of_event(&mut listener).await, (Lang::Hr, Some(at(1)), true));
    corner.publish("live-event", Lang::Hr, placed(at(2)), &filled((4 << 20) + 1)).await;
    assert_eq!(told_of_event(&mut listener).await, (Lang::Hr, Some(at(2)), false));
    corner.clear().await;
}

#[tokio::test]
async fn a_reader_that_is_busy_loses_nothing_and_keeps_the_order() {
    let corner = Corner::new("busy").await;
    corner.declare_exchange().await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    let good = encode::update(&FeedUpdate::default());
    // Far more than the sink and the prefetch hold, before the first is taken.
    for seq in 1..=500 {
        corner.publish("live-event", Lang::Hr, placed(at(seq)), &good).await;
    }
    for seq in 1..=500 {
        assert_eq!(told_of_event(&mut listener).await, (Lang::Hr, Some(at(seq)), true));
    }
    corner.clear().await;
}
