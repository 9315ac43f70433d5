//! The event bus: from the actors of the offer to the sessions and to the hub. A batch of events is shared by pointer
//! and given to each subscriber once. Must never wait for a subscriber.

use super::mailboxes::Mailboxes;
use super::messages::events::EventBatch;
use actix::Recipient;
use kvota_domain::offer_event::OfferEvent;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A function that is called with every batch, on the thread of the actor that published it.
type Listener = Box<dyn Fn(&EventBatch) + Send>;

/// The event bus. A clone shares the subscribers.
#[derive(Clone, Default)]
pub struct EventBus {
    mailboxes: Mailboxes<EventBatch>,
    listeners: Arc<Mutex<Vec<Listener>>>,
}

impl EventBus {
    /// Adds an actor. `has_lost_events` is set when events were dropped for it, because its mailbox was full.
    pub fn subscribe(&self, recipient: Recipient<EventBatch>, has_lost_events: Arc<AtomicBool>) {
        self.mailboxes.subscribe(recipient, has_lost_events);
    }

    /// Adds a function. It must not wait, because the change of the offer waits for it.
    pub fn listen(&self, listener: impl Fn(&EventBatch) + Send + 'static) {
        self.lock().push(Box::new(listener));
    }

    /// Sends events to every subscriber.
    pub fn publish(&self, events: Vec<OfferEvent>) {
        if events.is_empty() {
            return;
        }
        let batch = EventBatch(events.into());
        self.mailboxes.send(&batch);
        self.lock().iter().for_each(|listener| listener(&batch));
    }

    /// Publishes the end of a feed message, so that subscribers need not wait for more of it. If a mailbox is full, this
    /// is lost, which costs time only.
    pub fn feed_message_applied(&self) {
        let batch = EventBatch(Arc::from([OfferEvent::FeedMessageApplied]));
        self.mailboxes.send_if_free(&batch);
        self.lock().iter().for_each(|listener| listener(&batch));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Listener>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for EventBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventBus").field("mailboxes", &self.mailboxes).finish_non_exhaustive()
    }
}
