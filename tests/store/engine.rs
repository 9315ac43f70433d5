//! The settlement engine over each database: a bet that cannot be graded does not stop the others, an answer does not
//! delay live results, and placing, storing results and settling do not wait for each other in a circle.

use crate::settlement::{Report, results};
use crate::world::{Kind, NOW, Place, World, match_id, order, pair, place_all, tamper_with_file};
use kvota::betting::bet_events::BetEvents;
use kvota::betting::settlement::Settlements;
use kvota::testkit::builders::live_match;
use kvota_domain::aggregate::MatchState;
use kvota_domain::ids::MarketId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::settlement::{MarketResult, MatchResults, RequestedMatch};
use kvota_domain::ticket::OfferView;
use kvota_feed::results::{ResultsAnswer, ResultsInput, ResultsSink, ResultsSource};
use kvota_read_model::ReadModel;
use kvota_store::nodes::{OrderSlot, SharedLimits};
use kvota_store::{
    AccountId, BetRules, BetState, IdempotencyKey, SettleScope, SettlementWork, StoreFuture, Stores, TicketFilter,
};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

const LATER: i64 = NOW + 60_000;

fn engine(stores: &Stores) -> Settlements {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    Settlements::new(stores.clone(), model, BetRules::default(), BetEvents::default(), || LATER)
}

async fn run_statements(world: &World, statements: &str) {
    match &world.place {
        Place::Folder(folder) => tamper_with_file(&folder.file(), statements).await.expect("the statements run"),
        Place::Schema(schema) => {
            let mut connection = PgConnection::connect(&schema.url).await.expect("a connection");
            connection.execute(AssertSqlSafe(statements.to_owned())).await.expect("the statements run");
        }
        Place::Memory => panic!("memory has no statements"),
    }
}

/// One of many bets on a market has rules that nobody can read.
async fn unreadable_bet(kind: Kind) {
    let world = World::new(kind).await;
    let ana = world.account("ana", 300_000).await;
    place_all(&world.stores, (1..=300).map(|number| order(ana, number))).await;
    let on = if matches!(kind, Kind::Postgres) { " ON bets" } else { "" };
    let bad = order(ana, 150).ticket_id;
    run_statements(
        &world,
        &format!("DROP TRIGGER the_rules_of_a_bet_stay{on}; UPDATE bets SET rules = '{{}}' WHERE ticket_id = '{bad}'"),
    )
    .await;

    engine(&world.stores).settle(results(1, 1, Report::Lost)).await.expect("the store answers");

    let settled = world.stores.bets.tickets(ana, TicketFilter::Settled, None, 1000).await.expect("the store answers");
    assert_eq!(settled.expect("a page").tickets.len(), 299, "every other bet is settled");
    let backlog = world.stores.settlements.settlement_backlog().await.expect("the store answers");
    assert_eq!((backlog.markets, backlog.set_aside), (0, 1));
    world.end().await;
}

#[tokio::test]
async fn a_bet_that_cannot_be_graded_does_not_stop_others_sqlite() {
    unreadable_bet(Kind::Sqlite).await;
}

#[tokio::test]
async fn a_bet_that_cannot_be_graded_does_not_stop_others_postgres() {
    unreadable_bet(Kind::Postgres).await;
}

/// Hands its sink and what it is asked for to the test.
pub(crate) struct Handed(oneshot::Sender<ResultsSink>, mpsc::UnboundedSender<Vec<RequestedMatch>>);

pub(crate) fn handed() -> (Box<Handed>, oneshot::Receiver<ResultsSink>, mpsc::UnboundedReceiver<Vec<RequestedMatch>>) {
    let ((hand, sink), (asks, requests)) = (oneshot::channel(), mpsc::unbounded_channel());
    (Box::new(Handed(hand, asks)), sink, requests)
}

impl ResultsSource for Handed {
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        mut requests: mpsc::Receiver<Vec<RequestedMatch>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            // Each fails if the test does not need it.
            let _sink = self.0.send(sink);
            while let Some(request) = requests.recv().await {
                let _ = self.1.send(request);
            }
        })
    }
}

/// 1,000 matches with 150 markets each.
fn large_answer() -> ResultsAnswer {
    let of_match = |id: u64| {
        let first = results(id, 1, Report::Won);
        let market =
            |number| MarketResult { market: MarketId::new(number).expect("a small id"), ..first.markets[0].clone() };
        MatchResults { markets: (1..=150).map(market).collect(), ..first }
    };
    ResultsAnswer { requested: Vec::new(), results: (1_001..=2_000).map(of_match).collect() }
}

async fn live_result_beside_an_answer(kind: Kind) {
    let world = World::new(kind).await;
    let ana = world.account("ana", 1000).await;
    place_all(&world.stores, [order(ana, 1)]).await;
    let (source, sink, _requests) = handed();
    #[expect(clippy::disallowed_methods, reason = "aborted below")]
    let running = tokio::spawn(engine(&world.stores).run(source));
    let sink = sink.await.expect("the source runs");
    sink.answers.send(large_answer()).await.expect("the engine takes it");
    let (settled, confirmation) = oneshot::channel();
    let input = ResultsInput { results: results(1, 1, Report::Lost), settled };
    sink.live.send(input).await.expect("the engine takes it");
    confirmation.await.expect("the live result is settled");
    let last = world.stores.settlements.results(&[match_id(2_000)]).await.expect("the store answers");
    assert!(last.is_empty(), "the live result waited for the whole answer");
    running.abort();
    let _ = running.await;
    world.end().await;
}

#[tokio::test]
async fn a_live_result_is_settled_while_an_answer_is_processed_sqlite() {
    live_result_beside_an_answer(Kind::Sqlite).await;
}

#[tokio::test]
async fn a_live_result_is_settled_while_an_answer_is_processed_postgres() {
    live_result_beside_an_answer(Kind::Postgres).await;
}

/// Rounds of the race below; `KVOTA_RACE_ROUNDS` sets another number.
fn rounds() -> u32 {
    std::env::var("KVOTA_RACE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// Bets of two accounts on two matches, results of both, and settling, all at once and again and again. Before the order
/// of locks was fixed, PostgreSQL ended one of the transactions as a deadlock.
#[tokio::test]
async fn placing_results_and_settling_never_deadlock_postgres() {
    let world = World::new(Kind::Postgres).await;
    let accounts = [world.account("ana", 100_000_000).await, world.account("bob", 100_000_000).await];
    let is_over = AtomicBool::new(false);
    let market_id = pair(1).market_id;
    // Odds 9 and 10 of the market have results, those of the bets have none, so bets go on being accepted.
    let undecided = |match_of: u64, version: i64| {
        let mut report = results(match_of, version, if version % 2 == 0 { Report::Won } else { Report::Lost });
        report.markets[0].odds[0].odd = kvota_domain::ids::OddId::new(9).expect("a small id");
        report
    };
    let placing = async |worker: u32| {
        for round in 0..rounds() {
            let account = accounts[(round % 2) as usize];
            let placed = world.stores.bets.place(order(account, worker * 1_000_000 + round)).await;
            placed.expect("a bet is not undone by a deadlock");
        }
    };
    let storing = async |match_of: u64| {
        let mut version = 1;
        while !is_over.load(Ordering::Relaxed) {
            let stored = world.stores.settlements.store_results(undecided(match_of, version), LATER).await;
            stored.expect("a result is not undone by a deadlock");
            version += 1;
        }
    };
    let settling = async |match_of: u64| {
        let work = SettlementWork { match_id: match_id(match_of), market_id };
        while !is_over.load(Ordering::Relaxed) {
            let settled = world.stores.settlements.settle(work, SettleScope::Next { bets_max: 20 }, LATER).await;
            settled.expect("a settlement is not undone by a deadlock");
        }
    };
    let end = async {
        tokio::join!(placing(1), placing(2), placing(3));
        is_over.store(true, Ordering::Relaxed);
    };
    tokio::join!(end, storing(1), storing(2), settling(1), settling(2));
    let open = world.stores.bets.tickets(accounts[0], TicketFilter::Open, None, 1).await.expect("the store answers");
    assert!(open.expect("a page").tickets.iter().all(|bet| bet.state == BetState::Open));
    world.end().await;
}

/// Panics when it runs for the first time, and reports a result when it runs for the second time.
struct PanicsOnce(bool);

impl ResultsSource for PanicsOnce {
    fn run(
        self: Box<Self>,
        sink: ResultsSink,
        mut requests: mpsc::Receiver<Vec<RequestedMatch>>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            assert!(!self.0, "a test asked for it");
            let ResultsSink { live, answers: _answers } = sink;
            let (settled, confirmation) = oneshot::channel();
            let input = ResultsInput { results: results(1, 1, Report::Lost), settled };
            live.send(input).await.expect("the engine takes it");
            confirmation.await.expect("it is settled");
            requests.close();
        })
    }
}

#[tokio::test]
async fn engine_runs_again_after_a_panic() {
    let world = World::new(Kind::Memory).await;
    let ana = world.account("ana", 1000).await;
    place_all(&world.stores, [order(ana, 1)]).await;
    let has_panicked = AtomicBool::new(false);
    let make_source = || Box::new(PanicsOnce(!has_panicked.swap(true, Ordering::Relaxed))) as Box<dyn ResultsSource>;
    // Ends with the second source.
    engine(&world.stores).supervise(make_source).await;
    let settled = world.stores.bets.tickets(ana, TicketFilter::Settled, None, 10).await.expect("the store answers");
    assert_eq!(settled.expect("a page").tickets.len(), 1);
    world.end().await;
}

/// After a start the offer still contains decided markets, and their results are stored.
#[tokio::test]
async fn stored_results_of_a_match_that_is_new_in_the_offer_are_read() {
    let world = World::new(Kind::Memory).await;
    let reported = results(1, 1, Report::Won);
    let (market, odd) = (reported.markets[0].market, reported.markets[0].odds[0].odd);
    world.stores.settlements.store_results(reported, NOW).await.expect("the store answers");
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    let engine =
        Settlements::new(world.stores.clone(), Arc::clone(&model), BetRules::default(), BetEvents::default(), || LATER);
    let (source, _sink, _requests) = handed();
    #[expect(clippy::disallowed_methods, reason = "aborted below")]
    let running = tokio::spawn(engine.run(source));

    let offered = live_match(1).insert();
    model.put_match(Arc::new(MatchState::inserted(&offered, NOW, &[], PerLang::default(), 1)));

    while !model.is_settled(match_id(1), market, odd) {
        tokio::task::yield_now().await;
    }
    running.abort();
    let _ = running.await;
    world.end().await;
}

/// Whether this node is the first one.
struct FirstNode(Arc<AtomicBool>);

impl SharedLimits for FirstNode {
    fn begin_order(&self, _: AccountId, _: IdempotencyKey, _: usize, _: Duration) -> StoreFuture<'_, OrderSlot> {
        unreachable!("no bet is placed")
    }

    fn is_first_node(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_first_node_requests_results_after_its_start() {
    let world = World::new(Kind::Memory).await;
    let ana = world.account("ana", 1000).await;
    place_all(&world.stores, [order(ana, 1)]).await;
    let is_first = Arc::new(AtomicBool::new(false));
    let shared_limits = Arc::new(FirstNode(Arc::clone(&is_first)));
    let (source, _sink, mut requests) = handed();
    let mut stores = world.stores.clone();
    stores.shared_limits = shared_limits;
    let engine = engine(&stores);
    #[expect(clippy::disallowed_methods, reason = "aborted below")]
    let running = tokio::spawn(engine.run(source));

    assert_eq!(requests.recv().await.expect("a request at the start").len(), 2);
    let hour = Duration::from_secs(3600);
    assert!(tokio::time::timeout(hour, requests.recv()).await.is_err(), "another node requests results");
    // The first node has died.
    is_first.store(true, Ordering::Relaxed);
    let again = tokio::time::timeout(Duration::from_secs(2), requests.recv()).await.expect("soon");
    assert_eq!(again.expect("a request").len(), 2);
    running.abort();
    let _ = running.await;
    world.end().await;
}
