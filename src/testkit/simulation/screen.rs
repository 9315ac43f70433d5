//! What a client of a story holds, and whether what it is sent is its business.

use super::producer::sport_of;
use crate::testkit::replica::Replica;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What a client wants to see, for as long as it lives.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    /// Rows of these sports; `None` is all.
    pub(super) sports: Option<Vec<u64>>,
    /// Rows of the favourites alone.
    pub(super) favourites: bool,
    /// All markets of these matches.
    pub(super) matches: Vec<u64>,
}

impl Watched {
    /// The argument of the verb.
    pub(super) fn argument(&self) -> Value {
        json!({"sports": self.sports, "favourites": self.favourites, "matches": self.matches})
    }

    pub(super) fn has_sport(&self, sport: u64) -> bool {
        self.sports.as_ref().is_none_or(|sports| sports.contains(&sport))
    }

    /// Whether the row of a match is watched, apart from favourites.
    pub(super) fn has_row(&self, match_of: u64) -> bool {
        self.has_sport(sport_of(match_of)) || self.matches.contains(&match_of)
    }
}

/// What a connection made of the frames it read.
#[derive(Default)]
pub(super) struct Screen {
    /// The offer.
    pub(super) replica: Replica,
    /// Whether frames come in.
    pub(super) is_connected: bool,
    /// The ticket as it was told last.
    pub(super) ticket: Option<Value>,
    /// The favourites as they were told last.
    pub(super) favourites: Option<Value>,
    /// Matches that were ever a favourite of this connection's: what was sent of them was its business.
    pub(super) ever_favourite: BTreeSet<u64>,
    /// A frame that comes after the next one.
    pub(super) late: Option<Value>,
}

impl Screen {
    /// What a message says of the bettor.
    pub(super) fn note(&mut self, message: &Value) {
        match message[0].as_u64() {
            Some(15) => self.ticket = Some(message[1].clone()),
            Some(16) => {
                let ids = message[1].as_array().into_iter().flatten().filter_map(Value::as_u64);
                self.ever_favourite.extend(ids);
                self.favourites = Some(message[1].clone());
            }
            _ => {}
        }
    }

    /// Why a message should not have been sent to this connection (CONTRACT 3.3), if so.
    pub(super) fn stray(&self, watched: &Watched, message: &Value) -> Option<&'static str> {
        let id = message[1].as_u64().or_else(|| message[1][0].as_u64()).unwrap_or_default();
        let is_favourite = watched.favourites && self.ever_favourite.contains(&id);
        let is_business = match message[0].as_u64()? {
            3 | 4 | 6 | 9 => watched.has_row(id) || is_favourite,
            5 | 10 => watched.matches.contains(&id),
            7 | 8 | 11 => watched.has_sport(id) || is_favourite,
            12 => watched.matches.contains(&id) || is_favourite,
            _ => return None,
        };
        // A match of no interest moves nothing; a sport of a watched match is told with it.
        (!is_business).then_some("is sent to who does not watch it")
    }
}

/// The kinds of messages that a client can do without, for they heal.
pub(super) fn is_of_offer(frame: &Value) -> bool {
    let kinds = frame.as_array().into_iter().flatten().filter_map(|message| message[0].as_u64());
    kinds.into_iter().all(|kind| matches!(kind, 3..=8 | 10 | 13))
}

/// A frame as a line of the trace: what is in no order is put into one.
pub(super) fn line_of(frame: &Value) -> String {
    let mut messages: Vec<String> = frame
        .as_array()
        .into_iter()
        .flatten()
        .map(|message| {
            if message[0] != 7 {
                return message.to_string();
            }
            let mut message = message.clone();
            if let Some(ids) = message[1][3].as_array_mut() {
                ids.sort_by_key(Value::as_u64);
            }
            message.to_string()
        })
        .collect();
    messages.sort_unstable();
    messages.join(" ")
}
