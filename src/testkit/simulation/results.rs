//! The results of a simulation: the true result of each decided market, and the faults between the producer and the
//! settlement engine. A published result waits in a queue that survives the processes, until an engine confirms it.
//!
//! Must never change a result without a higher version.

use super::producer::{MATCHES, market_of};
use super::trace::Trace;
use super::{Scenario, clock};
use crate::testkit::builders::{market_id, match_id, odd_id};
use crate::testkit::seed::Dice;
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::settlement::{
    DeadHeat, MarketResult, MarketState, MatchResults, PairResult, RawOddResult, RequestedMatch, SOURCE_RESTARTED,
    VoidFactor,
};
use kvota_feed::results::{ResultsAnswer, ResultsInput, ResultsSink, ResultsSource};
use kvota_store::StoredBet;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::sleep;

/// The wait before a result is delivered again that an engine did not confirm.
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// The true results, and the queue of the unconfirmed ones.
pub(super) struct Results {
    inner: RefCell<Inner>,
    trace: Trace,
}

#[derive(Default)]
struct Inner {
    truth: BTreeMap<(MatchId, MarketId), MarketResult>,
    /// Published and not confirmed, by number.
    queue: BTreeMap<u64, MatchResults>,
    published: u64,
    /// Matches of which a result was lost before it reached the queue.
    lost: BTreeSet<MatchId>,
    /// The markets of these results.
    lost_markets: BTreeSet<(MatchId, MarketId)>,
}

impl Results {
    pub(super) fn new(trace: &Trace) -> Results {
        Results { inner: RefCell::default(), trace: trace.clone() }
    }

    /// Whether all published results are confirmed.
    pub(super) fn is_confirmed(&self) -> bool {
        self.inner.borrow().queue.is_empty()
    }

    /// The true results of the pairs of a bet.
    pub(super) fn of(&self, stored: &StoredBet) -> Vec<PairResult> {
        let inner = self.inner.borrow();
        let of_pair = |pair: &kvota_store::BetPair| {
            let market = inner.truth.get(&(pair.match_id, pair.market_id));
            market.map_or(PairResult::Open, |market| PairResult::of(market, pair.odd_id, stored.bet.placed_at_ms))
        };
        stored.bet.pairs.iter().map(of_pair).collect()
    }

    /// The matches of which a result was lost. They must leave the offer, because results are only requested then.
    pub(super) fn take_lost(&self) -> BTreeSet<MatchId> {
        std::mem::take(&mut self.inner.borrow_mut().lost)
    }

    /// Changes the result of a market that has one, or decides a market of the offer.
    fn change(&self, scenario: &Scenario, dice: &mut Dice) -> MatchResults {
        let known: Vec<(MatchId, MarketId)> = self.inner.borrow().truth.keys().copied().collect();
        let (match_id, market) = if !known.is_empty() && dice.chance(300) {
            let (match_id, market) = *dice.one_of(&known);
            (match_id, self.changed(match_id, market, dice))
        } else {
            let id = interesting(scenario, dice);
            let market = market_of(id, scenario.producer.generation(id));
            // The next message of the match has a new market instead.
            scenario.producer.next_generation(id);
            (match_id(id), decided(market, 1, dice))
        };
        self.trace.note(|| format!("result {match_id}: {market:?}"));
        self.inner.borrow_mut().truth.insert((match_id, market.market), market.clone());
        MatchResults { match_id, markets: vec![market], date_ms: Some(clock::now_ms()) }
    }

    /// Another result, a cancellation, or a market that is open again.
    fn changed(&self, match_id: MatchId, market: MarketId, dice: &mut Dice) -> MarketResult {
        let version = self.inner.borrow().truth[&(match_id, market)].version + 1;
        let state = match dice.below(5) {
            0 => MarketState::OpenAgain,
            1 => MarketState::Cancelled,
            _ => return decided(market.get(), version, dice),
        };
        MarketResult { market, version, state, odds: Vec::new(), void_windows: Vec::new(), reason: None }
    }

    /// Makes the true results of requested markets that were lost cancellations: the provider has restarted and does not
    /// know these matches (CONTRACT 7).
    fn forget(&self, requested: &[RequestedMatch]) {
        let inner = &mut *self.inner.borrow_mut();
        let markets = requested.iter().flat_map(|of| of.open_markets.iter().map(|market| (of.match_id, *market)));
        for key in markets.filter(|key| inner.lost_markets.contains(key)) {
            if let Some(result) = inner.truth.get_mut(&key).filter(|result| result.version == 1) {
                let (market, reason) = (key.1, Some(SOURCE_RESTARTED.into()));
                let (odds, void_windows) = (Vec::new(), Vec::new());
                *result =
                    MarketResult { market, version: 2, state: MarketState::Cancelled, odds, void_windows, reason };
            }
        }
    }

    fn answer(&self, requested: Vec<RequestedMatch>) -> ResultsAnswer {
        let inner = self.inner.borrow();
        let of_match = |requested: &RequestedMatch| {
            let id = requested.match_id;
            let all = inner.truth.range((id, market_id(1))..).take_while(|((of, _), _)| *of == id);
            let markets: Vec<MarketResult> = all.map(|(_, market)| market.clone()).collect();
            (!markets.is_empty()).then_some(MatchResults { match_id: id, markets, date_ms: None })
        };
        let results = requested.iter().filter_map(of_match).collect();
        ResultsAnswer { requested, results }
    }
}

/// A match with a bet, if there is one, because only their results change something.
fn interesting(scenario: &Scenario, dice: &mut Dice) -> u64 {
    let orders = scenario.bettors.iter().flat_map(|bettor| bettor.matches_with_bets());
    let with_bets: Vec<u64> = orders.collect();
    if !with_bets.is_empty() && dice.chance(700) { *dice.one_of(&with_bets) } else { *dice.one_of(&MATCHES) }
}

/// A random result of a market with three odds. Sometimes one odd stays undecided.
fn decided(market: u64, version: i64, dice: &mut Dice) -> MarketResult {
    let winner = dice.below(3);
    let kind = dice.below(10);
    let odd = |number: u64| {
        let is_winner = number == winner || kind == 1 && number == (winner + 1) % 3;
        let share = if kind == 1 && is_winner { 5_000 } else { 10_000 };
        RawOddResult {
            odd: odd_id(market * 100 + number),
            result: if kind == 2 && !is_winner { None } else { Some(i64::from(is_winner)) },
            void_factor: Some(match kind {
                3 => VoidFactor::One,
                4 => VoidFactor::Half,
                _ => VoidFactor::Zero,
            }),
            dead_heat: DeadHeat::from_ten_thousandths(share),
        }
    };
    MarketResult {
        market: market_id(market),
        version,
        state: MarketState::Settled,
        odds: (0..3).map(odd).collect(),
        void_windows: Vec::new(),
        reason: None,
    }
}

/// Decides markets until the faults end, and publishes each result to one of the engines: lost, twice, or late.
pub(super) async fn publish(scenario: Rc<Scenario>, lines: Vec<Arc<ResultsLine>>, mut dice: Dice) {
    let waiting: Vec<u64> = scenario.results.inner.borrow().queue.keys().copied().collect();
    for number in waiting {
        deliver(&scenario, dice.one_of(&lines).clone(), number, dice.below(scenario.plan.results_late_ms + 1));
    }
    loop {
        sleep(Duration::from_millis(dice.between(100, 1_200))).await;
        if !scenario.is_rough.get() {
            return;
        }
        let results = scenario.results.change(&scenario, &mut dice);
        // Not a correction: results are only requested while bets are open (CONTRACT 7), so it would stay unknown.
        let is_first = results.markets.iter().all(|market| market.version == 1);
        if is_first && dice.chance(scenario.plan.results_lost) {
            scenario.results.trace.note(|| format!("a result of {} is lost", results.match_id));
            let inner = &mut *scenario.results.inner.borrow_mut();
            inner.lost.insert(results.match_id);
            inner.lost_markets.extend(results.markets.iter().map(|market| (results.match_id, market.market)));
            continue;
        }
        let number = {
            let mut inner = scenario.results.inner.borrow_mut();
            inner.published += 1;
            let number = inner.published;
            inner.queue.insert(number, results);
            number
        };
        let is_doubled = dice.chance(scenario.plan.results_doubled);
        for _ in 0..=u8::from(is_doubled) {
            deliver(&scenario, dice.one_of(&lines).clone(), number, dice.below(scenario.plan.results_late_ms + 1));
        }
    }
}

/// Answers the requests for results.
pub(super) async fn answer(
    scenario: Rc<Scenario>,
    link: Arc<ResultsLine>,
    mut requests: mpsc::UnboundedReceiver<Vec<RequestedMatch>>,
    mut dice: Dice,
) {
    while let Some(requested) = requests.recv().await {
        sleep(Duration::from_millis(dice.between(1, 300))).await;
        if scenario.is_rough.get() && dice.chance(scenario.plan.results_lost) {
            continue;
        }
        scenario.results.trace.note(|| format!("results are requested: {requested:?}"));
        if scenario.plan.results_forgotten {
            scenario.results.forget(&requested);
        }
        link.send(ToEngine::Answer(scenario.results.answer(requested)));
    }
}

/// Delivers a result until an engine confirms it.
fn deliver(scenario: &Rc<Scenario>, link: Arc<ResultsLine>, number: u64, late_ms: u64) {
    let scenario = Rc::clone(scenario);
    let delivering = async move {
        sleep(Duration::from_millis(late_ms)).await;
        loop {
            let Some(results) = scenario.results.inner.borrow().queue.get(&number).cloned() else { return };
            let (settled, confirmed) = oneshot::channel();
            let replaced = link.replaced();
            link.send(ToEngine::Live(ResultsInput { results, settled }));
            let is_confirmed = tokio::select! {
                biased;
                confirmed = confirmed => confirmed.is_ok(),
                () = replaced => false,
            };
            if is_confirmed {
                scenario.results.trace.note(|| format!("result number {number} is confirmed"));
                scenario.results.inner.borrow_mut().queue.remove(&number);
                return;
            }
            sleep(AGAIN_AFTER).await;
        }
    };
    #[expect(clippy::disallowed_methods, reason = "ends with its confirmation, or with the process")]
    actix::spawn(delivering);
}

enum ToEngine {
    Live(ResultsInput),
    Answer(ResultsAnswer),
}

/// The connection between the simulation and the current engine.
pub(super) struct ResultsLine {
    to_engine: Mutex<Option<mpsc::UnboundedSender<ToEngine>>>,
    /// How many sources have run.
    sources: watch::Sender<u64>,
    requests: mpsc::UnboundedSender<Vec<RequestedMatch>>,
}

impl ResultsLine {
    /// A connection without an engine, and the channel of what engines request.
    pub(super) fn new() -> (Arc<ResultsLine>, mpsc::UnboundedReceiver<Vec<RequestedMatch>>) {
        let (requests, requested) = mpsc::unbounded_channel();
        (Arc::new(ResultsLine { to_engine: Mutex::default(), sources: watch::Sender::new(0), requests }), requested)
    }

    /// A source for a new engine.
    pub(super) fn source(self: &Arc<Self>) -> Box<dyn ResultsSource> {
        Box::new(Source(Arc::clone(self)))
    }

    /// Waits until another source has replaced the current one: the broker then delivers again what is unconfirmed.
    fn replaced(&self) -> impl Future<Output = ()> + use<> {
        let mut sources = self.sources.subscribe();
        async move { drop(sources.changed().await) }
    }

    /// Without an engine, the message is dropped, and so is the sender of its confirmation.
    fn send(&self, message: ToEngine) {
        if let Some(to_engine) = self.to_engine.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            drop(to_engine.send(message));
        }
    }
}

struct Source(Arc<ResultsLine>);

impl ResultsSource for Source {
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        mut requests: mpsc::Receiver<Vec<RequestedMatch>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let line = self.0;
        let (to_engine, mut messages) = mpsc::unbounded_channel();
        *line.to_engine.lock().unwrap_or_else(PoisonError::into_inner) = Some(to_engine);
        line.sources.send_modify(|sources| *sources += 1);
        Box::pin(async move {
            loop {
                tokio::select! {
                    biased;
                    () = sink.live.closed() => return,
                    Some(requested) = requests.recv() => drop(line.requests.send(requested)),
                    Some(message) = messages.recv() => {
                        let is_sent = match message {
                            ToEngine::Live(input) => sink.live.send(input).await.is_ok(),
                            ToEngine::Answer(answer) => sink.answers.send(answer).await.is_ok(),
                        };
                        if !is_sent {
                            return;
                        }
                    }
                }
            }
        })
    }
}
