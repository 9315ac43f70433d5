//! Markets on the goals of the 90 minutes.

use super::kinds::Kind;
use super::markets::{Goals, NARROW, WIDE, double, next, result};
use super::outlook::Outlook;
use super::state::{Situation, place};
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::even;

/// Scores with up to this number of goals of each side have their own answer; all others share one answer. The list
/// must not change during a match, so that this last answer means the same when a bet is placed and when it is settled.
pub(crate) const SCORE_LISTED: usize = 3;
/// Its index ([`crate::pricing::answers::SCORE`]).
const OTHER_SCORE: u16 = 100;

/// Adds them all.
pub(super) fn full_time(book: &mut Book, goals: &Goals, outlook: &Outlook, situation: &Situation) {
    let chances = goals.apart.three_way(goals.ahead);
    book.single(Kind::FullTime.at(), &chances);
    book.single(Kind::DoubleChance.at(), &double(chances));
    let won = chances[0] + chances[2];
    if won > 1e-6 {
        book.single(Kind::DrawNoBet.at(), &[chances[0] / won, chances[2] / won]);
    }
    book.three_way_handicaps(Kind::EuropeanHandicap.at(), &goals.apart, goals.ahead, NARROW);
    book.handicaps(Kind::AsianHandicap.at(), &goals.apart, goals.ahead, Spread::both(2));
    totals(book, goals);
    who_scores(book, goals, outlook, situation);
    scores(book, goals);
    combined(book, goals);
}

fn totals(book: &mut Book, goals: &Goals) {
    let [home, away] = goals.score;
    let scored = home.saturating_add(away);
    book.totals(Kind::Total.at(), usize::from(scored), &goals.both, WIDE);
    book.totals(Kind::HomeTotal.at(), usize::from(home), &goals.each[0], NARROW);
    book.totals(Kind::AwayTotal.at(), usize::from(away), &goals.each[1], NARROW);

    let so_far = usize::from(scored);
    let more_even = even(&goals.both);
    let ends_even = if so_far.is_multiple_of(2) { more_even } else { 1.0 - more_even };
    book.single(Kind::OddEven.at(), &[1.0 - ends_even, ends_even]);

    let mut exact = [0.0; 7];
    let mut range = [0.0; 4];
    for (more, chance) in goals.both.iter().enumerate() {
        let total = so_far + more;
        exact[total.min(6)] += chance;
        range[match total {
            0..=1 => 0,
            2..=3 => 1,
            4..=6 => 2,
            _ => 3,
        }] += chance;
    }
    book.single(Kind::ExactGoals.at(), &exact);
    book.single(Kind::GoalRange.at(), &range);
}

fn who_scores(book: &mut Book, goals: &Goals, outlook: &Outlook, situation: &Situation) {
    let [home, away] = goals.score;
    let chances = next(outlook.regular());
    let number = usize::from(home.saturating_add(away)) + 1;
    book.only_line(Kind::NextGoal.at(), number, &chances);
    // The ratio of the rates is constant, so the last further goal has the same probability for each side as the next
    // one.
    let mut last = chances;
    if let Some(goal) = situation.last_goal {
        last[1] = 0.0;
        last[2 * place(goal.side)] += chances[1];
    } else {
        book.single(Kind::FirstToScore.at(), &chances);
    }
    book.single(Kind::LastToScore.at(), &last);

    let none_more = [goals.each[0][0], goals.each[1][0]];
    let scores = |side: usize| {
        if goals.score[side] > 0 { 1.0 } else { 1.0 - none_more[side] }
    };
    book.two_way(Kind::BothScore.at(), scores(0) * scores(1));
    book.two_way(Kind::CleanSheetHome.at(), 1.0 - scores(1));
    book.two_way(Kind::CleanSheetAway.at(), 1.0 - scores(0));
}

fn scores(book: &mut Book, goals: &Goals) {
    let [home, away] = goals.score.map(usize::from);
    let listed = |from: usize| from..=SCORE_LISTED;
    let mut chances = Vec::with_capacity(17);
    let mut other = 1.0;
    for h in listed(home) {
        for a in listed(away) {
            let chance = goals.each[0][h - home] * goals.each[1][a - away];
            other -= chance;
            chances.push(((10 * h + a) as u16, chance));
        }
    }
    chances.push((OTHER_SCORE, f64::max(other, 0.0)));
    book.push_some(Kind::CorrectScore.at(), 0, None, chances.into_iter());
}

fn combined(book: &mut Book, goals: &Goals) {
    let mut to_nil = [0.0; 2];
    let mut both_score = [0.0; 6];
    let even = balanced_line(goals);
    let last_line = usize::from(Kind::ResultAndTotal.spec().lines) - 1;
    let so_far = goals.score.map(usize::from).iter().sum::<usize>();
    // A line below the current score would have only one possible answer.
    let lines = even.saturating_sub(1).max(so_far)..=(even + 1).min(last_line);
    let mut with_total = [[0.0; 6]; 3];
    for (score, chance) in goals.ends() {
        let result = result(score);
        match score {
            [home, 0] if home > 0 => to_nil[0] += chance,
            [0, away] if away > 0 => to_nil[1] += chance,
            _ => {}
        }
        let both = score[0] > 0 && score[1] > 0;
        both_score[2 * result + usize::from(!both)] += chance;
        for (line, totals) in lines.clone().zip(&mut with_total) {
            let over = score[0] + score[1] > line;
            totals[2 * result + usize::from(over)] += chance;
        }
    }
    book.two_way(Kind::WinToNilHome.at(), to_nil[0]);
    book.two_way(Kind::WinToNilAway.at(), to_nil[1]);
    book.single(Kind::ResultAndBothScore.at(), &both_score);
    if even > last_line {
        return;
    }
    for (line, chances) in lines.zip(&with_total) {
        book.line(Kind::ResultAndTotal.at(), line, line == even, chances);
    }
}

/// The total line closest to even.
fn balanced_line(goals: &Goals) -> usize {
    let so_far = goals.score.map(usize::from).iter().sum::<usize>();
    let mut under = 0.0;
    let mut best = (f64::INFINITY, 0);
    for (more, chance) in goals.both.iter().enumerate() {
        under += chance;
        let off = (under - 0.5).abs();
        if off < best.0 {
            best = (off, more);
        }
    }
    so_far + best.1
}
