//! Baseball's book and results. A result depends only on what was played: decided markets of an abandoned match keep
//! their results, and all others are void.

use super::game::{Game, INNINGS};
use super::outlook::{Outlook, left, next_run};
use crate::catalogue::BASEBALL;
use crate::catalogue::questions::TurnsQuestion as Kind;
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::{Difference, even, sum};
use crate::simulator::settled::{ahead_with, band, odd_even, over, sign, two_way, yes};

/// The number of innings with a market on the winner. The ninth has none, because home may not bat in it.
pub const WHOLE_INNINGS: usize = 8;
/// Bands of a margin.
pub const MARGINS: &[i64] = &[1, 3];
/// Innings of the first part of a match.
const FIRST_INNINGS: usize = 5;

/// Fills the book.
pub fn offer(game: &Game, book: &mut Book) {
    let [home, away] = game.score().map(usize::from);
    let ahead = home as i64 - away as i64;
    let outlook = Outlook::new(game);
    let [wins, _, _] = outlook.difference.three_way(ahead);
    book.two_way(BASEBALL.kind(Kind::Winner), wins);
    book.totals(BASEBALL.kind(Kind::Total), home + away, &outlook.total, Spread::both(2));
    book.handicaps(BASEBALL.kind(Kind::Handicap), &outlook.difference, ahead, Spread::both(2));
    book.totals(BASEBALL.kind(Kind::HomeTotal), home, &outlook.sides[0], Spread::both(1));
    book.totals(BASEBALL.kind(Kind::AwayTotal), away, &outlook.sides[1], Spread::both(1));
    book.two_way(BASEBALL.kind(Kind::OddEven), odd(home + away, &outlook.total));
    let mut margins = vec![0.0; 2 * (MARGINS.len() + 1)];
    for (by, chance) in outlook.difference.iter().filter(|held| ahead + held.0 != 0) {
        margins[band(MARGINS, false, ahead + by)] += chance;
    }
    book.single(BASEBALL.kind(Kind::Margin), &margins);
    if game.inning() < INNINGS {
        book.single(BASEBALL.kind(Kind::Nine), &outlook.nine);
        book.two_way(BASEBALL.kind(Kind::Extra), outlook.nine[1]);
    }
    book.line(BASEBALL.kind(Kind::NextRun), home + away, &next_run(game));
    book.line(BASEBALL.kind(Kind::Batter), game.fared.len(), &game.shape.batters[game.batting()].fares());
    five(game, book);
    innings(game, book);
}

fn odd(counted: usize, left: &[f64]) -> f64 {
    let even = even(left);
    if counted % 2 == 1 { even } else { 1.0 - even }
}

fn five(game: &Game, book: &mut Book) {
    if game.inning() >= FIRST_INNINGS {
        return;
    }
    let [home, away] = game.score().map(usize::from);
    let ahead = home as i64 - away as i64;
    let sides = [left(game, 0, FIRST_INNINGS), left(game, 1, FIRST_INNINGS)];
    let total = sum(&sides[0], &sides[1]);
    let difference = Difference::of(&sides[0], &sides[1]);
    let [wins, draws, loses] = difference.three_way(ahead);
    book.single(BASEBALL.kind(Kind::Five), &[wins, draws, loses]);
    book.totals(BASEBALL.kind(Kind::FiveTotal), home + away, &total, Spread::both(1));
    book.handicaps(BASEBALL.kind(Kind::FiveHandicap), &difference, ahead, Spread::both(1));
    if wins + loses > 1e-9 {
        book.two_way(BASEBALL.kind(Kind::FiveNoDraw), wins / (wins + loses));
    }
    book.two_way(BASEBALL.kind(Kind::FiveOddEven), odd(home + away, &total));
    book.totals(BASEBALL.kind(Kind::FiveHome), home, &sides[0], Spread::both(1));
    book.totals(BASEBALL.kind(Kind::FiveAway), away, &sides[1], Spread::both(1));
}

fn innings(game: &Game, book: &mut Book) {
    let inning = game.inning();
    if inning < WHOLE_INNINGS {
        let [home, away] = game.innings.get(inning).copied().unwrap_or_default();
        let sides = [left(game, 0, inning + 1), left(game, 1, inning + 1)];
        let three_way = Difference::of(&sides[0], &sides[1]).three_way(i64::from(home) - i64::from(away));
        book.line(BASEBALL.kind(Kind::Inning), inning, &three_way);
        if home + away == 0 {
            let none = sides[0][0] * sides[1][0];
            book.line(BASEBALL.kind(Kind::InningRun), inning, &[1.0 - none, none]);
        }
    }
    if game.half <= 2 * WHOLE_INNINGS {
        let counted = usize::from(game.half_runs.get(game.half).copied().unwrap_or(0));
        let mut chances = [0.0; 4];
        for (runs, chance) in game.shape.halves[game.batting()].rest(game.at).iter().enumerate() {
            chances[(counted + runs).min(3)] += chance;
        }
        book.line(BASEBALL.kind(Kind::HalfRuns), game.half, &chances);
    }
}

/// The index of the right answer, once it is decided.
pub fn right(game: &Game, kind: u16, line: u16) -> Option<usize> {
    let number = usize::from(line);
    let is_over = |innings: usize| game.halves_over() >= 2 * innings;
    let until = |innings: usize| -> [i64; 2] {
        let own = game.innings.iter().take(innings);
        own.fold([0, 0], |all, runs| [all[0] + i64::from(runs[0]), all[1] + i64::from(runs[1])])
    };
    let total = |[home, away]: [i64; 2]| (home + away) as usize;
    let (question, whole) = (BASEBALL.question(kind)?, BASEBALL.spec(kind).whole(line));
    // The runs of the part of the match that is asked about, and whether it is over.
    let (runs, done) = match question {
        Kind::Nine | Kind::Extra => (until(INNINGS), is_over(INNINGS)),
        Kind::Five
        | Kind::FiveTotal
        | Kind::FiveHandicap
        | Kind::FiveNoDraw
        | Kind::FiveOddEven
        | Kind::FiveHome
        | Kind::FiveAway => (until(FIRST_INNINGS), is_over(FIRST_INNINGS)),
        Kind::Inning | Kind::InningRun => (game.innings.get(number)?.map(i64::from), is_over(number + 1)),
        _ => (until(usize::MAX), game.is_complete),
    };
    let ahead = runs[0] - runs[1];
    match question {
        Kind::Winner | Kind::FiveNoDraw => two_way(ahead).filter(|_| done),
        Kind::Nine | Kind::Five | Kind::Inning => done.then(|| sign(ahead)),
        Kind::Total | Kind::FiveTotal => over(total(runs), whole, done),
        Kind::HomeTotal | Kind::FiveHome => over(runs[0] as usize, whole, done),
        Kind::AwayTotal | Kind::FiveAway => over(runs[1] as usize, whole, done),
        Kind::Handicap | Kind::FiveHandicap => done.then(|| ahead_with(ahead, BASEBALL.spec(kind).given(line))),
        Kind::OddEven | Kind::FiveOddEven => done.then(|| odd_even(total(runs))),
        Kind::Margin => (done && ahead != 0).then(|| band(MARGINS, false, ahead)),
        Kind::Extra => yes(done && ahead == 0, done),
        Kind::InningRun => yes(total(runs) > 0, done),
        Kind::NextRun => {
            let mut left = i64::from(line);
            let mut scored = game.scored.iter();
            let by = scored.find(|(_, runs)| {
                left -= i64::from(*runs);
                left < 0
            });
            match by {
                Some((side, _)) => Some(2 * side),
                None => done.then_some(1),
            }
        }
        Kind::HalfRuns => {
            let runs = usize::from(*game.half_runs.get(number)?);
            (runs >= 3 || game.halves_over() > number).then(|| runs.min(3))
        }
        Kind::Batter => game.fared.get(number).map(|fared| *fared as usize),
        _ => None,
    }
}
