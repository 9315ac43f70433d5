//! The data in which goal sports differ: periods, rates, breaks, overtime, shoot-outs. Read by [`super::play`] and
//! [`super::model`].
//!
//! Time advances in ticks of play. In every tick a goal is scored with the probability of its period; which side scores
//! it does not depend on the time. The play and the prices use the same model.

use crate::pricing::maths::exp;
use crate::pricing::shoot_out::Kicks;

/// A tick, in milliseconds of play.
pub(super) const TICK_MS: u32 = 6_000;

/// The rules of a sport.
#[derive(Debug)]
pub(super) struct Rules {
    /// Regular periods.
    pub(super) periods: u8,
    /// How long one is, in seconds of play.
    pub(super) period_s: u32,
    /// The share of each in the goals of a match; they sum to one.
    pub(super) shares: &'static [f64],
    /// Goals a match of average sides at home and away.
    pub(super) goals: [f64; 2],
    /// What being clearly stronger does to one's goals, as the logarithm of a factor.
    pub(super) skill: f64,
    /// Between two periods, in seconds.
    pub(super) pause_s: [f64; 2],
    /// What follows a draw.
    pub(super) overtime: Overtime,
    /// What follows a draw after overtime.
    pub(super) kicks: Kicks,
    /// Whether the winner of a shoot-out gets one goal for it.
    pub(super) kicks_count: bool,
    /// When the clock is stopped.
    pub(super) stops: Stops,
    /// The status of each leg, and of the break after it.
    pub(super) statuses: &'static [[&'static str; 2]],
}

/// Draws that are played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Draws {
    Any,
    OfCups,
}

/// Overtime.
#[derive(Debug)]
pub(super) struct Overtime {
    /// Which draws are played on.
    pub(super) after: Draws,
    /// Its periods.
    pub(super) legs: u8,
    /// How long one is, in seconds of play.
    pub(super) leg_s: u32,
    /// Whether the first goal ends it.
    pub(super) sudden_death: bool,
    /// How many goals fall in it, against the same time before.
    pub(super) pace: f64,
}

/// When the clock is stopped.
#[derive(Debug)]
pub(super) struct Stops {
    /// The ball or puck is out, a foul is called: the chance in a tick …
    pub(super) chance: f64,
    /// … and for how long, in seconds.
    pub(super) seconds: [f64; 2],
    /// A side takes a time-out: the chance in a tick …
    pub(super) timeout: f64,
    /// … how many each side has …
    pub(super) timeouts: u8,
    /// … and how long one is, in seconds.
    pub(super) timeout_s: f64,
    /// After a goal, in seconds; `None` if the clock does not stop.
    pub(super) goal_s: Option<[f64; 2]>,
}

impl Rules {
    /// The number of legs, overtime's included.
    pub(super) fn legs(&self) -> usize {
        usize::from(self.periods + self.overtime.legs)
    }

    /// The length of a leg in seconds of play.
    pub(super) fn leg_s(&self, leg: usize) -> u32 {
        if self.is_regular(leg) { self.period_s } else { self.overtime.leg_s }
    }

    /// The ticks of a leg.
    pub(super) fn ticks(&self, leg: usize) -> u32 {
        self.leg_s(leg) * 1000 / TICK_MS
    }

    /// The clock at the start of a leg, in ms of play.
    pub(super) fn base_ms(&self, leg: usize) -> i64 {
        (0..leg).map(|before| i64::from(self.leg_s(before)) * 1000).sum()
    }

    /// Whether a leg belongs to regular time.
    pub(super) fn is_regular(&self, leg: usize) -> bool {
        leg < usize::from(self.periods)
    }
}

/// The expected rates of a pairing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rates {
    /// Goals of both sides in regular time.
    pub(super) goals: f64,
    /// The chance that a goal is the home side's.
    pub(super) home: f64,
}

impl Rates {
    /// From strengths of -2.5 to 2.5.
    pub(super) fn new(rules: &Rules, [home, away]: [f64; 2]) -> Rates {
        let edge = exp(rules.skill * (home - away));
        let sides = [rules.goals[0] * edge, rules.goals[1] / edge];
        Rates { goals: sides[0] + sides[1], home: sides[0] / (sides[0] + sides[1]) }
    }

    /// The chance of a goal in a tick of a leg.
    pub(super) fn tick(&self, rules: &Rules, leg: usize) -> f64 {
        match rules.shares.get(leg) {
            Some(share) => self.goals * share / f64::from(rules.ticks(leg)),
            None => {
                let regular: u32 = (0..usize::from(rules.periods)).map(|leg| rules.ticks(leg)).sum();
                self.goals * rules.overtime.pace / f64::from(regular)
            }
        }
    }
}
