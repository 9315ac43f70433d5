//! The columns of a sport's rows in the list: which of the provider's markets they show. The provider has no columns, so
//! they are chosen here, by the ids of its markets and outcomes.

use kvota_domain::Text;
use kvota_domain::ids::SportId;
use kvota_domain::lang::Lang;
use kvota_domain::sport::{ColumnMarket, PreferredColumn};

/// A name in Croatian, English, Bosnian and Serbian.
type Names = [&'static str; 4];

const RESULT: Names = ["Konačni ishod", "Result", "Konačan ishod", "Коначан исход"];
const WINNER: Names = ["Pobjednik", "Winner", "Pobjednik", "Победник"];
const DOUBLE_CHANCE: Names = ["Dvostruka šansa", "Double chance", "Dupla šansa", "Дупла шанса"];
const TOTAL: Names = ["Ukupno", "Total", "Ukupno", "Укупно"];
const HANDICAP: Names = ["Hendikep", "Handicap", "Hendikep", "Хендикеп"];
const BOTH_SCORE: Names = ["Oba tima daju gol", "Both teams to score", "Oba tima daju gol", "Оба тима дају гол"];

/// Outcomes of the provider's markets.
const HOME_DRAW_AWAY: &[&str] = &["1", "2", "3"];
const HOME_AWAY: &[&str] = &["4", "5"];
const OVER_UNDER: &[&str] = &["12", "13"];
const HANDICAPS: &[&str] = &["1714", "1715"];
const PAIRS: &[&str] = &["9", "10", "11"];
const YES_NO: &[&str] = &["74", "76"];

/// A column: its name, its headings, the market, and how the line is shown.
struct Column(Names, &'static [&'static str], i64, &'static str);

const SOCCER: &[Column] = &[
    Column(RESULT, HOME_DRAW_AWAY, 1, ""),
    Column(TOTAL, OVER_UNDER, 18, "{sbv}"),
    Column(DOUBLE_CHANCE, PAIRS, 10, ""),
    Column(HANDICAP, HANDICAPS, 16, "{+sbv}"),
    Column(BOTH_SCORE, YES_NO, 29, ""),
];
const BASKETBALL: &[Column] = &[
    Column(WINNER, HOME_AWAY, 219, ""),
    Column(TOTAL, OVER_UNDER, 225, "{sbv}"),
    Column(HANDICAP, HANDICAPS, 223, "{+sbv}"),
    Column(RESULT, HOME_DRAW_AWAY, 1, ""),
];
const BASEBALL: &[Column] = &[
    Column(WINNER, HOME_AWAY, 251, ""),
    Column(TOTAL, OVER_UNDER, 258, "{sbv}"),
    Column(HANDICAP, HANDICAPS, 256, "{+sbv}"),
];
const ICE_HOCKEY: &[Column] = &[
    Column(RESULT, HOME_DRAW_AWAY, 1, ""),
    Column(TOTAL, OVER_UNDER, 18, "{sbv}"),
    Column(WINNER, HOME_AWAY, 406, ""),
    Column(DOUBLE_CHANCE, PAIRS, 10, ""),
];
const TENNIS: &[Column] = &[
    Column(WINNER, HOME_AWAY, 186, ""),
    Column(TOTAL, OVER_UNDER, 189, "{sbv}"),
    Column(HANDICAP, HANDICAPS, 187, "{+sbv}"),
];
const RALLIES: &[Column] = &[
    Column(WINNER, HOME_AWAY, 186, ""),
    Column(TOTAL, OVER_UNDER, 238, "{sbv}"),
    Column(HANDICAP, HANDICAPS, 237, "{+sbv}"),
];
const GOALS: &[Column] = &[
    Column(RESULT, HOME_DRAW_AWAY, 1, ""),
    Column(TOTAL, OVER_UNDER, 18, "{sbv}"),
    Column(HANDICAP, HANDICAPS, 16, "{+sbv}"),
    Column(DOUBLE_CHANCE, PAIRS, 10, ""),
];
const OTHERS: &[Column] = &[Column(WINNER, HOME_AWAY, 186, ""), Column(RESULT, HOME_DRAW_AWAY, 1, "")];

/// The columns of a sport in a language.
pub fn columns(sport: SportId, lang: Lang) -> Vec<PreferredColumn> {
    let columns = match sport.get() {
        1 => SOCCER,
        2 | 16 => BASKETBALL,
        3 => BASEBALL,
        4 => ICE_HOCKEY,
        5 => TENNIS,
        20 | 23 | 31 | 34 | 37 => RALLIES,
        6 | 12 | 29 => GOALS,
        _ => OTHERS,
    };
    let column = |(order, Column(names, fields, market, format)): (i64, &Column)| PreferredColumn {
        order,
        name: names.get(lang.index()).copied().map(Text::from),
        fields: fields.iter().copied().map(Text::from).collect(),
        hidden: false,
        markets: vec![ColumnMarket { market_kind: *market, status: None, format: Some(Text::from(*format)) }],
    };
    (1..).zip(columns).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sport_has_columns_in_every_language() {
        for sport in (1..=200).filter_map(SportId::new) {
            for lang in Lang::ALL {
                let columns = columns(sport, lang);
                assert!(columns.iter().all(|column| column.name.is_some() && !column.fields.is_empty()));
                let orders: Vec<i64> = columns.iter().map(|column| column.order).collect();
                assert_eq!(orders, (1..=columns.len() as i64).collect::<Vec<_>>());
            }
        }
        let soccer = SportId::new(1).unwrap();
        assert_eq!(columns(soccer, Lang::Sr)[1].name.as_deref(), Some("Укупно"));
    }
}
