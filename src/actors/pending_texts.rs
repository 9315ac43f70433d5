//! Pending texts of one sport: translations of matches that the primary language has not inserted yet, or has removed
//! and may insert again. A feed does not repeat its texts, so they must survive a panic of the SportActor: `sport_router.rs`
//! keeps them and restarts the actor with them. Must not decide which matches are in the offer.

use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::sport::SportInfo;
use kvota_domain::texts::MatchTexts;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The texts of a match, in the languages that have sent them.
pub(super) type TextsByLang = PerLang<Option<Arc<MatchTexts>>>;

/// Pending texts, shared by a sport actor and the code that restarts it.
pub(super) type SharedPendingTexts = Rc<RefCell<PendingTexts>>;

/// See the head of this file. Its size is limited only by the number of matches in the feeds.
#[derive(Debug, Default)]
pub(super) struct PendingTexts {
    /// The sport itself, while it has no match and is not in the read model.
    pub(super) info: Option<SportInfo>,
    /// The texts of matches that are not in the offer.
    texts: HashMap<MatchId, TextsByLang>,
    /// Matches of the offer that another language has already deleted.
    deleted_in: HashSet<(MatchId, Lang)>,
}

impl PendingTexts {
    /// The number of matches with pending texts.
    pub(super) fn matches(&self) -> usize {
        self.texts.len()
    }

    /// Keeps the texts of a match that leaves the offer.
    pub(super) fn keep(&mut self, id: MatchId, texts: TextsByLang) {
        if has_any_text(&texts) {
            self.texts.insert(id, texts);
        }
    }

    /// The texts of a match that enters the offer.
    pub(super) fn of(&self, id: MatchId) -> TextsByLang {
        self.texts.get(&id).cloned().unwrap_or_default()
    }

    /// Removes the texts of a match that has entered the offer with them.
    pub(super) fn forget_all(&mut self, id: MatchId) {
        self.texts.remove(&id);
    }

    /// Stores the texts that a language sent for a match outside the offer. `None` removes them.
    pub(super) fn store(&mut self, id: MatchId, lang: Lang, texts: Option<Arc<MatchTexts>>) {
        match texts {
            Some(texts) => self.texts.entry(id).or_default()[lang] = Some(texts),
            None => self.forget(id, lang),
        }
    }

    /// Removes the texts of a language that deleted a match outside the offer.
    pub(super) fn forget(&mut self, id: MatchId, lang: Lang) {
        let Some(texts) = self.texts.get_mut(&id) else { return };
        texts[lang] = None;
        if !has_any_text(texts) {
            self.texts.remove(&id);
        }
    }

    /// Removes all texts of a language, because its snapshot follows.
    pub(super) fn clear_lang(&mut self, lang: Lang) {
        self.texts.retain(|_, texts| {
            texts[lang] = None;
            has_any_text(texts)
        });
    }

    /// Whether a language has deleted a match that is still in the offer.
    pub(super) fn is_deleted(&self, id: MatchId, lang: Lang) -> bool {
        self.deleted_in.contains(&(id, lang))
    }

    /// Notes that a language deleted a match of the offer. Only the primary language removes the match.
    pub(super) fn mark_deleted(&mut self, id: MatchId, lang: Lang) {
        self.deleted_in.insert((id, lang));
    }

    /// Notes that a language sent a match again after deleting it.
    pub(super) fn unmark_deleted(&mut self, id: MatchId, lang: Lang) {
        self.deleted_in.remove(&(id, lang));
    }

    /// Clears which languages deleted a match, because it has left the offer.
    pub(super) fn match_left(&mut self, id: MatchId) {
        self.deleted_in.retain(|(gone, _)| *gone != id);
    }
}

/// Whether any language has texts.
fn has_any_text(texts: &TextsByLang) -> bool {
    texts.iter().any(|(_, texts)| texts.is_some())
}
