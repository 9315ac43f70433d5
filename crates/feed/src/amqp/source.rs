//! The native feed as a source of the offer: one queue for all topics of all languages, another one for answers to
//! snapshot requests. Both queues are deleted with their connection; messages that could not be delivered meanwhile
//! show as a gap.
//!
//! Must never end before its sink is closed, nor run ahead of the receiver: a message is acknowledged after the
//! receiver took it.

use super::intake::{Intake, Topic};
use super::link::Link;
use super::{AmqpConfig, AmqpConfigError};
use crate::{FeedInput, FeedSink, FeedSource, SnapshotRequest};
use futures_util::StreamExt;
use kvota_broker::{Backoff, OpenConnection};
use kvota_domain::lang::Lang;
use kvota_wire::feed::{Decoder, encode};
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions, ConfirmSelectOptions, QueueBindOptions,
    QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{BasicProperties, Channel, Connection, Consumer};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Bytes that may wait at the broker for a slow reader. Beyond this the broker drops the oldest messages, which shows
/// as a gap.
const WAITING_BYTES_MAX: i64 = 256 << 20;
/// Unacknowledged answers. Only one, because it may be a snapshot of 64 MiB.
const ANSWERS_PREFETCH: u16 = 1;
/// Latest requests that are remembered. Answers to older ones are ignored.
const ASKED_MAX: usize = 64;
/// The broker drops a request that no producer has taken in this time. It is repeated anyway, so old requests must not
/// pile up until a producer returns.
const REQUEST_EXPIRATION_MS: &str = "30000";

/// The native feed over RabbitMQ.
pub struct AmqpSource {
    link: Link,
    primary: Lang,
}

impl AmqpSource {
    /// A source that will connect when it runs.
    ///
    /// # Errors
    /// A configuration that cannot work, whatever the broker does.
    pub fn new(config: &AmqpConfig) -> Result<AmqpSource, AmqpConfigError> {
        Ok(AmqpSource { link: Link::new(config, "kvota serve")?, primary: config.primary_language })
    }
}

impl FeedSource for AmqpSource {
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            tokio::select! {
                () = sink.closed() => {}
                () = consume_for_ever(&self, &sink, requests) => {}
            }
        })
    }
}

/// Why a connection ends.
#[derive(thiserror::Error, Debug)]
enum End {
    #[error(transparent)]
    Broker(#[from] lapin::Error),
    #[error("the broker ended the subscription")]
    Cancelled,
    /// The sink is closed.
    #[error("the offer has no owner any more")]
    Unheard,
}

/// Consumes, and reconnects after a failure, until the sink is closed.
async fn consume_for_ever(source: &AmqpSource, sink: &FeedSink, mut requests: mpsc::Receiver<SnapshotRequest>) {
    let link = &source.link;
    let mut backoff = Backoff::default();
    loop {
        let address = link.address();
        let end = match subscribe(link).await {
            Ok(subscription) => {
                tracing::info!(address, "the feed is connected");
                metrics::gauge!("kvota_feed_connected").set(1.0);
                let since = Instant::now();
                let end = subscription.consume(sink, &mut requests, source.primary).await;
                backoff.stood(since.elapsed());
                metrics::gauge!("kvota_feed_connected").set(0.0);
                let cause = end.to_string();
                if sink.send(FeedInput::Lost { cause }).await.is_err() {
                    return;
                }
                end
            }
            Err(error) => End::Broker(error),
        };
        metrics::counter!("kvota_feed_connection_failures_total").increment(1);
        let wait = backoff.next_wait();
        let wait_ms = wait.as_millis();
        tracing::warn!(address, wait_ms, "no connection to the feed, trying again in {wait_ms} ms: {end}");
        tokio::time::sleep(wait).await;
    }
}

/// A connection with its channels and consumers.
struct Subscription<'a> {
    /// Closed when it is dropped.
    connection: OpenConnection,
    live: Consumer,
    /// The queue of `live`.
    live_queue: ShortString,
    answers: Consumer,
    asker: Asker<'a>,
}

async fn subscribe(link: &Link) -> Result<Subscription<'_>, lapin::Error> {
    let connection = link.connect().await?;
    let (live_queue, live) = live_consumer(link, &connection).await?;
    let requests = connection.create_channel().await?;
    // With publisher confirms, the broker reports whether the queue for requests exists.
    requests.confirm_select(ConfirmSelectOptions::default()).await?;
    let answers = connection.create_channel().await?;
    answers.basic_qos(ANSWERS_PREFETCH, BasicQosOptions::default()).await?;
    let reply_to = own_queue(&answers, FieldTable::default()).await?;
    let answers = consume(&answers, &reply_to).await?;
    let asker = Asker { link, requests, reply_to, asked: Mutex::default() };
    Ok(Subscription { connection, live, live_queue, answers, asker })
}

async fn live_consumer(link: &Link, connection: &Connection) -> Result<(ShortString, Consumer), lapin::Error> {
    link.find_exchange(connection).await?;
    let channel = connection.create_channel().await?;
    channel.basic_qos(link.prefetch, BasicQosOptions::default()).await?;
    let mut bounded = FieldTable::default();
    bounded.insert("x-max-length-bytes".into(), AMQPValue::LongLongInt(WAITING_BYTES_MAX));
    bounded.insert("x-message-ttl".into(), AMQPValue::LongLongInt(link.message_ttl_ms));
    let queue = own_queue(&channel, bounded).await?;
    bind_topics(link, &channel, &queue).await?;
    let consumer = consume(&channel, &queue).await?;
    Ok((queue, consumer))
}

/// Does nothing for a topic that is bound already.
async fn bind_topics(link: &Link, channel: &Channel, queue: &ShortString) -> Result<(), lapin::Error> {
    for topic in Topic::all() {
        let (key, options) = (topic.routing_key().into(), QueueBindOptions::default());
        channel.queue_bind(queue.clone(), link.exchange.clone(), key, options, FieldTable::default()).await?;
    }
    Ok(())
}

/// Binds again and again: an exchange that was deleted and declared again, or a binding that was removed, ends neither the
/// connection nor the consumer. Messages that were lost meanwhile show as a gap. Returns when that fails.
async fn keep_bound(link: &Link, connection: &Connection, queue: &ShortString) -> Result<Infallible, lapin::Error> {
    let channel = connection.create_channel().await?;
    loop {
        tokio::time::sleep(link.bind_again).await;
        link.find_exchange(connection).await?;
        bind_topics(link, &channel, queue).await?;
    }
}

/// Declares a queue that is named by the broker and deleted with its connection.
async fn own_queue(channel: &Channel, arguments: FieldTable) -> Result<ShortString, lapin::Error> {
    let options = QueueDeclareOptions { exclusive: true, auto_delete: true, ..QueueDeclareOptions::default() };
    let queue = channel.queue_declare(ShortString::default(), options, arguments).await?;
    Ok(queue.name().clone())
}

async fn consume(channel: &Channel, queue: &ShortString) -> Result<Consumer, lapin::Error> {
    let tag = ShortString::default();
    channel.basic_consume(queue.clone(), tag, BasicConsumeOptions::default(), FieldTable::default()).await
}

impl Subscription<'_> {
    /// Consumes until the connection ends. Messages, answers and requests run concurrently, so that a request is sent
    /// even while the owner of the offer is busy with a message.
    async fn consume(mut self, sink: &FeedSink, requests: &mut mpsc::Receiver<SnapshotRequest>, primary: Lang) -> End {
        // Drop the requests that were made for the former connection.
        while requests.try_recv().is_ok() {}
        if sink.send(FeedInput::Connected).await.is_err() {
            return End::Unheard;
        }
        let decoder = Decoder::default();
        let of_answers = Intake::new(primary, decoder.with_same_texts());
        let of_messages = Intake::new(primary, decoder);
        tokio::select! {
            end = take_messages(&mut self.live, sink, of_messages) => end,
            end = take_answers(&mut self.answers, &self.asker, sink, of_answers) => end,
            end = self.asker.ask(requests) => end,
            Err(error) = keep_bound(self.asker.link, &self.connection, &self.live_queue) => error.into(),
        }
    }
}

async fn take_messages(consumer: &mut Consumer, sink: &FeedSink, mut intake: Intake) -> End {
    while let Some(delivery) = consumer.next().await {
        let mut delivery = match delivery {
            Ok(delivery) => delivery,
            Err(error) => return error.into(),
        };
        let body = std::mem::take(&mut delivery.data);
        let input = intake.message(delivery.routing_key.as_str(), &delivery.properties, body).await;
        if let Err(end) = hand_over(sink, input, &delivery.acker).await {
            return end;
        }
    }
    End::Cancelled
}

async fn take_answers(consumer: &mut Consumer, asker: &Asker<'_>, sink: &FeedSink, mut intake: Intake) -> End {
    while let Some(delivery) = consumer.next().await {
        let mut delivery = match delivery {
            Ok(delivery) => delivery,
            Err(error) => return error.into(),
        };
        let body = std::mem::take(&mut delivery.data);
        let input = intake.answer(|correlation| asker.lang_of(correlation), &delivery.properties, body).await;
        if let Err(end) = hand_over(sink, input, &delivery.acker).await {
            return end;
        }
    }
    End::Cancelled
}

async fn hand_over(sink: &FeedSink, input: Option<FeedInput>, acker: &lapin::Acker) -> Result<(), End> {
    if let Some(input) = input {
        sink.send(input).await.map_err(|_| End::Unheard)?;
    }
    acker.ack(BasicAckOptions::default()).await?;
    Ok(())
}

/// Requests snapshots, and remembers the requests.
struct Asker<'a> {
    link: &'a Link,
    requests: Channel,
    reply_to: ShortString,
    /// The latest requests, with their languages.
    asked: Mutex<BTreeMap<u64, Lang>>,
}

impl Asker<'_> {
    async fn ask(&self, requests: &mut mpsc::Receiver<SnapshotRequest>) -> End {
        while let Some(request) = requests.recv().await {
            if let Err(error) = self.ask_for(request).await {
                return error.into();
            }
        }
        // If no more requests can come, the sink may still be open.
        std::future::pending().await
    }

    async fn ask_for(&self, request: SnapshotRequest) -> Result<(), lapin::Error> {
        let SnapshotRequest { lang, correlation } = request;
        self.remember(request);
        metrics::counter!("kvota_feed_snapshot_requests_total", "lang" => lang.code()).increment(1);
        let properties = BasicProperties::default()
            .with_content_type("application/msgpack".into())
            .with_reply_to(self.reply_to.clone())
            .with_correlation_id(correlation.to_string().into())
            .with_expiration(REQUEST_EXPIRATION_MS.into());
        let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
        let (exchange, queue) = (ShortString::default(), self.link.snapshot_queue.clone());
        let body = encode::snapshot_request(lang);
        let confirmation = self.requests.basic_publish(exchange, queue, options, &body, properties).await?.await?;
        if confirmation.take_message().is_some() {
            let queue = self.link.snapshot_queue.as_str();
            // No producer has declared the queue yet. The request is repeated until one does.
            tracing::warn!(
                queue,
                lang = lang.code(),
                "no queue takes requests for snapshots: there is no producer yet"
            );
        }
        Ok(())
    }

    fn remember(&self, request: SnapshotRequest) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.insert(request.correlation, request.lang);
        if asked.len() > ASKED_MAX {
            asked.pop_first();
        }
    }

    fn lang_of(&self, correlation: u64) -> Option<Lang> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).get(&correlation).copied()
    }
}
