//! Commands that apply a feed message: from FeedActor to SportActor to MatchActor. The sender waits for each answer. So
//! a message is applied as a whole before the next one, no mailbox grows, and a panic is noticed.

use super::pending_update::PendingUpdate;
use crate::domain::ids::MatchId;
use crate::domain::lang::Lang;
use crate::domain::sport::{PreferredColumn, SportPatch};
use actix::Message;
use std::sync::Arc;

/// Whether single changes are published. Not while a whole offer is loaded or cleared: clients then fetch or drop all
/// of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Publish {
    /// Publish each change.
    Each,
    /// Publish nothing.
    Nobody,
}

/// Applies what a message of the primary language says of one sport.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct ApplyToSport {
    /// The fields of the sport.
    pub sport: SportPatch,
    /// The updates of matches, in order.
    pub matches: Vec<PendingUpdate>,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// From a snapshot: matches of the sport that are not named are removed.
    pub is_whole: bool,
    /// Whether each change is published.
    pub announce: Publish,
}

/// Applies the texts that a message of another language has for one sport.
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
    /// From a snapshot: pending texts of matches outside the offer are dropped first.
    pub is_whole: bool,
}

/// Removes matches from a sport: they moved to another sport, left the offer, or the offer is cleared.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct RemoveMatches {
    /// The matches; `None` means all.
    pub matches: Option<Vec<MatchId>>,
    /// Whether the texts are kept for the return of the matches; the feeds will not send them again.
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

/// What a sport has after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, actix::MessageResponse)]
pub struct SportOutcome {
    /// Matches of the offer.
    pub matches: usize,
    /// Matches with pending texts that are not in the offer.
    pub matches_with_pending_texts: usize,
}

/// Applies an UPDATE of a match.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct UpdateMatch {
    /// The whole match.
    pub update: PendingUpdate,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// The sport's columns, by which the row is split.
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

/// Splits the markets again, because the columns of the sport changed.
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
