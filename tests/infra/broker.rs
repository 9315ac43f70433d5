//! The broker of the tests: where it is, names of a test's own, and a plain channel to say what no publisher would.

use kvota::domain::lang::Lang;
use kvota::feed::Position;
use kvota::feed::amqp::AmqpConfig;
use lapin::options::{BasicPublishOptions, ExchangeDeclareOptions, ExchangeDeleteOptions, QueueDeleteOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties, ExchangeKind};

/// An address that `make services` gives.
#[track_caller]
pub(crate) fn from_env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!(
            "{name} is not set: these tests need RabbitMQ. `make test` starts it; by hand: \
             eval \"$(make --silent services)\""
        )
    })
}

/// A test's own corner of the broker, gone at its end.
pub(crate) struct Corner {
    pub(crate) config: AmqpConfig,
    _connection: Connection,
    channel: Channel,
}

impl Corner {
    /// `test` must be unique among the tests.
    pub(crate) async fn new(test: &str) -> Corner {
        let url = from_env("KVOTA_TEST_AMQP_URL");
        let name = format!("kvota-test-{}-{test}", std::process::id());
        let connection = Connection::connect(&url, ConnectionProperties::default()).await.expect("a connection");
        let channel = connection.create_channel().await.expect("a channel");
        let config = AmqpConfig {
            url,
            exchange: name.clone(),
            snapshot_queue: format!("{name}-offer"),
            heartbeat_s: 1,
            ..AmqpConfig::default()
        };
        Corner { config, _connection: connection, channel }
    }

    /// The exchange, for tests without a publisher that would declare it.
    pub(crate) async fn declare_exchange(&self) {
        self.declare_exchange_as(ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() }).await;
    }

    /// The same with other options than this program's.
    pub(crate) async fn declare_exchange_as(&self, options: ExchangeDeclareOptions) {
        let name = self.config.exchange.as_str().into();
        let declared = self.channel.exchange_declare(name, ExchangeKind::Topic, options, FieldTable::default());
        declared.await.expect("the exchange");
    }

    /// Publishes bytes as they stand.
    pub(crate) async fn publish(&self, topic: &str, lang: Lang, properties: BasicProperties, body: &[u8]) {
        let exchange = self.config.exchange.as_str().into();
        let key = format!("{topic}.{}", lang.code()).into();
        let published = self.channel.basic_publish(exchange, key, BasicPublishOptions::default(), body, properties);
        published.await.expect("published").await.expect("sent");
    }

    /// Takes the test's names out of the broker.
    pub(crate) async fn clear(&self) {
        let exchange = self.config.exchange.as_str().into();
        let gone = self.channel.exchange_delete(exchange, ExchangeDeleteOptions::default()).await;
        gone.expect("the exchange is gone");
        let queue = self.config.snapshot_queue.as_str().into();
        let gone = self.channel.queue_delete(queue, QueueDeleteOptions::default()).await;
        gone.expect("the queue is gone");
    }
}

/// The headers of a place.
pub(crate) fn placed(position: Position) -> BasicProperties {
    let mut headers = FieldTable::default();
    headers.insert("epoch".into(), AMQPValue::LongLongInt(position.epoch));
    headers.insert("seq".into(), AMQPValue::LongUInt(u32::try_from(position.seq).expect("a small seq")));
    BasicProperties::default().with_content_type("application/msgpack".into()).with_headers(headers)
}
