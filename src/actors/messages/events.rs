//! Batches of offer events, as subscribers of the bus receive them.

use kvota_domain::offer_event::OfferEvent;
use std::sync::Arc;

/// Events in their order, shared by all subscribers.
#[derive(actix::Message, Clone, Debug)]
#[rtype(result = "()")]
pub struct EventBatch(pub Arc<[OfferEvent]>);
