//! Settlement in any store: each bet is graded from the stored results, paid once, and corrected by mirrored postings.
//! Each test ends with an audit of all ledger rules of CONTRACT 7.

use crate::world::{NOW, World, match_id, order, pair, place_all};
use futures_util::future::join_all;
use kvota_domain::bet::{BetChange, BetEvent};
use kvota_domain::ids::MarketId;
use kvota_domain::money::Money;
use kvota_domain::settlement::{
    DeadHeat, MarketResult, MarketState, MatchResults, RawOddResult, RequestedMatch, VoidFactor, VoidWindow,
};
use kvota_store::{
    AccountId, BetRules, BetState, Placed, SettleScope, SettledBatch, SettlementBacklog, SettlementWork, StoredBet,
    TicketFilter, UnsettledCause,
};

const LATER: i64 = NOW + 60_000;

/// The only market of a match in these tests.
fn market() -> MarketId {
    pair(1).market_id
}

/// The result that a provider reports for the odd of a match.
#[derive(Clone, Copy)]
pub(crate) enum Report {
    Won,
    Lost,
    Void,
    OpenAgain,
    Cancelled { from_ms: Option<i64>, until_ms: Option<i64> },
}

pub(crate) fn results(match_of: u64, version: i64, report: Report) -> MatchResults {
    let odd = |result, void_factor| RawOddResult {
        odd: pair(match_of).odd_id,
        result: Some(result),
        void_factor: Some(void_factor),
        dead_heat: Some(DeadHeat::NONE),
    };
    let (state, odds, void_windows) = match report {
        Report::Won => (1, vec![odd(1, VoidFactor::Zero)], vec![]),
        Report::Lost => (1, vec![odd(0, VoidFactor::Zero)], vec![]),
        Report::Void => (1, vec![odd(0, VoidFactor::One)], vec![]),
        Report::OpenAgain => (0, vec![], vec![]),
        Report::Cancelled { from_ms, until_ms } => {
            (2, vec![odd(1, VoidFactor::Zero)], vec![VoidWindow { from_ms, until_ms }])
        }
    };
    let state = MarketState::from_code(state);
    let market = MarketResult { market: market(), version, state, odds, void_windows, reason: Some("reason".into()) };
    MatchResults { match_id: match_id(match_of), markets: vec![market], date_ms: Some(LATER) }
}

fn work(match_of: u64) -> SettlementWork {
    SettlementWork { match_id: match_id(match_of), market_id: market() }
}

async fn settle_next(world: &World, match_of: u64, bets_max: u32) -> SettledBatch {
    let scope = SettleScope::Next { bets_max };
    world.stores.settlements.settle(work(match_of), scope, LATER).await.expect("the store answers")
}

/// Stores a result and settles all bets that it affects.
pub(crate) async fn report(world: &World, match_of: u64, version: i64, report: Report) -> SettledBatch {
    let results = results(match_of, version, report);
    world.stores.settlements.store_results(results, LATER).await.expect("the store answers");
    let mut all = SettledBatch::default();
    for work in world.stores.settlements.waiting_work(i64::MAX, 100).await.expect("the store answers") {
        let mut batch = settle_next(world, work.match_id.get(), 100).await;
        assert!(batch.is_finished);
        all.graded += batch.graded;
        all.events.append(&mut batch.events);
    }
    all
}

pub(crate) async fn bet(world: &World, account: AccountId, number: u32) -> StoredBet {
    let id = order(account, number).ticket_id;
    world.stores.bets.ticket(account, &id).await.expect("the store answers").expect("the bet is kept")
}

pub(crate) async fn place(world: &World, account: AccountId, number: u32) {
    let placed = world.stores.bets.place(order(account, number)).await.expect("the store answers");
    assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
}

/// Whether the settlement changed, and not only the result of a pair.
fn is_settled(event: &BetEvent) -> bool {
    !matches!(event.change, BetChange::PairDecided(_))
}

fn amounts(bet: &StoredBet) -> Option<(u32, i64, i64, i64)> {
    let standing = bet.settlement.as_ref()?;
    Some((standing.number, standing.gross.cents(), standing.win_tax.cents(), standing.paid.cents()))
}

fn codes(bet: &StoredBet) -> Vec<&str> {
    bet.results.iter().map(|result| result.result.code()).collect()
}

pub(crate) async fn a_won_bet_is_paid_once_and_a_repeated_result_changes_nothing(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;

    let first = report(world, 1, 1, Report::Won).await;
    assert_eq!((first.graded, first.events.len(), is_settled(&first.events[0])), (1, 1, false));
    assert_eq!(codes(&bet(world, ana, 1).await), ["won", "open"]);
    let second = report(world, 2, 1, Report::Won).await;

    // 9.50 * 1.755 * 1.755 = 29.26; the tax is 10 % of 19.76.
    let settled = bet(world, ana, 1).await;
    assert_eq!((settled.state, amounts(&settled)), (BetState::Won, Some((1, 2926, 198, 2728))));
    assert_eq!((is_settled(&second.events[0]), second.events[0].money.balance.cents()), (true, 2728));
    assert_eq!(world.balance(ana).await, 2728);
    for (match_of, version) in [(2, 1), (2, 2), (1, 7)] {
        let again = report(world, match_of, version, Report::Won).await;
        assert_eq!(again.events, [], "version {version} of match {match_of}");
    }
    assert_eq!((world.balance(ana).await, bet(world, ana, 1).await), (2728, settled));
}

pub(crate) async fn an_older_result_is_ignored_market_by_market(world: &World) {
    let store = &world.stores.settlements;
    let mut both = results(1, 5, Report::Won);
    let other = MarketId::new(5).expect("a market's id");
    both.markets.push(MarketResult { market: other, version: 5, ..both.markets[0].clone() });
    assert_eq!(store.store_results(both, LATER).await.expect("the store answers").changed, [market(), other]);

    let mut late = results(1, 4, Report::Lost);
    let third = MarketId::new(6).expect("a market's id");
    late.markets.push(MarketResult { market: third, version: 4, ..late.markets[0].clone() });
    assert_eq!(store.store_results(late, LATER).await.expect("the store answers").changed, [third]);

    let mut kept = store.results(&[match_id(1), match_id(9)]).await.expect("the store answers");
    kept.sort_by_key(|(_, result)| result.market);
    let versions: Vec<(u64, i64)> = kept.iter().map(|(_, result)| (result.market.get(), result.version)).collect();
    assert_eq!(versions, [(5, 5), (6, 4), (market().get(), 5)]);
    assert_eq!(kept[2].1, results(1, 5, Report::Won).markets[0]);
}

pub(crate) async fn equal_content_with_a_higher_version_is_no_change(world: &World) {
    let store = &world.stores.settlements;
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    report(world, 1, 5, Report::Won).await;
    let again = store.store_results(results(1, 7, Report::Won), LATER).await.expect("the store answers");
    assert_eq!(again.changed, [], "the content is equal");
    assert_eq!(store.work_of_match(match_id(1)).await.expect("the store answers"), [], "no bet is graded again");
    let late = store.store_results(results(1, 6, Report::Lost), LATER).await.expect("the store answers");
    assert_eq!(late.changed, [], "version 7 counts, although its content was known");
    let newer = store.store_results(results(1, 8, Report::Lost), LATER).await.expect("the store answers");
    assert_eq!(newer.changed, [market()]);
}

pub(crate) async fn markets_without_bets_cause_no_work(world: &World) {
    let store = &world.stores.settlements;
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    for match_of in [1, 3] {
        let stored = store.store_results(results(match_of, 1, Report::Won), LATER).await.expect("the store answers");
        assert_eq!(stored.changed, [market()]);
    }
    assert_eq!(store.waiting_work(i64::MAX, 100).await.expect("the store answers"), [work(1)]);
    assert_eq!(store.waiting_work(LATER, 100).await.expect("the store answers"), [], "it waits since LATER");
    assert_eq!(store.work_of_match(match_id(1)).await.expect("the store answers"), [work(1)]);
    assert_eq!(store.work_of_match(match_id(3)).await.expect("the store answers"), []);
    settle_next(world, 1, 10).await;
}

pub(crate) async fn a_bet_that_is_set_aside_waits_until_it_is_tried_again(world: &World) {
    let store = &world.stores.settlements;
    let ana = world.account("ana", 3000).await;
    for number in 1..=3 {
        place(world, ana, number).await;
    }
    store.store_results(results(1, 1, Report::Lost), LATER).await.expect("the store answers");
    assert!(store.set_aside(work(1), "unreadable".to_owned(), LATER).await.expect("the store answers"));
    let backlog = |set_aside| SettlementBacklog { oldest_ms: Some(LATER), markets: 1, set_aside };
    assert_eq!(store.settlement_backlog().await.expect("the store answers"), backlog(1));
    let behind = settle_next(world, 1, 10).await;
    assert_eq!((behind.graded, behind.is_finished), (2, true));
    assert_eq!(bet(world, ana, 1).await.state, BetState::Open);
    assert_eq!(store.retry_set_aside(LATER, LATER).await.expect("the store answers"), 0, "not yet");
    assert_eq!(store.retry_set_aside(LATER + 1, LATER).await.expect("the store answers"), 1);
    assert_eq!(store.settlement_backlog().await.expect("the store answers"), backlog(0));
    settle_next(world, 1, 10).await;
    assert_eq!(bet(world, ana, 1).await.state, BetState::Lost);
    assert!(!store.set_aside(work(1), String::new(), LATER).await.expect("the store answers"), "no bet is next");
}

pub(crate) async fn open_bets_on_ended_matches_are_listed_with_the_cause(world: &World) {
    let store = &world.stores.settlements;
    let ana = world.account("ana", 5000).await;
    for number in 1..=5 {
        let mut single = order(ana, number);
        single.bet.pairs = vec![pair(number.into())];
        world.stores.bets.place(single).await.expect("the store answers");
    }
    let listed = || async {
        let bets = store.unsettled_bets(LATER).await.expect("the store answers");
        bets.into_iter().map(|bet| (bet.matches, bet.ended_at_ms, bet.cause)).collect::<Vec<_>>()
    };
    assert_eq!(listed().await, []);
    let matches = |numbers: &[u64]| numbers.iter().map(|number| match_id(*number)).collect::<Vec<_>>();
    store.note_match_ends(&matches(&[1, 2, 3]), &[], LATER - 10).await.expect("the store answers");
    // The first end counts, and a match that is in the offer again has not ended.
    store.note_match_ends(&matches(&[1, 2, 4]), &matches(&[3]), LATER - 1).await.expect("the store answers");
    let mut undecided = results(1, 1, Report::Lost);
    undecided.markets[0].odds.clear();
    store.store_results(undecided, LATER).await.expect("the store answers");
    for match_of in [2, 5] {
        let mut parked = results(match_of, 1, Report::Lost);
        parked.markets[0].state = MarketState::Unknown(7);
        store.store_results(parked, LATER).await.expect("the store answers");
    }
    assert_eq!(
        listed().await,
        [
            (matches(&[1]), Some(LATER - 10), UnsettledCause::NotDecided),
            (matches(&[2]), Some(LATER - 10), UnsettledCause::Parked),
            (matches(&[4]), Some(LATER - 1), UnsettledCause::NoResult),
            // A result that cannot be graded is listed at once.
            (matches(&[5]), None, UnsettledCause::Parked),
        ]
    );
    assert_eq!(store.unsettled_bets(LATER - 1).await.expect("the store answers").len(), 3);
}

pub(crate) async fn reset_version_lets_a_lower_one_correct_the_result(world: &World) {
    let store = &world.stores.settlements;
    store.store_results(results(1, 9_000_000, Report::Won), NOW).await.expect("the store answers");
    store.store_results(results(1, 5, Report::Lost), NOW).await.expect("the store answers");
    let stored = async || store.results(&[match_id(1)]).await.expect("the store answers").remove(0).1;
    let first = stored().await;
    assert_eq!(first.version, 9_000_000, "a lower version changes nothing");

    assert!(store.reset_result_version(match_id(1), first.market).await.expect("the store answers"));
    assert!(!store.reset_result_version(match_id(2), first.market).await.expect("the store answers"));
    assert_eq!(stored().await.state, first.state, "the result stays until the next one");
    store.store_results(results(1, 5, Report::Lost), NOW).await.expect("the store answers");
    let second = stored().await;
    assert_eq!(second.version, 5);
    assert_ne!(second.odds, first.odds);
}

pub(crate) async fn old_results_of_markets_without_bets_are_deleted(world: &World) {
    let store = &world.stores.settlements;
    let ana = world.account("ana", 2000).await;
    let mut single = order(ana, 1);
    single.bet.pairs = vec![pair(1)];
    world.stores.bets.place(single).await.expect("the store answers");
    for (match_of, at_ms) in [(1, NOW), (2, NOW), (3, LATER), (4, NOW)] {
        store.store_results(results(match_of, 1, Report::Won), at_ms).await.expect("the store answers");
    }
    store.store_results(results(4, 2, Report::Lost), LATER).await.expect("the store answers");

    assert_eq!(store.forget_results(LATER).await.expect("the store answers"), 1);
    assert_eq!(store.forget_results(LATER).await.expect("the store answers"), 0);

    let ids = [1, 2, 3, 4].map(match_id);
    let left = store.results(&ids).await.expect("the store answers");
    let mut left: Vec<_> = left.into_iter().map(|(id, _)| id).collect();
    left.sort_unstable();
    assert_eq!(left, [match_id(1), match_id(3), match_id(4)]);
}

pub(crate) async fn bets_without_rules_keep_those_of_the_configuration_once(world: &World) {
    let store = &world.stores.settlements;
    let ana = world.account("ana", 2000).await;
    let mut without = order(ana, 1);
    without.bet.basis.rules = None;
    world.stores.bets.place(without).await.expect("the store answers");
    place(world, ana, 2).await;
    let rules = BetRules { void_returns_stake_tax: false, ..BetRules::default() };
    assert_eq!(store.keep_rules(rules.clone()).await.expect("the store answers"), 1);
    assert_eq!(store.keep_rules(BetRules::default()).await.expect("the store answers"), 0, "once");
    report(world, 1, 1, Report::Void).await;
    report(world, 2, 1, Report::Void).await;
    // Without the stake tax of 0.50 for the first bet.
    assert_eq!(
        (amounts(&bet(world, ana, 1).await), amounts(&bet(world, ana, 2).await)),
        (Some((1, 950, 0, 950)), Some((1, 1000, 0, 1000)))
    );
}

pub(crate) async fn a_bet_is_lost_with_its_first_lost_pair(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    report(world, 2, 1, Report::Lost).await;
    let lost = bet(world, ana, 1).await;
    assert_eq!((lost.state, amounts(&lost), codes(&lost)), (BetState::Lost, Some((1, 0, 0, 0)), vec!["open", "lost"]));
    report(world, 1, 1, Report::Won).await;
    let later = bet(world, ana, 1).await;
    assert_eq!(
        (later.state, amounts(&later), codes(&later)),
        (BetState::Lost, Some((1, 0, 0, 0)), vec!["won", "lost"])
    );
    let open = world.stores.settlements.undecided_matches().await.expect("the store answers");
    assert_eq!((open, world.balance(ana).await), (vec![], 0));
}

pub(crate) async fn a_void_bet_gets_its_stake_back(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    let open = world.stores.settlements.undecided_matches().await.expect("the store answers");
    let expected = [1, 2].map(|id| RequestedMatch { match_id: match_id(id), open_markets: vec![market()] });
    assert_eq!(open, expected);
    report(world, 1, 1, Report::Void).await;
    report(world, 2, 1, Report::Void).await;
    let void = bet(world, ana, 1).await;
    assert_eq!((void.state, amounts(&void)), (BetState::Void, Some((1, 1000, 0, 1000))));
    assert_eq!(void.settlement.and_then(|standing| standing.reason).as_deref(), Some("reason"));
    assert_eq!(world.balance(ana).await, 1000);
}

pub(crate) async fn a_correction_mirrors_the_payment_and_makes_the_next_settlement(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    report(world, 2, 2, Report::Lost).await;
    let lost = bet(world, ana, 1).await;
    assert_eq!((lost.state, amounts(&lost), world.balance(ana).await), (BetState::Lost, Some((2, 0, 0, 0)), 0));
    report(world, 2, 3, Report::Void).await;
    // 9.50 * 1.755 = 16.67; the tax is 10 % of 7.17.
    let void = bet(world, ana, 1).await;
    assert_eq!((amounts(&void), codes(&void)), (Some((3, 1667, 72, 1595)), vec!["won", "void"]));
    assert_eq!(world.balance(ana).await, 1595);
}

pub(crate) async fn a_rollback_opens_a_bet_again_and_the_next_settlement_has_the_next_number(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    report(world, 1, 1, Report::Lost).await;
    report(world, 1, 2, Report::OpenAgain).await;
    let open = bet(world, ana, 1).await;
    assert_eq!((open.state, amounts(&open), codes(&open)), (BetState::Open, None, vec!["open", "open"]));
    assert_eq!(open.results[0].settled_at_ms, None);
    report(world, 1, 3, Report::Lost).await;
    assert_eq!(amounts(&bet(world, ana, 1).await), Some((2, 0, 0, 0)));
}

pub(crate) async fn a_correction_beyond_the_balance_is_owed_stops_bets_and_is_paid_first(world: &World) {
    let ana = world.account("ana", 3000).await;
    place(world, ana, 1).await;
    place(world, ana, 2).await;
    let mut third = order(ana, 3);
    third.bet.pairs = vec![pair(3)];
    third.bet.bruto = Money::from_cents(1000);
    world.stores.bets.place(third).await.expect("the store answers");
    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    // Two wins of 27.28; the money is spent on a bet of 50.00.
    let mut spent = order(ana, 4);
    spent.bet.pairs = vec![pair(4)];
    (spent.bet.bruto, spent.bet.stake) = (Money::from_cents(5000), Money::from_cents(4750));
    world.stores.bets.place(spent).await.expect("the store answers");
    assert_eq!(world.balance(ana).await, 456);

    report(world, 1, 2, Report::Lost).await;
    let owing = world.stores.accounts.account(ana).await.expect("the store answers").expect("the account is there");
    assert_eq!((owing.balance.cents(), owing.receivable.cents()), (0, 2 * 2728 - 456));
    let rejected = world.stores.bets.place(order(ana, 5)).await.expect("the store answers");
    assert_eq!(rejected, Placed::Owes { receivable: Money::from_cents(5000) });

    // 47.50 * 1.755 = 83.36, less 10 % of 35.86: 79.77 come in, 50.00 of them are owed.
    report(world, 4, 1, Report::Won).await;
    let paid = world.stores.accounts.account(ana).await.expect("the store answers").expect("the account is there");
    assert_eq!((paid.balance.cents(), paid.receivable.cents()), (7977 - 5000, 0));
}

pub(crate) async fn a_cancellation_applies_to_bets_inside_its_window(world: &World) {
    let ana = world.account("ana", 3000).await;
    for number in 1..=3 {
        place(world, ana, number).await;
    }
    // The bets are placed at NOW + 1, + 2 and + 3.
    report(world, 2, 1, Report::Won).await;
    report(world, 1, 1, Report::Cancelled { from_ms: Some(NOW + 2), until_ms: Some(NOW + 3) }).await;
    let results = [bet(world, ana, 1).await, bet(world, ana, 2).await, bet(world, ana, 3).await];
    assert_eq!(results.each_ref().map(|bet| codes(bet)[0].to_owned()), ["won", "void", "won"]);
    assert_eq!(results.each_ref().map(|bet| amounts(bet).map(|it| it.3)), [Some(2728), Some(1595), Some(2728)]);
}

pub(crate) async fn no_bet_is_placed_on_an_odd_with_a_result(world: &World) {
    let ana = world.account("ana", 3000).await;
    report(world, 2, 1, Report::Won).await;
    let rejected = world.stores.bets.place(order(ana, 1)).await.expect("the store answers");
    assert_eq!(rejected, Placed::MarketSettled(match_id(2)));
    report(world, 2, 2, Report::OpenAgain).await;
    place(world, ana, 1).await;
    // The same key repeats its answer, even after the result.
    report(world, 2, 3, Report::Won).await;
    let again = world.stores.bets.place(order(ana, 1)).await.expect("the store answers");
    assert!(matches!(again, Placed::Replayed(_)), "{again:?}");
}

pub(crate) async fn work_is_done_in_batches_and_remembered(world: &World) {
    let ana = world.account("ana", 25_000).await;
    place_all(&world.stores, (0..25).map(|number| order(ana, number))).await;
    world.stores.settlements.store_results(results(1, 1, Report::Lost), LATER).await.expect("the store answers");
    let mut graded = Vec::new();
    loop {
        let batch = settle_next(world, 1, 7).await;
        graded.push((batch.graded, batch.events.len()));
        if batch.is_finished {
            break;
        }
        assert_eq!(world.stores.settlements.waiting_work(i64::MAX, 100).await.expect("the store answers"), [work(1)]);
    }
    assert_eq!(graded, [(7, 7), (7, 7), (7, 7), (4, 4)]);
    assert_eq!(world.stores.settlements.waiting_work(i64::MAX, 100).await.expect("the store answers"), []);
    assert!(settle_next(world, 1, 10).await.is_finished, "work that is done stays done");
}

pub(crate) async fn two_workers_settle_each_bet_once(world: &World) {
    let ana = world.account("ana", 40_000).await;
    let bob = world.account("bob", 40_000).await;
    let orders = (0..40).flat_map(|number| [order(ana, number), order(bob, 100 + number)]);
    place_all(&world.stores, orders).await;
    for match_of in [1, 2] {
        world
            .stores
            .settlements
            .store_results(results(match_of, 1, Report::Won), LATER)
            .await
            .expect("the store answers");
    }
    let worker = async |match_of: u64| {
        let mut settled = 0;
        loop {
            let batch = settle_next(world, match_of, 7).await;
            settled += batch.events.iter().filter(|event| is_settled(event)).count();
            if batch.is_finished {
                return settled;
            }
        }
    };
    let settled: usize = join_all([worker(1), worker(2), worker(1), worker(2)]).await.into_iter().sum();
    assert_eq!((settled, world.balance(ana).await, world.balance(bob).await), (80, 40 * 2728, 40 * 2728));
}

pub(crate) async fn watched_accounts_are_settled_first(world: &World) {
    let ana = world.account("ana", 1000).await;
    let bob = world.account("bob", 1000).await;
    place(world, ana, 1).await;
    place(world, bob, 2).await;
    world.stores.settlements.store_results(results(1, 1, Report::Lost), LATER).await.expect("the store answers");
    let scope = SettleScope::Accounts(vec![bob]);
    let batch = world.stores.settlements.settle(work(1), scope, LATER).await;
    let batch = batch.expect("the store answers");
    assert_eq!((batch.events.len(), batch.events[0].account, batch.is_finished), (1, bob, false));
    assert_eq!(bet(world, ana, 1).await.state, BetState::Open);
    let rest = settle_next(world, 1, 10).await;
    assert_eq!((rest.graded, rest.events.len(), rest.events[0].account), (2, 1, ana));
}

pub(crate) async fn a_statement_lists_the_ledger_of_an_account_and_sums_to_its_balance(world: &World) {
    let ana = world.account("ana", 3000).await;
    let bob = world.account("bob", 3000).await;
    place(world, ana, 1).await;
    place(world, bob, 2).await;
    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    report(world, 2, 2, Report::Lost).await;

    let page = async |before, limit| {
        let page = world.stores.settlements.statement(ana, before, None, None, limit).await;
        page.expect("the store answers")
    };
    let all = page(None, 100).await;
    let lines: Vec<(&str, i64, i64)> =
        all.entries.iter().map(|entry| (entry.kind.code(), entry.amount.cents(), entry.balance.cents())).collect();
    assert_eq!(
        lines,
        [("correction", -2728, 2000), ("payout", 2728, 4728), ("stake", -1000, 2000), ("opening", 3000, 3000)]
    );
    let ticket = Some(order(ana, 1).ticket_id);
    let tickets: Vec<_> = all.entries.iter().map(|entry| entry.ticket_id.clone()).collect();
    assert_eq!(tickets, [ticket.clone(), ticket.clone(), ticket, None]);
    assert_eq!(all.next, None);

    let first = page(None, 3).await;
    let rest = page(first.next, 3).await;
    assert_eq!([first.entries, rest.entries].concat(), all.entries);
    let store = &world.stores.settlements;
    let between = store.statement(ana, None, Some(NOW + 1), Some(LATER), 100).await.expect("the store answers");
    assert_eq!(between.entries, all.entries[2..3]);
}

pub(crate) async fn tickets_are_listed_by_state(world: &World) {
    let ana = world.account("ana", 5000).await;
    for number in 1..=4 {
        let mut order = order(ana, number);
        order.bet.pairs = vec![pair(u64::from(number))];
        world.stores.bets.place(order).await.expect("the store answers");
    }
    report(world, 2, 1, Report::Lost).await;
    report(world, 3, 1, Report::Void).await;
    for (filter, expected) in
        [(TicketFilter::All, vec![4, 3, 2, 1]), (TicketFilter::Open, vec![4, 1]), (TicketFilter::Settled, vec![3, 2])]
    {
        let mut found = Vec::new();
        let mut after = None;
        loop {
            let page = world.stores.bets.tickets(ana, filter, after.as_ref(), 1).await.expect("the store answers");
            let page = page.expect("a page");
            found.extend(page.tickets.into_iter().map(|stored| stored.ticket_id));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let expected: Vec<_> = expected.into_iter().map(|number| order(ana, number).ticket_id).collect();
        assert_eq!(found, expected, "{filter:?}");
    }
}
