//! The table of market kinds of the soccer model, and the position of their markets and odds within a match's block of
//! ids. A kind's number (`type` of a market in CONTRACT 0) and its index must never change, because bets refer to them.
//!
//! | numbers | kinds |
//! |---|---|
//! | 1 to 6 | full-time result, double chance, draw no bet, first-half result, second-half result, half-time/full-time |
//! | 7 to 13 | next goal, European handicap, Asian handicap, both to score, correct score, odd/even, exact goals |
//! | 14 to 17 | first to score, last to score, home clean sheet, away clean sheet |
//! | 18 to 24 | total goals, home goals, away goals, first-half goals, second-half goals, both to score by half |
//! | 25 to 31 | win to nil (home, away), result and both to score, result and total, goal in an interval, to score in both halves (home, away) |
//! | 32 to 36 | half with more goals, goal range, first-half double chance, first-half correct score, first-half odd/even |
//! | 40 to 46 | total corners, most corners, next corner, corners odd/even, home corners, away corners, first-half corners |
//! | 50 to 54 | total cards, most cards, home cards, away cards, a red card |
//! | 60 to 65 | winner after all, extra time, shoot-out, extra-time result, extra-time goals, next goal of extra time |

use super::texts::{
    CARDS, COMBINED, CORNERS, EQUAL, FIRST_HALF, GOALS, HALVES as HALVES_TAG, HANDICAP, MAIN, SECOND_HALF, WINNER, name,
};
use crate::pricing::answers::{RESULT_TWICE, RESULT_UNDER_OVER, RESULT_YES_NO, SCORE, SHORT_SCORE};
use crate::pricing::catalogue::Catalogue;
use crate::pricing::kind::{Answers, KindSpec, Line, Quad};
use std::sync::LazyLock;

/// A kind of market.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "named as the module's table does")]
pub enum Kind {
    FullTime,
    DoubleChance,
    DrawNoBet,
    FirstHalfResult,
    SecondHalfResult,
    HalfFull,
    NextGoal,
    EuropeanHandicap,
    AsianHandicap,
    BothScore,
    CorrectScore,
    OddEven,
    ExactGoals,
    FirstToScore,
    LastToScore,
    CleanSheetHome,
    CleanSheetAway,
    Total,
    HomeTotal,
    AwayTotal,
    FirstHalfTotal,
    SecondHalfTotal,
    FirstHalfBothScore,
    SecondHalfBothScore,
    WinToNilHome,
    WinToNilAway,
    ResultAndBothScore,
    ResultAndTotal,
    GoalInInterval,
    BothHalvesHome,
    BothHalvesAway,
    MoreGoalsHalf,
    GoalRange,
    FirstHalfDoubleChance,
    FirstHalfScore,
    FirstHalfOddEven,
    Corners,
    MostCorners,
    NextCorner,
    CornersOddEven,
    HomeCorners,
    AwayCorners,
    FirstHalfCorners,
    Cards,
    MostCards,
    HomeCards,
    AwayCards,
    RedCard,
    Winner,
    ExtraTime,
    ShootOut,
    ExtraTimeResult,
    ExtraTimeTotal,
    ExtraTimeNextGoal,
}

/// The line of a European handicap of 0, which is not offered: the middle of its lines.
pub const EUROPEAN_LEVEL: i64 = 7;
/// The stretches of ten minutes asked for: whole ones, clear of stoppage time. `(half, first second, last second)`
/// since that half's start.
pub const INTERVALS: [(bool, u32, u32); 8] = [
    (true, 0, 600),
    (true, 600, 1200),
    (true, 1200, 1800),
    (true, 1800, 2400),
    (false, 0, 600),
    (false, 600, 1200),
    (false, 1200, 1800),
    (false, 1800, 2400),
];

/// Line n is `n`: the goal or corner asked for.
const ORDINAL: Line = Line::Text(|line| line.to_string());
/// Line [`EUROPEAN_LEVEL`] + h gives the home side h goals (the away side where h is negative): `1:0`, `0:2`.
const EUROPEAN: Line = Line::Text(|line| match i64::from(line) - EUROPEAN_LEVEL {
    given @ 0.. => format!("{given}:0"),
    taken => format!("0:{}", -taken),
});
/// Line n is the n-th stretch of [`INTERVALS`]: `31-40`.
const INTERVAL: Line = Line::Text(|line| {
    let (first_half, start, end) = INTERVALS[usize::from(line)];
    let base = if first_half { 0 } else { 45 };
    format!("{}-{}", base + start / 60 + 1, base + end / 60)
});

/// `0` to `5`, `6+`.
const EXACT: Answers = Answers::Plain(7, |place| if place == 6 { "6+".to_owned() } else { place.to_string() });
/// `0-1`, `2-3`, `4-6`, `7+`.
const RANGE: Answers = Answers::Plain(4, |place| ["0-1", "2-3", "4-6", "7+"][usize::from(place)].to_owned());
/// First half, equal, second half.
const HALVES: Answers = Answers::Words(&[(FIRST_HALF, "first"), (EQUAL, "equal"), (SECOND_HALF, "second")]);

const fn spec(
    kind: Kind,
    number: i64,
    (line, lines): (Line, u16),
    answers: Answers,
    margin: f64,
    tags: &'static [Quad],
) -> (Kind, KindSpec) {
    let (name, short) = name(kind);
    (kind, KindSpec::one(number, name, short, answers, tags).with_lines(line, lines).with_margin(margin))
}

const ONE: (Line, u16) = (Line::None, 1);

/// Every kind, in the order in which markets are listed: the order of [`Kind`].
const ROWS: [(Kind, KindSpec); 54] = {
    use Answers as A;
    use Kind as K;
    use Line as L;
    [
        spec(K::FullTime, 1, ONE, A::OneXTwo, 0.05, &[MAIN]),
        spec(K::DoubleChance, 2, ONE, A::DoubleChance, 0.05, &[MAIN]),
        spec(K::DrawNoBet, 3, ONE, A::OneTwo, 0.05, &[MAIN]),
        spec(K::FirstHalfResult, 4, ONE, A::OneXTwo, 0.06, &[MAIN, HALVES_TAG]),
        spec(K::SecondHalfResult, 5, ONE, A::OneXTwo, 0.06, &[HALVES_TAG]),
        spec(K::HalfFull, 6, ONE, RESULT_TWICE, 0.12, &[HALVES_TAG, COMBINED]),
        spec(K::NextGoal, 7, (ORDINAL, 16), A::OneNoneTwo, 0.06, &[MAIN, GOALS]),
        spec(K::EuropeanHandicap, 8, (EUROPEAN, 15), A::OneXTwo, 0.06, &[HANDICAP]),
        spec(K::AsianHandicap, 9, (L::Handicap, 15), A::OneTwo, 0.05, &[HANDICAP]),
        spec(K::BothScore, 10, ONE, A::YesNo, 0.06, &[MAIN, GOALS]),
        spec(K::CorrectScore, 11, ONE, SCORE, 0.16, &[GOALS]),
        spec(K::OddEven, 12, ONE, A::OddEven, 0.06, &[GOALS]),
        spec(K::ExactGoals, 13, ONE, EXACT, 0.10, &[GOALS]),
        spec(K::FirstToScore, 14, ONE, A::OneNoneTwo, 0.06, &[GOALS]),
        spec(K::LastToScore, 15, ONE, A::OneNoneTwo, 0.07, &[GOALS]),
        spec(K::CleanSheetHome, 16, ONE, A::YesNo, 0.07, &[GOALS]),
        spec(K::CleanSheetAway, 17, ONE, A::YesNo, 0.07, &[GOALS]),
        spec(K::Total, 18, (L::Half, 16), A::UnderOver, 0.05, &[MAIN, GOALS]),
        spec(K::HomeTotal, 19, (L::Half, 12), A::UnderOver, 0.06, &[GOALS]),
        spec(K::AwayTotal, 20, (L::Half, 12), A::UnderOver, 0.06, &[GOALS]),
        spec(K::FirstHalfTotal, 21, (L::Half, 10), A::UnderOver, 0.06, &[GOALS, HALVES_TAG]),
        spec(K::SecondHalfTotal, 22, (L::Half, 10), A::UnderOver, 0.06, &[GOALS, HALVES_TAG]),
        spec(K::FirstHalfBothScore, 23, ONE, A::YesNo, 0.07, &[HALVES_TAG]),
        spec(K::SecondHalfBothScore, 24, ONE, A::YesNo, 0.07, &[HALVES_TAG]),
        spec(K::WinToNilHome, 25, ONE, A::YesNo, 0.07, &[COMBINED]),
        spec(K::WinToNilAway, 26, ONE, A::YesNo, 0.07, &[COMBINED]),
        spec(K::ResultAndBothScore, 27, ONE, RESULT_YES_NO, 0.10, &[COMBINED]),
        spec(K::ResultAndTotal, 28, (L::Half, 16), RESULT_UNDER_OVER, 0.10, &[COMBINED]),
        spec(K::GoalInInterval, 29, (INTERVAL, 8), A::YesNo, 0.08, &[GOALS]),
        spec(K::BothHalvesHome, 30, ONE, A::YesNo, 0.08, &[HALVES_TAG]),
        spec(K::BothHalvesAway, 31, ONE, A::YesNo, 0.08, &[HALVES_TAG]),
        spec(K::MoreGoalsHalf, 32, ONE, HALVES, 0.08, &[HALVES_TAG]),
        spec(K::GoalRange, 33, ONE, RANGE, 0.08, &[GOALS]),
        spec(K::FirstHalfDoubleChance, 34, ONE, A::DoubleChance, 0.06, &[HALVES_TAG]),
        spec(K::FirstHalfScore, 35, ONE, SHORT_SCORE, 0.16, &[HALVES_TAG]),
        spec(K::FirstHalfOddEven, 36, ONE, A::OddEven, 0.07, &[HALVES_TAG]),
        spec(K::Corners, 40, (L::Half, 32), A::UnderOver, 0.07, &[CORNERS]),
        spec(K::MostCorners, 41, ONE, A::OneXTwo, 0.08, &[CORNERS]),
        spec(K::NextCorner, 42, (ORDINAL, 30), A::OneNoneTwo, 0.07, &[CORNERS]),
        spec(K::CornersOddEven, 43, ONE, A::OddEven, 0.07, &[CORNERS]),
        spec(K::HomeCorners, 44, (L::Half, 24), A::UnderOver, 0.08, &[CORNERS]),
        spec(K::AwayCorners, 45, (L::Half, 24), A::UnderOver, 0.08, &[CORNERS]),
        spec(K::FirstHalfCorners, 46, (L::Half, 24), A::UnderOver, 0.08, &[CORNERS, HALVES_TAG]),
        spec(K::Cards, 50, (L::Half, 20), A::UnderOver, 0.08, &[CARDS]),
        spec(K::MostCards, 51, ONE, A::OneXTwo, 0.08, &[CARDS]),
        spec(K::HomeCards, 52, (L::Half, 12), A::UnderOver, 0.08, &[CARDS]),
        spec(K::AwayCards, 53, (L::Half, 12), A::UnderOver, 0.08, &[CARDS]),
        spec(K::RedCard, 54, ONE, A::YesNo, 0.09, &[CARDS]),
        spec(K::Winner, 60, ONE, A::OneTwo, 0.05, &[MAIN, WINNER]),
        spec(K::ExtraTime, 61, ONE, A::YesNo, 0.07, &[WINNER]),
        spec(K::ShootOut, 62, ONE, A::YesNo, 0.08, &[WINNER]),
        spec(K::ExtraTimeResult, 63, ONE, A::OneXTwo, 0.06, &[MAIN, WINNER]),
        spec(K::ExtraTimeTotal, 64, (L::Half, 10), A::UnderOver, 0.06, &[MAIN, GOALS]),
        spec(K::ExtraTimeNextGoal, 65, (ORDINAL, 10), A::OneNoneTwo, 0.06, &[MAIN, GOALS]),
    ]
};

/// The table.
pub const SPECS: [KindSpec; ROWS.len()] = {
    let mut specs = [ROWS[0].1; ROWS.len()];
    let mut index = 0;
    while index < specs.len() {
        assert!(ROWS[index].0 as usize == index, "the table is in the order of Kind");
        specs[index] = ROWS[index].1;
        index += 1;
    }
    specs
};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&SPECS));

/// The table with its texts and ids.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

impl Kind {
    /// Its index in the table.
    pub const fn at(self) -> u16 {
        self as u16
    }

    /// The kind at an index of the table.
    pub fn of(place: u16) -> Option<Kind> {
        ROWS.get(usize::from(place)).map(|(kind, _)| *kind)
    }

    /// Its line of the table.
    pub const fn spec(self) -> &'static KindSpec {
        &SPECS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{BLOCK_MARKETS, BLOCK_ODDS};
    use kvota_domain::lang::Lang;
    use std::collections::HashSet;

    #[test]
    fn every_market_and_odd_has_a_place_of_its_own() {
        let (mut markets, mut odds) = (HashSet::new(), HashSet::new());
        for (kind, spec) in ROWS {
            for line in 0..spec.lines {
                assert!(markets.insert(catalogue().market_place(kind.at(), line)));
                for answer in 0..spec.answers.places() {
                    assert!(odds.insert(catalogue().odd_place(kind.at(), line, answer)));
                }
            }
        }
        assert!(markets.iter().all(|place| *place < BLOCK_MARKETS));
        assert!(odds.iter().all(|place| *place < BLOCK_ODDS));
    }

    #[test]
    fn numbers_of_the_contract_and_no_number_twice() {
        assert_eq!(Kind::FullTime.spec().number, 1);
        assert_eq!(Kind::Total.spec().number, 18);
        let numbers: HashSet<i64> = SPECS.iter().map(|spec| spec.number).collect();
        assert_eq!(numbers.len(), SPECS.len());
    }

    #[test]
    fn lines_read_as_the_contract_says() {
        for (kind, line, text) in [
            (Kind::Total, 2, "2.5"),
            (Kind::NextGoal, 3, "3"),
            (Kind::EuropeanHandicap, 6, "0:1"),
            (Kind::EuropeanHandicap, 9, "2:0"),
            (Kind::AsianHandicap, 7, "0.5"),
            (Kind::AsianHandicap, 6, "-0.5"),
            (Kind::AsianHandicap, 5, "-1.5"),
            (Kind::GoalInInterval, 3, "31-40"),
            (Kind::GoalInInterval, 4, "46-55"),
        ] {
            assert_eq!(catalogue().sbv(kind.at(), line).map(|text| &**text), Some(text), "{kind:?}");
        }
        assert_eq!(catalogue().sbv(Kind::FullTime.at(), 0), None);
    }

    #[test]
    fn words_of_answers_are_cyrillic_in_serbian_alone() {
        let cyrillic = |text: &str| text.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c));
        for (kind, _) in ROWS {
            for lang in Lang::ALL {
                let answers = &catalogue().words(lang, kind.at()).answers;
                for answer in answers.iter().filter(|answer| answer.alias.is_some()) {
                    assert_eq!(cyrillic(&answer.kind), lang == Lang::Sr, "{}", answer.kind);
                }
            }
        }
    }
}
