//! Messages that our publisher never sends: damaged, too large, or with an unknown compression.

use crate::broker::{Corner, placed};
use crate::listener::Listener;
use kvota::testkit::builders::{live_match, message, result, soccer};
use kvota::testkit::measured::{self, asked_for};
use kvota::testkit::seed::{Dice, roll};
use kvota_domain::feed::FeedUpdate;
use kvota_domain::lang::Lang;
use kvota_feed::amqp::AmqpConfig;
use kvota_feed::{FeedInput, Position};
use kvota_wire::feed::encode;
use kvota_wire::inflate::{Compression, compress};
use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable};
use std::collections::BTreeSet;
use std::time::Duration;

fn at(seq: u64) -> Position {
    Position { epoch: -3, seq }
}

async fn next_event(listener: &mut Listener) -> (Lang, Option<Position>, bool) {
    match listener.next().await {
        FeedInput::Event { lang, position, .. } => (lang, Some(position), true),
        FeedInput::Undecodable { lang, position } => (lang, position, false),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn invalid_messages_only_leave_a_gap() {
    let corner = Corner::new("garbage").await;
    corner.declare_exchange().await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    let good = encode::update(&FeedUpdate::default());
    let bomb = compress(&vec![0; 64 << 20], Compression::Gzip).expect("memory");
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
        assert_eq!(next_event(&mut listener).await, (Lang::Bs, expected, false), "{name}");
    }
    // Invalid feed-active messages have no effect; the valid one after them is received.
    for body in [&b"garbage"[..], b"\x90", b"\x91\x01"] {
        corner.publish("feed-active", Lang::En, BasicProperties::default(), body).await;
    }
    corner.publish("feed-active", Lang::En, BasicProperties::default(), &encode::active(true, 5)).await;
    let active = listener.next().await;
    assert!(matches!(active, FeedInput::Active { lang: Lang::En, active: true, position: None, .. }), "{active:?}");
    corner.publish("live-event", Lang::Bs, placed(at(7)), &good).await;
    assert_eq!(next_event(&mut listener).await, (Lang::Bs, Some(at(7)), true));
    corner.clear().await;
}

/// The connection and the consumer stay, so that only binding again helps.
#[tokio::test]
async fn all_topics_are_bound_again_after_the_exchange_was_deleted() {
    let corner = Corner::new("bound-again").await;
    corner.declare_exchange().await;
    let config = AmqpConfig { bind_again: Duration::from_millis(100), ..corner.config.clone() };
    let mut listener = Listener::start(&config);
    listener.connected().await;
    corner.delete_exchange().await;
    corner.declare_exchange().await;
    let mut heard = BTreeSet::new();
    while heard.len() < 2 * Lang::ALL.len() {
        // A message for which no queue is bound is lost.
        for lang in Lang::ALL {
            corner.publish("live-event", lang, placed(at(1)), b"garbage").await;
            corner.publish("feed-active", lang, placed(at(1)), &encode::active(true, 5)).await;
        }
        while let Some(input) = listener.next_within(Duration::from_millis(50)).await {
            heard.insert(match input {
                FeedInput::Undecodable { lang, .. } => ("live-event", lang.code()),
                FeedInput::Active { lang, .. } => ("feed-active", lang.code()),
                other => panic!("{other:?}"),
            });
        }
    }
    corner.clear().await;
}

#[tokio::test]
async fn event_at_the_size_limit_is_accepted_and_a_larger_one_rejected() {
    let corner = Corner::new("large").await;
    corner.declare_exchange().await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    // Elements of a newer version as filling: they are ignored, but their bytes count.
    let filled = |bytes: usize| {
        let mut body = b"\x94\xc0\xc0\xc0\xc6".to_vec();
        body.extend(u32::try_from(bytes - 9).expect("a size").to_be_bytes());
        body.resize(bytes, 0);
        body
    };
    corner.publish("live-event", Lang::Hr, placed(at(1)), &filled(4 << 20)).await;
    assert_eq!(next_event(&mut listener).await, (Lang::Hr, Some(at(1)), true));
    corner.publish("live-event", Lang::Hr, placed(at(2)), &filled((4 << 20) + 1)).await;
    assert_eq!(next_event(&mut listener).await, (Lang::Hr, Some(at(2)), false));
    corner.clear().await;
}

#[tokio::test]
async fn busy_reader_loses_no_message_and_keeps_the_order() {
    let corner = Corner::new("busy").await;
    corner.declare_exchange().await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    let good = encode::update(&FeedUpdate::default());
    // Far more than the sink and the prefetch hold, before the first input is received.
    for seq in 1..=500 {
        corner.publish("live-event", Lang::Hr, placed(at(seq)), &good).await;
    }
    for seq in 1..=500 {
        assert_eq!(next_event(&mut listener).await, (Lang::Hr, Some(at(seq)), true));
    }
    corner.clear().await;
}

/// A damaged copy of a message: flipped bits, a missing end, or a value of another type.
fn damaged(dice: &mut Dice, good: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    match dice.below(3) {
        0 => {
            for _ in 0..dice.between(1, 8) {
                let at = dice.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << dice.below(8);
            }
        }
        1 => bytes.truncate(dice.below(bytes.len() as u64) as usize),
        _ => {
            let at = dice.below(bytes.len() as u64) as usize;
            bytes[at] = *dice.one_of(&[0xc0, 0xc1, 0xc3, 0x90, 0x80, 0xcb, 0xdd, 0xdf, 0xff]);
        }
    }
    bytes
}

/// R24. `KVOTA_DAMAGED=100000` sends so many messages, a tenth of them damaged.
#[tokio::test]
async fn damaged_message_is_dropped_alone_and_counted() {
    let count = asked_for("KVOTA_DAMAGED", 3_000);
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let counted = recorder.handle();
    // The source and the test run on this thread, so a recorder of this thread sees all metrics.
    let _recorded = metrics::set_default_local_recorder(&recorder);
    let corner = Corner::new("damaged").await;
    corner.declare_exchange().await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    let mut dice = roll(24);
    let update = |dice: &mut Dice| {
        let price = format!("{}.{:02}", dice.between(1, 9), dice.below(100));
        let market = result(170, [&price, "3.2", "4"]);
        encode::update(&message(soccer(), 1_700_000_000_000, vec![live_match(17).market(market).update()]))
    };
    let (mut bad, mut undecodable, mut good, mut next_fine) = (0, 0, 0, 0);
    let mut was_bad = false;
    for seq in 1..=count {
        let whole = update(&mut dice);
        let is_bad = dice.chance(100);
        let body = if is_bad { damaged(&mut dice, &whole) } else { whole };
        corner.publish("live-event", Lang::Hr, placed(at(seq)), &body).await;
        let (lang, position, is_event) = next_event(&mut listener).await;
        assert_eq!((lang, position), (Lang::Hr, Some(at(seq))), "in their order, each at its place");
        assert!(is_event || is_bad, "message {seq}: a good one is read");
        bad += u64::from(is_bad);
        undecodable += u64::from(!is_event);
        good += u64::from(is_event);
        next_fine += u64::from(was_bad && !is_bad && is_event);
        was_bad = is_bad;
    }
    let rendered = counted.render();
    let sum = |name: &str| -> u64 {
        let lines = rendered.lines().filter(|line| line.starts_with(name));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
    };
    assert_eq!(sum("kvota_feed_undecodable_total{"), undecodable, "{rendered}");
    assert_eq!(sum("kvota_feed_messages_total{kind=\"live_event\""), good, "{rendered}");
    // Some flipped bits give another valid price, which nothing can detect.
    assert!(undecodable * 4 > bad && next_fine > 0, "{undecodable} of {bad}");
    measured::count("R24", &format!("messages, {bad} of them damaged, {undecodable} of those undecodable"), count);
    corner.clear().await;
}
