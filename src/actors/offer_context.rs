//! What the actors of the offer share: where they write and publish, and the revisions of new matches. Must not know any
//! of the actors.

use super::bus::EventBus;
use super::fail_point::FailPoints;
use kvota_feed::lag::LagLimits;
use kvota_read_model::ReadModel;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What every actor of the offer uses: where it writes and where it publishes.
#[derive(Clone, Debug)]
pub struct OfferContext {
    /// The query side. Written before a change is published.
    pub model: Arc<ReadModel>,
    /// Where changes are published.
    pub bus: EventBus,
    /// The first revision of new matches.
    pub revisions: Revisions,
    /// How late the feed may be before bets stop and before the offer is dropped.
    pub lag_limits: LagLimits,
    /// Where a test makes an actor panic.
    pub fail_points: FailPoints,
}

impl OfferContext {
    /// An offer over a read model.
    pub fn new(model: Arc<ReadModel>) -> OfferContext {
        OfferContext {
            model,
            bus: EventBus::default(),
            revisions: Revisions::default(),
            lag_limits: LagLimits::default(),
            fail_points: FailPoints::default(),
        }
    }
}

/// Revisions keep increasing while the program runs, also for a match that left and returned. So a late change of the
/// old match never fits the new one.
#[derive(Clone, Debug, Default)]
pub struct Revisions(Arc<AtomicU32>);

impl Revisions {
    /// The first revision of a match that is inserted now.
    pub fn first(&self) -> u32 {
        self.0.load(Ordering::Relaxed).wrapping_add(1)
    }

    /// Later first revisions are above this one. Call it when a match leaves.
    pub fn pass(&self, revision: u32) {
        self.0.fetch_max(revision, Ordering::Relaxed);
    }
}

/// Counts an update of the feed that was not applied.
pub(super) fn count_unapplied(cause: &'static str) {
    metrics::counter!("kvota_feed_unapplied_total", "cause" => cause).increment(1);
}
