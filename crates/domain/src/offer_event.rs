//! The changes of the offer, as the actors that make them publish them, and the state of the feed. An event is published
//! after the read model has the change. It must not contain anything about clients or encodings.

use super::aggregate::MatchState;
use super::delta::MatchDelta;
use super::ids::{MatchId, SportId};
use super::lang::Lang;
use super::sport::SportInfo;
use std::sync::Arc;

/// The state of the feed in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FeedState {
    /// No offer and no bets.
    #[default]
    Inactive,
    /// The offer stays readable; every match counts as suspended.
    Recovering,
    /// The feed is live.
    Active,
}

impl FeedState {
    /// 0 inactive, 1 recovering, 2 active.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// A change of the offer. While a whole offer is loaded or cleared, only the state of the feed is published, because
/// everyone then reads or drops the whole offer.
#[derive(Clone, PartialEq, Debug)]
pub enum OfferEvent {
    /// The visible state of the feed changed in a language.
    FeedStateChanged {
        /// The language.
        lang: Lang,
        /// The new state.
        state: FeedState,
    },
    /// A sport appeared or changed.
    SportChanged {
        /// The sport after the change.
        sport: Arc<SportInfo>,
        /// The only language that changed; `None` if all did.
        lang: Option<Lang>,
    },
    /// A sport has no match any more.
    SportRemoved(SportId),
    /// A match entered the offer.
    MatchInserted {
        /// The match.
        state: Arc<MatchState>,
        /// The date of its clock, in ms since the epoch.
        date_ms: i64,
    },
    /// A match changed, by a message in the primary language.
    MatchChanged {
        /// The match before.
        before: Arc<MatchState>,
        /// The match after.
        after: Arc<MatchState>,
        /// What changed.
        delta: Box<MatchDelta>,
        /// The date of the message, in ms since the epoch.
        date_ms: i64,
    },
    /// The texts of a match changed in one language. Its revisions change in all of them.
    MatchTextsChanged {
        /// The match before.
        before: Arc<MatchState>,
        /// The match after.
        after: Arc<MatchState>,
        /// The language.
        lang: Lang,
        /// The date of the message, in ms since the epoch. Texts of another language arrive shortly before the primary
        /// language's message of the same moment.
        date_ms: i64,
    },
    /// A match left the offer, or is moving to another sport.
    MatchRemoved {
        /// The sport that had it.
        sport: SportId,
        /// The match.
        id: MatchId,
    },
    /// All events of a feed message have been published.
    FeedMessageApplied,
}

impl OfferEvent {
    /// Whether clients must receive it at once (CONTRACT 3.5).
    pub fn is_urgent(&self) -> bool {
        match self {
            OfferEvent::FeedStateChanged { .. } | OfferEvent::SportRemoved(_) | OfferEvent::MatchRemoved { .. } => true,
            OfferEvent::MatchChanged { delta, .. } => delta.urgent,
            OfferEvent::SportChanged { .. }
            | OfferEvent::MatchInserted { .. }
            | OfferEvent::MatchTextsChanged { .. }
            | OfferEvent::FeedMessageApplied => false,
        }
    }
}
