//! Markets on the goals of the 90 minutes.

use super::book::{Balance, Book, Spread};
use super::kinds::Kind;
use super::markets::{Goals, NARROW, WIDE, double, next, result};
use super::outlook::Outlook;
use super::poisson::{even, three_way};
use super::state::{Situation, place};

/// Scores are listed up to so many goals more of each side; the rest is one outcome.
const SCORES_AHEAD: usize = 3;
/// The highest count of a side that has a place of its own ([`super::kinds::Outcomes::Score`]).
const SCORE_MAX: usize = 9;
const OTHER_SCORE: u16 = 100;

/// Adds them all.
pub(super) fn full_time(book: &mut Book, goals: &Goals, outlook: &Outlook, situation: &Situation) {
    let chances = three_way(&goals.apart, goals.ahead);
    book.single(Kind::FullTime, &chances);
    book.single(Kind::DoubleChance, &double(chances));
    let won = chances[0] + chances[2];
    if won > 1e-6 {
        book.single(Kind::DrawNoBet, &[chances[0] / won, chances[2] / won]);
    }
    book.european_handicaps(Kind::EuropeanHandicap, &goals.apart, goals.ahead, NARROW);
    book.asian_handicaps(Kind::AsianHandicap, &goals.apart, goals.ahead, Spread::both(2));
    totals(book, goals);
    who_scores(book, goals, outlook, situation);
    scores(book, goals);
    combined(book, goals);
}

fn totals(book: &mut Book, goals: &Goals) {
    let [home, away] = goals.score;
    let scored = home.saturating_add(away);
    book.totals(Kind::Total, scored, &goals.both, WIDE);
    book.totals(Kind::HomeTotal, home, &goals.each[0], NARROW);
    book.totals(Kind::AwayTotal, away, &goals.each[1], NARROW);

    let so_far = usize::from(scored);
    let more_even = even(&goals.both);
    let ends_even = if so_far.is_multiple_of(2) { more_even } else { 1.0 - more_even };
    book.single(Kind::OddEven, &[1.0 - ends_even, ends_even]);

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
    book.single(Kind::ExactGoals, &exact);
    book.single(Kind::GoalRange, &range);
}

fn who_scores(book: &mut Book, goals: &Goals, outlook: &Outlook, situation: &Situation) {
    let [home, away] = goals.score;
    let chances = next(outlook.regular());
    let number = usize::from(home.saturating_add(away)) + 1;
    book.only_line(Kind::NextGoal, number, &chances);
    // The rates keep their ratio, so the last goal still to come is as likely a side's as the next one.
    let mut last = chances;
    if let Some(goal) = situation.last_goal {
        last[1] = 0.0;
        last[2 * place(goal.side)] += chances[1];
    } else {
        book.single(Kind::FirstToScore, &chances);
    }
    book.single(Kind::LastToScore, &last);

    let none_more = [goals.each[0][0], goals.each[1][0]];
    let scores = |side: usize| {
        if goals.score[side] > 0 { 1.0 } else { 1.0 - none_more[side] }
    };
    book.yes_no(Kind::BothScore, scores(0) * scores(1));
    book.yes_no(Kind::CleanSheetHome, 1.0 - scores(1));
    book.yes_no(Kind::CleanSheetAway, 1.0 - scores(0));
}

fn scores(book: &mut Book, goals: &Goals) {
    let [home, away] = goals.score.map(usize::from);
    let listed = |from: usize| from..=(from + SCORES_AHEAD).min(SCORE_MAX);
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
    book.push_some(Kind::CorrectScore, 0, None, chances.into_iter());
}

fn combined(book: &mut Book, goals: &Goals) {
    let mut to_nil = [0.0; 2];
    let mut both_score = [0.0; 6];
    let even = balanced_line(goals);
    let last_line = usize::from(Kind::ResultAndTotal.spec().lines) - 1;
    let so_far = goals.score.map(usize::from).iter().sum::<usize>();
    // A line below what has been scored leaves only one answer to half of the question.
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
    book.yes_no(Kind::WinToNilHome, to_nil[0]);
    book.yes_no(Kind::WinToNilAway, to_nil[1]);
    book.single(Kind::ResultAndBothScore, &both_score);
    if even > last_line {
        return;
    }
    for (line, chances) in lines.zip(&with_total) {
        let balance = if line == even { Balance::Even } else { Balance::Uneven };
        book.line(Kind::ResultAndTotal, line, balance, chances);
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
