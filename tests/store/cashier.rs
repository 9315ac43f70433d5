//! Deposits and withdrawals in any store (CONTRACT 9): each is booked once, and never beyond a limit or the balance.

use crate::settlement::{Report, place, report};
use crate::world::{NOW, World, key};
use futures_util::future::join_all;
use kvota_domain::money::Money;
use kvota_domain::protection::{Exclusion, ExclusionKind, LimitKind};
use kvota_store::{AccountId, Paid, Payment, PaymentKind, PaymentObstacle, ProtectionChange};
use std::sync::Arc;

fn payment(account: AccountId, kind: PaymentKind, cents: i64, number: u32) -> Payment {
    Payment {
        account,
        kind,
        is_refused: false,
        amount: Money::from_cents(cents),
        key: key(number),
        digest: [u8::try_from(cents % 251).expect("a byte"); 32],
        answer: Arc::new(|money| format!("{} {}", money.balance, money.receivable).into_bytes()),
        now_ms: NOW,
    }
}

async fn pay(world: &World, payment: Payment) -> Paid {
    world.stores.cashier.pay(payment).await.expect("the store answers")
}

/// The body of the answer.
async fn answered(world: &World, payment: Payment) -> String {
    match pay(world, payment).await {
        Paid::Paid { answer, .. } | Paid::Replayed(answer) => String::from_utf8(answer.body).expect("a text"),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn payments_are_booked_and_shown_in_the_statement(world: &World) {
    let ana = world.account("ana", 10_000).await;
    assert_eq!(answered(world, payment(ana, PaymentKind::Deposit, 2_550, 1)).await, "125.50 0.00");
    assert_eq!(answered(world, payment(ana, PaymentKind::Withdrawal, 12_550, 2)).await, "0.00 0.00");
    let too_much = pay(world, payment(ana, PaymentKind::Withdrawal, 1, 3)).await;
    assert_eq!(too_much, Paid::Rejected(PaymentObstacle::NotEnough { balance: Money::ZERO }));

    let page = world.stores.settlements.statement(ana, None, None, None, 10).await.expect("the store answers");
    let lines: Vec<_> =
        page.entries.iter().map(|line| (line.kind.code(), line.amount.cents(), line.balance.cents())).collect();
    assert_eq!(lines, [("withdrawal", -12_550, 0), ("deposit", 2_550, 12_550), ("opening", 10_000, 10_000)]);
    let money = world.stores.accounts.money(ana).await.expect("the store answers").expect("an account");
    assert_eq!((money.balance, money.revision), (Money::ZERO, 2));
}

pub(crate) async fn a_key_is_one_payment(world: &World) {
    let ana = world.account("ana", 0).await;
    let calls = (0..30).map(|_| answered(world, payment(ana, PaymentKind::Deposit, 1_000, 1)));
    assert_eq!(join_all(calls).await, vec!["10.00 0.00"; 30]);
    assert_eq!(pay(world, payment(ana, PaymentKind::Deposit, 1_001, 1)).await, Paid::KeyConflict);
    // A refusal that the caller found out later does not hide the answer.
    let refused = |number| Payment { is_refused: true, ..payment(ana, PaymentKind::Deposit, 1_000, number) };
    assert_eq!(answered(world, refused(1)).await, "10.00 0.00");
    assert_eq!(pay(world, refused(2)).await, Paid::Rejected(PaymentObstacle::Refused));
    let iva = world.account("iva", 0).await;
    assert_eq!(answered(world, payment(iva, PaymentKind::Deposit, 1_001, 1)).await, "10.01 0.00");
    assert_eq!((world.balance(ana).await, world.balance(iva).await), (1_000, 1_001));
}

pub(crate) async fn parallel_withdrawals_do_not_exceed_the_balance(world: &World) {
    let ana = world.account("ana", 5_000).await;
    let calls = (1..=20).map(|number| pay(world, payment(ana, PaymentKind::Withdrawal, 1_000, number)));
    let paid = join_all(calls).await.iter().filter(|paid| matches!(paid, Paid::Paid { .. })).count();
    assert_eq!((paid, world.balance(ana).await), (5, 0));
}

pub(crate) async fn a_deposit_pays_off_a_debt_first(world: &World) {
    let ana = world.account("ana", 1_000).await;
    place(world, ana, 1).await;
    report(world, 1, 1, Report::Won).await;
    report(world, 2, 1, Report::Won).await;
    assert_eq!(answered(world, payment(ana, PaymentKind::Withdrawal, 2_000, 1)).await, "7.28 0.00");
    report(world, 2, 2, Report::Lost).await;
    assert_eq!(answered(world, payment(ana, PaymentKind::Deposit, 500, 2)).await, "0.00 15.00");
    assert_eq!(answered(world, payment(ana, PaymentKind::Deposit, 2_000, 3)).await, "5.00 0.00");
}

pub(crate) async fn deposits_stay_within_their_limit_and_stop_during_an_exclusion(world: &World) {
    let ana = world.account("ana", 50_000).await;
    let limit = ProtectionChange::Limits { changes: vec![(LimitKind::DepositDay, Some(3_000))], raise_after_ms: 0 };
    world.stores.protection.protect(ana, limit, NOW).await.expect("the store answers");
    let calls = (1..=10).map(|number| pay(world, payment(ana, PaymentKind::Deposit, 1_000, number)));
    let outcomes = join_all(calls).await;
    assert_eq!(outcomes.iter().filter(|paid| matches!(paid, Paid::Paid { .. })).count(), 3);
    assert_eq!(answered(world, payment(ana, PaymentKind::Withdrawal, 3_000, 20)).await, "500.00 0.00");
    let beyond = pay(world, payment(ana, PaymentKind::Deposit, 1, 21)).await;
    assert!(
        matches!(beyond, Paid::Rejected(PaymentObstacle::OwnLimit(left)) if left.left == Money::ZERO),
        "a withdrawal gives nothing back: {beyond:?}"
    );
    let exclusion = Exclusion { kind: ExclusionKind::TimeOut, until_ms: Some(NOW + 1) };
    let change = ProtectionChange::Exclude(exclusion);
    world.stores.protection.protect(ana, change, NOW).await.expect("the store answers");
    let excluded = pay(world, payment(ana, PaymentKind::Deposit, 1, 22)).await;
    assert_eq!(excluded, Paid::Rejected(PaymentObstacle::Excluded(exclusion)));
    assert_eq!(answered(world, payment(ana, PaymentKind::Withdrawal, 1_000, 23)).await, "490.00 0.00");
}
