//! Where results come from (CONTRACT 7): the port of a source of results, beside that of the offer. The settlement engine
//! reads the inputs and confirms each one once everything it caused is committed.

use crate::domain::ids::MatchId;
use crate::domain::settlement::MatchResults;
use std::future::Future;
use std::pin::Pin;
use tokio::sync::{mpsc, oneshot};

/// Results on their way to the settlement engine.
#[derive(Debug)]
pub struct ResultsInput {
    /// What was reported.
    pub results: MatchResults,
    /// Confirms that everything it caused is committed. Dropped without a word, it is delivered again.
    pub settled: oneshot::Sender<()>,
}

/// Where a source sends results. Sending waits while the engine is busy.
pub type ResultsSink = mpsc::Sender<ResultsInput>;

/// A source of results. `run` ends only when the sink is closed: whatever happens to the link, it goes on trying.
pub trait ResultsSource: Send + 'static {
    /// Sends into `sink`, and asks the producer for the present results of the matches in `requests`: at most
    /// [`crate::domain::limits::RESULT_MATCHES_ASKED_MAX`] each.
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        requests: mpsc::Receiver<Vec<MatchId>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}
