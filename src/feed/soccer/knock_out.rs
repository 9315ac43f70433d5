//! Markets of matches that need a winner: who it is in the end, and extra time once it has come.

use super::book::Book;
use super::kinds::Kind;
use super::markets::{Goals, NARROW, next};
use super::outlook::Outlook;
use super::poisson::{BOTH_GOALS, GOALS, binomial, difference, poisson, sum, three_way};
use super::state::{Period, Phase, ShootOut, Situation};

/// The chance of a kick from the penalty mark.
const PENALTY: f64 = 0.75;
/// Kicks of each side before sudden death.
const KICKS: u8 = 5;

/// Adds the markets on what follows the 90 minutes, while they last.
pub(super) fn knock_out(book: &mut Book, goals: &Goals, outlook: &Outlook) {
    let [home, draw, away] = three_way(&goals.apart, goals.ahead);
    let [extra_home, extra_draw, extra_away] = three_way(&extra_difference(outlook), 0);
    // A shoot-out that has not begun is anybody's.
    let winner = |won: f64, then: f64| won + draw * (then + extra_draw / 2.0);
    book.single(Kind::Winner, &[winner(home, extra_home), winner(away, extra_away)]);
    book.yes_no(Kind::ExtraTime, draw);
    book.yes_no(Kind::ShootOut, draw * extra_draw);
}

/// Adds the markets of extra time and of the shoot-out.
pub(super) fn extra_time(book: &mut Book, outlook: &Outlook, situation: &Situation) {
    let shoot_out = home_wins_shoot_out(&situation.shoot_out);
    if matches!(situation.phase, Phase::After(Period::ExtraSecond) | Phase::Playing(Period::ShootOut)) {
        book.single(Kind::Winner, &[shoot_out, 1.0 - shoot_out]);
        return;
    }
    let [home, away] = situation.extra;
    let each: [[f64; GOALS]; 2] = outlook.extra.map(poisson);
    let both: [f64; BOTH_GOALS] = sum(&each[0], &each[1]);
    let ahead = i64::from(home) - i64::from(away);
    let result = three_way(&extra_difference(outlook), ahead);
    let home_wins = result[0] + result[1] / 2.0;
    book.single(Kind::Winner, &[home_wins, 1.0 - home_wins]);
    book.yes_no(Kind::ShootOut, result[1]);
    book.single(Kind::ExtraTimeResult, &result);
    book.totals(Kind::ExtraTimeTotal, home.saturating_add(away), &both, NARROW);
    let [home, away] = situation.score();
    let number = usize::from(home.saturating_add(away)) + 1;
    book.only_line(Kind::NextGoal, number, &next(outlook.extra));
}

fn extra_difference(outlook: &Outlook) -> [f64; BOTH_GOALS] {
    let each: [[f64; GOALS]; 2] = outlook.extra.map(poisson);
    difference(&each[0], &each[1])
}

/// The chance of the home side in a shoot-out. That it may end before all kicks are taken changes nothing: those left
/// out could not turn it. In sudden death both sides complete the pair of kicks, and a level pair begins anew.
fn home_wins_shoot_out(so_far: &ShootOut) -> f64 {
    let each = KICKS.max(so_far.taken[0]).max(so_far.taken[1]);
    let left = |side: usize| binomial(usize::from(each - so_far.taken[side]), PENALTY);
    let apart = difference::<{ super::poisson::COUNTS }, { super::poisson::BOTH_COUNTS }>(&left(0), &left(1));
    let ahead = i64::from(so_far.scored[0]) - i64::from(so_far.scored[1]);
    let [home, level, _] = three_way(&apart, ahead);
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
