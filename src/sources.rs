//! Which source the offer comes from, as the configuration says. Called by `serving.rs` at the start, and again whenever
//! the reader of the feed had to be started anew; by `app.rs` where a feed is published or written.

use crate::config::{Config, Feed, FeedKind};
use crate::domain::ids::SOCCER;
use crate::feed::amqp::{AmqpConfig, AmqpConfigError, AmqpResults, AmqpSource};
use crate::feed::embedded::{EmbeddedSource, FeedSwitch, wall_clock};
use crate::feed::embedded_results::{EmbeddedResults, ResultsPort};
use crate::feed::generator::{Blocks, Generator};
use crate::feed::producer::Producer;
use crate::feed::recording::files::{RecordingError, RecordingFiles};
use crate::feed::recording::generator::{RecordingGenerator, ReplayOptions};
use crate::feed::results::ResultsSource;
use crate::feed::simulator::generator::Simulator;
use crate::feed::simulator::options::{SimulatorError, SimulatorOptions};
use crate::feed::{FeedSink, FeedSource, SnapshotRequest};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// The switch of the embedded feed, where there is one: the operators' hook (docs/operations.md).
#[derive(Clone, Default)]
pub(crate) struct Switch(Arc<Mutex<Hook>>);

#[derive(Default)]
struct Hook {
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

    /// A source began, perhaps in the place of one that died: what an operator turned off stays off.
    fn hold(&self, switch: FeedSwitch) {
        let mut hook = self.lock();
        if hook.is_off {
            switch.deactivate();
        }
        hook.of_source = Some(switch);
    }

    fn lock(&self) -> MutexGuard<'_, Hook> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes sources.
pub(crate) type Factory = Box<dyn Fn() -> Box<dyn FeedSource> + Send>;

/// Why there is no source.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// There is nothing to replay.
    #[error("there is nothing to replay")]
    Recording(#[from] RecordingError),
    /// What cannot be simulated.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// The link to the broker is configured wrongly.
    #[error("the feed is configured wrongly")]
    Amqp(#[from] AmqpConfigError),
}

/// Makes sources as the configuration says.
///
/// # Errors
/// Where no source could ever work.
pub(crate) fn factory(config: &Config, switch: Switch, results: ResultsPort) -> Result<Factory, SourceError> {
    match config.feed.source {
        FeedKind::Embedded => {
            let feed = config.feed.clone();
            // Made before anything is started, so that a mistake is told at once; the first source goes on with it.
            let first = Mutex::new(Some(producer(&feed, Played::All, wall_clock()())?));
            Ok(Box::new(move || {
                let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
                embedded(&feed, first, &switch, results.clone())
            }))
        }
        FeedKind::Amqp => {
            let config = amqp_config(&config.feed);
            // Judged before anything is started: what cannot work now never will.
            AmqpSource::new(&config)?;
            Ok(Box::new(move || match AmqpSource::new(&config) {
                Ok(source) => Box::new(source),
                Err(error) => Box::new(NoSource(error.to_string())),
            }))
        }
        #[cfg(feature = "testkit")]
        FeedKind::Scripted => scripted(&config.feed, switch),
    }
}

/// The source of results; `embedded` is that of the feed in process.
///
/// # Errors
/// A configuration that cannot work.
pub(crate) fn results(config: &Config, embedded: EmbeddedResults) -> Result<Box<dyn ResultsSource>, SourceError> {
    Ok(match config.feed.source {
        FeedKind::Embedded => Box::new(embedded),
        // A scripted match has no results.
        #[cfg(feature = "testkit")]
        FeedKind::Scripted => Box::new(embedded),
        FeedKind::Amqp => Box::new(AmqpResults::new(&amqp_config(&config.feed))?),
    })
}

/// What this program plays by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Played {
    /// Recorded and simulated matches side by side.
    All,
    /// Recorded matches alone.
    Recorded,
    /// Simulated matches alone.
    Simulated,
}

/// The producer of what this program plays by itself.
///
/// # Errors
/// Where there is nothing to replay, or what cannot be simulated.
pub(crate) fn producer(feed: &Feed, played: Played, epoch: i64) -> Result<Producer, SourceError> {
    let producer = Producer::new(epoch, feed.primary_language, generators(feed, played)?);
    Ok(producer.with_result_corrections(feed.result_corrections, feed.seed))
}

fn generators(feed: &Feed, played: Played) -> Result<Vec<Box<dyn Generator>>, SourceError> {
    let mut generators: Vec<Box<dyn Generator>> = Vec::new();
    if played != Played::Simulated {
        generators.push(Box::new(recordings(feed)?));
    }
    if played == Played::Simulated || (played == Played::All && feed.simulated_matches > 0) {
        generators.push(Box::new(simulation(feed, played)?));
    }
    Ok(generators)
}

fn simulation(feed: &Feed, played: Played) -> Result<Simulator, SimulatorError> {
    Simulator::new(SimulatorOptions {
        matches: feed.simulated_matches,
        sports: feed.simulated_sports.clone(),
        without: if played == Played::All { vec![SOCCER.get()] } else { Vec::new() },
        seed: feed.seed,
        speed: feed.speed,
        rate: feed.price_rate,
        blocks: Blocks::of(1, 2),
        abandoned: feed.abandoned,
    })
}

fn recordings(feed: &Feed) -> Result<RecordingGenerator, RecordingError> {
    let files = match &feed.recording_dir {
        Some(folder) => RecordingFiles::Folder(folder.clone()),
        None => RecordingFiles::Embedded,
    };
    let options = ReplayOptions {
        speed: feed.speed,
        start_s: i64::from(feed.start_minute) * 60,
        blocks: Blocks::of(0, 2),
        ..ReplayOptions::default()
    };
    RecordingGenerator::open(&files, options)
}

fn embedded(feed: &Feed, made: Option<Producer>, switch: &Switch, results: ResultsPort) -> Box<dyn FeedSource> {
    let clock = wall_clock();
    let made = made.map_or_else(|| producer(feed, Played::All, clock()), Ok);
    let producer = made.unwrap_or_else(|error| {
        tracing::error!(error = &error as &dyn std::error::Error, "there is nothing to replay any more: {error}");
        Producer::new(clock(), feed.primary_language, Vec::new())
    });
    let (source, hook) = EmbeddedSource::new(producer, clock);
    switch.hold(hook);
    Box::new(source.with_results(results))
}

/// The feed of the browser tests. Its commands come from standard input, which can be read only once: there is no second
/// source after the first.
#[cfg(feature = "testkit")]
fn scripted(feed: &Feed, switch: Switch) -> Result<Factory, SourceError> {
    use crate::feed::scripted::{Scripted, commands_of};
    let commands = commands_of(std::io::BufReader::new(std::io::stdin()));
    let script = Scripted::new(generators(feed, Played::All)?, commands);
    let first = Producer::new(wall_clock()(), feed.primary_language, vec![Box::new(script)]);
    let first = Mutex::new(Some(first));
    Ok(Box::new(move || {
        let Some(producer) = first.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Box::new(NoSource("a scripted feed cannot start again".to_owned()));
        };
        let (source, hook) = EmbeddedSource::new(producer, wall_clock());
        switch.hold(hook);
        Box::new(source)
    }))
}

/// How the broker is reached.
pub(crate) fn amqp_config(feed: &Feed) -> AmqpConfig {
    AmqpConfig {
        url: feed.amqp_url.reveal().to_owned(),
        exchange: feed.exchange.clone(),
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

/// What is left when a file that was there at the start is gone: it says so, and is tried again by the supervisor.
struct NoSource(String);

impl FeedSource for NoSource {
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
    fn what_an_operator_turned_off_stays_off_when_its_source_begins_anew() {
        let switch = Switch::default();
        let (first, active) = FeedSwitch::new();
        switch.hold(first);
        switch.set(false);
        assert!(!*active.borrow());
        let (second, active) = FeedSwitch::new();
        switch.hold(second);
        assert!(!*active.borrow(), "only its operator turns it on again");
        switch.set(true);
        assert!(*active.borrow());
    }
}
