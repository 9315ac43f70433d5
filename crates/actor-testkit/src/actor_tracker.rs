//! Tracks the actors that a test starts, and fails the test if one still runs at its end. Such an actor may hold what
//! the next test needs, or fail during it.

use crate::time::{POLL_INTERVAL, patience};
use actix::dev::ToEnvelope;
use actix::{Actor, Addr, Context, Handler, Message};
use kvota_testkit::seed::replay_hint;
use std::cell::RefCell;
use std::fmt;
use std::panic::Location;
use tokio::time::{Instant, sleep};

type IsRunning = Box<dyn Fn() -> bool>;

/// The actors that a test started. Dropping it fails the test if one of them still runs.
///
/// ```
/// # use actix::{Actor, Context, Handler, Message};
/// # struct Counter(u32);
/// # impl Actor for Counter { type Context = Context<Self>; }
/// # #[derive(Message)] #[rtype(result = "u32")] struct Count;
/// # impl Handler<Count> for Counter {
/// #     type Result = u32;
/// #     fn handle(&mut self, _: Count, _: &mut Context<Self>) -> u32 { self.0 }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Fail;
/// # impl Handler<Fail> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Fail, _: &mut Context<Self>) { panic!("as the test asked") }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Stop;
/// # impl Handler<Stop> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Stop, context: &mut Context<Self>) { actix::ActorContext::stop(context) }
/// # }
/// use kvota_actor_testkit::actor_tracker::ActorTracker;
///
/// # actix::System::new().block_on(async {
/// let tracker = ActorTracker::new();
/// let counter = tracker.start(Counter(5));
/// let other = Counter(6).start();
/// tracker.answer_for(&other);
/// assert_eq!(tracker.running(), ["Counter", "Counter"]);
/// drop((counter, other));
/// tracker.end().await;
/// # });
/// ```
#[derive(Default)]
pub struct ActorTracker {
    members: RefCell<Vec<(&'static str, IsRunning)>>,
}

impl ActorTracker {
    /// Creates an empty set.
    pub fn new() -> ActorTracker {
        ActorTracker::default()
    }

    /// Starts an actor on this thread and tracks it.
    pub fn start<A: Actor<Context = Context<A>>>(&self, actor: A) -> Addr<A> {
        let address = actor.start();
        self.answer_for(&address);
        address
    }

    /// Tracks an actor that was started elsewhere.
    pub fn answer_for<A: Actor>(&self, address: &Addr<A>) {
        let full = std::any::type_name::<A>();
        let weak = address.downgrade();
        let is_running = move || weak.upgrade().is_some_and(|address| address.connected());
        self.members.borrow_mut().push((full.rsplit("::").next().unwrap_or(full), Box::new(is_running)));
    }

    /// The names of the actors that still run.
    pub fn running(&self) -> Vec<&'static str> {
        self.members.borrow().iter().filter(|(_, is_running)| is_running()).map(|(name, _)| *name).collect()
    }

    /// Waits until no actor runs. Call it after the test has dropped its addresses.
    #[track_caller]
    pub fn end(self) -> impl Future<Output = ()> {
        let caller = Location::caller();
        async move {
            let until = Instant::now() + patience();
            while !self.running().is_empty() && Instant::now() < until {
                sleep(POLL_INTERVAL).await;
            }
            let left = self.running();
            // Reported here, so the drop must not report it again.
            self.members.borrow_mut().clear();
            assert!(left.is_empty(), "{caller}: the test leaves actors running: {left:?}{}", replay_hint());
        }
    }
}

impl Drop for ActorTracker {
    fn drop(&mut self) {
        let left = self.running();
        if !std::thread::panicking() {
            assert!(left.is_empty(), "the test leaves actors running: {left:?}{}", replay_hint());
        }
    }
}

impl fmt::Debug for ActorTracker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActorTracker").field("running", &self.running()).finish()
    }
}

/// Waits until an actor has stopped, whether it was asked to or panicked.
///
/// ```
/// # use actix::{Actor, Context, Handler, Message};
/// # struct Counter(u32);
/// # impl Actor for Counter { type Context = Context<Self>; }
/// # #[derive(Message)] #[rtype(result = "u32")] struct Count;
/// # impl Handler<Count> for Counter {
/// #     type Result = u32;
/// #     fn handle(&mut self, _: Count, _: &mut Context<Self>) -> u32 { self.0 }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Fail;
/// # impl Handler<Fail> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Fail, _: &mut Context<Self>) { panic!("as the test asked") }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Stop;
/// # impl Handler<Stop> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Stop, context: &mut Context<Self>) { actix::ActorContext::stop(context) }
/// # }
/// use kvota_actor_testkit::actor_tracker::expect_stopped;
///
/// # actix::System::new().block_on(async {
/// let counter = Counter(5).start();
/// counter.do_send(Stop);
/// expect_stopped(&counter).await;
/// # });
/// ```
#[track_caller]
pub fn expect_stopped<A: Actor>(address: &Addr<A>) -> impl Future<Output = ()> {
    let caller = Location::caller();
    async move {
        let until = Instant::now() + patience();
        while address.connected() {
            let name = std::any::type_name::<A>();
            assert!(Instant::now() < until, "{caller}: {name} was expected to stop{}", replay_hint());
            sleep(POLL_INTERVAL).await;
        }
    }
}

/// Sends a message that makes the actor panic, and waits until the actor has stopped.
///
/// ```
/// # use actix::{Actor, Context, Handler, Message};
/// # struct Counter(u32);
/// # impl Actor for Counter { type Context = Context<Self>; }
/// # #[derive(Message)] #[rtype(result = "u32")] struct Count;
/// # impl Handler<Count> for Counter {
/// #     type Result = u32;
/// #     fn handle(&mut self, _: Count, _: &mut Context<Self>) -> u32 { self.0 }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Fail;
/// # impl Handler<Fail> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Fail, _: &mut Context<Self>) { panic!("as the test asked") }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Stop;
/// # impl Handler<Stop> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Stop, context: &mut Context<Self>) { actix::ActorContext::stop(context) }
/// # }
/// use kvota_actor_testkit::actor_tracker::inject_panic;
///
/// # actix::System::new().block_on(async {
/// let counter = Counter(5).start();
/// inject_panic(&counter, Fail).await;
/// assert!(!counter.connected());
/// # });
/// ```
#[track_caller]
pub fn inject_panic<A, M>(address: &Addr<A>, panics: M) -> impl Future<Output = ()>
where
    A: Actor + Handler<M>,
    A::Context: ToEnvelope<A, M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    let stopped = expect_stopped(address);
    async move {
        // The actor dies, so the answer is always an error.
        let _ = address.send(panics).await;
        stopped.await;
    }
}

/// Reads an actor's observable state, by a message that asks for it.
///
/// ```
/// # use actix::{Actor, Context, Handler, Message};
/// # struct Counter(u32);
/// # impl Actor for Counter { type Context = Context<Self>; }
/// # #[derive(Message)] #[rtype(result = "u32")] struct Count;
/// # impl Handler<Count> for Counter {
/// #     type Result = u32;
/// #     fn handle(&mut self, _: Count, _: &mut Context<Self>) -> u32 { self.0 }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Fail;
/// # impl Handler<Fail> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Fail, _: &mut Context<Self>) { panic!("as the test asked") }
/// # }
/// # #[derive(Message)] #[rtype(result = "()")] struct Stop;
/// # impl Handler<Stop> for Counter {
/// #     type Result = ();
/// #     fn handle(&mut self, _: Stop, context: &mut Context<Self>) { actix::ActorContext::stop(context) }
/// # }
/// use kvota_actor_testkit::actor_tracker::observe;
///
/// # actix::System::new().block_on(async {
/// let counter = Counter(5).start();
/// assert_eq!(observe(&counter, Count).await, 5);
/// # });
/// ```
#[track_caller]
pub fn observe<A, M>(address: &Addr<A>, question: M) -> impl Future<Output = M::Result>
where
    A: Actor + Handler<M>,
    A::Context: ToEnvelope<A, M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    let caller = Location::caller();
    let asked = address.send(question);
    async move {
        match asked.await {
            Ok(seen) => seen,
            Err(error) => panic!("{caller}: {} shows nothing: {error}{}", std::any::type_name::<A>(), replay_hint()),
        }
    }
}

/// Waits until a condition holds, checking every 10 ms. A timeout reports the last failure.
///
/// ```
/// use kvota_actor_testkit::actor_tracker::await_assert;
/// use std::cell::Cell;
///
/// # actix::System::new().block_on(async {
/// let looks = Cell::new(0);
/// let third = await_assert(|| {
///     looks.set(looks.get() + 1);
///     if looks.get() == 3 { Ok(looks.get()) } else { Err(format!("look {}", looks.get())) }
/// });
/// assert_eq!(third.await, 3);
/// # });
/// ```
#[track_caller]
pub fn await_assert<T, E: fmt::Display>(mut look: impl FnMut() -> Result<T, E>) -> impl Future<Output = T> {
    let caller = Location::caller();
    async move {
        let until = Instant::now() + patience();
        loop {
            match look() {
                Ok(seen) => return seen,
                Err(error) if Instant::now() >= until => {
                    panic!("{caller}: waited in vain: {error}{}", replay_hint())
                }
                Err(_) => sleep(POLL_INTERVAL).await,
            }
        }
    }
}
