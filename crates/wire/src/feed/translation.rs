//! The texts of matches in languages of which only the texts count. A message of the feed has a whole match, of which
//! mostly the prices changed; its texts are then known from the last message, and nothing is read.
//!
//! Must not grow without bound: it keeps a limited number of matches and then forgets all of them.

use super::digest::{self, KnownMarket, MatchDigest};
use foldhash::fast::RandomState;
use kvota_domain::Text;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_domain::texts::MatchTexts;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Matches of all languages kept at most. The offer holds the same texts, so a kept one costs little memory.
const KNOWN_MAX: usize = 16_384;

/// What decoders know about the matches of all languages. Clones share it: an event after a snapshot finds its texts.
#[derive(Clone, Default)]
pub(super) struct Translations {
    seed: RandomState,
    known: Arc<Mutex<HashMap<(Lang, MatchId), Known>>>,
    markets: Arc<Mutex<Markets>>,
}

type Markets = HashMap<(Lang, MatchId), Vec<KnownMarket>>;

struct Known {
    digest: u64,
    /// A match without a name of its sport has the name that the sport has in the message.
    sport_name: Option<Text>,
    texts: Arc<MatchTexts>,
}

impl Translations {
    /// The seed of the digests.
    pub(super) fn seed(&self) -> &RandomState {
        &self.seed
    }

    /// Takes the markets of a match in its last message; the one who takes them keeps those of the new one.
    pub(super) fn take_markets(&self, lang: Lang, id: MatchId) -> Vec<KnownMarket> {
        self.markets().remove(&(lang, id)).unwrap_or_default()
    }

    /// Keeps the markets of a match.
    pub(super) fn keep_markets(&self, lang: Lang, id: MatchId, markets: Vec<KnownMarket>) {
        let mut all = self.markets();
        if all.len() >= KNOWN_MAX {
            all.clear();
        }
        all.insert((lang, id), markets);
    }

    fn markets(&self) -> MutexGuard<'_, Markets> {
        self.markets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<(Lang, MatchId), Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The matches of one message, and what is known about them.
pub(super) struct Translation<'t> {
    pub(super) known: &'t Translations,
    pub(super) lang: Lang,
    pub(super) digests: Vec<MatchDigest>,
}

impl Translation<'_> {
    /// The texts of a match if they are as in its last message, and the length of the match in bytes. `left` bytes are
    /// left where it starts.
    pub(super) fn find(&self, id: MatchId, sport_name: Option<&Text>, left: usize) -> Option<(usize, Arc<MatchTexts>)> {
        let MatchDigest { digest, bytes, .. } = digest::at(&self.digests, left)?;
        let all = self.known.known();
        let known = all.get(&(self.lang, id))?;
        let is_same = known.digest == digest && known.sport_name.as_ref() == sport_name;
        is_same.then(|| (bytes, Arc::clone(&known.texts)))
    }

    /// Keeps the texts of a match that were read. Returns them, or the equal ones that the offer holds already: those are
    /// compared by pointer.
    pub(super) fn keep(
        &self,
        id: MatchId,
        sport_name: Option<&Text>,
        left: usize,
        texts: Arc<MatchTexts>,
    ) -> Arc<MatchTexts> {
        let Some(MatchDigest { digest, .. }) = digest::at(&self.digests, left) else { return texts };
        let mut all = self.known.known();
        if all.len() >= KNOWN_MAX {
            all.clear();
        }
        let texts = match all.get(&(self.lang, id)) {
            Some(known) if known.texts == texts => Arc::clone(&known.texts),
            _ => texts,
        };
        all.insert((self.lang, id), Known { digest, sport_name: sport_name.cloned(), texts: Arc::clone(&texts) });
        texts
    }

    /// Forgets a match that was deleted.
    pub(super) fn forget(&self, id: MatchId) {
        self.known.known().remove(&(self.lang, id));
    }
}
