//! The event bus: from the actors of the offer to the publishers and to the SessionsActor. A batch of events is shared
//! by pointer and sent to each subscriber once. The bus never waits: if a mailbox is full, it drops the batch for that
//! subscriber and sets its `has_lost_events` flag, and the subscriber starts over.

use super::messages::events::{EventBatch, OfferEvent};
use actix::Recipient;
use actix::prelude::SendError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The event bus. A clone shares the subscribers.
#[derive(Clone, Default)]
pub struct EventBus {
    subscribers: Arc<Mutex<Vec<Subscriber>>>,
}

struct Subscriber {
    // Used by reference. Every new clone of an actix address may put one more message into a full mailbox, so that
    // cloning per message would remove the bound.
    recipient: Recipient<EventBatch>,
    has_lost_events: Arc<AtomicBool>,
}

impl EventBus {
    /// Adds a subscriber. `has_lost_events` is set when events were dropped for it.
    pub fn subscribe(&self, recipient: Recipient<EventBatch>, has_lost_events: Arc<AtomicBool>) {
        self.lock().push(Subscriber { recipient, has_lost_events });
    }

    /// Sends events to every subscriber, and removes those that are gone.
    pub fn publish(&self, events: Vec<OfferEvent>) {
        if events.is_empty() {
            return;
        }
        let batch = EventBatch(events.into());
        self.lock().retain(|subscriber| match subscriber.recipient.try_send(batch.clone()) {
            Ok(()) => true,
            Err(SendError::Full(_)) => {
                if !subscriber.has_lost_events.swap(true, Ordering::AcqRel) {
                    tracing::warn!(
                        "a reader of events cannot keep up and starts over: a worker's connections get the offer anew"
                    );
                    metrics::counter!("kvota_publisher_overflows_total").increment(1);
                }
                true
            }
            Err(SendError::Closed(_)) => false,
        });
    }

    /// Publishes the end of a feed message, so that subscribers need not wait for more of it. If a mailbox is full,
    /// this is lost, which costs time only.
    pub fn message_is_over(&self) {
        let over = EventBatch::end_of_feed_message();
        self.lock().iter().for_each(|subscriber| drop(subscriber.recipient.try_send(over.clone())));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Subscriber>> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for EventBus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventBus").field("publishers", &self.lock().len()).finish()
    }
}
