//! Baseball's book and verdicts. A verdict depends only on what was played: decided markets of an abandoned match keep
//! their results, and all others are void.

use super::game::{Game, INNINGS};
use super::kinds::*;
use super::outlook::{Outlook, left, next_run};
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::{Difference, even, sum};
use crate::pricing::kind::Line;
use crate::simulator::points::question::band;
pub(super) use crate::simulator::points::question::sign;
use crate::simulator::sport::{Ask, Verdict};

/// Innings of the first part of a match.
const FIRST_INNINGS: usize = 5;

/// Fills the book.
pub fn offer(game: &Game, book: &mut Book) {
    let [home, away] = game.score().map(usize::from);
    let ahead = home as i64 - away as i64;
    let outlook = Outlook::new(game);
    let [wins, _, _] = outlook.difference.three_way(ahead);
    book.two_way(WINNER, wins);
    book.totals(TOTAL, home + away, &outlook.total, Spread::both(2));
    book.handicaps(HANDICAP, &outlook.difference, ahead, Spread::both(2));
    book.totals(HOME_TOTAL, home, &outlook.sides[0], Spread::both(1));
    book.totals(AWAY_TOTAL, away, &outlook.sides[1], Spread::both(1));
    book.two_way(ODD_EVEN, odd(home + away, &outlook.total));
    let mut margins = vec![0.0; 2 * (MARGINS.len() + 1)];
    for (by, chance) in outlook.difference.iter().filter(|held| ahead + held.0 != 0) {
        margins[band(MARGINS, false, ahead + by)] += chance;
    }
    book.single(MARGIN, &margins);
    if game.inning() < INNINGS {
        book.single(NINE, &outlook.nine);
        book.two_way(EXTRA, outlook.nine[1]);
    }
    book.only_line(NEXT_RUN, home + away, &next_run(game));
    book.only_line(BATTER, game.fared.len(), &game.shape.batters[game.batting()].fares());
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
    book.single(FIVE, &[wins, draws, loses]);
    book.totals(FIVE_TOTAL, home + away, &total, Spread::both(1));
    book.handicaps(FIVE_HANDICAP, &difference, ahead, Spread::both(1));
    if wins + loses > 1e-9 {
        book.two_way(FIVE_NO_DRAW, wins / (wins + loses));
    }
    book.two_way(FIVE_ODD_EVEN, odd(home + away, &total));
    book.totals(FIVE_HOME, home, &sides[0], Spread::both(1));
    book.totals(FIVE_AWAY, away, &sides[1], Spread::both(1));
}

fn innings(game: &Game, book: &mut Book) {
    let inning = game.inning();
    if inning < WHOLE_INNINGS {
        let [home, away] = game.innings.get(inning).copied().unwrap_or_default();
        let sides = [left(game, 0, inning + 1), left(game, 1, inning + 1)];
        let three_way = Difference::of(&sides[0], &sides[1]).three_way(i64::from(home) - i64::from(away));
        book.only_line(INNING, inning, &three_way);
        if home + away == 0 {
            let none = sides[0][0] * sides[1][0];
            book.only_line(INNING_RUN, inning, &[1.0 - none, none]);
        }
    }
    if game.half <= 2 * WHOLE_INNINGS {
        let counted = usize::from(game.half_runs.get(game.half).copied().unwrap_or(0));
        let mut chances = [0.0; 4];
        for (runs, chance) in game.shape.halves[game.batting()].rest(game.at).iter().enumerate() {
            chances[(counted + runs).min(3)] += chance;
        }
        book.only_line(HALF_RUNS, game.half, &chances);
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
fn outcome(game: &Game, kind: u16, line: u16) -> Option<usize> {
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
    let with = |[home, away]: [i64; 2]| {
        let lines = KINDS[usize::from(kind)].lines;
        Some(usize::from(home - away + i64::from(line) - Line::level(lines) < 0))
    };
    match kind {
        WINNER => complete(two_way(runs)),
        TOTAL => over(runs[0] + runs[1], game.is_complete),
        HANDICAP => complete(with(runs)),
        HOME_TOTAL => over(runs[0], game.is_complete),
        AWAY_TOTAL => over(runs[1], game.is_complete),
        ODD_EVEN => complete(odd(runs)),
        MARGIN => complete(two_way(runs).map(|_| band(MARGINS, false, runs[0] - runs[1]))),
        NINE | EXTRA => {
            let nine = until(INNINGS);
            let place = sign(nine[0] - nine[1]);
            is_over(INNINGS).then_some(if kind == NINE { place } else { usize::from(place != 1) })
        }
        NEXT_RUN => {
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
        FIVE => five_place(Some(sign(five[0] - five[1]))),
        FIVE_TOTAL => over(five[0] + five[1], five_over),
        FIVE_HANDICAP => five_place(with(five)),
        FIVE_NO_DRAW => five_place(two_way(five)),
        FIVE_ODD_EVEN => five_place(odd(five)),
        FIVE_HOME => over(five[0], five_over),
        FIVE_AWAY => over(five[1], five_over),
        INNING => {
            let [home, away] = game.innings.get(number)?.map(i64::from);
            is_over(number + 1).then(|| sign(home - away))
        }
        INNING_RUN => {
            let [home, away] = game.innings.get(number)?;
            if home + away > 0 { Some(0) } else { is_over(number + 1).then_some(1) }
        }
        HALF_RUNS => {
            let runs = usize::from(*game.half_runs.get(number)?);
            (runs >= 3 || game.halves_over() > number).then(|| runs.min(3))
        }
        BATTER => game.fared.get(number).map(|fared| *fared as usize),
        _ => None,
    }
}
