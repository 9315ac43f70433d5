//! The results of markets on a match against the clock, which depend on the record alone. [`super::offer`] prices the
//! same questions.

use super::record::Record;
pub use crate::catalogue::questions::{ClockQuestion as Question, List, Part, Scope, Stretch};
use crate::pricing::kind::KindSpec;
use crate::simulator::settled::{ahead_with, band, odd_even, over, sign, two_way, yes};

/// Periods `from` up to, and without, `to`.
pub const fn part(from: usize, to: usize) -> Scope {
    Scope::Part(Part { from, to })
}

/// The index of the right answer (of a double chance, of the only wrong one), once it is decided.
pub fn right(record: &Record, question: Question, spec: &KindSpec, line: u16) -> Option<usize> {
    let ahead = |scope: Scope| record.done(scope).map(|[home, away]| home - away);
    let is_done = |periods: Part| record.is_done(Scope::Part(periods));
    let (number, whole) = (usize::from(line), spec.whole(line));
    match question {
        Question::Winner => record.lead().and_then(two_way),
        Question::DrawNoBet(scope) => ahead(scope).and_then(two_way),
        Question::Result(scope) => ahead(scope).map(sign),
        Question::DoubleChance(scope) => ahead(scope).map(|by| 2 - sign(by)),
        Question::PeriodResult => ahead(part(number, number + 1)).map(sign),
        Question::Total(scope) => {
            let points = record.so_far(scope).map(usize::from);
            over(points[0] + points[1], whole, record.is_done(scope))
        }
        Question::SideTotal { scope, side } => {
            over(usize::from(record.so_far(scope)[side]), whole, record.is_done(scope))
        }
        Question::Handicap(scope) => ahead(scope).map(|by| ahead_with(by, spec.given(line))),
        Question::OddEven(scope) => record.done(scope).map(|[home, away]| odd_even((home + away) as usize)),
        Question::ThreeWayHandicap(among) => ahead(Scope::Part(among)).map(|by| sign(by + spec.given(line))),
        Question::BothScore(among) => yes(record.part(among).iter().all(|points| *points > 0), is_done(among)),
        Question::CorrectScore { periods: among, listed } => {
            let score = record.done(Scope::Part(among))?;
            Some(score_place(score.map(|points| points as usize), listed.into(), spec))
        }
        Question::TotalBands { periods: among, bands } => {
            record.done(Scope::Part(among)).map(|[home, away]| total_band(&bands, (home + away) as usize))
        }
        Question::CleanSheet { periods: among, side } => no(record.part(among)[1 - side] > 0, is_done(among)),
        Question::WinToNil { periods: among, side } => {
            let score = record.part(among);
            let is_lost = score[1 - side] > 0 || is_done(among) && score[side] == 0;
            no(is_lost, is_done(among))
        }
        Question::ResultAndBothScore(among) => {
            let [home, away] = record.done(Scope::Part(among))?;
            Some(2 * sign(home - away) + usize::from(home == 0 || away == 0))
        }
        Question::ScoresInEach { periods: among, side } => {
            let scores = |period: usize| record.part(Part { from: period, to: period + 1 })[side] > 0;
            let over = among.from..among.to.min(record.finished);
            no(over.into_iter().any(|period| !scores(period)), (among.from..among.to).all(scores))
        }
        Question::Within(stretches) => {
            let stretch = *stretches.get(number)?;
            yes(record.is_scored_in(stretch), record.is_past(stretch))
        }
        Question::MoreIn([first, second]) => {
            let points = |part: Part| record.done(Scope::Part(part)).map(|[home, away]| home + away);
            Some(sign(points(first)? - points(second)?))
        }
        Question::ResultAndTotal(among) => {
            let [home, away] = record.done(Scope::Part(among))?;
            Some(2 * sign(home - away) + usize::from(home + away > whole.into()))
        }
        Question::Race { periods: among, step } => race(record, among, (line + 1) * step),
        Question::RaceTo { periods: among, to } => race(record, among, *to.get(number)?),
        Question::Last(among) => {
            let by = || record.scores.iter().rev().find(|score| score.period < among.to);
            is_done(among).then(|| by().map_or(1, |score| 2 * score.side))
        }
        Question::First(among) => nth(record, Scope::Part(among), 0),
        Question::Next(scope) => nth(record, scope, number),
        Question::NextKind(among) => match record.scores.get(number).filter(|score| score.period < among.to) {
            Some(score) => Some(score.kind),
            None => is_done(among).then(|| usize::from(spec.answers.places()) - 1),
        },
        Question::FirstOfPeriod => {
            let before = record.part(Part { from: 0, to: number });
            match record.steps.iter().find(|step| step.period == number) {
                Some(step) => Some(if step.score[0] > before[0] { 0 } else { 2 }),
                None => record.is_done(part(number, number + 1)).then_some(1),
            }
        }
        Question::Overtime(regular) => yes(ahead(Scope::Part(regular)) == Some(0), is_done(regular)),
        Question::ShootOut => yes(record.kicks.is_some(), record.complete),
        Question::Highest(parts) => {
            let points: Option<Vec<i64>> =
                parts.iter().map(|own| record.done(Scope::Part(*own)).map(|p| p[0] + p[1])).collect();
            points.map(|points| {
                let most = points.iter().max().copied().unwrap_or(0);
                let mut best = points.iter().enumerate().filter(|held| *held.1 == most);
                match (best.next(), best.next()) {
                    (Some((place, _)), None) => place,
                    _ => parts.len(),
                }
            })
        }
        Question::Margin { scope, bands } => {
            let by = ahead(scope)?;
            let with_draw = scope != Scope::Match;
            (by != 0 || with_draw).then(|| band(&bands, with_draw, by))
        }
        Question::HalfFull { first, periods: all } => {
            let half = ahead(Scope::Part(first))?;
            ahead(Scope::Part(all)).map(|full| 3 * sign(half) + sign(full))
        }
        Question::EachPeriod { periods: among, side } => {
            let won = |period: usize| {
                let [home, away] = record.part(Part { from: period, to: period + 1 });
                if side == 0 { home > away } else { away > home }
            };
            let over = among.from..among.to.min(record.finished);
            no(!over.clone().all(won), over.len() == among.to - among.from)
        }
        Question::Count { periods: among, ways } => {
            let count = counts(record, among, &ways);
            over(count[0] + count[1], whole, is_done(among))
        }
        Question::MoreOf { periods: among, ways } => {
            let [home, away] = counts(record, among, &ways).map(|count| count as i64);
            is_done(among).then(|| sign(home - away))
        }
        Question::RedCard(among) => yes(record.reds.iter().any(|card| among.has(card.period)), is_done(among)),
    }
}

/// The side of the n-th of what is counted, from 0 (home, neither, away).
fn nth(record: &Record, scope: Scope, number: usize) -> Option<usize> {
    match record.sides(scope).get(number) {
        Some(side) => Some(2 * side),
        None => record.is_done(scope).then_some(1),
    }
}

/// The first side to reach `goal` points (home, neither, away).
fn race(record: &Record, among: Part, goal: u16) -> Option<usize> {
    let steps = record.steps.iter().filter(|step| step.period < among.to);
    let first = steps.map(|step| step.score).find(|score| score.iter().any(|points| *points >= goal));
    match first {
        Some(score) => Some(if score[0] >= goal { 0 } else { 2 }),
        None => record.is_done(Scope::Part(among)).then_some(1),
    }
}

/// The answer of a score: its digits (below 10, or below 6 of a kind with few answers), or the last one if a side has
/// more than `listed`.
pub fn score_place([home, away]: [usize; 2], listed: usize, spec: &KindSpec) -> usize {
    let other = usize::from(spec.answers.places()) - 1;
    if home.max(away) <= listed { other.isqrt() * home + away } else { other }
}

/// The index of a total's band.
pub fn total_band(bands: &[u16], total: usize) -> usize {
    bands.iter().position(|most| total <= usize::from(*most)).unwrap_or(bands.len())
}

/// Scores of these ways by home and away, as far as the match has come.
pub fn counts(record: &Record, among: Part, ways: &[usize]) -> [usize; 2] {
    [0, 1].map(|side| {
        let own = record.scores.iter().filter(|score| score.side == side && score.period < among.to);
        own.filter(|score| ways.contains(&score.kind)).count()
    })
}

/// No as soon as it has failed, yes once it can no longer fail.
fn no(has_failed: bool, is_final: bool) -> Option<usize> {
    (has_failed || is_final).then_some(usize::from(has_failed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::kind::{Answers, Line};

    const BANDS: List<i64> = List(&[5, 10]);

    fn record(periods: &[[u16; 2]], finished: usize) -> Record {
        let mut record = Record { finished, ..Record::default() };
        for period in periods {
            record.begin_period();
            record.add(0, period[0], 0, 0);
            record.add(1, period[1], 0, 0);
        }
        record
    }

    fn won(record: &Record, question: Question, answers: Answers, line: Line, at: u16) -> Option<usize> {
        right(record, question, &KindSpec::of(1, answers, line, 40), at)
    }

    #[test]
    fn the_record_decides() {
        let all = Part { from: 0, to: 2 };
        let whole = Scope::Part(all);
        let over = record(&[[10, 5], [3, 9]], 2);
        for (question, answers, line, at, place) in [
            (Question::Result(whole), Answers::OneXTwo, Line::None, 0, Some(2)),
            (Question::DrawNoBet(whole), Answers::OneTwo, Line::None, 0, Some(1)),
            // Away has won: `1X` lost.
            (Question::DoubleChance(whole), Answers::DoubleChance, Line::None, 0, Some(0)),
            (Question::PeriodResult, Answers::OneXTwo, Line::Ordinal, 0, Some(0)),
            (Question::Total(whole), Answers::UnderOver, Line::Half(0), 26, Some(1)),
            (Question::Total(whole), Answers::UnderOver, Line::Half(0), 27, Some(0)),
            (Question::SideTotal { scope: whole, side: 1 }, Answers::UnderOver, Line::Half(10), 3, Some(1)),
            // The level is line 20: half a point for home, and one and a half.
            (Question::Handicap(whole), Answers::OneTwo, Line::Handicap, 20, Some(1)),
            (Question::Handicap(whole), Answers::OneTwo, Line::Handicap, 21, Some(0)),
            (Question::OddEven(whole), Answers::OddEven, Line::None, 0, Some(0)),
            (Question::Race { periods: all, step: 10 }, Answers::OneNoneTwo, Line::Ordinal, 0, Some(0)),
            (Question::Race { periods: all, step: 10 }, Answers::OneNoneTwo, Line::Ordinal, 1, Some(1)),
            (Question::FirstOfPeriod, Answers::OneNoneTwo, Line::Ordinal, 1, Some(0)),
            (Question::Overtime(all), Answers::YesNo, Line::None, 0, Some(1)),
            (
                Question::HalfFull { first: Part { from: 0, to: 1 }, periods: all },
                Answers::OneTwo,
                Line::None,
                0,
                Some(2),
            ),
            (Question::Margin { scope: whole, bands: BANDS }, Answers::OneTwo, Line::None, 0, Some(4)),
            (Question::EachPeriod { periods: all, side: 1 }, Answers::YesNo, Line::None, 0, Some(1)),
        ] {
            assert_eq!(won(&over, question, answers, line, at), place, "{question:?} {at}");
        }
    }

    #[test]
    fn what_an_abandoned_match_has_not_decided_is_void() {
        let all = Part { from: 0, to: 2 };
        let whole = Scope::Part(all);
        let broken = record(&[[10, 5], [3, 9]], 1);
        for (question, answers, line, at, place) in [
            (Question::Result(whole), Answers::OneXTwo, Line::None, 0, None),
            (Question::PeriodResult, Answers::OneXTwo, Line::Ordinal, 0, Some(0)),
            (Question::PeriodResult, Answers::OneXTwo, Line::Ordinal, 1, None),
            (Question::Total(whole), Answers::UnderOver, Line::Half(0), 26, Some(1)),
            (Question::Total(whole), Answers::UnderOver, Line::Half(0), 27, None),
            (Question::Race { periods: all, step: 10 }, Answers::OneNoneTwo, Line::Ordinal, 0, Some(0)),
            (Question::Race { periods: all, step: 10 }, Answers::OneNoneTwo, Line::Ordinal, 1, None),
            (Question::EachPeriod { periods: all, side: 1 }, Answers::YesNo, Line::None, 0, Some(1)),
            (Question::EachPeriod { periods: all, side: 0 }, Answers::YesNo, Line::None, 0, None),
        ] {
            assert_eq!(won(&broken, question, answers, line, at), place, "{question:?} {at}");
        }
    }
}
