//! Markets of matches that need a winner: who it is in the end, and extra time once it has come.

use super::kinds::Kind;
use super::markets::{COUNTS, GOALS, Goals, NARROW, next};
use super::outlook::Outlook;
use super::state::{Period, Phase, ShootOut, Situation};
use crate::feed::pricing::book::Book;
use crate::feed::pricing::dist::{Difference, binomial, poisson, sum};

/// The chance of a kick from the penalty mark.
pub(crate) const PENALTY: f64 = 0.75;
/// Kicks of each side before sudden death.
const KICKS: u8 = 5;

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
    let shoot_out = home_wins_shoot_out(&situation.shoot_out);
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
    // A kind of its own: the next goal of the 90 minutes was none, and stays so.
    let number = usize::from(home.saturating_add(away)) + 1;
    book.only_line(Kind::ExtraTimeNextGoal.at(), number, &next(outlook.extra));
}

fn extra_difference(outlook: &Outlook) -> Difference {
    let each = outlook.extra.map(|mean| poisson(mean, GOALS));
    Difference::of(&each[0], &each[1])
}

/// The chance of the home side in a shoot-out. That it may end before all kicks are taken changes nothing: those left
/// out could not turn it. In sudden death both sides complete the pair of kicks, and a level pair begins anew.
pub(crate) fn home_wins_shoot_out(so_far: &ShootOut) -> f64 {
    let each = KICKS.max(so_far.taken[0]).max(so_far.taken[1]);
    let left = |side: usize| binomial(usize::from(each - so_far.taken[side]), PENALTY, COUNTS);
    let apart = Difference::of(&left(0), &left(1));
    let ahead = i64::from(so_far.scored[0]) - i64::from(so_far.scored[1]);
    let [home, level, _] = apart.three_way(ahead);
    home + level / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shoot_out_is_decided_when_it_cannot_be_turned() {
        for (taken, scored, chance) in [
            ([0, 0], [0, 0], 0.5),
            ([4, 3], [4, 1], 1.0), // one kick and two: three goals behind
            ([5, 5], [3, 2], 1.0),
            ([5, 5], [3, 3], 0.5),
            ([6, 5], [4, 3], 0.25 + 0.75 / 2.0), // scored, the other side answers
        ] {
            let wins = home_wins_shoot_out(&ShootOut { taken, scored });
            assert!((wins - chance).abs() < 1e-9, "{taken:?} {scored:?}: {wins}");
        }
    }
}
