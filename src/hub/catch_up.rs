//! Catch-up of one connection that did not read: which matches and sports changed meanwhile, and the frame with their
//! current state. Used by the outbox only. Its size must depend on the number of matches, not on the number of changes.

use super::encode::{HubUpdate, Scope};
use bytes::Bytes;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_read_model::ReadModel;
use kvota_wire::Encoding;
use kvota_wire::hub::fragment::Fragment;
use kvota_wire::hub::frame::compose;
use kvota_wire::hub::message::Message;
use std::collections::BTreeSet;

/// The size in bytes at which a catch-up frame is sent and the rest waits for the next one, so that a slow client can
/// keep up.
const CATCH_UP_FRAME_BYTES: usize = 32 << 10;
/// With more matches than this, fetching the whole offer is cheaper.
const CATCH_UP_MATCHES_MAX: usize = 400;

/// What changed while the queue was full.
#[derive(Debug, Default)]
pub(super) struct MissedChanges {
    feed: bool,
    reload: bool,
    sports: BTreeSet<SportId>,
    rows: BTreeSet<MatchId>,
    details: BTreeSet<MatchId>,
}

impl MissedChanges {
    /// Adds what a message is about.
    pub(super) fn note(&mut self, update: &HubUpdate) {
        match update.scope {
            Scope::Everyone => match update.fragment.message() {
                Message::Reload => self.reload = true,
                _ => self.feed = true,
            },
            Scope::Sport(sport) => {
                self.sports.insert(sport);
            }
            Scope::Row(_, id) => {
                self.rows.insert(id);
            }
            Scope::Detail(id) => {
                self.details.insert(id);
            }
        }
    }

    /// Adds a match.
    pub(super) fn add_match(&mut self, id: MatchId, with_detail: bool) {
        self.rows.insert(id);
        if with_detail {
            self.details.insert(id);
        }
    }

    /// The next catch-up frame, and what is left for later ones.
    pub(super) fn next_frame(mut self, mut frame: CatchUpFrame<'_>) -> (Option<Bytes>, Option<MissedChanges>) {
        if self.feed || !frame.has_offer() {
            frame.message(Message::Feed(frame.model.feed_state(frame.lang)));
        }
        if !frame.has_offer() {
            // The client has dropped the offer, and gets a whole one later.
            return (frame.finish(), None);
        }
        if self.reload || self.rows.len() > CATCH_UP_MATCHES_MAX {
            frame.message(Message::Reload);
            self.rows.clear();
        }
        for id in std::mem::take(&mut self.sports) {
            frame.sport(id);
        }
        while frame.bytes < CATCH_UP_FRAME_BYTES
            && let Some(id) = self.rows.pop_first()
        {
            frame.row(id);
        }
        while frame.bytes < CATCH_UP_FRAME_BYTES
            && let Some(id) = self.details.pop_first()
        {
            frame.detail(id);
        }
        let left = MissedChanges { rows: self.rows, details: self.details, ..MissedChanges::default() };
        let left = (!(left.rows.is_empty() && left.details.is_empty())).then_some(left);
        (frame.finish(), left)
    }
}

/// A catch-up frame being built for one connection.
pub(super) struct CatchUpFrame<'a> {
    model: &'a ReadModel,
    lang: Lang,
    encoding: Encoding,
    parts: Vec<Bytes>,
    bytes: usize,
}

impl<'a> CatchUpFrame<'a> {
    /// An empty frame.
    pub(super) fn new(model: &'a ReadModel, lang: Lang, encoding: Encoding) -> CatchUpFrame<'a> {
        CatchUpFrame { model, lang, encoding, parts: Vec::new(), bytes: 0 }
    }

    fn fragment(&mut self, fragment: &Fragment) {
        let bytes = fragment.bytes(self.lang, self.encoding).clone();
        self.bytes += bytes.len();
        self.parts.push(bytes);
    }

    /// Adds a message.
    pub(super) fn message(&mut self, message: Message) {
        self.fragment(&Fragment::new(message));
    }

    /// Whether there is an offer in the language of the connection.
    fn has_offer(&self) -> bool {
        self.model.feed_state(self.lang) != FeedState::Inactive
    }

    /// Adds the row of a match, or its deletion.
    pub(super) fn row(&mut self, id: MatchId) {
        match self.model.entry(id).filter(|_| self.has_offer()) {
            Some(entry) => self.fragment(&entry.row(self.model.feed_date_ms())),
            None => self.message(Message::Deleted(id)),
        }
    }

    /// Adds the detail of a match: its markets that are not in the row.
    pub(super) fn detail(&mut self, id: MatchId) {
        if let Some(entry) = self.model.entry(id).filter(|_| self.has_offer()) {
            self.fragment(&entry.detail());
        }
    }

    fn sport(&mut self, id: SportId) {
        self.message(match self.model.sport(id) {
            Some(sport) => Message::Sport(sport),
            None => Message::SportRemoved(id),
        });
    }

    /// The finished frame; `None` if nothing was added.
    pub(super) fn finish(self) -> Option<Bytes> {
        (!self.parts.is_empty()).then(|| compose(self.encoding, self.parts.iter().map(|part| &part[..])))
    }
}
