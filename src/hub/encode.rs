//! Turns events of the offer into messages to clients: the only place where an event becomes a message. The bytes of a
//! message are made once per language and encoding, by the first publisher that needs them.

use crate::actors::bus::EventBus;
use crate::actors::mailboxes::Mailboxes;
use crate::actors::messages::events::EventBatch;
use kvota_domain::aggregate::MatchState;
use kvota_domain::delta::{MatchDelta, PartChange, PartDelta};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::OfferEvent;
use kvota_wire::hub::fragment::Fragment;
use kvota_wire::hub::message::{Message, Part};
use std::sync::Arc;

/// A message about a change of the offer, and the connections that receive it.
#[derive(Debug)]
pub struct HubUpdate {
    /// Which connections receive it.
    pub scope: Scope,
    /// Only connections of this language; `None` means all.
    pub lang: Option<Lang>,
    /// Must be sent at once (CONTRACT 3.5).
    pub urgent: bool,
    /// The date of the feed message, ms since the epoch, if it brought texts only. Such an update can be sent together
    /// with the primary language's message of the same moment, which follows shortly.
    pub texts_date_ms: Option<i64>,
    /// The message.
    pub fragment: Arc<Fragment>,
}

/// Which connections receive an update.
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

/// A batch of events with their messages. Clones share both.
#[derive(actix::Message, Clone, Debug)]
#[rtype(result = "()")]
pub struct UpdateBatch(Arc<Updates>);

#[derive(Debug)]
struct Updates {
    events: EventBatch,
    updates: Vec<HubUpdate>,
}

impl UpdateBatch {
    /// The messages of these events, not encoded yet.
    pub fn of(events: EventBatch) -> UpdateBatch {
        let mut updates = Vec::with_capacity(events.0.len());
        events.0.iter().for_each(|event| add_updates(event, &mut updates));
        UpdateBatch(Arc::new(Updates { events, updates }))
    }

    /// The events.
    pub fn events(&self) -> &[OfferEvent] {
        &self.0.events.0
    }

    /// Their messages, in the same order. An event may have several, or none.
    pub fn updates(&self) -> &[HubUpdate] {
        &self.0.updates
    }
}

/// Subscribes the publishers in `mailboxes` to a bus: each batch of events is turned into messages once, for all of
/// them.
pub(super) fn connect(bus: &EventBus, mailboxes: Mailboxes<UpdateBatch>) {
    bus.listen(move |events| {
        let batch = UpdateBatch::of(events.clone());
        // Without updates it only ends a feed message.
        if batch.updates().is_empty() { mailboxes.send_if_free(&batch) } else { mailboxes.send(&batch) }
    });
}

fn add_updates(event: &OfferEvent, updates: &mut Vec<HubUpdate>) {
    let urgent = event.is_urgent();
    let mut add = |scope, lang, message| {
        let fragment = Arc::new(Fragment::new(message));
        updates.push(HubUpdate { scope, lang, urgent, texts_date_ms: None, fragment });
    };
    match event {
        OfferEvent::FeedStateChanged { lang, state } => add(Scope::Everyone, Some(*lang), Message::Feed(*state)),
        OfferEvent::SportChanged { sport, lang } => {
            add(Scope::Sport(sport.primary().id), *lang, Message::Sport(Arc::clone(sport)));
        }
        OfferEvent::SportRemoved(id) => add(Scope::Sport(*id), None, Message::SportRemoved(*id)),
        OfferEvent::MatchInserted { state, date_ms } => {
            add(row_of(state), None, Message::Match { state: Arc::clone(state), date_ms: *date_ms });
            // Some clients may already watch the match, for example if it left the offer and returned.
            add(detail_of(state), None, Message::Detail(Arc::clone(state)));
        }
        OfferEvent::MatchChanged { before, after, delta, date_ms } => {
            add_match_change(before, after, delta, *date_ms, &mut add);
        }
        OfferEvent::MatchTextsChanged { before, after, lang, date_ms } => {
            add_texts_change(before, after, *lang, *date_ms, updates);
        }
        OfferEvent::MatchRemoved { sport, id } => add(Scope::Row(*sport, *id), None, Message::Deleted(*id)),
        OfferEvent::FeedMessageApplied => {}
    }
}

fn add_match_change(
    before: &MatchState,
    after: &Arc<MatchState>,
    delta: &MatchDelta,
    date_ms: i64,
    mut add: impl FnMut(Scope, Option<Lang>, Message),
) {
    let change = |part, follows, change: &PartChange| Message::Change {
        state: Arc::clone(after),
        part,
        follows,
        change: change.clone(),
    };
    match &delta.row {
        Some(PartDelta::Replace) => add(row_of(after), None, Message::Match { state: Arc::clone(after), date_ms }),
        Some(PartDelta::Change(row)) => add(row_of(after), None, change(Part::Row, before.row_revision, row)),
        None => {}
    }
    match &delta.detail {
        Some(PartDelta::Replace) => add(detail_of(after), None, Message::Detail(Arc::clone(after))),
        Some(PartDelta::Change(detail)) => {
            add(detail_of(after), None, change(Part::Detail, before.detail_revision, detail));
        }
        None => {}
    }
    for side in &delta.goals {
        add(row_of(after), None, Message::Goal(after.live_match.id, *side));
    }
}

/// The language receives both parts whole. For the others only the revisions change, because all languages share them.
fn add_texts_change(
    before: &MatchState,
    after: &Arc<MatchState>,
    lang: Lang,
    date_ms: i64,
    updates: &mut Vec<HubUpdate>,
) {
    let mut add = |scope, langs: &[Lang], message| {
        let fragment = Arc::new(Fragment::new(message));
        updates.extend(langs.iter().map(|lang| HubUpdate {
            scope,
            lang: Some(*lang),
            urgent: false,
            texts_date_ms: Some(date_ms),
            fragment: Arc::clone(&fragment),
        }));
    };
    let nothing = |part, follows| {
        let change = PartChange::default();
        Message::Change { state: Arc::clone(after), part, follows, change }
    };
    let others: Vec<Lang> = Lang::ALL.into_iter().filter(|other| *other != lang).collect();
    add(row_of(after), &[lang], Message::Match { state: Arc::clone(after), date_ms });
    add(detail_of(after), &[lang], Message::Detail(Arc::clone(after)));
    add(row_of(after), &others, nothing(Part::Row, before.row_revision));
    add(detail_of(after), &others, nothing(Part::Detail, before.detail_revision));
}

fn row_of(state: &MatchState) -> Scope {
    Scope::Row(state.live_match.sport_id, state.live_match.id)
}

fn detail_of(state: &MatchState) -> Scope {
    Scope::Detail(state.live_match.id)
}
