//! Creates the source of the offer from the configuration. Called by `server/mod.rs` at the start and whenever the reader
//! of the feed is restarted, and by `command/actions.rs` to publish or write a feed.

use crate::config::{Config, Feed, FeedKind};
use kvota_domain::ids::SOCCER;
use kvota_domain::lang::Lang;
use kvota_feed::amqp::{AmqpConfig, AmqpConfigError, AmqpResults, AmqpSource};
use kvota_feed::embedded::{EmbeddedSource, FeedSwitch, wall_clock};
use kvota_feed::embedded_results::{EmbeddedResults, ResultsPort};
use kvota_feed::results::{ResultsLink, ResultsSource};
use kvota_feed::uof::UofGenerator;
use kvota_feed::{FeedSink, FeedSource, SnapshotRequest};
use kvota_simulator::generator::{Generator, IdSpace};
use kvota_simulator::producer::Producer;
use kvota_simulator::recording::files::{RecordingError, RecordingFiles};
use kvota_simulator::recording::generator::{RecordingGenerator, ReplayOptions};
use kvota_simulator::simulator::generator::Simulator;
use kvota_simulator::simulator::options::{SimulatorError, SimulatorOptions};
use kvota_uof::connection::{StartError, Uof};
use kvota_uof::producer::State;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// The operators' switch of the embedded feed, if there is one (docs/operations.md).
#[derive(Clone, Default)]
pub(crate) struct Switch(Arc<Mutex<SwitchState>>);

#[derive(Default)]
struct SwitchState {
    of_source: Option<FeedSwitch>,
    is_off: bool,
}

impl Switch {
    /// Turns the embedded feed off or on.
    pub(crate) fn set(&self, active: bool) {
        let mut hook = self.lock();
        hook.is_off = !active;
        match (&hook.of_source, active) {
            (Some(switch), true) => switch.activate(),
            (Some(switch), false) => switch.deactivate(),
            (None, _) => tracing::warn!("there is no embedded feed to switch"),
        }
    }

    /// Connects a new source to the switch. If an operator turned the feed off, it stays off after a restart.
    fn connect(&self, switch: FeedSwitch) {
        let mut hook = self.lock();
        if hook.is_off {
            switch.deactivate();
        }
        hook.of_source = Some(switch);
    }

    fn lock(&self) -> MutexGuard<'_, SwitchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The embedded producer's starts in one process differ by at least this, in ms.
const START_AFTER_MS: i64 = 1_000;

/// Creates sources.
pub(crate) type Factory = Box<dyn Fn() -> Box<dyn FeedSource> + Send>;

/// Why a source cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// There is nothing to replay.
    #[error("there is nothing to replay")]
    Recording(#[from] RecordingError),
    /// The simulation options are invalid.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// The configuration of the broker is invalid.
    #[error("the feed is configured wrongly")]
    Amqp(#[from] AmqpConfigError),
    /// The configuration of a provider's feed is invalid.
    #[error("the provider's feed is configured wrongly")]
    Uof(#[from] StartError),
    /// A key of a provider's feed has no value.
    #[error("{0} is empty")]
    Missing(&'static str),
}

/// A factory for the configured source.
///
/// # Errors
/// The configured source can never work.
pub(crate) fn factory(
    config: &Config,
    switch: Switch,
    results: ResultsPort,
    uof: Option<Uof>,
) -> Result<Factory, SourceError> {
    if let Some(uof) = uof {
        let primary = config.feed.primary_language;
        return Ok(Box::new(move || {
            let producer = uof_producer(uof.clone(), primary, wall_clock()());
            let (source, hook) = EmbeddedSource::new(producer, wall_clock());
            switch.connect(hook);
            Box::new(source.with_results(results.clone()).woken_by(uof.changed()))
        }));
    }
    match config.feed.source {
        FeedKind::Embedded | FeedKind::Uof => {
            let feed = config.feed.clone();
            // Created before anything is started, so that a mistake is reported at once. The first source uses this
            // producer.
            let started_ms = wall_clock()();
            let latest = Mutex::new((started_ms, Some(producer(&feed, Played::All, started_ms)?)));
            Ok(Box::new(move || {
                let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
                let first = latest.1.take();
                if first.is_none() {
                    // The ids of a producer follow from its start, so two starts must be apart.
                    latest.0 = wall_clock()().max(latest.0.saturating_add(START_AFTER_MS));
                }
                embedded(&feed, first, latest.0, &switch, results.clone())
            }))
        }
        FeedKind::Amqp => {
            let config = amqp_config(&config.feed);
            // Validated before anything is started, because a wrong configuration never starts to work.
            AmqpSource::new(&config)?;
            Ok(Box::new(move || match AmqpSource::new(&config) {
                Ok(source) => Box::new(source),
                Err(error) => Box::new(FailedSource(error.to_string())),
            }))
        }
        #[cfg(feature = "testkit")]
        FeedKind::Scripted => scripted(&config.feed, switch, results),
    }
}

/// Begins to follow the provider's feed, if it is the source of the offer.
///
/// # Errors
/// Its configuration can never work.
pub(crate) fn uof_of_source(config: &Config) -> Result<Option<Uof>, SourceError> {
    (config.feed.source == FeedKind::Uof).then(|| uof(config)).transpose()
}

/// Begins to follow the provider's feed.
///
/// # Errors
/// Its configuration can never work.
pub(crate) fn uof(config: &Config) -> Result<Uof, SourceError> {
    let feed = &config.feed;
    if let Some(key) = feed.uof.lacks() {
        return Err(SourceError::Missing(key));
    }
    let uof = feed.uof.clone();
    let config = kvota_uof::connection::Config {
        amqp_url: uof.amqp_url.reveal().to_owned(),
        exchange: uof.exchange,
        api_url: uof.api_url,
        token: uof.token.reveal().to_owned(),
        producers: uof.producers,
        node_id: uof.node_id,
        languages: uof.languages,
        alive_seconds: uof.alive_seconds,
        wait_for_confirmed: uof.wait_for_confirmed,
        ca_file: feed.ca_file.clone(),
        heartbeat_s: feed.heartbeat_seconds,
        folder: config.store.data_dir.join(format!("uof-{}", uof.node_id)),
    };
    Ok(Uof::start(config, wall_clock())?)
}

/// The states of a provider's producers, for `readyz`.
pub(crate) fn uof_states(uof: &Uof) -> Vec<(u32, &'static str)> {
    let text = |state| match state {
        State::Up => "up",
        State::Recovering => "recovering",
        State::Down => "down",
    };
    uof.states().into_iter().map(|(producer, state)| (producer, text(state))).collect()
}

/// The producer of a provider's feed.
pub(crate) fn uof_producer(uof: Uof, primary: Lang, epoch: i64) -> Producer {
    Producer::new(epoch, primary, vec![Box::new(UofGenerator::new(uof))])
}

/// The source of results; `embedded` is the one of the in-process feed.
///
/// # Errors
/// The configuration cannot work.
pub(crate) fn results(
    config: &Config,
    embedded: EmbeddedResults,
    link: ResultsLink,
) -> Result<impl Fn() -> Box<dyn ResultsSource> + use<>, SourceError> {
    let amqp = match config.feed.source {
        FeedKind::Amqp => Some(Arc::new(AmqpResults::new(&amqp_config(&config.feed), link)?)),
        FeedKind::Embedded | FeedKind::Uof => None,
        #[cfg(feature = "testkit")]
        FeedKind::Scripted => None,
    };
    Ok(move || match &amqp {
        Some(amqp) => Box::new(Arc::clone(amqp)) as Box<dyn ResultsSource>,
        None => Box::new(embedded.clone()),
    })
}

/// What the in-process feed plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Played {
    /// Recorded and simulated matches.
    All,
    /// Only recorded matches.
    Recorded,
    /// Only simulated matches.
    Simulated,
}

/// The producer of the in-process feed.
///
/// # Errors
/// There is nothing to replay, or the simulation options are invalid.
pub(crate) fn producer(feed: &Feed, played: Played, epoch: i64) -> Result<Producer, SourceError> {
    let producer = Producer::new(epoch, feed.primary_language, generators(feed, played, epoch)?);
    Ok(producer.with_result_corrections(feed.result_corrections, feed.seed))
}

fn generators(feed: &Feed, played: Played, started_ms: i64) -> Result<Vec<Box<dyn Generator>>, SourceError> {
    let mut generators: Vec<Box<dyn Generator>> = Vec::new();
    if played != Played::Simulated {
        generators.push(Box::new(recordings(feed, started_ms)?));
    }
    if played == Played::Simulated || (played == Played::All && feed.simulated_matches > 0) {
        generators.push(Box::new(simulation(feed, played, started_ms)?));
    }
    Ok(generators)
}

fn simulation(feed: &Feed, played: Played, started_ms: i64) -> Result<Simulator, SimulatorError> {
    Simulator::new(SimulatorOptions {
        matches: feed.simulated_matches,
        sports: feed.simulated_sports.clone(),
        without: if played == Played::All { vec![SOCCER.get()] } else { Vec::new() },
        seed: feed.seed,
        speed: feed.speed,
        rate: feed.price_rate,
        ids: IdSpace::new(1, 2, started_ms),
        abandoned: feed.abandoned,
    })
}

fn recordings(feed: &Feed, started_ms: i64) -> Result<RecordingGenerator, RecordingError> {
    let files = match &feed.recording_dir {
        Some(folder) => RecordingFiles::Folder(folder.clone()),
        None => RecordingFiles::Embedded,
    };
    let options = ReplayOptions {
        speed: feed.speed,
        start_s: i64::from(feed.start_minute) * 60,
        ids: IdSpace::new(0, 2, started_ms),
        ..ReplayOptions::default()
    };
    RecordingGenerator::open(&files, options)
}

fn embedded(
    feed: &Feed,
    made: Option<Producer>,
    started_ms: i64,
    switch: &Switch,
    results: ResultsPort,
) -> Box<dyn FeedSource> {
    let clock = wall_clock();
    let made = made.map_or_else(|| producer(feed, Played::All, started_ms), Ok);
    let producer = made.unwrap_or_else(|error| {
        tracing::error!(error = &error as &dyn std::error::Error, "there is nothing to replay any more: {error}");
        Producer::new(started_ms, feed.primary_language, Vec::new())
    });
    let (source, hook) = EmbeddedSource::new(producer, clock);
    switch.connect(hook);
    Box::new(source.with_results(results))
}

/// The feed of the browser tests. Its commands come from standard input, which can be read only once, so there is no
/// second source after the first.
#[cfg(feature = "testkit")]
fn scripted(feed: &Feed, switch: Switch, results: ResultsPort) -> Result<Factory, SourceError> {
    use kvota_feed::scripted::{Scripted, commands_of};
    let commands = commands_of(std::io::BufReader::new(std::io::stdin()));
    let script = Scripted::new(generators(feed, Played::All, 0)?, commands);
    let first = Producer::new(wall_clock()(), feed.primary_language, vec![Box::new(script)]);
    let first = Mutex::new(Some(first));
    Ok(Box::new(move || {
        let Some(producer) = first.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Box::new(FailedSource("a scripted feed cannot start again".to_owned()));
        };
        let (source, hook) = EmbeddedSource::new(producer, wall_clock());
        switch.connect(hook);
        Box::new(source.with_results(results.clone()))
    }))
}

/// The connection settings of the broker.
pub(crate) fn amqp_config(feed: &Feed) -> AmqpConfig {
    AmqpConfig {
        url: feed.amqp_url.reveal().to_owned(),
        exchange: feed.exchange.clone(),
        primary_language: feed.primary_language,
        snapshot_queue: feed.snapshot_queue.clone(),
        results_queue: feed.results_queue.clone(),
        results_request_queue: feed.results_request_queue.clone(),
        ca_file: feed.ca_file.clone(),
        heartbeat_s: feed.heartbeat_seconds,
        declare: feed.declare,
        message_ttl_ms: feed.lag_limits.down_ms,
        ..AmqpConfig::default()
    }
}

/// Replaces a source that cannot be created again, for example because a file is gone. It logs the error and ends; the
/// supervisor then tries again.
struct FailedSource(String);

impl FeedSource for FailedSource {
    fn run(
        self: Box<Self>,
        _: FeedSink,
        _: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move { tracing::error!("there is no feed: {}", self.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feed_turned_off_by_an_operator_stays_off_after_a_restart() {
        let switch = Switch::default();
        let (first, active) = FeedSwitch::new();
        switch.connect(first);
        switch.set(false);
        assert!(!*active.borrow());
        let (second, active) = FeedSwitch::new();
        switch.connect(second);
        assert!(!*active.borrow(), "only its operator turns it on again");
        switch.set(true);
        assert!(*active.borrow());
    }
}
