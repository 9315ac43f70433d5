//! Fail points: where a test makes an actor panic before, amid and after the work of a handler. Armed by the test kit
//! only. Without the feature `testkit` passing one does nothing and takes no memory.

use kvota_domain::ids::{MatchId, SportId};
#[cfg(feature = "testkit")]
use std::collections::BTreeMap;
#[cfg(feature = "testkit")]
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(feature = "testkit")]
use tokio::sync::watch;

/// Which actor panics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Point {
    /// The FeedActor.
    Feed,
    /// The SportActor of a sport.
    Sport(SportId),
    /// The MatchActor of a match.
    Match(MatchId),
    /// The next SessionActor that handles a message.
    Session,
    /// The SessionsActor.
    Sessions,
    /// The next PublisherActor that handles a message.
    Publisher,
}

/// When it panics. Each handler passes those that its work has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// Before it does anything.
    Before,
    /// It has taken the content of the message, and has changed nothing.
    Taken,
    /// A part of its work is visible to others: the read model is written, or one match of several is done.
    Written,
    /// Everything is done but the answer.
    After,
}

impl Moment {
    /// All moments, in the order in which a handler passes them.
    pub const ALL: [Moment; 4] = [Moment::Before, Moment::Taken, Moment::Written, Moment::After];
}

/// The armed fail points. A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct FailPoints {
    #[cfg(feature = "testkit")]
    armed: Arc<Mutex<BTreeMap<(Point, Moment), u32>>>,
    #[cfg(feature = "testkit")]
    task: watch::Sender<Option<&'static str>>,
}

impl FailPoints {
    /// The next actor that passes the point at this moment panics, once.
    #[cfg(feature = "testkit")]
    pub fn arm(&self, point: Point, moment: Moment) {
        self.arm_times(point, moment, 1);
    }

    /// The next `times` passes of the point at this moment panic.
    #[cfg(feature = "testkit")]
    pub fn arm_times(&self, point: Point, moment: Moment, times: u32) {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner).insert((point, moment), times);
    }

    /// Whether the point is armed at this moment: it has not been passed as often as it was armed for.
    #[cfg(feature = "testkit")]
    pub fn is_armed(&self, point: Point, moment: Moment) -> bool {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&(point, moment))
    }

    /// The running task of the server with this name panics, once.
    #[cfg(feature = "testkit")]
    pub fn panic_task(&self, name: &'static str) {
        self.task.send_replace(Some(name));
    }

    /// Whether a task was asked to panic and has not done so yet.
    #[cfg(feature = "testkit")]
    pub fn is_task_armed(&self) -> bool {
        self.task.borrow().is_some()
    }

    /// Panics when a test asks for it, and never ends otherwise.
    #[cfg(feature = "testkit")]
    pub(crate) async fn task_panics(&self, name: &'static str) {
        let mut asked = self.task.subscribe();
        // It cannot fail, because this value holds a sender.
        drop(asked.wait_for(|asked| *asked == Some(name)).await);
        self.task.send_replace(None);
        panic!("a test asked for it");
    }

    /// Never ends in a release build.
    #[cfg(not(feature = "testkit"))]
    pub(crate) async fn task_panics(&self, _: &'static str) {
        std::future::pending::<()>().await;
    }

    /// Disarms all points.
    #[cfg(feature = "testkit")]
    pub fn disarm(&self) {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Panics if the point is armed at this moment.
    #[cfg(feature = "testkit")]
    pub(crate) fn pass(&self, point: Point, moment: Moment) {
        let is_armed = {
            let mut armed = self.armed.lock().unwrap_or_else(PoisonError::into_inner);
            let times = armed.remove(&(point, moment)).unwrap_or(0);
            if times > 1 {
                armed.insert((point, moment), times - 1);
            }
            times > 0
        };
        assert!(!is_armed, "a test asked for it");
    }

    /// Does nothing in a release build.
    #[cfg(not(feature = "testkit"))]
    pub(crate) fn pass(&self, _: Point, _: Moment) {}
}
