//! Markets on one half, on both, and on stretches of ten minutes.

use super::kinds::{INTERVALS, Kind};
use super::markets::{Goals, NARROW, current_half, double};
use super::outlook::Outlook;
use super::state::{Period, Phase, Situation};
use super::strengths::Rates;
use crate::pricing::book::Book;
use crate::pricing::dist::{Difference, even, sum};
use crate::pricing::maths::exp;

/// First-half scores with up to this number of goals of each side have their own answer, during the whole half.
pub(crate) const SCORE_LISTED: usize = 2;
/// The index of any other score ([`crate::pricing::answers::SHORT_SCORE`]).
const OTHER_SCORE: u16 = 36;
/// A stretch with less than this left is not offered: it would be decided before a bet is taken.
const INTERVAL_LEFT_S_MIN: u32 = 90;

/// Adds them all.
pub(super) fn halves(book: &mut Book, goals: &Goals, rates: &Rates, situation: &Situation) {
    let first = sum(&goals.first[0], &goals.first[1]);
    let second = sum(&goals.second[0], &goals.second[1]);
    let first_apart = Difference::of(&goals.first[0], &goals.first[1]);
    let second_apart = Difference::of(&goals.second[0], &goals.second[1]);
    if situation.phase.is_before_half_time() {
        first_half(book, goals, situation, &first, &first_apart);
        half_and_full(book, situation, &first_apart, &second_apart);
    }
    let [home, away] = situation.second;
    let ahead = i64::from(home) - i64::from(away);
    book.single(Kind::SecondHalfResult.at(), &second_apart.three_way(ahead));
    let scored = home.saturating_add(away);
    book.totals(Kind::SecondHalfTotal.at(), usize::from(scored), &second, NARROW);
    let score = both_score(situation.second, &goals.second);
    book.two_way(Kind::SecondHalfBothScore.at(), score);
    both_halves(book, goals, situation);
    more_goals(book, situation, &first, &second);
    intervals(book, rates, situation);
}

fn first_half(book: &mut Book, goals: &Goals, situation: &Situation, both: &[f64], apart: &Difference) {
    let [home, away] = situation.first;
    let result = apart.three_way(i64::from(home) - i64::from(away));
    book.single(Kind::FirstHalfResult.at(), &result);
    book.single(Kind::FirstHalfDoubleChance.at(), &double(result));
    let scored = home.saturating_add(away);
    book.totals(Kind::FirstHalfTotal.at(), usize::from(scored), both, NARROW);
    let score = both_score(situation.first, &goals.first);
    book.two_way(Kind::FirstHalfBothScore.at(), score);
    let more_even = even(both);
    let ends_even = if scored.is_multiple_of(2) { more_even } else { 1.0 - more_even };
    book.single(Kind::FirstHalfOddEven.at(), &[1.0 - ends_even, ends_even]);

    let listed = |from: usize| from..=SCORE_LISTED;
    let (home, away) = (usize::from(home), usize::from(away));
    let mut chances = Vec::with_capacity(10);
    let mut other = 1.0;
    for h in listed(home) {
        for a in listed(away) {
            let chance = goals.first[0][h - home] * goals.first[1][a - away];
            other -= chance;
            chances.push(((6 * h + a) as u16, chance));
        }
    }
    chances.push((OTHER_SCORE, f64::max(other, 0.0)));
    book.push_some(Kind::FirstHalfScore.at(), 0, None, chances.into_iter());
}

fn both_score(score: [u8; 2], left: &[Vec<f64>; 2]) -> f64 {
    let scores = |side: usize| {
        if score[side] > 0 { 1.0 } else { 1.0 - left[side][0] }
    };
    scores(0) * scores(1)
}

fn half_and_full(book: &mut Book, situation: &Situation, first: &Difference, second: &Difference) {
    let ahead = i64::from(situation.first[0]) - i64::from(situation.first[1]);
    let mut chances = [0.0; 9];
    for (apart, chance) in first.iter().filter(|(_, chance)| *chance > 0.0) {
        let at_half = ahead + apart;
        let half = (1 - at_half.signum()) as usize;
        for (full, then) in second.three_way(at_half).iter().enumerate() {
            chances[3 * half + full] += chance * then;
        }
    }
    book.single(Kind::HalfFull.at(), &chances);
}

fn both_halves(book: &mut Book, goals: &Goals, situation: &Situation) {
    let scores = |score: u8, none_more: f64| if score > 0 { 1.0 } else { 1.0 - none_more };
    for (side, kind) in [(0, Kind::BothHalvesHome), (1, Kind::BothHalvesAway)] {
        let first = scores(situation.first[side], goals.first[side][0]);
        let second = scores(situation.second[side], goals.second[side][0]);
        book.two_way(kind.at(), first * second);
    }
}

fn more_goals(book: &mut Book, situation: &Situation, first: &[f64], second: &[f64]) {
    let count = |score: [u8; 2]| i64::from(score[0]) + i64::from(score[1]);
    let ahead = count(situation.first) - count(situation.second);
    book.single(Kind::MoreGoalsHalf.at(), &Difference::of(first, second).three_way(ahead));
}

/// The running stretch of ten minutes, unless a goal fell in it, and the one after it.
fn intervals(book: &mut Book, rates: &Rates, situation: &Situation) {
    let Some(half) = current_half(situation) else {
        return;
    };
    let playing = matches!(situation.phase, Phase::Playing(_));
    let now = if playing { situation.elapsed_s } else { 0 };
    let mut balanced = true;
    let of_half = INTERVALS.iter().enumerate();
    let of_half = of_half.filter(|(_, (first, _, _))| *first == (half == Period::FirstHalf));
    let open = of_half.filter(|(_, (_, _, end))| *end > now).take(2);
    for (line, (_, start, end)) in open {
        let goal_inside =
            situation.last_goal.is_some_and(|goal| goal.period == half && (*start..*end).contains(&goal.second));
        let left = end - now.max(*start);
        if goal_inside || left < INTERVAL_LEFT_S_MIN {
            continue;
        }
        let mean = Outlook::goals_within(rates, situation, half, f64::from(left));
        let none = exp(-mean);
        book.line(Kind::GoalInInterval.at(), line, balanced, &[1.0 - none, none]);
        balanced = false;
    }
}
