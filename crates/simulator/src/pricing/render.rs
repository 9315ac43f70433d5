//! Renders a book: the markets of a match of the offer, with texts and ids, in one language. Must not know a sport or
//! set a price.

use super::book::{Book, BookMarket, BookOdd};
use super::catalogue::{Catalogue, KindWords};
use crate::generator::{BLOCK_MARKETS, BLOCK_ODDS};
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::lang::Lang;
use kvota_domain::market::{Market, Odd};
use std::sync::Arc;

/// The markets of the match with this block of ids. Markets without a valid id are omitted, which happens only after
/// 2^41 matches.
pub fn markets(catalogue: &Catalogue, book: &Book, block: u64, lang: Lang) -> Vec<Arc<Market>> {
    book.markets().filter_map(|(market, odds)| render(catalogue, block, lang, market, odds)).map(Arc::new).collect()
}

/// The id of a market of the match with this block.
pub fn market_id(catalogue: &Catalogue, block: u64, kind: u16, line: u16) -> Option<MarketId> {
    let place = catalogue.market_place(kind, line);
    MarketId::new(block.checked_mul(BLOCK_MARKETS)?.checked_add(place)?)
}

/// The id of an odd of the match with this block.
pub fn odd_id(catalogue: &Catalogue, block: u64, kind: u16, line: u16, answer: u16) -> Option<OddId> {
    let place = catalogue.odd_place(kind, line, answer);
    OddId::new(block.checked_mul(BLOCK_ODDS)?.checked_add(place)?)
}

fn render(catalogue: &Catalogue, block: u64, lang: Lang, market: &BookMarket, odds: &[BookOdd]) -> Option<Market> {
    let own = catalogue.words(lang, market.kind);
    let odds: Option<Vec<Odd>> = odds
        .iter()
        .map(|odd| render_odd(own, odd, odd_id(catalogue, block, market.kind, market.line, odd.answer)?))
        .collect();
    Some(Market {
        id: market_id(catalogue, block, market.kind, market.line)?,
        name: Some(own.name.clone()),
        short: Some(own.short.clone()),
        special: None,
        sbv: catalogue.sbv(market.kind, market.line).cloned(),
        kind: catalogue.specs[usize::from(market.kind)].number,
        subtype: None,
        order: Some(i64::from(market.kind) + 1),
        odds: odds?,
        balanced: market.balanced,
        description: None,
        tags: own.tags.clone(),
        is_suspended: false,
    })
}

fn render_odd(own: &KindWords, odd: &BookOdd, id: OddId) -> Option<Odd> {
    let words = own.answers.get(usize::from(odd.answer))?;
    Some(Odd {
        id,
        kind: Some(words.kind.clone()),
        value: odd.price,
        values: None,
        alias: words.alias.clone(),
        changed: None,
        description: None,
    })
}
