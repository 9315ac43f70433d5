//! The publishers of all workers: starts them, starts one again when it panics, and closes all connections for a
//! shutdown. Must not touch a connection itself: each publisher has those of its thread.

use super::encode::{self, UpdateBatch};
use super::publisher_actor::{CloseConnections, CloseShare, LocalRooms, PublisherActor};
use super::rooms::Rooms;
use crate::actors::bus::EventBus;
use crate::actors::fail_point::FailPoints;
use crate::actors::limits::GATHER_MS_MAX;
use crate::actors::mailboxes::Mailboxes;
use crate::actors::offer_context::OfferContext;
use actix::Addr;
use futures_util::future::join_all;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The publishers of all workers: starts, restarts and stops them. A clone shares them.
#[derive(Clone, Debug)]
pub struct Publishers {
    all: Arc<Mutex<Vec<Addr<PublisherActor>>>>,
    mailboxes: Arc<OnceLock<Mailboxes<UpdateBatch>>>,
    gather: Duration,
}

impl Default for Publishers {
    fn default() -> Publishers {
        Publishers::gathering(Duration::from_millis(GATHER_MS_MAX))
    }
}

impl Publishers {
    /// No publishers yet. `gather` is the longest time that price changes wait for others, up to [`GATHER_MS_MAX`].
    pub fn gathering(gather: Duration) -> Publishers {
        Publishers { all: Arc::default(), mailboxes: Arc::default(), gather }
    }

    /// Starts a publisher on this thread. Returns its rooms, for the connections of the thread.
    pub fn start_here(&self, offer: &OfferContext) -> LocalRooms {
        let rooms: LocalRooms = Rc::new(RefCell::new(Rooms::new(Arc::clone(&offer.model), self.gather)));
        let mailboxes = self.connect(&offer.bus);
        let started = PublisherActor::start_new(&rooms, &mailboxes, &offer.fail_points);
        let index = {
            let mut publishers = self.lock();
            publishers.push(started.address);
            publishers.len() - 1
        };
        let watched = self.clone().watch(index, started.ended, Rc::clone(&rooms), mailboxes, offer.fail_points.clone());
        #[expect(clippy::disallowed_methods, reason = "ends with the publisher, which ends with the worker")]
        actix::spawn(watched);
        rooms
    }

    /// The mailboxes of the publishers, which receive the messages about events of this bus.
    fn connect(&self, bus: &EventBus) -> Mailboxes<UpdateBatch> {
        let mailboxes = self.mailboxes.get_or_init(|| {
            let mailboxes = Mailboxes::default();
            encode::connect(bus, mailboxes.clone());
            mailboxes
        });
        mailboxes.clone()
    }

    /// Starts a new publisher each time one panics. Returns when it stops on request.
    async fn watch(
        self,
        index: usize,
        mut ended: oneshot::Receiver<()>,
        rooms: LocalRooms,
        mailboxes: Mailboxes<UpdateBatch>,
        fail_points: FailPoints,
    ) {
        while ended.await.is_err() {
            crate::panics::died(
                "publisher",
                index,
                None,
                "it is started again, and its connections get the whole offer",
            );
            let started = PublisherActor::start_new(&rooms, &mailboxes, &fail_points);
            rooms.borrow_mut().reload_all();
            if let Some(held) = self.lock().get_mut(index) {
                *held = started.address;
            }
            ended = started.ended;
        }
    }

    /// Closes all connections with 1001, one after the other and evenly over this time.
    pub async fn close_connections_over(&self, time: Duration) {
        let steps = u32::try_from(time.as_millis() / CLOSE_STEP.as_millis()).unwrap_or(u32::MAX).max(1);
        let mut step = tokio::time::interval(CLOSE_STEP);
        for left in (0..=steps).rev() {
            step.tick().await;
            for publisher in self.all() {
                // The next step closes what a full mailbox refused.
                let _ = publisher.try_send(CloseShare { left, of: steps });
            }
        }
    }

    /// Closes all connections with 1001 and waits until they are gone.
    pub async fn close_connections(&self) {
        // A publisher that is gone has no connections.
        let _ = join_all(self.all().iter().map(|publisher| publisher.send(CloseConnections))).await;
    }

    /// The current publishers, one per worker.
    pub fn all(&self) -> Vec<Addr<PublisherActor>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Addr<PublisherActor>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time between two connections, or groups of connections, that a shutdown closes.
const CLOSE_STEP: Duration = Duration::from_millis(50);
