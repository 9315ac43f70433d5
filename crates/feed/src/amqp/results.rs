//! Results over RabbitMQ (CONTRACT 7, *Queue* and *Requests for results*). All nodes of an installation share one
//! durable quorum queue; one node consumes at a time. A message is acknowledged after all its effects are committed. A
//! message that does not decode goes to the dead letters. Missing results are requested over a queue of the producer.
//!
//! Must never acknowledge a message before the engine has confirmed it, nor let one message or answer delay another.

use super::intake::INLINE_BYTES_MAX;
use super::link::Link;
use super::{AmqpConfig, AmqpConfigError};
use crate::results::{ResultsAnswer, ResultsInput, ResultsLink, ResultsSink, ResultsSource};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use kvota_broker::{Backoff, OpenConnection};
use kvota_domain::settlement::{MatchResults, RequestedMatch};
use kvota_wire::feed::results::{DecodedResults, encode_request, open_answer, open_match_result};
use kvota_wire::feed::{DecodeError, Dropped};
use lapin::message::Delivery;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicNackOptions, BasicPublishOptions, BasicQosOptions, BasicRejectOptions,
    QueueBindOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{BasicProperties, Channel, Consumer};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval};

/// The routing key of results.
pub(crate) const ROUTING_KEY: &str = "match-result";
/// Messages that are settled concurrently, so that a slow one does not delay the others.
const PREFETCH: u16 = 32;
/// Unacknowledged answers. Only one, because it may have 64 MiB.
const ANSWERS_PREFETCH: u16 = 1;
/// The broker drops a request that no producer has taken in this time; the engine repeats it.
const REQUEST_EXPIRATION_MS: &str = "30000";
/// Latest requests that are remembered. Answers to older ones are ignored.
const REQUESTED_MAX: usize = 64;
/// How often the dead letters are counted.
const DEAD_LETTERS_EVERY: Duration = Duration::from_secs(30);

/// Results over RabbitMQ.
pub struct AmqpResults {
    link: Link,
    queue: ShortString,
    request_queue: ShortString,
    connected: ResultsLink,
}

impl AmqpResults {
    /// A source that will connect when it runs, and reports to `connected` whether it is.
    ///
    /// # Errors
    /// A configuration that cannot work, whatever the broker does.
    pub fn new(config: &AmqpConfig, connected: ResultsLink) -> Result<AmqpResults, AmqpConfigError> {
        let name = |key, value: &str| {
            let name = ShortString::try_new(value).ok().filter(|_| !value.is_empty() && value.len() <= 250);
            name.ok_or(AmqpConfigError::Name(key))
        };
        Ok(AmqpResults {
            link: Link::new(config, "kvota results")?,
            queue: name("feed.results_queue", &config.results_queue)?,
            request_queue: name("feed.results_request_queue", &config.results_request_queue)?,
            connected,
        })
    }

    /// Consumes, and reconnects after a failure, until the receivers of results are dropped.
    async fn consume_until_closed(&self, sink: &ResultsSink, mut requests: mpsc::Receiver<Vec<RequestedMatch>>) {
        let mut backoff = Backoff::default();
        loop {
            let address = self.link.address();
            let error = match Subscription::open(self).await {
                Ok(subscription) => {
                    tracing::info!(address, "the results queue is connected");
                    self.connected.set(true);
                    let since = Instant::now();
                    let error = subscription.consume(sink, &mut requests).await;
                    self.connected.set(false);
                    backoff.stood(since.elapsed());
                    error
                }
                Err(error) => error,
            };
            let wait = backoff.next_wait();
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

impl ResultsSource for Arc<AmqpResults> {
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        requests: mpsc::Receiver<Vec<RequestedMatch>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            tokio::select! {
                () = sink.live.closed() => {}
                () = self.consume_until_closed(&sink, requests) => {}
            }
        })
    }
}

/// A connection with its channels and consumers.
struct Subscription<'a> {
    source: &'a AmqpResults,
    /// Closed when it is dropped.
    connection: OpenConnection,
    messages: Consumer,
    answers: Consumer,
    requests: Channel,
    reply_to: ShortString,
    /// The latest requests, with their correlation ids.
    requested: VecDeque<(ShortString, Vec<RequestedMatch>)>,
    requests_made: u64,
}

impl Subscription<'_> {
    async fn open(source: &AmqpResults) -> Result<Subscription<'_>, lapin::Error> {
        let connection = source.link.connect().await?;
        source.link.find_exchange(&connection).await?;
        let channel = connection.create_channel().await?;
        channel.basic_qos(PREFETCH, BasicQosOptions::default()).await?;
        declare(&channel, source).await?;
        let options = BasicConsumeOptions::default();
        let messages =
            channel.basic_consume(source.queue.clone(), ShortString::default(), options, FieldTable::default()).await?;
        let requests = connection.create_channel().await?;
        requests.basic_qos(ANSWERS_PREFETCH, BasicQosOptions::default()).await?;
        let own = QueueDeclareOptions { exclusive: true, auto_delete: true, ..QueueDeclareOptions::default() };
        let reply_to = requests.queue_declare(ShortString::default(), own, FieldTable::default()).await?.name().clone();
        let answers =
            requests.basic_consume(reply_to.clone(), ShortString::default(), options, FieldTable::default()).await?;
        Ok(Subscription {
            source,
            connection,
            messages,
            answers,
            requests,
            reply_to,
            requested: VecDeque::new(),
            requests_made: 0,
        })
    }

    /// Consumes until the connection fails.
    async fn consume(mut self, sink: &ResultsSink, requests: &mut mpsc::Receiver<Vec<RequestedMatch>>) -> lapin::Error {
        let (mut settling, mut answering) = (FuturesUnordered::new(), FuturesUnordered::new());
        let mut counting = interval(DEAD_LETTERS_EVERY);
        counting.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut binding = interval(self.source.link.bind_again);
        binding.set_missed_tick_behavior(MissedTickBehavior::Delay);
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
                    Some(Ok(answer)) => {
                        let requested = self.take_requested(&answer);
                        answering.push(take_answer(sink, answer, requested));
                        Ok(())
                    }
                    Some(Err(error)) => Err(error),
                    None => Err(ended()),
                },
                Some(settled) = settling.next(), if !settling.is_empty() => settled,
                Some(answered) = answering.next(), if !answering.is_empty() => answered,
                Some(requested) = requests.recv() => self.request(requested).await,
                _ = counting.tick() => self.count_dead_letters().await,
                _ = binding.tick() => self.bind_again().await,
            };
            if let Err(error) = done {
                return error;
            }
        }
    }

    /// Each request has its own correlation id, also after a reconnect: the broker names `reply_to`.
    async fn request(&mut self, requested: Vec<RequestedMatch>) -> Result<(), lapin::Error> {
        metrics::counter!("kvota_results_requests_total").increment(1);
        self.requests_made += 1;
        let correlation = ShortString::from(format!("{}-{}", self.reply_to, self.requests_made));
        let properties = BasicProperties::default()
            .with_content_type("application/msgpack".into())
            .with_reply_to(self.reply_to.clone())
            .with_correlation_id(correlation.clone())
            .with_expiration(REQUEST_EXPIRATION_MS.into());
        let body = encode_request(&requested);
        self.requested.push_back((correlation, requested));
        if self.requested.len() > REQUESTED_MAX {
            self.requested.pop_front();
        }
        let (exchange, options) = (ShortString::default(), BasicPublishOptions::default());
        self.requests.basic_publish(exchange, self.source.request_queue.clone(), options, &body, properties).await?;
        Ok(())
    }

    /// The request of an answer; `None` if it is unknown or was answered before.
    fn take_requested(&mut self, answer: &Delivery) -> Option<Vec<RequestedMatch>> {
        let correlation = answer.properties.correlation_id().as_ref()?;
        let position = self.requested.iter().position(|(known, _)| known == correlation)?;
        self.requested.remove(position).map(|(_, requested)| requested)
    }

    /// A binding can be lost while the connection stays, as in `source`.
    async fn bind_again(&self) -> Result<(), lapin::Error> {
        self.source.link.find_exchange(&self.connection).await?;
        declare(&self.requests, self.source).await
    }

    /// Counts the dead letters for a metric. No program reads them; an operator has to notice them.
    async fn count_dead_letters(&self) -> Result<(), lapin::Error> {
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
        let dead = dead_letters(self.source);
        let queue = self.requests.queue_declare(dead, passive, FieldTable::default()).await?;
        metrics::gauge!("kvota_results_dead_letters").set(queue.message_count());
        Ok(())
    }
}

fn dead_letters(source: &AmqpResults) -> ShortString {
    ShortString::from(format!("{}.dead", source.queue))
}

/// Declares the queue of results with its dead letters, and binds it. The exchange exists.
async fn declare(channel: &Channel, source: &AmqpResults) -> Result<(), lapin::Error> {
    let durable = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
    let dead = dead_letters(source);
    let mut quorum = FieldTable::default();
    quorum.insert("x-queue-type".into(), AMQPValue::LongString("quorum".into()));
    channel.queue_declare(dead.clone(), durable, quorum.clone()).await?;
    quorum.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
    quorum.insert("x-dead-letter-exchange".into(), AMQPValue::LongString("".into()));
    quorum.insert("x-dead-letter-routing-key".into(), AMQPValue::LongString(dead.as_str().into()));
    channel.queue_declare(source.queue.clone(), durable, quorum).await?;
    let (exchange, options) = (source.link.exchange.clone(), QueueBindOptions::default());
    channel.queue_bind(source.queue.clone(), exchange, ROUTING_KEY.into(), options, FieldTable::default()).await
}

fn ended() -> lapin::Error {
    std::io::Error::other("the broker ended the subscription").into()
}

/// Passes a message to the engine and acknowledges it once the engine has confirmed it.
async fn settle(sink: &ResultsSink, delivery: Delivery) -> Result<(), lapin::Error> {
    let Delivery { data, properties, acker, .. } = delivery;
    let decoded = match decode(data, &properties, INLINE_BYTES_MAX, open_match_result).await {
        Ok(decoded) => decoded,
        Err(error) => {
            metrics::counter!("kvota_results_undecodable_total", "cause" => error.cause()).increment(1);
            tracing::warn!("a result does not decode and goes to the dead letters: {error}");
            acker.reject(BasicRejectOptions { requeue: false }).await?;
            return Ok(());
        }
    };
    let DecodedResults { results, dropped } = decoded;
    count_dropped(&dropped);
    if hand_over(sink, results).await {
        acker.ack(BasicAckOptions::default()).await?;
    } else {
        acker.nack(BasicNackOptions { requeue: true, multiple: false }).await?;
    }
    Ok(())
}

/// Passes an answer to the engine. If it is lost, the engine requests the results again.
async fn take_answer(
    sink: &ResultsSink,
    answer: Delivery,
    requested: Option<Vec<RequestedMatch>>,
) -> Result<(), lapin::Error> {
    let Delivery { data, properties, acker, .. } = answer;
    match requested {
        None => tracing::warn!("ignored an answer with results to a request that is not known"),
        Some(requested) => match decode(data, &properties, 0, open_answer).await {
            Ok((results, dropped)) => {
                count_dropped(&dropped);
                // This fails only if the sink is closed, and then the source ends soon.
                let _ = sink.answers.send(ResultsAnswer { requested, results }).await;
            }
            Err(error) => {
                metrics::counter!("kvota_results_undecodable_total", "cause" => error.cause()).increment(1);
                tracing::warn!("an answer with results does not decode: {error}");
            }
        },
    }
    acker.ack(BasicAckOptions::default()).await?;
    Ok(())
}

/// Bodies above `inline_max` bytes are decoded on another thread: orders and their delays run on this one.
async fn decode<T: Send + 'static>(
    body: Vec<u8>,
    properties: &BasicProperties,
    inline_max: usize,
    open: fn(&[u8], Option<&str>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let encoding = properties.content_encoding().as_ref().map(|encoding| encoding.as_str().to_owned());
    if body.len() <= inline_max {
        return open(&body, encoding.as_deref());
    }
    let decoding = tokio::task::spawn_blocking(move || open(&body, encoding.as_deref()));
    decoding.await.unwrap_or(Err(DecodeError::Lacking))
}

fn count_dropped(dropped: &Dropped) {
    for (flaw, count) in dropped.iter() {
        metrics::counter!("kvota_results_dropped_total", "cause" => flaw.cause()).increment(count.into());
    }
}

/// Passes results to the engine. Returns whether all their effects are committed.
async fn hand_over(sink: &ResultsSink, results: MatchResults) -> bool {
    let (settled, confirmation) = oneshot::channel();
    if sink.live.send(ResultsInput { results, settled }).await.is_err() {
        return false;
    }
    confirmation.await.is_ok()
}
