//! The whole topology of the command side, and what its actors share.

use super::bus::EventBus;
use crate::read_model::ReadModel;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What every actor of the offer holds: where it writes, and whom it tells.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The query side, written before anybody is told.
    pub model: Arc<ReadModel>,
    /// The way to the publishers.
    pub bus: EventBus,
    /// Where revisions of new matches begin.
    pub revisions: Revisions,
}

impl Offer {
    /// An offer over a read model.
    pub fn new(model: Arc<ReadModel>) -> Offer {
        Offer { model, bus: EventBus::default(), revisions: Revisions::default() }
    }
}

/// Revisions only grow over the life of the program, also over a match that left and came back: a late change of its
/// former self must never fit its new one.
#[derive(Clone, Debug, Default)]
pub struct Revisions(Arc<AtomicU32>);

impl Revisions {
    /// The revision of a match that comes in now.
    pub fn first(&self) -> u32 {
        self.0.load(Ordering::Relaxed).wrapping_add(1)
    }

    /// A match left with this revision.
    pub fn pass(&self, revision: u32) {
        self.0.fetch_max(revision, Ordering::Relaxed);
    }
}
