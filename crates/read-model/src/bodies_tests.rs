//! How often bodies of the offer are made. The tests count the work; they do not measure time.

use super::*;
use futures_util::FutureExt;
use futures_util::future::join_all;
use kvota_domain::lang::PerLang;
use kvota_domain::offer_event::FeedState;
use kvota_domain::sport::SportInfo;
use kvota_testkit::builders::{live_match, soccer};
use std::time::Duration;

const NOW_MS: i64 = 1_700_000_000_000;

/// An offer of one match.
fn model() -> Arc<ReadModel> {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    let mut sport = SportInfo::new(soccer().id);
    sport.apply_primary(&soccer());
    model.put_sport(Arc::new(sport));
    score(&model, 0);
    Lang::ALL.into_iter().for_each(|lang| model.set_feed(lang, FeedState::Active));
    model
}

/// Changes the offer.
fn score(model: &ReadModel, goals: i64) {
    let columns = soccer().preferred.unwrap_or_default();
    let insert = live_match(17).score(goals, 0).insert();
    model.put_match(Arc::new(MatchState::inserted(&insert, NOW_MS, &columns, PerLang::default(), 1)));
}

fn variants() -> Vec<OfferQuery> {
    let mut variants = Vec::new();
    for lang in Lang::ALL {
        for encoding in Encoding::ALL {
            for view in View::ALL {
                for coding in [Coding::Identity, Coding::Gzip, Coding::Brotli] {
                    variants.push(OfferQuery { lang, encoding, view, coding, base: Base::Own });
                }
            }
        }
    }
    variants
}

const PLAIN: OfferQuery = OfferQuery {
    lang: Lang::Hr,
    encoding: Encoding::Json,
    view: View::Full,
    coding: Coding::Identity,
    base: Base::Own,
};

async fn ask(model: &Arc<ReadModel>, query: OfferQuery) -> Body {
    model.offer(query, || NOW_MS).await.expect("it is made").expect("there is an offer")
}

/// The version of an uncompressed JSON body.
fn version_of(body: &Body) -> u64 {
    let value: serde_json::Value = serde_json::from_slice(&body.bytes).expect("it is JSON");
    value["version"].as_u64().expect("a version is a number")
}

#[tokio::test(start_paused = true)]
async fn requests_within_one_second_cause_at_most_five_bodies() {
    let model = model();
    let asking = (0..100).map(|number| {
        let model = Arc::clone(&model);
        async move {
            tokio::time::sleep(Duration::from_millis(10 * number)).await;
            score(&model, i64::try_from(number).expect("a small number"));
            let asked_at = model.version();
            let body = ask(&model, PLAIN).await;
            assert!(version_of(&body) >= asked_at, "an answer is never older than its request");
        }
    });
    join_all(asking).await;
    assert!(model.bodies_made() <= 5, "{} bodies were made", model.bodies_made());
}

#[tokio::test(start_paused = true)]
async fn concurrent_equal_requests_share_one_body() {
    let model = model();
    for query in variants() {
        let before = (model.bodies_made(), model.bodies_compressed());
        let bodies = join_all((0..20).map(|_| ask(&model, query))).await;
        assert!(bodies.iter().all(|body| body.bytes == bodies[0].bytes && body.etag == bodies[0].etag), "{query:?}");
        // The three codings are requested in turn and share one uncompressed body.
        let expected = if query.coding == Coding::Identity { (1, 0) } else { (0, 1) };
        assert_eq!((model.bodies_made() - before.0, model.bodies_compressed() - before.1), expected, "{query:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn compressed_body_is_made_at_most_as_often_as_the_uncompressed_one() {
    let model = model();
    let query = OfferQuery { coding: Coding::Brotli, ..PLAIN };
    let asking = (0..100).map(|number| {
        let model = Arc::clone(&model);
        async move {
            tokio::time::sleep(Duration::from_millis(10 * number)).await;
            score(&model, i64::try_from(number).expect("a small number"));
            let asked_at = model.version();
            let body = ask(&model, query).await;
            let version = body.etag.split('-').nth(1).and_then(|hex| u64::from_str_radix(hex, 16).ok());
            assert!(version.is_some_and(|version| version >= asked_at), "{} is older than its request", body.etag);
        }
    });
    join_all(asking).await;
    assert!(model.bodies_made() <= 5, "{} bodies were assembled", model.bodies_made());
    assert!(model.bodies_compressed() <= 5, "{} bodies were compressed", model.bodies_compressed());
}

#[tokio::test(start_paused = true)]
async fn first_request_and_unchanged_offer_do_not_wait() {
    let model = model();
    let begin = Instant::now();
    let first = ask(&model, PLAIN).await;
    assert_eq!(ask(&model, PLAIN).await.etag, first.etag);
    tokio::time::advance(Duration::from_millis(OFFER_BODY_AGE_MS_MIN)).await;
    score(&model, 5);
    assert_ne!(ask(&model, PLAIN).await.etag, first.etag);
    assert_eq!(
        begin.elapsed(),
        Duration::from_millis(OFFER_BODY_AGE_MS_MIN),
        "the paused clock did not move by itself"
    );
}

#[tokio::test(start_paused = true)]
async fn concurrent_body_work_stays_within_the_permits() {
    let model = model();
    let permits = Arc::clone(&model.bodies.permits);
    assert_eq!(permits.available_permits(), OFFER_BODIES_AT_ONCE_MAX);
    let number = u32::try_from(OFFER_BODIES_AT_ONCE_MAX).expect("a small number");
    let all = permits.acquire_many(number).await.expect("the semaphore is open");
    let asking = variants().into_iter().map(|query| ask(&model, query));
    let mut asking = std::pin::pin!(join_all(asking));
    assert!(asking.as_mut().now_or_never().is_none());
    tokio::time::advance(Duration::from_secs(10)).await;
    assert!(asking.as_mut().now_or_never().is_none());
    assert_eq!((model.bodies_made(), model.bodies_compressed()), (0, 0), "nothing is made without a permit");
    drop(all);
    assert_eq!(asking.await.len(), 48);
    assert_eq!((model.bodies_made(), model.bodies_compressed()), (16, 32));
    assert_eq!(permits.available_permits(), OFFER_BODIES_AT_ONCE_MAX);
}

#[test]
fn body_is_made_on_the_blocking_pool_and_outlives_its_request() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build();
    runtime.expect("a runtime starts").block_on(async {
        let model = model();
        // The only thread of the pool is busy, so the body has to wait.
        let (release, held) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || held.recv());
        {
            let mut asking = std::pin::pin!(ask(&model, PLAIN));
            assert!(asking.as_mut().now_or_never().is_none());
            assert_eq!(model.bodies_made(), 0, "it was made on the thread that serves");
        }
        // The client has disconnected. The next one gets the body that the first request began.
        release.send(()).expect("the pool waits");
        assert!(busy.await.expect("it did not panic").is_ok());
        ask(&model, PLAIN).await;
        assert_eq!(model.bodies_made(), 1);
    });
}
