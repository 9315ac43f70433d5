//! The provider's REST interface: a token, time limits, a rate limit, and a cache on disk. Blocking: it is called by
//! threads of its own.
//!
//! Must never put the token into a log, an error or a path.

use super::cache::Cache;
use crate::adapter::Answer;
use crate::question::Question;
use crate::xml::BYTES_MAX;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use ureq::Agent;
use ureq::http::StatusCode;

/// A call takes at most this long: a list of all markets has some MiB.
const CALL_MAX: Duration = Duration::from_secs(20);
/// An order takes at most this long; its answer is a few bytes.
const ORDER_MAX: Duration = Duration::from_secs(10);
/// Calls that may be made at once after a pause.
const BURST: f64 = 100.0;
/// Calls in a second.
const CALLS_A_SECOND: f64 = 25.0;
/// Paths that are remembered as asked; beyond this all are asked again.
const ASKED_MAX: usize = 500_000;

/// The interface.
pub(super) struct Rest {
    agent: Agent,
    url: String,
    token: String,
    cache: Cache,
    limit: Mutex<Allowance>,
    /// Paths that were asked in this run: asked again, they must not come from the cache.
    asked: Mutex<HashSet<String>>,
}

impl Rest {
    /// The interface at an address up to and including its version.
    pub(super) fn new(url: &str, token: String, cache: Cache) -> Rest {
        let config = Agent::config_builder().timeout_global(Some(CALL_MAX)).max_redirects(0);
        let agent = config.http_status_as_error(false).build().new_agent();
        let url = url.trim_end_matches('/').to_owned();
        Rest { agent, url, token, cache, limit: Mutex::default(), asked: Mutex::default() }
    }

    /// Asks a question with this path. `now_ms` is the time, and `wait` waits for the rate limit.
    pub(super) fn ask(
        &self,
        question: &Question,
        path: &str,
        now_ms: impl Fn() -> i64,
        wait: impl Fn(Duration),
    ) -> Answer {
        let is_first = self.note_asked(path);
        let kept = question.kept_ms().map(|ms| Duration::from_millis(ms.unsigned_abs()));
        if let Some(body) = kept.filter(|_| is_first).and_then(|age| self.cache.get(path, Some(age))) {
            metrics::counter!("kvota_uof_calls_total", "outcome" => "cached").increment(1);
            return Answer::Body(body);
        }
        wait(lock(&self.limit).take(now_ms()));
        let answer = match self.call(question, path) {
            Ok((status, body)) if status.is_success() => {
                if let Some(Err(error)) = kept.map(|_| self.cache.put(path, &body)) {
                    tracing::warn!("an answer of the provider cannot be kept: {error}");
                }
                Answer::Body(body)
            }
            Ok((status, _)) => {
                tracing::warn!(path, status = status.as_u16(), "the provider answers with {status}");
                let is_absent = matches!(status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST | StatusCode::GONE);
                if is_absent { Answer::Absent } else { Answer::Failed }
            }
            Err(error) => {
                tracing::warn!(path, "the provider does not answer: {error}");
                Answer::Failed
            }
        };
        let outcome = match answer {
            Answer::Body(_) => "answered",
            Answer::Absent => "absent",
            Answer::Failed => "failed",
        };
        metrics::counter!("kvota_uof_calls_total", "outcome" => outcome).increment(1);
        match (answer, kept) {
            // Old names are better than numbers.
            (Answer::Failed, Some(_)) if is_first => self.cache.get(path, None).map_or(Answer::Failed, Answer::Body),
            (answer, _) => answer,
        }
    }

    fn call(&self, question: &Question, path: &str) -> Result<(StatusCode, Vec<u8>), ureq::Error> {
        let url = format!("{}/{path}", self.url);
        let mut answer = if question.is_order() {
            let order = self.agent.post(url).header("x-access-token", &self.token);
            order.config().timeout_global(Some(ORDER_MAX)).build().send_empty()?
        } else {
            self.agent.get(url).header("x-access-token", &self.token).call()?
        };
        let status = answer.status();
        let body = answer.body_mut().with_config().limit(BYTES_MAX as u64).read_to_vec()?;
        Ok((status, body))
    }

    /// Notes that a path is asked; whether it is the first time.
    fn note_asked(&self, path: &str) -> bool {
        let mut asked = lock(&self.asked);
        if asked.len() >= ASKED_MAX {
            asked.clear();
        }
        asked.insert(path.to_owned())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls that may still be made.
#[derive(Debug)]
struct Allowance {
    calls: f64,
    at_ms: i64,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance { calls: BURST, at_ms: 0 }
    }
}

impl Allowance {
    /// Takes a call; how long it must wait.
    fn take(&mut self, now_ms: i64) -> Duration {
        let passed_ms = now_ms.saturating_sub(self.at_ms).max(0);
        self.calls = (self.calls + passed_ms as f64 / 1_000.0 * CALLS_A_SECOND).min(BURST) - 1.0;
        self.at_ms = now_ms;
        Duration::from_secs_f64((-self.calls / CALLS_A_SECOND).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_keep_to_the_rate() {
        let mut allowance = Allowance::default();
        let mut waits: Vec<Duration> = (0..150).map(|_| allowance.take(1_000)).collect();
        assert!(waits[..100].iter().all(Duration::is_zero));
        assert_eq!(waits[149], Duration::from_secs(2), "the fiftieth beyond the burst");
        waits = (0..10).map(|_| allowance.take(60_000)).collect();
        assert!(waits.iter().all(Duration::is_zero));
    }
}
