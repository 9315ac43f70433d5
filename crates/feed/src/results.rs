//! The interface of a source of results (CONTRACT 7). The settlement engine reads live results and answers from two
//! channels, so that a large answer never delays a live result.

use kvota_domain::settlement::{MatchResults, RequestedMatch};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{mpsc, oneshot};

/// A live result on its way to the settlement engine.
#[derive(Debug)]
pub struct ResultsInput {
    /// The results of a match.
    pub results: MatchResults,
    /// Confirms that all effects of the result are committed. If it is dropped, the result is delivered again.
    pub settled: oneshot::Sender<()>,
}

/// The answer to a request.
#[derive(Debug)]
pub struct ResultsAnswer {
    /// The requested matches.
    pub requested: Vec<RequestedMatch>,
    /// The current results. Matches without results are omitted.
    pub results: Vec<MatchResults>,
}

/// The channels of a source. Sending waits while the engine is busy.
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
    /// [`kvota_domain::limits::RESULT_MATCHES_ASKED_MAX`] each.
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        requests: mpsc::Receiver<Vec<RequestedMatch>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Whether the source of results is connected: set by the source, read by `readyz`. A clone shares the state.
#[derive(Clone, Debug, Default)]
pub struct ResultsLink(Arc<AtomicBool>);

impl ResultsLink {
    /// A link that is connected.
    pub fn connected() -> ResultsLink {
        ResultsLink(Arc::new(AtomicBool::new(true)))
    }

    /// Sets whether the source is connected.
    pub fn set(&self, is_connected: bool) {
        self.0.store(is_connected, Ordering::Relaxed);
        metrics::gauge!("kvota_results_connected").set(f64::from(u8::from(is_connected)));
    }

    /// Whether the source is connected.
    pub fn is_connected(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
