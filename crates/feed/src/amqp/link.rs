//! Connects to the broker, and decides how long to wait before the next attempt. Used by `source`, `results` and
//! `publisher`, which declare everything again on each connection.
//!
//! Must never reconnect by itself: the caller has to report first that the connection was lost.

use super::{AmqpConfig, AmqpConfigError, without_credentials};
use lapin::options::ExchangeDeclareOptions;
use lapin::protocol::AMQPSoftError;
use lapin::protocol::constants::REPLY_SUCCESS;
use lapin::tcp::OwnedTLSConfig;
use lapin::types::{FieldTable, LongString, ShortString};
use lapin::uri::AMQPUri;
use lapin::{Connection, ConnectionProperties, ErrorKind, ExchangeKind};
use std::time::Duration;

/// The longest wait between two attempts.
const WAIT_MAX: Duration = Duration::from_secs(4);
/// The wait before the second attempt is at most this; it doubles from then on.
const WAIT_FIRST: Duration = Duration::from_millis(250);
/// If the handshake takes longer than this, the attempt is given up.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// How long a dropped connection waits for the broker to confirm that it is closed.
const CLOSE_MAX: Duration = Duration::from_secs(5);

/// The validated address of the broker.
pub(super) struct Link {
    uri: AMQPUri,
    tls: OwnedTLSConfig,
    connection_name: &'static str,
    /// For the log.
    pub(super) address: String,
    pub(super) exchange: ShortString,
    pub(super) snapshot_queue: ShortString,
    pub(super) declare: bool,
    pub(super) message_ttl_ms: i64,
    pub(super) prefetch: u16,
    pub(super) bind_again: Duration,
}

impl Link {
    pub(super) fn new(config: &AmqpConfig, connection_name: &'static str) -> Result<Link, AmqpConfigError> {
        let mut uri: AMQPUri = config.url.parse().map_err(AmqpConfigError::Url)?;
        uri.query.heartbeat.get_or_insert(config.heartbeat_s);
        uri.query.connection_timeout.get_or_insert(CONNECT_MAX.as_millis() as u64);
        let cert_chain = match &config.ca_file {
            None => None,
            Some(path) => {
                let pem =
                    std::fs::read_to_string(path).map_err(|error| AmqpConfigError::CaFile(path.clone(), error))?;
                // Check it here: the TLS library ignores anything that is not a certificate, and would then not trust
                // the broker.
                if !pem.contains("-----BEGIN CERTIFICATE-----") {
                    return Err(AmqpConfigError::NoCertificate(path.clone()));
                }
                Some(pem)
            }
        };
        Ok(Link {
            uri,
            tls: OwnedTLSConfig { identity: None, cert_chain },
            connection_name,
            address: without_credentials(&config.url),
            exchange: name("feed.exchange", &config.exchange)?,
            snapshot_queue: name("feed.snapshot_queue", &config.snapshot_queue)?,
            declare: config.declare,
            message_ttl_ms: config.message_ttl_ms,
            prefetch: config.prefetch,
            bind_again: config.bind_again,
        })
    }

    /// One attempt to connect.
    pub(super) async fn connect(&self) -> Result<OpenConnection, lapin::Error> {
        let properties =
            ConnectionProperties::default().with_connection_name(LongString::from(self.connection_name.as_bytes()));
        let runtime = lapin::runtime::default_runtime()?;
        let connecting = Connection::connect_uri_with_config(self.uri.clone(), properties, self.tls.clone(), runtime);
        // The library's own time-out covers only the socket; a broker may also accept the socket and then send nothing.
        match tokio::time::timeout(CONNECT_MAX, connecting).await {
            Ok(connected) => Ok(OpenConnection(Some(connected?))),
            Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
        }
    }

    /// Makes sure that the exchange exists. It belongs to the producer, so a reader needs no permission to configure
    /// it: it is declared only if it does not exist and `feed.declare` is true.
    pub(super) async fn find_exchange(&self, connection: &Connection) -> Result<(), lapin::Error> {
        let declare = async |options| {
            // A passive declaration of a missing exchange closes its channel.
            let channel = connection.create_channel().await?;
            let (name, arguments) = (self.exchange.clone(), FieldTable::default());
            channel.exchange_declare(name, ExchangeKind::Topic, options, arguments).await?;
            channel.close(REPLY_SUCCESS, ShortString::default()).await
        };
        let found = declare(ExchangeDeclareOptions { passive: true, ..ExchangeDeclareOptions::default() }).await;
        match found {
            Err(error) if self.declare && is_not_found(&error) => {
                declare(ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() }).await
            }
            found => found,
        }
    }
}

/// A connection that is closed when it is dropped. lapin alone closes it only after all its channels have closed: if it
/// were dropped while a channel opens, a consumer would remain that takes messages and never acknowledges them.
pub(super) struct OpenConnection(Option<Connection>);

impl std::ops::Deref for OpenConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.0.as_ref().expect("only `drop` takes it")
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        // Without a runtime, the process ends and the operating system closes the socket.
        if let (Some(connection), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                let closing = connection.close(REPLY_SUCCESS, ShortString::default());
                // The connection may have failed before.
                let _ = tokio::time::timeout(CLOSE_MAX, closing).await;
            });
        }
    }
}

fn name(key: &'static str, value: &str) -> Result<ShortString, AmqpConfigError> {
    // Reject the empty name: in AMQP it means the default exchange, or a queue that the broker names.
    let name = ShortString::try_new(value).ok().filter(|_| !value.is_empty());
    name.ok_or(AmqpConfigError::Name(key))
}

fn is_not_found(error: &lapin::Error) -> bool {
    matches!(error.kind(), ErrorKind::ProtocolError(error) if error.get_id() == AMQPSoftError::NOTFOUND.get_id())
}

/// Exponential backoff with full jitter, so that a thousand readers do not reconnect to a restarted broker at once.
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    pub(super) fn new() -> Backoff {
        Backoff { failures: 0 }
    }

    /// A connection has ended after `time`. The backoff resets only if that was at least the longest wait, so that a
    /// broker that accepts and then closes connections is not contacted more often than one that is down.
    pub(super) fn stood(&mut self, time: Duration) {
        if time >= WAIT_MAX {
            self.failures = 0;
        }
    }

    /// The wait after one more failure.
    pub(super) fn next(&mut self) -> Duration {
        let bound = bound(self.failures);
        self.failures = self.failures.saturating_add(1);
        // If there is no randomness, use the middle: all readers then reconnect at the same time, but they do
        // reconnect.
        let random = getrandom::u32().unwrap_or(u32::MAX / 2);
        bound.mul_f64(f64::from(random) / f64::from(u32::MAX))
    }
}

fn bound(failures: u32) -> Duration {
    WAIT_FIRST.saturating_mul(1 << failures.min(10)).min(WAIT_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_grows_to_its_bound_and_is_spread() {
        let bounds: Vec<u128> = (0..8).map(|failures| bound(failures).as_millis()).collect();
        assert_eq!(bounds, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000]);
        let mut backoff = Backoff::new();
        let waits: Vec<Duration> = (0..40).map(|_| backoff.next()).collect();
        assert!(waits.iter().all(|wait| *wait <= WAIT_MAX));
        assert!(waits.iter().collect::<std::collections::HashSet<_>>().len() > 30, "{waits:?}");
        backoff.stood(WAIT_MAX - Duration::from_millis(1));
        assert_eq!(bound(backoff.failures), WAIT_MAX);
        backoff.stood(WAIT_MAX);
        assert!(backoff.next() <= WAIT_FIRST);
    }

    #[test]
    fn a_configuration_that_cannot_work_names_its_key() {
        let with = |set: fn(&mut AmqpConfig)| {
            let mut config = AmqpConfig::default();
            set(&mut config);
            Link::new(&config, "test").err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(with(|_| {}), "");
        assert!(with(|config| config.url = "http://x".into()).starts_with("feed.amqp_url: "));
        assert!(with(|config| config.exchange = String::new()).starts_with("feed.exchange "));
        assert!(with(|config| config.snapshot_queue = "q".repeat(256)).starts_with("feed.snapshot_queue "));
        let missing = with(|config| config.ca_file = Some("/nowhere.pem".into()));
        assert_eq!(missing, "feed.ca_file: cannot read /nowhere.pem");
        let own = Some(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into());
        let config = AmqpConfig { ca_file: own, ..AmqpConfig::default() };
        assert!(matches!(Link::new(&config, "test"), Err(AmqpConfigError::NoCertificate(_))));
    }
}
