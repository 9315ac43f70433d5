//! The broker of the native feed, with the names of its exchange and queues. Used by `source`, `results` and
//! `publisher`, which declare everything again on each connection.

use super::{AmqpConfig, AmqpConfigError};
use kvota_broker::{AddressError, Broker, OpenConnection};
use lapin::options::ExchangeDeclareOptions;
use lapin::protocol::AMQPSoftError;
use lapin::protocol::constants::REPLY_SUCCESS;
use lapin::types::{FieldTable, ShortString};
use lapin::{Connection, ErrorKind, ExchangeKind};
use std::time::Duration;

/// The validated address of the broker and of the feed there.
pub(super) struct Link {
    broker: Broker,
    pub(super) exchange: ShortString,
    pub(super) snapshot_queue: ShortString,
    pub(super) declare: bool,
    pub(super) message_ttl_ms: i64,
    pub(super) prefetch: u16,
    pub(super) bind_again: Duration,
}

impl Link {
    pub(super) fn new(config: &AmqpConfig, connection_name: &'static str) -> Result<Link, AmqpConfigError> {
        let broker = Broker::new(&config.url, config.ca_file.as_deref(), config.heartbeat_s, connection_name);
        Ok(Link {
            broker: broker.map_err(|error| match error {
                AddressError::Url(text) => AmqpConfigError::Url(text),
                AddressError::CaFile(path, error) => AmqpConfigError::CaFile(path, error),
                AddressError::NoCertificate(path) => AmqpConfigError::NoCertificate(path),
            })?,
            exchange: name("feed.exchange", &config.exchange)?,
            snapshot_queue: name("feed.snapshot_queue", &config.snapshot_queue)?,
            declare: config.declare,
            message_ttl_ms: config.message_ttl_ms,
            prefetch: config.prefetch,
            bind_again: config.bind_again,
        })
    }

    /// The address without credentials, for the log.
    pub(super) fn address(&self) -> &str {
        &self.broker.address
    }

    /// One attempt to connect.
    pub(super) async fn connect(&self) -> Result<OpenConnection, lapin::Error> {
        self.broker.connect().await
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

fn name(key: &'static str, value: &str) -> Result<ShortString, AmqpConfigError> {
    // Reject the empty name: in AMQP it means the default exchange, or a queue that the broker names.
    let name = ShortString::try_new(value).ok().filter(|_| !value.is_empty());
    name.ok_or(AmqpConfigError::Name(key))
}

fn is_not_found(error: &lapin::Error) -> bool {
    matches!(error.kind(), ErrorKind::ProtocolError(error) if error.get_id() == AMQPSoftError::NOTFOUND.get_id())
}

#[cfg(test)]
mod tests {
    use super::*;

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
