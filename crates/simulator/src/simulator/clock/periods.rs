//! The periods of a match against the clock: how long they are, what follows them, and what the clock shows. Reads the
//! game; must not change it.

use super::game::{Game, Phase};
use super::question::Part;
use super::rules::{Overtime, Seconds, ShootOut, Tempo};
use crate::simulator::sport::BoardClock;

impl Game {
    /// How many periods regular time has.
    pub(super) fn regular(&self) -> usize {
        self.rules.periods.len()
    }

    /// All of regular time.
    pub(super) fn regular_time(&self) -> Part {
        Part { from: 0, to: self.regular() }
    }

    /// How long a period is, in ms of play: without stoppage time.
    pub(super) fn nominal_ms(&self, period: usize) -> i64 {
        match self.shape.overtime {
            Some(overtime) if period >= self.regular() => overtime.period_ms,
            _ => self.shape.period_ms,
        }
    }

    /// How long a period is, in ms of play: with the stoppage time that is expected.
    pub(super) fn length_ms(&self, period: usize) -> i64 {
        match self.rules.running {
            Some(running) => running.expected_ms.get(period).copied().unwrap_or(running.overtime_ms),
            None => self.nominal_ms(period),
        }
    }

    /// How much of a period is expected to be left, in ms of play.
    pub(super) fn left_ms(&self, period: usize) -> i64 {
        let played_ms = if period == self.period { self.played_ms } else { 0 };
        let least_ms = self.rules.running.map_or(0, |running| running.tail_ms);
        (self.length_ms(period) - played_ms).max(least_ms)
    }

    /// The round of overtime that is played or comes next; all of regular time before it.
    pub(super) fn round(&self) -> Part {
        let periods = self.shape.overtime.map_or(1, |overtime| overtime.periods.0);
        match self.period.checked_sub(self.regular()) {
            None => self.regular_time(),
            Some(since) => {
                let from = self.regular() + since / periods * periods;
                Part { from, to: from + periods }
            }
        }
    }

    /// Whether the markets of extra time are open in the break before it.
    pub(super) fn is_before_extra_time(&self) -> bool {
        self.rules.running.is_some() && self.is_before_round() && self.period == self.regular()
    }

    /// Whether a round of overtime or a shoot-out is next.
    pub(super) fn is_before_round(&self) -> bool {
        self.phase == Phase::Break && self.period >= self.regular() && self.period == self.round().from
    }

    /// The rate of scoring in a period, in parts of that of the match.
    pub(super) fn pace(&self, period: usize) -> f64 {
        match self.rules.periods.get(period) {
            Some(own) => own.pace,
            None => self.shape.overtime.map_or(1.0, |overtime| overtime.pace),
        }
    }

    /// How many attacks both make in a period.
    pub(super) fn attacks_of(&self, period: usize) -> usize {
        match self.shape.tempo {
            Tempo::Moments { .. } => 0,
            Tempo::Turns { period: each, .. } if period < self.regular() => 2 * each,
            Tempo::Turns { overtime, .. } => 2 * overtime,
        }
    }

    /// The attacking side of an attack of a period.
    pub(super) fn attacker(&self, opener: usize, period: usize, attack: usize) -> usize {
        (opener + period + attack) % 2
    }

    /// Whether the next score ends the match.
    pub(super) fn is_sudden(&self) -> bool {
        self.period >= self.regular() && self.shape.overtime.is_some_and(|overtime| overtime.is_sudden)
    }

    /// The shoot-out after an overtime without a winner.
    pub(super) fn shoot_out(&self) -> Option<ShootOut> {
        self.shape.overtime.and_then(|overtime| overtime.shoot_out)
    }

    /// Whether the shoot-out is next.
    pub(super) fn is_after_overtime(&self) -> bool {
        self.shoot_out().is_some() && self.period > self.regular() && self.period == self.round().from
    }

    pub(super) fn break_after(&self, period: usize) -> (&'static str, Seconds) {
        let last = self.regular().saturating_sub(1);
        if let Some(Overtime { periods: (periods, status, seconds), .. }) = self.shape.overtime
            && period > last
            && !(period - last).is_multiple_of(periods)
        {
            return (status, (seconds, seconds));
        }
        self.rules.periods.get(period.min(last)).map_or(("pause", (60.0, 90.0)), |own| (own.pause, own.pause_s))
    }

    pub(super) fn status(&self) -> &'static str {
        match self.phase {
            Phase::Announced => "not_started",
            Phase::Over => "ended",
            Phase::Break if self.is_after_overtime() => self.rules.shoot_out[0],
            Phase::Break => self.break_after(self.period.saturating_sub(1)).0,
            Phase::Kick | Phase::Kicked => self.rules.shoot_out[1],
            _ => match self.rules.periods.get(self.period) {
                Some(period) => period.status,
                None if self.period > self.round().from => self.rules.overtime[1],
                None => {
                    let is_second =
                        self.round().to == self.period + 1 && 2 * self.played_ms >= self.length_ms(self.period);
                    self.rules.overtime[usize::from(is_second)]
                }
            },
        }
    }

    /// The match clock. Stoppage time is shown in its own period alone.
    pub(super) fn all_played_ms(&self) -> i64 {
        (0..self.period).map(|period| self.nominal_ms(period)).sum::<i64>() + self.played_ms
    }

    pub(super) fn at_s(&self) -> i32 {
        (self.all_played_ms() / 1000) as i32
    }

    /// The second of the match clock at which the period being played ends.
    pub(super) fn period_end_s(&self) -> i32 {
        let ms = self.all_played_ms() - self.played_ms + self.nominal_ms(self.period);
        (ms / 1000) as i32
    }

    pub(super) fn clock(&self) -> BoardClock {
        let ms = self.all_played_ms();
        match self.phase {
            Phase::Announced | Phase::Over => BoardClock::None,
            Phase::Running(..) => BoardClock::Running { ms },
            _ => BoardClock::Stopped { ms },
        }
    }
}
