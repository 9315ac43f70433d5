//! Fail points: places at which a test makes an actor of the offer panic in the middle of its work. Armed by the test
//! kit only. Without the feature `testkit` passing one does nothing and takes no memory.

use kvota_domain::ids::{MatchId, SportId};
#[cfg(feature = "testkit")]
use std::collections::BTreeMap;
#[cfg(feature = "testkit")]
use std::sync::{Arc, Mutex, PoisonError};

/// Where an actor panics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Point {
    /// The reader of the feed, before it takes its next input.
    Reader,
    /// A sport, after one match of a message.
    Sport(SportId),
    /// A match, before it applies its next update.
    Match(MatchId),
}

/// The armed fail points. A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct FailPoints {
    #[cfg(feature = "testkit")]
    armed: Arc<Mutex<BTreeMap<Point, u32>>>,
}

impl FailPoints {
    /// The next actor that passes the point panics, once.
    #[cfg(feature = "testkit")]
    pub fn arm(&self, point: Point) {
        self.arm_times(point, 1);
    }

    /// The next `times` passes of the point panic.
    #[cfg(feature = "testkit")]
    pub fn arm_times(&self, point: Point, times: u32) {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner).insert(point, times);
    }

    /// Disarms all points.
    #[cfg(feature = "testkit")]
    pub fn disarm(&self) {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Panics if the point is armed.
    #[cfg(feature = "testkit")]
    pub(super) fn pass(&self, point: Point) {
        let is_armed = {
            let mut armed = self.armed.lock().unwrap_or_else(PoisonError::into_inner);
            let times = armed.remove(&point).unwrap_or(0);
            if times > 1 {
                armed.insert(point, times - 1);
            }
            times > 0
        };
        assert!(!is_armed, "a test asked for it");
    }

    /// Does nothing in a release build.
    #[cfg(not(feature = "testkit"))]
    pub(super) fn pass(&self, _: Point) {}
}
