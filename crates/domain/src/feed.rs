//! What one message of the feed says, in one language (CONTRACT 1), after decoding and before anybody applied it.

use super::Text;
use super::ids::MatchId;
use super::matches::Match;
use super::sport::SportPatch;

/// A live event, or a snapshot of the whole offer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FeedUpdate {
    /// The sports it names, each with the matches that changed.
    pub sports: Vec<SportUpdate>,
    /// Matches in the whole offer, as the producer counts them.
    pub number_of_matches: Option<u64>,
    /// When it was made, ms since the epoch: the clocks in it are as of this date.
    pub date_ms: Option<i64>,
    /// Matches of which the last thing in the message could not be read: what is held of them is not what the feed says.
    pub unreadable: Vec<MatchId>,
    /// Whether it had matches of which not even the id could be read.
    pub is_incomplete: bool,
}

/// One sport of a message.
#[derive(Clone, PartialEq, Debug)]
pub struct SportUpdate {
    /// What it says of the sport itself.
    pub sport: SportPatch,
    /// What it says of matches, in order.
    pub matches: Vec<MatchUpdate>,
}

/// What a message says of one match.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchUpdate {
    /// What to do.
    pub change: Change,
    /// The whole match; for [`Change::Delete`] only its id counts.
    pub live_match: Match,
    /// The clock's reading, not yet carried anywhere: whoever applies the update knows its date.
    pub time: Time,
}

/// The `time` element.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Time {
    /// nil.
    #[default]
    None,
    /// Seconds as of the message's date.
    Seconds(i64),
    /// Shown as it stands.
    Text(Text),
}

/// The `change` element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Adds the match unless it exists.
    Insert,
    /// Replaces the match, or inserts it. 0 and nil mean this too.
    Update,
    /// Removes the match.
    Delete,
}

impl MatchUpdate {
    /// The match it speaks of.
    pub fn id(&self) -> MatchId {
        self.live_match.id
    }
}

/// A place in the sequence of one language (CONTRACT 1, headers `epoch` and `seq`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The producer's start; it changes when the producer restarts.
    pub epoch: i64,
    /// From 1, one more for each live-event of that language and epoch; 0 before the first.
    pub seq: u64,
}
