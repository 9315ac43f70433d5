//! Results over a real broker (CONTRACT 7): settled, then acknowledged; delivered again if not; set aside if they do
//! not decode; and requested if they are missing.

use crate::broker::Corner;
use futures_util::StreamExt;
use kvota::betting::bet_events::BetEvents;
use kvota::betting::settlement::Settlements;
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{
    DeadHeat, MarketResult, MarketState, MatchResults, RawOddResult, RequestedMatch, VoidFactor,
};
use kvota_domain::ticket::{Consent, PlacingLimits};
use kvota_feed::amqp::{AmqpConfig, AmqpResults};
use kvota_feed::results::{ResultsLink, ResultsSink, ResultsSource};
use kvota_read_model::ReadModel;
use kvota_store::{
    AccountId, Bet, BetBasis, BetPair, BetRules, BetState, Created, IdempotencyKey, NewAccount, PairTexts, PlaceBet,
    Stores, TicketId,
};
use kvota_wire::feed::results::{decode_request, encode, encode_answer};
use lapin::BasicProperties;
use lapin::options::{BasicConsumeOptions, ExchangeDeclareOptions, QueueDeclareOptions};
use lapin::types::FieldTable;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

const NOW: i64 = 1_790_000_000_000;

/// Stores with one open bet on match 17, and an engine that settles it.
struct Settling {
    stores: Stores,
    account: AccountId,
    engine: AbortHandle,
}

impl Drop for Settling {
    fn drop(&mut self) {
        self.engine.abort();
    }
}

impl Settling {
    async fn start(corner: &Corner) -> Settling {
        Settling::start_with(AmqpResults::new(&corner.config, ResultsLink::default()).expect("a source")).await
    }

    async fn start_with(source: AmqpResults) -> Settling {
        let stores = Stores::in_memory();
        let account = NewAccount {
            name: "ana".to_owned(),
            password_hash: String::new(),
            opening: Money::from_cents(1000),
            now_ms: NOW,
            external_id: None,
        };
        let Ok(Created::Account(account)) = stores.accounts.create(account).await else { panic!("an account") };
        stores.bets.place(order(account)).await.expect("the bet is placed");
        let engine = run_engine(source, &stores);
        Settling { stores, account, engine }
    }

    /// Whether the bet is in this state after this time.
    async fn is_within(&self, state: BetState, time: Duration) -> bool {
        let _ = tokio::time::timeout(time, std::future::pending::<()>()).await;
        let id = TicketId::new("T1").expect("a ticket's id");
        let found = self.stores.bets.ticket(self.account, &id).await.expect("the store answers");
        found.is_some_and(|bet| bet.state == state)
    }

    /// Waits until the bet is in this state.
    async fn until(&self, state: BetState) {
        let id = TicketId::new("T1").expect("a ticket's id");
        let mut found = None;
        for _ in 0..3_000 {
            found = self.stores.bets.ticket(self.account, &id).await.expect("the store answers").map(|bet| bet.state);
            if found == Some(state) {
                return;
            }
            let moment = Duration::from_millis(10);
            let _ = tokio::time::timeout(moment, std::future::pending::<()>()).await;
        }
        panic!("the bet is {found:?}, not {state:?}");
    }
}

#[expect(clippy::disallowed_methods, reason = "the test ends it")]
fn run_engine(source: AmqpResults, stores: &Stores) -> AbortHandle {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    let engine = Settlements::new(stores.clone(), model, BetRules::default(), BetEvents::default(), || NOW + 60_000);
    tokio::spawn(engine.run(Box::new(Arc::new(source)))).abort_handle()
}

fn order(account: AccountId) -> PlaceBet {
    let price = Price::parse("2").expect("a price");
    let pair = BetPair {
        match_id: MatchId::new(17).expect("an id"),
        market_id: MarketId::new(170).expect("an id"),
        odd_id: OddId::new(1700).expect("an id"),
        sport_id: SportId::new(1).expect("an id"),
        market_type: 1,
        market_subtype: None,
        sbv: None,
        odd_type: Some("1".to_owned()),
        odds_submitted: price,
        odds_taken: price,
        is_fix: false,
        texts: PairTexts::default(),
    };
    PlaceBet {
        account,
        key: IdempotencyKey([1; 16]),
        digest: [1; 32],
        ticket_id: TicketId::new("T1").expect("a ticket's id"),
        bet: Bet {
            placed_at_ms: NOW,
            bruto: Money::from_cents(1000),
            stake: Money::from_cents(950),
            total_odd: "2".to_owned(),
            system_type: 0,
            potential_win: Money::from_cents(1900),
            win_tax: Money::from_cents(95),
            payout: Money::from_cents(1805),
            consent: Consent::None,
            basis: BetBasis::default(),
            pairs: vec![pair],
        },
        limits: PlacingLimits::default(),
        answer: Arc::new(|_| Vec::new()),
    }
}

fn results(result: i64) -> MatchResults {
    let odd = RawOddResult {
        odd: OddId::new(1700).expect("an id"),
        result: Some(result),
        void_factor: Some(VoidFactor::Zero),
        dead_heat: Some(DeadHeat::NONE),
    };
    let market = MarketResult {
        market: MarketId::new(170).expect("an id"),
        version: 0,
        state: MarketState::Settled,
        odds: vec![odd],
        void_windows: Vec::new(),
        reason: None,
    };
    MatchResults { match_id: MatchId::new(17).expect("an id"), markets: vec![market], date_ms: None }
}

#[tokio::test]
async fn a_result_settles_the_bets_on_its_market_and_is_acknowledged() {
    let corner = Corner::new("settled").await;
    let mut settling = Settling::start(&corner).await;
    corner.until_queue_is_bound().await;
    corner.publish_result(BasicProperties::default(), &encode(&results(1), 1)).await;
    settling.until(BetState::Won).await;
    assert_eq!(
        settling.stores.accounts.balance(settling.account).await.expect("a balance"),
        Some(Money::from_cents(1805))
    );
    corner.publish_result(BasicProperties::default(), &encode(&results(0), 2)).await;
    settling.until(BetState::Lost).await;
    corner.publish_result(BasicProperties::default(), &encode(&results(1), 1)).await;
    // A message that an engine did not acknowledge before it died returns to the queue, and the next engine finishes
    // it.
    let mut engines = 1;
    loop {
        corner.until_waiting(&corner.config.results_queue, 0).await;
        settling.engine.abort();
        corner.until_no_consumer().await;
        if corner.waiting(&corner.config.results_queue).await == 0 {
            break;
        }
        engines += 1;
        assert!(engines < 100, "the message is never acknowledged");
        let source = AmqpResults::new(&corner.config, ResultsLink::default()).expect("a source");
        settling.engine = run_engine(source, &settling.stores);
    }
    settling.until(BetState::Lost).await;
    corner.clear().await;
}

#[tokio::test]
async fn a_message_that_does_not_decode_is_a_dead_letter_and_holds_up_nothing() {
    let corner = Corner::new("dead-letter").await;
    let settling = Settling::start(&corner).await;
    corner.until_queue_is_bound().await;
    corner.publish_result(BasicProperties::default(), b"garbage").await;
    corner.publish_result(BasicProperties::default().with_content_encoding("br".into()), b"\x90").await;
    corner.publish_result(BasicProperties::default(), &encode(&results(1), 1)).await;
    settling.until(BetState::Won).await;
    corner.until_waiting(&format!("{}.dead", corner.config.results_queue), 2).await;
    corner.clear().await;
}

#[tokio::test]
async fn the_results_queue_is_bound_again_after_its_binding_was_removed() {
    let corner = Corner::new("unbound").await;
    let config = AmqpConfig { bind_again: Duration::from_millis(100), ..corner.config.clone() };
    let settling = Settling::start_with(AmqpResults::new(&config, ResultsLink::default()).expect("a source")).await;
    corner.until_queue_is_bound().await;
    let (queue, exchange) = (corner.config.results_queue.as_str(), corner.config.exchange.as_str());
    let unbinding =
        corner.channel().queue_unbind(queue.into(), exchange.into(), "match-result".into(), FieldTable::default());
    unbinding.await.expect("unbound");
    // A result that is published before it is bound again is lost.
    while !settling.is_within(BetState::Won, Duration::from_millis(50)).await {
        corner.publish_result(BasicProperties::default(), &encode(&results(1), 1)).await;
    }
    corner.clear().await;
}

#[tokio::test]
async fn a_result_that_was_not_confirmed_is_delivered_again() {
    let corner = Corner::new("again").await;
    let (sink, mut inputs) = mpsc::channel(1);
    let (answers, _answered) = mpsc::channel(1);
    let (_ask, requests) = mpsc::channel(1);
    let source: Box<dyn ResultsSource> =
        Box::new(Arc::new(AmqpResults::new(&corner.config, ResultsLink::default()).expect("a source")));
    #[expect(clippy::disallowed_methods, reason = "ends with the channel")]
    let running = tokio::spawn(source.run(ResultsSink { live: sink, answers }, requests));
    corner.until_queue_is_bound().await;
    corner.publish_result(BasicProperties::default(), &encode(&results(1), 5)).await;
    for _ in 0..2 {
        let input = inputs.recv().await.expect("an input");
        assert_eq!(input.results.markets[0].version, 5);
        drop(input.settled);
    }
    let input = inputs.recv().await.expect("an input");
    input.settled.send(()).expect("it is waited for");
    corner.until_waiting(&corner.config.results_queue, 0).await;
    drop(inputs);
    running.await.expect("the source ends when nobody takes results");
    corner.clear().await;
}

/// Requests for results that arrive at the producer's queue.
async fn requests_of(corner: &Corner) -> lapin::Consumer {
    let durable = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
    let queue = corner.config.results_request_queue.as_str();
    corner.channel().queue_declare(queue.into(), durable, FieldTable::default()).await.expect("the queue");
    let options = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
    let consuming = corner.channel().basic_consume(queue.into(), "".into(), options, FieldTable::default());
    consuming.await.expect("a consumer")
}

#[tokio::test]
async fn results_of_open_bets_are_requested_at_the_start() {
    let corner = Corner::new("asked").await;
    let mut requests = requests_of(&corner).await;
    let settling = Settling::start(&corner).await;
    let request = requests.next().await.expect("a request").expect("a delivery");
    let requested = decode_request(&request.data).expect("a request");
    let expected = RequestedMatch {
        match_id: MatchId::new(17).expect("an id"),
        open_markets: vec![MarketId::new(170).expect("an id")],
    };
    assert_eq!(requested, [expected]);
    let reply_to = request.properties.reply_to().clone().expect("an address for the answer");
    let correlation = request.properties.correlation_id().clone().expect("a correlation id");
    let unknown = BasicProperties::default().with_correlation_id("another".into());
    corner.publish_to(reply_to.as_str(), unknown, &encode_answer(&[(results(0), 9)])).await;
    let properties = BasicProperties::default().with_correlation_id(correlation);
    corner.publish_to(reply_to.as_str(), properties, &encode_answer(&[(results(1), 3)])).await;
    settling.until(BetState::Won).await;
    corner.clear().await;
}

#[tokio::test]
async fn each_request_has_its_own_correlation_id() {
    let corner = Corner::new("correlated").await;
    let mut requests = requests_of(&corner).await;
    let (sink, _inputs) = mpsc::channel(1);
    let (answers, _answered) = mpsc::channel(1);
    let (ask, to_request) = mpsc::channel(1);
    let source: Box<dyn ResultsSource> =
        Box::new(Arc::new(AmqpResults::new(&corner.config, ResultsLink::default()).expect("a source")));
    #[expect(clippy::disallowed_methods, reason = "aborted at the end")]
    let running = tokio::spawn(source.run(ResultsSink { live: sink, answers }, to_request));
    let mut seen = std::collections::HashSet::new();
    for _ in 0..3 {
        let requested = RequestedMatch { match_id: MatchId::new(17).expect("an id"), open_markets: Vec::new() };
        ask.send(vec![requested]).await.expect("the source takes it");
        let request = requests.next().await.expect("a request").expect("a delivery");
        let correlation = request.properties.correlation_id().clone().expect("a correlation id");
        assert!(seen.insert(correlation.as_str().to_owned()), "{correlation} is used twice");
    }
    running.abort();
    corner.clear().await;
}

#[tokio::test]
async fn results_arrive_over_an_exchange_that_may_not_be_declared() {
    let corner = Corner::new("results-undeclared").await;
    // An exchange that the program would declare otherwise: an active declaration fails.
    corner.declare_exchange_as(ExchangeDeclareOptions { durable: false, ..ExchangeDeclareOptions::default() }).await;
    let config = AmqpConfig { declare: false, ..corner.config.clone() };
    let link = ResultsLink::default();
    let settling = Settling::start_with(AmqpResults::new(&config, link.clone()).expect("a source")).await;
    corner.until_queue_is_bound().await;
    corner.publish_result(BasicProperties::default(), &encode(&results(1), 1)).await;
    settling.until(BetState::Won).await;
    assert!(link.is_connected());
    corner.clear().await;
}

#[tokio::test]
async fn a_missing_exchange_is_reported_as_a_missing_connection() {
    let corner = Corner::new("results-missing").await;
    let config = AmqpConfig { declare: false, ..corner.config.clone() };
    let link = ResultsLink::default();
    let settling = Settling::start_with(AmqpResults::new(&config, link.clone()).expect("a source")).await;
    assert!(!link.is_connected());
    corner.declare_exchange().await;
    corner.until_queue_is_bound().await;
    corner.publish_result(BasicProperties::default(), &encode(&results(1), 1)).await;
    settling.until(BetState::Won).await;
    assert!(link.is_connected());
    corner.clear().await;
}
