//! The query side: the current offer for all readers. Readers wait for no actor mailbox, and no lock is held longer
//! than it takes to clone a pointer. The offer actors write it, one match at a time, before they publish a change. So a
//! reader that has received an event sees at least that event (read your writes).
//!
//! Must not import actors, http or anything above them, nor change the values that it is given.

mod bodies;
pub mod limits;
mod observers;
mod offer_snapshot;
mod price_histories;
mod quotes;
mod settled_odds;
mod table;
mod unapplied;

pub use bodies::{Base, Body, BodyFailed, Coding, OfferQuery};
pub use observers::{MatchObserver, ObserverGuard};
pub use offer_snapshot::OfferSnapshot;

use bodies::{BASES, Bodies};
use bytes::Bytes;
use kvota_domain::aggregate::MatchState;
use kvota_domain::feed::Position;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::FeedState;
use kvota_domain::sport::SportInfo;
use kvota_wire::Encoding;
use kvota_wire::hub::fragment::Fragment;
use kvota_wire::hub::message::Message;
use kvota_wire::hub::sums::{SportSum, SportSums};
use kvota_wire::matches::View;
use kvota_wire::offer::{MatchPiece, match_body};
use observers::MatchObservers;
use price_histories::Histories;
use settled_odds::SettledOdds;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use table::Table;
use unapplied::UnappliedMatches;

/// The current offer.
#[derive(Debug)]
pub struct ReadModel {
    primary: Lang,
    matches: Table<MatchId, MatchEntry>,
    sports: Table<SportId, SportInfo>,
    sums: Mutex<SportSums>,
    histories: Histories,
    feed: PerLang<AtomicU8>,
    /// Completed changes. Starts at 1.
    version: AtomicU64,
    /// Started changes. If it differs from `version`, a change is in progress.
    begun: AtomicU64,
    /// The newest date of the feed, ms since the epoch.
    feed_date_ms: AtomicI64,
    /// The newest position of the primary language's feed that is applied.
    position: Mutex<Option<Position>>,
    bodies: Bodies,
    observers: MatchObservers,
    settled: SettledOdds,
    unapplied: UnappliedMatches,
}

/// A match with its encodings. Each is made when first needed, and shared.
#[derive(Debug)]
pub struct MatchEntry {
    /// The match.
    pub state: Arc<MatchState>,
    row: OnceLock<Arc<Fragment>>,
    detail: OnceLock<Arc<Fragment>>,
    pieces: [OnceLock<MatchPiece>; PIECES],
}

const PIECES: usize = Lang::ALL.len() * Encoding::ALL.len() * View::ALL.len() * BASES;

impl MatchEntry {
    fn new(state: Arc<MatchState>) -> MatchEntry {
        MatchEntry { state, row: OnceLock::new(), detail: OnceLock::new(), pieces: [const { OnceLock::new() }; PIECES] }
    }

    /// The message with the whole row. `date_ms` (ms since the epoch) counts for the first caller; later calls share
    /// the result.
    pub fn row(&self, date_ms: i64) -> Arc<Fragment> {
        let message = || Message::Match { state: Arc::clone(&self.state), date_ms };
        Arc::clone(self.row.get_or_init(|| Arc::new(Fragment::new(message()))))
    }

    /// The message with the whole detail.
    pub fn detail(&self) -> Arc<Fragment> {
        let message = || Message::Detail(Arc::clone(&self.state));
        Arc::clone(self.detail.get_or_init(|| Arc::new(Fragment::new(message()))))
    }

    fn piece(&self, lang: Lang, encoding: Encoding, view: View, base: Base) -> &MatchPiece {
        let place = (lang.index() * Encoding::ALL.len() + encoding.index()) * View::ALL.len() + view.index();
        self.pieces[place * BASES + base as usize].get_or_init(|| match base {
            Base::Own => MatchPiece::new(&self.state, lang, encoding, view),
            Base::Foreign => {
                let state = MatchState { row_revision: 0, detail_revision: 0, ..MatchState::clone(&self.state) };
                MatchPiece::new(&state, lang, encoding, view)
            }
        })
    }
}

/// The state of the feed, for `/readyz`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Readiness {
    /// The primary language, which decides prices and states.
    pub primary: Lang,
    /// The state of each language by itself.
    pub feed: PerLang<FeedState>,
    /// Matches that take no bets, or are not in the offer, because their last update could not be applied; ascending.
    pub unapplied: Vec<MatchId>,
}

impl Readiness {
    /// Whether bets can be placed: the primary language is active.
    pub fn is_ready(&self) -> bool {
        self.feed[self.primary] == FeedState::Active
    }
}

impl Default for ReadModel {
    /// An empty offer with an inactive feed. The primary language is Croatian.
    fn default() -> ReadModel {
        ReadModel::new(Lang::Hr, 0)
    }
}

impl ReadModel {
    /// An empty offer with an inactive feed. `nonce` makes the ETags and the name of this run differ from those of other
    /// runs and nodes.
    pub fn new(primary: Lang, nonce: u64) -> ReadModel {
        ReadModel {
            primary,
            matches: Table::default(),
            sports: Table::default(),
            sums: Mutex::default(),
            histories: Histories::default(),
            feed: PerLang::new(|_| AtomicU8::new(FeedState::Inactive.number())),
            version: AtomicU64::new(1),
            begun: AtomicU64::new(1),
            feed_date_ms: AtomicI64::new(0),
            position: Mutex::default(),
            bodies: Bodies::new(nonce),
            observers: MatchObservers::default(),
            settled: SettledOdds::default(),
            unapplied: UnappliedMatches::default(),
        }
    }

    /// The name of this run: revisions of matches can be compared within one run only.
    pub fn run(&self) -> String {
        self.bodies.run()
    }

    /// The primary language, which decides prices and states.
    pub fn primary(&self) -> Lang {
        self.primary
    }

    /// The number of changes that readers can see.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// The state of the feed for readers of a language. They need prices from the primary language, and texts from
    /// their own.
    pub fn feed_state(&self, lang: Lang) -> FeedState {
        let primary = self.own_state(self.primary);
        match self.own_state(lang) {
            _ if lang == self.primary => primary,
            FeedState::Active => primary,
            // A failure of another language removes the offer in that language only (CONTRACT 1).
            FeedState::Recovering | FeedState::Inactive => FeedState::Inactive,
        }
    }

    /// The state of the feed in every language.
    pub fn readiness(&self) -> Readiness {
        Readiness {
            primary: self.primary,
            feed: PerLang::new(|lang| self.own_state(lang)),
            unapplied: self.unapplied.all(),
        }
    }

    /// The newest date of the feed, ms since the epoch; 0 before there was one.
    pub fn feed_date_ms(&self) -> i64 {
        self.feed_date_ms.load(Ordering::Relaxed)
    }

    /// A match.
    pub fn entry(&self, id: MatchId) -> Option<Arc<MatchEntry>> {
        self.matches.get(id)
    }

    /// All matches, in any order.
    pub fn entries(&self) -> Vec<Arc<MatchEntry>> {
        self.matches.values()
    }

    /// A sport.
    pub fn sport(&self, id: SportId) -> Option<Arc<SportInfo>> {
        self.sports.get(id)
    }

    /// All sports, in any order.
    pub fn sports(&self) -> Vec<Arc<SportInfo>> {
        self.sports.values()
    }

    /// The body of the whole offer. `None` (204) if the feed is inactive in this language or there is no match. May
    /// wait for a body that has every change made before this call. `now_ms` is the wall clock, read when the body is
    /// made.
    ///
    /// # Errors
    /// [`BodyFailed`] if the body could not be made.
    pub async fn offer(
        self: &Arc<ReadModel>,
        query: OfferQuery,
        now_ms: fn() -> i64,
    ) -> Result<Option<Body>, BodyFailed> {
        if !self.has_offer(query.lang) {
            return Ok(None);
        }
        self.bodies.offer(self, query, now_ms).await.map(Some)
    }

    /// The ETag of the answer of [`ReadModel::offer`], without encoding it.
    pub fn offer_etag(&self, query: OfferQuery) -> Option<Arc<str>> {
        self.has_offer(query.lang).then(|| self.bodies.etag(query, self.version()))
    }

    /// The body of one match with all markets, its clock as of `now_ms` (ms since the epoch). `None` if there is no
    /// such match or no offer in this language.
    pub fn live_match(&self, lang: Lang, encoding: Encoding, base: Base, id: MatchId, now_ms: i64) -> Option<Bytes> {
        self.has_offer(lang).then_some(())?;
        let entry = self.entry(id)?;
        Some(match_body(entry.piece(lang, encoding, View::Full, base), now_ms).into())
    }

    /// Inserts or replaces a match. Call it before the change is published.
    pub fn put_match(&self, state: Arc<MatchState>) -> Arc<MatchEntry> {
        let entry = Arc::new(MatchEntry::new(state));
        let id = entry.state.live_match.id;
        let before = self.change(|| self.matches.put(id, Arc::clone(&entry)));
        self.sums().replace(before.as_ref().map(|before| &*before.state), Some(&entry.state));
        if entry.state.is_trusted {
            self.unapplied.remove(id);
        }
        if before.is_none() {
            self.settled.begin(id);
        }
        self.notify_match_observers(id, Some(&entry));
        entry
    }

    /// Removes a match.
    pub fn remove_match(&self, id: MatchId) {
        let before = self.change(|| self.matches.remove(id));
        self.sums().replace(before.as_ref().map(|before| &*before.state), None);
        self.histories.remove(id);
        self.settled.remove(id);
        self.unapplied.remove(id);
        self.notify_match_observers(id, None);
    }

    /// The last update of a match could not be applied. Ends with the next state of the match that agrees with the feed.
    pub fn note_unapplied(&self, id: MatchId) {
        self.unapplied.add(id);
    }

    /// A match that could not be inserted has left the feed.
    pub fn forget_unapplied(&self, id: MatchId) {
        self.unapplied.remove(id);
    }

    /// Inserts or replaces a sport.
    pub fn put_sport(&self, sport: Arc<SportInfo>) {
        self.change(|| self.sports.put(sport.primary().id, sport));
    }

    /// Removes a sport.
    pub fn remove_sport(&self, id: SportId) {
        self.change(|| self.sports.remove(id));
    }

    /// Removes everything, and sets the feed inactive in every language.
    pub fn clear(&self) {
        let taken = self.change(|| {
            for lang in Lang::ALL {
                self.feed[lang].store(FeedState::Inactive.number(), Ordering::Release);
            }
            (self.matches.take_all(), self.sports.take_all())
        });
        self.sums().clear();
        self.histories.clear();
        self.settled.clear();
        self.unapplied.clear();
        self.notify_feed_observers();
        // Drop the values after the change, to keep it short: no bet can be validated during a change.
        drop(taken);
    }

    /// Sets the feed state of a language by itself.
    pub fn set_feed(&self, lang: Lang, state: FeedState) {
        self.change(|| self.feed[lang].store(state.number(), Ordering::Release));
        self.notify_feed_observers();
    }

    /// Notes the date of the newest message of the feed, ms since the epoch.
    pub fn note_date(&self, date_ms: i64) {
        self.feed_date_ms.fetch_max(date_ms, Ordering::Relaxed);
    }

    /// The newest position of the primary language's feed that is applied; `None` before the first.
    pub fn position(&self) -> Option<Position> {
        *self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the newest position of the primary language's feed that is applied.
    pub fn note_position(&self, position: Option<Position>) {
        *self.position.lock().unwrap_or_else(PoisonError::into_inner) = position;
    }

    /// Uncompressed bodies made so far, so that a test can count them.
    pub fn bodies_made(&self) -> u64 {
        self.bodies.assembled()
    }

    /// Compressed bodies made so far.
    pub fn bodies_compressed(&self) -> u64 {
        self.bodies.compressed()
    }

    /// Makes bodies on the calling thread. For simulations, which must not depend on the timing of another thread.
    #[cfg(any(test, feature = "testkit"))]
    pub fn make_bodies_on_this_thread(&self) {
        self.bodies.make_on_this_thread();
    }

    /// The number of matches of a sport, and the sum over their rows, as they are written.
    pub fn sport_sum(&self, sport: SportId) -> SportSum {
        self.sums().of(sport)
    }

    fn sums(&self) -> MutexGuard<'_, SportSums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_offer(&self, lang: Lang) -> bool {
        self.feed_state(lang) != FeedState::Inactive && !self.matches.is_empty()
    }

    fn own_state(&self, lang: Lang) -> FeedState {
        match self.feed[lang].load(Ordering::Acquire) {
            2 => FeedState::Active,
            1 => FeedState::Recovering,
            _ => FeedState::Inactive,
        }
    }

    /// All changes go through here, so that [`ReadModel::snapshot`] notices a concurrent change. `make` must not panic:
    /// a change that never ends stops all betting.
    fn change<T>(&self, make: impl FnOnce() -> T) -> T {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let made = make();
        self.version.fetch_add(1, Ordering::SeqCst);
        made
    }
}
