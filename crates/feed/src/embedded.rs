//! The embedded feed: drives a [`Producer`] by the clock and sends its events to the owner of the offer, so that `kvota
//! serve` runs without a broker. Must not read the system's clock except in [`wall_clock`].

use super::embedded_results::ResultsPort;
use super::results::ResultsAnswer;
use super::{FeedInput, FeedSink, FeedSource, Position, SnapshotRequest};
use kvota_domain::lang::Lang;
use kvota_domain::settlement::RequestedMatch;
use kvota_simulator::producer::{ACTIVE, LiveEvent, Producer};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

/// The least time between two steps of a producer that is woken: a burst is sent as one event.
const WOKEN_STEP: Duration = Duration::from_millis(20);
/// How often an inactive producer is asked whether it is active again.
pub(crate) const IDLE_STEP: Duration = Duration::from_millis(200);

/// Returns the time in milliseconds since the epoch.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Reads the system's clock once, and then follows the runtime's clock: a test can pause it, and a change of the
/// system's time does not affect it.
pub fn wall_clock() -> WallClock {
    let since_epoch = system_now().duration_since(std::time::UNIX_EPOCH);
    let start_ms = since_epoch.map_or(0, |since| since.as_millis() as i64);
    wall_clock_from(start_ms)
}

#[expect(clippy::disallowed_methods, reason = "the one reading of the system clock; everything after it can be held")]
fn system_now() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

/// A clock that shows `start_ms` now and follows the runtime's clock. Must be called within the runtime.
pub fn wall_clock_from(start_ms: i64) -> WallClock {
    let start = Instant::now();
    Arc::new(move || start_ms.saturating_add(start.elapsed().as_millis() as i64))
}

/// Turns the feed off and on, for operators and tests.
#[derive(Clone, Debug)]
pub struct FeedSwitch(Arc<watch::Sender<bool>>);

impl FeedSwitch {
    /// A switch that is on, and the receiver of its state.
    pub fn new() -> (FeedSwitch, watch::Receiver<bool>) {
        let (sender, active) = watch::channel(true);
        (FeedSwitch(Arc::new(sender)), active)
    }

    /// Makes the feed inactive: the producer sends no live events until [`FeedSwitch::activate`].
    pub fn deactivate(&self) {
        self.0.send_replace(false);
    }

    /// Makes the feed active again. All changes since [`FeedSwitch::deactivate`] are sent as one event.
    pub fn activate(&self) {
        self.0.send_replace(true);
    }
}

/// A producer as a source of the offer.
pub struct EmbeddedSource {
    producer: Producer,
    clock: WallClock,
    active: watch::Receiver<bool>,
    results: Option<ResultsPort>,
    woken: Arc<Notify>,
}

impl EmbeddedSource {
    /// Drives `producer` by `clock`.
    pub fn new(producer: Producer, clock: WallClock) -> (EmbeddedSource, FeedSwitch) {
        let (switch, active) = FeedSwitch::new();
        let source = EmbeddedSource { producer, clock, active, results: None, woken: Arc::default() };
        (source, switch)
    }

    /// Like `self`, but also sends results and answers requests for results.
    pub fn with_results(self, port: ResultsPort) -> EmbeddedSource {
        EmbeddedSource { results: Some(port), ..self }
    }

    /// Like `self`, but also steps when it is notified, so that a change is sent at once.
    pub fn woken_by(self, woken: Arc<Notify>) -> EmbeddedSource {
        EmbeddedSource { woken, ..self }
    }

    fn answer(&self, request: SnapshotRequest) -> FeedInput {
        let SnapshotRequest { lang, correlation } = request;
        let (position, update) = self.producer.snapshot(lang, (self.clock)());
        FeedInput::Snapshot { lang, correlation, position, update }
    }

    /// Sends what has happened since the last step.
    async fn step(&mut self, sink: &FeedSink, port: Option<&ResultsPort>) -> Result<(), Closed> {
        send_events(sink, self.events()).await?;
        let results = self.producer.take_results();
        if let Some(port) = port {
            port.send(results);
        }
        Ok(())
    }

    fn events(&mut self) -> Vec<LiveEvent> {
        let now_ms = (self.clock)();
        self.producer.step(now_ms)
    }
}

impl FeedSource for EmbeddedSource {
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            // The only error is a closed sink, and then the source ends.
            let _ = publish(*self, &sink, requests).await;
        })
    }
}

/// The sink is closed.
struct Closed;

async fn publish(
    mut source: EmbeddedSource,
    sink: &FeedSink,
    mut requests: mpsc::Receiver<SnapshotRequest>,
) -> Result<(), Closed> {
    // Drop the events up to now: the first answer to a request contains the whole offer.
    let _ = source.events();
    send(sink, FeedInput::Connected).await?;
    let mut saying_active = interval(ACTIVE);
    saying_active.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut switch = source.active.clone();
    let mut steps = Steps::default();
    let woken = Arc::clone(&source.woken);
    let mut said_active = None;
    let port = source.results.clone();
    let mut requested = match &port {
        Some(port) => Some(port.requests().await),
        None => None,
    };
    if !(*source.active.borrow() && source.producer.is_active()) {
        // Before the first snapshot, so that an inactive feed never looks active.
        said_active = Some(false);
        send_active(sink, source.producer.position(), false, (source.clock)()).await?;
    }
    loop {
        let active = *source.active.borrow() && source.producer.is_active();
        if said_active.is_some_and(|said| said != active) {
            said_active = None;
            if active {
                // Before the feed is active again, so that no snapshot has the offer of before.
                source.step(sink, port.as_ref()).await?;
            }
            saying_active.reset_immediately();
        }
        tokio::select! {
            biased;
            () = sink.closed() => return Err(Closed),
            Ok(()) = switch.changed() => saying_active.reset_immediately(),
            _ = saying_active.tick() => {
                said_active = Some(active);
                send_active(sink, source.producer.position(), active, (source.clock)()).await?;
            },
            Some(request) = requests.recv() => send(sink, source.answer(request)).await?,
            Some(requested) = next_request(&mut requested) => {
                let results = source.producer.present_results(&requested, (source.clock)());
                if let Some(port) = &port {
                    port.answer(ResultsAnswer { requested, results });
                }
            }
            () = woken.notified() => steps.wake(),
            // An inactive producer is asked as well, because it may become active by itself.
            () = tokio::time::sleep_until(steps.next), if !active => steps.take(IDLE_STEP),
            () = tokio::time::sleep_until(steps.next), if active => {
                source.step(sink, port.as_ref()).await?;
                steps.take(source.producer.until_next((source.clock)()));
            }
        }
    }
}

/// When a publisher makes its next step.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) next: Instant,
    latest: Instant,
}

impl Default for Steps {
    /// The first step is now.
    fn default() -> Steps {
        Steps { next: Instant::now(), latest: Instant::now() }
    }
}

impl Steps {
    /// A step is made now; the next one comes after `wait`.
    pub(crate) fn take(&mut self, wait: Duration) {
        self.latest = Instant::now();
        self.next = self.latest + wait;
    }

    /// There is something to send: the next step comes at once, but not too soon after the latest.
    pub(crate) fn wake(&mut self) {
        self.next = self.next.min(self.latest + WOKEN_STEP);
    }
}

/// The next request of the settlement engine. Never completes if there is no engine.
async fn next_request(requests: &mut Option<ResultsRequests>) -> Option<Vec<RequestedMatch>> {
    match requests {
        Some(requests) => requests.recv().await,
        None => None,
    }
}

type ResultsRequests = tokio::sync::OwnedMutexGuard<mpsc::Receiver<Vec<RequestedMatch>>>;

async fn send(sink: &FeedSink, input: FeedInput) -> Result<(), Closed> {
    sink.send(input).await.map_err(|_| Closed)
}

async fn send_active(sink: &FeedSink, position: Position, active: bool, now_ms: i64) -> Result<(), Closed> {
    for lang in Lang::ALL {
        let input = FeedInput::Active { lang, active, position: Some(position), date_ms: Some(now_ms) };
        send(sink, input).await?;
    }
    Ok(())
}

async fn send_events(sink: &FeedSink, events: Vec<LiveEvent>) -> Result<(), Closed> {
    for event in events {
        for (lang, update) in event.updates {
            let input = FeedInput::Event { lang, position: event.position, update };
            send(sink, input).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::feed::{Change, Time};
    use kvota_domain::ids::{MatchId, SportId};
    use kvota_domain::matches::Match;
    use kvota_domain::sport::SportPatch;
    use kvota_simulator::generator::{GeneratedChange, Generator, RenderMatch};
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
    use tokio::task::JoinSet;

    #[derive(Debug)]
    struct Played(i64);

    impl RenderMatch for Played {
        fn id(&self) -> MatchId {
            MatchId::new(1).unwrap()
        }

        fn sport_id(&self) -> SportId {
            SportId::new(1).unwrap()
        }

        fn entities(&self) -> usize {
            1
        }

        fn render(&self, _: Lang, _: i64) -> (Match, Time) {
            (Match { order: self.0, ..Match::empty(self.id(), self.sport_id()) }, Time::None)
        }
    }

    /// A match with a number that the test sets, and that may be inactive.
    #[derive(Clone, Default)]
    struct Provider {
        number: Arc<AtomicI64>,
        is_active: Arc<AtomicBool>,
    }

    impl Generator for Provider {
        fn sports(&self, _: Lang) -> Vec<SportPatch> {
            Vec::new()
        }

        fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange> {
            let state = Arc::new(Played(self.number.load(Ordering::SeqCst)));
            vec![GeneratedChange { at_ms: to_ms, change: Change::Update, state }]
        }

        fn next_due_ms(&self) -> Option<i64> {
            None
        }

        fn is_active(&self) -> bool {
            self.is_active.load(Ordering::SeqCst)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_feed_that_is_active_again_has_the_present_offer() {
        let provider = Provider::default();
        let producer = Producer::new(1, Lang::Hr, vec![Box::new(provider.clone())]);
        let woken = Arc::<Notify>::default();
        let (source, _switch) = EmbeddedSource::new(producer, wall_clock_from(0));
        let (sink, mut inputs) = mpsc::channel(1);
        let (requests, requested) = mpsc::channel(1);
        let mut tasks = JoinSet::new();
        tasks.spawn(Box::new(source.woken_by(Arc::clone(&woken))).run(sink, requested));
        assert!(matches!(inputs.recv().await, Some(FeedInput::Connected)));
        assert!(matches!(inputs.recv().await, Some(FeedInput::Active { active: false, .. })), "before anything else");

        provider.number.store(7, Ordering::SeqCst);
        provider.is_active.store(true, Ordering::SeqCst);
        woken.notify_one();
        loop {
            match inputs.recv().await.expect("it runs") {
                FeedInput::Active { lang: Lang::Hr, active: true, .. } => break,
                FeedInput::Event { .. } | FeedInput::Active { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        requests.send(SnapshotRequest { lang: Lang::Hr, correlation: 1 }).await.expect("it runs");
        loop {
            if let Some(FeedInput::Snapshot { update, .. }) = inputs.recv().await {
                assert_eq!(update.sports[0].matches[0].live_match.order, 7);
                return;
            }
        }
    }
}
