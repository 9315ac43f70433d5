//! Baseball's book and verdicts. A verdict depends only on what was played: decided markets of an abandoned match keep
//! their results, and all others are void.

use super::game::{Game, INNINGS};
use super::outlook::{Outlook, left, next_run};
use crate::catalogue::BASEBALL;
use crate::catalogue::questions::TurnsQuestion as Kind;
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::{Difference, even, sum};
use crate::simulator::clock::question::band;
pub(super) use crate::simulator::clock::question::sign;
use crate::simulator::sport::{Ask, Verdict};

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
    book.only_line(BASEBALL.kind(Kind::NextRun), home + away, &next_run(game));
    book.only_line(BASEBALL.kind(Kind::Batter), game.fared.len(), &game.shape.batters[game.batting()].fares());
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
        book.only_line(BASEBALL.kind(Kind::Inning), inning, &three_way);
        if home + away == 0 {
            let none = sides[0][0] * sides[1][0];
            book.only_line(BASEBALL.kind(Kind::InningRun), inning, &[1.0 - none, none]);
        }
    }
    if game.half <= 2 * WHOLE_INNINGS {
        let counted = usize::from(game.half_runs.get(game.half).copied().unwrap_or(0));
        let mut chances = [0.0; 4];
        for (runs, chance) in game.shape.halves[game.batting()].rest(game.at).iter().enumerate() {
            chances[(counted + runs).min(3)] += chance;
        }
        book.only_line(BASEBALL.kind(Kind::HalfRuns), game.half, &chances);
    }
}

/// The result of an answer.
pub fn verdict(game: &Game, ask: Ask) -> Verdict {
    match outcome(game, ask.kind, ask.line) {
        None => Verdict::Void,
        Some(place) if place == usize::from(ask.answer) => Verdict::Won,
        Some(_) => Verdict::Lost,
    }
}

/// The index of the winning answer, once it is decided.
fn outcome(game: &Game, place: u16, line: u16) -> Option<usize> {
    let number = usize::from(line);
    let is_over = |innings: usize| game.halves_over() >= 2 * innings;
    let until = |innings: usize| -> [i64; 2] {
        let own = game.innings.iter().take(innings);
        own.fold([0, 0], |all, runs| [all[0] + i64::from(runs[0]), all[1] + i64::from(runs[1])])
    };
    let (runs, five, five_over) = (until(usize::MAX), until(FIRST_INNINGS), is_over(FIRST_INNINGS));
    let two_way = |[home, away]: [i64; 2]| (home != away).then(|| usize::from(home < away));
    let complete = |place: Option<usize>| place.filter(|_| game.is_complete);
    let five_place = |place: Option<usize>| place.filter(|_| five_over);
    let over = |count: i64, done: bool| if count > i64::from(line) { Some(1) } else { done.then_some(0) };
    let odd = |[home, away]: [i64; 2]| Some(usize::from((home + away) % 2 == 0));
    let with = |[home, away]: [i64; 2]| Some(usize::from(home - away + BASEBALL.spec(place).given(line) < 0));
    match BASEBALL.question(place)? {
        Kind::Winner => complete(two_way(runs)),
        Kind::Total => over(runs[0] + runs[1], game.is_complete),
        Kind::Handicap => complete(with(runs)),
        Kind::HomeTotal => over(runs[0], game.is_complete),
        Kind::AwayTotal => over(runs[1], game.is_complete),
        Kind::OddEven => complete(odd(runs)),
        Kind::Margin => complete(two_way(runs).map(|_| band(MARGINS, false, runs[0] - runs[1]))),
        kind @ (Kind::Nine | Kind::Extra) => {
            let nine = until(INNINGS);
            let ahead = sign(nine[0] - nine[1]);
            is_over(INNINGS).then_some(if kind == Kind::Nine { ahead } else { usize::from(ahead != 1) })
        }
        Kind::NextRun => {
            let mut left = number as i64;
            let mut scored = game.scored.iter();
            let by = scored.find(|(_, runs)| {
                left -= i64::from(*runs);
                left < 0
            });
            match by {
                Some((side, _)) => Some(2 * side),
                None => game.is_complete.then_some(1),
            }
        }
        Kind::Five => five_place(Some(sign(five[0] - five[1]))),
        Kind::FiveTotal => over(five[0] + five[1], five_over),
        Kind::FiveHandicap => five_place(with(five)),
        Kind::FiveNoDraw => five_place(two_way(five)),
        Kind::FiveOddEven => five_place(odd(five)),
        Kind::FiveHome => over(five[0], five_over),
        Kind::FiveAway => over(five[1], five_over),
        Kind::Inning => {
            let [home, away] = game.innings.get(number)?.map(i64::from);
            is_over(number + 1).then(|| sign(home - away))
        }
        Kind::InningRun => {
            let [home, away] = game.innings.get(number)?;
            if home + away > 0 { Some(0) } else { is_over(number + 1).then_some(1) }
        }
        Kind::HalfRuns => {
            let runs = usize::from(*game.half_runs.get(number)?);
            (runs >= 3 || game.halves_over() > number).then(|| runs.min(3))
        }
        Kind::Batter => game.fared.get(number).map(|fared| *fared as usize),
        _ => None,
    }
}
