//! Asks the register of excluded players over HTTP (CONTRACT 9): POST with a bearer token. Must never log the token.

use crate::betting::exclusion_register::{RegisterClient, RegisterFailed, RegisterFuture};
use crate::config::Secret;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use ureq::Agent;

/// A call takes at most this long.
const CALL_MAX: Duration = Duration::from_secs(2);
/// Calls at the same time; further ones wait. Each uses a thread while it runs.
const CALLS_AT_ONCE: usize = 16;
/// The largest answer, in bytes.
const ANSWER_BYTES_MAX: u64 = 16 << 10;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Question<'a> {
    request_id: &'a str,
    subject_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    is_blocked: bool,
    request_id: String,
}

/// The register at an address. Clones share its connections.
#[derive(Clone)]
pub(crate) struct HttpRegister {
    agent: Agent,
    url: Arc<str>,
    token: Secret,
    calls: Arc<Semaphore>,
}

impl HttpRegister {
    pub(crate) fn new(url: &str, token: Secret) -> HttpRegister {
        let agent = Agent::config_builder().timeout_global(Some(CALL_MAX)).max_redirects(0).build().new_agent();
        HttpRegister { agent, url: url.into(), token, calls: Arc::new(Semaphore::new(CALLS_AT_ONCE)) }
    }

    fn call(&self, subject_id: &str) -> Result<bool, RegisterFailed> {
        let failed = |text: String| RegisterFailed(text);
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| failed(error.to_string()))?;
        let request_id = uuid::Builder::from_random_bytes(id).into_uuid().to_string();
        let request = self.agent.post(&*self.url).header("authorization", format!("Bearer {}", self.token.reveal()));
        let question = Question { request_id: &request_id, subject_id };
        let mut answer = request.send_json(&question).map_err(|error| failed(error.to_string()))?;
        if answer.status() != 200 {
            return Err(failed(format!("it answers with {}", answer.status().as_u16())));
        }
        let body = answer.body_mut().with_config().limit(ANSWER_BYTES_MAX);
        let reply: Reply = body.read_json().map_err(|error| failed(error.to_string()))?;
        if reply.request_id != request_id {
            return Err(failed("its answer belongs to another request".to_owned()));
        }
        Ok(reply.is_blocked)
    }
}

impl RegisterClient for HttpRegister {
    fn is_blocked(&self, subject_id: String) -> RegisterFuture {
        let register = self.clone();
        Box::pin(async move {
            let waited = tokio::time::timeout(CALL_MAX, Arc::clone(&register.calls).acquire_owned()).await;
            let Ok(Ok(place)) = waited else { return Err(RegisterFailed("too many calls wait for it".to_owned())) };
            let asked = tokio::task::spawn_blocking(move || {
                let _place = place;
                register.call(&subject_id)
            });
            asked.await.map_err(|_| RegisterFailed("the call broke off".to_owned()))?
        })
    }
}

impl fmt::Debug for HttpRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRegister").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::thread::{JoinHandle, spawn};

    /// Makes the body of an answer from the id of the request.
    type MakeBody = fn(&str) -> String;

    /// Answers one call. Returns the address, and the head and the body of the request.
    #[expect(clippy::disallowed_methods, reason = "each test joins it")]
    fn server(status: &'static str, answer: MakeBody) -> (String, JoinHandle<(String, String)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/check", listener.local_addr().unwrap());
        let serving = spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(socket.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let body = String::from_utf8(body).unwrap();
            let question: serde_json::Value = serde_json::from_str(&body).unwrap();
            let reply = answer(question["requestId"].as_str().unwrap());
            write!(socket, "HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{reply}", reply.len()).unwrap();
            (head.to_lowercase(), body)
        });
        (url, serving)
    }

    async fn ask(url: &str) -> Result<bool, RegisterFailed> {
        HttpRegister::new(url, Secret::new("the-token".to_owned())).is_blocked("ext-1".to_owned()).await
    }

    #[tokio::test]
    async fn question_has_the_token_and_the_subject_and_its_answer_is_read() {
        let answers: [(bool, MakeBody); 2] = [
            (false, |id| format!(r#"{{"isBlocked":false,"requestId":"{id}"}}"#)),
            (true, |id| format!(r#"{{"isBlocked":true,"requestId":"{id}"}}"#)),
        ];
        for (is_blocked, answer) in answers {
            let (url, serving) = server("200 OK", answer);
            assert_eq!(ask(&url).await, Ok(is_blocked));
            let (head, body) = serving.join().unwrap();
            assert!(head.starts_with("post /check ") && head.contains("authorization: bearer the-token"), "{head}");
            let question: serde_json::Value = serde_json::from_str(&body).unwrap();
            assert_eq!(question["subjectId"], "ext-1");
        }
    }

    #[tokio::test]
    async fn any_other_answer_is_a_failure_that_does_not_show_the_token() {
        let cases: [(&str, MakeBody); 4] = [
            ("200 OK", |_| r#"{"isBlocked":false,"requestId":"another"}"#.to_owned()),
            ("200 OK", |_| "<html>".to_owned()),
            ("401 Unauthorized", |id| format!(r#"{{"isBlocked":false,"requestId":"{id}"}}"#)),
            ("302 Found", |id| format!(r#"{{"isBlocked":false,"requestId":"{id}"}}"#)),
        ];
        for (status, answer) in cases {
            let (url, serving) = server(status, answer);
            let failed = ask(&url).await.unwrap_err();
            assert!(!failed.to_string().contains("the-token"), "{failed}");
            serving.join().unwrap();
        }
        assert!(ask("http://127.0.0.1:1/check").await.is_err());
    }
}
