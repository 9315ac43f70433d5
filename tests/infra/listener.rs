//! Test support: the inputs of a feed source, and an offer that applies them by the rules of the contract.

use kvota::testkit::proxy::ChaosProxy;
use kvota_domain::feed::FeedUpdate;
use kvota_domain::lang::Lang;
use kvota_feed::amqp::{AmqpConfig, AmqpSource};
use kvota_feed::fold::fold;
use kvota_feed::liveness::{Decision, Liveness, LivenessInput, LivenessState};
use kvota_feed::{FeedInput, FeedSource, SnapshotRequest};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// No condition takes longer on the slowest machine.
const LIMIT: Duration = Duration::from_secs(40);

/// A running source.
pub(crate) struct Listener {
    inputs: mpsc::Receiver<FeedInput>,
    requests: mpsc::Sender<SnapshotRequest>,
    _task: JoinSet<()>,
}

impl Listener {
    pub(crate) fn start(config: &AmqpConfig) -> Listener {
        let source = Box::new(AmqpSource::new(config).expect("a configuration that can work"));
        let (sink, inputs) = mpsc::channel(16);
        let (requests, asked) = mpsc::channel(16);
        let mut task = JoinSet::new();
        task.spawn(source.run(sink, asked));
        Listener { inputs, requests, _task: task }
    }

    /// The next input.
    pub(crate) async fn next(&mut self) -> FeedInput {
        let received = timeout(LIMIT, self.inputs.recv()).await;
        received.expect("something is told in time").expect("a source never ends")
    }

    /// The next input, if there is one within this time.
    pub(crate) async fn next_within(&mut self, time: Duration) -> Option<FeedInput> {
        timeout(time, self.inputs.recv()).await.ok().flatten()
    }

    /// Waits until the source has tried to connect `times` times without success. It must not report a lost connection.
    pub(crate) async fn fails_to_connect(&mut self, wire: &ChaosProxy, times: u64) {
        tokio::select! {
            biased;
            received = self.inputs.recv() => panic!("nothing is to be told before a link stands: {received:?}"),
            () = wire.until_ended(times) => {}
        }
    }

    /// The first input for which `wanted` returns a value.
    pub(crate) async fn find<T>(&mut self, wanted: impl Fn(FeedInput) -> Option<T>) -> T {
        let found = async {
            loop {
                if let Some(found) = wanted(self.next().await) {
                    return found;
                }
            }
        };
        timeout(LIMIT, found).await.expect("what is wanted is told in time")
    }

    pub(crate) async fn connected(&mut self) {
        self.find(|input| matches!(input, FeedInput::Connected).then_some(())).await;
    }

    pub(crate) async fn lost(&mut self) -> String {
        self.find(|input| match input {
            FeedInput::Lost { cause } => Some(cause),
            _ => None,
        })
        .await
    }

    pub(crate) async fn ask(&self, lang: Lang, correlation: u64) {
        self.requests.send(SnapshotRequest { lang, correlation }).await.expect("a source that listens");
    }
}

/// The offer in one language, kept by the rules of the contract.
pub(crate) struct Owner {
    listener: Listener,
    lang: Lang,
    liveness: Liveness<FeedUpdate>,
    began: Instant,
    pub(crate) offer: FeedUpdate,
    pub(crate) states: Vec<LivenessState>,
}

impl Owner {
    pub(crate) fn new(listener: Listener, lang: Lang) -> Owner {
        let (liveness, offer) = (Liveness::new(lang), FeedUpdate::default());
        Owner { listener, lang, liveness, began: Instant::now(), offer, states: Vec::new() }
    }

    /// Applies inputs until the offer is as wanted.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Owner) -> bool) {
        let deadline = Instant::now() + LIMIT;
        while !wanted(self) {
            assert!(Instant::now() < deadline, "{:?} with {:?}", self.states, self.offer);
            self.turn().await;
        }
    }

    pub(crate) fn state(&self) -> LivenessState {
        self.liveness.state()
    }

    async fn turn(&mut self) {
        let due = self.liveness.next_deadline_ms().map_or(LIMIT, Duration::from_millis);
        let received = tokio::time::timeout_at(self.began + due, self.listener.next()).await;
        let input = match received {
            Err(_) => LivenessInput::Tick,
            Ok(input) => match LivenessInput::of(input) {
                (Some(lang), _) if lang != self.lang => return,
                (_, input) => input,
            },
        };
        let now_ms = u64::try_from(self.began.elapsed().as_millis()).expect("a short test");
        for decision in self.liveness.handle(input, now_ms) {
            match decision {
                Decision::Apply(event) => self.offer = fold(&self.offer, [&*event]),
                Decision::TakeSnapshot { snapshot, replay } => {
                    self.offer = fold(&snapshot, replay.iter().map(|event| &**event));
                }
                Decision::RequestSnapshot { correlation } => self.listener.ask(self.lang, correlation).await,
                Decision::StateChanged(state) => {
                    self.states.push(state);
                    if state.is_down() {
                        self.offer = FeedUpdate::default();
                    }
                }
                Decision::Ignore(_) => {}
            }
        }
    }
}
