//! What a session shows of the offer at a moment: all sports or one of them, and perhaps one open match. The session
//! navigates by changing it (`script.rs`), and its sampled copy of the offer follows (`sample.rs`). Pure; must never
//! know what the server answered.

use serde_json::{Value, json};

/// The sport filter and the open match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// The one sport whose rows are shown; all sports without one.
    pub sport: Option<u64>,
    /// The match that is shown with all its markets.
    pub open: Option<u64>,
}

impl View {
    /// The argument of the hub's `watch` that asks for this view.
    pub fn watch(self) -> Value {
        let sports = self.sport.map(|sport| [sport]);
        json!({"sports": sports, "favourites": false, "matches": self.open.as_slice()})
    }

    /// Whether rows of this sport belong to it.
    pub fn shows_sport(self, sport: u64) -> bool {
        self.sport.is_none_or(|shown| shown == sport)
    }

    /// Whether the row of a match belongs to it.
    pub fn shows(self, id: u64, sport: u64) -> bool {
        self.open == Some(id) || self.shows_sport(sport)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_asked_for_as_the_hub_expects_it() {
        assert_eq!(View::default().watch(), json!({"sports": null, "favourites": false, "matches": []}));
        let view = View { sport: Some(4), open: Some(77) };
        assert_eq!(view.watch(), json!({"sports": [4], "favourites": false, "matches": [77]}));
    }

    #[test]
    fn the_open_match_is_shown_whatever_its_sport() {
        let view = View { sport: Some(4), open: Some(77) };
        assert!(view.shows(1, 4) && view.shows(77, 5) && !view.shows(1, 5));
    }
}
