//! Limits and exclusions in any store (CONTRACT 9): no bet is placed beyond them, whatever happens at the same moment.

use crate::settlement::{Report, place, report};
use crate::world::{NOW, World, count_placed, order, place_all};
use futures_util::future::join;
use kvota_domain::money::Money;
use kvota_domain::protection::{Exclusion, ExclusionKind, LimitChange, LimitKind, Protection};
use kvota_domain::session::SessionId;
use kvota_domain::ticket::AccountFacts;
use kvota_store::{AccountId, CheckAnswer, Login, NewLogin, PlaceBet, Placed, Protected, ProtectionChange};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

async fn limit(world: &World, account: AccountId, changes: &[LimitChange], now_ms: i64) -> Protection {
    let change = ProtectionChange::Limits { changes: changes.to_vec(), raise_after_ms: DAY_MS };
    match world.stores.protection.protect(account, change, now_ms).await.expect("the store answers") {
        Protected::Stored(protection) => protection,
        Protected::ShorterExclusion => panic!("a limit is no exclusion"),
    }
}

async fn exclude(world: &World, account: AccountId, until_ms: Option<i64>, now_ms: i64) -> Protected {
    let exclusion = Exclusion { kind: ExclusionKind::TimeOut, until_ms };
    let change = ProtectionChange::Exclude(exclusion);
    world.stores.protection.protect(account, change, now_ms).await.expect("the store answers")
}

fn cookie(number: u8) -> SessionId {
    SessionId::from_bytes([number; 16])
}

async fn log_in(world: &World, account: AccountId, number: u8, created_at_ms: i64) {
    let login =
        NewLogin { account, expires_at_ms: NOW + DAY_MS, created_at_ms: Some(created_at_ms), agent: String::new() };
    world.stores.accounts.log_in(cookie(number), login).await.expect("the store answers");
}

/// When the login ends, and the times of the limits.
async fn times(world: &World, number: u8) -> (i64, Option<i64>, Option<i64>) {
    let login = world.stores.accounts.login(cookie(number), NOW).await.expect("the store answers").expect("a login");
    (login.expires_at_ms, login.times.ends_at_ms, login.times.check_due_at_ms)
}

/// The bet `number` at another time.
fn at(account: AccountId, number: u32, placed_at_ms: i64) -> PlaceBet {
    let mut order = order(account, number);
    order.bet.placed_at_ms = placed_at_ms;
    order
}

/// The facts that prevent a bet.
async fn obstacle(world: &World, order: PlaceBet) -> AccountFacts {
    match world.stores.bets.place(order).await.expect("the store answers") {
        Placed::OverLimit(facts) => facts,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn protection_is_kept_with_its_account_and_its_history(world: &World) {
    let (ana, iva) = (world.account("ana", 0).await, world.account("iva", 0).await);
    let protection = &world.stores.protection;
    assert_eq!(protection.protection(ana).await.expect("the store answers"), Some(Protection::default()));
    limit(world, ana, &[(LimitKind::StakeDay, Some(5_000)), (LimitKind::Session, Some(60))], NOW).await;
    let stored = limit(world, ana, &[(LimitKind::StakeDay, None)], NOW + 1).await;
    assert_eq!(protection.protection(ana).await.expect("the store answers"), Some(stored.clone()));
    let account = world.stores.accounts.account(ana).await.expect("the store answers").expect("an account");
    assert_eq!(account.protection, stored);

    exclude(world, ana, Some(NOW + DAY_MS), NOW + 2).await;
    exclude(world, iva, None, NOW).await;
    let first = protection.history(ana, None, 2).await.expect("the store answers");
    let shown = |page: &kvota_store::HistoryPage| {
        page.entries.iter().map(|entry| (entry.at_ms, entry.kind.clone(), entry.details.clone())).collect::<Vec<_>>()
    };
    let exclusion = format!(r#"{{"kind":"time_out","until":{}}}"#, NOW + DAY_MS);
    let removed = format!(r#"{{"effectiveAt":{},"from":"50.00","limit":"stake.day","to":null}}"#, NOW + 1 + DAY_MS);
    let entry = |at_ms, kind: &str, details: String| (at_ms, kind.to_owned(), details);
    assert_eq!(shown(&first), [entry(NOW + 2, "exclusion", exclusion), entry(NOW + 1, "limit", removed)]);
    let second = protection.history(ana, first.next, 2).await.expect("the store answers");
    assert_eq!((second.entries.len(), second.next), (2, None));
}

pub(crate) async fn excluded_account_places_no_bet_until_the_exclusion_is_over(world: &World) {
    let ana = world.account("ana", 10_000).await;
    place(world, ana, 1).await;
    let until = NOW + DAY_MS;
    exclude(world, ana, Some(until), NOW).await;
    assert_eq!(exclude(world, ana, Some(until - 1), NOW).await, Protected::ShorterExclusion);

    let facts = obstacle(world, at(ana, 2, until - 1)).await;
    assert_eq!(facts.exclusion.map(|exclusion| exclusion.until_ms), Some(Some(until)));
    let facts = world.stores.bets.facts(ana, &[], order(ana, 1).limits, until - 1).await.expect("the store answers");
    assert!(facts.expect("an account").exclusion.is_some());
    let replayed = world.stores.bets.place(order(ana, 1)).await.expect("the store answers");
    assert!(matches!(replayed, Placed::Replayed(_)), "an answer that was given stays");
    let after = world.stores.bets.place(at(ana, 2, until)).await.expect("the store answers");
    assert!(matches!(after, Placed::Placed { .. }), "{after:?}");
}

pub(crate) async fn stakes_of_a_sliding_window_count_against_their_limit(world: &World) {
    let ana = world.account("ana", 100_000).await;
    limit(world, ana, &[(LimitKind::StakeDay, Some(2_500)), (LimitKind::StakeWeek, Some(4_000))], NOW).await;
    // Each bet costs 10.00.
    for (number, hour) in [(1, 0), (2, 12)] {
        let placed = world.stores.bets.place(at(ana, number, NOW + hour * HOUR_MS)).await.expect("the store answers");
        assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
    }
    let facts = obstacle(world, at(ana, 3, NOW + 23 * HOUR_MS)).await;
    let left =
        |facts: &AccountFacts| facts.allowances.iter().map(|left| (left.kind, left.left.cents())).collect::<Vec<_>>();
    assert_eq!(left(&facts), [(LimitKind::StakeDay, 500), (LimitKind::StakeWeek, 2_000)]);
    // A day after the first bet it no longer counts.
    for (number, hour) in [(3, 24), (4, 48)] {
        let placed = world.stores.bets.place(at(ana, number, NOW + hour * HOUR_MS)).await.expect("the store answers");
        assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
    }
    let facts = obstacle(world, at(ana, 5, NOW + 100 * HOUR_MS)).await;
    assert_eq!(left(&facts), [(LimitKind::StakeDay, 2_500), (LimitKind::StakeWeek, 0)]);
    let sums = world.stores.protection.flows(ana, NOW + 48 * HOUR_MS).await.expect("the store answers");
    assert_eq!(sums.staked.map(Money::cents), [1_000, 4_000, 4_000]);
    let long_after = world.stores.protection.flows(ana, NOW + 31 * DAY_MS).await.expect("the store answers");
    assert_eq!(long_after.staked.map(Money::cents), [0, 0, 1_000]);
}

pub(crate) async fn payouts_count_against_a_limit_of_losses(world: &World) {
    let ana = world.account("ana", 100_000).await;
    limit(world, ana, &[(LimitKind::LossDay, Some(2_500))], NOW).await;
    place(world, ana, 1).await;
    place(world, ana, 2).await;
    let lost = obstacle(world, order(ana, 3)).await;
    assert_eq!(lost.allowances.iter().map(|left| left.left.cents()).collect::<Vec<_>>(), [500]);

    // Both bets win 27.28, so that more may be lost than the limit says.
    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    let sums = world.stores.protection.flows(ana, NOW + DAY_MS - 1).await.expect("the store answers");
    assert_eq!((sums.staked[0].cents(), sums.returned[0].cents()), (2_000, 5_456));
    let facts = world.stores.bets.facts(ana, &[], order(ana, 1).limits, NOW + 1).await.expect("the store answers");
    assert_eq!(facts.expect("an account").allowances[0].left.cents(), 2_500 - 2_000 + 5_456);
    // A correction takes one win back.
    report(world, 2, 2, Report::Lost).await;
    let sums = world.stores.protection.flows(ana, NOW + DAY_MS - 1).await.expect("the store answers");
    assert_eq!(sums.returned.map(Money::cents), [0, 0, 0]);
}

pub(crate) async fn limits_in_minutes_concern_present_and_later_logins(world: &World) {
    const MINUTE_MS: i64 = 60_000;
    let (ana, iva) = (world.account("ana", 0).await, world.account("iva", 0).await);
    log_in(world, ana, 1, NOW - 10 * MINUTE_MS).await;
    log_in(world, iva, 2, NOW).await;
    assert_eq!(times(world, 1).await, (NOW + DAY_MS, None, None));
    limit(world, ana, &[(LimitKind::Session, Some(60)), (LimitKind::RealityCheck, Some(15))], NOW).await;
    let ends = NOW + 50 * MINUTE_MS;
    assert_eq!(times(world, 1).await, (ends, Some(ends), Some(NOW + 5 * MINUTE_MS)));
    assert_eq!(times(world, 2).await, (NOW + DAY_MS, None, None), "another account");
    log_in(world, ana, 3, NOW).await;
    let later = NOW + 60 * MINUTE_MS;
    assert_eq!(times(world, 3).await, (later, Some(later), Some(NOW + 15 * MINUTE_MS)));

    // Use does not extend a login beyond its limit, also if the caller did not know it yet.
    let renewed = Login::until(ana, NOW + DAY_MS);
    assert!(world.stores.accounts.renew_login(cookie(1), renewed).await.expect("the store answers"));
    assert_eq!(times(world, 1).await.0, ends);

    let protection = &world.stores.protection;
    let answer = |number, now_ms| async move {
        protection.answer_reality_check(cookie(number), now_ms).await.expect("the store answers")
    };
    assert_eq!(answer(1, NOW + 4 * MINUTE_MS).await, CheckAnswer::NotDue, "answered before it was sent");
    assert_eq!(times(world, 1).await.2, Some(NOW + 5 * MINUTE_MS));
    assert_eq!(answer(1, NOW + 6 * MINUTE_MS).await, CheckAnswer::Answered(ana));
    assert_eq!(times(world, 1).await, (ends, Some(ends), Some(NOW + 21 * MINUTE_MS)));
    assert_eq!(answer(2, NOW).await, CheckAnswer::NotDue, "without a limit");
    assert_eq!(answer(9, NOW).await, CheckAnswer::NoLogin);
    // The answered check counts, also when a limit changes.
    limit(world, ana, &[(LimitKind::RealityCheck, Some(10))], NOW).await;
    assert_eq!(times(world, 1).await.2, Some(NOW + 16 * MINUTE_MS));
    limit(world, ana, &[(LimitKind::StakeDay, Some(1))], NOW).await;
    assert_eq!(times(world, 1).await, (ends, Some(ends), Some(NOW + 16 * MINUTE_MS)));

    // A login of an older version, of which the beginning is unknown, begins with the first change alone.
    world.stores.accounts.log_in(cookie(4), Login::until(iva, NOW + DAY_MS).into()).await.expect("the store answers");
    limit(world, iva, &[(LimitKind::RealityCheck, Some(15))], NOW).await;
    limit(world, iva, &[(LimitKind::Session, Some(60))], NOW + MINUTE_MS).await;
    assert_eq!(times(world, 4).await, (NOW + 60 * MINUTE_MS, Some(NOW + 60 * MINUTE_MS), Some(NOW + 15 * MINUTE_MS)));
    let ended = world.stores.accounts.login(cookie(4), NOW + 60 * MINUTE_MS).await.expect("the store answers");
    assert_eq!(ended, None);
}

pub(crate) async fn change_of_nothing_is_no_entry_of_the_history(world: &World) {
    let ana = world.account("ana", 0).await;
    limit(world, ana, &[(LimitKind::StakeDay, Some(5))], NOW).await;
    limit(world, ana, &[(LimitKind::StakeDay, Some(5))], NOW + 1).await;
    limit(world, ana, &[], NOW + 2).await;
    let page = world.stores.protection.history(ana, None, 10).await.expect("the store answers");
    assert_eq!(page.entries.iter().map(|entry| entry.at_ms).collect::<Vec<_>>(), [NOW]);
}

pub(crate) async fn stakes_and_payouts_since_a_time_are_summed(world: &World) {
    let ana = world.account("ana", 10_000).await;
    for number in [1, 2] {
        place(world, ana, number).await;
    }
    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    let since = |since_ms| async move {
        let (staked, returned) = world.stores.protection.flows_since(ana, since_ms).await.expect("the store answers");
        (staked.cents(), returned.cents())
    };
    assert_eq!(since(NOW).await, (2_000, 5_456));
    assert_eq!(since(NOW + 1).await, (1_000, 5_456), "the first bet was placed before");
    assert_eq!(since(NOW + DAY_MS).await, (0, 0));
}

pub(crate) async fn bets_at_the_same_moment_do_not_exceed_a_limit(world: &World) {
    let ana = world.account("ana", 1_000_000).await;
    limit(world, ana, &[(LimitKind::StakeMonth, Some(5_000))], NOW).await;
    let outcomes = place_all(&world.stores, (1..=20).map(|number| order(ana, number))).await;
    assert_eq!(count_placed(&outcomes), 5);
    assert_eq!(world.balance(ana).await, 1_000_000 - 5_000);
}

pub(crate) async fn bet_at_the_moment_of_an_exclusion_is_placed_before_it_or_not_at_all(world: &World) {
    let ana = world.account("ana", 1_000_000).await;
    let bets = place_all(&world.stores, (1..=20).map(|number| at(ana, number, NOW + 1)));
    let (outcomes, excluded) = join(bets, exclude(world, ana, None, NOW)).await;
    assert!(matches!(excluded, Protected::Stored(_)));
    let placed = count_placed(&outcomes);
    assert_eq!(world.balance(ana).await, 1_000_000 - 1_000 * i64::try_from(placed).expect("a few"));
    obstacle(world, at(ana, 21, NOW + 1)).await;
}
