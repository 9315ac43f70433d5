//! Tests how the state machine of one language handles a late feed.

use super::*;

impl Feed {
    /// A feed-active message with this lag. Only the wall clock is set, so that no silence is detected.
    #[track_caller]
    fn arrives_late(&mut self, lag_ms: i64, position: Option<Position>, expected: &str) {
        let date_ms = 1_700_000_000_000 + self.now_ms as i64;
        self.liveness.note_date(date_ms, date_ms + lag_ms);
        self.says(LivenessInput::Active(true, position), expected);
        self.later(100);
    }
}

#[test]
fn a_late_feed_recovers_without_a_snapshot() {
    let mut feed = Feed::active();
    feed.arrives_late(0, None, "");
    feed.arrives_late(3_500, None, "recovering");
    feed.event(1, 11, "apply 11");
    feed.arrives_late(3_600, None, "");
    assert_eq!(feed.liveness.next_deadline_ms(), Some(feed.now_ms - 100 + FEED_SILENCE_MS), "no end but silence");
    feed.arrives_late(200, None, "active");
    feed.event(1, 12, "apply 12");
}

#[test]
fn a_late_feed_may_stay_late_for_longer_than_a_gap() {
    let mut feed = Feed::active();
    feed.arrives_late(0, None, "");
    feed.arrives_late(3_500, None, "recovering");
    for seq in 11..60 {
        feed.later(1_000);
        feed.event(1, seq, &format!("apply {seq}"));
    }
    feed.event(1, 61, "ask 4, apply 61");
    feed.answers(4, at(1, 61), "take 61");
    feed.arrives_late(100, None, "active");
}

#[test]
fn a_gap_in_a_late_feed_has_its_own_15_s() {
    let mut feed = Feed::active();
    feed.arrives_late(0, None, "");
    feed.arrives_late(3_500, None, "recovering");
    feed.later(10_000);
    feed.event(1, 12, "ask 4, apply 12");
    feed.deadline(5_000, "ask 8");
    feed.event(1, 13, "apply 13");
    feed.deadline(10_000, "ask 12, down NoSnapshot");
}

#[test]
fn a_feed_that_is_too_late_is_down_until_it_is_in_time_again() {
    let mut feed = Feed::active();
    feed.arrives_late(0, None, "");
    feed.arrives_late(15_500, None, "down Late");
    feed.event(1, 11, "");
    feed.event(1, 13, "");
    feed.answers(4, at(1, 13), "ignore unwanted_answer");
    feed.arrives_late(9_000, Some(at(1, 13)), "");
    feed.arrives_late(100, Some(at(1, 13)), "ask 4, down NoSnapshot");
    feed.event(1, 14, "");
    feed.answers(4, at(1, 13), "take 13 and [14], active");
}

#[test]
fn a_new_connection_is_in_time_until_a_message_says_otherwise() {
    let mut feed = Feed::active();
    feed.arrives_late(0, None, "");
    feed.arrives_late(20_000, None, "down Late");
    feed.says(LivenessInput::Lost, "down Disconnected");
    feed.says(LivenessInput::Connected, "ask 4, down NoSnapshot");
    feed.answers(4, at(1, 10), "take 10, active");
    feed.later(1_000);
    feed.arrives_late(4_000, None, "recovering");
}

#[test]
fn too_late_and_inactive_is_inactive() {
    let mut feed = Feed::active();
    feed.arrives_late(0, None, "");
    feed.arrives_late(20_000, None, "down Late");
    feed.says(LivenessInput::Active(false, None), "down Inactive");
    let wall_ms = 1_700_000_000_000 + feed.now_ms as i64;
    feed.liveness.note_date(wall_ms, wall_ms);
    feed.says(LivenessInput::Active(false, None), "");
    feed.says(LivenessInput::Active(true, None), "ask 4, down NoSnapshot");
}

const HOUR_MS: i64 = 3_600_000;

impl Feed {
    /// The wall clock, in ms since the epoch.
    fn wall_ms(&self) -> i64 {
        1_700_000_000_000 + self.now_ms as i64
    }

    /// A feed-active message without delay of a producer with a clock that is an hour behind.
    #[track_caller]
    fn arrives_from_an_hour_ago(&mut self, position: Option<Position>, expected: &str) {
        self.liveness.note_date(self.wall_ms() - HOUR_MS, self.wall_ms());
        self.says(LivenessInput::Active(true, position), expected);
        self.later(100);
    }
}

/// The producer's clock is set back while the feed is late, and the late messages are lost.
fn clock_set_back_while_late() -> Feed {
    let mut feed = Feed::active();
    feed.arrives_late(0, None, "");
    feed.arrives_late(20_000, None, "down Late");
    feed.arrives_from_an_hour_ago(None, "");
    feed.arrives_from_an_hour_ago(None, "");
    feed.later(1_000);
    feed.arrives_from_an_hour_ago(None, "ask 4");
    feed
}

#[test]
fn clock_set_back_while_late_does_not_keep_the_feed_down() {
    let mut feed = clock_set_back_while_late();
    feed.liveness.note_snapshot_date(4, feed.wall_ms() - HOUR_MS, feed.wall_ms());
    feed.answers(4, at(1, 10), "ignore unwanted_answer");
    feed.later(1_000);
    feed.arrives_from_an_hour_ago(Some(at(1, 10)), "ask 8, down NoSnapshot");
    feed.answers(8, at(1, 10), "take 10, active");
}

#[test]
fn only_the_snapshot_requested_for_it_shows_a_doubtful_clock() {
    let mut feed = clock_set_back_while_late();
    feed.liveness.note_snapshot_date(0, feed.wall_ms() - HOUR_MS, feed.wall_ms());
    feed.answers(0, at(1, 10), "ignore unwanted_answer");
    feed.arrives_from_an_hour_ago(None, "");
    feed.deadline(SNAPSHOT_RETRY_MS - 200, "ask 8");
}
