//! Deposits and withdrawals at kvota's own cashier (CONTRACT 9).

use crate::kit::{Answer, Bettor, PASSWORD};
use actix_web::http::Method;
use kvota::betting::bet_events::BetEvents;
use kvota::betting::cashier::{Cashier, CashierKind};
use kvota::testkit::slip::key;
use kvota::testkit::world::World;
use serde_json::{Value, json};
use std::sync::Arc;

async fn pay(bettor: &mut Bettor, call: &str, number: u64, body: &Value) -> Answer {
    let key = key(number);
    let headers = [("content-type", "application/json"), ("idempotency-key", key.as_str())];
    bettor.send(Method::POST, &format!("account/{call}"), &headers, &body.to_string()).await
}

#[actix_web::test]
async fn payments_change_the_balance_once_for_each_key() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let paid = pay(&mut ana, "deposit", 1, &json!({"amount": "25.50"})).await;
    assert_eq!(paid.header("cache-control"), "no-store");
    assert_eq!(
        (paid.status, paid.json()),
        (200, json!({"amount": "25.50", "balance": "1025.50", "receivable": "0.00"}))
    );
    let again = pay(&mut ana, "deposit", 1, &json!({"amount": "25.50"})).await;
    assert_eq!((again.status, &again.body), (200, &paid.body));
    assert_eq!(pay(&mut ana, "deposit", 1, &json!({"amount": "25.51"})).await.status, 409);
    assert_eq!(pay(&mut ana, "withdraw", 1, &json!({"amount": "25.50"})).await.status, 409, "another call");
    assert_eq!(pay(&mut ana, "withdraw", 2, &json!({"amount": 1025.5})).await.json()["balance"], "0.00");

    let too_much = pay(&mut ana, "withdraw", 3, &json!({"amount": "0.01"})).await;
    assert_eq!(too_much.error(), (400, "That is more than your balance of 0.00 EUR.".to_owned()));
    let lines = ana.get("account/statement").await.json();
    let kinds: Vec<&Value> = lines["entries"].as_array().expect("a list").iter().map(|line| &line["kind"]).collect();
    assert_eq!(kinds, ["withdrawal", "deposit", "opening"]);
}

#[actix_web::test]
async fn payment_without_a_key_or_with_another_amount_is_rejected() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let without_key = ana.post("account/deposit", &json!({"amount": "1"})).await;
    assert_eq!(without_key.status, 400);
    assert!(without_key.error().1.contains("Idempotency-Key"));
    for amount in [json!("0"), json!("0.00"), json!(-1), json!("1.001"), json!("1000000.01"), json!(null), json!("x")] {
        let answer = pay(&mut ana, "deposit", 1, &json!({"amount": amount})).await;
        let text = "The amount must be between 0.01 EUR and 1000000.00 EUR.";
        assert_eq!(answer.error(), (400, text.to_owned()), "{amount}");
    }
    assert_eq!(pay(&mut Bettor::nobody(&world), "deposit", 1, &json!({"amount": "1"})).await.status, 401);
    assert_eq!(ana.balance().await, "1000.00");
}

#[actix_web::test]
async fn limits_and_exclusions_stop_deposits_and_no_withdrawal() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    assert_eq!(ana.put("account/limits", &json!({"deposit": {"week": "30"}})).await.status, 200);
    assert_eq!(pay(&mut ana, "deposit", 1, &json!({"amount": "20"})).await.status, 200);
    let beyond = pay(&mut ana, "deposit", 2, &json!({"amount": "10.01"})).await;
    assert_eq!(beyond.error(), (400, "Your weekly limit of deposits leaves 10.00 EUR.".to_owned()));
    let begun = ana.post("account/time-out", &json!({"hours": 24, "password": PASSWORD})).await;
    assert_eq!(begun.status, 200);
    let excluded = pay(&mut ana, "deposit", 2, &json!({"amount": "10"})).await;
    assert_eq!(excluded.error(), (400, "No deposits are accepted during a time-out or self-exclusion.".to_owned()));
    assert_eq!(pay(&mut ana, "withdraw", 3, &json!({"amount": "1020"})).await.json()["balance"], "0.00");
}

#[actix_web::test]
async fn installation_without_a_cashier_pays_nothing() {
    let world = World::with_state(|state| {
        state.cashier = Cashier::new(CashierKind::None, Arc::clone(&state.stores.cashier), BetEvents::default());
    })
    .await;
    let mut ana = Bettor::registered(&world, "ana").await;
    assert_eq!(ana.status().await.json()["cashier"], "none");
    for call in ["deposit", "withdraw"] {
        let answer = pay(&mut ana, call, 1, &json!({"amount": "10"})).await;
        assert_eq!(answer.error(), (403, "Money cannot be paid in or out here.".to_owned()));
    }
    assert_eq!(ana.balance().await, "1000.00");
}
