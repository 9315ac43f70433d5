//! Makes the records of an order: the answer of a rejection, the bet to be stored, and a new ticket id. Called by the
//! placement. Must not decide anything.

use super::order::Order;
use super::running::PlacementAnswer;
use kvota_domain::ticket::{AcceptedBet, Rejection, changed_pairs};
use kvota_read_model::OfferSnapshot;
use kvota_store::{Answer, Bet, BetBasis, BetPair, PairTexts, TicketId};
use uuid::Builder;

/// The answer of a rejection (400). Takes the team names from the first of `snapshots` that has the match.
pub(super) fn rejected<'a>(
    order: &Order,
    rejection: Rejection,
    snapshots: impl IntoIterator<Item = &'a OfferSnapshot>,
) -> PlacementAnswer {
    metrics::counter!("kvota_bets_refused_total", "reason" => rejection.key()).increment(1);
    tracing::debug!(account.id = %order.account, refusal = %rejection, "a bet is refused: {rejection}");
    let snapshots: Vec<&OfferSnapshot> = snapshots.into_iter().collect();
    let sides = rejection.match_id().map_or_else(String::new, |id| {
        let mut seen = snapshots.iter().filter_map(|snapshot| snapshot.sides(id, order.lang));
        seen.next().unwrap_or_else(|| format!("#{id}"))
    });
    let is_about_pairs = matches!(rejection, Rejection::OddChanged { .. } | Rejection::NotBettable { .. });
    let changed = match (&order.ticket, snapshots.first()) {
        (Some(ticket), Some(newest)) if is_about_pairs => changed_pairs(ticket, *newest),
        _ => Vec::new(),
    };
    PlacementAnswer::Answer(Answer { status: 400, body: order.bodies.rejected(rejection, &sides, &changed) })
}

/// The bet as the store keeps it, with the texts shown when it was accepted.
pub(super) fn stored(bet: &AcceptedBet, placed_at_ms: i64, basis: BetBasis) -> Bet {
    let text = |text: &Option<kvota_domain::Text>| text.as_deref().unwrap_or_default().to_owned();
    let optional = |text: &Option<kvota_domain::Text>| text.as_deref().map(str::to_owned);
    let pairs = bet.pairs.iter().map(|pair| {
        let seen = &pair.snapshot;
        BetPair {
            match_id: pair.match_id,
            market_id: pair.market_id,
            odd_id: pair.odd_id,
            sport_id: seen.sport_id,
            market_type: seen.market_kind,
            market_subtype: seen.market_subtype,
            sbv: optional(&seen.sbv),
            odd_type: optional(&seen.odd_kind),
            odds_submitted: pair.seen,
            odds_taken: pair.taken,
            is_fix: pair.is_fix,
            texts: PairTexts {
                home: text(&seen.home),
                away: text(&seen.away),
                market: text(&seen.market_name),
                odd: text(seen.odd_name.as_ref().map_or(&seen.odd_kind, |_| &seen.odd_name)),
                tournament: text(&seen.tournament),
            },
        }
    });
    Bet {
        placed_at_ms,
        bruto: bet.bruto,
        stake: bet.totals.taxed_stake,
        total_odd: bet.total_odd().to_string(),
        system_type: bet.combination.unwrap_or(0),
        potential_win: bet.totals.possible_win,
        win_tax: bet.totals.win_tax,
        payout: bet.totals.possible_payout,
        consent: bet.consent,
        basis,
        pairs: pairs.collect(),
    }
}

/// A UUID version 7: it begins with the time, so that the index of a database stays compact, and is unique across
/// nodes. `None` if the system gives no randomness.
pub(super) fn new_ticket_id(now_ms: i64) -> Option<TicketId> {
    let mut random = [0; 10];
    getrandom::fill(&mut random).ok()?;
    let id = Builder::from_unix_timestamp_millis(u64::try_from(now_ms).unwrap_or(0), &random).into_uuid();
    TicketId::new(&id.hyphenated().to_string())
}
