//! What the producer has said of each match, with the position of each change: so a bet can be compared with the feed up
//! to the position that its node says it has applied. Must not know what any node holds.

use kvota_domain::ids::{MatchId, OddId};
use kvota_domain::matches::Match;
use kvota_domain::price::Price;
use kvota_feed::Position;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The log of one producer. Clones share it.
#[derive(Clone, Default)]
pub(super) struct FeedLog(Arc<Mutex<BTreeMap<MatchId, Vec<Entry>>>>);

struct Entry {
    epoch: i64,
    seq: u64,
    /// The odds that can be bet on; `None` if the match is gone or takes no bets.
    odds: Option<BTreeMap<OddId, Price>>,
}

impl FeedLog {
    /// The match is so from this position on; `None` if it left the offer.
    pub(super) fn note(&self, id: MatchId, at: Position, live_match: Option<&Match>) {
        let open = live_match.filter(|live_match| live_match.is_open());
        let odds = open.map(|live_match| {
            let odds = live_match.markets.iter().flat_map(|market| &market.odds);
            odds.map(|odd| (odd.id, odd.value)).collect()
        });
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.entry(id).or_default().push(Entry { epoch: at.epoch, seq: at.seq, odds });
    }

    /// Whether the feed offered an odd at a price, as of this position or later: a node may already have applied a part of
    /// the next message.
    pub(super) fn offers(&self, id: MatchId, odd: OddId, price: Price, since: Position) -> bool {
        let log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = log.get(&id).map(Vec::as_slice).unwrap_or_default();
        let later = entries.partition_point(|entry| (entry.epoch, entry.seq) <= (since.epoch, since.seq));
        let is_offer = |entry: &Entry| entry.odds.as_ref().is_some_and(|odds| odds.get(&odd) == Some(&price));
        entries[later.saturating_sub(1)..].iter().any(is_offer)
    }
}
