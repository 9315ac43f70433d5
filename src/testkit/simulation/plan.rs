//! Which faults a seed has, and how often each strikes. Every seed has some and lacks others: a story in which all goes
//! wrong at once hides what one fault alone would show.

use crate::testkit::seed::Dice;

/// Every so many seeds a story is a long one.
const LONG_EVERY: u64 = 20;

/// The faults of a story; what is said per mille is a chance at each occasion.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Processes one after the other; all but the last are killed.
    pub(super) lives: u64,
    /// Whether all is looked at once more after a restart without a fault.
    pub(super) is_restarted: bool,
    /// The longest time of each with faults.
    pub(super) rough_seconds: u64,
    /// Messages of the feed that are lost.
    pub(super) feed_lost: u64,
    /// That come twice.
    pub(super) feed_doubled: u64,
    /// The latest that one comes; later than the next one, where that is quick.
    pub(super) feed_late_ms: u64,
    /// Requests for snapshots, and answers, that are lost.
    pub(super) snapshot_lost: u64,
    /// Seconds with a broken link, each.
    pub(super) link_broken: u64,
    /// Seconds in which the producer starts anew.
    pub(super) producer_restarted: u64,
    /// Seconds in which the producer says that it is inactive, or says nothing for long.
    pub(super) producer_silent: u64,
    /// Connections that break.
    pub(super) hub_cut: u64,
    /// Frames before which a client reads nothing for a while.
    pub(super) hub_stalled: u64,
    /// Frames of the offer that are lost, doubled, or applied late by a client.
    pub(super) hub_frames: u64,
    /// Writes that fail before they are done, and after.
    pub(super) store_failed: u64,
    /// Seconds in which the store begins to be away for a while.
    pub(super) store_away: u64,
    /// The longest that the store takes.
    pub(super) store_late_ms: u64,
    /// Seconds in which an actor panics.
    pub(super) panics: u64,
    /// Seconds in which the wall clock jumps.
    pub(super) clock_jumps: u64,
    /// Requests and answers of bets that are lost, doubled, or hung up on.
    pub(super) calls_lost: u64,
}

impl Plan {
    /// The faults of a seed.
    pub(crate) fn of(seed: u64) -> Plan {
        let mut dice = Dice::new(seed).apart(0);
        let mut sometimes = |most: u64| if dice.chance(500) { dice.between(1, most) } else { 0 };
        Plan {
            feed_lost: sometimes(60),
            feed_doubled: sometimes(60),
            feed_late_ms: sometimes(1_500),
            snapshot_lost: sometimes(400),
            link_broken: sometimes(60),
            producer_restarted: sometimes(40),
            producer_silent: sometimes(30),
            hub_cut: sometimes(60),
            hub_stalled: sometimes(20),
            hub_frames: sometimes(100),
            store_failed: sometimes(150),
            store_away: sometimes(60),
            store_late_ms: sometimes(300),
            panics: sometimes(150),
            clock_jumps: sometimes(60),
            calls_lost: sometimes(300),
            // Most are short, so that many can be told; now and then one is long, for what needs its time.
            lives: if seed.is_multiple_of(LONG_EVERY) { dice.between(1, 3) } else { dice.between(1, 2) },
            is_restarted: seed.is_multiple_of(3),
            rough_seconds: if seed.is_multiple_of(LONG_EVERY) { dice.between(20, 40) } else { dice.between(4, 9) },
        }
    }
}
