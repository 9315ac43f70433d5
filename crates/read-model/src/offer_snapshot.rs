//! Offer snapshots: some matches and the state of the feed at one revision of the offer, by which a bet is validated.
//! Taking one ([`ReadModel::snapshot`]) is the serialisation point of a bet: it sees all earlier changes and no later
//! one. It is an optimistic read (a seqlock): it is repeated if a change was made meanwhile. A snapshot never changes.

use super::settled_odds::{MarketResults, decides};
use super::{MatchEntry, ReadModel};
use crate::limits::{SNAPSHOT_ATTEMPTS_PER_TURN, SNAPSHOT_MS_MAX, SNAPSHOT_PAUSE_BETWEEN_TURNS_MS};
use kvota_domain::feed::Position;
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::lang::Lang;
use kvota_domain::ticket::{FeedHealth, MatchQuote, OfferView, has_market, quote_of};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::Instant;

/// A snapshot of some matches at one revision.
#[derive(Clone, Debug)]
pub struct OfferSnapshot {
    /// The revision of the whole offer (CONTRACT 2, `version`).
    pub version: u64,
    /// The newest position of the primary language's feed that is applied.
    pub position: Option<Position>,
    feed: FeedHealth,
    matches: HashMap<MatchId, Arc<MatchEntry>>,
    results: HashMap<MatchId, Arc<MarketResults>>,
    feed_date_ms: i64,
}

impl ReadModel {
    /// A snapshot of these matches. Matches that are not in the offer are left out. Lets other tasks run after
    /// `SNAPSHOT_ATTEMPTS_PER_TURN` failed attempts. `None` after `SNAPSHOT_MS_MAX`: a change was in progress during
    /// every attempt, which is a bug.
    pub async fn snapshot(&self, ids: &[MatchId]) -> Option<OfferSnapshot> {
        let begun = Instant::now();
        loop {
            for _ in 0..SNAPSHOT_ATTEMPTS_PER_TURN {
                if let Some(snapshot) = self.attempt(ids) {
                    return Some(snapshot);
                }
                std::hint::spin_loop();
            }
            if begun.elapsed() >= Duration::from_millis(SNAPSHOT_MS_MAX) {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(SNAPSHOT_PAUSE_BETWEEN_TURNS_MS)).await;
        }
    }

    fn attempt(&self, ids: &[MatchId]) -> Option<OfferSnapshot> {
        let (position, version) = (self.position(), self.version.load(Ordering::SeqCst));
        // A change is in progress, so this attempt would fail.
        if self.begun.load(Ordering::SeqCst) != version {
            return None;
        }
        let matches = ids.iter().filter_map(|id| Some((*id, self.entry(*id)?))).collect();
        let results = ids.iter().filter_map(|id| Some((*id, self.settled.of(*id)?))).collect();
        let (feed, feed_date_ms) = (self.feed(), self.feed_date_ms());
        // A change adds 1 to `begun` before it starts and to `version` after it is done. So none was in progress at the
        // start, and none has started since.
        (self.begun.load(Ordering::SeqCst) == version).then_some(OfferSnapshot {
            version,
            position,
            feed,
            matches,
            results,
            feed_date_ms,
        })
    }

    /// Begins a change that does not end, as if its writer had panicked. For tests.
    #[cfg(any(test, feature = "testkit"))]
    pub fn begin_endless_change(&self) {
        self.begun.fetch_add(1, Ordering::SeqCst);
    }

    /// Ends a change of [`ReadModel::begin_endless_change`].
    #[cfg(any(test, feature = "testkit"))]
    pub fn end_endless_change(&self) {
        self.version.fetch_add(1, Ordering::SeqCst);
    }
}

impl OfferSnapshot {
    /// A snapshot of one match that has just been written, or without it if it was removed.
    pub(super) fn with_match(model: &ReadModel, id: MatchId, entry: Option<&Arc<MatchEntry>>) -> OfferSnapshot {
        let matches = entry.map(|entry| (id, Arc::clone(entry))).into_iter().collect();
        let results = model.settled.of(id).map(|results| (id, results)).into_iter().collect();
        OfferSnapshot { matches, results, ..OfferSnapshot::without_matches(model) }
    }

    /// A snapshot of the feed state without any match.
    pub(super) fn without_matches(model: &ReadModel) -> OfferSnapshot {
        OfferSnapshot {
            version: model.version(),
            position: model.position(),
            feed: model.feed(),
            matches: HashMap::new(),
            results: HashMap::new(),
            feed_date_ms: model.feed_date_ms(),
        }
    }

    /// The names of both sides in a language, for texts that name the match. `None` if it is not in the snapshot.
    pub fn sides(&self, id: MatchId, lang: Lang) -> Option<String> {
        let state = &self.matches.get(&id)?.state;
        let head = state.texts[lang].as_ref().map(|texts| texts.head(&state.live_match));
        let own = head.as_deref().unwrap_or(&state.live_match);
        let side = |side: &Option<kvota_domain::Text>| side.as_deref().unwrap_or("?").to_owned();
        Some(format!("{} – {}", side(&own.home), side(&own.away)))
    }
}

impl OfferView for OfferSnapshot {
    fn feed(&self) -> FeedHealth {
        self.feed
    }

    fn quote(&self, match_id: MatchId, odd_id: OddId) -> Option<MatchQuote> {
        self.matches.get(&match_id).map(|entry| quote_of(&entry.state, odd_id))
    }

    fn has_market(&self, match_id: MatchId, market_id: MarketId) -> bool {
        self.matches.get(&match_id).is_some_and(|entry| has_market(&entry.state.live_match, market_id))
    }

    fn is_settled(&self, match_id: MatchId, market_id: MarketId, odd_id: OddId) -> bool {
        self.results.get(&match_id).is_some_and(|results| decides(results, market_id, odd_id, self.feed_date_ms))
    }
}
