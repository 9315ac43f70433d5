//! Whether a bet that reaches the store may be taken at that moment (CONTRACT 4: no bet at an odd that is neither current
//! nor consented to). Nothing may be awaited between the last validation and the store, so the offer must still agree.

use super::feed_log::FeedLog;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_domain::ticket::Consent;
use kvota_read_model::ReadModel;
use kvota_store::PlaceBet;

/// What is wrong with a bet by the offer of its node, and by the feed that the node says it has applied.
pub(super) fn wrongs(model: &ReadModel, feed: &FeedLog, order: &PlaceBet) -> Vec<String> {
    let mut wrongs = Vec::new();
    if model.feed_state(Lang::Hr) != FeedState::Active {
        wrongs.push("is taken without an active feed".to_owned());
    }
    for pair in &order.bet.pairs {
        let Some(entry) = model.entry(pair.match_id) else {
            wrongs.push(format!("is on match {}, which is gone", pair.match_id));
            continue;
        };
        let live_match = &entry.state.live_match;
        if !live_match.betting || live_match.suspended == Some(true) {
            wrongs.push(format!("is on match {}, which takes no bets", pair.match_id));
        }
        let odds = live_match.markets.iter().filter(|market| market.id == pair.market_id).flat_map(|it| &it.odds);
        let now = odds.filter(|odd| odd.id == pair.odd_id).map(|odd| odd.value).next();
        let (seen, taken) = (pair.odds_submitted, pair.odds_taken);
        if now != Some(taken) {
            wrongs.push(format!("takes odd {} at {taken}, which is at {now:?}", pair.odd_id));
        }
        if let Some(since) = model.position()
            && !feed.offers(pair.match_id, pair.odd_id, taken, since)
        {
            wrongs.push(format!("takes odd {} at {taken}, which the feed had changed before {since:?}", pair.odd_id));
        }
        let is_consented = match order.bet.consent {
            Consent::None => taken == seen,
            Consent::Higher => taken >= seen,
            Consent::Any => true,
        };
        if !is_consented {
            wrongs.push(format!("takes odd {} at {taken}, seen at {seen}, with {:?}", pair.odd_id, order.bet.consent));
        }
    }
    wrongs
}
