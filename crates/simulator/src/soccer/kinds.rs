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

use crate::catalogue::SOCCER;
pub use crate::catalogue::questions::SoccerQuestion as Kind;
use crate::pricing::catalogue::Catalogue;
use crate::pricing::kind::KindSpec;
use std::sync::LazyLock;

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

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(SOCCER.profile.kinds));

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
        SOCCER.question(place)
    }

    /// Its line of the table.
    pub fn spec(self) -> &'static KindSpec {
        SOCCER.spec(self.at())
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
        for kind in SOCCER.questions {
            let spec = kind.spec();
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
        let numbers: HashSet<i64> = SOCCER.profile.kinds.iter().map(|spec| spec.number).collect();
        assert_eq!(numbers.len(), SOCCER.profile.kinds.len());
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
        for kind in SOCCER.questions {
            for lang in Lang::ALL {
                let answers = &catalogue().words(lang, kind.at()).answers;
                for answer in answers.iter().filter(|answer| answer.alias.is_some()) {
                    assert_eq!(cyrillic(&answer.kind), lang == Lang::Sr, "{}", answer.kind);
                }
            }
        }
    }
}
