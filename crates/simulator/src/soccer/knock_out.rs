//! Markets of knock-out matches: the final winner, and extra time once it is played.

use super::kinds::Kind;
use super::markets::{GOALS, Goals, NARROW, next};
use super::outlook::Outlook;
use super::state::{Period, Phase, Situation};
use crate::pricing::book::Book;
use crate::pricing::dist::{Difference, poisson, sum};
use crate::pricing::shoot_out::Kicks;

/// The kicks of a shoot-out.
pub(crate) const KICKS: Kicks = Kicks { each: 5, chance: 0.75 };

/// Adds the markets on what follows the 90 minutes, while they last.
pub(super) fn knock_out(book: &mut Book, goals: &Goals, outlook: &Outlook) {
    let [home, draw, away] = goals.apart.three_way(goals.ahead);
    let [extra_home, extra_draw, extra_away] = extra_difference(outlook).three_way(0);
    // A shoot-out that has not begun is anybody's.
    let winner = |won: f64, then: f64| won + draw * (then + extra_draw / 2.0);
    book.single(Kind::Winner.at(), &[winner(home, extra_home), winner(away, extra_away)]);
    book.two_way(Kind::ExtraTime.at(), draw);
    book.two_way(Kind::ShootOut.at(), draw * extra_draw);
}

/// Adds the markets of extra time and of the shoot-out.
pub(super) fn extra_time(book: &mut Book, outlook: &Outlook, situation: &Situation) {
    let shoot_out = KICKS.home_wins(situation.shoot_out.taken, situation.shoot_out.scored);
    if matches!(situation.phase, Phase::After(Period::ExtraSecond) | Phase::Playing(Period::ShootOut)) {
        book.single(Kind::Winner.at(), &[shoot_out, 1.0 - shoot_out]);
        return;
    }
    let [home, away] = situation.extra;
    let each = outlook.extra.map(|mean| poisson(mean, GOALS));
    let both = sum(&each[0], &each[1]);
    let ahead = i64::from(home) - i64::from(away);
    let result = extra_difference(outlook).three_way(ahead);
    let home_wins = result[0] + result[1] / 2.0;
    book.single(Kind::Winner.at(), &[home_wins, 1.0 - home_wins]);
    book.two_way(Kind::ShootOut.at(), result[1]);
    book.single(Kind::ExtraTimeResult.at(), &result);
    book.totals(Kind::ExtraTimeTotal.at(), usize::from(home.saturating_add(away)), &both, NARROW);
    // A separate kind: the market on the next goal of the 90 minutes is already decided.
    let number = usize::from(home.saturating_add(away)) + 1;
    book.only_line(Kind::ExtraTimeNextGoal.at(), number, &next(outlook.extra));
}

fn extra_difference(outlook: &Outlook) -> Difference {
    let each = outlook.extra.map(|mean| poisson(mean, GOALS));
    Difference::of(&each[0], &each[1])
}
