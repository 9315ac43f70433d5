//! Selects the markets that a match's row shows: every change is split into row and detail (CONTRACT 3.3). The client
//! selects columns by the same rule, in `web/src/domain/columns.ts`.

use super::matches::Match;
use super::sport::PreferredColumn;

/// The index in `live_match.markets` of the market that a column shows. The first entry that fits the status decides;
/// of its markets the balanced line, or the first if none is balanced (CONTRACT 0).
pub fn shown_market(column: &PreferredColumn, live_match: &Match) -> Option<usize> {
    let status: &str = live_match.status.as_deref().unwrap_or_default();
    let entry = column.markets.iter().find(|entry| {
        let wanted = entry.status.as_deref().unwrap_or_default();
        wanted.is_empty() || wanted == status
    })?;
    let mut of_kind =
        live_match.markets.iter().enumerate().filter(|(_, market)| market.kind == entry.market_kind).peekable();
    let first = of_kind.peek()?.0;
    Some(of_kind.find(|(_, market)| market.balanced == Some(true)).map_or(first, |(place, _)| place))
}

/// The indexes of the row's markets, each once, in the feed's order.
pub fn row_markets(preferred: &[PreferredColumn], live_match: &Match) -> Vec<usize> {
    let mut places: Vec<usize> = preferred.iter().filter_map(|column| shown_market(column, live_match)).collect();
    places.sort_unstable();
    places.dedup();
    places
}
