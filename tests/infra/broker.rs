//! Test support: the address of the broker, names for one test, and a plain channel for messages that no publisher
//! sends.

use kvota_domain::lang::Lang;
use kvota_feed::Position;
use kvota_feed::amqp::AmqpConfig;
use lapin::options::{
    BasicPublishOptions, ExchangeDeclareOptions, ExchangeDeleteOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties, ExchangeKind};

/// The value of a variable that `make services` prints.
#[track_caller]
pub(crate) fn from_env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!(
            "{name} is not set: these tests need RabbitMQ. `make test` starts it; by hand: \
             eval \"$(make --silent services)\""
        )
    })
}

/// The exchange and queues of one test. [`Corner::clear`] deletes them.
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
            results_queue: format!("{name}-results"),
            results_request_queue: format!("{name}-results-asked"),
            // On a busy machine, a short heartbeat loses connections.
            heartbeat_s: 60,
            ..AmqpConfig::default()
        };
        Corner { config, _connection: connection, channel }
    }

    /// Declares the exchange, for tests without a publisher that would do it.
    pub(crate) async fn declare_exchange(&self) {
        self.declare_exchange_as(ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() }).await;
    }

    /// Declares the exchange with other options than this program uses.
    pub(crate) async fn declare_exchange_as(&self, options: ExchangeDeclareOptions) {
        let name = self.config.exchange.as_str().into();
        let declared = self.channel.exchange_declare(name, ExchangeKind::Topic, options, FieldTable::default());
        declared.await.expect("the exchange");
    }

    /// Deletes the exchange with all its bindings.
    pub(crate) async fn delete_exchange(&self) {
        let name = self.config.exchange.as_str().into();
        self.channel.exchange_delete(name, ExchangeDeleteOptions::default()).await.expect("the exchange is gone");
    }

    /// Publishes these bytes unchanged.
    pub(crate) async fn publish(&self, topic: &str, lang: Lang, properties: BasicProperties, body: &[u8]) {
        let exchange = self.config.exchange.as_str().into();
        let key = format!("{topic}.{}", lang.code()).into();
        let published = self.channel.basic_publish(exchange, key, BasicPublishOptions::default(), body, properties);
        published.await.expect("published").await.expect("sent");
    }

    /// The channel, for operations without a method here.
    pub(crate) fn channel(&self) -> &Channel {
        &self.channel
    }

    /// Publishes these bytes as a result.
    pub(crate) async fn publish_result(&self, properties: BasicProperties, body: &[u8]) {
        let exchange = self.config.exchange.as_str().into();
        let options = BasicPublishOptions::default();
        let published = self.channel.basic_publish(exchange, "match-result".into(), options, body, properties);
        published.await.expect("published").await.expect("sent");
    }

    /// Publishes bytes to a queue.
    pub(crate) async fn publish_to(&self, queue: &str, properties: BasicProperties, body: &[u8]) {
        let options = BasicPublishOptions::default();
        let published = self.channel.basic_publish("".into(), queue.into(), options, body, properties);
        published.await.expect("published").await.expect("sent");
    }

    /// The messages and consumers of a queue; `None` if it does not exist. Uses a new channel, which a missing queue
    /// closes.
    async fn look_at(&self, queue: &str) -> Option<(u32, u32)> {
        let channel = self._connection.create_channel().await.expect("a channel");
        let passive = QueueDeclareOptions { passive: true, durable: true, ..QueueDeclareOptions::default() };
        let found = channel.queue_declare(queue.into(), passive, FieldTable::default()).await.ok()?;
        Some((found.message_count(), found.consumer_count()))
    }

    /// How many messages are in an existing queue.
    pub(crate) async fn waiting(&self, queue: &str) -> u32 {
        self.look_at(queue).await.expect("the queue").0
    }

    async fn until(&self, queue: &str, is_so: impl Fn((u32, u32)) -> bool) {
        let mut found = None;
        for _ in 0..1_000 {
            found = self.look_at(queue).await;
            if found.is_some_and(&is_so) {
                return;
            }
            let moment = std::time::Duration::from_millis(10);
            let _ = tokio::time::timeout(moment, std::future::pending::<()>()).await;
        }
        panic!("messages and consumers of {queue}: {found:?}");
    }

    /// Waits until a queue has exactly this many messages.
    pub(crate) async fn until_waiting(&self, queue: &str, count: u32) {
        self.until(queue, |(messages, _)| messages == count).await;
    }

    /// Waits until the results queue has a consumer. By then it is bound.
    pub(crate) async fn until_queue_is_bound(&self) {
        self.until(&self.config.results_queue, |(_, consumers)| consumers > 0).await;
    }

    /// Waits until the results queue has no consumer.
    pub(crate) async fn until_no_consumer(&self) {
        self.until(&self.config.results_queue, |(_, consumers)| consumers == 0).await;
    }

    /// Deletes the exchange and the queues of the test.
    pub(crate) async fn clear(&self) {
        self.delete_exchange().await;
        let config = &self.config;
        let dead = format!("{}.dead", config.results_queue);
        for queue in [&config.snapshot_queue, &config.results_queue, &dead, &config.results_request_queue] {
            // Deleting a queue that does not exist is not an error.
            let gone = self.channel.queue_delete(queue.as_str().into(), QueueDeleteOptions::default()).await;
            gone.expect("the queue is gone");
        }
    }
}

/// The headers for a position.
pub(crate) fn placed(position: Position) -> BasicProperties {
    let mut headers = FieldTable::default();
    headers.insert("epoch".into(), AMQPValue::LongLongInt(position.epoch));
    headers.insert("seq".into(), AMQPValue::LongUInt(u32::try_from(position.seq).expect("a small seq")));
    BasicProperties::default().with_content_type("application/msgpack".into()).with_headers(headers)
}
