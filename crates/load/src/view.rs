//! The part of the offer that a session shows: all sports or one, and perhaps one open match. The session navigates by
//! changing it (`script.rs`), and the sampled copy of the offer follows (`sample.rs`). Pure; must not depend on the
//! server's answers.

use serde_json::{Value, json};

/// The sport filter and the open match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// The only sport whose rows are shown; `None` for all sports.
    pub sport: Option<u64>,
    /// The match shown with all its markets.
    pub open: Option<u64>,
}

impl View {
    /// The argument of the hub's `watch` for this view.
    pub fn watch(self) -> Value {
        let sports = self.sport.map(|sport| [sport]);
        json!({"sports": sports, "favourites": false, "matches": self.open.as_slice()})
    }

    /// Whether the view shows rows of this sport.
    pub fn shows_sport(self, sport: u64) -> bool {
        self.sport.is_none_or(|shown| shown == sport)
    }

    /// Whether the view shows the row of this match.
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
