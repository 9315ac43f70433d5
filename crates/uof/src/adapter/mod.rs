//! The state of the feed as a whole: producers, events, results, and what must be asked of the provider. Messages and
//! answers come in; changes of the offer, results and questions go out. A pure state machine: the caller passes the time
//! in and makes the calls.
//!
//! Events that changed are only noted, and written down when the changes are taken. So a burst of messages costs a
//! reader one change for each event, and nothing can grow without limit.
//!
//! Must not read a clock, wait, or do I/O.

mod asking;
mod decisions;
mod event_requests;
mod events;

use crate::descriptions::Descriptions;
use crate::event::Event;
use crate::fixture::Fixture;
use crate::ids::LineRegister;
use crate::message::{EventMessage, Malformed, Message, ProducerId};
use crate::producer::{Action, Input, Producer, State};
use crate::producer_list::{self, Listed};
use crate::question::{Part, Question};
use crate::recovery_limits::RecoveryLimits;
use crate::urn::Urn;
use asking::Asking;
use decisions::Decisions;
use event_requests::EventRequests;
use kvota_domain::Text;
use kvota_domain::feed::{Change, Time};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::matches::Match;
use kvota_domain::settlement::{MatchResults, RequestedMatch};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Events that are followed at the same time; of more, new ones are not.
const EVENTS_MAX: usize = 20_000;
/// How long an event is remembered after its end, so that a late message does not bring it back, in ms.
const REMEMBERED_MS: i64 = 6 * 3_600_000;
/// What the adapter is configured with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The producers that are followed.
    pub producers: Vec<ProducerId>,
    /// How long a producer may be silent, in ms.
    pub silence_ms: i64,
    /// The market types that are paid only when a settlement is confirmed.
    pub waits: BTreeSet<i64>,
    /// Larger than the numbers of all recoveries that this node has ever asked for.
    pub first_request_id: i64,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A document; empty for an order.
    Body(Vec<u8>),
    /// The provider has no such thing.
    Absent,
    /// No answer: it can be asked again later.
    Failed,
}

/// What happened to a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It counted.
    Taken,
    /// It is about a producer that is not followed, or about an event that cannot be.
    Ignored,
}

/// An event that changed, with what is needed to write it down.
#[derive(Clone, Debug)]
pub struct EventChange {
    /// How the offer changed.
    pub change: Change,
    /// The event.
    pub event: Arc<Event>,
    sport: SportId,
    descriptions: Arc<PerLang<Arc<Descriptions>>>,
    up: Arc<[ProducerId]>,
}

impl EventChange {
    /// The sport of the event.
    pub fn sport(&self) -> SportId {
        self.sport
    }

    /// The event as a match in a language, its clock carried on to `now_ms`.
    pub fn as_match(&self, lang: Lang, now_ms: i64) -> (Match, Time) {
        let shown = self.event.as_match(lang, &self.descriptions, &self.up, now_ms);
        shown.unwrap_or_else(|| (Match::empty(self.event.id(), self.sport), Time::None))
    }
}

/// A producer with its path.
#[derive(Debug)]
struct Followed {
    producer: Producer,
    path: String,
    event_limits: RecoveryLimits,
    /// The least difference of our clock and the producer's times on this connection, in ms: more is a delay.
    least_lag_ms: Option<i64>,
}

/// An event with its place in the offer.
#[derive(Debug)]
struct Held {
    event: Arc<Event>,
    /// The sport under which it is in the offer.
    offered: Option<SportId>,
    /// When its end was noticed, in our time.
    over_ms: Option<i64>,
}

/// The adapter.
#[derive(Debug)]
pub struct Adapter {
    settings: Settings,
    producers: BTreeMap<ProducerId, Followed>,
    events: BTreeMap<Urn, Held>,
    /// Which event has which id: two events with one number are not both offered.
    numbers: HashMap<MatchId, Urn>,
    changed: BTreeSet<Urn>,
    register: LineRegister,
    descriptions: Arc<PerLang<Arc<Descriptions>>>,
    up: Arc<[ProducerId]>,
    sports: HashMap<SportId, PerLang<Option<Text>>>,
    decisions: Decisions,
    asking: Asking,
    event_requests: EventRequests,
    next_request_id: i64,
    is_connected: bool,
    purged_ms: i64,
}

impl Adapter {
    /// An adapter that knows nothing yet.
    pub fn new(settings: Settings) -> Adapter {
        let followed = |(at, id): (i64, &ProducerId)| {
            let Listed { path, window_ms } = producer_list::documented(*id);
            let of_producer = crate::producer::Settings { id: *id, silence_ms: settings.silence_ms, window_ms };
            let producer = Producer::new(of_producer, None, settings.first_request_id.saturating_add(at));
            (*id, Followed { producer, path, event_limits: RecoveryLimits::default(), least_lag_ms: None })
        };
        let mut adapter = Adapter {
            // Each with numbers of its own.
            producers: (0..).step_by(10_000).zip(&settings.producers).map(followed).collect(),
            // Far from the numbers of recoveries.
            next_request_id: settings.first_request_id.saturating_add(1_000_000),
            settings,
            events: BTreeMap::new(),
            numbers: HashMap::new(),
            changed: BTreeSet::new(),
            register: LineRegister::default(),
            descriptions: Arc::default(),
            up: Arc::new([]),
            sports: HashMap::new(),
            decisions: Decisions::default(),
            asking: Asking::default(),
            event_requests: EventRequests::default(),
            is_connected: false,
            purged_ms: 0,
        };
        adapter.asking.ask(Question::Producers, None, 0);
        for lang in [Lang::En].into_iter().chain(Lang::ALL) {
            adapter.asking.ask(Question::Markets(lang), None, 0);
            adapter.asking.ask(Question::Variants(lang), None, 0);
        }
        adapter
    }

    /// The path of a producer.
    pub fn path(&self, producer: ProducerId) -> &str {
        self.producers.get(&producer).map_or("", |followed| &followed.path)
    }

    /// The states of all producers.
    pub fn states(&self) -> impl Iterator<Item = (ProducerId, State)> {
        self.producers.iter().map(|(id, followed)| (*id, followed.producer.state()))
    }

    /// Whether the feed is active: one producer is up (contract 10).
    pub fn is_active(&self) -> bool {
        self.is_connected && !self.up.is_empty()
    }

    /// How many events are in the offer.
    pub fn number_of_offered(&self) -> usize {
        self.events.values().filter(|held| held.offered.is_some()).count()
    }

    /// The connection to the broker is there, or is lost.
    pub fn connection(&mut self, is_connected: bool, now_ms: i64) {
        self.is_connected = is_connected;
        if !is_connected {
            self.producers.values_mut().for_each(|followed| followed.least_lag_ms = None);
            self.each_producer(Input::Lost, now_ms);
        }
    }

    /// Time passes: to be called at least every second.
    pub fn tick(&mut self, now_ms: i64) {
        self.each_producer(Input::Tick, now_ms);
        let due: Vec<Urn> = self
            .events
            .values()
            .filter(|held| held.event.due_ms().is_some_and(|due_ms| due_ms <= now_ms))
            .filter(|held| held.offered.is_some() != held.event.is_offered(now_ms))
            .map(|held| held.event.urn().clone())
            .collect();
        self.changed.extend(due);
        self.asking.tick(now_ms);
        self.ask_of_events(now_ms);
        if now_ms.saturating_sub(self.purged_ms) >= 60_000 {
            self.purged_ms = now_ms;
            self.purge(now_ms);
        }
    }

    /// Handles a message that arrived at `received_ms`, in our time. `sport` is that of its routing key.
    pub fn message(&mut self, message: Message, sport: Option<SportId>, received_ms: i64, now_ms: i64) -> Outcome {
        let product = match &message {
            Message::Alive { product, .. } | Message::SnapshotComplete { product, .. } => *product,
            Message::Event(message) => message.product,
        };
        if !self.producers.contains_key(&product) {
            return Outcome::Ignored;
        }
        self.producer(product, Input::Waited(now_ms.saturating_sub(received_ms)), now_ms);
        match message {
            Message::Alive { timestamp_ms, is_subscribed, .. } => {
                let delay_ms = self.delay_ms(product, timestamp_ms, now_ms);
                self.producer(product, Input::Waited(delay_ms), now_ms);
                self.producer(product, Input::Alive { timestamp_ms, is_subscribed }, now_ms);
            }
            Message::SnapshotComplete { request_id, .. } => {
                self.producer(product, Input::SnapshotComplete(request_id), now_ms);
            }
            Message::Event(message) if message.body.is_result() => {
                let is_gap = self.decisions.take(&message, |market| self.settings.waits.contains(&market), now_ms);
                if is_gap {
                    self.want(Part::Results, message.event, now_ms);
                }
            }
            Message::Event(message) => return self.event(message, sport, now_ms),
        }
        Outcome::Taken
    }

    /// Takes the answer to a question.
    pub fn answer(&mut self, question: &Question, answer: Answer, now_ms: i64) {
        if let Question::Recovery { product, request_id, .. } = question {
            if !matches!(answer, Answer::Body(_)) {
                self.producer(*product, Input::RequestFailed(*request_id), now_ms);
            }
            return;
        }
        if let (Question::OfEvent { event, part, .. }, Answer::Failed) = (question, &answer) {
            self.ask_of_event_again(*part, event, now_ms);
        }
        if question.is_order() {
            return;
        }
        let Some(events) = self.asking.note(question, &answer, now_ms) else { return };
        let body = match answer {
            Answer::Body(body) => Some(body),
            Answer::Absent | Answer::Failed => None,
        };
        if let Err(error) = self.read(question, body.as_deref(), &events) {
            tracing::warn!(?question, "an answer of the provider cannot be read: {error}");
            self.asking.fail(question, events, now_ms);
        }
    }

    /// Takes the questions that must be asked now.
    pub fn take_questions(&mut self) -> Vec<Question> {
        self.asking.take()
    }

    /// Whether an event has changed since the last [`Adapter::take_changes`].
    pub fn has_changes(&self) -> bool {
        !self.changed.is_empty() || self.decisions.is_new()
    }

    /// Takes the changes of the offer. An event that changed several times is there once.
    pub fn take_changes(&mut self, now_ms: i64) -> Vec<EventChange> {
        let changed = std::mem::take(&mut self.changed);
        let mut changes = Vec::with_capacity(changed.len());
        for urn in changed {
            let Some(held) = self.events.get_mut(&urn) else { continue };
            let is_first = self.numbers.get(&held.event.id()) == Some(&urn);
            let sport = held.event.sport().filter(|_| is_first && held.event.is_offered(now_ms));
            let (change, sport) = match (held.offered, sport) {
                (None, Some(sport)) => (Change::Insert, sport),
                (Some(_), Some(sport)) => (Change::Update, sport),
                (Some(sport), None) => (Change::Delete, sport),
                (None, None) => continue,
            };
            held.offered = (change != Change::Delete).then_some(sport);
            let (descriptions, up) = (Arc::clone(&self.descriptions), Arc::clone(&self.up));
            changes.push(EventChange { change, event: Arc::clone(&held.event), sport, descriptions, up });
        }
        changes
    }

    /// The next changes are the whole offer: its reader has none of it.
    pub fn forget_offer(&mut self) {
        self.events.values_mut().for_each(|held| held.offered = None);
        self.changed.extend(self.events.keys().cloned());
    }

    /// The name of a sport in a language, or in English.
    pub fn sport_name(&self, sport: SportId, lang: Lang) -> Option<&Text> {
        let names = self.sports.get(&sport)?;
        names[lang].as_ref().or(names[Lang::En].as_ref())
    }

    /// Takes the results that have come since the last call.
    pub fn take_decided(&mut self) -> Vec<MatchResults> {
        self.decisions.take_new()
    }

    /// Whether results of this event are in memory. If not, what is kept of it must be replayed before a new message.
    pub fn has_results(&self, event: &Urn) -> bool {
        self.decisions.has(event)
    }

    /// The messages about results of an event that an earlier run has kept, in the order in which they came.
    pub fn replay(&mut self, event: &Urn, messages: impl Iterator<Item = EventMessage>, now_ms: i64) {
        self.decisions.replay(event, messages, |market| self.settings.waits.contains(&market), now_ms);
    }

    /// The current results of matches (contract 7). For a match that has left the offer with open markets and without
    /// results, they are asked of the provider, and come like live ones. Matches without results are left out.
    pub fn present_results(&mut self, requested: &[RequestedMatch], now_ms: i64) -> Vec<MatchResults> {
        let mut present = Vec::new();
        for RequestedMatch { match_id, open_markets } in requested {
            let Some(urn) = self.urn_of(*match_id) else { continue };
            let markets = self.decisions.current(&urn);
            let is_offered = self.events.get(&urn).is_some_and(|held| held.offered.is_some());
            let is_missing = open_markets.iter().any(|open| !markets.iter().any(|market| market.market == *open));
            if is_missing && !is_offered {
                self.want(Part::Results, urn, now_ms);
            }
            if !markets.is_empty() {
                present.push(MatchResults { match_id: *match_id, markets, date_ms: Some(now_ms) });
            }
        }
        present
    }

    /// The event of a match: one that is known, else a match of sports.
    pub fn urn_of(&self, match_id: MatchId) -> Option<Urn> {
        let known = self.numbers.get(&match_id).cloned();
        known.or_else(|| Urn::parse(&format!("sr:match:{}", match_id.get())))
    }

    /// How much later an alive message came than the quickest one on this connection, in ms.
    fn delay_ms(&mut self, product: ProducerId, timestamp_ms: i64, now_ms: i64) -> i64 {
        let Some(followed) = self.producers.get_mut(&product) else { return 0 };
        let lag_ms = now_ms.saturating_sub(timestamp_ms);
        let least_ms = followed.least_lag_ms.map_or(lag_ms, |least_ms| least_ms.min(lag_ms));
        followed.least_lag_ms = Some(least_ms);
        lag_ms.saturating_sub(least_ms)
    }

    fn each_producer(&mut self, input: Input, now_ms: i64) {
        for product in self.settings.producers.clone() {
            self.producer(product, input, now_ms);
        }
    }

    fn producer(&mut self, product: ProducerId, input: Input, now_ms: i64) {
        let Some(followed) = self.producers.get_mut(&product) else { return };
        let before = followed.producer.state();
        let actions = followed.producer.handle(input, now_ms);
        let is_same = before == followed.producer.state();
        for action in actions {
            match action {
                Action::Ask { request_id, after_ms } => {
                    self.doubt(product);
                    self.asking.order(Question::Recovery { product, after_ms, request_id });
                }
                Action::GoDown | Action::GoUp => {}
            }
        }
        if is_same {
            return;
        }
        let is_up = |followed: &Followed| followed.producer.state() == State::Up;
        let up: Vec<ProducerId> =
            self.producers.iter().filter(|(_, followed)| is_up(followed)).map(|(id, _)| *id).collect();
        if *up != *self.up {
            self.up = up.into();
            let of_producer = |held: &&Held| held.event.lines.iter().any(|(_, line)| line.owner == product);
            self.changed.extend(self.events.values().filter(of_producer).map(|held| held.event.urn().clone()));
        }
    }

    /// The lines of a producer take no bets until it sends them again.
    fn doubt(&mut self, product: ProducerId) {
        for (urn, held) in &mut self.events {
            if held.event.lines.iter().any(|(_, line)| line.owner == product && line.is_confirmed) {
                Arc::make_mut(&mut held.event).lines.doubt(product);
                self.changed.insert(urn.clone());
            }
        }
    }

    /// Reads an answer; `None` stands for no answer.
    fn read(&mut self, question: &Question, body: Option<&[u8]>, events: &[Urn]) -> Result<(), Malformed> {
        match (question, body) {
            (Question::Fixture(lang, urn), body) => {
                let fixture = body.map(Fixture::parse).transpose();
                // Without a fixture in this language the event is shown in another one.
                self.take_fixture(*lang, urn, fixture.as_ref().ok().cloned().flatten());
                fixture?;
            }
            (Question::Producers, Some(body)) => {
                let listed = producer_list::parse(body)?;
                for (id, Listed { path, window_ms }) in listed {
                    if let Some(followed) = self.producers.get_mut(&id) {
                        followed.path = path;
                        followed.producer.set_window_ms(window_ms);
                    }
                }
            }
            (Question::Markets(lang) | Question::Variants(lang) | Question::Variant(lang, ..), Some(body)) => {
                let all = Arc::make_mut(&mut self.descriptions);
                Arc::make_mut(&mut all[*lang]).add(body)?;
                // A list may name everything; a variant only what its events show.
                let renamed: Vec<Urn> = match question {
                    Question::Variant(..) => events.to_vec(),
                    _ => self.events.keys().cloned().collect(),
                };
                for urn in renamed {
                    if let Some(held) = self.events.get_mut(&urn) {
                        Arc::make_mut(&mut held.event).forget_names();
                        self.changed.insert(urn);
                    }
                }
            }
            (Question::Player(lang, _) | Question::Competitor(lang, _), Some(body)) => {
                for urn in events {
                    if let Some(held) = self.events.get_mut(urn) {
                        Arc::make_mut(&mut held.event).profiles_mut(*lang).add_profile(body)?;
                        self.changed.insert(urn.clone());
                    }
                }
            }
            (_, None) | (Question::Recovery { .. } | Question::OfEvent { .. }, _) => {}
        }
        Ok(())
    }

    /// Forgets what is over and old.
    fn purge(&mut self, now_ms: i64) {
        let is_old = |at_ms: i64| now_ms.saturating_sub(at_ms) >= REMEMBERED_MS;
        let old: Vec<Urn> = self
            .events
            .iter()
            .filter(|(_, held)| held.offered.is_none() && held.over_ms.is_some_and(is_old))
            .map(|(urn, _)| urn.clone())
            .collect();
        for urn in old {
            if let Some(held) = self.events.remove(&urn) {
                held.event.facts.values().for_each(|facts| self.register.forget(&facts.ids));
                if self.numbers.get(&held.event.id()) == Some(&urn) {
                    self.numbers.remove(&held.event.id());
                }
            }
        }
        let is_played = |urn: &Urn| self.events.get(urn).is_some_and(|held| held.over_ms.is_none());
        self.asking.purge(is_played, now_ms);
        self.event_requests.purge(now_ms);
        self.decisions.purge();
    }
}
