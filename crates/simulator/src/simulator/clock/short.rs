//! Sides that are a player short: how much they score, when their players come back, and what is counted meanwhile.

use super::game::Game;
use super::rules::{ShortRules, Tempo};
use crate::simulator::random::Random;
use kvota_domain::matches::Pair;

/// More missing players than this change nothing any more.
const SHORT_MAX: i32 = 3;

impl Game {
    /// The factors for the scoring rates of both sides. `short` returns the number of missing players of a side.
    pub(super) fn factors(&self, short: impl Fn(usize) -> usize) -> [f64; 2] {
        let Some(rules) = self.rules.short else {
            return [1.0; 2];
        };
        let own = [0, 1].map(|side| rules.own.powi((short(side) as i32).min(SHORT_MAX)));
        let gain = [0, 1].map(|side| (2.0 - rules.own).powi((short(side) as i32).min(SHORT_MAX)));
        [own[0] * gain[1], own[1] * gain[0]]
    }

    /// How often each side scores now, from the rates of the match.
    pub(super) fn scores_per_ms(&self, per_ms: [f64; 2]) -> [f64; 2] {
        let factors = self.factors(|side| self.missing(side));
        let pace = self.pace(self.period);
        [0, 1].map(|side| per_ms[side] * pace * factors[side])
    }

    pub(super) fn missing(&self, side: usize) -> usize {
        self.short.iter().filter(|short| short.0 == side).count()
    }

    /// How often a side loses a player in a ms of regular play, for a time and until the end.
    pub(super) fn shorts_per_ms(&self, rules: ShortRules) -> [f64; 2] {
        let all_ms = (self.shape.period_ms * self.regular() as i64) as f64;
        [rules.timed / all_ms, rules.lasting / all_ms]
    }

    /// Counts the shots without a goal of the play that has passed.
    pub(super) fn shoot(&mut self, ms: i64, random: &mut Random) {
        let Tempo::Moments { per_ms } = self.shape.tempo else { return };
        let per_ms = self.scores_per_ms(per_ms);
        for side in [0, 1] {
            let mean = per_ms[side] * self.rules.saves * ms as f64;
            let mut waited = random.wait(1.0 / mean);
            while waited < 1.0 {
                self.shots[side] += 1;
                waited += random.wait(1.0 / mean);
            }
        }
    }

    /// A goal ends the shortest of the times of the side that conceded it, where the rules say so.
    pub(super) fn end_short(&mut self, side: usize) {
        let first = self.short.iter().enumerate().filter(|(_, short)| short.0 == side).min_by_key(|(_, short)| short.1);
        if let (true, Some((place, _))) = (self.rules.short.is_some_and(|rules| rules.ends_with_goal), first) {
            self.short.remove(place);
        }
    }

    /// Yellow and red cards, in a sport of cards.
    pub(super) fn cards(&self) -> Option<[Pair; 2]> {
        self.rules.short.filter(|rules| rules.are_cards).map(|_| self.shorts)
    }
}
