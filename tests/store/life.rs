//! The whole life of bets with results in any order (CONTRACT 7): duplicated, late, outdated, corrected, cancelled and
//! reversed results, cash-outs, and accounts that spend what they won. A model that knows only the newest version of each
//! result says what every bet pays.

use crate::cash_outs::cash_out;
use crate::settlement::{Report, results};
use crate::world::{Kind, NOW, World, order, pair};
use kvota::betting::bet_events::BetEvents;
use kvota::betting::settlement::Settlements;
use kvota::testkit::measured::{self, asked_for};
use kvota::testkit::seed::{Dice, roll};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{CashOutShare, Grade, MarketResult, MatchResults, Outcome, PairResult, grade};
use kvota_read_model::ReadModel;
use kvota_store::{AccountId, BetRules, BetState, CashOutOrder, Placed, StoredBet, TicketFilter};
use std::collections::BTreeMap;
use std::sync::Arc;

const LATER: i64 = NOW + 60_000;
/// Matches of a history.
const MATCHES: u64 = 5;
/// Steps of a history: a bet, a cash-out, or a result.
const STEPS: u64 = 30;

/// What the model knows of one history.
struct History {
    account: AccountId,
    opening: i64,
    staked: i64,
    /// The first of its matches.
    first_match: u64,
    placed: u32,
    /// The newest result of each match.
    truth: BTreeMap<u64, MarketResult>,
    /// Published results, to be delivered again.
    published: Vec<MatchResults>,
}

/// Counts what the histories contained, so that a test can require that they are not trivial.
#[derive(Default)]
struct Counts {
    settled: u64,
    corrected: u64,
    cashed_out: u64,
    owing: u64,
}

impl History {
    async fn new(world: &World, number: u64, dice: &mut Dice) -> History {
        let opening = dice.between(10, 40) as i64 * 100;
        let account = world.account(&format!("bettor {number}"), opening).await;
        let first_match = number * MATCHES + 1;
        History { account, opening, staked: 0, first_match, placed: 0, truth: BTreeMap::new(), published: Vec::new() }
    }

    async fn place(&mut self, world: &World, dice: &mut Dice) {
        self.placed += 1;
        let mut placed = order(self.account, self.placed);
        let balance = world.balance(self.account).await;
        // Sometimes everything, so that a correction leaves a debt.
        let bruto = if dice.chance(400) { balance } else { dice.between(2, 10) as i64 * 100 };
        placed.bet.bruto = Money::from_cents(bruto.max(1));
        placed.bet.stake = Money::from_cents(placed.bet.bruto.cents() * 95 / 100);
        let pairs = dice.between(1, 4);
        let first = dice.below(MATCHES - pairs + 1);
        placed.bet.pairs = (first..first + pairs)
            .map(|at| {
                let price = Price::from_thousandths(dice.between(1_010, 4_000) as u32).expect("a price");
                let mut pair = pair(self.first_match + at);
                (pair.odds_taken, pair.is_fix) = (price, false);
                pair
            })
            .collect();
        placed.bet.system_type = if pairs > 2 && dice.chance(400) { 2 } else { 0 };
        let bruto = placed.bet.bruto.cents();
        match world.stores.bets.place(placed).await.expect("the store answers") {
            Placed::Placed { .. } => self.staked += bruto,
            // The account has too little money or a debt, or a market is decided.
            Placed::NotEnough { .. } | Placed::MarketSettled(_) | Placed::Owes { .. } => {}
            other => panic!("{other:?}"),
        }
    }

    async fn cash_out(&self, world: &World, dice: &mut Dice) {
        if self.placed == 0 {
            return;
        }
        let number = dice.between(1, u64::from(self.placed)) as u32;
        let call = cash_out(self.account, number);
        let Some(stored) = world.stores.bets.ticket(self.account, &call.ticket_id).await.expect("the store answers")
        else {
            return;
        };
        let price = Price::from_thousandths(dice.between(1_010, 3_000) as u32).expect("a price");
        let share = CashOutShare::parse(if dice.chance(500) { "1" } else { "0.5" }).expect("a share");
        let odds_now = vec![Some(price); stored.bet.pairs.len()];
        let order = CashOutOrder { odds_now, share, rest_min: Money::from_cents(1), ..call };
        world.stores.cash_outs.cash_out(order).await.expect("the store answers");
    }

    /// A result with a new version, or one that was delivered before.
    fn report(&mut self, dice: &mut Dice) -> MatchResults {
        if !self.published.is_empty() && dice.chance(350) {
            return dice.one_of(&self.published).clone();
        }
        let id = self.first_match + dice.below(MATCHES);
        let version = self.truth.get(&id).map_or(1, |known| known.version + 1);
        let report = match dice.below(8) {
            0 => Report::OpenAgain,
            1 => Report::Void,
            2 => Report::Cancelled { from_ms: None, until_ms: Some(NOW + dice.below(8) as i64) },
            3..=5 => Report::Won,
            _ => Report::Lost,
        };
        let made = results(id, version, report);
        self.truth.insert(id, made.markets[0].clone());
        self.published.push(made.clone());
        // Sometimes it comes later, after the next version.
        if dice.chance(150) { dice.one_of(&self.published).clone() } else { made }
    }

    fn expected(&self, stored: &StoredBet) -> (BetState, Option<i64>) {
        if stored.rest.bruto == Money::ZERO {
            return (BetState::CashedOut, None);
        }
        let of_pair = |pair: &kvota_store::BetPair| {
            let market = self.truth.get(&pair.match_id.get());
            market.map_or(PairResult::Open, |market| PairResult::of(market, pair.odd_id, stored.bet.placed_at_ms))
        };
        let results: Vec<PairResult> = stored.bet.pairs.iter().map(of_pair).collect();
        match grade(&stored.terms().expect("rules"), &results) {
            Grade::Open => (BetState::Open, None),
            Grade::Decided(settlement) => {
                let state = match settlement.outcome {
                    Outcome::Won => BetState::Won,
                    Outcome::Lost => BetState::Lost,
                    Outcome::Void => BetState::Void,
                };
                (state, Some(settlement.paid.cents()))
            }
        }
    }

    /// Every bet pays what the model says, and the account has exactly the rest.
    async fn check(&self, world: &World, number: u64, counts: &mut Counts) {
        let page = world.stores.bets.tickets(self.account, TicketFilter::All, None, 100).await;
        let mut paid = 0;
        for stored in page.expect("the store answers").expect("a page").tickets {
            let made = stored.settlement.as_ref();
            let is = (stored.state, made.map(|made| made.paid.cents()));
            assert_eq!(is, self.expected(&stored), "history {number}, bet {}", stored.number);
            paid += is.1.unwrap_or(0);
            paid += stored.cash_outs.iter().map(|cash_out| cash_out.paid.cents()).sum::<i64>();
            counts.settled += u64::from(made.is_some());
            counts.corrected += u64::from(made.is_some_and(|made| made.number > 1));
            counts.cashed_out += stored.cash_outs.len() as u64;
        }
        self.check_money(world, number, Some(paid)).await;
    }

    /// The balance is never negative, and nothing is owed beside a balance.
    async fn check_money(&self, world: &World, number: u64, paid: Option<i64>) -> bool {
        let money = world.stores.accounts.money(self.account).await.expect("the store answers").expect("an account");
        let (balance, receivable) = (money.balance.cents(), money.receivable.cents());
        assert!(balance >= 0 && receivable >= 0, "history {number}: {money:?}");
        assert!(balance == 0 || receivable == 0, "history {number}: {money:?}");
        if let Some(paid) = paid {
            assert_eq!(balance - receivable, self.opening - self.staked + paid, "history {number}");
        }
        receivable > 0
    }
}

async fn run(world: &World, number: u64, mut dice: Dice, counts: &mut Counts) {
    let (stores, model) = (world.stores.clone(), Arc::new(ReadModel::new(Lang::Hr, 1)));
    let engine = Settlements::new(stores, model, BetRules::default(), BetEvents::default(), || LATER);
    let mut history = History::new(world, number, &mut dice).await;
    for _ in 0..STEPS {
        match dice.below(10) {
            0..=2 => history.place(world, &mut dice).await,
            3 => history.cash_out(world, &mut dice).await,
            _ => engine.settle(history.report(&mut dice)).await.expect("the store answers"),
        }
        counts.owing += u64::from(history.check_money(world, number, None).await);
    }
    // The newest version of each result arrives in the end.
    for (id, newest) in &history.truth {
        let made = history.published.iter().find(|made| made.match_id.get() == *id && made.markets[0] == *newest);
        engine.settle(made.expect("a result").clone()).await.expect("the store answers");
    }
    history.check(world, number, counts).await;
}

fn report_counts(row: &str, count: u64, counts: &Counts) {
    let Counts { settled, corrected, cashed_out, owing } = counts;
    let is_varied = *settled > count / 2 && *corrected > count / 10 && *cashed_out > count / 10 && *owing > 0;
    assert!(is_varied, "{settled} bets settled, {corrected} corrected, {cashed_out} cash-outs, {owing} debts");
    let what =
        format!("histories: {settled} bets settled, {corrected} corrected, {cashed_out} cash-outs, {owing} debts");
    measured::count(row, &what, count);
}

/// Runs random histories in one database.
async fn histories(kind: Kind, usual: u64) {
    let count = asked_for("KVOTA_HISTORIES_STORED", usual);
    let world = World::new(kind).await;
    let mut counts = Counts::default();
    for number in 0..count {
        run(&world, number, roll(41).apart(number), &mut counts).await;
    }
    report_counts("R44", count, &counts);
    world.end().await;
}

/// R41. Each history has a store of its own, because the one in memory has no index.
#[tokio::test]
async fn bets_pay_what_the_newest_results_say_in_memory() {
    let count = asked_for("KVOTA_HISTORIES", 10_000);
    let mut counts = Counts::default();
    for number in 0..count {
        let world = World::new(Kind::Memory).await;
        run(&world, number, roll(41).apart(number), &mut counts).await;
        world.end().await;
    }
    report_counts("R41", count, &counts);
}

#[tokio::test]
async fn bets_pay_what_the_newest_results_say_sqlite() {
    histories(Kind::Sqlite, 60).await;
}

#[tokio::test]
async fn bets_pay_what_the_newest_results_say_postgres() {
    histories(Kind::Postgres, 60).await;
}
