//! Cash-outs in any store (CONTRACT 8): each is paid once, a bet is either cashed out or settled, and what remains is
//! settled like a bet of its own. Each test ends with an audit of all ledger rules.

use crate::settlement::{Report, bet, place, report, results};
use crate::world::{NOW, World, key, match_id, order, pair, ticket_id};
use kvota_domain::bet::BetChange;
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{CashOutShare, CashOutTerms};
use kvota_domain::ticket::PlacingLimits;
use kvota_store::{
    AccountId, Answer, BetRules, BetState, CashOutDone, CashOutKey, CashOutObstacle, CashOutOrder, CashOutOrigin,
    CashOutRule, Placed, RuleSet, SettleScope, SettlementWork, StoredBet,
};
use std::sync::Arc;

const LATER: i64 = NOW + 60_000;

/// A cash-out of the whole bet `number` at odds 1.30 and 1.17: 18.28 less 0.88 of tax, 17.40.
pub(crate) fn cash_out(account: AccountId, number: u32) -> CashOutOrder {
    let price = |thousandths| Price::from_thousandths(thousandths);
    CashOutOrder {
        account,
        ticket_id: order(account, number).ticket_id,
        origin: CashOutOrigin::Call {
            key: CashOutKey { key: key(1_000_000 + number), digest: [8; 32] },
            answer: Arc::new(|receipt| {
                let paid = receipt.cash_out.map(|cash_out| cash_out.paid.to_string());
                format!("{paid:?} {} {}", receipt.state.as_str(), receipt.balance).into_bytes()
            }),
        },
        share: CashOutShare::WHOLE,
        odds_now: vec![price(1_300), price(1_170)],
        rules: CashOutTerms::default(),
        rest_min: Money::from_cents(100),
        net_min: None,
        now_ms: LATER,
    }
}

fn part(account: AccountId, number: u32, share: &str) -> CashOutOrder {
    CashOutOrder { share: CashOutShare::parse(share).expect("a share"), ..cash_out(account, number) }
}

async fn done(world: &World, order: CashOutOrder) -> CashOutDone {
    world.stores.cash_outs.cash_out(order).await.expect("the store answers")
}

fn text(answer: &Answer) -> &str {
    std::str::from_utf8(&answer.body).expect("a text")
}

/// The body of the answer of a call.
async fn answered(world: &World, order: CashOutOrder) -> String {
    match done(world, order).await {
        CashOutDone::Answered { answer, .. } => text(&answer).to_owned(),
        other => panic!("{other:?}"),
    }
}

fn rest(bet: &StoredBet) -> (i64, i64) {
    (bet.rest.bruto.cents(), bet.rest.taxed_stake.cents())
}

pub(crate) async fn a_whole_cash_out_pays_the_net_amount_and_closes_the_bet(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    let CashOutDone::Answered { answer, event } = done(world, cash_out(ana, 1)).await else { panic!("it is paid") };
    assert_eq!((answer.status, text(&answer)), (200, "Some(\"17.40\") cashed_out 17.40"));
    let event = event.expect("the event to publish");
    let BetChange::CashedOut(progress) = &event.change else { panic!("{event:?}") };
    assert_eq!((event.money.balance.cents(), progress.state, progress.possible), (1740, BetState::CashedOut, None));

    let stored = bet(world, ana, 1).await;
    assert_eq!((stored.state, rest(&stored), stored.revision), (BetState::CashedOut, (0, 0), progress.revision));
    let [only] = stored.cash_outs[..] else { panic!("{stored:?}") };
    let amounts = [only.value, only.win_tax, only.paid].map(Money::cents);
    assert_eq!((amounts, only.share, only.at_ms), ([1828, 88, 1740], CashOutShare::WHOLE, LATER));

    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Lost).await;
    let later = bet(world, ana, 1).await;
    assert_eq!((later.state, later.settlement, world.balance(ana).await), (BetState::CashedOut, None, 1740));
    assert_eq!(later.results[1].result.code(), "lost");
}

pub(crate) async fn a_part_is_paid_and_later_results_count_for_the_rest(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    assert_eq!(answered(world, part(ana, 1, "0.5")).await, "Some(\"8.70\") open 8.70");
    let stored = bet(world, ana, 1).await;
    assert_eq!((stored.state, rest(&stored)), (BetState::Open, (500, 475)));
    assert_eq!(stored.possible().map(|possible| possible.paid.cents()), Some(1364));

    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    // 4.75 * 1.755 * 1.755 = 14.63; the tax is 10 % of 9.88.
    let settled = bet(world, ana, 1).await;
    let paid = settled.settlement.as_ref().map(|settlement| settlement.paid.cents());
    assert_eq!((settled.state, paid, world.balance(ana).await), (BetState::Won, Some(1364), 870 + 1364));
    // A correction takes back the settlement of the rest alone.
    report(world, 2, 2, Report::Lost).await;
    let lost = bet(world, ana, 1).await;
    assert_eq!((lost.state, world.balance(ana).await, lost.cash_outs.len()), (BetState::Lost, 870, 1));
}

pub(crate) async fn a_settlement_that_came_first_is_the_answer(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    report(world, 1, 1, Report::Lost).await;
    let CashOutDone::Answered { answer, event } = done(world, cash_out(ana, 1)).await else { panic!("an answer") };
    assert_eq!((text(&answer), event), ("None lost 0.00", None));
    assert_eq!(done(world, cash_out(ana, 1)).await, CashOutDone::Replayed(answer));
}

pub(crate) async fn waiting_results_settle_the_bet_instead(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    for match_of in [1, 2] {
        let stored = world.stores.settlements.store_results(results(match_of, 1, Report::Won), LATER).await;
        stored.expect("the store answers");
    }
    let CashOutDone::Answered { answer, event } = done(world, cash_out(ana, 1)).await else { panic!("an answer") };
    assert_eq!(text(&answer), "None won 27.28");
    assert!(matches!(event.expect("an event").change, BetChange::Settled(_)));
    for match_of in [1, 2] {
        assert_eq!(report(world, match_of, 1, Report::Won).await.events, []);
    }
    assert_eq!(world.balance(ana).await, 2728);
}

pub(crate) async fn a_key_is_one_cash_out(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    let first = answered(world, part(ana, 1, "0.5")).await;
    let CashOutDone::Replayed(again) = done(world, part(ana, 1, "0.5")).await else { panic!("the same answer") };
    assert_eq!(text(&again), first);
    let mut other = part(ana, 1, "0.25");
    if let CashOutOrigin::Call { key, .. } = &mut other.origin {
        key.digest = [9; 32];
    }
    assert_eq!(done(world, other).await, CashOutDone::KeyConflict);
    let mut of_the_bet = part(ana, 1, "0.25");
    if let CashOutOrigin::Call { key: of_call, .. } = &mut of_the_bet.origin {
        of_call.key = key(1);
    }
    assert_eq!(done(world, of_the_bet).await, CashOutDone::KeyConflict);
    assert_eq!((bet(world, ana, 1).await.cash_outs.len(), world.balance(ana).await), (1, 870));
}

pub(crate) async fn a_rejected_cash_out_writes_nothing_and_leaves_the_key(world: &World) {
    let (ana, bob) = (world.account("ana", 2000).await, world.account("bob", 0).await);
    place(world, ana, 1).await;
    let one_pair = |thousandths| vec![Price::from_thousandths(thousandths), None];
    let shown = |cents| Some(Money::from_cents(cents));
    for (order, expected) in [
        (CashOutOrder { odds_now: one_pair(1_300), ..cash_out(ana, 1) }, CashOutObstacle::NotBettable),
        (CashOutOrder { odds_now: Vec::new(), ..cash_out(ana, 1) }, CashOutObstacle::NotBettable),
        (CashOutOrder { net_min: shown(1741), ..cash_out(ana, 1) }, CashOutObstacle::ValueChanged),
        (part(ana, 1, "0.91"), CashOutObstacle::BelowMinimum),
        (
            CashOutOrder {
                rules: CashOutTerms { min: Money::from_cents(1741), ..CashOutTerms::default() },
                ..cash_out(ana, 1)
            },
            CashOutObstacle::BelowMinimum,
        ),
        (CashOutOrder { origin: CashOutOrigin::Rule, ..cash_out(ana, 1) }, CashOutObstacle::NoRule),
    ] {
        let shown = format!("{order:?}");
        assert_eq!(done(world, order).await, CashOutDone::Rejected(expected), "{shown}");
    }
    let of_bob = CashOutOrder { account: bob, ..cash_out(ana, 1) };
    assert_eq!(done(world, of_bob).await, CashOutDone::NoTicket);
    let unknown = CashOutOrder { ticket_id: ticket_id("unknown"), ..cash_out(ana, 1) };
    assert_eq!(done(world, unknown).await, CashOutDone::NoTicket);

    let exact = CashOutOrder { net_min: shown(1740), ..cash_out(ana, 1) };
    assert_eq!(answered(world, exact).await, "Some(\"17.40\") cashed_out 27.40");
    let mut again = cash_out(ana, 1);
    if let CashOutOrigin::Call { key: of_call, .. } = &mut again.origin {
        of_call.key = key(77);
    }
    assert_eq!(done(world, again).await, CashOutDone::Rejected(CashOutObstacle::NotOpen));
}

pub(crate) async fn a_decided_pair_counts_with_its_factor(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    report(world, 1, 1, Report::Won).await;
    let odds_now = vec![None, Price::from_thousandths(1_755)];
    // 9.50 * 1.755 * 0.95 = 15.84; the tax is 10 % of 6.34.
    assert_eq!(
        answered(world, CashOutOrder { odds_now, ..cash_out(ana, 1) }).await,
        "Some(\"15.21\") cashed_out 15.21"
    );
}

/// A bet that may pay 20.00 is cashed out in four parts of 8.70 or less, and the rest is won.
pub(crate) async fn payments_of_a_bet_are_at_most_its_maximum_payout(world: &World) {
    let ana = world.account("ana", 1000).await;
    let mut rules = BetRules::default();
    rules.rules.limits.max_payout = Money::from_cents(2_000);
    let mut limited = order(ana, 1);
    limited.bet.basis.rules = Some(rules);
    let placed = world.stores.bets.place(limited).await.expect("the store answers");
    assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
    for number in 1..=4 {
        let again = CashOutOrder {
            ticket_id: order(ana, 1).ticket_id,
            rest_min: Money::from_cents(1),
            ..part(ana, number, "0.5")
        };
        let CashOutDone::Answered { event, .. } = done(world, again).await else { panic!("it is paid") };
        let BetChange::CashedOut(progress) = event.expect("the event to publish").change else { panic!("a cash-out") };
        assert_eq!(progress.possible, bet(world, ana, 1).await.possible(), "the event knows what was paid before");
    }
    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    let settled = bet(world, ana, 1).await;
    let parts: i64 = settled.cash_outs.iter().map(|part| part.paid.cents()).sum();
    let rest = settled.settlement.expect("it is settled").paid.cents();
    // The rest alone would pay 2.07.
    assert_eq!(
        (parts + rest <= 2_000, rest > 0, world.balance(ana).await),
        (true, true, parts + rest),
        "{parts} {rest}"
    );
    assert_eq!(world.stores.audit().await.expect("the store answers").findings, [""; 0]);
}

pub(crate) async fn nothing_is_cashed_out_while_betting_is_paused(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    world.stores.betting_pause.pause(NOW).await.expect("the store answers");
    let paused = done(world, cash_out(ana, 1)).await;
    assert_eq!(paused, CashOutDone::Rejected(CashOutObstacle::NotBettable));
    assert_eq!((world.balance(ana).await, bet(world, ana, 1).await.cash_outs.len()), (0, 0));
    // A bet that is decided is settled all the same.
    report(world, 1, 1, Report::Lost).await;
    let CashOutDone::Answered { answer, .. } = done(world, cash_out(ana, 1)).await else { panic!("an answer") };
    assert_eq!(text(&answer), "None lost 0.00");
    world.stores.betting_pause.resume().await.expect("the store answers");
}

pub(crate) async fn a_debt_is_paid_off_first(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1).await;
    for match_of in [1, 2] {
        report(world, match_of, 1, Report::Won).await;
    }
    for number in [2, 3] {
        let mut other = order(ana, number);
        for pair in &mut other.bet.pairs {
            pair.match_id = match_id(pair.match_id.get() + 10);
        }
        world.stores.bets.place(other).await.expect("the store answers");
    }
    report(world, 1, 2, Report::Lost).await;
    let money = async || world.stores.accounts.money(ana).await.expect("the store answers").expect("an account");
    let owed = money().await;
    assert_eq!((owed.balance.cents(), owed.receivable.cents()), (0, 2000));
    assert_eq!(answered(world, cash_out(ana, 2)).await, "Some(\"17.40\") cashed_out 0.00");
    let owed = money().await;
    assert_eq!((owed.balance.cents(), owed.receivable.cents()), (0, 260));
    assert_eq!(answered(world, cash_out(ana, 3)).await, "Some(\"17.40\") cashed_out 14.80");
}

pub(crate) async fn a_rule_is_kept_until_the_bet_is_cashed_out(world: &World) {
    let ana = world.account("ana", 3000).await;
    for number in [1, 2, 3] {
        place(world, ana, number).await;
    }
    let store = &world.stores.cash_outs;
    let rule = |cents| Some(CashOutRule { at_least: Money::from_cents(cents) });
    let set = async |number, rule| {
        let id = order(ana, number).ticket_id;
        store.set_cash_out_rule(ana, &id, rule).await.expect("the store answers")
    };
    let RuleSet::Set(Some(event)) = set(1, rule(1500)).await else { panic!("it is set") };
    let BetChange::CashOutRuleChanged(progress) = &event.change else { panic!("{event:?}") };
    assert_eq!(progress.cash_out.as_ref().and_then(|left| left.rule), rule(1500));
    assert_eq!(set(1, rule(1500)).await, RuleSet::Set(None), "an equal rule is no change");
    assert!(matches!(set(1, rule(1700)).await, RuleSet::Set(Some(_))));
    assert!(matches!(set(2, rule(1000)).await, RuleSet::Set(Some(_))));
    let unknown = store.set_cash_out_rule(ana, &ticket_id("unknown"), rule(1)).await.expect("the store answers");
    assert_eq!(unknown, RuleSet::NoTicket);

    let stored = bet(world, ana, 1).await;
    assert_eq!((stored.cash_out_rule, stored.revision), (rule(1700), 2));
    let page = store.open_bets(0, 1, true).await.expect("the store answers");
    assert_eq!((page.bets.as_slice(), page.next), (&[stored.clone()][..], Some(stored.number)));
    let all = store.open_bets(0, 5, false).await.expect("the store answers");
    assert_eq!((all.bets.len(), all.next), (3, None));
    let page = store.open_bets(stored.number, 5, true).await.expect("the store answers");
    assert_eq!((page.bets.len(), page.next), (1, None));

    let by_rule =
        CashOutOrder { origin: CashOutOrigin::Rule, net_min: Some(Money::from_cents(1700)), ..cash_out(ana, 1) };
    assert!(matches!(done(world, by_rule.clone()).await, CashOutDone::ByRule(_)));
    assert_eq!(done(world, by_rule).await, CashOutDone::Rejected(CashOutObstacle::NotOpen));
    answered(world, part(ana, 2, "0.5")).await;
    assert_eq!((bet(world, ana, 1).await.cash_out_rule, bet(world, ana, 2).await.cash_out_rule), (None, None));
    assert_eq!(set(1, rule(1500)).await, RuleSet::NotOpen);
    assert_eq!(set(1, None).await, RuleSet::Set(None));
    assert!(matches!(set(3, rule(1500)).await, RuleSet::Set(Some(_))));
    assert!(matches!(set(3, None).await, RuleSet::Set(Some(_))));
    assert_eq!(store.open_bets(0, 5, true).await.expect("the store answers").bets, []);
}

pub(crate) async fn open_stakes_count_the_rest_alone(world: &World) {
    let ana = world.account("ana", 2000).await;
    place(world, ana, 1).await;
    place(world, ana, 2).await;
    answered(world, part(ana, 1, "0.25")).await;
    answered(world, cash_out(ana, 2)).await;
    let limits = PlacingLimits { user_stake_max: Some(Money::from_cents(1)), ..PlacingLimits::default() };
    let facts = world.stores.bets.facts(ana, &[], limits, 0).await.expect("the store answers").expect("an account");
    assert_eq!(facts.user_stake.cents(), 750);
}

/// Rounds of the race below; `KVOTA_RACE_ROUNDS` sets another number.
fn rounds() -> u32 {
    std::env::var("KVOTA_RACE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(50)
}

pub(crate) async fn a_cash_out_and_a_settlement_at_once_pay_once(world: &World) {
    let ana = world.account("ana", 100_000_000).await;
    let mut cashed_out = 0;
    for round in 1..=rounds() {
        let mut bet_order = order(ana, round);
        let (of_round, market_id) = (match_id(u64::from(round)), bet_order.bet.pairs[0].market_id);
        bet_order.bet.pairs.truncate(1);
        bet_order.bet.pairs[0].match_id = of_round;
        world.stores.bets.place(bet_order).await.expect("the store answers");
        let before = world.balance(ana).await;
        let odds_now = vec![Price::from_thousandths(1_755)];
        let settling = async {
            let mut lost = results(u64::from(round), 1, Report::Lost);
            lost.markets[0].odds[0].odd = pair(1).odd_id;
            world.stores.settlements.store_results(lost, LATER).await.expect("the store answers");
            let (work, scope) = (SettlementWork { match_id: of_round, market_id }, SettleScope::Next { bets_max: 10 });
            world.stores.settlements.settle(work, scope, LATER).await.expect("the store answers");
        };
        let (done, ()) = tokio::join!(done(world, CashOutOrder { odds_now, ..cash_out(ana, round) }), settling);
        let CashOutDone::Answered { answer, .. } = done else { panic!("{done:?}") };
        let stored = bet(world, ana, round).await;
        let paid = world.balance(ana).await - before;
        match stored.state {
            // 9.50 * 0.95.
            BetState::CashedOut => assert_eq!((paid, stored.settlement.is_none()), (903, true)),
            BetState::Lost => assert_eq!((paid, stored.cash_outs.len()), (0, 0)),
            other => panic!("{other:?}"),
        }
        cashed_out += u32::from(stored.state == BetState::CashedOut);
        assert_eq!(text(&answer).starts_with("Some"), stored.state == BetState::CashedOut, "the answer is true");
    }
    assert!(cashed_out <= rounds());
}
