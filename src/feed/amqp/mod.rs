//! The native feed over RabbitMQ (CONTRACT 1): [`AmqpSource`] consumes it for `kvota serve`, [`AmqpPublisher`] is the
//! other end, for `kvota feed`. Both go on for ever: a link that breaks is built anew from nothing, with its channels,
//! queues and consumers, because a library's own recovery gives up some day and tells nobody what was lost meanwhile.
//!
//! Must never let a bad message end a link, nor a password reach a log.

mod drop_alarm;
mod intake;
mod link;
mod publisher;
mod results;
mod source;

pub(super) use intake::Topic;
pub use publisher::AmqpPublisher;
pub use results::AmqpResults;
pub use source::AmqpSource;

use crate::domain::limits::FEED_LAG_DOWN_MS;
use std::fmt;
use std::path::PathBuf;

/// How the broker is reached and what the feed is called there (CONTRACT 6, section `feed`).
#[derive(Clone, PartialEq, Eq)]
pub struct AmqpConfig {
    /// `feed.amqp_url`: `amqp://` or `amqps://`, with the credentials and the virtual host.
    pub url: String,
    /// `feed.exchange`: the topic exchange.
    pub exchange: String,
    /// `feed.snapshot_queue`: where snapshots are asked for.
    pub snapshot_queue: String,
    /// `feed.results_queue`: where results wait for this installation.
    pub results_queue: String,
    /// `feed.results_request_queue`: where missing results are asked for.
    pub results_request_queue: String,
    /// `feed.ca_file`: certificates (PEM) of the authority to be trusted beside the public ones.
    pub ca_file: Option<PathBuf>,
    /// `feed.heartbeat_seconds`, in seconds: a peer that is silent for twice as long is gone. An URL with a `heartbeat`
    /// of its own stands before it.
    pub heartbeat_s: u16,
    /// `feed.declare`: whether a reader declares the exchange where there is none. The producer always does.
    pub declare: bool,
    /// Messages that wait longer at the broker are dropped there, in ms: what is too old is of no use, and the gap that
    /// it leaves is healed by a snapshot.
    pub message_ttl_ms: i64,
    /// Messages that may be on their way to a reader that is busy.
    pub prefetch: u16,
}

impl Default for AmqpConfig {
    /// The defaults of CONTRACT 6.
    fn default() -> AmqpConfig {
        AmqpConfig {
            url: "amqp://guest:guest@127.0.0.1:5672/%2f".to_owned(),
            exchange: "live".to_owned(),
            snapshot_queue: "live-offer".to_owned(),
            results_queue: "kvota-results".to_owned(),
            results_request_queue: "live-results".to_owned(),
            ca_file: None,
            heartbeat_s: 5,
            declare: true,
            message_ttl_ms: FEED_LAG_DOWN_MS,
            prefetch: 32,
        }
    }
}

impl fmt::Debug for AmqpConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AmqpConfig")
            .field("url", &without_credentials(&self.url))
            .field("exchange", &self.exchange)
            .field("snapshot_queue", &self.snapshot_queue)
            .field("results_queue", &self.results_queue)
            .field("results_request_queue", &self.results_request_queue)
            .field("ca_file", &self.ca_file)
            .field("heartbeat_s", &self.heartbeat_s)
            .field("declare", &self.declare)
            .field("message_ttl_ms", &self.message_ttl_ms)
            .field("prefetch", &self.prefetch)
            .finish()
    }
}

fn without_credentials(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => url.to_owned(),
    }
}

/// A configuration that cannot work, whatever the broker does.
#[derive(thiserror::Error, Debug)]
pub enum AmqpConfigError {
    /// Not an AMQP URL.
    #[error("feed.amqp_url: {0}")]
    Url(String),
    /// The file cannot be read.
    #[error("feed.ca_file: cannot read {0}")]
    CaFile(PathBuf, #[source] std::io::Error),
    /// The file holds no certificate.
    #[error("feed.ca_file: {0} holds no PEM certificate")]
    NoCertificate(PathBuf),
    /// A name that AMQP cannot carry.
    #[error("{0} must have 1 to 255 bytes")]
    Name(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let url = "amqps://operator:p%40ss@broker:5671/live?heartbeat=5".to_owned();
        let shown = format!("{:?}", AmqpConfig { url, ..AmqpConfig::default() });
        assert!(shown.contains("amqps://broker:5671/live"), "{shown}");
        assert!(!shown.contains("operator") && !shown.contains("p%40ss"), "{shown}");
    }
}
