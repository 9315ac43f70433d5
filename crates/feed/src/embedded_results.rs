//! Results of the embedded feed: the feed sends them to the settlement engine, and answers the engine's requests from
//! the producer. [`ResultsPort`] is the feed's end, [`EmbeddedResults`] the engine's.
//!
//! Must never delay the feed: results that the engine cannot take in time are dropped here, and the engine requests
//! them later.

use super::results::{ResultsAnswer, ResultsInput, ResultsLink, ResultsSink, ResultsSource};
use crate::limits::RESULTS_WAITING_MAX;
use kvota_domain::settlement::{MatchResults, RequestedMatch};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{Mutex, OwnedMutexGuard, mpsc, oneshot};

/// Answers that may wait for the engine. Each has up to 1,000 matches.
const ANSWERS_WAITING_MAX: usize = 16;

/// The receiver of one end. It is shared, so that after a panic the next reader continues with it.
type Shared<T> = Arc<Mutex<mpsc::Receiver<T>>>;

/// The feed's end. A clone shares it.
#[derive(Clone, Debug)]
pub struct ResultsPort {
    live: mpsc::Sender<MatchResults>,
    answers: mpsc::Sender<ResultsAnswer>,
    requests: Shared<Vec<RequestedMatch>>,
}

/// The engine's end. A clone shares it.
#[derive(Clone, Debug)]
pub struct EmbeddedResults {
    live: Shared<MatchResults>,
    answers: Shared<ResultsAnswer>,
    requests: mpsc::Sender<Vec<RequestedMatch>>,
    link: ResultsLink,
}

impl ResultsPort {
    /// Creates both ends. The engine's end is always connected; it reports that to `link` once it runs.
    pub fn new(link: ResultsLink) -> (ResultsPort, EmbeddedResults) {
        let (live, live_taken) = mpsc::channel(RESULTS_WAITING_MAX);
        let (answers, answers_taken) = mpsc::channel(ANSWERS_WAITING_MAX);
        let (requests, requested) = mpsc::channel(1);
        let port = ResultsPort { live, answers, requests: Arc::new(Mutex::new(requested)) };
        let (live, answers) = (Arc::new(Mutex::new(live_taken)), Arc::new(Mutex::new(answers_taken)));
        (port, EmbeddedResults { live, answers, requests, link })
    }

    /// Sends live results to the engine.
    pub(super) fn send(&self, all: Vec<MatchResults>) {
        for results in all {
            if self.live.try_send(results).is_err() {
                metrics::counter!("kvota_results_dropped_total", "cause" => "full").increment(1);
            }
        }
    }

    /// Sends an answer to the engine. Drops it if too many are waiting.
    pub(super) fn answer(&self, answer: ResultsAnswer) {
        if self.answers.try_send(answer).is_err() {
            metrics::counter!("kvota_results_dropped_total", "cause" => "full").increment(1);
        }
    }

    /// The requests of the engine, for the running feed.
    pub(super) async fn requests(&self) -> OwnedMutexGuard<mpsc::Receiver<Vec<RequestedMatch>>> {
        Arc::clone(&self.requests).lock_owned().await
    }
}

impl ResultsSource for EmbeddedResults {
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        mut requests: mpsc::Receiver<Vec<RequestedMatch>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            self.link.set(true);
            let (mut live, mut answers) = (self.live.lock().await, self.answers.lock().await);
            let forward_live = async {
                while let Some(results) = live.recv().await {
                    // There is no redelivery without a broker. The engine requests unsettled results later.
                    let (settled, _) = oneshot::channel();
                    if sink.live.send(ResultsInput { results, settled }).await.is_err() {
                        return;
                    }
                }
            };
            let forward_answers = async {
                while let Some(answer) = answers.recv().await {
                    if sink.answers.send(answer).await.is_err() {
                        return;
                    }
                }
            };
            let forward_requests = async {
                while let Some(requested) = requests.recv().await {
                    if self.requests.send(requested).await.is_err() {
                        return;
                    }
                }
            };
            tokio::select! {
                () = sink.live.closed() => {}
                () = forward_live => {}
                () = forward_answers => {}
                () = forward_requests => {}
            }
        })
    }
}
