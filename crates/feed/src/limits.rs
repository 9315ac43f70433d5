//! Limits of the feed and its recovery, each with its reason; the unit comes last in the name.

/// Share of undecodable entities in one window, in per cent, above which an alarm is raised: the producer probably uses
/// another version of the format.
pub const DROPPED_ALARM_PER_CENT: u64 = 1;
/// The window in which [`DROPPED_ALARM_PER_CENT`] is measured.
pub const DROPPED_ALARM_WINDOW_MS: u64 = 60_000;
/// Entities that a window must have before the alarm may be raised: a smaller sample proves nothing.
pub const DROPPED_ALARM_ENTITIES_MIN: u64 = 100;

/// The feed is inactive after this long without a decodable message (CONTRACT 1).
pub const FEED_SILENCE_MS: u64 = 15_000;
/// Lag above which no bets are accepted (`feed.lag_suspend_seconds`). Most in-play delays are longer, so a bet is never
/// validated against an offer older than its own delay.
pub const FEED_LAG_SUSPEND_MS: i64 = 3_000;
/// Lag above which there is no offer (`feed.lag_down_seconds`): the same as for a silent feed.
pub const FEED_LAG_DOWN_MS: i64 = 15_000;
/// A message date this much older than the previous one, in ms, means that the producer's clock was set back. Messages
/// of the same moment differ by less.
pub const FEED_CLOCK_JUMP_MS_MIN: i64 = 1_000;
/// After this many messages in a row with older dates, the clock is accepted as set back. One or two may have arrived
/// out of order.
pub const FEED_OLDER_DATES_MAX: u32 = 3;
/// Decay of the estimated clock offset, in microseconds per millisecond. It is forty times the drift of a bad clock,
/// and slow enough that a lag of ten seconds stays visible for an hour.
pub const FEED_OFFSET_FORGOTTEN_US_PER_MS: i64 = 2;
/// A feed that recovers for this long without a snapshot is Down (CONTRACT 1).
pub const RECOVERY_MS_MAX: u64 = 15_000;
/// A snapshot request without an answer is first repeated after this (CONTRACT 1).
pub const SNAPSHOT_RETRY_MS: u64 = 5_000;
/// The longest wait between two snapshot requests without an answer, after backoff.
pub const SNAPSHOT_RETRY_MS_MAX: u64 = 30_000;
/// The shortest pause between two snapshot requests: a link that loses messages must not cause a storm of requests.
pub const SNAPSHOT_PAUSE_MS: u64 = 500;
/// After this many answers in a row that are older than the gap, while all messages agree with them, the seq of the gap
/// is taken as a producer's mistake. The requests are 500 ms, 1 s and 2 s apart, so this takes less than 5 s.
pub const ANSWERS_BEFORE_GAP_MAX: u32 = 3;
/// Events kept while a snapshot is awaited, to be applied on top of it. Beyond this a new snapshot is requested.
pub const RECOVERY_EVENTS_MAX: usize = 20_000;

/// Results that wait in memory for the settlement engine. Beyond this they are dropped and requested later.
pub const RESULTS_WAITING_MAX: usize = 10_000;
