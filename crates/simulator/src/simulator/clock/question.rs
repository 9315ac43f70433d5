//! The results of markets on a match against the clock, which depend on the record alone. [`super::offer`] prices the
//! same questions.

use super::record::Record;
pub use crate::catalogue::questions::{ClockQuestion as Question, List, Part, Scope, Stretch};
use crate::pricing::kind::{Answers, KindSpec};
use crate::simulator::sport::{Ask, Verdict};

/// Periods `from` up to, and without, `to`.
pub const fn part(from: usize, to: usize) -> Scope {
    Scope::Part(Part { from, to })
}

/// Home, level or away: 0, 1, 2.
pub fn sign(difference: i64) -> usize {
    match difference {
        1.. => 0,
        0 => 1,
        _ => 2,
    }
}

/// The index of a margin's band.
pub fn band(bands: &[i64], with_draw: bool, difference: i64) -> usize {
    let within = bands.iter().position(|most| difference.abs() <= *most).unwrap_or(bands.len());
    let own = bands.len() + 1;
    match difference {
        1.. => within,
        0 => own,
        _ => own + usize::from(with_draw) + within,
    }
}

/// The result of an answer.
pub fn verdict(record: &Record, question: Question, spec: &KindSpec, ask: Ask) -> Verdict {
    let Some(place) = outcome(record, question, spec, ask.line) else {
        return Verdict::Void;
    };
    let is_it = usize::from(ask.answer) == place;
    // Of a double chance all but one answer win: it is the one of the two others.
    let wins = if matches!(spec.answers, Answers::DoubleChance) { !is_it } else { is_it };
    if wins { Verdict::Won } else { Verdict::Lost }
}

/// The index of the winning answer (of a double chance, the losing one), once it is decided.
fn outcome(record: &Record, question: Question, spec: &KindSpec, line: u16) -> Option<usize> {
    let ahead = |scope: Scope| record.done(scope).map(|[home, away]| home - away);
    let two_way = |scope: Scope| ahead(scope).filter(|by| *by != 0).map(|by| usize::from(by < 0));
    let number = usize::from(line);
    match question {
        Question::Winner => record.lead().filter(|by| *by != 0).map(|by| usize::from(by < 0)),
        Question::DrawNoBet(scope) => two_way(scope),
        Question::Result(scope) => ahead(scope).map(sign),
        Question::DoubleChance(scope) => ahead(scope).map(|by| 2 - sign(by)),
        Question::PeriodResult => ahead(part(number, number + 1)).map(sign),
        Question::Total(scope) => {
            let points = record.so_far(scope).map(usize::from);
            over(points[0] + points[1], spec, line, record.is_done(scope))
        }
        Question::SideTotal { scope, side } => {
            over(usize::from(record.so_far(scope)[side]), spec, line, record.is_done(scope))
        }
        Question::Handicap(scope) => ahead(scope).map(|by| usize::from(by + spec.given(line) < 0)),
        Question::OddEven(scope) => record.done(scope).map(|[home, away]| usize::from((home + away) % 2 == 0)),
        Question::ThreeWayHandicap(among) => ahead(Scope::Part(among)).map(|by| sign(by + spec.given(line))),
        Question::BothScore(among) => {
            let both = record.part(among).iter().all(|points| *points > 0);
            both.then_some(0).or(record.is_done(Scope::Part(among)).then_some(1))
        }
        Question::CorrectScore { periods: among, listed } => {
            let score = record.done(Scope::Part(among))?;
            Some(score_place(score.map(|points| points as usize), listed.into(), spec))
        }
        Question::TotalBands { periods: among, bands } => {
            record.done(Scope::Part(among)).map(|[home, away]| total_band(&bands, (home + away) as usize))
        }
        Question::CleanSheet { periods: among, side } => {
            let is_beaten = record.part(among)[1 - side] > 0;
            is_beaten.then_some(1).or(record.is_done(Scope::Part(among)).then_some(0))
        }
        Question::WinToNil { periods: among, side } => {
            let score = record.part(among);
            let is_beaten = score[1 - side] > 0;
            is_beaten.then_some(1).or(record.is_done(Scope::Part(among)).then(|| usize::from(score[side] == 0)))
        }
        Question::ResultAndBothScore(among) => {
            let [home, away] = record.done(Scope::Part(among))?;
            Some(2 * sign(home - away) + usize::from(home == 0 || away == 0))
        }
        Question::ScoresInEach { periods: among, side } => {
            let scores = |period: usize| record.part(Part { from: period, to: period + 1 })[side] > 0;
            let over = among.from..among.to.min(record.finished);
            let is_lost = over.clone().any(|period| !scores(period));
            is_lost.then_some(1).or((among.from..among.to).all(scores).then_some(0))
        }
        Question::Within(stretches) => {
            let stretch = *stretches.get(number)?;
            record.is_scored_in(stretch).then_some(0).or(record.is_past(stretch).then_some(1))
        }
        Question::MoreIn([first, second]) => {
            let points = |part: Part| record.done(Scope::Part(part)).map(|[home, away]| home + away);
            Some(sign(points(first)? - points(second)?))
        }
        Question::ResultAndTotal(among) => {
            let [home, away] = record.done(Scope::Part(among))?;
            Some(2 * sign(home - away) + usize::from(home + away > spec.whole(line).into()))
        }
        Question::Race { periods: among, step } => race(record, among, (line + 1) * step),
        Question::RaceTo { periods: among, to } => race(record, among, *to.get(number)?),
        Question::Last(among) => {
            let by = || record.scores.iter().rev().find(|score| score.period < among.to);
            record.is_done(Scope::Part(among)).then(|| by().map_or(1, |score| 2 * score.side))
        }
        Question::First(among) => nth(record, Scope::Part(among), 0),
        Question::Next(scope) => nth(record, scope, number),
        Question::NextKind(among) => match record.scores.get(number).filter(|score| score.period < among.to) {
            Some(score) => Some(score.kind),
            None => record.is_done(Scope::Part(among)).then(|| usize::from(spec.answers.places()) - 1),
        },
        Question::FirstOfPeriod => {
            let before = record.part(Part { from: 0, to: number });
            match record.steps.iter().find(|step| step.period == number) {
                Some(step) => Some(if step.score[0] > before[0] { 0 } else { 2 }),
                None => record.is_done(part(number, number + 1)).then_some(1),
            }
        }
        Question::Overtime(regular) => ahead(Scope::Part(regular)).map(|by| usize::from(by != 0)),
        Question::ShootOut => match record.kicks {
            Some(_) => Some(0),
            None => record.complete.then_some(1),
        },
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
            match over.clone().all(won) {
                true => (over.len() == among.to - among.from).then_some(0),
                false => Some(1),
            }
        }
        Question::Count { periods: among, ways } => {
            let count = counts(record, among, &ways);
            over(count[0] + count[1], spec, line, record.is_done(Scope::Part(among)))
        }
        Question::MoreOf { periods: among, ways } => {
            let [home, away] = counts(record, among, &ways).map(|count| count as i64);
            record.is_done(Scope::Part(among)).then(|| sign(home - away))
        }
        Question::RedCard(among) => {
            let is_shown = record.reds.iter().any(|card| among.has(card.period));
            is_shown.then_some(0).or(record.is_done(Scope::Part(among)).then_some(1))
        }
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

/// Over is decided as soon as it is reached, under in the end.
fn over(count: usize, spec: &KindSpec, line: u16, done: bool) -> Option<usize> {
    match count > usize::from(spec.whole(line)) {
        true => Some(1),
        false => done.then_some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::kind::Line;

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
        outcome(record, question, &KindSpec::of(1, answers, line, 40), at)
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
        let spec = KindSpec::of(1, Answers::OneXTwo, Line::None, 1);
        let ask = Ask { kind: 0, line: 0, answer: 0 };
        assert_eq!(verdict(&broken, Question::Result(whole), &spec, ask), Verdict::Void);
    }

    #[test]
    fn bands_have_their_places() {
        for (difference, without, with) in [(1, 0, 0), (6, 1, 1), (40, 2, 2), (-1, 3, 4), (-10, 4, 5), (-11, 5, 6)] {
            assert_eq!((band(&BANDS, false, difference), band(&BANDS, true, difference)), (without, with));
        }
        assert_eq!(band(&BANDS, true, 0), 3);
    }
}
