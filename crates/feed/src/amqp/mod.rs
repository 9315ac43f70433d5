//! The native feed over RabbitMQ (CONTRACT 1): [`AmqpSource`] consumes it for `kvota serve`, [`AmqpPublisher`] is the
//! other end, for `kvota feed`. Both run until they are stopped. After a failure they create the connection, its
//! channels, queues and consumers again. They do not use the recovery of the AMQP library, because it gives up at some
//! point and does not report what was lost.
//!
//! A bad message must never end a connection, and a password must never reach a log.

mod drop_alarm;
mod intake;
mod link;
mod publisher;
mod results;
mod source;

pub(super) use intake::Topic;
pub use publisher::AmqpPublisher;
pub use results::AmqpResults;
pub(super) use results::ROUTING_KEY as RESULTS_KEY;
pub use source::AmqpSource;

use crate::limits::FEED_LAG_DOWN_MS;
use kvota_broker::without_credentials;
use kvota_domain::lang::Lang;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The address of the broker, and the names of the feed's exchange and queues (CONTRACT 6, section `feed`).
#[derive(Clone, PartialEq, Eq)]
pub struct AmqpConfig {
    /// `feed.amqp_url`: `amqp://` or `amqps://`, with the credentials and the virtual host.
    pub url: String,
    /// `feed.exchange`: the topic exchange.
    pub exchange: String,
    /// `feed.primary_language`: of all other languages only the texts are read.
    pub primary_language: Lang,
    /// `feed.snapshot_queue`: the queue for snapshot requests.
    pub snapshot_queue: String,
    /// `feed.results_queue`: the queue of results for this installation.
    pub results_queue: String,
    /// `feed.results_request_queue`: the queue for requests of missing results.
    pub results_request_queue: String,
    /// `feed.ca_file`: certificates (PEM) of an authority that is trusted in addition to the public ones.
    pub ca_file: Option<PathBuf>,
    /// `feed.heartbeat_seconds`: a peer that is silent for twice as long is disconnected. A `heartbeat` in the URL
    /// takes precedence.
    pub heartbeat_s: u16,
    /// `feed.declare`: whether a reader declares a missing exchange. The producer always declares it.
    pub declare: bool,
    /// The broker drops messages that wait longer than this, in ms: old messages are useless, and a snapshot closes the
    /// gap that they leave.
    pub message_ttl_ms: i64,
    /// Unacknowledged messages that the broker sends to a reader (AMQP prefetch).
    pub prefetch: u16,
    /// How often a reader declares and binds again, because a binding can be lost while the connection stays. Shorter than
    /// the lag that makes a feed Down.
    pub bind_again: Duration,
}

impl Default for AmqpConfig {
    /// The defaults of CONTRACT 6.
    fn default() -> AmqpConfig {
        AmqpConfig {
            url: "amqp://guest:guest@127.0.0.1:5672/%2f".to_owned(),
            exchange: "live".to_owned(),
            primary_language: Lang::Hr,
            snapshot_queue: "live-offer".to_owned(),
            results_queue: "kvota-results".to_owned(),
            results_request_queue: "live-results".to_owned(),
            ca_file: None,
            heartbeat_s: 5,
            declare: true,
            message_ttl_ms: FEED_LAG_DOWN_MS,
            prefetch: 32,
            bind_again: Duration::from_secs(10),
        }
    }
}

impl fmt::Debug for AmqpConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AmqpConfig")
            .field("url", &without_credentials(&self.url))
            .field("exchange", &self.exchange)
            .field("primary_language", &self.primary_language)
            .field("snapshot_queue", &self.snapshot_queue)
            .field("results_queue", &self.results_queue)
            .field("results_request_queue", &self.results_request_queue)
            .field("ca_file", &self.ca_file)
            .field("heartbeat_s", &self.heartbeat_s)
            .field("declare", &self.declare)
            .field("message_ttl_ms", &self.message_ttl_ms)
            .field("prefetch", &self.prefetch)
            .field("bind_again", &self.bind_again)
            .finish()
    }
}

/// Why a configuration is invalid, whatever the broker does.
#[derive(thiserror::Error, Debug)]
pub enum AmqpConfigError {
    /// Not an AMQP URL.
    #[error("feed.amqp_url: {0}")]
    Url(String),
    /// The file cannot be read.
    #[error("feed.ca_file: cannot read {0}")]
    CaFile(PathBuf, #[source] std::io::Error),
    /// The file contains no certificate.
    #[error("feed.ca_file: {0} holds no PEM certificate")]
    NoCertificate(PathBuf),
    /// A name that is not valid in AMQP.
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
