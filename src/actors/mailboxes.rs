//! Sends one message to the mailboxes of many actors. It never waits: if a mailbox is full, the message is dropped for
//! that actor and its `has_lost_messages` flag is set, so that the actor reads everything again.

use actix::Recipient;
use actix::prelude::SendError;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The mailboxes of the subscribers. A clone shares them.
pub struct Mailboxes<M: actix::Message<Result = ()> + Send + Clone + 'static>(Arc<Mutex<Vec<Subscriber<M>>>>);

struct Subscriber<M: actix::Message<Result = ()> + Send + 'static> {
    // Used by reference. Every new clone of an actix address may put one more message into a full mailbox, so that
    // cloning per message would remove the bound.
    recipient: Recipient<M>,
    has_lost_messages: Arc<AtomicBool>,
}

impl<M: actix::Message<Result = ()> + Send + Clone + 'static> Mailboxes<M> {
    /// Adds a subscriber. `has_lost_messages` is set when a message was dropped for it.
    pub fn subscribe(&self, recipient: Recipient<M>, has_lost_messages: Arc<AtomicBool>) {
        self.lock().push(Subscriber { recipient, has_lost_messages });
    }

    /// Sends a message to every subscriber, and removes those that are gone.
    pub fn send(&self, message: &M) {
        self.lock().retain(|subscriber| match subscriber.recipient.try_send(message.clone()) {
            Ok(()) => true,
            Err(SendError::Full(_)) => {
                if !subscriber.has_lost_messages.swap(true, Ordering::AcqRel) {
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

    /// Sends a message that subscribers can do without: a full mailbox drops it, with no other effect.
    pub fn send_if_free(&self, message: &M) {
        self.lock().iter().for_each(|subscriber| drop(subscriber.recipient.try_send(message.clone())));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Subscriber<M>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: actix::Message<Result = ()> + Send + Clone + 'static> Clone for Mailboxes<M> {
    fn clone(&self) -> Mailboxes<M> {
        Mailboxes(Arc::clone(&self.0))
    }
}

impl<M: actix::Message<Result = ()> + Send + Clone + 'static> Default for Mailboxes<M> {
    fn default() -> Mailboxes<M> {
        Mailboxes(Arc::default())
    }
}

impl<M: actix::Message<Result = ()> + Send + Clone + 'static> fmt::Debug for Mailboxes<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailboxes").field("subscribers", &self.lock().len()).finish()
    }
}
