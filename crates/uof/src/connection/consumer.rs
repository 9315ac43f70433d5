//! The connection to the provider's broker. It only takes messages and stamps them with the time: a slow reader would be
//! cut off by the provider. Must not declare the exchange, nor parse a message.

use crate::message::ProducerId;
use crate::routing_key;
use futures_util::StreamExt;
use kvota_broker::{Backoff, Broker, OpenConnection};
use lapin::options::{BasicConsumeOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{FieldTable, ShortString};
use lapin::{Connection, Consumer};

/// A message as it arrived.
#[derive(Debug)]
pub(super) struct Delivery {
    /// The connection on which it came: messages of an earlier one do not count.
    pub(super) connection: u64,
    /// Its routing key.
    pub(super) key: ShortString,
    pub(super) body: Vec<u8>,
    pub(super) received_ms: i64,
}

/// What the consumer reports to.
pub(super) trait Receiver {
    /// A connection is there; its number.
    fn connected(&self) -> u64;
    /// It is lost.
    fn lost(&self);
    /// A message; whether there was room for it.
    fn take(&self, delivery: Delivery) -> bool;
    /// The time in ms since the epoch.
    fn now_ms(&self) -> i64;
}

/// What is consumed.
#[derive(Debug)]
pub(super) struct Subscription {
    /// The provider's exchange.
    pub(super) exchange: ShortString,
    /// Whether only messages for live odds are bound.
    pub(super) is_live_alone: bool,
    /// Ours, for recoveries.
    pub(super) node_id: u32,
}

impl Subscription {
    /// Live odds alone need two keys; other producers have messages without `live` (UOF, routing keys).
    pub(super) fn is_live_alone(producers: &[ProducerId]) -> bool {
        producers.iter().all(|producer| *producer == 1)
    }

    fn keys(&self) -> &'static [&'static str] {
        if self.is_live_alone { &["*.*.live.#", "-.-.-.#"] } else { &["#"] }
    }
}

/// Why a connection ends.
#[derive(thiserror::Error, Debug)]
enum End {
    #[error(transparent)]
    Broker(#[from] lapin::Error),
    #[error("the broker ended the subscription")]
    Cancelled,
    #[error("too many messages wait to be read")]
    Full,
}

/// Consumes, and reconnects after a failure. Never completes.
pub(super) async fn consume(broker: &Broker, subscription: &Subscription, receiver: &impl Receiver) {
    let mut backoff = Backoff::default();
    loop {
        let address = &broker.address;
        let end = match subscribe(broker, subscription).await {
            Ok((connection, consumer)) => {
                tracing::info!(address, "the provider's feed is connected");
                let connected_ms = receiver.now_ms();
                let end = take(consumer, subscription, receiver).await;
                drop(connection);
                receiver.lost();
                let stood_ms = receiver.now_ms().saturating_sub(connected_ms);
                backoff.stood(std::time::Duration::from_millis(stood_ms.max(0).unsigned_abs()));
                end
            }
            Err(error) => End::Broker(error),
        };
        metrics::counter!("kvota_uof_connection_failures_total").increment(1);
        let wait = backoff.next_wait();
        let wait_ms = wait.as_millis();
        tracing::warn!(address, wait_ms, "no connection to the provider's feed, trying again in {wait_ms} ms: {end}");
        tokio::time::sleep(wait).await;
    }
}

async fn subscribe(broker: &Broker, subscription: &Subscription) -> Result<(OpenConnection, Consumer), lapin::Error> {
    let connection = broker.connect().await?;
    let consumer = consumer(&connection, subscription).await?;
    Ok((connection, consumer))
}

async fn consumer(connection: &Connection, subscription: &Subscription) -> Result<Consumer, lapin::Error> {
    let channel = connection.create_channel().await?;
    let options = QueueDeclareOptions { exclusive: true, auto_delete: true, ..QueueDeclareOptions::default() };
    let queue = channel.queue_declare(ShortString::default(), options, FieldTable::default()).await?;
    let queue = queue.name().clone();
    for key in subscription.keys() {
        let (exchange, options) = (subscription.exchange.clone(), QueueBindOptions::default());
        channel.queue_bind(queue.clone(), exchange, (*key).into(), options, FieldTable::default()).await?;
    }
    // The queue is deleted with the connection, so that there is nothing to deliver again.
    let options = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
    channel.basic_consume(queue, ShortString::default(), options, FieldTable::default()).await
}

async fn take(mut consumer: Consumer, subscription: &Subscription, receiver: &impl Receiver) -> End {
    let connection = receiver.connected();
    while let Some(delivery) = consumer.next().await {
        let delivery = match delivery {
            Ok(delivery) => delivery,
            Err(error) => return error.into(),
        };
        if !routing_key::is_for(delivery.routing_key.as_str(), subscription.node_id) {
            continue;
        }
        let received_ms = receiver.now_ms();
        if !receiver.take(Delivery { connection, key: delivery.routing_key, body: delivery.data, received_ms }) {
            return End::Full;
        }
    }
    End::Cancelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn live_odds_alone_need_two_keys() {
        assert!(Subscription::is_live_alone(&[1]) && !Subscription::is_live_alone(&[1, 3]));
    }
}
