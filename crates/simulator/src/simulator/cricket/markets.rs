//! The markets of a cricket match, with their probabilities and results. Super overs count only for the winner.

use super::balls::{BALLS, Ball, OVER, POWER_PLAY, WICKETS};
use super::lines::{OVER_LINES, RANGES, over_line, range_of};
use super::over::{compare, never, rest, super_rest};
use super::play::{Cricket, Innings, OUTS, OVERS, Over, Stage};
use super::scoring::Scoring;
use crate::catalogue::CRICKET;
use crate::catalogue::questions::TurnsQuestion as Kind;
use crate::pricing::book::{Book, Spread};
use crate::pricing::dist::even;
use crate::simulator::settled::{odd_even, over, yes};

/// Fills the book.
pub(super) fn price(play: &Cricket, book: &mut Book) {
    let at = match play.stage {
        Stage::Over => return,
        Stage::SuperOver => {
            book.two_way(CRICKET.kind(Kind::Winner), home(super_first(play), play.super_side(0)));
            return;
        }
        Stage::Waiting | Stage::Innings(0) => 0,
        Stage::Break | Stage::Innings(_) => 1,
    };
    if at == 0 {
        price_first(play, book);
    } else {
        price_second(play, book);
    }
    price_over(play, at, book);
    let innings = &play.innings[at];
    book.line(CRICKET.kind(Kind::Dismissal), at * WICKETS + innings.down(), &OUTS);
}

/// Home's chance, from that of a side.
fn home(chance: f64, side: usize) -> f64 {
    if side == 0 { chance } else { 1.0 - chance }
}

/// The chance that the side which bats first in the super over wins it in the end.
fn super_first(play: &Cricket) -> f64 {
    let held = &play.super_over;
    let edge = |half: usize| play.rules.scoring[play.super_side(half)].edge;
    let now = super_rest(edge(held.half), OVER - held.balls, held.down);
    let ahead = held.runs[0] as i64 - held.runs[1] as i64;
    let [wins, level] =
        if held.half == 0 { compare(&now, ahead, &super_rest(edge(1), OVER, 0)) } else { compare(&[1.0], ahead, &now) };
    wins + level * play.rules.super_first
}

/// Adds the winner and the tie: the chances that the side batting first has more runs in the end, and as many.
fn price_winner(play: &Cricket, more: f64, level: f64, book: &mut Book) {
    // The side that batted second bats first in a super over.
    let first = more + level * (1.0 - play.rules.super_first);
    book.two_way(CRICKET.kind(Kind::Winner), home(first, play.side(0)));
    book.two_way(CRICKET.kind(Kind::Tie), level);
}

fn price_first(play: &Cricket, book: &mut Book) {
    let innings = &play.innings[0];
    let (left, down) = (innings.left(), innings.down());
    let scoring = play.rules.scoring[play.side(0)];
    let runs = scoring.runs(left, down);
    let [more, level] = compare_all(&runs, innings.runs, play.rules.scoring[play.side(1)]);
    price_winner(play, more, level, book);
    book.totals(CRICKET.kind(Kind::FirstRuns), innings.runs, &runs, Spread::both(2));
    let mut ranges = [0.0; RANGES.len()];
    for (more, chance) in runs.iter().enumerate() {
        ranges[usize::from(range_of(innings.runs + more))] += chance;
    }
    book.single(CRICKET.kind(Kind::FirstRange), &ranges);
    let even = if innings.runs.is_multiple_of(2) { even(&runs) } else { 1.0 - even(&runs) };
    book.two_way(CRICKET.kind(Kind::FirstOddEven), 1.0 - even);
    book.totals(CRICKET.kind(Kind::FirstWickets), down, &scoring.wickets(left, down), Spread::both(1));
    book.totals(CRICKET.kind(Kind::FirstFours), innings.fours(), &scoring.fours(left, down), Spread::both(1));
    book.totals(CRICKET.kind(Kind::FirstSixes), innings.sixes(), &scoring.sixes(left, down), Spread::both(1));
    if let Some(left) = POWER_PLAY.checked_sub(innings.balls).filter(|left| *left > 0) {
        let runs = scoring.power_play(left, down);
        book.totals(CRICKET.kind(Kind::PowerPlay), innings.power_play, &runs, Spread::both(1));
    }
}

/// The probabilities that `ahead` plus the remaining runs is more than the other side's runs, and that it is equal.
fn compare_all(runs: &[f64], ahead: usize, other: &Scoring) -> [f64; 2] {
    let mut chances = [0.0; 2];
    for (more, chance) in runs.iter().enumerate() {
        let total = (ahead + more) as i64;
        let as_much = other.at_least(BALLS, 0, total);
        chances[0] += chance * (1.0 - as_much);
        chances[1] += chance * (as_much - other.at_least(BALLS, 0, total + 1));
    }
    chances
}

fn price_second(play: &Cricket, book: &mut Book) {
    let innings = &play.innings[1];
    let (left, down, need) = (innings.left(), innings.down(), play.need(1));
    let scoring = play.rules.scoring[play.side(1)];
    let reached = scoring.at_least(left, down, need as i64);
    let level = scoring.at_least(left, down, need as i64 - 1) - reached;
    price_winner(play, 1.0 - reached - level, level, book);
    // Only lines below the target: the innings ends when it is reached.
    let mut runs = scoring.runs(left, down);
    runs.resize(need + 1, 0.0);
    runs[need] = reached;
    book.totals(CRICKET.kind(Kind::SecondRuns), innings.runs, &runs, Spread::both(2));
}

fn price_over(play: &Cricket, at: usize, book: &mut Book) {
    let innings = &play.innings[at];
    let (left, down, number) = (innings.left(), innings.down(), innings.over());
    let held = &innings.overs[number];
    let scoring = play.rules.scoring[play.side(at)];
    let balls = (OVER - innings.balls % OVER).min(left);
    let chances = |bowled: usize, fallen: usize| scoring.ball(left - bowled, down + fallen);
    let need = play.need(at);
    let line = at * OVERS + number;
    let runs = rest(balls, WICKETS - down, need, chances, |_| true);
    let under = |line: usize| -> f64 {
        over_line(line).checked_sub(held.runs).map_or(0.0, |more| runs.iter().take(more + 1).sum())
    };
    let lines = (line * OVER_LINES..(line + 1) * OVER_LINES).map(|line| (line, under(line)));
    let lines = lines.filter(|(_, under)| (0.04..0.96).contains(under));
    book.lines(CRICKET.kind(Kind::OverRuns), lines);
    let mut happens = |kind: Kind, has_happened: bool, counts: fn(Ball) -> bool| {
        if !has_happened {
            let none = never(balls, WICKETS - down, need, chances, counts);
            book.line(CRICKET.kind(kind), line, &[1.0 - none, none]);
        }
    };
    happens(Kind::OverWicket, held.wickets > 0, |what| what != Ball::Wicket);
    happens(Kind::OverSix, held.sixes > 0, |what| what != Ball::Runs(6));
    happens(Kind::OverBoundary, held.fours + held.sixes > 0, |what| !matches!(what, Ball::Runs(4 | 6)));
}

/// The index of the right answer, if it is decided.
pub(super) fn right(play: &Cricket, kind: u16, line: u16) -> Option<usize> {
    let [first, second] = &play.innings;
    // The events in the over of a line, and whether it is complete.
    let overs = |happened: fn(&Over) -> usize, line: usize| {
        let innings: &Innings = &play.innings[(line / OVERS).min(1)];
        (happened(&innings.overs[line % OVERS]), innings.is_bowled(line % OVERS))
    };
    let happened = |number: (usize, bool)| yes(number.0 > 0, number.1);
    let (number, whole) = (usize::from(line), CRICKET.spec(kind).whole(line));
    match CRICKET.question(kind)? {
        Kind::Winner => play.winner,
        Kind::FirstRuns => over(first.runs, whole, first.is_done),
        Kind::SecondRuns => over(second.runs, whole, second.is_done),
        Kind::FirstRange => first.is_done.then(|| range_of(first.runs).into()),
        Kind::FirstOddEven => first.is_done.then(|| odd_even(first.runs)),
        Kind::OverRuns => {
            let (runs, is_bowled) = overs(|over| over.runs, number / OVER_LINES);
            over(runs, over_line(number) as u16, is_bowled)
        }
        Kind::OverWicket => happened(overs(|over| over.wickets, number)),
        Kind::OverSix => happened(overs(|over| over.sixes, number)),
        Kind::OverBoundary => happened(overs(|over| over.fours + over.sixes, number)),
        Kind::FirstWickets => over(first.down(), line, first.is_done),
        Kind::FirstFours => over(first.fours(), line, first.is_done),
        Kind::FirstSixes => over(first.sixes(), line, first.is_done),
        Kind::PowerPlay => {
            let is_final = first.is_done || first.balls >= POWER_PLAY;
            over(first.power_play, whole, is_final)
        }
        Kind::Dismissal => play.innings[number / WICKETS % 2].outs.get(number % WICKETS).copied(),
        Kind::Tie => yes(second.is_done && first.runs == second.runs, second.is_done),
        _ => None,
    }
}
