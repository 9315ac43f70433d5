//! The port of a source of results (CONTRACT 7), beside that of the offer. The settlement engine reads live results and
//! answers from two channels, so that a large answer never delays a live result.

use crate::domain::settlement::{MatchResults, RequestedMatch};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{mpsc, oneshot};

/// A live result on its way to the settlement engine.
#[derive(Debug)]
pub struct ResultsInput {
    /// What was reported.
    pub results: MatchResults,
    /// Confirms that everything it caused is committed. If it is dropped, the result is delivered again.
    pub settled: oneshot::Sender<()>,
}

/// The answer to a request.
#[derive(Debug)]
pub struct ResultsAnswer {
    /// What was requested.
    pub requested: Vec<RequestedMatch>,
    /// The current results; a match without any is left out.
    pub results: Vec<MatchResults>,
}

/// Where a source sends what it receives. Sending waits while the engine is busy.
#[derive(Clone, Debug)]
pub struct ResultsSink {
    /// Live results.
    pub live: mpsc::Sender<ResultsInput>,
    /// Answers to requests.
    pub answers: mpsc::Sender<ResultsAnswer>,
}

/// A source of results. `run` ends only when the sink is closed; it reconnects after any failure.
pub trait ResultsSource: Send + 'static {
    /// Sends into `sink`, and requests the current results of the matches in `requests`: at most
    /// [`crate::domain::limits::RESULT_MATCHES_ASKED_MAX`] each.
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        requests: mpsc::Receiver<Vec<RequestedMatch>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Whether results arrive: set by the source, read by `readyz`. A clone shares the state.
#[derive(Clone, Debug, Default)]
pub struct ResultsLink(Arc<AtomicBool>);

impl ResultsLink {
    /// One that is connected.
    pub fn connected() -> ResultsLink {
        ResultsLink(Arc::new(AtomicBool::new(true)))
    }

    /// Notes that the source is connected, or is not any more.
    pub fn set(&self, is_connected: bool) {
        self.0.store(is_connected, Ordering::Relaxed);
        metrics::gauge!("kvota_results_connected").set(f64::from(u8::from(is_connected)));
    }

    /// Whether the source is connected.
    pub fn is_connected(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
