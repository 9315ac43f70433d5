//! One decoded message of the feed in one language (CONTRACT 1), before it is applied.

use super::Text;
use super::ids::MatchId;
use super::matches::Match;
use super::sport::SportPatch;
use super::texts::MatchTexts;
use std::sync::Arc;

/// A live event, or a snapshot of the whole offer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FeedUpdate {
    /// The sports it names, each with the matches that changed.
    pub sports: Vec<SportUpdate>,
    /// The producer's count of matches in the whole offer.
    pub number_of_matches: Option<u64>,
    /// When it was made, in ms since the epoch; its clocks are as of this date.
    pub date_ms: Option<i64>,
    /// Matches whose last entry in the message could not be read: the held state no longer agrees with the feed.
    pub unreadable: Vec<MatchId>,
    /// Whether the message had matches whose ids could not be read.
    pub is_incomplete: bool,
}

/// One sport of a message.
#[derive(Clone, PartialEq, Debug)]
pub struct SportUpdate {
    /// The changes of the sport itself.
    pub sport: SportPatch,
    /// The changes of its matches, in order.
    pub matches: Vec<MatchUpdate>,
}

/// The entry of one match in a message.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchUpdate {
    /// What to do with the match.
    pub change: Change,
    /// The whole match; for [`Change::Delete`] only its id is used.
    pub live_match: Match,
    /// The reading of the clock, not yet carried forward: that needs the message's date.
    pub time: Time,
    /// The texts of the match, if the message was read for its texts only. `live_match` is then empty. Always `None` in
    /// the primary language.
    pub texts: Option<Arc<MatchTexts>>,
}

/// The `time` element.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Time {
    /// nil.
    #[default]
    None,
    /// Seconds as of the message's date.
    Seconds(i64),
    /// A text, shown unchanged.
    Text(Text),
}

/// The `change` element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Adds the match unless it exists.
    Insert,
    /// Replaces the match, or inserts it. 0 and nil also mean this.
    Update,
    /// Removes the match.
    Delete,
}

impl Time {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&Text> {
        match self {
            Time::Text(text) => Some(text),
            Time::None | Time::Seconds(_) => None,
        }
    }
}

impl MatchUpdate {
    /// The texts of the match in the language of the message.
    pub fn texts(&self) -> Arc<MatchTexts> {
        let made = || Arc::new(MatchTexts::of(&self.live_match, self.time.text()));
        self.texts.clone().unwrap_or_else(made)
    }

    /// The match's id.
    pub fn id(&self) -> MatchId {
        self.live_match.id
    }
}

/// A position in the sequence of one language (CONTRACT 1, headers `epoch` and `seq`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The start of the producer; it changes at each restart.
    pub epoch: i64,
    /// Starts at 1 and increases with each live-event of that language and epoch; 0 before the first.
    pub seq: u64,
}
