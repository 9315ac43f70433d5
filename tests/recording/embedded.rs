//! The inputs that the embedded source sends to the reader of the feed.

use crate::producer::producer;
use kvota_domain::lang::Lang;
use kvota_feed::embedded::{EmbeddedSource, FeedSwitch, wall_clock_from};
use kvota_feed::{FeedInput, FeedSource, SnapshotRequest};
use kvota_simulator::recording::generator::ReplayOptions;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// A running source.
struct Feed {
    inputs: mpsc::Receiver<FeedInput>,
    requests: mpsc::Sender<SnapshotRequest>,
    switch: FeedSwitch,
    source: JoinSet<()>,
}

fn start() -> Feed {
    let options = ReplayOptions { start_s: 1_200, speed: 10.0, ..ReplayOptions::default() };
    let (embedded, switch) = EmbeddedSource::new(producer(options), wall_clock_from(1_700_000_000_000));
    let (sink, inputs) = mpsc::channel(16);
    let (requests, asked) = mpsc::channel(4);
    let mut source = JoinSet::new();
    source.spawn(Box::new(embedded).run(sink, asked));
    Feed { inputs, requests, switch, source }
}

impl Feed {
    async fn next(&mut self) -> FeedInput {
        let feed = timeout(Duration::from_secs(10), self.inputs.recv()).await;
        feed.expect("something within ten seconds").expect("the source goes on")
    }

    async fn next_active(&mut self) -> bool {
        loop {
            if let FeedInput::Active { active, .. } = self.next().await {
                return active;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn source_connects_becomes_active_and_sends_the_primary_language_last() {
    let mut feed = start();
    assert!(matches!(feed.next().await, FeedInput::Connected));
    let (mut langs, mut at_first) = (Vec::new(), None);
    while langs.len() < 8 {
        if let FeedInput::Event { lang, position, update } = feed.next().await {
            assert_eq!(position.seq, *at_first.get_or_insert(position.seq) + langs.len() as u64 / 4);
            assert!(!update.sports.is_empty());
            langs.push(lang);
        }
    }
    assert_eq!(langs[..4], langs[4..]);
    assert_eq!(langs[3], Lang::Hr);
}

#[tokio::test(start_paused = true)]
async fn source_sends_active_every_two_seconds() {
    let mut feed = start();
    let begin = Instant::now();
    for _ in 0..4 * 10 {
        assert!(feed.next_active().await);
    }
    let took = begin.elapsed();
    assert!((18_000..=18_500).contains(&took.as_millis()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn events_continue_from_the_first_snapshot() {
    let mut feed = start();
    feed.requests.send(SnapshotRequest { lang: Lang::Sr, correlation: 42 }).await.expect("it listens");
    let snapshot_seq = loop {
        match feed.next().await {
            FeedInput::Event { position, .. } => panic!("{position:?} was sent before any request"),
            FeedInput::Snapshot { lang, correlation, position, update } => {
                assert_eq!((lang, correlation), (Lang::Sr, 42));
                assert!(!update.sports.is_empty(), "whoever asks first is answered with the whole offer");
                break position.seq;
            }
            _ => {}
        }
    };
    loop {
        if let FeedInput::Event { position, .. } = feed.next().await {
            assert_eq!(position.seq, snapshot_seq + 1, "nothing is sent twice or left out");
            break;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn feed_switched_off_and_on_continues_without_a_gap() {
    let mut feed = start();
    while feed.next_active().await {
        feed.switch.deactivate();
    }
    let mut last = None;
    for _ in 0..12 {
        match feed.next().await {
            FeedInput::Active { active, position, .. } => {
                assert!(!active);
                last = position;
            }
            other => panic!("{other:?} while inactive"),
        }
    }
    feed.switch.activate();
    // What has changed meanwhile is sent before the feed is active.
    loop {
        if let FeedInput::Event { position, .. } = feed.next().await {
            assert_eq!(position.seq, last.expect("a position").seq + 1);
            break;
        }
    }
    while !feed.next_active().await {}
}

#[tokio::test(start_paused = true)]
async fn source_ends_when_its_receiver_is_dropped() {
    let mut feed = start();
    feed.next().await;
    drop(feed.inputs);
    let ended = timeout(Duration::from_secs(10), feed.source.join_next()).await;
    assert!(ended.is_ok(), "the source ends");
}
