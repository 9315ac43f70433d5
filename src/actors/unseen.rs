//! What is known of a sport and shown to nobody yet: the words that other languages said of matches which the primary
//! one has not brought, or has taken away for a while. A feed says them once, so they outlive the SportActor, which
//! shares them with the FeedActor that starts it anew. Used by these two alone; must never be asked what is in the offer.

use crate::domain::ids::MatchId;
use crate::domain::lang::{Lang, PerLang};
use crate::domain::sport::SportInfo;
use crate::domain::texts::MatchTexts;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The words of a match, in the languages that have said them.
pub(super) type Words = PerLang<Option<Arc<MatchTexts>>>;

/// What outlives the actor of a sport.
pub(super) type SharedUnseen = Rc<RefCell<Unseen>>;

/// See the head of this file. Bounded by the matches that the feeds name.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    /// The sport itself, as long as it has no match.
    pub(super) info: Option<SportInfo>,
    words: HashMap<MatchId, Words>,
    /// Matches of the offer that another language has already told to be gone.
    gone_in: HashSet<(MatchId, Lang)>,
}

impl Unseen {
    /// Of how many matches it has words.
    pub(super) fn matches(&self) -> usize {
        self.words.len()
    }

    /// Keeps the words of a match that leaves the offer.
    pub(super) fn keep(&mut self, id: MatchId, words: Words) {
        if is_said(&words) {
            self.words.insert(id, words);
        }
    }

    /// The words of a match that comes into the offer.
    pub(super) fn take(&mut self, id: MatchId) -> Words {
        self.words.remove(&id).unwrap_or_default()
    }

    /// A language says its words of a match that is not in the offer.
    pub(super) fn say(&mut self, id: MatchId, lang: Lang, texts: Option<Arc<MatchTexts>>) {
        match texts {
            Some(texts) => self.words.entry(id).or_default()[lang] = Some(texts),
            None => self.forget(id, lang),
        }
    }

    /// A language says that a match which is not in the offer is gone.
    pub(super) fn forget(&mut self, id: MatchId, lang: Lang) {
        let Some(words) = self.words.get_mut(&id) else { return };
        words[lang] = None;
        if !is_said(words) {
            self.words.remove(&id);
        }
    }

    /// A language begins anew: what it said before is not said any more.
    pub(super) fn forget_all(&mut self, lang: Lang) {
        self.words.retain(|_, words| {
            words[lang] = None;
            is_said(words)
        });
    }

    /// Whether a language has told that a match of the offer is gone.
    pub(super) fn is_gone(&self, id: MatchId, lang: Lang) -> bool {
        self.gone_in.contains(&(id, lang))
    }

    /// A language tells that a match of the offer is gone; the primary one decides when it goes.
    pub(super) fn go(&mut self, id: MatchId, lang: Lang) {
        self.gone_in.insert((id, lang));
    }

    /// A language speaks of a match again.
    pub(super) fn come_back(&mut self, id: MatchId, lang: Lang) {
        self.gone_in.remove(&(id, lang));
    }

    /// A match has left the offer: what languages told of its going is of the past.
    pub(super) fn left(&mut self, id: MatchId) {
        self.gone_in.retain(|(gone, _)| *gone != id);
    }
}

/// Whether any language has said its words.
fn is_said(words: &Words) -> bool {
    words.iter().any(|(_, words)| words.is_some())
}
