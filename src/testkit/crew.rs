//! The actors of a test: started here, watched here, and missed where the test ends and they go on. An actor that is left
//! running holds what the next test needs, or fails in it.

use super::seed::replay_hint;
use super::time::{LOOK_EVERY, patience};
use actix::dev::ToEnvelope;
use actix::{Actor, Addr, Context, Handler, Message};
use std::cell::RefCell;
use std::fmt;
use std::panic::Location;
use tokio::time::{Instant, sleep};

type IsRunning = Box<dyn Fn() -> bool>;

/// The actors that a test started. Dropping it fails the test where one of them still runs.
#[derive(Default)]
pub struct Crew {
    members: RefCell<Vec<(&'static str, IsRunning)>>,
}

impl Crew {
    /// Nobody yet.
    pub fn new() -> Crew {
        Crew::default()
    }

    /// Starts an actor on this thread.
    pub fn start<A: Actor<Context = Context<A>>>(&self, actor: A) -> Addr<A> {
        let address = actor.start();
        self.answer_for(&address);
        address
    }

    /// Answers for an actor that was started elsewhere.
    pub fn answer_for<A: Actor>(&self, address: &Addr<A>) {
        let full = std::any::type_name::<A>();
        let weak = address.downgrade();
        let is_running = move || weak.upgrade().is_some_and(|address| address.connected());
        self.members.borrow_mut().push((full.rsplit("::").next().unwrap_or(full), Box::new(is_running)));
    }

    /// The names of those that run.
    pub fn running(&self) -> Vec<&'static str> {
        self.members.borrow().iter().filter(|(_, is_running)| is_running()).map(|(name, _)| *name).collect()
    }

    /// Waits until nobody runs any more: to be called once the test has let go of its addresses.
    #[track_caller]
    pub fn end(self) -> impl Future<Output = ()> {
        let caller = Location::caller();
        async move {
            let until = Instant::now() + patience();
            while !self.running().is_empty() && Instant::now() < until {
                sleep(LOOK_EVERY).await;
            }
            let left = self.running();
            // Said once, and not again by the drop.
            self.members.borrow_mut().clear();
            assert!(left.is_empty(), "{caller}: the test leaves actors running: {left:?}{}", replay_hint());
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        let left = self.running();
        if !std::thread::panicking() {
            assert!(left.is_empty(), "the test leaves actors running: {left:?}{}", replay_hint());
        }
    }
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("running", &self.running()).finish()
    }
}

/// Waits until an actor has stopped, whether it was asked to or died.
#[track_caller]
pub fn expect_stopped<A: Actor>(address: &Addr<A>) -> impl Future<Output = ()> {
    let caller = Location::caller();
    async move {
        let until = Instant::now() + patience();
        while address.connected() {
            let name = std::any::type_name::<A>();
            assert!(Instant::now() < until, "{caller}: {name} was expected to stop{}", replay_hint());
            sleep(LOOK_EVERY).await;
        }
    }
}

/// Lets an actor panic by a message of its that does so, and waits until it is dead.
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
        // It dies of it, which is the answer.
        let _ = address.send(panics).await;
        stopped.await;
    }
}

/// What an actor shows of itself: `observe(&publisher, ObservePublisher)`.
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

/// Waits until something holds, looking every 10 ms; what did not hold at the last look is told.
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
                Err(_) => sleep(LOOK_EVERY).await,
            }
        }
    }
}
