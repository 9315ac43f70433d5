//! Places a recorded match on one time axis, in ms since its kick-off: the periods with the breaks between them, and
//! the times of suspended betting. Computed once for each recording.

use super::period::Period;
use super::timeline::{Event, Fact, Recording};

/// Durations that the recording does not contain, in seconds of match time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// How long before the kick-off a match is offered.
    pub insert_before_s: u32,
    /// Half-time.
    pub half_time_s: u32,
    /// Between 90 minutes and extra time.
    pub before_extra_time_s: u32,
    /// Between the halves of extra time.
    pub extra_half_time_s: u32,
    /// Between extra time and the shoot-out.
    pub before_shoot_out_s: u32,
    /// Seconds for which betting is suspended before a goal, a red card or a penalty.
    pub suspend_before_s: u32,
    /// Seconds for which betting stays suspended after it.
    pub suspend_after_s: u32,
    /// How long a match stays in the offer after its end.
    pub delete_after_s: u32,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            insert_before_s: 600,
            half_time_s: 900,
            before_extra_time_s: 300,
            extra_half_time_s: 60,
            before_shoot_out_s: 180,
            suspend_before_s: 8,
            suspend_after_s: 25,
            delete_after_s: 120,
        }
    }
}

/// From the last recorded event of a period to its whistle: the data set has no whistles.
const WHISTLE_MS: i64 = 3_000;

/// A recorded match on one time axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Script {
    /// What happens, in order.
    pub beats: Vec<Beat>,
    /// When the match comes into the offer (below 0).
    pub insert_ms: i64,
    /// When it ends.
    pub end_ms: i64,
    /// When it leaves the offer.
    pub delete_ms: i64,
}

/// Something that happens at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beat {
    /// Milliseconds since the kick-off.
    pub at_ms: i64,
    /// What.
    pub action: Action,
}

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    /// A period begins.
    Begin(Period),
    /// A break begins.
    Pause,
    /// The match ends.
    End,
    /// Betting is suspended.
    Suspend,
    /// Only the ball moves: the event of this index.
    Ball(usize),
    /// The event of this index means something for the match.
    Fact(usize),
    /// Betting goes on.
    Resume,
}

impl Script {
    /// Writes the script of a recording.
    pub fn new(recording: &Recording, timing: &Timing) -> Script {
        let mut writer = Writer { timing, beats: Vec::with_capacity(recording.events.len() + 64), windows: Vec::new() };
        let mut now_ms = 0;
        let last = recording.periods.last().map(|played| played.period);
        for played in &recording.periods {
            writer.beat(now_ms, Action::Begin(played.period));
            writer.events(recording, played.period, now_ms);
            now_ms += i64::from(played.length_ms) + WHISTLE_MS;
            if Some(played.period) != last {
                writer.beat(now_ms, Action::Pause);
                now_ms += ms(writer.pause_after(played.period));
            }
        }
        writer.beat(now_ms, Action::End);
        Script {
            beats: writer.finish(now_ms),
            insert_ms: -ms(timing.insert_before_s),
            end_ms: now_ms,
            delete_ms: now_ms + ms(timing.delete_after_s),
        }
    }
}

struct Writer<'a> {
    timing: &'a Timing,
    beats: Vec<Beat>,
    /// From and until when betting is suspended, in the order of the reasons.
    windows: Vec<(i64, i64)>,
}

impl Writer<'_> {
    fn beat(&mut self, at_ms: i64, action: Action) {
        self.beats.push(Beat { at_ms, action });
    }

    fn pause_after(&self, period: Period) -> u32 {
        match period {
            Period::FirstHalf => self.timing.half_time_s,
            Period::SecondHalf => self.timing.before_extra_time_s,
            Period::ExtraFirst => self.timing.extra_half_time_s,
            Period::ExtraSecond | Period::ShootOut => self.timing.before_shoot_out_s,
        }
    }

    fn events(&mut self, recording: &Recording, period: Period, start_ms: i64) {
        let events = recording.events.iter().enumerate();
        for (index, event) in events.filter(|(_, event)| event.period == period) {
            let at_ms = start_ms + i64::from(event.at_ms);
            if event.fact.is_some() {
                self.beat(at_ms, Action::Fact(index));
                self.suspension(event, at_ms);
            } else {
                self.beat(at_ms, Action::Ball(index));
            }
        }
    }

    fn suspension(&mut self, event: &Event, at_ms: i64) {
        let before = ms(self.timing.suspend_before_s);
        let before = match &event.fact {
            Some(Fact::Goal { .. } | Fact::Red(_) | Fact::ShootOutKick { .. }) => before,
            // From the moment it was given.
            Some(Fact::Penalty { since_foul_ms, .. }) => before.max(i64::from(*since_foul_ms)),
            _ => return,
        };
        self.windows.push((at_ms - before, at_ms + ms(self.timing.suspend_after_s)));
    }

    /// The beats in order, with the suspensions, those that overlap made one; none outlasts the match.
    fn finish(mut self, end_ms: i64) -> Vec<Beat> {
        self.windows.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for (from, until) in std::mem::take(&mut self.windows) {
            match merged.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(until),
                _ => merged.push((from, until)),
            }
        }
        for (from, until) in merged {
            self.beat(from, Action::Suspend);
            self.beat(until.min(end_ms), Action::Resume);
        }
        self.beats.sort_by_key(|beat| (beat.at_ms, rank(beat.action)));
        self.beats
    }
}

/// The order of actions at the same moment. Events keep their recorded order.
fn rank(action: Action) -> u8 {
    match action {
        Action::Begin(_) | Action::Pause | Action::End => 0,
        Action::Suspend => 1,
        Action::Ball(_) | Action::Fact(_) => 2,
        Action::Resume => 3,
    }
}

fn ms(seconds: u32) -> i64 {
    i64::from(seconds) * 1000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::files::RecordingFiles;
    use crate::recording::wyscout::load;

    fn recording(id: u64) -> Recording {
        let loaded = load(&RecordingFiles::Embedded).expect("the embedded set");
        let mut recordings = loaded.recordings.into_iter();
        recordings.find(|held| held.id == id).expect("a match of the set")
    }

    #[test]
    fn a_match_with_everything_goes_through_all_phases() {
        let script = Script::new(&recording(2_058_005), &Timing::default());
        let phases = script.beats.iter().filter_map(|beat| match beat.action {
            Action::Begin(period) => Some(period.status()),
            Action::Pause => Some("pause"),
            Action::End => Some("end"),
            _ => None,
        });
        assert_eq!(
            phases.collect::<Vec<&str>>(),
            [
                "first_half",
                "pause",
                "second_half",
                "pause",
                "first_extra",
                "pause",
                "second_extra",
                "pause",
                "penalties",
                "end",
            ]
        );
        assert!(script.beats.is_sorted_by_key(|beat| beat.at_ms));
    }

    #[test]
    fn betting_is_suspended_around_a_goal_and_from_a_penalty_s_foul() {
        // Colombia - Japan: hand ball and red card at 171 s, penalty at 316 s; goals at 2291 s and in the second half.
        let script = Script::new(&recording(2_057_997), &Timing::default());
        let moments = |wanted: Action| -> Vec<i64> {
            let beats = script.beats.iter().filter(|beat| beat.action == wanted);
            beats.map(|beat| beat.at_ms / 1000).collect()
        };
        let (from, until) = (moments(Action::Suspend), moments(Action::Resume));
        assert_eq!((from.len(), until.len()), (3, 3));
        assert!((161..=163).contains(&from[0]), "8 s before the red card: {from:?}");
        assert!((340..=342).contains(&until[0]), "25 s after the penalty: {until:?}");
        assert!((2282..=2283).contains(&from[1]), "{from:?}");
    }
}
