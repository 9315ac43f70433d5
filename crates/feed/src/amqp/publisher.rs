//! The producer's end of the native feed, for `kvota feed`: drives a [`Producer`] by the clock, publishes its events to
//! the exchange in all four languages and feed-active every 2 s, and answers requests for snapshots.
//!
//! Must never send a seq twice, nor wait for a broker that is down. Without a connection the producer stands still; the
//! first event afterwards contains all changes. Messages lost with a connection leave a gap, which readers close with a
//! snapshot.

use super::intake::Topic;
use super::link::Link;
use super::results::ROUTING_KEY as RESULTS_KEY;
use super::{AmqpConfig, AmqpConfigError};
use crate::Position;
use crate::embedded::{FeedSwitch, IDLE_STEP, Steps, WallClock};
use futures_util::StreamExt;
use kvota_broker::{Backoff, OpenConnection};
use kvota_domain::lang::Lang;
use kvota_domain::settlement::MatchResults;
use kvota_simulator::producer::{ACTIVE, Producer};
use kvota_wire::feed::results::{decode_request, encode as encode_results, encode_answer};
use kvota_wire::feed::{decode_snapshot_request, encode};
use kvota_wire::inflate::{Compression, compress};
use lapin::message::Delivery;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions, ConfirmSelectOptions,
    ExchangeDeclareOptions, QueueDeclareOptions,
};
use lapin::protocol::AMQPSoftError;
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{BasicProperties, Channel, Consumer, ErrorKind, ExchangeKind};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

/// The delivery mode of messages that survive a restart of the broker.
const PERSISTENT: u8 = 2;
/// The time limit for the last messages before the stop.
const END_NOTICE_MAX: Duration = Duration::from_secs(2);
/// Unacknowledged snapshot requests. Further ones wait at the broker, for this producer or another one.
const REQUESTS_PREFETCH: u16 = 4;

/// How often a publisher that waits tries whether it is its turn.
const TURN_TRY: Duration = Duration::from_secs(1);
/// One with an inactive producer tries only every so many times.
const TRIES_INACTIVE: u32 = 5;
/// How long a publisher with an inactive producer keeps its turn.
const INACTIVE_MAX: Duration = Duration::from_secs(10);
/// How long the results of a waiting publisher are kept, in ms: longer than it takes to notice that another one is gone.
const RECENT_MS: i64 = 15 * 60_000;

/// Publishes a producer's feed to RabbitMQ.
pub struct AmqpPublisher {
    link: Link,
    producer: Producer,
    clock: WallClock,
    encoding: Compression,
    active: watch::Receiver<bool>,
    results_queue: ShortString,
    /// The number of the latest result, for the logs of readers.
    results_seq: u64,
    /// Results that the broker has not confirmed yet, oldest first. They outlast a broken connection.
    unconfirmed: VecDeque<MatchResults>,
    woken: Arc<Notify>,
    /// A queue that only one publisher can have: the others wait.
    turn: Option<ShortString>,
    /// Results of the last while, which another publisher may not have published before its end.
    recent: VecDeque<(i64, MatchResults)>,
}

impl AmqpPublisher {
    /// A publisher that will connect when it runs, with the switch that makes its feed inactive and active again.
    ///
    /// # Errors
    /// A configuration that cannot work, whatever the broker does.
    pub fn new(
        config: &AmqpConfig,
        producer: Producer,
        clock: WallClock,
        encoding: Compression,
    ) -> Result<(AmqpPublisher, FeedSwitch), AmqpConfigError> {
        let link = Link::new(config, "kvota feed")?;
        let (switch, active) = FeedSwitch::new();
        let results_queue = ShortString::try_new(config.results_request_queue.as_str());
        let results_queue = results_queue.map_err(|_| AmqpConfigError::Name("feed.results_request_queue"))?;
        let publisher = AmqpPublisher {
            link,
            producer,
            clock,
            encoding,
            active,
            results_queue,
            results_seq: 0,
            unconfirmed: VecDeque::new(),
            woken: Arc::default(),
            turn: None,
            recent: VecDeque::new(),
        };
        Ok((publisher, switch))
    }

    /// Like `self`, but also steps when it is notified, so that a change is sent at once.
    pub fn woken_by(self, woken: Arc<Notify>) -> AmqpPublisher {
        AmqpPublisher { woken, ..self }
    }

    /// Like `self`, but several publishers of the same feed may run: one publishes, the others follow their producers
    /// and wait. When it ends, or its producer is inactive, another one goes on, with a new epoch.
    ///
    /// # Errors
    /// The name of the queue for snapshot requests is too long to be extended.
    pub fn in_turn(self) -> Result<AmqpPublisher, AmqpConfigError> {
        let turn = ShortString::try_new(format!("{}.publisher", self.link.snapshot_queue));
        let turn = turn.map_err(|_| AmqpConfigError::Name("feed.snapshot_queue with .publisher appended"))?;
        Ok(AmqpPublisher { turn: Some(turn), ..self })
    }

    /// Publishes until `stop` completes, and reconnects after any failure. At the end it publishes that the feed is
    /// inactive, so that no bets are accepted on an old offer.
    pub async fn run(mut self, stop: impl Future<Output = ()> + Send) {
        let mut stop = pin!(stop);
        let mut backoff = Backoff::default();
        loop {
            let connected = tokio::select! {
                () = &mut stop => return,
                connected = self.open() => connected,
            };
            let address = self.link.address().to_owned();
            let error = match connected {
                Ok(mut station) => {
                    tracing::info!(address, "the feed is being published");
                    let since = Instant::now();
                    let error = tokio::select! {
                        () = &mut stop => {
                            self.announce_end(&station).await;
                            return;
                        }
                        error = self.publish(&mut station) => error,
                    };
                    backoff.stood(since.elapsed());
                    error
                }
                Err(error) => error,
            };
            let wait = backoff.next_wait();
            let wait_ms = wait.as_millis();
            tracing::warn!(address, wait_ms, "cannot publish the feed, trying again in {wait_ms} ms: {error}");
            tokio::select! {
                () = &mut stop => return,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Connects, and waits for this publisher's turn.
    async fn open(&mut self) -> Result<Station, lapin::Error> {
        let connection = self.link.connect().await?;
        if let Some(turn) = self.turn.clone() {
            self.wait_for_turn(&connection, &turn).await?;
        }
        Station::open(connection, &self.link, &self.results_queue).await
    }

    /// Waits until this connection has the queue that only one can have. Meanwhile the producer goes on.
    async fn wait_for_turn(&mut self, connection: &OpenConnection, turn: &ShortString) -> Result<(), lapin::Error> {
        let mut tries = 0_u32;
        loop {
            // One with an inactive producer leaves it to the others for a while.
            if self.producer.is_active() || tries % TRIES_INACTIVE == TRIES_INACTIVE - 1 {
                let channel = connection.create_channel().await?;
                let options = QueueDeclareOptions { exclusive: true, ..QueueDeclareOptions::default() };
                match channel.queue_declare(turn.clone(), options, FieldTable::default()).await {
                    Ok(_) => return Ok(()),
                    Err(error) if is_locked(&error) => {}
                    Err(error) => return Err(error),
                }
            }
            if tries == 0 {
                tracing::info!("another publisher publishes this feed, or the producer is inactive: waiting");
            }
            tries = tries.saturating_add(1);
            tokio::time::sleep(TURN_TRY).await;
            let now_ms = (self.clock)();
            self.producer.step(now_ms);
            self.note_recent(now_ms);
        }
    }

    /// Keeps the results of the latest step for a while.
    fn note_recent(&mut self, now_ms: i64) {
        self.recent.extend(self.producer.take_results().into_iter().map(|results| (now_ms, results)));
        while self.recent.front().is_some_and(|(at_ms, _)| now_ms.saturating_sub(*at_ms) > RECENT_MS) {
            self.recent.pop_front();
        }
    }

    async fn announce_end(&mut self, station: &Station) {
        let sent = async {
            self.send_active(station, false).await?;
            station.connection.close(200, "the feed ends".into()).await
        };
        if let Ok(Err(error)) = tokio::time::timeout(END_NOTICE_MAX, sent).await {
            tracing::warn!("the end of the feed was not sent: {error}");
        }
    }

    /// Publishes until the connection breaks.
    async fn publish(&mut self, station: &mut Station) -> lapin::Error {
        let mut saying_active = interval(ACTIVE);
        saying_active.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut switch = self.active.clone();
        let mut steps = Steps::default();
        let woken = Arc::clone(&self.woken);
        let mut said_active = None;
        let mut inactive_since = None;
        if self.turn.is_some() {
            // What has changed while it waited is in the first answer.
            self.unconfirmed.extend(self.recent.drain(..).map(|(_, results)| results));
            if let Err(error) = self.step(station).await {
                return error;
            }
        }
        loop {
            let active = *self.active.borrow() && self.producer.is_active();
            if said_active.is_some_and(|said| said != active) {
                said_active = None;
                // Before the feed is active again, so that no snapshot has the offer of before.
                if active && let Err(error) = self.step(station).await {
                    return error;
                }
                saying_active.reset_immediately();
            }
            inactive_since = (!self.producer.is_active()).then(|| inactive_since.unwrap_or_else(Instant::now));
            if self.turn.is_some() && inactive_since.is_some_and(|since| since.elapsed() >= INACTIVE_MAX) {
                return std::io::Error::other("the producer is inactive, and another publisher may go on").into();
            }
            let done = tokio::select! {
                biased;
                Ok(()) = switch.changed() => {
                    saying_active.reset_immediately();
                    Ok(())
                }
                _ = saying_active.tick() => {
                    said_active = Some(active);
                    self.send_active(station, active).await
                }
                request = station.requests.next() => match request {
                    Some(Ok(request)) => self.answer(station, request).await,
                    Some(Err(error)) => Err(error),
                    None => Err(std::io::Error::other("the broker ended the subscription").into()),
                },
                question = station.questions.next() => match question {
                    Some(Ok(question)) => self.answer_question(station, question).await,
                    Some(Err(error)) => Err(error),
                    None => Err(std::io::Error::other("the broker ended the subscription").into()),
                },
                () = woken.notified() => {
                    steps.wake();
                    Ok(())
                }
                () = tokio::time::sleep_until(steps.next), if !active => {
                    steps.take(IDLE_STEP);
                    Ok(())
                }
                () = tokio::time::sleep_until(steps.next), if active => {
                    steps.take(self.producer.until_next((self.clock)()));
                    self.step(station).await
                }
            };
            if let Err(error) = done {
                return error;
            }
        }
    }

    async fn step(&mut self, station: &Station) -> Result<(), lapin::Error> {
        let now_ms = (self.clock)();
        for event in self.producer.step(now_ms) {
            for (lang, update) in event.updates {
                let key = Topic::LiveEvent(lang).routing_key();
                let body = encode::update(&update);
                station
                    .publish(&station.exchange, key.into(), self.message(event.position), &body, self.encoding)
                    .await?;
            }
        }
        self.unconfirmed.extend(self.producer.take_results());
        while let Some(results) = self.unconfirmed.pop_front() {
            let published = self.publish_results(station, &results).await;
            if published.is_err() {
                self.unconfirmed.push_front(results);
                return published;
            }
        }
        Ok(())
    }

    /// Publishes results and waits until the broker has stored them. They are persistent, so they wait there for an
    /// installation that is down.
    async fn publish_results(&mut self, station: &Station, results: &MatchResults) -> Result<(), lapin::Error> {
        let Some(version) = results.markets.iter().map(|market| market.version).max() else { return Ok(()) };
        self.results_seq = self.results_seq.saturating_add(1);
        let position = Position { epoch: self.producer.position().epoch, seq: self.results_seq };
        let properties = self.message(position).with_delivery_mode(PERSISTENT);
        let body = encode_results(results, version);
        let (channel, exchange) = (&station.results_channel, &station.exchange);
        publish(channel, exchange, RESULTS_KEY.into(), properties, &body, self.encoding).await
    }

    /// Answers a request for results with the current results of its matches. A request that cannot be answered is
    /// ignored.
    async fn answer_question(&mut self, station: &Station, question: Delivery) -> Result<(), lapin::Error> {
        let properties = &question.properties;
        match (decode_request(&question.data), properties.reply_to()) {
            (Ok(requested), Some(reply_to)) => {
                let present = self.producer.present_results(&requested, (self.clock)());
                let versioned = present.into_iter().filter_map(|results| {
                    let version = results.markets.iter().map(|market| market.version).max()?;
                    Some((results, version))
                });
                let body = encode_answer(&versioned.collect::<Vec<_>>());
                let position = Position { epoch: self.producer.position().epoch, seq: self.results_seq };
                let mut answer = self.message(position);
                if let Some(correlation) = properties.correlation_id() {
                    answer = answer.with_correlation_id(correlation.clone());
                }
                let default_exchange = ShortString::default();
                station.publish(&default_exchange, reply_to.clone(), answer, &body, self.encoding).await?;
            }
            (Err(error), _) => tracing::warn!("ignored a request for results: {error}"),
            _ => tracing::warn!("ignored a request for results without reply-to"),
        }
        question.acker.ack(BasicAckOptions::default()).await?;
        Ok(())
    }

    async fn send_active(&mut self, station: &Station, active: bool) -> Result<(), lapin::Error> {
        let body = encode::active(active, (self.clock)());
        for lang in Lang::ALL {
            let key = Topic::FeedActive(lang).routing_key();
            let properties = self.message(self.producer.position());
            station.publish(&station.exchange, key.into(), properties, &body, self.encoding).await?;
        }
        Ok(())
    }

    /// Answers a snapshot request. A request that cannot be answered is ignored: its sender repeats it.
    async fn answer(&mut self, station: &Station, request: Delivery) -> Result<(), lapin::Error> {
        let properties = &request.properties;
        match (decode_snapshot_request(&request.data), properties.reply_to(), properties.correlation_id()) {
            (Ok(lang), Some(reply_to), Some(correlation)) => {
                let (position, update) = self.producer.snapshot(lang, (self.clock)());
                let answer = self.message(position).with_correlation_id(correlation.clone());
                let body = encode::update(&update);
                let default_exchange = ShortString::default();
                station.publish(&default_exchange, reply_to.clone(), answer, &body, self.encoding).await?;
                tracing::debug!(lang = lang.code(), bytes = body.len(), seq = position.seq, "answered with a snapshot");
            }
            (Err(error), _, _) => tracing::warn!("ignored a request for a snapshot: {error}"),
            _ => tracing::warn!("ignored a request for a snapshot without reply-to or correlation-id"),
        }
        request.acker.ack(BasicAckOptions::default()).await?;
        Ok(())
    }

    /// The properties of a message with a position in the sequence.
    fn message(&self, position: Position) -> BasicProperties {
        let mut headers = FieldTable::default();
        headers.insert("epoch".into(), AMQPValue::LongLongInt(position.epoch));
        let seq = i64::try_from(position.seq).unwrap_or(i64::MAX);
        headers.insert("seq".into(), AMQPValue::LongLongInt(seq));
        BasicProperties::default().with_content_type("application/msgpack".into()).with_headers(headers)
    }
}

/// The connection of a publisher, with its channels and consumers.
struct Station {
    connection: OpenConnection,
    channel: Channel,
    /// With confirms: a result must not be lost with the connection.
    results_channel: Channel,
    exchange: ShortString,
    requests: Consumer,
    questions: Consumer,
}

impl Station {
    async fn open(
        connection: OpenConnection,
        link: &Link,
        results_queue: &ShortString,
    ) -> Result<Station, lapin::Error> {
        let channel = connection.create_channel().await?;
        let exchange = link.exchange.clone();
        let durable = ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() };
        channel.exchange_declare(exchange.clone(), ExchangeKind::Topic, durable, FieldTable::default()).await?;
        let queue = link.snapshot_queue.clone();
        channel.queue_declare(queue.clone(), QueueDeclareOptions::durable(), FieldTable::default()).await?;
        channel.basic_qos(REQUESTS_PREFETCH, BasicQosOptions::default()).await?;
        let options = BasicConsumeOptions::default();
        let requests = channel.basic_consume(queue, ShortString::default(), options, FieldTable::default()).await?;
        channel.queue_declare(results_queue.clone(), QueueDeclareOptions::durable(), FieldTable::default()).await?;
        let tag = ShortString::default();
        let questions = channel.basic_consume(results_queue.clone(), tag, options, FieldTable::default()).await?;
        let results_channel = connection.create_channel().await?;
        results_channel.confirm_select(ConfirmSelectOptions::default()).await?;
        Ok(Station { connection, channel, results_channel, exchange, requests, questions })
    }

    async fn publish(
        &self,
        exchange: &ShortString,
        routing_key: ShortString,
        properties: BasicProperties,
        body: &[u8],
        encoding: Compression,
    ) -> Result<(), lapin::Error> {
        publish(&self.channel, exchange, routing_key, properties, body, encoding).await
    }
}

/// Whether another connection has the queue.
fn is_locked(error: &lapin::Error) -> bool {
    let locked = AMQPSoftError::RESOURCELOCKED.get_id();
    matches!(error.kind(), ErrorKind::ProtocolError(error) if error.get_id() == locked)
}

/// Publishes a message, and waits for the broker's confirmation if the channel has confirms.
async fn publish(
    channel: &Channel,
    exchange: &ShortString,
    routing_key: ShortString,
    properties: BasicProperties,
    body: &[u8],
    encoding: Compression,
) -> Result<(), lapin::Error> {
    let body = compress(body, encoding)?;
    let properties = match encoding.property() {
        Some(name) => properties.with_content_encoding(name.into()),
        None => properties,
    };
    let options = BasicPublishOptions::default();
    channel.basic_publish(exchange.clone(), routing_key, options, &body, properties).await?.await?;
    Ok(())
}
