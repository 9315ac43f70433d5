//! The embedded run and a run over the broker, side by side on one clock: the recorded matches come out the same.

use crate::broker::Corner;
use kvota::actors::offer_context::OfferContext;
use kvota::actors::system::run_until_ended;
use kvota::testkit::time::run_until_idle;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_feed::amqp::{AmqpPublisher, AmqpSource};
use kvota_feed::embedded::{EmbeddedSource, WallClock};
use kvota_read_model::{Base, Coding, OfferQuery, ReadModel};
use kvota_simulator::generator::{Generator, IdSpace};
use kvota_simulator::producer::Producer;
use kvota_simulator::recording::files::RecordingFiles;
use kvota_simulator::recording::generator::{RecordingGenerator, ReplayOptions};
use kvota_simulator::simulator::generator::Simulator;
use kvota_simulator::simulator::options::SimulatorOptions;
use kvota_wire::Encoding;
use kvota_wire::inflate::Compression;
use kvota_wire::matches::View;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

const START_MS: i64 = 1_526_220_000_000;
const MINUTES: i64 = 4;
/// The readers' clock: no date of the feed is ahead of it.
const LAST_MS: i64 = START_MS + (MINUTES - 1) * 60_000;
const PATIENCE: Duration = Duration::from_secs(60);
/// Ten recorded ones and forty simulated ones.
const MATCHES: usize = 50;

/// Ten recorded matches from minute 20 on, and one or more of every simulated sport.
fn producer(epoch: i64) -> Producer {
    let options = ReplayOptions { start_s: 20 * 60, ids: IdSpace::new(0, 2, 0), ..ReplayOptions::default() };
    let recording = RecordingGenerator::open(&RecordingFiles::Embedded, options).expect("the recordings are built in");
    let simulated =
        SimulatorOptions { matches: 40, without: vec![1], ids: IdSpace::new(1, 2, 0), ..Default::default() };
    let simulator = Simulator::new(simulated).expect("it can be simulated");
    let generators: Vec<Box<dyn Generator>> = vec![Box::new(recording), Box::new(simulator)];
    Producer::new(epoch, Lang::Hr, generators)
}

/// The offer without what belongs to a run: dates, versions, and marks that count its steps.
async fn offer(model: &Arc<ReadModel>, lang: Lang) -> Value {
    let query =
        OfferQuery { lang, encoding: Encoding::Json, view: View::Full, coding: Coding::Identity, base: Base::Own };
    let body = model.offer(query, || START_MS).await.expect("it is made").expect("an offer");
    let mut value: Value = serde_json::from_slice(&body.bytes).expect("JSON");
    strip(&mut value);
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for name in ["version", "revision", "detailRevision", "changed"] {
                members.remove(name);
            }
            members.values_mut().for_each(strip);
        }
        Value::Array(elements) => elements.iter_mut().for_each(strip),
        _ => {}
    }
}

#[actix::test]
async fn offer_over_the_broker_equals_the_embedded_offer() {
    let corner = Corner::new("same-offer").await;
    let now = Arc::new(AtomicI64::new(START_MS));
    let clock: WallClock = {
        let now = Arc::clone(&now);
        Arc::new(move || now.load(Ordering::Relaxed))
    };
    let offers = [1, 2].map(|nonce| OfferContext::new(Arc::new(ReadModel::new(Lang::Hr, nonce))));
    let [embedded, brokered] = [&offers[0], &offers[1]].map(|offer| Arc::clone(&offer.model));

    let (publisher, _switch) =
        AmqpPublisher::new(&corner.config, producer(7), Arc::clone(&clock), Compression::Deflate)
            .expect("a configuration");
    let mut publishing = JoinSet::new();
    publishing.spawn(publisher.run(std::future::pending()));
    let mut reading = JoinSet::new();
    let (source, _switch) = EmbeddedSource::new(producer(3), clock);
    let [first, second] = offers;
    let brokered_source = AmqpSource::new(&corner.config).expect("a configuration");
    reading.spawn_local(async move { run_until_ended(&first, || LAST_MS, Box::new(source)).await });
    reading.spawn_local(async move { run_until_ended(&second, || LAST_MS, Box::new(brokered_source)).await });

    for minute in 0..MINUTES {
        let date_ms = START_MS + minute * 60_000;
        now.store(date_ms, Ordering::Relaxed);
        let is_there = |model: &ReadModel| {
            let active = Lang::ALL.into_iter().all(|lang| model.feed_state(lang) == FeedState::Active);
            active && model.feed_date_ms() == date_ms && model.entries().len() == MATCHES
        };
        let deadline = Instant::now() + PATIENCE;
        // An event is applied match by match, and its date is known before its last: equal is what they become.
        let mut unequal = Lang::ALL.to_vec();
        let (mut seen, mut compared) = (None, None);
        while let Some(lang) = unequal.last().copied() {
            let is_late = Instant::now() > deadline;
            let now = Some((lang, embedded.version(), brokered.version()));
            // Compared when nothing moves any more, and not again until something has moved.
            let is_new = now == seen && now != compared;
            seen = now;
            if is_there(&embedded) && is_there(&brokered) && (is_new || is_late) {
                compared = now;
                let [embedded, brokered] = [offer(&embedded, lang).await, offer(&brokered, lang).await];
                if embedded == brokered {
                    unequal.pop();
                } else {
                    assert!(!is_late, "minute {minute}, {}:\n{embedded}\n{brokered}", lang.code());
                }
            }
            assert!(!is_late, "minute {minute}: {:?} {:?}", embedded.readiness(), brokered.readiness());
            run_until_idle().await;
        }
    }
    reading.shutdown().await;
    publishing.shutdown().await;
    corner.clear().await;
}
