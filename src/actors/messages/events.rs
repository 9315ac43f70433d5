//! What happened to the offer, as publishers are told it: a fragment whose bytes are made by the first who needs them,
//! and who is to get it.

use crate::domain::ids::{MatchId, SportId};
use crate::domain::lang::Lang;
use crate::wire::hub::fragment::Fragment;
use crate::wire::hub::message::Message as HubMessage;
use std::sync::Arc;

/// A fact about the offer.
#[derive(Debug)]
pub struct OfferEvent {
    /// Whom it concerns.
    pub scope: Scope,
    /// Only readers of this language, where it is about words or about one language's feed.
    pub lang: Option<Lang>,
    /// Sent at once (CONTRACT 3.5).
    pub urgent: bool,
    /// The date of the message, ms since the epoch, where it brought nothing but words: those of another language come
    /// before what the primary one says of the same moment, with which they can be told.
    pub words_date_ms: Option<i64>,
    /// What is told.
    pub fragment: Arc<Fragment>,
}

/// Whom an event concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Every connection.
    Everyone,
    /// Those who watch the sport.
    Sport(SportId),
    /// Those who watch the sport, or the match itself.
    Row(SportId, MatchId),
    /// Those who watch the match.
    Detail(MatchId),
}

impl OfferEvent {
    /// An event for readers of all languages that may be gathered with others.
    pub fn new(scope: Scope, message: HubMessage) -> OfferEvent {
        OfferEvent { scope, lang: None, urgent: false, words_date_ms: None, fragment: Arc::new(Fragment::new(message)) }
    }

    /// The same, to be sent at once.
    pub fn urgent(scope: Scope, message: HubMessage) -> OfferEvent {
        OfferEvent { urgent: true, ..OfferEvent::new(scope, message) }
    }

    /// The same, of words alone that came with a message of this date.
    pub fn of_words(self, date_ms: i64) -> OfferEvent {
        OfferEvent { words_date_ms: Some(date_ms), ..self }
    }

    /// The same, for readers of one language.
    pub fn for_lang(self, lang: Lang) -> OfferEvent {
        OfferEvent { lang: Some(lang), ..self }
    }

    /// The same, for readers of all other languages.
    pub fn for_others_than(self, lang: Lang) -> impl Iterator<Item = OfferEvent> {
        let others = Lang::ALL.into_iter().filter(move |other| *other != lang);
        others.map(move |other| OfferEvent { lang: Some(other), fragment: Arc::clone(&self.fragment), ..self })
    }
}

/// Events for one publisher, in the order in which they happened; none: the message of the feed that brought those before
/// is over.
#[derive(actix::Message, Clone, Debug)]
#[rtype(result = "()")]
pub struct Told(pub Arc<[OfferEvent]>);

impl Told {
    /// A message of the feed is over.
    pub fn over() -> Told {
        Told(Arc::from([]))
    }
}
