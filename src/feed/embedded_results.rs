//! Results in process: the embedded feed sends them to the settlement engine, and answers its questions from the producer.
//! [`ResultsPort`] is the feed's end, [`EmbeddedResults`] the engine's.
//!
//! Must never hold up the feed: what the engine cannot take in time is dropped here, and the engine asks for it later.

use super::results::{ResultsInput, ResultsSink, ResultsSource};
use crate::domain::ids::MatchId;
use crate::domain::limits::RESULTS_WAITING_MAX;
use crate::domain::settlement::MatchResults;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{Mutex, OwnedMutexGuard, mpsc, oneshot};

/// The feed's end. It outlives a feed that dies: the next one goes on with it.
#[derive(Clone, Debug)]
pub struct ResultsPort {
    results: mpsc::Sender<MatchResults>,
    questions: Arc<Mutex<mpsc::Receiver<Vec<MatchId>>>>,
}

/// The engine's end.
#[derive(Debug)]
pub struct EmbeddedResults {
    results: mpsc::Receiver<MatchResults>,
    questions: mpsc::Sender<Vec<MatchId>>,
}

impl ResultsPort {
    /// Both ends.
    pub fn new() -> (ResultsPort, EmbeddedResults) {
        let (results, taken) = mpsc::channel(RESULTS_WAITING_MAX);
        let (questions, asked) = mpsc::channel(1);
        let port = ResultsPort { results, questions: Arc::new(Mutex::new(asked)) };
        (port, EmbeddedResults { results: taken, questions })
    }

    /// Sends results to the engine.
    pub(super) fn send(&self, all: Vec<MatchResults>) {
        for results in all {
            if self.results.try_send(results).is_err() {
                metrics::counter!("kvota_results_dropped_total", "cause" => "full").increment(1);
            }
        }
    }

    /// The questions of the engine, for the feed that runs now.
    pub(super) async fn questions(&self) -> OwnedMutexGuard<mpsc::Receiver<Vec<MatchId>>> {
        Arc::clone(&self.questions).lock_owned().await
    }
}

impl ResultsSource for EmbeddedResults {
    fn run(
        mut self: Box<Self>,
        sink: ResultsSink,
        mut requests: mpsc::Receiver<Vec<MatchId>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            loop {
                let sent = tokio::select! {
                    () = sink.closed() => return,
                    Some(results) = self.results.recv() => {
                        // Nothing is delivered again in process. What is not settled now is asked for later.
                        let (settled, _) = oneshot::channel();
                        sink.send(ResultsInput { results, settled }).await.is_ok()
                    }
                    Some(matches) = requests.recv() => self.questions.send(matches).await.is_ok(),
                };
                if !sent {
                    return;
                }
            }
        })
    }
}
