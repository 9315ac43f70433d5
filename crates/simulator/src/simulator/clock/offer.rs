//! The book of a match against the clock: every open question of the sport's table.

use super::game::{Game, Phase};
use super::outlook::{Look, Outlook, few};
use super::question::{Part, Question, Scope, Stretch, score_place, total_band};
use super::rules::Tempo;
use crate::pricing::book::{Book, DECIDED, Spread};
use crate::pricing::dist::{Difference, even};
use crate::pricing::maths::exp;
use crate::simulator::settled::{band, sign};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Lines of a market of the whole match, on each side of the even one.
const LINES: Spread = Spread::both(3);
/// Lines of a market of regular time.
const REGULAR_LINES: Spread = Spread::both(2);
/// Lines of a market of a part of it.
const PART_LINES: Spread = Spread::both(1);
/// A race is offered once both sides are within this many points of its goal.
const RACE_POINTS: usize = 20;
/// A stretch with fewer seconds left is not offered: it would be decided before a bet is taken.
const STRETCH_LEFT_S_MIN: u32 = 90;

/// Fills the book.
pub fn offer(game: &Game, outlook: &Outlook<'_>, book: &mut Book) {
    for (kind, question) in game.rules.data.questions.iter().enumerate() {
        Asked { game, outlook, kind: kind as u16 }.offer(*question, book);
    }
}

/// A question of a table.
struct Asked<'a> {
    game: &'a Game,
    outlook: &'a Outlook<'a>,
    kind: u16,
}

impl Asked<'_> {
    fn offer(&self, question: Question, book: &mut Book) {
        let kind = self.kind;
        match question {
            Question::Winner => {
                if let Some([home, _]) = self.game.is_open(Scope::Match).then(|| self.outlook.winner()).flatten() {
                    book.two_way(kind, home);
                }
            }
            Question::Result(scope) => self.with(scope, |look| book.single(kind, &look.three_way())),
            Question::DrawNoBet(scope) => self.with(scope, |look| {
                let [home, _, away] = look.three_way();
                if home + away > 1e-9 {
                    book.two_way(kind, home / (home + away));
                }
            }),
            Question::DoubleChance(scope) => self.with(scope, |look| {
                let [home, draw, away] = look.three_way();
                book.single(kind, &[home + draw, home + away, draw + away]);
            }),
            Question::PeriodResult => self.of_periods(book, |_, look| Some(look.three_way())),
            Question::Total(scope) => self.with(scope, |look| {
                book.totals(kind, look.counted[0] + look.counted[1], &look.total, self.spread(scope));
            }),
            Question::SideTotal { scope, side } => self.with(scope, |look| {
                let lines = if scope == Scope::Match { LINES } else { PART_LINES };
                book.totals(kind, look.counted[side], &look.left[side], lines);
            }),
            Question::Handicap(scope) => self.with(scope, |look| {
                book.handicaps(kind, &look.difference, look.ahead(), self.spread(scope));
            }),
            Question::OddEven(scope) => self.with(scope, |look| {
                let even = even(&look.total);
                let is_odd = (look.counted[0] + look.counted[1]) % 2 == 1;
                book.two_way(kind, if is_odd { even } else { 1.0 - even });
            }),
            Question::ThreeWayHandicap(among) => self.with(Scope::Part(among), |look| {
                book.three_way_handicaps(kind, &look.difference, look.ahead(), PART_LINES);
            }),
            Question::BothScore(among) => self.with(Scope::Part(among), |look| {
                book.two_way(kind, (1.0 - look.stays_at_nil(0)) * (1.0 - look.stays_at_nil(1)));
            }),
            Question::CorrectScore { periods: among, listed } => self.with(Scope::Part(among), |look| {
                let mut chances: BTreeMap<u16, f64> = BTreeMap::new();
                look.finals(|score, chance| {
                    let place = score_place(score, listed.into(), self.game.rules.data.spec(kind));
                    *chances.entry(place as u16).or_default() += chance;
                });
                book.push_some(kind, 0, chances.into_iter());
            }),
            Question::TotalBands { periods: among, bands } => self.with(Scope::Part(among), |look| {
                let mut chances = vec![0.0; bands.len() + 1];
                for (more, chance) in look.total.iter().enumerate() {
                    chances[total_band(&bands, look.counted[0] + look.counted[1] + more)] += chance;
                }
                book.single(kind, &chances);
            }),
            Question::CleanSheet { periods: among, side } => self.with(Scope::Part(among), |look| {
                book.two_way(kind, look.stays_at_nil(1 - side));
            }),
            Question::WinToNil { periods: among, side } => self.with(Scope::Part(among), |look| {
                book.two_way(kind, look.stays_at_nil(1 - side) * (1.0 - look.stays_at_nil(side)));
            }),
            Question::ResultAndBothScore(among) => self.with(Scope::Part(among), |look| {
                let mut chances = [0.0; 6];
                look.finals(|[home, away], chance| {
                    chances[2 * sign(home as i64 - away as i64) + usize::from(home == 0 || away == 0)] += chance;
                });
                book.single(kind, &chances);
            }),
            Question::ScoresInEach { periods: among, side } => self.with(Scope::Part(among), |_| {
                let scores = |period: usize| {
                    1.0 - self.outlook.look(Scope::Part(Part { from: period, to: period + 1 })).stays_at_nil(side)
                };
                book.two_way(kind, (among.from..among.to).map(scores).product());
            }),
            Question::Within(stretches) => self.within(&stretches, book),
            Question::MoreIn([first, second]) => self.with(Scope::Part(second), |later| {
                let earlier = self.outlook.look(Scope::Part(first));
                let counted = |look: &Look| (look.counted[0] + look.counted[1]) as i64;
                let difference = Difference::of(&earlier.total, &later.total);
                book.single(kind, &difference.three_way(counted(&earlier) - counted(later)));
            }),
            Question::ResultAndTotal(among) => self.with(Scope::Part(among), |look| self.result_and_total(look, book)),
            Question::Race { periods: among, step } => {
                let most = self.game.record.part(among).into_iter().max().unwrap_or(0);
                let line = usize::from(most / step);
                if let Some(chances) = self.race(among, (line + 1) * usize::from(step)) {
                    book.line(kind, line, &chances);
                }
            }
            Question::RaceTo { periods: among, to } => {
                let is_open = |chances: &[f64; 3]| chances.iter().all(|chance| *chance < DECIDED);
                let races = to
                    .iter()
                    .enumerate()
                    .filter_map(|(line, to)| Some((line, self.race(among, usize::from(*to)).filter(is_open)?)));
                for (line, chances) in races {
                    book.line(kind, line, &chances);
                }
            }
            Question::Last(among) => self.with(Scope::Part(among), |_| {
                let mut last = self.outlook.next(Scope::Part(among));
                if let Some(score) = self.game.record.scores.last() {
                    last[2 * score.side] += last[1];
                    last[1] = 0.0;
                }
                book.single(kind, &last);
            }),
            Question::First(among) => self.with(Scope::Part(among), |look| {
                if look.counted == [0, 0] {
                    book.single(kind, &self.outlook.next(Scope::Part(among)));
                }
            }),
            Question::Next(scope) => self.with(scope, |_| {
                book.line(kind, self.game.record.sides(scope).len(), &self.outlook.next(scope));
            }),
            Question::NextKind(among) => self.with(Scope::Part(among), |_| self.next_kind(among, book)),
            Question::FirstOfPeriod => self.of_periods(book, |period, look| {
                let is_near = look.counted == [0, 0] && period <= self.game.period + 1;
                let only = Part { from: period, to: period + 1 };
                match self.game.shape.tempo {
                    _ if !is_near => None,
                    Tempo::Moments { .. } => Some(self.outlook.next(Scope::Part(only))),
                    Tempo::Turns { .. } => Some(self.outlook.first_to(only, 1)),
                }
            }),
            Question::Overtime(among) => {
                let with_overtime = self.game.shape.extra.is_some();
                if let Some(look) = self.open(Scope::Part(among)).filter(|_| with_overtime) {
                    book.two_way(kind, look.three_way()[1]);
                }
            }
            Question::ShootOut => {
                let is_open = self.game.is_open(Scope::Match) && self.game.record.kicks.is_none();
                if let Some([_, kicks]) = is_open.then(|| self.outlook.winner()).flatten() {
                    book.two_way(kind, kicks);
                }
            }
            Question::Highest(parts) => self.highest(&parts, book),
            Question::Margin { scope, bands } => self.with(scope, |look| {
                let with_draw = scope != Scope::Match;
                if !with_draw && self.game.shape.extra.is_none() {
                    return;
                }
                let mut chances = vec![0.0; 2 * (bands.len() + 1) + usize::from(with_draw)];
                for (by, chance) in look.difference.iter() {
                    chances[band(&bands, with_draw, look.ahead() + by)] += chance;
                }
                book.single(kind, &chances);
            }),
            Question::HalfFull { first, periods: all } => self.half_full(first, all, book),
            Question::EachPeriod { periods: among, side } => self.each_period(among, side, book),
            Question::Count { periods: among, ways } => self.with(Scope::Part(among), |_| {
                let counted = self.game.counted(among, &ways);
                let mean: f64 = self.counts_left(among, &ways).iter().sum();
                book.totals(kind, counted[0] + counted[1], &few(mean), LINES);
            }),
            Question::MoreOf { periods: among, ways } => self.with(Scope::Part(among), |_| {
                let counted = self.game.counted(among, &ways);
                let [home, away] = self.counts_left(among, &ways).map(few);
                let difference = Difference::of(&home, &away);
                book.single(kind, &difference.three_way(counted[0] as i64 - counted[1] as i64));
            }),
            Question::RedCard(among) => self.with(Scope::Part(among), |_| {
                if self.game.record.reds.iter().all(|card| !among.has(card.period)) {
                    book.two_way(kind, 1.0 - exp(-self.outlook.reds(among)));
                }
            }),
        }
    }

    /// The stretch of the period that is played or comes next, unless something was scored in it, and the one after it.
    fn within(&self, stretches: &[Stretch], book: &mut Book) {
        let game = self.game;
        let own = stretches.iter().enumerate().filter(|(_, own)| own.period == game.period);
        let open = own.filter(|(_, own)| !game.record.is_past(**own)).take(2);
        let is_open = |own: &Stretch| {
            let from_s =
                if game.record.periods.len() > own.period { game.record.second.max(own.from_s) } else { own.from_s };
            own.to_s >= from_s + STRETCH_LEFT_S_MIN && !game.record.is_scored_in(*own)
        };
        for (line, own) in open.filter(|(_, own)| is_open(own)) {
            let none = exp(-self.outlook.scores_in(*own));
            book.line(self.kind, line, &[1.0 - none, none]);
        }
    }

    fn spread(&self, scope: Scope) -> Spread {
        match scope {
            Scope::Match => LINES,
            Scope::Part(part) | Scope::Corners(part) if part == self.game.regular_time() => REGULAR_LINES,
            Scope::Part(_) | Scope::Corners(_) | Scope::Cards(_) => PART_LINES,
        }
    }

    fn open(&self, scope: Scope) -> Option<Rc<Look>> {
        self.game.is_open(scope).then(|| self.outlook.look(scope))
    }

    fn with(&self, scope: Scope, offer: impl FnOnce(&Look)) {
        if let Some(look) = self.open(scope) {
            offer(&look);
        }
    }

    /// Each period of regular time that is not over.
    fn of_periods(&self, book: &mut Book, chances: impl Fn(usize, &Look) -> Option<[f64; 3]>) {
        for period in self.game.period..self.game.regular() {
            let look = self.open(Scope::Part(Part { from: period, to: period + 1 }));
            let open =
                look.and_then(|look| chances(period, &look)).filter(|own| own.iter().all(|held| *held < DECIDED));
            if let Some(chances) = open {
                book.line(self.kind, period, &chances);
            }
        }
    }

    /// A race that is near enough and goes on.
    fn race(&self, among: Part, goal: usize) -> Option<[f64; 3]> {
        let counted = self.game.record.part(among).map(usize::from);
        let is_near = counted.iter().all(|points| (1..=RACE_POINTS).contains(&goal.saturating_sub(*points)));
        let is_open = is_near && self.game.is_open(Scope::Part(among));
        is_open.then(|| self.outlook.first_to(among, goal))
    }

    /// The result, with the total at the line nearest to even.
    fn result_and_total(&self, look: &Look, book: &mut Book) {
        // The line at which under is nearest to one half.
        let (mut under, mut even) = (0.0, (f64::INFINITY, 0));
        for (more, chance) in look.total.iter().enumerate() {
            under += chance;
            let from_even = f64::abs(under - 0.5);
            if from_even < even.0 {
                even = (from_even, more);
            }
        }
        let most = look.counted[0] + look.counted[1] + even.1;
        let mut chances = [0.0; 6];
        look.finals(|[home, away], chance| {
            chances[2 * sign(home as i64 - away as i64) + usize::from(home + away > most)] += chance;
        });
        let first = usize::from(self.game.rules.data.spec(self.kind).whole(0));
        if let Some(line) = most.checked_sub(first) {
            book.line(self.kind, line, &chances);
        }
    }

    fn next_kind(&self, among: Part, book: &mut Book) {
        let none = self.outlook.next(Scope::Part(among))[1];
        let ways = self.game.rules.scores;
        let all: f64 = ways.iter().map(|way| way.weight).sum();
        let chances = ways.iter().map(|way| (1.0 - none) * way.weight / all).chain([none]);
        book.line(self.kind, self.game.record.scores.len(), &chances.collect::<Vec<f64>>());
    }

    /// How many scores of these ways each side still makes.
    fn counts_left(&self, among: Part, ways: &[usize]) -> [f64; 2] {
        let weight = |at: &usize| self.game.rules.scores[*at].weight;
        let all: f64 = self.game.rules.scores.iter().map(|way| way.weight).sum();
        let share = ways.iter().map(weight).sum::<f64>() / all;
        self.outlook.amounts(among).map(|amount| amount * share)
    }

    fn highest(&self, parts: &[Part], book: &mut Book) {
        if parts.iter().all(|own| self.game.record.is_done(Scope::Part(*own))) {
            return;
        }
        let looks: Vec<Rc<Look>> = parts.iter().map(|own| self.outlook.look(Scope::Part(*own))).collect();
        let totals = looks.iter().map(|look| (look.counted[0] + look.counted[1], &look.total));
        let most = totals.clone().map(|(counted, total)| counted + total.len()).max().unwrap_or(0);
        // The probabilities of exactly n points, and of fewer than n.
        let mut below = vec![0.0; parts.len()];
        let mut chances = vec![0.0; parts.len() + 1];
        for points in 0..most {
            let exactly = |(counted, total): (usize, &Vec<f64>)| {
                points.checked_sub(counted).and_then(|more| total.get(more)).copied().unwrap_or(0.0)
            };
            for (place, own) in totals.clone().enumerate() {
                let others = below.iter().enumerate().filter(|held| held.0 != place).map(|held| held.1);
                chances[place] += exactly(own) * others.product::<f64>();
            }
            for (below, own) in below.iter_mut().zip(totals.clone()) {
                *below += exactly(own);
            }
        }
        chances[parts.len()] = f64::max(1.0 - chances.iter().sum::<f64>(), 0.0);
        book.single(self.kind, &chances);
    }

    fn half_full(&self, first: Part, all: Part, book: &mut Book) {
        if !self.game.is_open(Scope::Part(all)) {
            return;
        }
        let half = self.outlook.look(Scope::Part(first));
        let rest = self.outlook.look(Scope::Part(Part { from: first.to, to: all.to }));
        let lowest = rest.difference.iter().next().map_or(0, |held| held.0);
        // The chance of less than each difference of the rest.
        let mut less = vec![0.0];
        for (_, chance) in rest.difference.iter() {
            less.push(less[less.len() - 1] + chance);
        }
        let below = |difference: i64| less[(difference - lowest).clamp(0, less.len() as i64 - 1) as usize];
        let mut chances = [0.0; 9];
        for (by, chance) in half.difference.iter().filter(|held| held.1 > 0.0) {
            let ahead = half.ahead() + by;
            let row = 3 * sign(ahead);
            let so_far = ahead + rest.ahead();
            let (behind, not_ahead) = (below(-so_far), below(1 - so_far));
            chances[row] += chance * (1.0 - not_ahead);
            chances[row + 1] += chance * (not_ahead - behind);
            chances[row + 2] += chance * behind;
        }
        book.single(self.kind, &chances);
    }

    fn each_period(&self, among: Part, side: usize, book: &mut Book) {
        let mut chance = 1.0;
        for period in among.from..among.to {
            let scope = Scope::Part(Part { from: period, to: period + 1 });
            let wins = self.outlook.look(scope).three_way()[if side == 0 { 0 } else { 2 }];
            chance *= wins;
        }
        if self.game.phase != Phase::Over {
            book.two_way(self.kind, chance);
        }
    }
}
