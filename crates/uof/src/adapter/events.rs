//! What messages change of single events, the ids of their lines, and the names that are missing.

use super::{Adapter, EVENTS_MAX, Held, Outcome};
use crate::descriptions::Descriptions;
use crate::event::Event;
use crate::fixture::Fixture;
use crate::ids::LineIds;
use crate::line_key::LineKey;
use crate::lines::Line;
use crate::message::{Body, EventMessage};
use crate::projection::LineFacts;
use crate::question::Question;
use crate::urn::Urn;
use kvota_domain::Text;
use kvota_domain::ids::SportId;
use kvota_domain::lang::{Lang, PerLang};
use std::sync::Arc;

impl Adapter {
    pub(super) fn event(&mut self, message: EventMessage, sport: Option<SportId>, now_ms: i64) -> Outcome {
        let EventMessage { product, event: urn, timestamp_ms, body, .. } = message;
        if !self.events.contains_key(&urn) {
            // Races and seasons have no two sides.
            let is_match = urn.kind().ends_with(":match");
            if !is_match || self.events.len() >= EVENTS_MAX || matches!(body, Body::FixtureChange { .. }) {
                return Outcome::Ignored;
            }
            let Some(event) = Event::new(urn.clone(), sport, now_ms) else { return Outcome::Ignored };
            self.numbers.entry(event.id()).or_insert_with(|| urn.clone());
            let held = Held { event: Arc::new(event), offered: None, over_ms: None };
            self.events.insert(urn.clone(), held);
            for lang in Lang::ALL {
                self.asking.ask(Question::Fixture(lang, urn.clone()), Some(&urn), now_ms);
            }
        }
        let Some(held) = self.events.get_mut(&urn) else { return Outcome::Ignored };
        let event = Arc::make_mut(&mut held.event);
        let mut reshaped = Vec::new();
        match body {
            Body::OddsChange { status, lines, betstop_reason } => {
                if let Some(status) = status {
                    event.take_status(product, timestamp_ms, *status, now_ms);
                }
                event.note_odds(betstop_reason);
                if !event.is_over() {
                    let groups = &*self.descriptions[Lang::En];
                    reshaped = event.lines.change(product, timestamp_ms, lines, groups).reshaped;
                }
            }
            Body::BetStop { groups, status } => {
                event.lines.stop(product, timestamp_ms, &groups, status, &*self.descriptions[Lang::En]);
            }
            Body::FixtureChange { change, .. } => {
                if matches!(change, Some(3 | 5)) {
                    event.remove(timestamp_ms);
                } else {
                    for lang in Lang::ALL {
                        self.asking.ask_anew(Question::Fixture(lang, urn.clone()), &urn, now_ms);
                    }
                }
            }
            Body::Settlement { .. }
            | Body::RollbackSettlement { .. }
            | Body::Cancel { .. }
            | Body::RollbackCancel { .. } => {}
        }
        for key in reshaped {
            self.register_line(&urn, &key, now_ms);
        }
        self.note_end(&urn, now_ms);
        self.changed.insert(urn);
        Outcome::Taken
    }

    /// Gives a line and its outcomes their ids, and asks for names that are missing.
    fn register_line(&mut self, urn: &Urn, key: &LineKey, now_ms: i64) {
        let Some(held) = self.events.get_mut(urn) else { return };
        let Some(line) = held.event.lines.get(key) else { return };
        let missing = missing_names(&held.event, key, line, &self.descriptions);
        let had_collisions = self.register.has_collisions();
        let event = Arc::make_mut(&mut held.event);
        let before = event.facts.remove(key).map(|facts| facts.ids.clone());
        let outcomes = event.lines.get(key).into_iter().flat_map(|line| line.outcomes.iter());
        let ids = self.register.register(urn, key, outcomes.map(|outcome| &outcome.id), before);
        event.facts.insert(key.clone(), Arc::new(LineFacts::new(key, ids)));
        if self.register.has_collisions() && !had_collisions {
            tracing::error!(event = %urn, line = %key, "two lines have one id, and neither is offered");
            self.withdraw_collisions();
        }
        for question in missing {
            self.asking.ask(question, Some(urn), now_ms);
        }
    }

    /// Takes all lines out of the offer that share an id with another line.
    fn withdraw_collisions(&mut self) {
        for (urn, held) in &mut self.events {
            let shared: Vec<LineKey> = held
                .event
                .facts
                .iter()
                .filter(|(_, facts)| facts.ids.are_own && !self.register.are_own(&facts.ids))
                .map(|(key, _)| key.clone())
                .collect();
            if !shared.is_empty() {
                let event = Arc::make_mut(&mut held.event);
                for key in shared {
                    if let Some(facts) = event.facts.get_mut(&key) {
                        let ids = LineIds { are_own: false, ..facts.ids.clone() };
                        *facts = Arc::new(LineFacts::new(&key, ids));
                    }
                }
                self.changed.insert(urn.clone());
            }
        }
    }

    fn note_end(&mut self, urn: &Urn, now_ms: i64) {
        let Some(held) = self.events.get_mut(urn) else { return };
        held.over_ms = held.event.is_over().then(|| held.over_ms.unwrap_or(now_ms));
    }

    pub(super) fn take_fixture(&mut self, lang: Lang, urn: &Urn, fixture: Option<Fixture>) {
        let Some(held) = self.events.get_mut(urn) else { return };
        Arc::make_mut(&mut held.event).take_fixture(lang, fixture);
        if let (Some(sport), Some(name)) = (held.event.sport(), held.event.sport_name(lang)) {
            let names = self.sports.entry(sport).or_default();
            if names[lang].is_none() {
                names[lang] = Some(Text::clone(name));
            }
        }
        self.changed.insert(urn.clone());
    }
}

/// What must be asked to name a line and its outcomes.
fn missing_names(
    event: &Event,
    key: &LineKey,
    line: &Line,
    descriptions: &PerLang<Arc<Descriptions>>,
) -> Vec<Question> {
    let mut missing = Vec::new();
    let variant = key.specifiers.get("variant");
    for lang in Lang::ALL {
        let described = &descriptions[lang];
        if described.market(key.market).is_none() {
            missing.push(Question::Markets(lang));
        }
        if let Some(variant) = variant.filter(|variant| described.variant(key.market, variant).is_none()) {
            missing.push(Question::Variant(lang, key.market, Text::from(variant)));
        }
    }
    let outcomes = line.outcomes.iter().flat_map(|outcome| outcome.id.split(','));
    let specifiers = key.specifiers.iter().map(|(_, value)| value);
    for name in outcomes.chain(specifiers) {
        let question: fn(Lang, Urn) -> Question = match name {
            name if name.starts_with("sr:player:") => Question::Player,
            name if name.starts_with("sr:competitor:") => Question::Competitor,
            _ => continue,
        };
        let Some(urn) = Urn::parse(name) else { continue };
        let unnamed = Lang::ALL.into_iter().filter(|lang| event.profiles(*lang).get(name).is_none());
        missing.extend(unnamed.map(|lang| question(lang, urn.clone())));
    }
    missing
}
