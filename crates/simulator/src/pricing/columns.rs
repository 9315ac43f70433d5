//! Preferred columns as tables of a sport, and the sport of the offer that has them. Called once for each sport by the
//! simulator's table of sports and by the replay. Must not contain texts.

use super::kind::{KindSpec, Quad};
use kvota_domain::Text;
use kvota_domain::ids::SportId;
use kvota_domain::lang::Lang;
use kvota_domain::sport::{ColumnMarket, PreferredColumn, SportPatch};

/// A preferred column (CONTRACT 0).
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name in the selector.
    pub name: Quad,
    /// The headings, each the text of an answer of its markets.
    pub fields: &'static [Quad],
    /// The kind (an index in the table) by status. An empty status fits any; the first match counts.
    pub markets: &'static [(u16, &'static str)],
    /// How the sbv is shown: `` not at all, `{sbv}`, `{+sbv}`.
    pub format: &'static str,
    /// Whether the selector hides the column.
    pub hidden: bool,
}

/// A complete sport with its columns, in a language.
pub fn sport_patch(
    id: SportId,
    (name, order): (&Quad, i64),
    (kinds, columns): (&[KindSpec], &[Column]),
    lang: Lang,
) -> SportPatch {
    let word = |quad: &Quad| Text::from(quad[lang.index()]);
    let preferred = columns.iter().zip(1..).map(|(column, order)| PreferredColumn {
        order,
        name: Some(word(&column.name)),
        fields: column.fields.iter().map(word).collect(),
        hidden: column.hidden,
        markets: column.markets.iter().map(|market| column_market(kinds, column, *market)).collect(),
    });
    SportPatch {
        name: Some(word(name)),
        order: Some(order),
        preferred: Some(preferred.collect()),
        selected_preferred: Some(1),
        ..SportPatch::empty(id)
    }
}

fn column_market(kinds: &[KindSpec], column: &Column, (kind, status): (u16, &str)) -> ColumnMarket {
    ColumnMarket {
        market_kind: kinds[usize::from(kind)].number,
        status: (!status.is_empty()).then(|| Text::from(status)),
        format: Some(Text::from(column.format)),
    }
}
