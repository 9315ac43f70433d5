//! Measures how old messages of the feed are when they arrive: their dates against the clock of this server. Owned by
//! `liveness`, which suspends all betting while the feed is late, and drops the offer while it is too late.
//!
//! The clocks of producer and server differ by an unknown offset. The smallest difference seen between arrival and date
//! counts as that offset, and the lag of a message is its difference minus the offset. A delay that exists from the
//! first message on looks like a clock offset; `kvota_feed_clock_offset_seconds` shows it to the operator.
//!
//! - If the producer's clock is set forward, the difference becomes smaller, which takes effect at once.
//! - If it is set back, dates become older than earlier dates. A delay cannot cause that, because messages keep their
//!   order. After [`FEED_OLDER_DATES_MAX`] such messages in a row the offset is learned again; the lag is not changed
//!   by that. If the feed is late at that time, it is unknown whether it still is: the offset is doubtful until a
//!   snapshot that is requested now shows it.
//! - Slower changes: the offset may grow slowly, but only while the feed is fresh. A constant delay must never become
//!   the offset.
//!
//! Must never read a clock: `now_ms` is a parameter, in ms since the epoch like the dates.

use crate::limits::{
    FEED_CLOCK_JUMP_MS_MIN, FEED_LAG_DOWN_MS, FEED_LAG_SUSPEND_MS, FEED_OFFSET_FORGOTTEN_US_PER_MS,
    FEED_OLDER_DATES_MAX, FEED_SILENCE_MS,
};

/// How late the feed may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LagLimits {
    /// Above this lag, in ms, no bets are accepted.
    pub suspend_ms: i64,
    /// Above this lag, in ms, there is no offer. Greater than `suspend_ms`.
    pub down_ms: i64,
}

impl Default for LagLimits {
    fn default() -> LagLimits {
        LagLimits { suspend_ms: FEED_LAG_SUSPEND_MS, down_ms: FEED_LAG_DOWN_MS }
    }
}

/// The effect of the lag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// The offer is current.
    Fresh,
    /// Every match counts as suspended.
    Late,
    /// The feed is Down.
    TooLate,
}

/// The lag of one feed.
#[derive(Clone, Debug)]
pub struct Lag {
    limits: LagLimits,
    freshness: Freshness,
    lag_ms: i64,
    /// The learned offset: arrival minus date of a message without any lag.
    offset_ms: Option<i64>,
    /// The part of the offset's slow growth that is less than a millisecond.
    forgotten_us: i64,
    measured_at_ms: Option<i64>,
    newest_date_ms: i64,
    /// The number of messages in a row that are older than the newest date.
    older_dates: u32,
    is_doubtful: bool,
}

impl Lag {
    /// Fresh, because nothing is measured yet.
    pub fn new(limits: LagLimits) -> Lag {
        Lag {
            limits,
            freshness: Freshness::Fresh,
            lag_ms: 0,
            offset_ms: None,
            forgotten_us: 0,
            measured_at_ms: None,
            newest_date_ms: i64::MIN,
            older_dates: 0,
            is_doubtful: false,
        }
    }

    /// The effect of the newest measurement.
    pub fn freshness(&self) -> Freshness {
        self.freshness
    }

    /// The newest measurement, in ms.
    pub fn lag_ms(&self) -> i64 {
        self.lag_ms
    }

    /// How far the producer's clock is behind this server's, in ms. Includes the shortest delivery time of a message.
    pub fn offset_ms(&self) -> Option<i64> {
        self.offset_ms
    }

    /// A new connection has a new queue, so its first message shows how late the feed is. The clock offset is kept.
    pub fn reconnected(&mut self) {
        self.lag_ms = 0;
        self.freshness = Freshness::Fresh;
        self.measured_at_ms = None;
    }

    /// A snapshot with this date arrived. It overtakes the messages in the queue, so it shows nothing about their lag.
    /// But before the first message it is the only measurement of the clocks, and that first message may already be
    /// late.
    pub fn learn(&mut self, date_ms: i64, now_ms: i64) {
        if self.offset_ms.is_none() {
            self.offset_ms = Some(now_ms.saturating_sub(date_ms));
            self.newest_date_ms = date_ms;
        }
    }

    /// Whether the producer's clock was set back while the feed was late, so that the offset is only an assumption.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// A snapshot with this date arrived that was requested while the offset was doubtful. It did not wait in the queue
    /// of the messages, so it shows the offset as at the start.
    pub fn resolve_doubt(&mut self, date_ms: i64, now_ms: i64) {
        if std::mem::take(&mut self.is_doubtful) {
            self.offset_ms = Some(now_ms.saturating_sub(date_ms));
        }
    }

    /// A message with this date arrived.
    pub fn measure(&mut self, date_ms: i64, now_ms: i64) {
        self.forget(now_ms);
        let raw_ms = now_ms.saturating_sub(date_ms);
        if self.is_older(date_ms) {
            self.older_dates += 1;
            if self.older_dates < FEED_OLDER_DATES_MAX {
                return;
            }
            self.offset_ms = Some(raw_ms.saturating_sub(self.lag_ms));
            self.newest_date_ms = date_ms;
            self.is_doubtful = true;
        }
        self.older_dates = 0;
        self.newest_date_ms = self.newest_date_ms.max(date_ms);
        let offset_ms = self.offset_ms.map_or(raw_ms, |offset_ms| offset_ms.min(raw_ms));
        self.offset_ms = Some(offset_ms);
        self.lag_ms = raw_ms.saturating_sub(offset_ms);
        self.freshness = self.evaluate();
        self.is_doubtful &= self.freshness != Freshness::Fresh;
    }

    fn is_older(&self, date_ms: i64) -> bool {
        date_ms < self.newest_date_ms.saturating_sub(FEED_CLOCK_JUMP_MS_MIN)
    }

    /// Lets the offset grow a little, for the time since the last message.
    fn forget(&mut self, now_ms: i64) {
        let before_ms = self.measured_at_ms.replace(now_ms).unwrap_or(now_ms);
        if self.freshness != Freshness::Fresh {
            return;
        }
        // A longer silence does not let the offset grow more than this.
        let elapsed_ms = now_ms.saturating_sub(before_ms).clamp(0, FEED_SILENCE_MS as i64);
        self.forgotten_us += elapsed_ms * FEED_OFFSET_FORGOTTEN_US_PER_MS;
        if let Some(offset_ms) = &mut self.offset_ms {
            *offset_ms = offset_ms.saturating_add(self.forgotten_us / 1_000);
        }
        self.forgotten_us %= 1_000;
    }

    /// Hysteresis: a late feed must become clearly better before it counts as fresh, so that betting does not open and
    /// close all the time.
    fn evaluate(&self) -> Freshness {
        match self.freshness {
            _ if self.lag_ms > self.limits.down_ms => Freshness::TooLate,
            _ if self.lag_ms <= self.limits.suspend_ms / 2 => Freshness::Fresh,
            Freshness::Fresh if self.lag_ms > self.limits.suspend_ms => Freshness::Late,
            before => before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Messages as `date/arrival` in seconds; after each, `f`resh, `l`ate or `d`own.
    #[track_caller]
    fn script(name: &str, messages: &[(f64, f64)], expected: &str) -> Lag {
        let mut lag = Lag::new(LagLimits::default());
        let ms = |seconds: f64| (seconds * 1_000.0) as i64;
        let letter = |(date, arrival): &(f64, f64)| {
            lag.measure(ms(*date), ms(*arrival));
            match lag.freshness() {
                Freshness::Fresh => 'f',
                Freshness::Late => 'l',
                Freshness::TooLate => 'd',
            }
        };
        let seen: String = messages.iter().map(letter).collect();
        assert_eq!(seen, expected, "{name}");
        lag
    }

    #[test]
    fn lag_beyond_the_limits_suspends_and_then_ends_the_offer() {
        for (name, messages, expected) in [
            ("in time", vec![(10.0, 10.0), (11.0, 11.1), (12.0, 12.0)], "fff"),
            ("exactly the limit", vec![(10.0, 10.0), (11.0, 14.0)], "ff"),
            ("beyond the limit", vec![(10.0, 10.0), (11.0, 14.1)], "fl"),
            ("far beyond", vec![(10.0, 10.0), (11.0, 26.2)], "fd"),
            ("stays late between the limits", vec![(10.0, 10.0), (11.0, 14.1), (12.0, 14.4), (13.0, 14.4)], "fllf"),
            ("a backlog that is worked off", vec![(10.0, 10.0), (11.0, 30.0), (20.0, 30.1), (30.0, 30.2)], "fddf"),
            ("the producer's clock is behind", vec![(10.0, 100.0), (11.0, 101.0), (12.0, 106.0)], "ffl"),
            ("the producer's clock is ahead", vec![(100.0, 10.0), (101.0, 11.0), (102.0, 16.0)], "ffl"),
            (
                "a late start is corrected by the first quick message",
                vec![(10.0, 20.0), (19.0, 20.0), (20.0, 24.5)],
                "ffl",
            ),
        ] {
            script(name, &messages, expected);
        }
    }

    #[test]
    fn a_clock_that_is_set_heals_by_itself() {
        script("forward", &[(10.0, 10.0), (3_611.0, 11.0), (3_612.0, 12.0), (3_613.0, 17.0)], "fffl");
        script(
            "back",
            &[(5_000.0, 10.0), (11.0, 11.0), (12.0, 12.0), (13.0, 13.0), (14.0, 14.0), (15.0, 19.0)],
            "fffffl",
        );
        script("one wrong date", &[(10.0, 10.0), (9_000.0, 11.0), (12.0, 12.0), (13.0, 13.0), (14.0, 14.0)], "fffff");
        let back_while_late =
            [(5_000.0, 10.0), (5_001.0, 15.0), (12.0, 16.0), (13.0, 17.0), (14.0, 18.0), (19.0, 19.0)];
        script("back while late", &back_while_late, "fllllf");
    }

    #[test]
    fn a_constant_delay_is_late_for_however_long() {
        for delay_ms in [4_000, 10_000, 14_000] {
            let mut lag = Lag::new(LagLimits::default());
            lag.measure(0, 0);
            for second in 1..100_000 {
                let date_ms = second * 1_000;
                lag.measure(date_ms, date_ms + delay_ms);
                assert_eq!(lag.freshness(), Freshness::Late, "{delay_ms} ms after {second} s");
            }
        }
    }

    #[test]
    fn one_late_message_out_of_order_changes_nothing() {
        let lag = script("late", &[(10.0, 10.0), (15.0, 15.0), (11.0, 15.1), (16.0, 16.0)], "ffff");
        assert_eq!((lag.lag_ms(), lag.offset_ms().map(i64::abs)), (0, Some(0)));
    }

    #[test]
    fn a_snapshot_shows_that_the_first_message_is_late() {
        let mut lag = Lag::new(LagLimits::default());
        lag.learn(50_000, 90_000);
        lag.measure(51_000, 95_000);
        assert_eq!((lag.lag_ms(), lag.freshness()), (4_000, Freshness::Late));
        lag.learn(10, 90_000);
        assert_eq!(lag.offset_ms(), Some(40_000));

        let mut lag = Lag::new(LagLimits::default());
        lag.learn(9_000_000, 90_000);
        for turn in 0..3 {
            lag.measure(50_000 + turn * 1_000, 90_000 + turn * 1_000);
        }
        assert_eq!((lag.lag_ms(), lag.offset_ms()), (0, Some(40_000)), "a wrong date of a snapshot is found out");
    }

    #[test]
    fn clock_set_back_while_late_is_doubtful_until_a_snapshot_shows_it() {
        let back = [(5_000.0, 10.0), (5_001.0, 31.0), (32.0, 32.0), (33.0, 33.0), (34.0, 34.0), (35.0, 35.0)];
        let mut lag = script("back while late", &back, "fddddd");
        assert!(lag.is_doubtful());
        lag.resolve_doubt(36_000, 36_200);
        assert!(!lag.is_doubtful());
        lag.measure(37_000, 37_000);
        assert_eq!(lag.freshness(), Freshness::Fresh);

        let mut lag = script("and still late", &back, "fddddd");
        lag.resolve_doubt(46_000, 46_200);
        lag.measure(37_000, 47_000);
        assert_eq!((lag.lag_ms(), lag.freshness()), (9_800, Freshness::TooLate), "not below half of the limit");

        let mut lag = script("late, and no clock is set", &[(10.0, 10.0), (11.0, 30.0)], "fd");
        let offset_ms = lag.offset_ms();
        assert!(!lag.is_doubtful());
        lag.resolve_doubt(31_000, 51_000);
        assert_eq!(lag.offset_ms(), offset_ms, "a snapshot does not make a late feed fresh");
        let lag = script("back while fresh", &[(5_000.0, 10.0), (11.0, 11.0), (12.0, 12.0), (13.0, 13.0)], "ffff");
        assert!(!lag.is_doubtful());
    }

    #[test]
    fn a_difference_below_the_limit_is_forgotten() {
        let mut lag = Lag::new(LagLimits::default());
        lag.measure(0, 0);
        for turn in 1..600 {
            lag.measure(turn * 2_000, turn * 2_000 + 2_000);
            assert_eq!(lag.freshness(), Freshness::Fresh);
        }
        assert_eq!(lag.lag_ms(), 0, "clocks that differ by 2 s more are known within 20 minutes");
    }

    #[test]
    fn a_new_connection_keeps_what_is_known_of_the_clocks() {
        let mut lag = script("late", &[(10.0, 10.0), (11.0, 30.0)], "fd");
        lag.reconnected();
        assert_eq!((lag.freshness(), lag.lag_ms()), (Freshness::Fresh, 0));
        lag.measure(31_000, 35_000);
        assert_eq!(lag.freshness(), Freshness::Late);
    }

    proptest! {
        /// Messages every `every_ms` with a delay of up to `jitter_ms`, clocks with any offset, and one stall.
        #[test]
        fn a_stall_is_seen_whatever_the_clocks_and_heals(
            offset_ms in -10_000_000_000_i64..10_000_000_000,
            every_ms in 50_i64..5_000,
            jitter_ms in 0_i64..500,
            stall_ms in 4_500_i64..120_000,
            noise in proptest::collection::vec(0_i64..1_000_000, 60),
        ) {
            let mut lag = Lag::new(LagLimits::default());
            let mut arrived_ms = 0;
            for (turn, noise) in noise.iter().enumerate() {
                let sent_ms = turn as i64 * every_ms;
                let stall_ends_ms = 20 * every_ms + stall_ms;
                let held = if turn >= 20 { stall_ends_ms } else { 0 };
                arrived_ms = (sent_ms + noise % (jitter_ms + 1)).max(held).max(arrived_ms);
                lag.measure(sent_ms, arrived_ms + offset_ms);
                let way_ms = arrived_ms - sent_ms;
                // The only errors are the growth of the offset in this time, and the delay of the fastest message.
                let error_ms = jitter_ms + turn as i64 * every_ms.max(15_000) / 500 + 1;
                prop_assert!(lag.lag_ms() <= way_ms && lag.lag_ms() >= way_ms - error_ms, "{} {way_ms}", lag.lag_ms());
                if turn < 20 {
                    prop_assert_eq!(lag.freshness(), Freshness::Fresh);
                } else if turn == 20 {
                    prop_assert!(lag.freshness() != Freshness::Fresh);
                }
            }
            let turn = noise.len() as i64;
            for later in 0..3 {
                let sent_ms = (turn + later) * every_ms + stall_ms;
                lag.measure(sent_ms, sent_ms + offset_ms);
            }
            prop_assert_eq!(lag.freshness(), Freshness::Fresh);
        }

        #[test]
        fn no_dates_break_it(dates in proptest::collection::vec((0..=i64::MAX, 0..=i64::MAX), 1..40)) {
            let mut lag = Lag::new(LagLimits::default());
            for (date_ms, now_ms) in dates {
                lag.measure(date_ms, now_ms);
                prop_assert!(lag.lag_ms() >= 0);
            }
        }
    }
}
