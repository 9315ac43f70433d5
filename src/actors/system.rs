//! Starts the feed actor with its source, and the publishers, and starts each again when it dies. Also holds what the
//! actors of the offer share ([`Offer`]). Sport, match and session actors are started by their parents, not here.

use super::bus::EventBus;
use super::fail_point::FailPoints;
use super::feed_actor::FeedActor;
use super::publisher::publisher_actor::{CloseConnections, LocalRooms, PublisherActor};
use super::publisher::rooms::Rooms;
use crate::domain::limits::GATHER_MS_MAX;
use crate::feed::FeedSource;
use crate::feed::lag::LagLimits;
use crate::read_model::ReadModel;
use actix::{Addr, Arbiter};
use futures_util::future::join_all;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// What every actor of the offer holds: where it writes, and whom it tells.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The query side, written before anybody is told.
    pub model: Arc<ReadModel>,
    /// The way to the publishers.
    pub bus: EventBus,
    /// Where revisions of new matches begin.
    pub revisions: Revisions,
    /// How late the feed may be.
    pub lag_limits: LagLimits,
    /// Where a test lets an actor die.
    pub fail_points: FailPoints,
}

impl Offer {
    /// An offer over a read model.
    pub fn new(model: Arc<ReadModel>) -> Offer {
        Offer {
            model,
            bus: EventBus::default(),
            revisions: Revisions::default(),
            lag_limits: LagLimits::default(),
            fail_points: FailPoints::default(),
        }
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

/// The publishers of all workers: starts them, starts them again when they die, and stops them. Cloning shares.
#[derive(Clone, Debug)]
pub struct Publishers {
    all: Arc<Mutex<Vec<Addr<PublisherActor>>>>,
    gather: Duration,
}

impl Default for Publishers {
    fn default() -> Publishers {
        Publishers::gathering(Duration::from_millis(GATHER_MS_MAX))
    }
}

impl Publishers {
    /// None yet; they gather changes of prices for at most so long, up to [`GATHER_MS_MAX`].
    pub fn gathering(gather: Duration) -> Publishers {
        Publishers { all: Arc::default(), gather }
    }

    /// Starts a publisher on this thread; its rooms are for the connections of the thread.
    pub fn start_here(&self, offer: &Offer) -> LocalRooms {
        let rooms: LocalRooms = Rc::new(RefCell::new(Rooms::new(Arc::clone(&offer.model), self.gather)));
        let started = PublisherActor::start_over(&rooms, &offer.bus);
        let place = {
            let mut publishers = self.lock();
            publishers.push(started.address);
            publishers.len() - 1
        };
        let watched = self.clone().watch(place, started.ended, Rc::clone(&rooms), offer.bus.clone());
        #[expect(clippy::disallowed_methods, reason = "ends with the publisher, which ends with the worker")]
        actix::spawn(watched);
        rooms
    }

    /// Puts another publisher into the place of one that died, for as long as that happens.
    async fn watch(self, place: usize, mut ended: oneshot::Receiver<()>, rooms: LocalRooms, bus: EventBus) {
        while ended.await.is_err() {
            metrics::counter!("kvota_actor_restarts_total", "actor" => "publisher").increment(1);
            tracing::error!("a publisher died and is started again; its connections get the offer anew");
            let started = PublisherActor::start_over(&rooms, &bus);
            rooms.borrow_mut().start_over();
            if let Some(held) = self.lock().get_mut(place) {
                *held = started.address;
            }
            ended = started.ended;
        }
    }

    /// Tells all connections that the server goes away, and waits until they are gone.
    pub async fn close_connections(&self) {
        // One that is gone has no connections.
        let _ = join_all(self.all().iter().map(|publisher| publisher.send(CloseConnections))).await;
    }

    /// Those that run now, one a worker.
    pub fn all(&self) -> Vec<Addr<PublisherActor>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Addr<PublisherActor>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Inputs of the feed on their way to its actor, which shares a thread with their source: so few that what was decoded is
/// still in the processor's cache when it is applied (docs/performance.md).
const INPUTS_MAX: usize = 4;
/// Requests for snapshots on their way to the source: one a language, and some that were given up.
const REQUESTS_MAX: usize = 64;
/// A reader or a source that died is started again after this …
const RESTART_AFTER: Duration = Duration::from_millis(50);
/// … and twice as late each time it dies again, up to this: a fault that comes back at once must not spin.
const RESTART_AFTER_MAX: Duration = Duration::from_secs(1);
/// Who lived for so long is not dying again of the same.
const SOUND_AFTER: Duration = Duration::from_secs(5);

/// Starts the command side: a thread with the reader of the feed and all sports and matches, and a source in front of it.
/// Both are started again when either dies. `make_source` makes a source from nothing, `now_ms` is the wall clock.
pub fn start(
    offer: Offer,
    now_ms: fn() -> i64,
    make_source: impl Fn() -> Box<dyn FeedSource> + Send + 'static,
) -> Arbiter {
    let arbiter = Arbiter::new();
    arbiter.spawn(keep_reading(offer, now_ms, make_source));
    arbiter
}

/// The same on this thread, for as long as it is waited for.
pub async fn keep_reading(offer: Offer, now_ms: fn() -> i64, make_source: impl Fn() -> Box<dyn FeedSource>) {
    let mut wait = RESTART_AFTER;
    loop {
        let began = Instant::now();
        read_until_dead(&offer, now_ms, make_source()).await;
        if began.elapsed() >= SOUND_AFTER {
            wait = RESTART_AFTER;
        }
        metrics::counter!("kvota_actor_restarts_total", "actor" => "feed").increment(1);
        tracing::error!("the reader of the feed died and is started again");
        tokio::time::sleep(wait).await;
        wait = wait.saturating_mul(2).min(RESTART_AFTER_MAX);
    }
}

/// Runs a source and a reader on this thread until both are gone: each ends with the other.
pub async fn read_until_dead(offer: &Offer, now_ms: fn() -> i64, source: Box<dyn FeedSource>) {
    let (sink, inputs) = mpsc::channel(INPUTS_MAX);
    let (ask, requests) = mpsc::channel(REQUESTS_MAX);
    let (_reader, gone) = FeedActor::start_watched(offer.clone(), now_ms, inputs, ask);
    // A panic of the source ends its task alone; the reader sees its inputs end.
    #[expect(clippy::disallowed_methods, reason = "awaited in the next line, where its panic is seen")]
    let source = actix::spawn(source.run(sink, requests));
    if let Err(error) = source.await {
        tracing::error!(%error, "the source of the feed died");
    }
    // It still applies what the source said last. Another one beside it would write the same offer.
    let _ = gone.await;
}
