//! PublisherActor: sends the messages about events of the offer to the connections of one worker thread.
//!
//! - Owns its timers. The rooms are shared with the connections of the thread ([`LocalRooms`]).
//! - Handles [`UpdateBatch`] (what `encode.rs` makes of the events of the bus), [`ObservePublisher`], and [`CloseShare`]
//!   and [`CloseConnections`] (shutdown).
//! - Sends urgent events such as a bet stop at once. Other changes wait a short time in their room, so that one frame
//!   carries several of them (CONTRACT 3.5). Sends checksums every `CHECK_EVERY_MS`, and pings or closes silent
//!   connections.
//! - Must not occupy the thread until a large flush is complete: it yields after each part of the flush.
//! - Limit: `PUBLISHER_MAILBOX_MAX` messages. If the mailbox is full, a batch is dropped and `has_lost_events` is set
//!   (`mailboxes.rs`); then every client of the worker fetches the offer again.
//! - Failure: after a panic [`Publishers`](super::publishers::Publishers) starts a new actor with the same rooms.
//!   It is unknown which events were sent, so every client fetches the offer again.

use super::encode::UpdateBatch;
use super::outbox::CLOSE_GOING_AWAY;
use super::rooms::{Occupancy, Rooms};
use crate::actors::fail_point::{FailPoints, Moment, Point};
use crate::actors::mailboxes::Mailboxes;
use crate::http::limits::CLOSING_MS_MAX;
use crate::hub::limits::{CHECK_EVERY_MS, PUBLISHER_MAILBOX_MAX};
use actix::{
    Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, Handler, ResponseActFuture, SpawnHandle,
    WrapFuture,
};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The rooms of this thread, shared by the publisher and the connections.
pub type LocalRooms = Rc<RefCell<Rooms>>;

/// The publisher of one worker. See the head of this file.
#[derive(Debug)]
pub struct PublisherActor {
    rooms: LocalRooms,
    fail_points: FailPoints,
    /// Set by the bus when it has dropped events because the mailbox was full.
    has_lost_events: Arc<AtomicBool>,
    /// The timer of the next flush, and when it is due.
    timer: Option<(Instant, SpawnHandle)>,
    is_flushing: bool,
    /// How many connections were open when the shutdown began.
    open_at_shutdown: Option<usize>,
    /// Sends when the actor stops on request. After a panic it is dropped unsent, which `Publishers` notices.
    asked_to_stop: Option<oneshot::Sender<()>>,
}

/// Returns the counters of this publisher.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "PublisherObserved")]
pub struct ObservePublisher;

/// See [`ObservePublisher`].
#[derive(Clone, Copy, Debug, actix::MessageResponse)]
pub struct PublisherObserved {
    /// Connections, rooms and bytes.
    pub occupancy: Occupancy,
}

/// Closes all connections with 1001, for a shutdown. Answered when they are gone, or after `CLOSING_MS_MAX`.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub struct CloseConnections;

/// Closes a part of the connections with 1001, for a gradual shutdown. The fraction `left / of` stays open, of the
/// connections that were open at the first such message.
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub struct CloseShare {
    /// The numerator of the fraction that stays open.
    pub left: u32,
    /// The denominator. Must not be 0.
    pub of: u32,
}

/// Makes the publisher panic. For tests of recovery.
#[cfg(feature = "testkit")]
#[derive(actix::Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub struct Panic;

/// A publisher that has been started.
#[derive(Debug)]
pub(super) struct Started {
    /// Its address.
    pub(super) address: Addr<PublisherActor>,
    /// Completes when the actor has ended: `Ok` after a stop on request, an error after a panic.
    pub(super) ended: oneshot::Receiver<()>,
}

impl PublisherActor {
    /// Starts a publisher for these rooms on this thread and subscribes it.
    pub(super) fn start_new(
        rooms: &LocalRooms,
        mailboxes: &Mailboxes<UpdateBatch>,
        fail_points: &FailPoints,
    ) -> Started {
        let has_lost_events = Arc::new(AtomicBool::new(false));
        let (asked_to_stop, ended) = oneshot::channel();
        let actor = PublisherActor {
            rooms: Rc::clone(rooms),
            fail_points: fail_points.clone(),
            has_lost_events: Arc::clone(&has_lost_events),
            timer: None,
            is_flushing: false,
            open_at_shutdown: None,
            asked_to_stop: Some(asked_to_stop),
        };
        let address = PublisherActor::create(|ctx| {
            ctx.set_mailbox_capacity(PUBLISHER_MAILBOX_MAX);
            actor
        });
        mailboxes.subscribe(address.clone().recipient(), has_lost_events);
        Started { address, ended }
    }

    fn pass(&self, moment: Moment) {
        self.fail_points.pass(Point::Publisher, moment);
    }

    /// Sets the timer for the next room that is due. If one is due already, starts a flush.
    fn arm(&mut self, ctx: &mut Context<Self>) {
        let Some(due) = self.rooms.borrow().next_due() else { return };
        if self.is_flushing || self.timer.is_some_and(|(at, _)| at <= due) {
            return;
        }
        if let Some((_, later)) = self.timer.take() {
            ctx.cancel_future(later);
        }
        let wait = due.saturating_duration_since(Instant::now());
        if wait.is_zero() {
            return self.begin_flush(ctx);
        }
        let timer = ctx.run_later(wait, |publisher, ctx| {
            publisher.timer = None;
            publisher.begin_flush(ctx);
        });
        self.timer = Some((due, timer));
    }

    /// Starts a flush of all rooms that are due.
    fn begin_flush(&mut self, ctx: &mut Context<Self>) {
        self.is_flushing = true;
        self.rooms.borrow_mut().begin_flush(Instant::now());
        self.flush(ctx);
    }

    /// Sends to some rooms, then yields before it continues, so that other tasks of the thread run: readers of
    /// connections, HTTP requests, and the mailbox of this actor. A message to itself would not yield: it would be
    /// handled before those tasks.
    fn flush(&mut self, ctx: &mut Context<Self>) {
        if self.flush_some() {
            let after_others = tokio::task::yield_now().into_actor(self);
            ctx.spawn(after_others.map(|(), publisher, ctx| publisher.flush(ctx)));
            return;
        }
        self.is_flushing = false;
        self.arm(ctx);
    }

    /// Sends to some rooms. Returns whether more are due, from this flush or a new one.
    fn flush_some(&self) -> bool {
        let mut rooms = self.rooms.borrow_mut();
        let has_more = rooms.flush_some();
        self.pass(Moment::Written);
        if has_more {
            return true;
        }
        let now = Instant::now();
        let is_due = rooms.next_due().is_some_and(|due| due <= now);
        if is_due {
            rooms.begin_flush(now);
        }
        is_due
    }
}

impl Actor for PublisherActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(Duration::from_millis(CHECK_EVERY_MS), |publisher, ctx| {
            publisher.rooms.borrow_mut().check();
            publisher.arm(ctx);
        });
        ctx.run_interval(Duration::from_secs(1), |publisher, _| {
            let rooms = publisher.rooms.borrow();
            rooms.ping_or_close(Instant::now());
        });
    }
}

impl Handler<UpdateBatch> for PublisherActor {
    type Result = ();

    fn handle(&mut self, batch: UpdateBatch, ctx: &mut Self::Context) {
        self.pass(Moment::Before);
        if self.has_lost_events.swap(false, Ordering::AcqRel) {
            self.rooms.borrow_mut().reload_all();
        }
        self.pass(Moment::Taken);
        self.rooms.borrow_mut().deliver(&batch);
        self.arm(ctx);
        self.pass(Moment::After);
    }
}

impl Handler<ObservePublisher> for PublisherActor {
    type Result = PublisherObserved;

    fn handle(&mut self, _: ObservePublisher, _: &mut Self::Context) -> PublisherObserved {
        PublisherObserved { occupancy: self.rooms.borrow().occupancy() }
    }
}

impl Handler<CloseShare> for PublisherActor {
    type Result = ();

    fn handle(&mut self, CloseShare { left, of }: CloseShare, _: &mut Self::Context) {
        let rooms = self.rooms.borrow();
        let all = *self.open_at_shutdown.get_or_insert_with(|| rooms.close_down_to(usize::MAX, CLOSE_GOING_AWAY));
        let left = (all as u64 * u64::from(left)).div_ceil(u64::from(of));
        rooms.close_down_to(usize::try_from(left).unwrap_or(usize::MAX), CLOSE_GOING_AWAY);
    }
}

impl Handler<CloseConnections> for PublisherActor {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, _: CloseConnections, _: &mut Self::Context) -> Self::Result {
        self.rooms.borrow().close_all(CLOSE_GOING_AWAY);
        let rooms = Rc::clone(&self.rooms);
        let until_gone = async move {
            let deadline = Instant::now() + Duration::from_millis(CLOSING_MS_MAX);
            while rooms.borrow().occupancy().connections > 0 && Instant::now() < deadline {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        Box::pin(until_gone.into_actor(self).map(|(), publisher, ctx| {
            if let Some(asked) = publisher.asked_to_stop.take() {
                // Fails only if `Publishers` no longer waits.
                let _ = asked.send(());
            }
            ctx.stop();
        }))
    }
}

#[cfg(feature = "testkit")]
impl Handler<Panic> for PublisherActor {
    type Result = ();

    fn handle(&mut self, _: Panic, _: &mut Self::Context) {
        panic!("a test asked for it");
    }
}
