//! Soccer as a sport of the offer: its name and preferred columns in the four languages.

use super::kinds::{Kind, SPECS};
use super::texts::{SOCCER as NAME, name};
use crate::pricing::columns::{Column, sport_patch};
use crate::pricing::headings::{ONE_NONE_TWO as NEXT, ONE_TWO, ONE_X_TWO as RESULT, UNDER_OVER, YES_NO};
use crate::pricing::kind::{Quad, same};
use kvota_domain::ids::SOCCER;
use kvota_domain::lang::Lang;
use kvota_domain::sport::SportPatch;

const DOUBLE: &[Quad] = &[same("1X"), same("12"), same("X2")];

const ANY: &str = "";
const NOT_STARTED: &str = "not_started";
const FIRST_HALF: &str = "first_half";

/// Its position in the list of sports.
pub const ORDER: i64 = 1;

const fn column(
    kind: Kind,
    fields: &'static [Quad],
    format: &'static str,
    markets: &'static [(u16, &'static str)],
) -> Column {
    Column { name: name(kind).0, fields, markets, format, hidden: false }
}

/// One kind in extra time, from its announcement to its end, another one before.
const fn in_extra_time(extra: Kind, otherwise: Kind) -> [(u16, &'static str); 5] {
    let extra = extra.at();
    [
        (extra, "awaiting_extra_time"),
        (extra, "first_extra"),
        (extra, "extra_half_time"),
        (extra, "second_extra"),
        (otherwise.at(), ANY),
    ]
}

const fn by_half(first: Kind, second: Kind) -> [(u16, &'static str); 3] {
    [(first.at(), NOT_STARTED), (first.at(), FIRST_HALF), (second.at(), ANY)]
}

/// The preferred columns, of recorded and of simulated matches alike.
pub const COLUMNS: [Column; 12] = {
    use Kind as K;
    [
        column(K::FullTime, RESULT, "", &const { in_extra_time(K::ExtraTimeResult, K::FullTime) }),
        column(K::Total, UNDER_OVER, "{sbv}", &const { in_extra_time(K::ExtraTimeTotal, K::Total) }),
        column(K::DoubleChance, DOUBLE, "", &[(K::DoubleChance.at(), ANY)]),
        column(K::NextGoal, NEXT, "{sbv}", &const { in_extra_time(K::ExtraTimeNextGoal, K::NextGoal) }),
        column(K::AsianHandicap, ONE_TWO, "{+sbv}", &[(K::AsianHandicap.at(), ANY)]),
        column(K::BothScore, YES_NO, "", &[(K::BothScore.at(), ANY)]),
        Column {
            name: ["Ishod poluvremena", "Half result", "Ishod poluvremena", "Исход полувремена"],
            ..column(K::FirstHalfResult, RESULT, "", &const { by_half(K::FirstHalfResult, K::SecondHalfResult) })
        },
        Column {
            name: ["Golovi u poluvremenu", "Half goals", "Golovi u poluvremenu", "Голови у полувремену"],
            ..column(K::FirstHalfTotal, UNDER_OVER, "{sbv}", &const { by_half(K::FirstHalfTotal, K::SecondHalfTotal) })
        },
        column(K::Corners, UNDER_OVER, "{sbv}", &[(K::Corners.at(), ANY)]),
        column(K::Winner, ONE_TWO, "", &[(K::Winner.at(), ANY)]),
        Column { hidden: true, ..column(K::EuropeanHandicap, RESULT, "{sbv}", &[(K::EuropeanHandicap.at(), ANY)]) },
        Column { hidden: true, ..column(K::DrawNoBet, ONE_TWO, "", &[(K::DrawNoBet.at(), ANY)]) },
    ]
};

/// Soccer, whole, in a language.
pub fn soccer(lang: Lang) -> SportPatch {
    sport_patch(SOCCER, (&NAME, ORDER), (&SPECS, &COLUMNS), lang)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soccer::kinds::catalogue;

    #[test]
    fn every_heading_names_an_outcome_of_its_market() {
        for lang in Lang::ALL {
            for column in COLUMNS {
                for (kind, _) in column.markets {
                    let answers = &catalogue().words(lang, *kind).answers;
                    for field in column.fields.iter().map(|field| field[lang.index()]) {
                        assert!(answers.iter().any(|held| &*held.kind == field), "{field} of {kind}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_the_same_in_every_language() {
        let numbers = |lang| {
            let patch = soccer(lang);
            let columns = patch.preferred.expect("columns").into_iter();
            let columns: Vec<_> = columns.map(|held| (held.order, held.hidden, held.markets)).collect();
            (patch.id, patch.order, patch.selected_preferred, columns)
        };
        for lang in Lang::ALL {
            assert_eq!(numbers(lang), numbers(Lang::Hr));
        }
    }
}
