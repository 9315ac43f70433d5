//! The feed of a simulation: the true offer, its messages in four languages, and the faults on the way to the reader.

use super::feed_log::FeedLog;
use super::source::{FromReader, Wire};
use super::trace::Trace;
use super::{Scenario, clock};
use crate::testkit::builders::{MatchBuilder, column, live_match, market, match_id, result, soccer, sport_id, total};
use crate::testkit::seed::Dice;
use kvota_domain::feed::{FeedUpdate, MatchUpdate, SportUpdate};
use kvota_domain::lang::Lang;
use kvota_domain::sport::SportPatch;
use kvota_feed::fold::fold;
use kvota_feed::{FeedInput, Position};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// The matches of the offer: number 103 is the third match of sport 1.
pub(super) const MATCHES: [u64; 9] = [101, 102, 103, 104, 105, 501, 502, 503, 504];

/// The sport of a match, which never changes.
pub(super) fn sport_of(match_of: u64) -> u64 {
    match_of / 100
}

/// The market with three odds of a match. After it was decided, the match has the one of the next generation.
pub(super) fn market_of(match_of: u64, generation: u64) -> u64 {
    generation * 100_000 + match_of * 10
}

/// The true offer and the link to the reader.
pub(super) struct Producer {
    inner: RefCell<Inner>,
    trace: Trace,
}

struct Inner {
    dice: Dice,
    epoch: i64,
    seq: u64,
    /// The whole offer, without texts.
    book: FeedUpdate,
    /// How many markets of each match were decided.
    generations: BTreeMap<u64, u64>,
    log: FeedLog,
    /// Increases when the link breaks; messages of an older link never arrive.
    link: u64,
    is_active: bool,
    /// Sends nothing before this time of the process.
    silent_until_ms: u64,
}

impl Producer {
    pub(super) fn new(dice: Dice, trace: &Trace, log: FeedLog) -> Producer {
        let book = FeedUpdate { date_ms: Some(clock::now_ms()), ..FeedUpdate::default() };
        let inner = Inner {
            dice,
            epoch: 1,
            seq: 0,
            book,
            generations: BTreeMap::new(),
            log,
            link: 0,
            is_active: true,
            silent_until_ms: 0,
        };
        let producer = Producer { inner: RefCell::new(inner), trace: trace.clone() };
        {
            let mut inner = producer.inner.borrow_mut();
            for id in MATCHES {
                let update = random_match(&mut inner.dice, id, 0).update();
                inner.happen(id, update);
            }
        }
        producer
    }

    /// The true offer in a language.
    pub(super) fn truth(&self, lang: Lang) -> FeedUpdate {
        with_texts(&self.inner.borrow().book, lang)
    }

    /// How many markets of a match were decided.
    pub(super) fn generation(&self, id: u64) -> u64 {
        self.inner.borrow().generations.get(&id).copied().unwrap_or(0)
    }

    /// The match has another market from its next message on.
    pub(super) fn next_generation(&self, id: u64) {
        *self.inner.borrow_mut().generations.entry(id).or_default() += 1;
    }

    /// Breaks the links and notifies the readers.
    pub(super) fn break_links(&self, wires: &[Arc<Wire>]) {
        self.inner.borrow_mut().link += 1;
        self.trace.note(|| "the link breaks".to_owned());
        for wire in wires {
            wire.set_linked(false);
            wire.deliver(FeedInput::Lost { cause: "the scenario cut it".to_owned() });
        }
    }

    /// Restores a link.
    pub(super) fn mend_link(&self, wire: &Wire) {
        if !wire.set_linked(true) {
            self.trace.note(|| "the link stands".to_owned());
            wire.deliver(FeedInput::Connected);
        }
    }

    /// Restarts the producer with the same offer.
    pub(super) fn restart(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.epoch += 1;
        inner.seq = 0;
        self.trace.note(|| "the producer starts anew".to_owned());
    }

    /// Makes the producer inactive, or active again.
    pub(super) fn set_active(&self, is_active: bool) {
        self.inner.borrow_mut().is_active = is_active;
        self.trace.note(|| format!("the producer is active: {is_active}"));
    }

    /// Makes the producer send nothing for this time.
    pub(super) fn fall_silent(&self, time: Duration) {
        let until = clock::since_begin_ms() + u64::try_from(time.as_millis()).unwrap_or(0);
        self.inner.borrow_mut().silent_until_ms = until;
        self.trace.note(|| format!("the producer is silent for {time:?}"));
    }
}

impl Inner {
    fn position(&self) -> Position {
        Position { epoch: self.epoch, seq: self.seq }
    }

    /// Applies a change to the true offer; returns its messages, the primary language last.
    fn happen(&mut self, id: u64, update: MatchUpdate) -> Vec<FeedInput> {
        self.seq += 1;
        let sport = SportPatch { id: sport_id(sport_of(id)), ..soccer() };
        let sports = vec![SportUpdate { sport, matches: vec![update] }];
        let event =
            FeedUpdate { sports, number_of_matches: None, date_ms: Some(clock::now_ms()), ..FeedUpdate::default() };
        self.book = fold(&self.book, [&event]);
        let position = self.position();
        let mut held = self.book.sports.iter().flat_map(|sport| &sport.matches);
        let held = held.find(|held| held.id().get() == id);
        self.log.note(match_id(id), position, held.map(|held| &held.live_match));
        let in_lang = |lang| FeedInput::Event { lang, position, update: with_texts(&event, lang) };
        [Lang::En, Lang::Bs, Lang::Sr, Lang::Hr].map(in_lang).into()
    }

    fn random_event(&mut self) -> (String, Vec<FeedInput>) {
        let id = *self.dice.one_of(&MATCHES);
        let generation = self.generations.get(&id).copied().unwrap_or(0);
        let live_match = random_match(&mut self.dice, id, generation);
        let (word, update) = match self.dice.below(12) {
            0 => ("insert", live_match.insert()),
            1 => ("delete", live_match.delete()),
            _ => ("update", live_match.update()),
        };
        let inputs = self.happen(id, update);
        (format!("{word} {id} as {}.{}", self.epoch, self.seq), inputs)
    }
}

/// Publishes changes, and every 3 s that the feed is active.
pub(super) async fn publish(scenario: Rc<Scenario>, wires: Vec<Arc<Wire>>, mut dice: Dice) {
    let mut next_active_ms = 0;
    {
        // A new process: its reader has no link, and no messages are on their way to it.
        let mut inner = scenario.producer.inner.borrow_mut();
        inner.link += 1;
        inner.silent_until_ms = 0;
        inner.is_active = true;
    }
    loop {
        sleep(Duration::from_millis(dice.between(20, 700))).await;
        let now_ms = clock::since_begin_ms();
        let mut inner = scenario.producer.inner.borrow_mut();
        let is_rough = scenario.is_rough.get();
        if is_rough && inner.is_active {
            let (what, inputs) = inner.random_event();
            scenario.trace.note(|| what);
            if now_ms >= inner.silent_until_ms {
                inputs.iter().for_each(|input| send_to_all(&scenario, &wires, &mut inner, input));
            }
        }
        if now_ms >= next_active_ms && (now_ms >= inner.silent_until_ms || !is_rough) {
            next_active_ms = now_ms + 3_000;
            let (active, position) = (inner.is_active || !is_rough, Some(inner.position()));
            for lang in Lang::ALL {
                let date_ms = Some(clock::now_ms());
                send_to_all(&scenario, &wires, &mut inner, &FeedInput::Active { lang, active, position, date_ms });
            }
        }
        drop(inner);
        if !is_rough {
            wires.iter().for_each(|wire| scenario.producer.mend_link(wire));
            for lost in scenario.results.take_lost() {
                let mut inner = scenario.producer.inner.borrow_mut();
                let ended = live_match(lost.get()).sport(sport_of(lost.get())).delete();
                let inputs = inner.happen(lost.get(), ended);
                scenario.trace.note(|| format!("match {lost} ends as {}.{}", inner.epoch, inner.seq));
                inputs.iter().for_each(|input| send_to_all(&scenario, &wires, &mut inner, input));
            }
        }
    }
}

/// Answers the readers' requests.
pub(super) async fn answer(
    scenario: Rc<Scenario>,
    wire: Arc<Wire>,
    mut sent: mpsc::UnboundedReceiver<FromReader>,
    mut dice: Dice,
) {
    while let Some(sent) = sent.recv().await {
        match sent {
            FromReader::Here => {
                sleep(Duration::from_millis(dice.between(1, 300))).await;
                // A new reader has no link, whatever the previous one had.
                wire.set_linked(false);
                scenario.producer.mend_link(&wire);
            }
            FromReader::Asks(request) => {
                let is_rough = scenario.is_rough.get();
                scenario.trace.note(|| format!("asked for a snapshot in {}", request.lang.code()));
                if is_rough && dice.chance(scenario.plan.snapshot_lost) {
                    continue;
                }
                let mut inner = scenario.producer.inner.borrow_mut();
                if !wire.is_linked() {
                    continue;
                }
                let (position, update) = (inner.position(), with_texts(&inner.book, request.lang));
                let answer =
                    FeedInput::Snapshot { lang: request.lang, correlation: request.correlation, position, update };
                send(&scenario, &wire, &mut inner, answer);
            }
        }
    }
}

fn send_to_all(scenario: &Rc<Scenario>, wires: &[Arc<Wire>], inner: &mut Inner, input: &FeedInput) {
    wires.iter().for_each(|wire| send(scenario, wire, inner, copy(input)));
}

/// Sends a message, which may be lost, duplicated or delayed.
fn send(scenario: &Rc<Scenario>, wire: &Arc<Wire>, inner: &mut Inner, input: FeedInput) {
    let (plan, is_rough) = (&scenario.plan, scenario.is_rough.get());
    if !wire.is_linked() || is_rough && inner.dice.chance(plan.feed_lost) {
        return;
    }
    let second = (is_rough && inner.dice.chance(plan.feed_doubled)).then(|| copy(&input));
    for input in second.into_iter().chain([input]) {
        let late_ms = if is_rough { inner.dice.below(plan.feed_late_ms + 1) } else { 0 };
        let (scenario, wire, link) = (Rc::clone(scenario), Arc::clone(wire), inner.link);
        let arrive = async move {
            sleep(Duration::from_millis(late_ms)).await;
            if scenario.producer.inner.borrow().link == link {
                wire.deliver(input);
            }
        };
        #[expect(clippy::disallowed_methods, reason = "ends within seconds, or with the process")]
        actix::spawn(arrive);
    }
}

fn copy(input: &FeedInput) -> FeedInput {
    match input {
        FeedInput::Connected => FeedInput::Connected,
        FeedInput::Lost { cause } => FeedInput::Lost { cause: cause.clone() },
        FeedInput::Event { lang, position, update } => {
            FeedInput::Event { lang: *lang, position: *position, update: update.clone() }
        }
        FeedInput::Undecodable { lang, position } => FeedInput::Undecodable { lang: *lang, position: *position },
        FeedInput::Active { lang, active, position, date_ms } => {
            FeedInput::Active { lang: *lang, active: *active, position: *position, date_ms: *date_ms }
        }
        FeedInput::Snapshot { lang, correlation, position, update } => {
            FeedInput::Snapshot { lang: *lang, correlation: *correlation, position: *position, update: update.clone() }
        }
    }
}

/// A message with its texts in a language.
fn with_texts(update: &FeedUpdate, lang: Lang) -> FeedUpdate {
    let mut translated = update.clone();
    for of_sport in &mut translated.sports {
        of_sport.sport = sport(of_sport.sport.id.get(), lang);
        for update in &mut of_sport.matches {
            update.live_match.home = Some(format!("Home {} {}", update.id(), lang.code()).into());
        }
    }
    translated
}

fn sport(id: u64, lang: Lang) -> SportPatch {
    let name = Some(format!("Sport {id} {}", lang.code()).into());
    match id {
        1 => SportPatch { name, ..soccer() },
        _ => SportPatch {
            id: sport_id(id),
            name,
            order: Some(id as i64),
            preferred: Some(vec![column(1, 1, &["1", "X", "2"])]),
            selected_preferred: Some(1),
        },
    }
}

fn random_match(dice: &mut Dice, id: u64, generation: u64) -> MatchBuilder {
    let price = |dice: &mut Dice| format!("{}.{:02}", dice.between(1, 4), dice.below(100).max(1));
    let [home, draw, away] = [price(dice), price(dice), price(dice)];
    // An odd that is sometimes withdrawn.
    let draw = if dice.chance(100) { "0".to_owned() } else { draw };
    let mut builder = live_match(id).sport(sport_of(id)).score(dice.below(4) as i64, dice.below(4) as i64);
    builder = builder.market(result(market_of(id, generation), [&home, &draw, &away]));
    if dice.chance(800) {
        let prices = [price(dice), price(dice)];
        builder = builder.market(total(id * 10 + 1, "2.5", [&prices[0], &prices[1]]).balanced());
    }
    if dice.chance(600) {
        let (yes, no) = (price(dice), price(dice));
        builder = builder.market(market(id * 10 + 2, 29).odd("Da", &yes).odd("Ne", &no));
    }
    match dice.below(12) {
        0 => builder.suspended(),
        1 => builder.betting_stopped(),
        _ => builder,
    }
}
