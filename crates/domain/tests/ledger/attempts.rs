//! Attempts to move money: cash-outs, payments, and bets beyond a limit.

use crate::kit::{NOW_MS, bet, held, money, result};
use kvota_domain::bet::{Bet, BetState, CashOutRule};
use kvota_domain::ids::MatchId;
use kvota_domain::ledger::{
    CashOutAttempt, CashOutObstacle, Decision, LoadedBet, PaymentAttempt, PaymentKind, PaymentObstacle, account_facts,
    decide, is_over,
};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::protection::{Exclusion, ExclusionKind, Flows, LimitKind, Protection};
use kvota_domain::settlement::{CashOutShare, CashOutTerms, PostingKind};
use kvota_domain::ticket::{MatchFacts, PlacingLimits};

fn cashing_out(loaded: LoadedBet, rule: Option<i64>, change: impl FnOnce(&mut CashOutAttempt<'_>)) -> Decision {
    let (odds, rules) = ([Price::parse("1.5")], CashOutTerms::default());
    let mut attempt = CashOutAttempt {
        is_by_rule: false,
        share: CashOutShare::WHOLE,
        odds_now: &odds,
        rules: &rules,
        rest_min: money(51),
        net_min: None,
        now_ms: NOW_MS,
    };
    change(&mut attempt);
    let rule = rule.map(|cents| CashOutRule { at_least: money(cents) });
    decide(loaded, held(0, 0), rule, &attempt).unwrap()
}

fn obstacle(decision: Decision) -> Option<CashOutObstacle> {
    match decision {
        Decision::Reject(obstacle) => Some(obstacle),
        Decision::Write(_) => None,
    }
}

#[test]
fn cash_out_pays_the_present_value_and_ends_the_bet() {
    let Decision::Write(plan) = cashing_out(bet(1, &["2"]), None, |_| {}) else { panic!("it pays") };
    let paid = plan.payment.unwrap().paid;
    // 10.00 at 2.00 is worth 20.00 / 1.50, less 5 %.
    assert_eq!(paid, money(1_267));
    assert_eq!(plan.batch.accounts[&1].balance, paid);
    assert_eq!(plan.batch.bets[0].state, BetState::CashedOut);
    let (receipt, event) = plan.outcome(Vec::new());
    assert_eq!((receipt.balance, receipt.state), (paid, BetState::CashedOut));
    assert_eq!(event.unwrap().money.balance, paid);
}

#[test]
fn known_result_settles_the_bet_instead_of_cashing_it_out() {
    let mut won = bet(1, &["2"]);
    won.bet.pairs[0].market = Some(result(1, Some(1)));
    let Decision::Write(plan) = cashing_out(won, None, |_| {}) else { panic!("it is settled") };
    assert_eq!(plan.payment, None);
    assert_eq!((plan.batch.bets[0].state, plan.batch.accounts[&1].balance), (BetState::Won, money(2_000)));
}

#[test]
fn cash_out_is_rejected_with_its_obstacle() {
    let in_state = |state| {
        let mut loaded = bet(1, &["2"]);
        loaded.bet.state = state;
        loaded
    };
    let open = || bet(1, &["2"]);
    let by_rule = |attempt: &mut CashOutAttempt<'_>| attempt.is_by_rule = true;
    assert_eq!(obstacle(cashing_out(in_state(BetState::CashedOut), None, |_| {})), Some(CashOutObstacle::NotOpen));
    assert_eq!(obstacle(cashing_out(in_state(BetState::Won), None, |_| {})), None, "the answer is its state");
    assert_eq!(obstacle(cashing_out(in_state(BetState::Won), Some(1), by_rule)), Some(CashOutObstacle::NotOpen));
    assert_eq!(obstacle(cashing_out(open(), None, by_rule)), Some(CashOutObstacle::NoRule));
    assert_eq!(obstacle(cashing_out(open(), Some(1_267), by_rule)), None);
    assert_eq!(obstacle(cashing_out(open(), Some(1_268), by_rule)), Some(CashOutObstacle::ValueChanged));
    let wants = |cents| move |attempt: &mut CashOutAttempt<'_>| attempt.net_min = Some(money(cents));
    assert_eq!(obstacle(cashing_out(open(), None, wants(1_268))), Some(CashOutObstacle::ValueChanged));
    let closed = |attempt: &mut CashOutAttempt<'_>| attempt.odds_now = &[None];
    assert_eq!(obstacle(cashing_out(open(), None, closed)), Some(CashOutObstacle::NotBettable));
    let other_pairs = |attempt: &mut CashOutAttempt<'_>| attempt.odds_now = &[];
    assert_eq!(obstacle(cashing_out(open(), None, other_pairs)), Some(CashOutObstacle::NotBettable));
    let nearly_all = |attempt: &mut CashOutAttempt<'_>| attempt.share = CashOutShare::parse("0.95").unwrap();
    assert_eq!(obstacle(cashing_out(open(), None, nearly_all)), Some(CashOutObstacle::BelowMinimum));
}

#[test]
fn payment_is_booked_or_rejected_with_its_obstacle() {
    let attempt = |kind, cents| PaymentAttempt { kind, is_refused: false, amount: money(cents), now_ms: NOW_MS };
    let deposit = |cents| attempt(PaymentKind::Deposit, cents);
    let withdrawal = |cents| attempt(PaymentKind::Withdrawal, cents);
    let (free, flows) = (Protection::default(), Flows::default());

    let booked = deposit(1_000).book(held(0, 400), &free, &flows).unwrap().unwrap();
    assert_eq!((booked.held.balance, booked.held.receivable), (money(600), Money::ZERO), "a debt is paid off first");
    assert_eq!(
        booked.postings.iter().map(|(posting, _)| posting.kind).collect::<Vec<_>>(),
        [PostingKind::Deposit, PostingKind::Receivable]
    );
    let booked = withdrawal(1_000).book(held(1_000, 0), &free, &flows).unwrap().unwrap();
    assert_eq!(booked.held.balance, Money::ZERO);

    let not_enough = PaymentObstacle::NotEnough { balance: money(999) };
    assert_eq!(withdrawal(1_000).book(held(999, 0), &free, &flows).unwrap(), Err(not_enough));
    let refused = PaymentAttempt { is_refused: true, ..deposit(1) };
    assert_eq!(refused.book(held(0, 0), &free, &flows).unwrap(), Err(PaymentObstacle::Refused));
    let exclusion = Exclusion { kind: ExclusionKind::TimeOut, until_ms: Some(NOW_MS + 1) };
    let excluded = free.with_exclusion(exclusion, 0).unwrap();
    assert_eq!(deposit(1).book(held(0, 0), &excluded, &flows).unwrap(), Err(PaymentObstacle::Excluded(exclusion)));
    assert!(withdrawal(1).book(held(1, 0), &excluded, &flows).unwrap().is_ok(), "one's own money can be withdrawn");
    let limited = free.with_limits(&[(LimitKind::DepositDay, Some(1_000))], 0, 0);
    let so_far = Flows { deposited: [money(900); 3], ..Flows::default() };
    assert!(deposit(100).book(held(0, 0), &limited, &so_far).unwrap().is_ok());
    assert!(matches!(deposit(101).book(held(0, 0), &limited, &so_far).unwrap(), Err(PaymentObstacle::OwnLimit(_))));
    let mut unknown = free;
    unknown.unknown.insert("bets.day".to_owned(), "{}".to_owned());
    assert_eq!(deposit(1).book(held(0, 0), &unknown, &flows).unwrap(), Err(PaymentObstacle::UnknownProtection));
    assert!(deposit(1).book(held(i64::MAX, 0), &Protection::default(), &flows).is_err());
}

#[test]
fn bet_beyond_a_limit_is_noticed() {
    let bet = Bet { bruto: money(1_000), payout: money(5_000), ..any_bet() };
    let on_match = |stake, payout| {
        vec![MatchFacts { match_id: MatchId::new(1).unwrap(), stake: money(stake), payout: money(payout) }]
    };
    let free = account_facts(money(0), money(500), &Protection::default(), &Flows::default(), NOW_MS);
    let none = PlacingLimits::default();
    let user = |cents| PlacingLimits { user_stake_max: Some(money(cents)), ..none };
    let stake = |cents| PlacingLimits { match_stake_max: Some(money(cents)), ..none };
    let payout = |cents| PlacingLimits { match_payout_max: Some(money(cents)), ..none };
    for (limits, matches, is_beyond) in [
        (none, on_match(1_000_000, 1_000_000), false),
        (user(1_500), Vec::new(), false),
        (user(1_499), Vec::new(), true),
        (stake(1_000), Vec::new(), false),
        (stake(999), Vec::new(), true),
        (stake(1_500), on_match(500, 0), false),
        (stake(1_500), on_match(501, 0), true),
        (payout(5_000), Vec::new(), false),
        (payout(4_999), Vec::new(), true),
        (payout(6_000), on_match(0, 1_001), true),
    ] {
        let facts = kvota_domain::ticket::AccountFacts { matches, ..free.clone() };
        assert_eq!(is_over(&facts, &bet, &limits), is_beyond, "{limits:?}");
    }
    let limited = Protection::default().with_limits(&[(LimitKind::StakeDay, Some(1_200))], 0, 0);
    for (staked, is_beyond) in [(200, false), (201, true)] {
        let flows = Flows { staked: [money(staked); 3], ..Flows::default() };
        let facts = account_facts(money(0), Money::ZERO, &limited, &flows, NOW_MS);
        assert_eq!(is_over(&facts, &bet, &none), is_beyond, "{staked}");
    }
    let exclusion = Exclusion { kind: ExclusionKind::SelfExclusion, until_ms: None };
    let excluded = Protection::default().with_exclusion(exclusion, 0).unwrap();
    assert!(is_over(&account_facts(money(0), Money::ZERO, &excluded, &Flows::default(), NOW_MS), &bet, &none));
}

fn any_bet() -> Bet {
    Bet {
        placed_at_ms: NOW_MS,
        bruto: Money::ZERO,
        stake: Money::ZERO,
        total_odd: String::new(),
        system_type: 0,
        potential_win: Money::ZERO,
        win_tax: Money::ZERO,
        payout: Money::ZERO,
        consent: kvota_domain::ticket::Consent::Any,
        basis: kvota_domain::bet::BetBasis::default(),
        pairs: Vec::new(),
    }
}
