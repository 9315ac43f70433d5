//! The way from the actors of the offer to the publishers, and to the bettors' sessions: an event crosses threads once
//! a worker, as one shared pointer. A reader that cannot keep up is not waited for and loses nothing silently: it is
//! marked, and starts over.

use super::messages::events::{OfferEvent, Told};
use actix::Recipient;
use actix::prelude::SendError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// All publishers. Cloning shares.
#[derive(Clone, Default)]
pub struct EventBus {
    subscribers: Arc<Mutex<Vec<Subscriber>>>,
}

struct Subscriber {
    // Kept, and used by reference: a fresh clone of an address brings a place of its own in the mailbox, and the bound
    // of the mailbox would be none.
    recipient: Recipient<Told>,
    lagging: Arc<AtomicBool>,
}

impl EventBus {
    /// Adds a publisher; the flag is raised when events had to be dropped for it.
    pub fn subscribe(&self, recipient: Recipient<Told>, lagging: Arc<AtomicBool>) {
        self.lock().push(Subscriber { recipient, lagging });
    }

    /// Tells every publisher.
    pub fn publish(&self, events: Vec<OfferEvent>) {
        if events.is_empty() {
            return;
        }
        let told = Told(events.into());
        self.lock().retain(|subscriber| match subscriber.recipient.try_send(told.clone()) {
            Ok(()) => true,
            Err(SendError::Full(_)) => {
                if !subscriber.lagging.swap(true, Ordering::AcqRel) {
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

    /// Tells every publisher that all of a message of the feed has been told, so that what it brought need not wait for
    /// more. Where there is no room for this, nothing is lost but time.
    pub fn message_is_over(&self) {
        let over = Told::over();
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
