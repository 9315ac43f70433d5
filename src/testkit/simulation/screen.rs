//! The state of a simulated client, and whether the messages it receives are those it watches.

use super::producer::sport_of;
use crate::testkit::replica::Replica;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What a client watches; it never changes.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    /// Rows of these sports; `None` for all.
    pub(super) sports: Option<Vec<u64>>,
    /// Rows of the favourites.
    pub(super) favourites: bool,
    /// All markets of these matches.
    pub(super) matches: Vec<u64>,
}

impl Watched {
    /// The argument of the `watch` command.
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

/// The state that a connection has built from its frames.
#[derive(Default)]
pub(super) struct Screen {
    /// The offer.
    pub(super) replica: Replica,
    /// Whether it is connected.
    pub(super) is_connected: bool,
    /// The last ticket received.
    pub(super) ticket: Option<Value>,
    /// The last favourites received.
    pub(super) favourites: Option<Value>,
    /// Matches that were ever favourites on this connection; messages about them may have been sent.
    pub(super) ever_favourite: BTreeSet<u64>,
    /// A frame that is applied after the next one.
    pub(super) late: Option<Value>,
}

impl Screen {
    /// Stores the ticket or the favourites of a message.
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
        (!is_business).then_some("is sent to who does not watch it")
    }
}

/// Whether a client recovers from the loss of this frame.
pub(super) fn is_of_offer(frame: &Value) -> bool {
    let kinds = frame.as_array().into_iter().flatten().filter_map(|message| message[0].as_u64());
    kinds.into_iter().all(|kind| matches!(kind, 3..=8 | 10 | 13))
}

/// A frame as a line of the trace. Unordered parts are sorted, so that the line is always the same.
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
