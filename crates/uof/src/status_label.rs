//! The labels of match statuses, and whether an event is over (contract 10).

use crate::event_status::EventStatus;
use std::borrow::Cow;

/// What an event's status means for its place in the offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// It can be bet on.
    Open,
    /// It is shown, but takes no bets: delayed, interrupted, abandoned.
    Halted,
    /// It has left the offer.
    Over,
}

/// The label of a status: lower snake case, or the number of a code that is not known.
pub fn label(status: &EventStatus) -> Cow<'static, str> {
    let code = status.match_status;
    match (status.status, code) {
        (Some(9), _) | (_, Some(90)) => "abandoned".into(),
        (Some(7), _) | (_, Some(80 | 81)) => "interrupted".into(),
        (Some(6), _) | (_, Some(60 | 61)) => "delayed".into(),
        (_, Some(code)) => of_code(code),
        (Some(0), None) | (None, None) => "not_started".into(),
        (Some(3 | 4), None) => "ended".into(),
        (Some(_), None) => "started".into(),
    }
}

fn of_code(code: i64) -> Cow<'static, str> {
    match code {
        0 => "not_started".into(),
        1..=5 => format!("period_{code}").into(),
        6 => "first_half".into(),
        7 => "second_half".into(),
        8..=12 => format!("set_{}", code.saturating_sub(7)).into(),
        13..=16 => format!("quarter_{}", code.saturating_sub(12)).into(),
        20 => "started".into(),
        30 | 301..=306 => "pause".into(),
        31 => "half_time".into(),
        32 => "awaiting_extra_time".into(),
        33 => "extra_half_time".into(),
        34 => "awaiting_shoot_out".into(),
        40 => "overtime".into(),
        41 => "first_extra".into(),
        42 => "second_extra".into(),
        50 => "shoot_out".into(),
        91 => "walkover".into(),
        92 => "retired".into(),
        100 | 110 | 120 => "ended".into(),
        441 => "set_6".into(),
        442 => "set_7".into(),
        code => code.to_string().into(),
    }
}

/// What the status means for the offer. An abandoned event is shown for a while before it leaves.
pub fn stage(status: &EventStatus) -> Stage {
    match (status.status, status.match_status) {
        (Some(9), _) | (_, Some(90)) => Stage::Halted,
        (Some(3 | 4 | 5 | 8), _) | (_, Some(91..=99 | 100 | 110 | 120)) => Stage::Over,
        (Some(2 | 6 | 7), _) | (_, Some(60 | 61 | 70 | 80 | 81)) => Stage::Halted,
        (Some(0 | 1) | None, _) => Stage::Open,
        (Some(_), _) => Stage::Halted,
    }
}

/// Whether the clock stands in this status: nothing is played.
pub fn is_break(status: &EventStatus) -> bool {
    let is_pause = matches!(status.match_status, Some(0 | 30..=34 | 301..=306));
    is_pause || stage(status) != Stage::Open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_labels_and_a_place_in_the_offer() {
        for (status, code, label_wanted, stage_wanted) in [
            (Some(0), Some(0), "not_started", Stage::Open),
            (Some(1), Some(6), "first_half", Stage::Open),
            (Some(1), Some(31), "half_time", Stage::Open),
            (Some(1), Some(9), "set_2", Stage::Open),
            (Some(1), Some(13), "quarter_1", Stage::Open),
            (Some(1), Some(442), "set_7", Stage::Open),
            (Some(1), Some(513), "513", Stage::Open),
            (Some(1), None, "started", Stage::Open),
            (None, None, "not_started", Stage::Open),
            (Some(2), Some(6), "first_half", Stage::Halted),
            (Some(6), Some(0), "delayed", Stage::Halted),
            (Some(1), Some(61), "delayed", Stage::Halted),
            (Some(7), Some(6), "interrupted", Stage::Halted),
            (Some(1), Some(80), "interrupted", Stage::Halted),
            (Some(9), Some(100), "abandoned", Stage::Halted),
            (Some(1), Some(90), "abandoned", Stage::Halted),
            (Some(3), Some(100), "ended", Stage::Over),
            (Some(4), None, "ended", Stage::Over),
            (Some(1), Some(92), "retired", Stage::Over),
            (Some(5), Some(70), "70", Stage::Over),
            (Some(8), Some(0), "not_started", Stage::Over),
            (Some(77), Some(6), "first_half", Stage::Halted),
        ] {
            let status = EventStatus { status, match_status: code, ..EventStatus::default() };
            assert_eq!((label(&status).as_ref(), stage(&status)), (label_wanted, stage_wanted), "{status:?}");
        }
    }
}
