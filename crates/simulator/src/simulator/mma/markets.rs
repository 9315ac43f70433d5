//! The markets of a bout with their probabilities and results. A draw returns the stakes on the winner.

use super::fight::{HALF, TICKS};
use super::judges::{ALL, Decision, ROUNDS_MAX};
use super::outlook::{Outlook, outlook};
use super::play::{Bout, End, Phase};
use crate::catalogue::MMA;
use crate::catalogue::questions::TurnsQuestion as Kind;
use crate::pricing::book::Book;
use crate::simulator::settled::yes;

/// Fills the book.
pub(super) fn price(bout: &Bout, book: &mut Book) {
    let now = (bout.phase != Phase::Cards).then_some(bout.moment);
    let ahead = outlook(bout.rounds, bout.number, bout.looks, now);
    price_ends(bout, &ahead, book);
    if bout.phase != Phase::Cards {
        price_rounds(bout, &ahead, book);
    }
}

fn price_ends(bout: &Bout, ahead: &Outlook, book: &mut Book) {
    let ends = [ahead.ends_it(0), ahead.ends_it(1)];
    let decided = [ahead.decided(Some(0)), ahead.decided(Some(1))];
    let draw = ahead.decided(None);
    let wins = [ends[0] + decided[0], ends[1] + decided[1]];
    book.two_way(MMA.kind(Kind::Winner), wins[0] / (wins[0] + wins[1]));
    book.single(MMA.kind(Kind::Result), &[wins[0], draw, wins[1]]);
    let [submitted, other] = [0, 1].map(|side| ends[side] * bout.submissions[side]);
    let [stopped, others] = [0, 1].map(|side| ends[side] * (1.0 - bout.submissions[side]));
    let distance = ahead.distance();
    book.single(MMA.kind(Kind::Method), &[stopped + others, submitted + other, distance]);
    let methods = [stopped, submitted, decided[0], draw, others, other, decided[1]];
    book.single(MMA.kind(Kind::WinnerAndMethod), &methods);
    book.two_way(MMA.kind(Kind::Distance), distance);
    book.two_way(MMA.kind(Kind::HomeEarly), ends[0]);
    book.two_way(MMA.kind(Kind::AwayEarly), ends[1]);
    let sort = |sort: fn(&Decision) -> bool| -> f64 {
        ALL.iter().zip(ahead.decisions).filter(|(held, _)| sort(held)).map(|(_, chance)| chance).sum()
    };
    let unanimous = sort(|held| matches!(held, Decision::Unanimous(_)));
    let split = sort(|held| matches!(held, Decision::Split(_)));
    let majority = sort(|held| matches!(held, Decision::Majority(_)));
    book.single(MMA.kind(Kind::Decision), &[unanimous, split, majority, draw, ends[0] + ends[1]]);
}

fn price_rounds(bout: &Bout, ahead: &Outlook, book: &mut Book) {
    let (past, number) = (bout.past(), bout.number);
    let ends = ahead.ends.map(|[home, away]| home + away);
    let totals = (past..number).map(|round| (round, ends[..round].iter().sum::<f64>() + ahead.early[round]));
    book.lines(MMA.kind(Kind::Rounds), totals);
    let open = (past..number).map(|round| (round as u16, ends[round]));
    let distance = std::iter::once((ROUNDS_MAX as u16, ahead.distance()));
    book.push_some(MMA.kind(Kind::RoundOfEnd), 0, open.chain(distance));
    let side = |side: usize| {
        let first = side * (ROUNDS_MAX + 1);
        (past..number).map(move |round| ((first + round) as u16, ahead.ends[round][side]))
    };
    let distance = std::iter::once((ROUNDS_MAX as u16, ahead.distance()));
    book.push_some(MMA.kind(Kind::RoundAndWinner), 0, side(0).chain(distance).chain(side(1)));
    let [home, away] = ahead.ends[past];
    book.line(MMA.kind(Kind::EndsInRound), past, &[home + away, 1.0 - home - away]);
    book.line(MMA.kind(Kind::WhoEndsInRound), past, &[home, 1.0 - home - away, away]);
    book.lines(MMA.kind(Kind::RoundBegins), (past + 1..number).map(|round| (round, ahead.begins[round])));
}

/// The index of the right answer, if it is decided.
pub(super) fn right(bout: &Bout, kind: u16, line: u16) -> Option<usize> {
    let line = usize::from(line);
    let (end, is_final) = (bout.end, bout.end.is_some());
    let winner = match end {
        Some(End::Early { side, .. }) => Some(side),
        Some(End::Decided(decision)) => decision.winner(),
        None => None,
    };
    let early = match end {
        Some(End::Early { side, is_submission, round, is_first_half }) => {
            Some((side, is_submission, round, is_first_half))
        }
        _ => None,
    };
    let fought = bout.past() > line;
    let ends_in = |round: usize| early.filter(|(_, _, in_round, _)| *in_round == round);
    match MMA.question(kind)? {
        Kind::Winner => winner,
        Kind::Result => end.map(|_| winner.map_or(1, |side| 2 * side)),
        Kind::Method => end.map(|_| early.map_or(2, |(_, is_submission, _, _)| usize::from(is_submission))),
        Kind::WinnerAndMethod => end.map(|_| match (early, winner) {
            (Some((side, is_submission, _, _)), _) => 4 * side + usize::from(is_submission),
            (None, Some(side)) => 4 * side + 2,
            (None, None) => 3,
        }),
        Kind::Rounds => {
            // Two and a half rounds are over once half of the third has been fought.
            let ticks = bout.past() * TICKS + bout.moment.tick;
            match early {
                Some((_, _, round, is_first_half)) => Some(usize::from((round, !is_first_half) >= (line, true))),
                None => (ticks >= line * TICKS + HALF).then_some(1),
            }
        }
        Kind::Distance => match end {
            Some(_) => yes(early.is_none(), true),
            None => yes(bout.past() == bout.number, false),
        },
        Kind::RoundOfEnd => end.map(|_| early.map_or(ROUNDS_MAX, |(_, _, round, _)| round)),
        Kind::RoundAndWinner => end.map(|_| {
            let place = |(side, _, round, _): (usize, bool, usize, bool)| side * (ROUNDS_MAX + 1) + round;
            early.map_or(ROUNDS_MAX, place)
        }),
        Kind::EndsInRound => yes(ends_in(line).is_some(), fought),
        Kind::WhoEndsInRound => match ends_in(line) {
            Some((side, _, _, _)) => Some(2 * side),
            None => fought.then_some(1),
        },
        Kind::RoundBegins => yes(bout.begun() > line, is_final),
        Kind::Decision => end.map(|end| match end {
            End::Early { .. } => 4,
            End::Decided(Decision::Unanimous(_)) => 0,
            End::Decided(Decision::Split(_)) => 1,
            End::Decided(Decision::Majority(_)) => 2,
            End::Decided(Decision::Draw) => 3,
        }),
        Kind::HomeEarly => yes(early.is_some_and(|(side, ..)| side == 0), is_final),
        Kind::AwayEarly => yes(early.is_some_and(|(side, ..)| side == 1), is_final),
        _ => None,
    }
}
