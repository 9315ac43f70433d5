//! The table of markets of cricket. Numbers, order, lines and indexes must never change, because bets refer to them.

use super::balls::WICKETS;
use super::play::OVERS;
use crate::pricing::kind::{Answers, KindSpec, Line, Quad};

/// A kind, by its index in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The winner, with super overs.
    Winner,
    /// Runs of the first innings.
    FirstRuns,
    /// Runs of the second innings.
    SecondRuns,
    /// Runs of the first innings, from here to there.
    FirstRange,
    /// Runs of the first innings, odd or even.
    FirstOddEven,
    /// Runs of the over being bowled.
    OverRuns,
    /// A wicket in it.
    OverWicket,
    /// A six in it.
    OverSix,
    /// A four or a six in it.
    OverBoundary,
    /// Wickets of the first innings.
    FirstWickets,
    /// Fours of the first innings.
    FirstFours,
    /// Sixes of the first innings.
    FirstSixes,
    /// Runs of the first power play.
    PowerPlay,
    /// How the next batter is out.
    Dismissal,
    /// Whether the runs are level after both innings.
    Tie,
}

const ALL: [Kind; 15] = [
    Kind::Winner,
    Kind::FirstRuns,
    Kind::SecondRuns,
    Kind::FirstRange,
    Kind::FirstOddEven,
    Kind::OverRuns,
    Kind::OverWicket,
    Kind::OverSix,
    Kind::OverBoundary,
    Kind::FirstWickets,
    Kind::FirstFours,
    Kind::FirstSixes,
    Kind::PowerPlay,
    Kind::Dismissal,
    Kind::Tie,
];

/// The kind at an index of the table.
pub(super) fn kind(place: u16) -> Kind {
    ALL.get(usize::from(place)).copied().unwrap_or(Kind::Winner)
}

/// The lowest line of runs of an innings.
pub(super) const FIRST_RUNS: u16 = 60;
/// The lowest line of runs of the power play.
pub(super) const FIRST_POWER_PLAY: u16 = 20;
/// Lines of runs of each over …
pub(super) const OVER_LINES: usize = 8;
/// … the lowest of them.
const FIRST_OVER_LINE: usize = 3;
/// Overs of both innings.
const ALL_OVERS: u16 = 2 * OVERS as u16;
/// The most runs of each range but the last.
pub(super) const RANGES: [usize; 8] = [119, 134, 149, 164, 179, 194, 209, usize::MAX];

/// The whole runs of a line of an over, of both innings and all overs: a half comes on top.
pub(super) fn over_line(line: usize) -> usize {
    FIRST_OVER_LINE + line % OVER_LINES
}

/// The range that a number of runs falls into.
pub(super) fn range_of(runs: usize) -> u16 {
    RANGES.iter().take_while(|most| runs > **most).count() as u16
}

fn range(place: u16) -> String {
    let at = usize::from(place);
    match (at.checked_sub(1).map(|before| RANGES[before] + 1), RANGES[at]) {
        (None, most) => format!("0-{most}"),
        (Some(first), usize::MAX) => format!("{first}+"),
        (Some(first), most) => format!("{first}-{most}"),
    }
}

fn over_runs(line: u16) -> String {
    format!("{}.5", over_line(usize::from(line)))
}

/// The over, from 1: those of the second innings follow those of the first, and only one is bowled at a time.
fn over(line: u16) -> String {
    (line % OVERS as u16 + 1).to_string()
}

fn wicket(line: u16) -> String {
    (line % WICKETS as u16 + 1).to_string()
}

const MAIN: Quad = ["1.Glavno", "1.Main", "1.Glavno", "1.Главно"];
const OVER: Quad = ["2.Over", "2.Over", "2.Over", "2.Овер"];
const INNINGS: Quad = ["3.Inning", "3.Innings", "3.Inning", "3.Ининг"];

const OUTS: &[(Quad, &str)] = &[
    (["Uhvaćen", "Caught", "Uhvaćen", "Ухваћен"], "caught"),
    (["Pogođena vratašca", "Bowled", "Pogođena vratašca", "Погођена враташца"], "bowled"),
    (["Noga ispred vratašca", "LBW", "Noga ispred vratašca", "Нога испред враташца"], "lbw"),
    (["Istrčan", "Run out", "Istrčan", "Истрчан"], "run_out"),
    (["Izvan crte", "Stumped", "Izvan linije", "Изван линије"], "stumped"),
];

/// The table.
pub(super) static KINDS: [KindSpec; 15] = [
    KindSpec::one(
        2101,
        ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        ["Pobj.", "Win", "Pobj.", "Поб."],
        Answers::OneTwo,
        &[MAIN],
    ),
    KindSpec::one(
        2102,
        ["Trke u 1. inningu", "1st innings runs", "Trke u 1. inningu", "Трке у 1. инингу"],
        ["1. inning", "1st inns", "1. inning", "1. ининг"],
        Answers::UnderOver,
        &[MAIN, INNINGS],
    )
    .with_lines(Line::HalfFrom(FIRST_RUNS), 180),
    KindSpec::one(
        2103,
        ["Trke u 2. inningu", "2nd innings runs", "Trke u 2. inningu", "Трке у 2. инингу"],
        ["2. inning", "2nd inns", "2. inning", "2. ининг"],
        Answers::UnderOver,
        &[MAIN, INNINGS],
    )
    .with_lines(Line::HalfFrom(FIRST_RUNS), 180),
    KindSpec::one(
        2104,
        ["Raspon trka u 1. inningu", "1st innings run range", "Raspon trka u 1. inningu", "Распон трка у 1. инингу"],
        ["Raspon", "Range", "Raspon", "Распон"],
        Answers::Plain(RANGES.len() as u16, range),
        &[INNINGS],
    )
    .with_margin(0.12),
    KindSpec::one(
        2105,
        ["1. inning nepar/par", "1st innings odd/even", "1. inning nepar/par", "1. ининг непар/пар"],
        ["Nepar/par", "Odd/even", "Nepar/par", "Непар/пар"],
        Answers::OddEven,
        &[INNINGS],
    ),
    KindSpec::one(
        2106,
        ["Trke u overu", "Runs in the over", "Trke u overu", "Трке у оверу"],
        ["Over", "Over", "Over", "Овер"],
        Answers::UnderOver,
        &[MAIN, OVER],
    )
    .with_lines(Line::Text(over_runs), ALL_OVERS * OVER_LINES as u16),
    KindSpec::one(
        2107,
        ["Wicket u overu", "Wicket in over", "Wicket u overu", "Викет у оверу"],
        ["Wicket", "Wicket", "Wicket", "Викет"],
        Answers::YesNo,
        &[MAIN, OVER],
    )
    .with_lines(Line::Text(over), ALL_OVERS),
    KindSpec::one(
        2108,
        ["Šestica u overu", "Six in over", "Šestica u overu", "Шестица у оверу"],
        ["Šestica", "Six", "Šestica", "Шестица"],
        Answers::YesNo,
        &[OVER],
    )
    .with_lines(Line::Text(over), ALL_OVERS),
    KindSpec::one(
        2109,
        [
            "Četvorka ili šestica u overu",
            "Boundary in over",
            "Četvorka ili šestica u overu",
            "Четворка или шестица у оверу",
        ],
        ["4 ili 6", "Boundary", "4 ili 6", "4 или 6"],
        Answers::YesNo,
        &[OVER],
    )
    .with_lines(Line::Text(over), ALL_OVERS),
    KindSpec::one(
        2110,
        ["Wicketi u 1. inningu", "1st innings wickets", "Wicketi u 1. inningu", "Викети у 1. инингу"],
        ["Wicketi", "Wickets", "Wicketi", "Викети"],
        Answers::UnderOver,
        &[INNINGS],
    )
    .with_lines(Line::Half, WICKETS as u16),
    KindSpec::one(
        2111,
        ["Četvorke u 1. inningu", "1st innings fours", "Četvorke u 1. inningu", "Четворке у 1. инингу"],
        ["Četvorke", "Fours", "Četvorke", "Четворке"],
        Answers::UnderOver,
        &[INNINGS],
    )
    .with_lines(Line::Half, 34),
    KindSpec::one(
        2112,
        ["Šestice u 1. inningu", "1st innings sixes", "Šestice u 1. inningu", "Шестице у 1. инингу"],
        ["Šestice", "Sixes", "Šestice", "Шестице"],
        Answers::UnderOver,
        &[INNINGS],
    )
    .with_lines(Line::Half, 30),
    KindSpec::one(
        2113,
        ["Trke u prvih 6 overa", "Runs in the first 6 overs", "Trke u prvih 6 overa", "Трке у првих 6 овера"],
        ["6 overa", "6 overs", "6 overa", "6 овера"],
        Answers::UnderOver,
        &[INNINGS],
    )
    .with_lines(Line::HalfFrom(FIRST_POWER_PLAY), 60),
    KindSpec::one(
        2114,
        ["Način sljedećeg wicketa", "Method of next dismissal", "Način narednog wicketa", "Начин следећег викета"],
        ["Način", "Method", "Način", "Начин"],
        Answers::Words(OUTS),
        &[OVER],
    )
    .with_lines(Line::Text(wicket), 2 * WICKETS as u16)
    .with_margin(0.12),
    KindSpec::one(
        2115,
        [
            "Izjednačeno nakon 2 inninga",
            "Tie after both innings",
            "Izjednačeno nakon 2 inninga",
            "Изједначено после 2 ининга",
        ],
        ["Izjedn.", "Tie", "Izjedn.", "Изједн."],
        Answers::YesNo,
        &[MAIN],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_stands_at_its_place() {
        assert!(ALL.iter().enumerate().all(|(place, kind)| *kind as usize == place));
    }

    #[test]
    fn ranges_read_as_what_falls_into_them() {
        assert_eq!((range(0), range(3), range(7)), ("0-119".to_owned(), "150-164".to_owned(), "210+".to_owned()));
        assert_eq!([0, 119, 120, 164, 165, 210, 300].map(range_of), [0, 0, 1, 3, 4, 7, 7]);
        assert_eq!((over_runs(0), over_runs(7), over_runs(8)), ("3.5".to_owned(), "10.5".to_owned(), "3.5".to_owned()));
        assert_eq!((over(0), over(19), over(20)), ("1".to_owned(), "20".to_owned(), "1".to_owned()));
    }
}
