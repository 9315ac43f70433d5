//! Some matches at one revision of the offer: what a bet is judged by. The serialisation point of a bet is
//! [`ReadModel::look`]: every change that was applied before it is seen, none that comes after, and the matches, the
//! feed's state and each other's are of the same moment. What it gives never changes.

use super::{MatchEntry, ReadModel};
use crate::domain::ids::{MarketId, MatchId, OddId};
use crate::domain::lang::Lang;
use crate::domain::ticket::{FeedHealth, MatchQuote, OfferView, has_market, quote_of};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Looks that are begun anew because a change came in between. A change takes microseconds and comes a thousand times a
/// second, so that the second look succeeds; so many that fail mean that a writer died in the middle of one.
const LOOKS_MAX: usize = 100_000;

/// Matches as they were at one revision.
#[derive(Clone, Debug)]
pub struct Look {
    /// The revision of the whole offer (CONTRACT 2, `version`).
    pub version: u64,
    feed: FeedHealth,
    matches: HashMap<MatchId, Arc<MatchEntry>>,
}

impl ReadModel {
    /// These matches, and how the feed stands, at one revision. Nothing where the offer does not stand still for long
    /// enough, which is a bug.
    pub fn look(&self, ids: impl IntoIterator<Item = MatchId> + Clone) -> Option<Look> {
        for _ in 0..LOOKS_MAX {
            let version = self.version.load(Ordering::SeqCst);
            let entries = ids.clone().into_iter().filter_map(|id| Some((id, self.entry(id)?)));
            let matches = entries.collect();
            let feed = self.feed();
            // Every change is counted twice: before it begins and after it is done. None has begun that was not done
            // when we began, so that nothing has changed in between.
            if self.begun.load(Ordering::SeqCst) == version {
                return Some(Look { version, feed, matches });
            }
            std::hint::spin_loop();
        }
        None
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
