//! Pending texts of one sport: translations of matches that the primary language has not inserted yet or has removed
//! for a while. A feed sends texts once, so they outlive the SportActor and are shared with `sports.rs`, which restarts
//! it. Used by these two only. Must not decide which matches are in the offer.

use crate::domain::ids::MatchId;
use crate::domain::lang::{Lang, PerLang};
use crate::domain::sport::SportInfo;
use crate::domain::texts::MatchTexts;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The texts of a match, in the languages that have sent them.
pub(super) type Words = PerLang<Option<Arc<MatchTexts>>>;

/// Pending texts, shared by a sport actor and the code that restarts it.
pub(super) type SharedPendingTexts = Rc<RefCell<PendingTexts>>;

/// See the head of this file. Bounded by the matches that the feeds name.
#[derive(Debug, Default)]
pub(super) struct PendingTexts {
    /// The sport itself, while it has no match and is not in the read model.
    pub(super) info: Option<SportInfo>,
    words: HashMap<MatchId, Words>,
    /// Matches of the offer that another language has already deleted.
    deleted_in: HashSet<(MatchId, Lang)>,
}

impl PendingTexts {
    /// The number of matches with pending texts.
    pub(super) fn matches(&self) -> usize {
        self.words.len()
    }

    /// Keeps the texts of a match that leaves the offer.
    pub(super) fn keep(&mut self, id: MatchId, words: Words) {
        if has_any_text(&words) {
            self.words.insert(id, words);
        }
    }

    /// Takes the texts of a match that enters the offer.
    pub(super) fn take(&mut self, id: MatchId) -> Words {
        self.words.remove(&id).unwrap_or_default()
    }

    /// A language sent texts of a match that is not in the offer. `None` removes them.
    pub(super) fn say(&mut self, id: MatchId, lang: Lang, texts: Option<Arc<MatchTexts>>) {
        match texts {
            Some(texts) => self.words.entry(id).or_default()[lang] = Some(texts),
            None => self.forget(id, lang),
        }
    }

    /// A language deleted a match that is not in the offer.
    pub(super) fn forget(&mut self, id: MatchId, lang: Lang) {
        let Some(words) = self.words.get_mut(&id) else { return };
        words[lang] = None;
        if !has_any_text(words) {
            self.words.remove(&id);
        }
    }

    /// A language starts over with a snapshot: drops all its texts.
    pub(super) fn clear_lang(&mut self, lang: Lang) {
        self.words.retain(|_, words| {
            words[lang] = None;
            has_any_text(words)
        });
    }

    /// Whether a language has deleted a match that is still in the offer.
    pub(super) fn is_gone(&self, id: MatchId, lang: Lang) -> bool {
        self.deleted_in.contains(&(id, lang))
    }

    /// A language deleted a match of the offer. The primary language decides when the match leaves.
    pub(super) fn go(&mut self, id: MatchId, lang: Lang) {
        self.deleted_in.insert((id, lang));
    }

    /// A language sent the match again.
    pub(super) fn unmark_deleted(&mut self, id: MatchId, lang: Lang) {
        self.deleted_in.remove(&(id, lang));
    }

    /// The match has left the offer: forgets which languages deleted it.
    pub(super) fn left(&mut self, id: MatchId) {
        self.deleted_in.retain(|(gone, _)| *gone != id);
    }
}

/// Whether any language has texts.
fn has_any_text(words: &Words) -> bool {
    words.iter().any(|(_, words)| words.is_some())
}
