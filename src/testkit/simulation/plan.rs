//! Which faults a seed has, and how often they occur. Every seed lacks some of them, because many simultaneous faults
//! hide what a single one would show.

use crate::testkit::seed::Dice;

/// One of this number of seeds is a long run.
const LONG_EVERY: u64 = 20;

/// In one of this number of seeds, results are lost.
const LOST_EVERY: u64 = 8;

/// The faults of a seed. Numbers without a unit are chances per mille.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Number of processes, one after the other; all but the last are killed.
    pub(super) lives: u64,
    /// Whether all is checked again after a restart without faults.
    pub(super) is_restarted: bool,
    /// Maximum seconds with faults, per process.
    pub(super) rough_seconds: u64,
    /// A feed message is lost.
    pub(super) feed_lost: u64,
    /// A feed message is delivered twice.
    pub(super) feed_doubled: u64,
    /// Maximum delay of a feed message in ms; it may arrive after the next one.
    pub(super) feed_late_ms: u64,
    /// A result is lost before it reaches the queue, or the answer to a request is lost.
    pub(super) results_lost: u64,
    /// The provider restarts without its memory before lost results are requested: it answers that they are cancelled.
    pub(super) results_forgotten: bool,
    /// A result is delivered twice.
    pub(super) results_doubled: u64,
    /// Maximum delay of a result in ms; it may arrive after the next one.
    pub(super) results_late_ms: u64,
    /// A snapshot request or its answer is lost.
    pub(super) snapshot_lost: u64,
    /// The link breaks, per second.
    pub(super) link_broken: u64,
    /// The producer restarts, per second.
    pub(super) producer_restarted: u64,
    /// The producer becomes inactive or silent, per second.
    pub(super) producer_silent: u64,
    /// A connection breaks.
    pub(super) hub_cut: u64,
    /// A client stalls before a frame.
    pub(super) hub_stalled: u64,
    /// A client loses, duplicates or delays a frame of the offer.
    pub(super) hub_frames: u64,
    /// A write fails before or after it is done.
    pub(super) store_failed: u64,
    /// The store becomes unavailable for a while, per second.
    pub(super) store_away: u64,
    /// Maximum delay of the store in ms.
    pub(super) store_late_ms: u64,
    /// An actor panics, per second.
    pub(super) panics: u64,
    /// The wall clock jumps, per second.
    pub(super) clock_jumps: u64,
    /// The in-play delay of bets and cash-outs.
    pub(super) delay_seconds: u32,
    /// A bet's request or answer is lost, duplicated, or abandoned.
    pub(super) calls_lost: u64,
    /// Number of nodes. With two, connections and calls go to either of them.
    pub(super) nodes: usize,
    /// One of several nodes is killed, and starts again within seconds; per second.
    pub(super) node_killed: u64,
    /// A message between the nodes is lost.
    pub(super) notice_lost: u64,
    /// Maximum delay of a message between the nodes in ms.
    pub(super) notice_late_ms: u64,
}

impl Plan {
    /// The faults of a seed.
    pub(crate) fn of(seed: u64) -> Plan {
        let mut dice = Dice::new(seed).apart(0);
        let mut sometimes = |most: u64| if dice.chance(500) { dice.between(1, most) } else { 0 };
        let mut plan = Plan {
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
            panics: sometimes(400),
            clock_jumps: sometimes(60),
            calls_lost: sometimes(300),
            // Few seeds, because a lost result is only requested two minutes after its match has left the offer.
            results_lost: if seed % LOST_EVERY == 1 { dice.between(1, 300) } else { 0 },
            delay_seconds: dice.below(3) as u32,
            results_doubled: dice.below(300),
            results_late_ms: dice.below(2_000),
            // Most runs are short, so that many seeds can be tested; a few are long, for effects that need time.
            lives: if seed.is_multiple_of(LONG_EVERY) { dice.between(1, 3) } else { dice.between(1, 2) },
            is_restarted: seed.is_multiple_of(3),
            rough_seconds: if seed.is_multiple_of(LONG_EVERY) { dice.between(20, 40) } else { dice.between(4, 9) },
            nodes: if dice.chance(400) { 2 } else { 1 },
            results_forgotten: dice.chance(300),
            notice_lost: dice.below(50),
            notice_late_ms: dice.between(1, 300),
            node_killed: 0,
        };
        if plan.nodes > 1 && dice.chance(600) {
            plan.node_killed = dice.between(100, 400);
        }
        plan
    }
}
