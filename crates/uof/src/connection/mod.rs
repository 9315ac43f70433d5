//! The feed of a provider while it runs: a connection to its broker, calls of its REST interface, and the adapter that
//! follows both. Each has threads of its own, so that no reader of the offer delays them, and none delays the others.
//!
//! A panic while a message is handled is counted, and everything is recovered: no line can be bet on that may have missed
//! a message.

mod cache;
mod consumer;
mod journal;
mod rest;
#[cfg(test)]
mod test_folder;

use crate::adapter::{Adapter, EventChange, Settings};
use crate::message::{Message, ProducerId};
use crate::producer::State;
use crate::question::Question;
use crate::routing_key;
use cache::Cache;
use consumer::{Delivery, Receiver, Subscription};
use journal::Journal;
use kvota_broker::{AddressError, Broker};
use kvota_domain::Text;
use kvota_domain::ids::SportId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::settlement::{MatchResults, RequestedMatch};
use lapin::types::ShortString;
use rest::Rest;
use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Messages that may wait to be read. The provider cuts off a reader with 20,000 at its broker; here they only mean that
/// this computer is too slow, and then everything is recovered.
const DELIVERIES_MAX: usize = 50_000;
/// Messages that are handled before readers get their turn.
const BATCH: usize = 256;
/// How often the adapter sees the time pass.
const TICK: Duration = Duration::from_millis(200);
/// How often an idle thread asks whether it must end.
const IDLE: Duration = Duration::from_millis(500);
/// Threads for calls of the REST interface, beside one for orders.
const CALLERS: usize = 6;

/// How a provider's feed is reached (contract 10, `feed.uof`).
#[derive(Clone)]
pub struct Config {
    /// The broker with token and virtual host.
    pub amqp_url: String,
    /// The provider's exchange.
    pub exchange: String,
    /// The REST interface, up to and including its version.
    pub api_url: String,
    /// The token for the REST interface.
    pub token: String,
    /// The producers that are followed.
    pub producers: Vec<ProducerId>,
    /// Ours among several readers with one token.
    pub node_id: u32,
    /// The provider's names of our languages.
    pub languages: PerLang<String>,
    /// After how many seconds without an alive message a producer is down.
    pub alive_seconds: u32,
    /// The market types that are paid only when a settlement is confirmed.
    pub wait_for_confirmed: BTreeSet<i64>,
    /// Certificates (PEM) of an authority that is trusted in addition to the public ones.
    pub ca_file: Option<PathBuf>,
    /// Interval of heartbeats with the broker, in seconds.
    pub heartbeat_s: u16,
    /// The folder for answers and results.
    pub folder: PathBuf,
}

/// Why a feed can never be followed.
#[derive(thiserror::Error, Debug)]
pub enum StartError {
    /// The address of the broker.
    #[error("feed.uof.amqp_url: {0}")]
    Address(#[from] AddressError),
    /// The name of the exchange.
    #[error("feed.uof.exchange must have 1 to 255 bytes")]
    Exchange,
    /// The folder cannot be used.
    #[error("the folder {} cannot be used", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// A thread cannot be started.
    #[error("a thread of the provider's feed cannot be started")]
    Thread(#[from] io::Error),
}

/// The time in ms since the epoch.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// A provider's feed that is being followed. Clones share it; it ends with the last one.
#[derive(Clone)]
pub struct Uof(Arc<Running>);

struct Running(Arc<Shared>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
        self.0.reconnect.notify_one();
    }
}

/// What the threads share.
struct Shared {
    adapter: Mutex<Adapter>,
    journal: Journal,
    clock: Clock,
    /// The number of the present connection to the broker.
    connection: AtomicU64,
    /// Ends the present connection.
    reconnect: Notify,
    changed: Arc<Notify>,
    deliveries: SyncSender<Delivery>,
    orders: mpsc::Sender<Question>,
    calls: mpsc::Sender<Question>,
    languages: PerLang<String>,
    node_id: u32,
    is_stopped: AtomicBool,
}

impl Uof {
    /// Begins to follow a feed. It connects in the background, and again after any failure.
    ///
    /// # Errors
    /// A configuration that can never work.
    pub fn start(config: Config, clock: Clock) -> Result<Uof, StartError> {
        let exchange = ShortString::try_new(config.exchange.as_str()).ok().filter(|_| !config.exchange.is_empty());
        let exchange = exchange.ok_or(StartError::Exchange)?;
        let broker = Broker::new(&config.amqp_url, config.ca_file.as_deref(), config.heartbeat_s, "kvota uof")?;
        if !config.amqp_url.starts_with("amqps:") {
            tracing::warn!(address = broker.address, "the provider's broker is reached without TLS");
        }
        let in_folder = |error| StartError::Folder(config.folder.clone(), error);
        let journal = Journal::open(config.folder.join("results")).map_err(in_folder)?;
        let cache = Cache::open(config.folder.join("answers")).map_err(in_folder)?;
        let now_ms = clock();
        let settings = Settings {
            producers: config.producers.clone(),
            silence_ms: i64::from(config.alive_seconds).saturating_mul(1_000),
            waits: config.wait_for_confirmed,
            // Seconds: larger than those of every earlier run, and small enough for 31 bits.
            first_request_id: now_ms.div_euclid(1_000),
        };
        let (deliveries, delivered) = mpsc::sync_channel(DELIVERIES_MAX);
        let (orders, ordered) = mpsc::channel();
        let (calls, called) = mpsc::channel();
        let shared = Arc::new(Shared {
            adapter: Mutex::new(Adapter::new(settings)),
            journal,
            clock,
            connection: AtomicU64::new(0),
            reconnect: Notify::new(),
            changed: Arc::default(),
            deliveries,
            orders,
            calls,
            languages: config.languages,
            node_id: config.node_id,
            is_stopped: AtomicBool::new(false),
        });
        let rest = Arc::new(Rest::new(&config.api_url, config.token, cache));
        let called = Arc::new(Mutex::new(called));
        for _ in 0..CALLERS {
            let (shared, rest, called) = (Arc::clone(&shared), Arc::clone(&rest), Arc::clone(&called));
            spawn("uof-call", move || answer_all(&shared, &rest, &called))?;
        }
        let of_orders = Arc::clone(&shared);
        spawn("uof-order", move || answer_all(&of_orders, &rest, &Mutex::new(ordered)))?;
        let of_messages = Arc::clone(&shared);
        spawn("uof-messages", move || follow(&of_messages, &delivered))?;
        let subscription = Subscription {
            exchange,
            is_live_alone: Subscription::is_live_alone(&config.producers),
            node_id: config.node_id,
        };
        let of_broker = Arc::clone(&shared);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        spawn("uof-broker", move || runtime.block_on(connect_for_ever(&broker, &subscription, &of_broker)))?;
        Ok(Uof(Arc::new(Running(shared))))
    }

    /// Notified when there are changes or results to take.
    pub fn changed(&self) -> Arc<Notify> {
        Arc::clone(&self.shared().changed)
    }

    /// Whether the feed is active: one producer is up (contract 10).
    pub fn is_active(&self) -> bool {
        self.shared().adapter().is_active()
    }

    /// The states of all producers.
    pub fn states(&self) -> Vec<(ProducerId, State)> {
        self.shared().adapter().states().collect()
    }

    /// Takes the changes of the offer since the last call. There must be one caller.
    pub fn take_changes(&self) -> Vec<EventChange> {
        let now_ms = self.shared().now_ms();
        self.shared().adapter().take_changes(now_ms)
    }

    /// The next changes are the whole offer: the caller of [`Uof::take_changes`] has none of it.
    pub fn forget_offer(&self) {
        self.shared().adapter().forget_offer();
    }

    /// Takes the results since the last call.
    pub fn take_results(&self) -> Vec<MatchResults> {
        self.shared().adapter().take_decided()
    }

    /// The current results of matches; missing ones are asked of the provider, and come with [`Uof::take_results`].
    pub fn present_results(&self, requested: &[RequestedMatch]) -> Vec<MatchResults> {
        let shared = self.shared();
        let now_ms = shared.now_ms();
        let mut adapter = shared.adapter();
        for requested in requested {
            if let Some(urn) = adapter.urn_of(requested.match_id).filter(|urn| !adapter.has_results(urn)) {
                let messages = shared.journal.messages(&urn);
                if !messages.is_empty() {
                    adapter.replay(&urn, messages.into_iter(), now_ms);
                }
            }
        }
        let present = adapter.present_results(requested, now_ms);
        shared.pass_questions_on(&mut adapter);
        present
    }

    /// The name of a sport in a language.
    pub fn sport_name(&self, sport: SportId, lang: Lang) -> Option<Text> {
        self.shared().adapter().sport_name(sport, lang).cloned()
    }

    fn shared(&self) -> &Shared {
        &self.0.0
    }
}

impl Shared {
    fn adapter(&self) -> MutexGuard<'_, Adapter> {
        self.adapter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Gives the adapter's questions to the threads that ask them.
    fn pass_questions_on(&self, adapter: &mut Adapter) {
        for question in adapter.take_questions() {
            let threads = if question.is_order() { &self.orders } else { &self.calls };
            // The threads end only with the program.
            let _ = threads.send(question);
        }
    }

    fn notify_of(&self, adapter: &Adapter) {
        if adapter.has_changes() {
            self.changed.notify_one();
        }
    }

    /// Handles a message; whether it could be read.
    fn handle(&self, delivery: Delivery) {
        if delivery.connection != self.connection.load(Ordering::Relaxed) {
            return;
        }
        let message = match Message::parse(&delivery.body) {
            Ok(message) => message,
            Err(error) => {
                metrics::counter!("kvota_uof_malformed_total").increment(1);
                let key = delivery.key.as_str();
                tracing::warn!(key, bytes = delivery.body.len(), "skipped a message of the provider: {error}");
                if let Some((event, part)) = routing_key::event(key) {
                    self.adapter().skipped(event, part, self.now_ms());
                }
                return;
            }
        };
        metrics::counter!("kvota_uof_messages_total", "kind" => message.kind()).increment(1);
        let now_ms = self.now_ms();
        let mut adapter = self.adapter();
        if let Message::Event(message) = &message
            && message.body.is_result()
        {
            if !adapter.has_results(&message.event) {
                adapter.replay(&message.event, self.journal.messages(&message.event).into_iter(), now_ms);
            }
            if let Err(error) = self.journal.append(&message.event, &delivery.body) {
                tracing::error!("a message about results cannot be kept: {error}");
            }
        }
        adapter.message(message, routing_key::sport(delivery.key.as_str()), delivery.received_ms, now_ms);
    }
}

impl Receiver for Shared {
    fn connected(&self) -> u64 {
        let mut adapter = self.adapter();
        let number = self.connection.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        adapter.connection(true, self.now_ms());
        number
    }

    fn lost(&self) {
        let mut adapter = self.adapter();
        self.connection.fetch_add(1, Ordering::Relaxed);
        adapter.connection(false, self.now_ms());
        self.notify_of(&adapter);
        self.changed.notify_one();
    }

    fn take(&self, delivery: Delivery) -> bool {
        !matches!(self.deliveries.try_send(delivery), Err(TrySendError::Full(_)))
    }

    fn now_ms(&self) -> i64 {
        (self.clock)()
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Consumes until the feed is stopped; connects again whenever that is asked for.
async fn connect_for_ever(broker: &Broker, subscription: &Subscription, shared: &Shared) {
    while !shared.is_stopped() {
        tokio::select! {
            () = consumer::consume(broker, subscription, shared) => {}
            () = shared.reconnect.notified() => shared.lost(),
        }
    }
}

/// Handles messages in the order in which they came.
fn follow(shared: &Shared, delivered: &mpsc::Receiver<Delivery>) {
    let mut ticked_ms = 0;
    let mut states = Vec::new();
    while !shared.is_stopped() {
        let mut next = match delivered.recv_timeout(TICK) {
            Ok(delivery) => Some(delivery),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let mut handled = 0_usize;
        while let Some(delivery) = next.take() {
            guarded(shared, || shared.handle(delivery));
            handled = handled.saturating_add(1);
            next = if handled < BATCH { delivered.try_recv().ok() } else { None };
        }
        let now_ms = shared.now_ms();
        let mut adapter = shared.adapter();
        if now_ms.saturating_sub(ticked_ms) >= TICK.as_millis() as i64 {
            ticked_ms = now_ms;
            guarded(shared, || adapter.tick(now_ms));
            metrics::gauge!("kvota_uof_offered_events").set(adapter.number_of_offered() as f64);
        }
        report(&mut states, adapter.states().collect());
        shared.pass_questions_on(&mut adapter);
        shared.notify_of(&adapter);
    }
}

/// Does some work. After a panic everything is recovered, because what was known may be incomplete.
fn guarded(shared: &Shared, work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        metrics::counter!("kvota_uof_panics_total").increment(1);
        tracing::error!("a fault while the provider's feed was read; it is recovered as a whole");
        shared.reconnect.notify_one();
    }
}

/// Logs the producers that have changed their state.
fn report(states: &mut Vec<(ProducerId, State)>, now: Vec<(ProducerId, State)>) {
    for (producer, state) in now.iter().filter(|held| !states.contains(held)) {
        let is_up = *state == State::Up;
        metrics::gauge!("kvota_uof_producer_up", "producer" => producer.to_string()).set(f64::from(u8::from(is_up)));
        match state {
            State::Up => tracing::info!(producer, "producer {producer} is up"),
            State::Recovering => tracing::info!(producer, "producer {producer} is recovered"),
            State::Down => tracing::warn!(producer, "producer {producer} is down"),
        }
    }
    *states = now;
}

/// Asks questions one after the other, until the feed is stopped.
fn answer_all(shared: &Shared, rest: &Rest, questions: &Mutex<mpsc::Receiver<Question>>) {
    while !shared.is_stopped() {
        let next = questions.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(IDLE);
        let question = match next {
            Ok(question) => question,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        guarded(shared, || {
            let language = question.lang().map_or("", |lang| shared.languages[lang].as_str());
            let producer = match &question {
                Question::Recovery { product, .. } | Question::OfEvent { product, .. } => {
                    shared.adapter().path(*product).to_owned()
                }
                _ => String::new(),
            };
            let path = question.path(language, &producer, shared.node_id);
            let answer = rest.ask(&question, &path, || shared.now_ms(), std::thread::park_timeout);
            let mut adapter = shared.adapter();
            adapter.answer(&question, answer, shared.now_ms());
            shared.pass_questions_on(&mut adapter);
            shared.notify_of(&adapter);
        });
    }
}
