//! Sides that are a player short, with cards, corners and shots: how often they come, and what is counted.

use super::game::Game;
use super::record::Counted;
use super::rules::{ShortRules, Tempo};
use crate::simulator::random::Random;
use kvota_domain::matches::Pair;

/// More missing players than this change nothing any more.
const SHORT_MAX: i32 = 3;
/// Until the end of the match.
pub(super) const LASTING_MS: i64 = i64::MAX / 4;

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

    /// A side is a player short from now on.
    pub(super) fn lose_player(&mut self, side: usize, is_lasting: bool) {
        let Some(rules) = self.rules.short else { return };
        self.short.push((side, if is_lasting { LASTING_MS } else { rules.timed_ms }));
        self.shorts[usize::from(is_lasting)][side] += 1;
        let card = Counted { period: self.period, side };
        self.record.cards.push(card);
        if is_lasting {
            self.record.reds.push(card);
        }
    }

    /// Corners of home and away in a ms of a period, with the players there are now.
    pub(super) fn corners_per_ms(&self, period: usize) -> [f64; 2] {
        let Some(rules) = self.rules.counts else { return [0.0; 2] };
        let short = [0, 1].map(|side| (self.missing(side) as i32).min(SHORT_MAX));
        let factor = |side: usize| rules.short[0].powi(short[side]) * rules.short[1].powi(short[1 - side]);
        let share = rules.share(rules.corner_shares, period) / self.length_ms(period) as f64;
        [0, 1].map(|side| self.shape.counts[0][side] * factor(side) * share)
    }

    /// Cards of home and away in a ms of a period.
    pub(super) fn cards_per_ms(&self, period: usize) -> [f64; 2] {
        match (self.rules.counts, self.rules.short) {
            (Some(rules), _) => {
                let share = rules.share(rules.card_shares, period) / self.length_ms(period) as f64;
                self.shape.counts[1].map(|cards| cards * share)
            }
            (None, Some(rules)) => [self.shorts_per_ms(rules).iter().sum(); 2],
            (None, None) => [0.0; 2],
        }
    }

    /// How many of the cards are red.
    pub(super) fn red_share(&self) -> f64 {
        let cards: f64 = self.shape.counts[1].iter().sum();
        self.rules.counts.map_or(0.0, |rules| rules.reds / cards.max(rules.reds))
    }

    /// Counts a corner.
    pub(super) fn corner(&mut self, side: usize) {
        self.record.corners.push(Counted { period: self.period, side });
    }

    /// Counts a card of which a yellow one leaves no side short.
    pub(super) fn card(&mut self, side: usize, is_red: bool) {
        if is_red {
            return self.lose_player(side, true);
        }
        self.shorts[0][side] += 1;
        self.record.cards.push(Counted { period: self.period, side });
    }

    /// Suspends betting after a goal or a red card while the clock runs.
    pub(super) fn hold(&mut self, random: &mut Random) {
        let Some(running) = self.rules.running else { return };
        let (chance, more_s) = running.review;
        let mut seconds = random.between(running.hold_s.0, running.hold_s.1);
        if random.chance(chance) {
            seconds += random.between(more_s.0, more_s.1);
        }
        self.hold_for(seconds);
    }

    /// Suspends betting for so many seconds of play.
    pub(super) fn hold_for(&mut self, seconds: f64) {
        self.held_until_ms = self.held_until_ms.max(self.played_ms + (seconds * 1000.0) as i64);
    }

    /// Yellow and red cards, in a sport of cards.
    pub(super) fn cards(&self) -> Option<[Pair; 2]> {
        self.rules.short.filter(|rules| rules.are_cards).map(|_| self.shorts)
    }
}
