//! Starts the feed actor with its source, and starts each again when it dies. Sport, match and session actors are
//! started by their parents, not here.

use super::feed_actor::FeedActor;
use super::offer_context::OfferContext;
use super::sport_router::clear_offer;
use actix::Arbiter;
use kvota_feed::FeedSource;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Feed inputs that wait for the FeedActor. So few that decoded data is still in the processor's cache when it is
/// applied (docs/performance.md): the source runs on the same thread.
const INPUTS_MAX: usize = 4;
/// Snapshot requests that wait for the source: one per language, and some that have timed out.
const REQUESTS_MAX: usize = 64;
/// The first wait before a reader or source that panicked is restarted.
const RESTART_AFTER: Duration = Duration::from_millis(50);
/// The longest wait: it doubles with each panic, so that a permanent fault does not spin.
const RESTART_AFTER_MAX: Duration = Duration::from_secs(1);
/// The wait is reset after this uptime.
const BACKOFF_RESET_AFTER: Duration = Duration::from_secs(5);

/// Starts a thread with a feed source, the FeedActor and all sport and match actors. Source and FeedActor are restarted
/// when either panics. `make_source` makes a new source; `now_ms` is the wall clock in ms since the epoch.
pub fn start(
    offer: OfferContext,
    now_ms: fn() -> i64,
    make_source: impl Fn() -> Box<dyn FeedSource> + Send + 'static,
) -> Arbiter {
    let arbiter = Arbiter::new();
    arbiter.spawn(run_with_restarts(offer, now_ms, make_source));
    arbiter
}

/// Like [`start`] on this thread, until the future is dropped.
pub async fn run_with_restarts(
    offer: OfferContext,
    now_ms: fn() -> i64,
    make_source: impl Fn() -> Box<dyn FeedSource>,
) {
    let mut wait = RESTART_AFTER;
    loop {
        let began = Instant::now();
        run_until_ended(&offer, now_ms, make_source()).await;
        if began.elapsed() >= BACKOFF_RESET_AFTER {
            wait = RESTART_AFTER;
        }
        crate::panics::died("feed", "", None, "it is started again");
        tokio::time::sleep(wait).await;
        wait = wait.saturating_mul(2).min(RESTART_AFTER_MAX);
    }
}

/// Runs a source and a FeedActor on this thread until both have ended. Each ends with the other.
pub async fn run_until_ended(offer: &OfferContext, now_ms: fn() -> i64, source: Box<dyn FeedSource>) {
    let (sink, inputs) = mpsc::channel(INPUTS_MAX);
    let (ask, requests) = mpsc::channel(REQUESTS_MAX);
    let (_reader, gone) = FeedActor::start_with_end_notice(offer.clone(), now_ms, inputs, ask);
    // A panic of the source ends only its task; the FeedActor sees the end of its inputs.
    #[expect(clippy::disallowed_methods, reason = "awaited in the next line, where its panic is seen")]
    let source = actix::spawn(source.run(sink, requests));
    // Completes also after the end of the source: the FeedActor applies the last inputs and ends.
    let _ = gone.await;
    clear_offer(offer);
    if let Err(error) = source.await {
        tracing::error!(%error, "the source of the feed died");
    }
}
