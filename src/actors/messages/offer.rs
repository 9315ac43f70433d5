//! Commands that apply a feed message: from the FeedActor to a SportActor, and from there to a MatchActor. The sender
//! must wait for each answer. So a message is applied completely before the next one, no mailbox grows, and a panic is
//! noticed.

use super::pending_update::PendingUpdate;
use actix::Message;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::sport::{PreferredColumn, SportPatch};
use kvota_domain::texts::MatchTexts;
use std::sync::Arc;

/// Whether single changes are published. They are not while a whole offer is loaded or cleared, because clients then
/// fetch or drop the whole offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Publish {
    /// Publish each change.
    Each,
    /// Publish nothing.
    Nobody,
}

/// Applies the part of a message in the primary language that concerns one sport.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct ApplyToSport {
    /// The fields of the sport.
    pub sport: SportPatch,
    /// The updates of matches, in order.
    pub matches: Vec<PendingUpdate>,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// Whether it is from a snapshot: then matches of the sport that are not in `matches` are removed.
    pub is_whole: bool,
    /// Matches of which the snapshot has an entry that cannot be read: they stay.
    pub kept: Vec<MatchId>,
    /// Whether each change is published.
    pub announce: Publish,
}

/// Applies the part of a message in another language that concerns one sport: texts only.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct ApplySportTexts {
    /// Which language.
    pub lang: Lang,
    /// The texts of the sport.
    pub sport: SportPatch,
    /// The texts of matches.
    pub matches: Vec<PendingUpdate>,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// Whether it is from a snapshot: then the pending texts of the language are removed first.
    pub is_whole: bool,
}

/// Removes matches from a sport: they moved to another sport, left the offer, or the offer is cleared.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct RemoveMatches {
    /// The matches; `None` means all.
    pub matches: Option<Vec<MatchId>>,
    /// Whether the texts are kept, because the matches may return and the feeds do not repeat texts.
    pub keep_texts: bool,
    /// Whether each removal is published.
    pub announce: Publish,
}

/// Stops betting on matches of which the feed sent something unreadable.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct SuspendMatches {
    /// The matches. Those that are not in the sport are ignored.
    pub matches: Vec<MatchId>,
}

/// The size of a sport after a command. If both numbers are 0, its actor is not needed any more. And what it could not
/// apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, actix::MessageResponse)]
pub struct SportOutcome {
    /// Matches of the offer.
    pub matches: usize,
    /// Matches with pending texts that are not in the offer.
    pub matches_with_pending_texts: usize,
    /// Whether the texts of a match could not be applied, so that the language lacks something.
    pub has_lost_texts: bool,
}

/// Adds a match to the offer. Nothing happens if the update was applied before.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct InsertMatch {
    /// The whole match.
    pub update: PendingUpdate,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// The sport's columns. Their markets belong to the row, the others to the detail.
    pub preferred: Arc<[PreferredColumn]>,
    /// The texts that other languages have sent before.
    pub texts: PerLang<Option<Arc<MatchTexts>>>,
    /// Whether the match is published.
    pub announce: Publish,
}

/// The update was taken by an actor that died before it was applied, so that the match is not as the feed says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an update of the match is lost")]
pub struct UpdateLost;

/// Applies an UPDATE of a match. Nothing happens if it was applied before.
#[derive(Message, Debug)]
#[rtype(result = "Result<(), UpdateLost>")]
pub struct UpdateMatch {
    /// The whole match.
    pub update: PendingUpdate,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// The sport's columns. Their markets belong to the row, the others to the detail.
    pub preferred: Arc<[PreferredColumn]>,
}

/// Applies texts of a match in another language.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct ApplyMatchTexts {
    /// Which language.
    pub lang: Lang,
    /// The match in that language.
    pub update: PendingUpdate,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
}

/// Splits the markets into row and detail again, because the columns of the sport changed.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct ResplitMarkets {
    /// The columns.
    pub preferred: Arc<[PreferredColumn]>,
}

/// Removes the match and stops its actor.
#[derive(Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub struct RemoveMatch {
    /// Whether the removal is published.
    pub announce: Publish,
}
