//! Tests the state machine of one language against each line of CONTRACT 1. The content of an event is its seq.
//! Decisions are written as short texts, so that a script reads like the log of a feed.

use super::*;
use crate::limits::{SNAPSHOT_PAUSE_MS, SNAPSHOT_RETRY_MS};

#[path = "liveness_lag_tests.rs"]
mod lag;

struct Feed {
    liveness: Liveness<u64>,
    now_ms: u64,
}

fn at(epoch: i64, seq: u64) -> Position {
    Position { epoch, seq }
}

impl Feed {
    /// In Croatian, so that the requests have the numbers 0, 4, 8 …
    fn new() -> Feed {
        Feed { liveness: Liveness::new(Lang::Hr), now_ms: 1_000 }
    }

    /// Connected, its first request answered as of seq 10 of epoch 1; the next request has the number 4.
    fn active() -> Feed {
        let mut feed = Feed::new();
        feed.says(LivenessInput::Connected, "ask 0, down NoSnapshot");
        feed.answers(0, at(1, 10), "take 10, active");
        feed.later(1_000);
        feed
    }

    fn later(&mut self, ms: u64) {
        self.now_ms += ms;
    }

    #[track_caller]
    fn says(&mut self, input: LivenessInput<u64>, expected: &str) {
        let sent = format!("{input:?}");
        let decisions = self.liveness.handle(input, self.now_ms);
        let mut words: Vec<String> = decisions.iter().map(words_of).collect();
        // The order of a request among the decisions does not matter; put it first, so that expectations are easy to
        // read.
        words.sort_by_key(|word| !word.starts_with("ask"));
        assert_eq!(words.join(", "), expected, "{sent} at {}", self.now_ms);
    }

    #[track_caller]
    fn event(&mut self, epoch: i64, seq: u64, expected: &str) {
        self.says(LivenessInput::Event(at(epoch, seq), seq), expected);
    }

    #[track_caller]
    fn answers(&mut self, correlation: u64, position: Position, expected: &str) {
        self.says(LivenessInput::Snapshot(correlation, position, position.seq), expected);
    }

    /// No message arrives until the next deadline, which must be `ms` away. It must give this decision.
    #[track_caller]
    fn deadline(&mut self, ms: u64, expected: &str) {
        let due_ms = self.liveness.next_deadline_ms().expect("a deadline");
        assert_eq!(due_ms.checked_sub(self.now_ms), Some(ms), "until the deadline");
        self.now_ms = due_ms - 1;
        if ms > 0 {
            self.says(LivenessInput::Tick, "");
        }
        self.now_ms = due_ms;
        self.says(LivenessInput::Tick, expected);
    }
}

fn words_of(decision: &Decision<u64>) -> String {
    match decision {
        Decision::Apply(event) => format!("apply {event}"),
        Decision::TakeSnapshot { snapshot, replay } if replay.is_empty() => format!("take {snapshot}"),
        Decision::TakeSnapshot { snapshot, replay } => format!("take {snapshot} and {replay:?}"),
        Decision::RequestSnapshot { correlation } => format!("ask {correlation}"),
        Decision::StateChanged(LivenessState::Down(cause)) => format!("down {cause:?}"),
        Decision::StateChanged(state) => format!("{state:?}").to_lowercase(),
        Decision::Ignore(ignored) => format!("ignore {}", ignored.cause()),
    }
}

#[test]
fn at_start_it_is_down_and_asks_once_connected() {
    let mut feed = Feed::new();
    assert_eq!(feed.liveness.state(), LivenessState::Down(DownCause::Disconnected));
    assert_eq!(feed.liveness.next_deadline_ms(), None);
    feed.event(1, 1, "");
    feed.says(LivenessInput::Active(true, None), "");
    feed.says(LivenessInput::Connected, "ask 0, down NoSnapshot");
    feed.answers(0, at(1, 10), "take 10, active");
}

#[test]
fn events_before_the_first_snapshot_follow_it() {
    let mut feed = Feed::new();
    feed.says(LivenessInput::Connected, "ask 0, down NoSnapshot");
    for seq in 9..=12 {
        feed.event(1, seq, "");
    }
    feed.answers(0, at(1, 10), "take 10 and [11, 12], active");
    feed.event(1, 13, "apply 13");
}

#[test]
fn events_in_order_are_applied_and_those_had_are_not() {
    let mut feed = Feed::active();
    feed.event(1, 10, "ignore stale_event");
    feed.event(1, 11, "apply 11");
    feed.event(1, 11, "ignore stale_event");
    feed.event(1, 12, "apply 12");
    assert_eq!(feed.liveness.position(), Some(at(1, 12)));
}

#[test]
fn a_gap_recovers_while_events_go_on_being_applied() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    feed.event(1, 13, "apply 13");
    feed.answers(4, at(1, 12), "take 12 and [13], active");
    feed.event(1, 14, "apply 14");
}

#[test]
fn an_answer_older_than_the_gap_is_ignored_and_asked_for_again() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    feed.event(1, 15, "apply 15");
    feed.answers(4, at(1, 11), "ignore answer_before_gap");
    feed.deadline(SNAPSHOT_PAUSE_MS, "ask 8");
    feed.answers(8, at(1, 14), "take 14 and [15], active");
}

#[test]
fn useless_answers_are_asked_for_less_and_less() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    let mut number = 4;
    for pause in [500, 1_000, 2_000, 4_000] {
        feed.answers(number, at(1, 10), "ignore answer_before_gap");
        number += 4;
        feed.deadline(pause, &format!("ask {number}"));
    }
    feed.answers(number, at(1, 11), "take 11 and [12], active");
}

#[test]
fn a_new_epoch_recovers_and_asks_though_an_answer_is_awaited() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    feed.later(SNAPSHOT_PAUSE_MS);
    feed.event(2, 1, "ask 8, apply 1");
    feed.answers(4, at(1, 12), "ignore old_answer");
    feed.answers(8, at(1, 12), "ignore answer_of_other_epoch");
    feed.deadline(SNAPSHOT_PAUSE_MS, "ask 12");
    feed.event(2, 2, "apply 2");
    feed.answers(12, at(2, 1), "take 1 and [2], active");
    feed.event(1, 12, "ignore stale_event");
}

#[test]
fn a_restart_that_only_feed_active_tells_is_one() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Active(true, Some(at(2, 0))), "ask 4, recovering");
    feed.answers(4, at(2, 0), "take 0, active");
    feed.event(2, 1, "apply 1");
}

#[test]
fn feed_active_shows_that_the_last_event_was_lost() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Active(true, None), "");
    feed.says(LivenessInput::Active(true, Some(at(1, 10))), "");
    feed.says(LivenessInput::Active(true, Some(at(1, 9))), "");
    feed.says(LivenessInput::Active(true, Some(at(1, 11))), "ask 4, recovering");
    feed.answers(4, at(1, 11), "take 11, active");
}

#[test]
fn not_healed_within_15_s_it_is_down_and_goes_on_asking() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    feed.later(4_000);
    feed.event(1, 13, "apply 13");
    feed.deadline(1_000, "ask 8");
    feed.later(4_000);
    feed.event(1, 15, "apply 15");
    feed.deadline(6_000, "ask 12, down NoSnapshot");
    feed.event(1, 16, "");
    feed.answers(12, at(1, 14), "take 14 and [15, 16], active");
}

#[test]
fn a_request_without_an_answer_is_repeated_with_backoff_to_30_s() {
    let mut feed = Feed::new();
    feed.says(LivenessInput::Connected, "ask 0, down NoSnapshot");
    let mut number = 0;
    for wait in [5, 10, 20, 30, 30, 30] {
        // Messages arrive all the time, so that no silence is detected.
        for _ in 1..wait {
            feed.later(1_000);
            feed.says(LivenessInput::Active(true, None), "");
        }
        number += 4;
        feed.deadline(1_000, &format!("ask {number}"));
    }
    feed.answers(number - 4, at(1, 10), "ignore old_answer");
    feed.answers(number, at(1, 10), "take 10, active");
}

#[test]
fn told_inactive_it_is_down_until_told_active() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Active(false, None), "down Inactive");
    feed.event(1, 11, "");
    feed.event(1, 13, "");
    feed.answers(4, at(1, 13), "ignore unwanted_answer");
    feed.deadline(FEED_SILENCE_MS, "");
    feed.says(LivenessInput::Active(false, Some(at(1, 13))), "");
    feed.says(LivenessInput::Active(true, Some(at(1, 13))), "ask 4, down NoSnapshot");
    feed.says(LivenessInput::Active(true, Some(at(1, 13))), "");
    feed.event(1, 14, "");
    feed.answers(4, at(1, 13), "take 13 and [14], active");
}

#[test]
fn inactive_survives_a_reconnect() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Active(false, None), "down Inactive");
    feed.says(LivenessInput::Lost, "down Disconnected");
    feed.says(LivenessInput::Connected, "ask 4, down Inactive");
    feed.answers(4, at(1, 20), "ignore unwanted_answer");
    feed.later(1_000);
    feed.says(LivenessInput::Active(true, None), "ask 8, down NoSnapshot");
    feed.answers(8, at(1, 20), "take 20, active");
}

#[test]
fn silence_is_ended_by_anything_that_decodes() {
    let endings: [(&str, LivenessInput<u64>); 3] = [
        ("an event", LivenessInput::Event(at(1, 11), 11)),
        ("an event had already", LivenessInput::Event(at(1, 10), 10)),
        ("feed-active", LivenessInput::Active(true, None)),
    ];
    for (name, ending) in endings {
        let mut feed = Feed::active();
        feed.later(9_000);
        feed.says(LivenessInput::Undecodable(None), "");
        feed.deadline(5_000, "down Silent");
        assert_eq!(feed.liveness.next_deadline_ms(), None, "{name}");
        feed.says(LivenessInput::Undecodable(None), "");
        let position = match &ending {
            LivenessInput::Event(position, _) => *position,
            _ => at(1, 10),
        };
        let decisions = feed.liveness.handle(ending, feed.now_ms);
        assert!(decisions.contains(&Decision::RequestSnapshot { correlation: 4 }), "{name}: {decisions:?}");
        assert_eq!(feed.liveness.state(), LivenessState::Down(DownCause::NoSnapshot), "{name}");
        feed.answers(4, position, &format!("take {}, active", position.seq));
    }
}

#[test]
fn a_silence_while_an_answer_is_awaited_is_ended_by_it() {
    let mut feed = Feed::new();
    feed.says(LivenessInput::Connected, "ask 0, down NoSnapshot");
    feed.deadline(5_000, "ask 4");
    feed.deadline(10_000, "ask 8, down Silent");
    feed.answers(8, at(1, 10), "take 10, active");

    let mut feed = Feed::new();
    feed.says(LivenessInput::Connected, "ask 0, down NoSnapshot");
    feed.deadline(5_000, "ask 4");
    feed.deadline(10_000, "ask 8, down Silent");
    feed.later(1_000);
    feed.says(LivenessInput::Active(true, Some(at(1, 0))), "ask 12, down NoSnapshot");
    feed.answers(12, at(1, 0), "take 0, active");
}

#[test]
fn a_lost_connection_is_down_until_it_stands_again() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Lost, "down Disconnected");
    feed.event(1, 11, "");
    feed.says(LivenessInput::Tick, "");
    assert_eq!(feed.liveness.next_deadline_ms(), None);
    feed.later(60_000);
    feed.says(LivenessInput::Connected, "ask 4, down NoSnapshot");
    feed.answers(4, at(2, 3), "take 3, active");
    feed.event(2, 4, "apply 4");
}

#[test]
fn a_link_that_comes_and_goes_is_no_storm_of_requests() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Lost, "down Disconnected");
    feed.says(LivenessInput::Connected, "ask 4, down NoSnapshot");
    feed.later(100);
    feed.says(LivenessInput::Connected, "down Disconnected, down NoSnapshot");
    feed.deadline(400, "ask 8");
}

#[test]
fn an_undecodable_event_is_a_gap_where_its_place_is_known() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Undecodable(None), "");
    feed.says(LivenessInput::Undecodable(Some(at(1, 10))), "");
    feed.says(LivenessInput::Undecodable(Some(at(1, 11))), "ask 4, recovering");
    feed.event(1, 12, "apply 12");
    feed.answers(4, at(1, 10), "ignore answer_before_gap");
    feed.deadline(500, "ask 8");
    feed.answers(8, at(1, 11), "take 11 and [12], active");
    feed.later(SNAPSHOT_PAUSE_MS);
    feed.says(LivenessInput::Undecodable(Some(at(2, 1))), "ask 12, recovering");
}

#[test]
fn an_answer_nobody_waits_for_changes_nothing() {
    let mut feed = Feed::active();
    feed.answers(0, at(1, 30), "ignore unwanted_answer");
    feed.answers(7, at(1, 30), "ignore unwanted_answer");
    feed.event(1, 11, "apply 11");
}

#[test]
fn gaps_in_a_row_wait_for_the_answer_that_is_awaited() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    for seq in [14, 16, 18] {
        feed.later(1_000);
        feed.event(1, seq, &format!("apply {seq}"));
    }
    feed.answers(4, at(1, 18), "take 18, active");
}

#[test]
fn languages_never_share_a_number() {
    let mut numbers = std::collections::HashSet::new();
    for lang in Lang::ALL {
        let mut liveness = Liveness::<u64>::new(lang);
        for turn in 0..10 {
            for decision in liveness.handle(LivenessInput::Connected, turn * 1_000) {
                if let Decision::RequestSnapshot { correlation } = decision {
                    assert!(numbers.insert(correlation));
                }
            }
        }
    }
    assert_eq!(numbers.len(), 40);
}

/// A producer at seq 40,000. Its next event has a wrong seq. From then on it counts as before, `every_ms` an event.
fn heals_after_a_wrong_seq(wrong: LivenessInput<u64>, every_ms: u64) {
    let mut feed = Feed::new();
    feed.says(LivenessInput::Connected, "ask 0, down NoSnapshot");
    feed.answers(0, at(1, 40_000), "take 40000, active");
    feed.later(1_000);
    let began_ms = feed.now_ms;
    let mut seq = 40_000;
    let mut inputs = vec![wrong];
    while feed.now_ms < began_ms + 20_000 {
        if (feed.now_ms - began_ms).is_multiple_of(every_ms) {
            seq += 1;
            inputs.push(LivenessInput::Event(at(1, seq), seq));
        }
        if (feed.now_ms - began_ms).is_multiple_of(2_000) {
            inputs.push(LivenessInput::Active(true, Some(at(1, seq))));
        }
        inputs.push(LivenessInput::Tick);
        while !inputs.is_empty() {
            for decision in feed.liveness.handle(inputs.remove(0), feed.now_ms) {
                if let Decision::RequestSnapshot { correlation } = decision {
                    inputs.push(LivenessInput::Snapshot(correlation, at(1, seq), seq));
                }
            }
        }
        feed.later(50);
    }
    assert_eq!(feed.liveness.state(), LivenessState::Active);
    assert_eq!(feed.liveness.position(), Some(at(1, seq)), "nothing is missing");
}

#[test]
fn one_wrong_high_seq_heals_by_itself_within_20_s() {
    for every_ms in [50, 700, 30_000] {
        heals_after_a_wrong_seq(LivenessInput::Event(at(1, 9_000_000), 1), every_ms);
        heals_after_a_wrong_seq(LivenessInput::Undecodable(Some(at(1, 9_000_000))), every_ms);
        heals_after_a_wrong_seq(LivenessInput::Active(true, Some(at(1, 9_000_000))), every_ms);
    }
}

#[test]
fn old_answers_of_a_producer_that_goes_on_are_not_believed() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    feed.answers(4, at(1, 10), "ignore answer_before_gap");
    for (seq, pause_ms, number) in [(13, 500, 8), (14, 1_000, 12), (15, 2_000, 16), (16, 4_000, 20)] {
        feed.event(1, 11, "ignore stale_event");
        feed.event(1, seq, &format!("apply {seq}"));
        feed.deadline(pause_ms, &format!("ask {number}"));
        feed.answers(number, at(1, 10), "ignore answer_before_gap");
    }
}

#[test]
fn answers_alone_are_not_believed() {
    let mut feed = Feed::active();
    feed.event(1, 12, "ask 4, recovering, apply 12");
    feed.answers(4, at(1, 10), "ignore answer_before_gap");
    for (pause_ms, number) in [(500, 8), (1_000, 12), (2_000, 16)] {
        feed.deadline(pause_ms, &format!("ask {number}"));
        feed.answers(number, at(1, 10), "ignore answer_before_gap");
    }
}

#[test]
fn an_incomplete_event_is_applied_and_leaves_a_gap() {
    let mut feed = Feed::active();
    feed.says(LivenessInput::Incomplete(at(1, 10), 10), "ignore stale_event");
    feed.says(LivenessInput::Incomplete(at(1, 11), 11), "ask 4, recovering, apply 11");
    feed.event(1, 12, "apply 12");
    feed.answers(4, at(1, 10), "ignore answer_before_gap");
    feed.deadline(500, "ask 8");
    feed.answers(8, at(1, 11), "take 11 and [12], active");
}

#[test]
fn what_could_not_be_applied_is_a_gap_at_the_newest_place() {
    let mut feed = Feed::active();
    feed.event(1, 11, "apply 11");
    feed.says(LivenessInput::Unapplied, "ask 4, recovering");
    feed.answers(4, at(1, 10), "ignore answer_before_gap");
    feed.deadline(500, "ask 8");
    feed.answers(8, at(1, 11), "take 11, active");
    feed.says(LivenessInput::Unapplied, "recovering");
    feed.deadline(500, "ask 12");
}
