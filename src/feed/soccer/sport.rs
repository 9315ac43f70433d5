//! Soccer as a sport of the offer: its name and preferred columns in the four languages.

use super::kinds::Kind;
use super::texts::{NO, NOBODY, OVER, Quad, SOCCER as NAME, UNDER, YES, name};
use crate::domain::Text;
use crate::domain::ids::SOCCER;
use crate::domain::lang::Lang;
use crate::domain::sport::{ColumnMarket, PreferredColumn, SportPatch};

/// A heading that reads the same everywhere.
const fn same(text: &'static str) -> Quad {
    [text; 4]
}

const RESULT: [Quad; 3] = [same("1"), same("X"), same("2")];
const DOUBLE: [Quad; 3] = [same("1X"), same("12"), same("X2")];
const UNDER_OVER: [Quad; 2] = [UNDER, OVER];
const YES_NO: [Quad; 2] = [YES, NO];
const NEXT: [Quad; 3] = [same("1"), NOBODY, same("2")];
const ONE_TWO: [Quad; 2] = [same("1"), same("2")];

const ANY: &str = "";
const NOT_STARTED: &str = "not_started";
const FIRST_HALF: &str = "first_half";
const EXTRA_TIME: [&str; 4] = ["awaiting_extra_time", "first_extra", "extra_half_time", "second_extra"];

/// A column before it is put into words.
struct Column {
    title: Quad,
    fields: &'static [Quad],
    hidden: bool,
    /// Kind and format by status; the first that fits counts.
    markets: Vec<(Kind, &'static str)>,
    format: &'static str,
}

fn columns() -> [Column; 12] {
    let column = |kind: Kind, fields, format| Column {
        title: name(kind).0,
        fields,
        hidden: false,
        markets: vec![(kind, ANY)],
        format,
    };
    let hidden = |kind: Kind, fields, format| Column { hidden: true, ..column(kind, fields, format) };
    let in_extra_time = |kind: Kind, otherwise: Kind| -> Vec<(Kind, &'static str)> {
        let extra = EXTRA_TIME.map(|status| (kind, status));
        extra.into_iter().chain([(otherwise, ANY)]).collect()
    };
    let by_half = |first: Kind, second: Kind| vec![(first, NOT_STARTED), (first, FIRST_HALF), (second, ANY)];
    [
        Column { markets: in_extra_time(Kind::ExtraTimeResult, Kind::FullTime), ..column(Kind::FullTime, &RESULT, "") },
        Column {
            markets: in_extra_time(Kind::ExtraTimeTotal, Kind::Total),
            ..column(Kind::Total, &UNDER_OVER, "{sbv}")
        },
        column(Kind::DoubleChance, &DOUBLE, ""),
        column(Kind::NextGoal, &NEXT, "{sbv}"),
        column(Kind::AsianHandicap, &ONE_TWO, "{+sbv}"),
        column(Kind::BothScore, &YES_NO, ""),
        Column {
            title: ["Ishod poluvremena", "Half result", "Ishod poluvremena", "Исход полувремена"],
            markets: by_half(Kind::FirstHalfResult, Kind::SecondHalfResult),
            ..column(Kind::FirstHalfResult, &RESULT, "")
        },
        Column {
            title: ["Golovi u poluvremenu", "Half goals", "Golovi u poluvremenu", "Голови у полувремену"],
            markets: by_half(Kind::FirstHalfTotal, Kind::SecondHalfTotal),
            ..column(Kind::FirstHalfTotal, &UNDER_OVER, "{sbv}")
        },
        column(Kind::Corners, &UNDER_OVER, "{sbv}"),
        column(Kind::Winner, &ONE_TWO, ""),
        hidden(Kind::EuropeanHandicap, &RESULT, "{sbv}"),
        hidden(Kind::DrawNoBet, &ONE_TWO, ""),
    ]
}

/// Soccer, whole, in a language.
pub fn soccer(lang: Lang) -> SportPatch {
    let word = |quad: &Quad| Text::from(quad[lang.index()]);
    let preferred = columns().into_iter().zip(1..).map(|(column, order)| {
        let format = Text::from(column.format);
        let markets = column.markets.iter().map(|(kind, status)| ColumnMarket {
            market_kind: kind.spec().number,
            status: (!status.is_empty()).then(|| Text::from(*status)),
            format: Some(format.clone()),
        });
        PreferredColumn {
            order,
            name: Some(word(&column.title)),
            fields: column.fields.iter().map(word).collect(),
            hidden: column.hidden,
            markets: markets.collect(),
        }
    });
    SportPatch {
        id: SOCCER,
        name: Some(word(&NAME)),
        order: Some(1),
        preferred: Some(preferred.collect()),
        selected_preferred: Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::soccer::words::words;

    #[test]
    fn every_heading_names_an_outcome_of_its_market() {
        for lang in Lang::ALL {
            for (column, words_of) in soccer(lang).preferred.expect("columns").iter().zip(columns()) {
                for (kind, _) in words_of.markets {
                    let outcomes = &words().kind(lang, kind).outcomes;
                    for field in &column.fields {
                        assert!(outcomes.iter().any(|held| held.kind == *field), "{field} of {kind:?}");
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
