//! Results over RabbitMQ (CONTRACT 7, *The queue* and *Asking*): one durable quorum queue for all nodes of an installation,
//! of which one consumes at a time. A message is acknowledged after everything it caused is committed; one that does not
//! decode goes to the dead letters. Missing results are asked for over a queue of the producer.
//!
//! Must never acknowledge a message before the engine confirmed it, nor let one message hold up those behind it.

use super::link::{Backoff, Link};
use super::{AmqpConfig, AmqpConfigError};
use crate::domain::ids::MatchId;
use crate::domain::settlement::MatchResults;
use crate::feed::results::{ResultsInput, ResultsSink, ResultsSource};
use crate::wire::feed::results::{encode_request, open_answer, open_match_result};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use lapin::message::Delivery;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicNackOptions, BasicPublishOptions, BasicQosOptions, BasicRejectOptions,
    ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{BasicProperties, Channel, Connection, Consumer, ExchangeKind};
use std::future::Future;
use std::pin::Pin;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// The routing key of results.
pub(super) const ROUTING_KEY: &str = "match-result";
/// Messages that are settled side by side: one that takes long does not hold up the others.
const PREFETCH: u16 = 32;
/// A request that no producer takes in this time is repeated by its asker.
const REQUEST_EXPIRATION_MS: &str = "30000";

/// Results over RabbitMQ.
pub struct AmqpResults {
    link: Link,
    queue: ShortString,
    request_queue: ShortString,
}

impl AmqpResults {
    /// A source that will connect when it runs.
    ///
    /// # Errors
    /// A configuration that cannot work, whatever the broker does.
    pub fn new(config: &AmqpConfig) -> Result<AmqpResults, AmqpConfigError> {
        let name = |key, value: &str| {
            let name = ShortString::try_new(value).ok().filter(|_| !value.is_empty() && value.len() <= 250);
            name.ok_or(AmqpConfigError::Name(key))
        };
        Ok(AmqpResults {
            link: Link::new(config, "kvota results")?,
            queue: name("feed.results_queue", &config.results_queue)?,
            request_queue: name("feed.results_request_queue", &config.results_request_queue)?,
        })
    }

    /// Ends when nobody takes results any more.
    async fn consume_until_closed(&self, sink: &ResultsSink, mut requests: mpsc::Receiver<Vec<MatchId>>) {
        let mut backoff = Backoff::new();
        loop {
            let address = &self.link.address;
            let error = match Subscription::open(self).await {
                Ok(subscription) => {
                    tracing::info!(address, "the results queue is connected");
                    let since = Instant::now();
                    let error = subscription.consume(sink, &mut requests).await;
                    backoff.stood(since.elapsed());
                    error
                }
                Err(error) => error,
            };
            let wait = backoff.next();
            let wait_ms = wait.as_millis();
            tracing::warn!(
                address,
                wait_ms,
                "no connection to the results queue, trying again in {wait_ms} ms: {error}"
            );
            tokio::time::sleep(wait).await;
        }
    }
}

impl ResultsSource for AmqpResults {
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        requests: mpsc::Receiver<Vec<MatchId>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            tokio::select! {
                () = sink.closed() => {}
                () = self.consume_until_closed(&sink, requests) => {}
            }
        })
    }
}

/// Everything that a connection consists of.
struct Subscription<'a> {
    /// Kept, because a connection that nobody holds is closed.
    _connection: Connection,
    messages: Consumer,
    answers: Consumer,
    requests: Channel,
    reply_to: ShortString,
    request_queue: &'a ShortString,
}

impl Subscription<'_> {
    async fn open(source: &AmqpResults) -> Result<Subscription<'_>, lapin::Error> {
        let connection = source.link.connect().await?;
        let channel = connection.create_channel().await?;
        channel.basic_qos(PREFETCH, BasicQosOptions::default()).await?;
        declare(&channel, source).await?;
        let options = BasicConsumeOptions::default();
        let messages =
            channel.basic_consume(source.queue.clone(), ShortString::default(), options, FieldTable::default()).await?;
        let requests = connection.create_channel().await?;
        let own = QueueDeclareOptions { exclusive: true, auto_delete: true, ..QueueDeclareOptions::default() };
        let reply_to = requests.queue_declare(ShortString::default(), own, FieldTable::default()).await?.name().clone();
        let answers =
            requests.basic_consume(reply_to.clone(), ShortString::default(), options, FieldTable::default()).await?;
        Ok(Subscription {
            _connection: connection,
            messages,
            answers,
            requests,
            reply_to,
            request_queue: &source.request_queue,
        })
    }

    /// Consumes until the connection is of no more use.
    async fn consume(mut self, sink: &ResultsSink, requests: &mut mpsc::Receiver<Vec<MatchId>>) -> lapin::Error {
        let mut settling = FuturesUnordered::new();
        loop {
            let done = tokio::select! {
                delivery = self.messages.next() => match delivery {
                    Some(Ok(delivery)) => {
                        settling.push(settle(sink, delivery));
                        Ok(())
                    }
                    Some(Err(error)) => Err(error),
                    None => Err(ended()),
                },
                answer = self.answers.next() => match answer {
                    Some(Ok(answer)) => take_answer(sink, answer).await,
                    Some(Err(error)) => Err(error),
                    None => Err(ended()),
                },
                Some(settled) = settling.next(), if !settling.is_empty() => settled,
                Some(matches) = requests.recv() => self.ask(&matches).await,
            };
            if let Err(error) = done {
                return error;
            }
        }
    }

    async fn ask(&self, matches: &[MatchId]) -> Result<(), lapin::Error> {
        metrics::counter!("kvota_results_requests_total").increment(1);
        let properties = BasicProperties::default()
            .with_content_type("application/msgpack".into())
            .with_reply_to(self.reply_to.clone())
            .with_correlation_id("results".into())
            .with_expiration(REQUEST_EXPIRATION_MS.into());
        let (exchange, options) = (ShortString::default(), BasicPublishOptions::default());
        let body = encode_request(matches);
        self.requests.basic_publish(exchange, self.request_queue.clone(), options, &body, properties).await?;
        Ok(())
    }
}

/// Declares the queue of results with its dead letters, and binds it.
async fn declare(channel: &Channel, source: &AmqpResults) -> Result<(), lapin::Error> {
    let durable = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
    let dead = ShortString::from(format!("{}.dead", source.queue));
    let mut quorum = FieldTable::default();
    quorum.insert("x-queue-type".into(), AMQPValue::LongString("quorum".into()));
    channel.queue_declare(dead.clone(), durable, quorum.clone()).await?;
    quorum.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
    quorum.insert("x-dead-letter-exchange".into(), AMQPValue::LongString("".into()));
    quorum.insert("x-dead-letter-routing-key".into(), AMQPValue::LongString(dead.as_str().into()));
    channel.queue_declare(source.queue.clone(), durable, quorum).await?;
    let exchange = source.link.exchange.clone();
    let durable = ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() };
    channel.exchange_declare(exchange.clone(), ExchangeKind::Topic, durable, FieldTable::default()).await?;
    let options = QueueBindOptions::default();
    channel.queue_bind(source.queue.clone(), exchange, ROUTING_KEY.into(), options, FieldTable::default()).await
}

fn ended() -> lapin::Error {
    std::io::Error::other("the broker ended the subscription").into()
}

/// Hands a message to the engine and acknowledges it once that has confirmed it.
async fn settle(sink: &ResultsSink, delivery: Delivery) -> Result<(), lapin::Error> {
    let encoding = delivery.properties.content_encoding().as_ref().map(ShortString::as_str);
    let decoded = match open_match_result(&delivery.data, encoding) {
        Ok(decoded) => decoded,
        Err(error) => {
            metrics::counter!("kvota_results_undecodable_total", "cause" => error.cause()).increment(1);
            tracing::warn!("a result does not decode and goes to the dead letters: {error}");
            delivery.acker.reject(BasicRejectOptions { requeue: false }).await?;
            return Ok(());
        }
    };
    count_dropped(&decoded.dropped);
    if hand_over(sink, decoded.results).await {
        delivery.acker.ack(BasicAckOptions::default()).await?;
    } else {
        delivery.acker.nack(BasicNackOptions { requeue: true, multiple: false }).await?;
    }
    Ok(())
}

/// The answer to a request of ours. What is lost of it is asked for again.
async fn take_answer(sink: &ResultsSink, answer: Delivery) -> Result<(), lapin::Error> {
    let encoding = answer.properties.content_encoding().as_ref().map(ShortString::as_str);
    match open_answer(&answer.data, encoding) {
        Ok((all, dropped)) => {
            count_dropped(&dropped);
            for results in all {
                hand_over(sink, results).await;
            }
        }
        Err(error) => {
            metrics::counter!("kvota_results_undecodable_total", "cause" => error.cause()).increment(1);
            tracing::warn!("an answer with results does not decode: {error}");
        }
    }
    answer.acker.ack(BasicAckOptions::default()).await?;
    Ok(())
}

fn count_dropped(dropped: &crate::wire::feed::Dropped) {
    for (flaw, count) in dropped.iter() {
        metrics::counter!("kvota_results_dropped_total", "cause" => flaw.cause()).increment(count.into());
    }
}

/// Whether everything it caused is committed.
async fn hand_over(sink: &ResultsSink, results: MatchResults) -> bool {
    let (settled, confirmation) = oneshot::channel();
    if sink.send(ResultsInput { results, settled }).await.is_err() {
        return false;
    }
    confirmation.await.is_ok()
}
