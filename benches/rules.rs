//! Rules of cash-outs at the size of a busy day: bets with a rule in each database, while odds change at a steady rate.
//! Reports the processor time of one change with and without the rules, and the time from an odd to the committed
//! cash-out. Then the rules are stopped and read again, as after a restart of the node. At the end every rule that
//! was due must have paid once, no other one at all, and the audit of the store must be clean.
//!
//! `make bets-figures` runs it; docs/performance.md has the figures. `KVOTA_BETS` sets the number of bets.

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

mod kit;

use futures_util::future::{join, join_all};
use kit::{CONNECTIONS, Folder, NOW, Schema, accounts};
use kvota::betting::auto_cash_out::{AutoCashOut, AutoCashOutQueue};
use kvota::betting::bet_events::{BetEvents, BetSubscriber};
use kvota::betting::placement::{Betting, Placements};
use kvota::testkit::builders::{live_match, market, market_id, match_id, odd_id, sport_id};
use kvota_domain::aggregate::MatchState;
use kvota_domain::bet::{AccountMoney, BetChange, BetEvent, CashOutRule};
use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::price::Price;
use kvota_domain::ticket::{Consent, Leg, PlacingLimits, Rules, TicketKind, totals};
use kvota_load::process::usage;
use kvota_read_model::ReadModel;
use kvota_store::postgres::PostgresStore;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{
    AccountId, Bet, BetBasis, BetPair, BetRules, IdempotencyKey, PairTexts, PlaceBet, Placed, RuleSet, Stores, TicketId,
};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

/// Accounts; each has the same number of bets.
const BETTORS: u64 = 250;
const MATCHES: u64 = 500;
/// Markets of a match, with two odds each.
const MARKETS: u64 = 10;
const ODDS: u64 = MATCHES * MARKETS * 2;
/// Odds that change per second, and for how many seconds, three times.
const CHANGES_PER_SECOND: u64 = 2_000;
const SECONDS: u64 = 20;
const TICKS_PER_SECOND: u64 = 50;
/// Odds per second that fall so far that the rules of their bets are due.
const FALLS_PER_SECOND: u64 = 5;
/// The odds of all bets, and of a fallen odd, in thousandths. Others vary by `VARIES`.
const TAKEN: u64 = 2_000;
const FALLEN: u64 = 1_500;
const VARIES: u64 = 40;
/// A bet of 10.00 with one fallen odd is worth 11.60 or more, and without one 9.90 or less.
const AT_LEAST: Money = Money::from_cents(1_100);
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let bets = std::env::var("KVOTA_BETS").ok().and_then(|text| text.parse().ok()).unwrap_or(50_000);
    println!(
        "{bets} bets with a rule on {ODDS} odds, {CHANGES_PER_SECOND} changes a second, {FALLS_PER_SECOND} of which make rules due\n"
    );
    println!(
        "{:<12} {:>12} {:>12} {:>8} {:>12} {:>12} {:>12} {:>12}",
        "", "change, us", "with rules", "paid", "p50", "p99", "read again", "longest"
    );
    runtime.block_on(async {
        let folder = Folder::new("rules");
        let stores = Stores::over(SqliteStore::open(&folder.0.join("ours.db")).await.expect("a file"));
        measure("SQLite", &stores, bets).await;
        stores.close().await.expect("closed");
    });
    if let Ok(url) = std::env::var("KVOTA_TEST_POSTGRES_URL") {
        runtime.block_on(async {
            let schema = Schema::new(&url, "rules").await;
            let stores = Stores::over(PostgresStore::open(&schema.url, CONNECTIONS).await.expect("a schema"));
            measure("PostgreSQL", &stores, bets).await;
            stores.close().await.expect("closed");
            schema.drop().await;
        });
    }
}

/// When odds fell, and what was paid afterwards.
#[derive(Default)]
struct Times {
    fallen: Mutex<HashMap<u64, Instant>>,
    paid: Mutex<Vec<Payment>>,
}

#[derive(Clone)]
struct Payment {
    ticket_id: TicketId,
    amount: Money,
    /// From the first of its odds that fell to the event after the commit.
    wait: Duration,
}

impl Times {
    fn fallen(&self) -> MutexGuard<'_, HashMap<u64, Instant>> {
        self.fallen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paid(&self) -> MutexGuard<'_, Vec<Payment>> {
        self.paid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sorted(&self) -> Vec<Duration> {
        let mut waits: Vec<Duration> = self.paid().iter().map(|payment| payment.wait).collect();
        waits.sort();
        waits
    }
}

impl BetSubscriber for Times {
    fn money_changed(&self, _: AccountId, _: AccountMoney) {}

    fn protection_changed(&self, _: AccountId) {}

    fn bet_changed(&self, event: &BetEvent) {
        let BetChange::CashedOut(progress) = &event.change else { return };
        let wait = {
            let (fallen, odds) = (self.fallen(), odds_of(number_of(&progress.ticket_id)));
            odds.iter().filter_map(|odd| fallen.get(odd)).min().expect("one of its odds fell").elapsed()
        };
        let cash_outs = progress.cash_out.iter().flat_map(|progress| &progress.cash_outs);
        let amount = cash_outs.map(|cash_out| cash_out.paid).max().expect("a cash-out");
        self.paid().push(Payment { ticket_id: progress.ticket_id.clone(), amount, wait });
    }

    fn results_changed(&self, _: MatchId) {}
}

/// The rules of one node.
struct Node {
    queue: AutoCashOutQueue,
    rules: JoinHandle<()>,
}

impl Node {
    #[expect(clippy::disallowed_methods, reason = "the bench aborts the task")]
    fn start(stores: &Stores, model: &Arc<ReadModel>, times: &Arc<Times>) -> Node {
        let queue = AutoCashOutQueue::default();
        let subscribers: [Arc<dyn BetSubscriber>; 2] = [Arc::<Times>::clone(times), Arc::new(queue.clone())];
        let (model, events) = (Arc::clone(model), BetEvents::new(subscribers));
        let placements = Placements::new(Arc::clone(&model), stores.clone(), Betting::default(), || NOW, None, events);
        let rules = tokio::spawn(AutoCashOut::new(queue.clone(), placements, stores.clone(), model).run());
        Node { queue, rules }
    }

    async fn until_watching(&self, bets: usize) {
        while self.queue.watched() < bets {
            sleep(Duration::from_millis(1)).await;
        }
    }
}

async fn measure(name: &str, stores: &Stores, bets: u64) {
    place_all(stores, bets).await;
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    model.set_feed(Lang::Hr, FeedState::Active);
    let (mut offer, times) = (Offer::new(&model), Arc::new(Times::default()));

    let without = offer.change(0, &times).await;
    let first = Node::start(stores, &model, &times);
    first.until_watching(bets as usize).await;
    let with = offer.change(FALLS_PER_SECOND, &times).await;
    let usual = times.sorted();
    // The node stops, and another one starts. What the first one had begun goes on.
    first.rules.abort();
    let began = Instant::now();
    let second = Node::start(stores, &model, &times);
    let reading = async {
        // Meanwhile as many rules are paid as before.
        second.until_watching(bets as usize - 3 * due(bets, &times)).await;
        began.elapsed()
    };
    let (read, _) = join(reading, offer.change(FALLS_PER_SECOND, &times)).await;

    let (due, deadline) = (due(bets, &times), Instant::now() + PATIENCE);
    while times.paid().len() < due {
        assert!(Instant::now() < deadline, "{} of {due} rules paid", times.paid().len());
        sleep(Duration::from_millis(10)).await;
    }
    second.rules.abort();
    let paid = times.paid().clone();
    let once: HashSet<&TicketId> = paid.iter().map(|payment| &payment.ticket_id).collect();
    assert_eq!((once.len(), paid.len()), (due, due), "each rule that is due pays once");
    assert!(paid.iter().all(|payment| payment.amount >= AT_LEAST), "no rule pays less than its amount");
    let audit = stores.audit().await.expect("an audit");
    assert!(audit.findings.is_empty(), "{audit}");
    let ms = |wait: Duration| wait.as_secs_f64() * 1e3;
    let at = |share: f64| ms(usual[((usual.len() - 1) as f64 * share) as usize]);
    println!(
        "{name:<12} {without:>12.1} {with:>12.1} {due:>8} {:>9.1} ms {:>9.1} ms {:>9.0} ms {:>9.0} ms",
        at(0.5),
        at(0.99),
        ms(read),
        times.sorted().last().copied().map(ms).unwrap_or_default()
    );
}

/// How many rules are due: their bet contains a fallen odd.
fn due(bets: u64, times: &Times) -> usize {
    let fallen = times.fallen();
    (0..bets).filter(|number| odds_of(*number).iter().any(|odd| fallen.contains_key(odd))).count()
}

/// The offer. Its odds change.
struct Offer {
    model: Arc<ReadModel>,
    /// In thousandths, by number.
    odds: Vec<u64>,
    changes: u64,
    falls: u64,
}

impl Offer {
    fn new(model: &Arc<ReadModel>) -> Offer {
        let offer = Offer { model: Arc::clone(model), odds: vec![TAKEN; ODDS as usize], changes: 0, falls: 0 };
        (0..MATCHES).for_each(|number| offer.put(number));
        offer
    }

    /// Changes odds for [`SECONDS`]; the processor time of the process for each change, in us.
    async fn change(&mut self, falls_per_second: u64, times: &Times) -> f64 {
        let busy = || usage(std::process::id()).map(|usage| usage.cpu).unwrap_or_default();
        let (before, ticks) = (busy(), SECONDS * TICKS_PER_SECOND);
        let mut every = interval(Duration::from_secs(1) / TICKS_PER_SECOND as u32);
        every.set_missed_tick_behavior(MissedTickBehavior::Burst);
        for tick in 0..ticks {
            every.tick().await;
            for _ in 0..CHANGES_PER_SECOND / TICKS_PER_SECOND {
                self.vary();
            }
            if falls_per_second > 0 && tick % (TICKS_PER_SECOND / falls_per_second) == 0 {
                self.fall(times);
            }
        }
        (busy() - before).as_secs_f64() * 1e6 / (CHANGES_PER_SECOND * SECONDS) as f64
    }

    /// Changes an odd a little, unless it has fallen.
    fn vary(&mut self) {
        self.changes += 1;
        let odd = scattered(self.changes) % ODDS;
        if self.odds[odd as usize] != FALLEN {
            self.odds[odd as usize] = TAKEN - VARIES / 2 + self.changes % VARIES;
        }
        self.put(odd / (MARKETS * 2));
    }

    fn fall(&mut self, times: &Times) {
        // The odds of different matches.
        let odd = self.falls * 41 % ODDS;
        self.falls += 1;
        self.odds[odd as usize] = FALLEN;
        times.fallen().insert(odd, Instant::now());
        self.put(odd / (MARKETS * 2));
    }

    fn put(&self, number: u64) {
        let price = |odd: u64| {
            let thousandths = self.odds[odd as usize];
            format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
        };
        let mut live = live_match(number + 1);
        for index in 0..MARKETS {
            let first = (number * MARKETS + index) * 2;
            let id = market_of(first);
            live = live.market(market(id, 18).line("2.5").odd("under", &price(first)).odd("over", &price(first + 1)));
        }
        let state = MatchState::inserted(&live.insert(), NOW, &[], PerLang::default(), self.changes as u32 + 1);
        self.model.put_match(Arc::new(state));
    }
}

/// The market of an odd: 100 times it is the id of its first odd.
const fn market_of(odd: u64) -> u64 {
    odd / 2 + 1
}

/// A number that looks random, for each number.
const fn scattered(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

/// The two odds of a bet, of different matches.
const fn odds_of(number: u64) -> [u64; 2] {
    let first = scattered(number + 1) % ODDS;
    [first, (first + (1 + scattered(number + 2) % (MATCHES - 1)) * MARKETS * 2) % ODDS]
}

/// Places all bets, and gives each a rule.
async fn place_all(stores: &Stores, bets: u64) {
    let bettors = accounts(stores, BETTORS).await;
    let placing = bettors.iter().zip(0..).map(|(account, bettor)| async move {
        for number in (bettor..bets).step_by(BETTORS as usize) {
            let placed = stores.bets.place(order(*account, number)).await.expect("an outcome");
            assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
            let rule = Some(CashOutRule { at_least: AT_LEAST });
            let set = stores.cash_outs.set_cash_out_rule(*account, &ticket_id(number), rule).await.expect("an outcome");
            assert!(matches!(set, RuleSet::Set(Some(_))), "{set:?}");
        }
    });
    join_all(placing).await;
}

fn ticket_id(number: u64) -> TicketId {
    TicketId::new(&format!("0193f5c2-7d1e-7000-8000-{number:012}")).expect("a ticket's id")
}

fn number_of(ticket_id: &TicketId) -> u64 {
    ticket_id.as_str()[24..].parse().expect("a bet of this bench")
}

fn order(account: AccountId, number: u64) -> PlaceBet {
    let bruto = Money::from_cents(1000);
    let legs = [Leg { price: price(), is_fix: false }; 2];
    let numbers = totals(TicketKind::Standard, None, &legs, bruto, &Rules::default());
    PlaceBet {
        account,
        key: IdempotencyKey(u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834).to_be_bytes()),
        digest: [7; 32],
        ticket_id: ticket_id(number),
        bet: Bet {
            placed_at_ms: NOW,
            bruto,
            stake: numbers.taxed_stake,
            total_odd: "4.000000".to_owned(),
            system_type: 0,
            potential_win: numbers.possible_win,
            win_tax: numbers.win_tax,
            payout: numbers.possible_payout,
            consent: Consent::None,
            basis: BetBasis { rules: Some(BetRules::default()), ..BetBasis::default() },
            pairs: odds_of(number).map(pair).into(),
        },
        limits: PlacingLimits::default(),
        answer: Arc::new(|receipt| format!("{{\"balance\":\"{}\"}}", receipt.balance).into_bytes()),
    }
}

fn price() -> Price {
    Price::from_thousandths(TAKEN as u32).expect("a price")
}

fn pair(odd: u64) -> BetPair {
    BetPair {
        match_id: match_id(odd / (MARKETS * 2) + 1),
        market_id: market_id(market_of(odd)),
        odd_id: odd_id(market_of(odd) * 100 + odd % 2),
        sport_id: sport_id(1),
        market_type: 18,
        market_subtype: None,
        sbv: Some("2.5".to_owned()),
        odd_type: Some(["under", "over"][odd as usize % 2].to_owned()),
        odds_submitted: price(),
        odds_taken: price(),
        is_fix: false,
        texts: PairTexts::default(),
    }
}
