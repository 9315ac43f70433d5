//! Places at which a test lets an actor of the offer die in the middle of its work, to see that nobody notices for long.
//! Passed by the actors, armed by the test kit with the feature `testkit` alone; in the program that is shipped, passing
//! one is nothing and takes no memory.

use crate::domain::ids::{MatchId, SportId};
#[cfg(feature = "testkit")]
use std::collections::BTreeMap;
#[cfg(feature = "testkit")]
use std::sync::{Arc, Mutex, PoisonError};

/// Where an actor dies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Point {
    /// The reader of the feed, before it takes its next input.
    Reader,
    /// A sport, between two matches of a message.
    Sport(SportId),
    /// A match, before it applies its next update.
    Match(MatchId),
}

/// The points that are armed. Cloning shares.
#[derive(Clone, Debug, Default)]
pub struct FailPoints {
    #[cfg(feature = "testkit")]
    armed: Arc<Mutex<BTreeMap<Point, u32>>>,
}

impl FailPoints {
    /// Whoever passes the point next dies of it, once.
    #[cfg(feature = "testkit")]
    pub fn arm(&self, point: Point) {
        self.arm_times(point, 1);
    }

    /// The next so many times that somebody passes the point, he dies of it.
    #[cfg(feature = "testkit")]
    pub fn arm_times(&self, point: Point, times: u32) {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner).insert(point, times);
    }

    /// Nobody dies any more.
    #[cfg(feature = "testkit")]
    pub fn disarm(&self) {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Dies where the point is armed.
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

    /// Nothing: this is the program that is shipped.
    #[cfg(not(feature = "testkit"))]
    pub(super) fn pass(&self, _: Point) {}
}
