//! Some matches at one revision of the offer: what a bet is judged by. The serialisation point of a bet is
//! [`ReadModel::look`]: every change that was applied before it is seen, none that comes after, and the matches, the
//! feed's state and each other's are of the same moment. What it gives never changes.

use super::{MatchEntry, ReadModel};
use crate::domain::ids::{MarketId, MatchId, OddId};
use crate::domain::lang::Lang;
use crate::domain::limits::{SNAPSHOT_ATTEMPTS_PER_TURN, SNAPSHOT_MS_MAX, SNAPSHOT_PAUSE_BETWEEN_TURNS_MS};
use crate::domain::ticket::{FeedHealth, MatchQuote, OfferView, has_market, quote_of};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::Instant;

/// Matches as they were at one revision.
#[derive(Clone, Debug)]
pub struct Look {
    /// The revision of the whole offer (CONTRACT 2, `version`).
    pub version: u64,
    feed: FeedHealth,
    matches: HashMap<MatchId, Arc<MatchEntry>>,
}

impl ReadModel {
    /// These matches, and the state of the feed, at one revision. Lets other tasks run after each turn of attempts, and
    /// gives up after a second.
    /// Nothing where a change of the offer was going on at every attempt, which is a bug.
    pub async fn look(&self, ids: &[MatchId]) -> Option<Look> {
        let begun = Instant::now();
        loop {
            for _ in 0..SNAPSHOT_ATTEMPTS_PER_TURN {
                if let Some(look) = self.attempt(ids) {
                    return Some(look);
                }
                std::hint::spin_loop();
            }
            if begun.elapsed() >= Duration::from_millis(SNAPSHOT_MS_MAX) {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(SNAPSHOT_PAUSE_BETWEEN_TURNS_MS)).await;
        }
    }

    fn attempt(&self, ids: &[MatchId]) -> Option<Look> {
        let version = self.version.load(Ordering::SeqCst);
        // A change is being made, so this attempt would fail: do not read the matches.
        if self.begun.load(Ordering::SeqCst) != version {
            return None;
        }
        let matches = ids.iter().filter_map(|id| Some((*id, self.entry(*id)?))).collect();
        let feed = self.feed();
        // Every change is counted twice: before it begins and after it is done. None has begun that was not done
        // when we began, so that nothing has changed in between.
        (self.begun.load(Ordering::SeqCst) == version).then_some(Look { version, feed, matches })
    }

    /// Begins a change that never ends: how a test shows what happens to bets when a writer died during one.
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

impl Look {
    /// A match as its writer has just put it, or without it where it was taken out.
    pub(super) fn of_one(model: &ReadModel, id: MatchId, entry: Option<&Arc<MatchEntry>>) -> Look {
        let matches = entry.map(|entry| (id, Arc::clone(entry))).into_iter().collect();
        Look { matches, ..Look::of_none(model) }
    }

    /// How the feed stands, and no match.
    pub(super) fn of_none(model: &ReadModel) -> Look {
        Look { version: model.version(), feed: model.feed(), matches: HashMap::new() }
    }

    /// The sides of a match in a language, for a text that names it.
    pub fn sides(&self, id: MatchId, lang: Lang) -> Option<String> {
        let state = &self.matches.get(&id)?.state;
        let head = state.texts[lang].as_ref().map(|texts| texts.head(&state.live_match));
        let own = head.as_deref().unwrap_or(&state.live_match);
        let side = |side: &Option<crate::domain::Text>| side.as_deref().unwrap_or("?").to_owned();
        Some(format!("{} – {}", side(&own.home), side(&own.away)))
    }
}

impl OfferView for Look {
    fn feed(&self) -> FeedHealth {
        self.feed
    }

    fn quote(&self, match_id: MatchId, odd_id: OddId) -> Option<MatchQuote> {
        self.matches.get(&match_id).map(|entry| quote_of(&entry.state, odd_id))
    }

    fn has_market(&self, match_id: MatchId, market_id: MarketId) -> bool {
        self.matches.get(&match_id).is_some_and(|entry| has_market(&entry.state.live_match, market_id))
    }
}
