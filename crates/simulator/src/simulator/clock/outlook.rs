//! The rest of a game, from its state: how much each side still scores in each period, and the resulting distributions
//! of points. Created for one calculation of prices. Must not use events that are already drawn for the future.

use super::game::{Game, Phase};
use super::overtime::OvertimeOutlook;
use super::question::{Part, Scope, Stretch as PeriodStretch};
use super::rules::Tempo;
use super::scoring::Stretch;
use super::short::LASTING_MS;
use crate::pricing::dist::{Difference, poisson, sum};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// The probabilities of the rest of a game.
#[derive(Debug)]
pub struct Outlook<'a> {
    game: &'a Game,
    /// Stretches of play by period, from the one that is played or comes next to the last of regular time; of a running
    /// overtime its round.
    stretches: Vec<Vec<Stretch>>,
    /// Results that were computed already.
    held: RefCell<Vec<(Scope, Rc<Look>)>>,
}

/// The current score of a scope, and the distribution of the rest.
#[derive(Debug)]
pub struct Look {
    /// Points of home and away so far.
    pub counted: [usize; 2],
    /// Those to come.
    pub left: [Vec<f64>; 2],
    /// Both sides' together.
    pub total: Vec<f64>,
    /// Home's less away's, of those to come.
    pub difference: Difference,
}

impl Look {
    fn new(counted: [usize; 2], left: [Vec<f64>; 2]) -> Look {
        let total = sum(&left[0], &left[1]);
        let difference = Difference::of(&left[0], &left[1]);
        Look { counted, left, total, difference }
    }

    /// The lead of home.
    pub fn ahead(&self) -> i64 {
        self.counted[0] as i64 - self.counted[1] as i64
    }

    /// Calls `take` with each score at the end and its chance.
    pub fn finals(&self, mut take: impl FnMut([usize; 2], f64)) {
        for (home, chance) in self.left[0].iter().enumerate() {
            for (away, of_away) in self.left[1].iter().enumerate() {
                take([self.counted[0] + home, self.counted[1] + away], chance * of_away);
            }
        }
    }

    /// The chance that a side has none in the end.
    pub fn stays_at_nil(&self, side: usize) -> f64 {
        if self.counted[side] > 0 { 0.0 } else { self.left[side][0] }
    }

    /// The chances that home is ahead, level and behind in the end.
    pub fn three_way(&self) -> [f64; 3] {
        self.difference.three_way(self.ahead())
    }
}

impl<'a> Outlook<'a> {
    /// Computes the rest of a game.
    pub fn new(game: &'a Game) -> Outlook<'a> {
        let periods = match game.phase {
            Phase::Over => 0..0,
            // A round of overtime that has not begun is like all rounds.
            _ if game.is_before_round() && !game.is_before_extra_time() => 0..0,
            Phase::Kick | Phase::Kicked => 0..0,
            _ => game.period..game.round().to,
        };
        let mut before_ms = 0;
        let stretches = periods.map(|period| {
            let left_ms = game.left_ms(period);
            let held = stretches(game, period, before_ms, left_ms);
            before_ms += left_ms;
            held
        });
        Outlook { stretches: stretches.collect(), game, held: RefCell::default() }
    }

    /// How much each side still scores in some periods.
    pub fn amounts(&self, part: Part) -> [f64; 2] {
        let stretches = self.periods(part).flatten();
        stretches.fold([0.0; 2], |all, own| [all[0] + own[0], all[1] + own[1]])
    }

    /// The stretches of the periods of a part that are not over.
    fn periods(&self, part: Part) -> impl Iterator<Item = &Vec<Stretch>> {
        let first = self.game.period;
        let numbered = self.stretches.iter().enumerate().map(move |(at, held)| (first + at, held));
        numbered.filter(move |(period, _)| part.has(*period)).map(|(_, held)| held)
    }

    /// The current score and the rest of a part of the match.
    pub fn look(&self, scope: Scope) -> Rc<Look> {
        let known = self.held.borrow().iter().find(|held| held.0 == scope).map(|held| Rc::clone(&held.1));
        known.unwrap_or_else(|| {
            let look = Rc::new(match scope {
                Scope::Part(part) => Look::new(self.counted(scope), self.left(part)),
                Scope::Match => self.whole(),
                Scope::Corners(_) | Scope::Cards(_) => Look::new(self.counted(scope), self.counts(scope).map(few)),
            });
            self.held.borrow_mut().push((scope, Rc::clone(&look)));
            look
        })
    }

    /// How many corners or cards each side is still expected to have.
    fn counts(&self, scope: Scope) -> [f64; 2] {
        let game = self.game;
        let (Scope::Corners(part) | Scope::Cards(part)) = scope else { return [0.0; 2] };
        let periods = part.from.max(game.period)..part.to.min(game.period + self.stretches.len());
        periods.fold([0.0; 2], |all: [f64; 2], period| {
            let is_corners = matches!(scope, Scope::Corners(_));
            let per_ms = if is_corners { game.corners_per_ms(period) } else { game.cards_per_ms(period) };
            [0, 1].map(|side| all[side] + per_ms[side] * game.left_ms(period) as f64)
        })
    }

    /// How many red cards are still expected.
    pub fn reds(&self, part: Part) -> f64 {
        self.counts(Scope::Cards(part)).iter().sum::<f64>() * self.game.red_share()
    }

    /// How many scores of both sides are expected in a stretch of a period that is not over.
    pub fn scores_in(&self, stretch: PeriodStretch) -> f64 {
        let game = self.game;
        let Tempo::Moments { per_ms } = game.shape.tempo else { return 0.0 };
        let from_ms = i64::from(stretch.from_s) * 1000;
        let played_ms = if stretch.period == game.period { game.played_ms } else { 0 };
        let ms = (i64::from(stretch.to_s) * 1000 - from_ms.max(played_ms)).max(0) as f64;
        let factors = game.factors(|side| game.missing(side));
        let pace = game.pace(stretch.period);
        [0, 1].map(|side| per_ms[side] * factors[side] * pace * ms).iter().sum()
    }

    fn counted(&self, scope: Scope) -> [usize; 2] {
        self.game.record.so_far(scope).map(usize::from)
    }

    /// The points to come in some periods, with those that may be added to the latest score.
    fn left(&self, part: Part) -> [Vec<f64>; 2] {
        let mut left = self.game.shape.scoring.both(self.amounts(part));
        if let Some(scored) = self.game.pending.filter(|held| part.has(held.period)) {
            let more = self.game.rules.more(scored.kind);
            left[scored.side] = sum(&left[scored.side], &more);
        }
        left
    }

    /// The chances that home wins the match, with overtime and shoot-out, and that there is a shoot-out; `None` if a
    /// draw is a final result.
    pub fn winner(&self) -> Option<[f64; 2]> {
        let [home, level, _] = self.look(Scope::Part(self.game.regular_time())).three_way();
        let [wins, stays_level] = self.overtime()?;
        let kicks = self.game.shoot_out().map_or(0.5, |shoot_out| {
            let [taken, scored] = self.game.record.kicks.unwrap_or_default();
            shoot_out.kicks.home_wins(taken, scored)
        });
        Some([home + level * (wins + stays_level * kicks), level * stays_level])
    }

    /// The chances that home wins overtime, and that it ends without a winner.
    fn overtime(&self) -> Option<[f64; 2]> {
        let game = self.game;
        let (overtime, extra) = (game.shape.overtime?, self.extra()?);
        let round = game.round();
        let is_running = game.record.periods.len() > game.regular() && !game.is_before_round();
        Some(match overtime.shoot_out {
            _ if game.is_after_overtime() => [0.0, 1.0],
            Some(_) if is_running && overtime.is_sudden => {
                let [home, none, _] = self.next(Scope::Part(round));
                [home, none]
            }
            None if is_running && overtime.is_sudden => [extra.home(), 0.0],
            _ if is_running => {
                let [home, level, _] = self.look(Scope::Part(round)).three_way();
                if overtime.shoot_out.is_some() { [home, level] } else { [home + level * extra.home(), 0.0] }
            }
            _ => [extra.home(), extra.level()],
        })
    }

    /// The points that overtime adds, with the players that are there to the end.
    fn extra(&self) -> Option<Cow<'a, OvertimeOutlook>> {
        let game = self.game;
        let lasting = |side: usize| game.short.iter().filter(|held| held.0 == side && held.1 >= LASTING_MS / 2).count();
        let factors = game.factors(lasting);
        let (overtime, plain) = (game.shape.overtime?, game.shape.extra.as_ref()?);
        if factors == [1.0; 2] {
            return Some(Cow::Borrowed(plain));
        }
        let shape = &game.shape;
        Some(Cow::Owned(OvertimeOutlook::new(game.rules, overtime, shape.tempo, &shape.scoring, factors)))
    }

    /// The match with its overtime.
    fn whole(&self) -> Look {
        let game = self.game;
        let counted = self.counted(Scope::Match);
        let left = match game.period >= game.regular() {
            false => self.left(game.regular_time()),
            // Overtime ends with the first score, so the current round is like any other.
            true if game.is_sudden() => [vec![1.0], vec![1.0]],
            true => self.left(game.round()),
        };
        let plain = Look::new(counted, left);
        let Some(extra) = self.extra() else {
            return plain;
        };
        // After a draw there is overtime, which replaces the draw in each distribution.
        let ahead = plain.ahead();
        let Look { left: [home, away], mut total, difference, .. } = plain;
        let drawn: Vec<f64> = (0..home.len())
            .map(|points| {
                let level = usize::try_from(points as i64 + ahead).ok().and_then(|points| away.get(points));
                level.map_or(0.0, |chance| home[points] * chance)
            })
            .collect();
        let draws: f64 = drawn.iter().sum();
        let mut both = vec![0.0; total.len()];
        let mut away_drawn = vec![0.0; away.len()];
        for (points, chance) in drawn.iter().enumerate().filter(|held| *held.1 > 0.0) {
            let others = (points as i64 + ahead) as usize;
            both[points + others] += chance;
            away_drawn[others] += chance;
        }
        for (chance, drawn) in total.iter_mut().zip(&both) {
            *chance -= drawn;
        }
        let level = -ahead;
        let mut differences: Vec<(i64, f64)> = difference.iter().filter(|held| held.0 != level).collect();
        differences.extend(extra.differences.iter().map(|(by, chance)| (level + by, chance * draws)));
        Look {
            counted,
            total: added(total, &both, &extra.total),
            left: [
                added(without(&home, &drawn), &drawn, &extra.sides[0]),
                added(without(&away, &away_drawn), &away_drawn, &extra.sides[1]),
            ],
            difference: Difference::gathered(&differences),
        }
    }

    /// The probabilities that home, neither or away has the next score, corner or card of a scope, in sports in which
    /// these come at random moments.
    pub fn next(&self, scope: Scope) -> [f64; 3] {
        let stretches: Vec<Stretch> = match scope {
            Scope::Part(part) => self.periods(part).flatten().copied().collect(),
            Scope::Match => self.stretches.iter().flatten().copied().collect(),
            Scope::Corners(_) | Scope::Cards(_) => vec![self.counts(scope)],
        };
        let (mut next, mut none) = ([0.0; 2], 1.0);
        for [home, away] in stretches {
            let all = home + away;
            if all > 0.0 {
                let still = none * crate::pricing::maths::exp(-all);
                next[0] += (none - still) * home / all;
                next[1] += (none - still) * away / all;
                none = still;
            }
        }
        [next[0], none, next[1]]
    }

    /// The probabilities that home, neither or away is first to reach `goal` points in a part of the match.
    pub fn first_to(&self, part: Part, goal: usize) -> [f64; 3] {
        let game = self.game;
        let counted = game.record.part(part).map(usize::from);
        let stretches: Vec<Stretch> = self.periods(part).flatten().copied().collect();
        let chances = |counted: [usize; 2]| {
            let needs = counted.map(|points| goal.saturating_sub(points));
            let by_opener =
                |opener: usize| game.shape.scoring.first_to(needs, &stretches, self.attackers(part, opener));
            match game.opener {
                Some(opener) => by_opener(opener),
                None => mixed([(0.5, by_opener(0)), (0.5, by_opener(1))].into_iter()),
            }
        };
        match game.pending.filter(|held| part.has(held.period)) {
            None => chances(counted),
            Some(scored) => {
                let more = game.rules.more(scored.kind);
                mixed(more.iter().enumerate().map(|(points, chance)| {
                    let mut with = counted;
                    with[scored.side] += points;
                    (*chance, chances(with))
                }))
            }
        }
    }

    /// The attacking sides, in order.
    fn attackers(&self, part: Part, opener: usize) -> impl Iterator<Item = usize> {
        let game = self.game;
        let periods = part.from.max(game.period)..part.to.min(game.period + self.stretches.len());
        periods.flat_map(move |period| {
            let made = if period == game.period { game.attacks } else { 0 };
            (made..game.attacks_of(period)).map(move |attack| game.attacker(opener, period, attack))
        })
    }
}

/// A Poisson distribution of a few, with hardly anything beyond its end.
pub(super) fn few(mean: f64) -> Vec<f64> {
    poisson(mean, (mean + 8.0 * mean.sqrt()) as usize + 12)
}

/// Divides the rest of a period, `before_ms` of play from now, into stretches. There is one, unless a player returns
/// during it.
fn stretches(game: &Game, period: usize, before_ms: i64, left_ms: i64) -> Vec<Stretch> {
    match game.shape.tempo {
        Tempo::Turns { .. } => {
            let made = if period == game.period { game.attacks } else { 0 };
            let all = game.attacks_of(period);
            // Half of a period's attacks are home's; before the opener is known none has been made.
            let of = |side: usize| {
                let opener = game.opener.unwrap_or(0);
                (made..all).filter(|attack| game.attacker(opener, period, *attack) == side).count() as f64
            };
            vec![[of(0), of(1)]]
        }
        Tempo::Moments { per_ms } => {
            let per_ms = per_ms.map(|rate| rate * game.pace(period));
            let end_ms = before_ms + left_ms;
            let mut ends: Vec<i64> = game.short.iter().map(|short| short.1).collect();
            ends.retain(|at| (before_ms + 1..end_ms).contains(at));
            ends.push(end_ms);
            ends.sort_unstable();
            ends.dedup();
            let mut from_ms = before_ms;
            let stretch = |to_ms: i64| {
                let ms = (to_ms - from_ms) as f64;
                let factors =
                    game.factors(|side| game.short.iter().filter(|held| held.0 == side && held.1 > from_ms).count());
                from_ms = to_ms;
                [per_ms[0] * factors[0] * ms, per_ms[1] * factors[1] * ms]
            };
            ends.into_iter().map(stretch).collect()
        }
    }
}

fn mixed(cases: impl Iterator<Item = (f64, [f64; 3])>) -> [f64; 3] {
    cases.fold([0.0; 3], |all, (share, own)| [0, 1, 2].map(|at| all[at] + share * own[at]))
}

fn without(all: &[f64], some: &[f64]) -> Vec<f64> {
    all.iter().zip(some).map(|(chance, drawn)| chance - drawn).collect()
}

/// `plain` plus the distribution of `drawn` with `extra` added.
fn added(plain: Vec<f64>, drawn: &[f64], extra: &[f64]) -> Vec<f64> {
    let mut all = sum(drawn, extra);
    all.resize(all.len().max(plain.len()), 0.0);
    for (chance, own) in all.iter_mut().zip(&plain) {
        *chance = f64::max(*chance + own, 0.0);
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::pricing::dist::Difference;
    use crate::simulator::clock::scoring::Scoring;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn time_helps_a_leader_who_is_no_stronger(lead in 1..20_i64, attacks in 1..80_u32, weaker in 0.6..=1.0_f64) {
            let scoring = Scoring::in_turns(&[(1, 0.1), (2, 0.6), (3, 0.3)], [0.5 * weaker, 0.5]);
            let chance = |attacks: u32| {
                let [home, away] = scoring.both([f64::from(attacks); 2]);
                let [ahead, level, _] = Difference::of(&home, &away).three_way(lead);
                ahead + level / 2.0
            };
            prop_assert!(chance(attacks - 1) >= chance(attacks) - 1e-9);
        }
    }

    #[test]
    fn a_strong_leader_by_a_little_loses_chances_with_time() {
        let scoring = Scoring::in_turns(&[(2, 0.7), (3, 0.3)], [0.6, 0.45]);
        let ahead = |attacks: f64| {
            let [home, away] = scoring.both([attacks; 2]);
            Difference::of(&home, &away).three_way(1)[0]
        };
        assert!(ahead(80.0) > ahead(20.0));
    }
}
