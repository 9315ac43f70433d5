//! Events of the offer, as subscribers of the bus receive them: a fragment, encoded once by the first publisher that
//! needs it, and the connections it is for.

use crate::domain::ids::{MatchId, SportId};
use crate::domain::lang::Lang;
use crate::wire::hub::fragment::Fragment;
use crate::wire::hub::message::Message as HubMessage;
use std::sync::Arc;

/// A change of the offer.
#[derive(Debug)]
pub struct OfferEvent {
    /// Which connections receive it.
    pub scope: Scope,
    /// Only connections of this language; `None` means all.
    pub lang: Option<Lang>,
    /// Must be sent at once (CONTRACT 3.5).
    pub urgent: bool,
    /// The date of the message, ms since the epoch, if it brought texts only. Texts of another language arrive shortly
    /// before the primary language's message of the same moment, and can be sent together with it.
    pub texts_date_ms: Option<i64>,
    /// The message to the clients.
    pub fragment: Arc<Fragment>,
}

/// Which connections receive an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Every connection.
    Everyone,
    /// Connections that watch the sport.
    Sport(SportId),
    /// Connections that watch the sport, the match, or the row of the match as a favourite.
    Row(SportId, MatchId),
    /// Connections that watch the match.
    Detail(MatchId),
}

impl OfferEvent {
    /// An event for all languages, which may wait for others.
    pub fn new(scope: Scope, message: HubMessage) -> OfferEvent {
        OfferEvent { scope, lang: None, urgent: false, texts_date_ms: None, fragment: Arc::new(Fragment::new(message)) }
    }

    /// Like [`OfferEvent::new`], but it must be sent at once.
    pub fn urgent(scope: Scope, message: HubMessage) -> OfferEvent {
        OfferEvent { urgent: true, ..OfferEvent::new(scope, message) }
    }

    /// Marks the event as texts only, from a message of this date (ms since the epoch).
    pub fn texts_only(self, date_ms: i64) -> OfferEvent {
        OfferEvent { texts_date_ms: Some(date_ms), ..self }
    }

    /// Limits the event to one language.
    pub fn for_lang(self, lang: Lang) -> OfferEvent {
        OfferEvent { lang: Some(lang), ..self }
    }

    /// One event for each other language.
    pub fn for_other_langs(self, lang: Lang) -> impl Iterator<Item = OfferEvent> {
        let others = Lang::ALL.into_iter().filter(move |other| *other != lang);
        others.map(move |other| OfferEvent { lang: Some(other), fragment: Arc::clone(&self.fragment), ..self })
    }
}

/// A batch of events, in their order. An empty batch marks the end of a feed message: see
/// [`EventBatch::end_of_feed_message`].
#[derive(actix::Message, Clone, Debug)]
#[rtype(result = "()")]
pub struct EventBatch(pub Arc<[OfferEvent]>);

impl EventBatch {
    /// All events of a feed message have been published.
    pub fn end_of_feed_message() -> EventBatch {
        EventBatch(Arc::from([]))
    }
}
