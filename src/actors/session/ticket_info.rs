//! Builds the ticket that a connection shows: pairs with their current prices and texts in one language, and the
//! totals. Called by the session actor. A pair whose match is gone keeps the texts with which it was picked.

use kvota_domain::Text;
use kvota_domain::lang::Lang;
use kvota_domain::price::Price;
use kvota_domain::ticket::{Pair, Rules, Ticket, bettable, builder_code, totals_of};
use kvota_read_model::ReadModel;
use kvota_wire::hub::ticket::{PairState, TicketInfo};

/// The ticket in one language, with current prices.
pub fn ticket_info(ticket: &Ticket, model: &ReadModel, rules: &Rules, lang: Lang) -> TicketInfo {
    TicketInfo {
        ticket: ticket.clone(),
        pairs: ticket.pairs.iter().map(|pair| pair_view(pair, model, lang)).collect(),
        totals: totals_of(ticket, model, rules),
        builder_code: builder_code(ticket, model),
    }
}

fn pair_view(pair: &Pair, model: &ReadModel, lang: Lang) -> PairState {
    let picked = &pair.snapshot;
    let reason = bettable(model, pair.match_id, Some(pair.market_id), pair.odd_id).err();
    let mut now = PairState {
        home: picked.home.clone(),
        away: picked.away.clone(),
        market_name: picked.market_name.clone(),
        odd_name: picked.odd_name.clone().or_else(|| picked.odd_kind.clone()),
        price: Price::NONE,
        reason,
    };
    let Some(entry) = model.entry(pair.match_id) else { return now };
    let (live_match, words) = (&entry.state.live_match, entry.state.texts[lang].as_deref());
    put(&mut now.home, words.and_then(|words| words.home()).or(live_match.home.as_ref()));
    put(&mut now.away, words.and_then(|words| words.away()).or(live_match.away.as_ref()));
    let Some(market) = live_match.markets.iter().find(|market| market.id == pair.market_id) else { return now };
    put(&mut now.market_name, words.and_then(|words| words.market_name(market.id)).or(market.name.as_ref()));
    let Some(odd) = market.odds.iter().find(|odd| odd.id == pair.odd_id) else { return now };
    let of_language = match odd.provider_name() {
        Some(_) => words.and_then(|words| words.odd_description(odd.id)),
        None => words.and_then(|words| words.odd_kind(odd.id)),
    };
    put(&mut now.odd_name, of_language.or(odd.name()));
    now.price = odd.value;
    now
}

/// Replaces a text by the current one, if there is one.
fn put(held: &mut Option<Text>, words: Option<&Text>) {
    if let Some(words) = words {
        *held = Some(words.clone());
    }
}
