//! Commands on the way of a feed message: FeedActor to SportActor to MatchActor. Each is awaited by its sender, so a
//! feed message is applied as a whole before the next one, nobody's mailbox grows, and a dead actor is noticed.

use super::parcel::Parcel;
use crate::domain::ids::MatchId;
use crate::domain::lang::Lang;
use crate::domain::sport::{PreferredColumn, SportPatch};
use actix::Message;
use std::sync::Arc;

/// Whether a reader is told of matches that come in: not while a whole offer is loaded, of which all are told at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Announce {
    /// Tell everybody who watches.
    Each,
    /// Tell nobody.
    Nobody,
}

/// What the primary language's feed says of one sport.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct ApplyToSport {
    /// What it says of the sport itself.
    pub sport: SportPatch,
    /// What it says of matches, in order.
    pub matches: Vec<Parcel>,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// Whether matches that are not named are gone: a snapshot names all.
    pub is_whole: bool,
    /// Whether readers are told of each match that comes in.
    pub announce: Announce,
}

/// What another language's feed says of one sport: words.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct ReworkSport {
    /// Which language.
    pub lang: Lang,
    /// What it says of the sport itself.
    pub sport: SportPatch,
    /// What it says of matches.
    pub matches: Vec<Parcel>,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// Whether words of matches not in the offer are forgotten: a snapshot names all.
    pub is_whole: bool,
}

/// The match is played in another sport now, or the offer is cleared.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct TakeOut {
    /// Which matches; `None` is all.
    pub matches: Option<Vec<MatchId>>,
    /// Whether the words of the other languages are kept for the matches' return: their feeds will not say them again.
    pub keep_words: bool,
    /// Whether readers are told of each.
    pub announce: Announce,
}

/// Matches of which the feed said something that could not be read.
#[derive(Message, Debug)]
#[rtype(result = "SportOutcome")]
pub struct DistrustMatches {
    /// Which; those that the sport does not hold are ignored.
    pub matches: Vec<MatchId>,
}

/// Which matches a sport holds after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, actix::MessageResponse)]
pub struct SportOutcome {
    /// Matches of the offer.
    pub matches: usize,
    /// Matches of which only words are known yet.
    pub words_only: usize,
}

/// An UPDATE of a match.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct UpdateMatch {
    /// The whole match.
    pub update: Parcel,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
    /// The sport's columns, by which the row is split.
    pub preferred: Arc<[PreferredColumn]>,
}

/// New words of a match in another language.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct RewordMatch {
    /// Which language.
    pub lang: Lang,
    /// The match in that language.
    pub update: Parcel,
    /// The date of the message, ms since the epoch.
    pub date_ms: i64,
}

/// The sport's columns became others.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct SplitAnew {
    /// The columns.
    pub preferred: Arc<[PreferredColumn]>,
}

/// A DELETE of a match: the actor ends with it.
#[derive(Message, Clone, Copy, Debug)]
#[rtype(result = "()")]
pub struct RemoveMatch {
    /// Whether readers are told.
    pub announce: Announce,
}
