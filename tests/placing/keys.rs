//! Idempotency keys: one key makes one bet, however often and whenever the request is repeated.

use crate::kit::{Bettor, PASSWORD, world_with};
use crate::stage::Failing;
use actix_web::http::Method;
use kvota::http::AppState;
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::world::World;
use serde_json::json;
use std::sync::Arc;

#[actix_web::test]
async fn hundred_parallel_requests_with_one_key_make_one_bet() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let slip = slip_body(0, "10", &[(1, "2")]);
    let asked = (0..100).map(|_| {
        let (mut ana, slip) = (ana.clone(), slip.clone());
        async move { ana.place(&key(1), &slip).await }
    });
    let answers = futures_util::future::join_all(asked).await;
    assert_eq!(answers[0].status, 200);
    assert!(answers.iter().all(|answer| (answer.status, &answer.body) == (200, &answers[0].body)));
    assert_eq!(ana.balance().await, "990.00");
    assert_eq!(world.stores.audit().await.unwrap().bets, 1);
}

#[actix_web::test]
async fn repeated_key_returns_the_same_answer_after_any_change() {
    let mut world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let slip = slip_body(0, "10", &[(1, "2")]);
    let first = ana.place(&key(1), &slip).await;
    assert_eq!(first.status, 200);
    world.feed.lose_link().await;
    world.until("the offer is gone", |world| !world.is_active()).await;
    // The same ticket in other bytes: its RFC 8785 form is the same.
    let other = slip.to_string().replace("\"bruto\":\"10\"", "\"bruto\":\"\\u0031\\u0030\"").replace(',', " ,\n");
    assert_ne!(other, slip.to_string());
    for body in [slip.to_string(), other] {
        let again = ana.place_text(&key(1).to_uppercase(), &body).await;
        assert_eq!((again.status, &again.body), (200, &first.body));
    }
    assert_eq!(ana.balance().await, "990.00");

    let mut gone = ana.clone();
    ana.logout().await;
    assert_eq!(ana.place(&key(1), &slip).await.status, 401);
    assert_eq!(gone.place(&key(1), &slip).await.status, 401, "the session that logged out");
    ana.login("ana", PASSWORD).await;
    let after = ana.place(&key(1), &slip).await;
    assert_eq!((after.status, &after.body), (200, &first.body));
}

#[actix_web::test]
async fn used_key_rejects_another_body() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    assert_eq!(ana.place(&key(1), &slip_body(0, "10", &[(1, "2")])).await.status, 200);
    let text = "This Idempotency-Key has been used for another betslip.";
    for other in [slip_body(0, "11", &[(1, "2")]), json!({}), json!("")] {
        assert_eq!(ana.place(&key(1), &other).await.error(), (409, text.to_owned()), "{other}");
    }
    assert_eq!(ana.balance().await, "990.00");
}

/// Its lines may contradict each other, so none of them counts (CONTRACT 4).
#[actix_web::test]
async fn two_keys_in_one_call_are_rejected() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let (first, second) = (key(1), key(2));
    let amount = json!({ "amount": "5.00" }).to_string();
    let slip = slip_body(0, "10", &[(1, "2")]).to_string();
    for (call, body) in [("live/send-ticket", &slip), ("account/deposit", &amount), ("account/withdraw", &amount)] {
        for keys in [[&first, &second], [&second, &first], [&first, &first]] {
            let [first, second] = keys.map(|key| ("idempotency-key", key.as_str()));
            let headers = [("content-type", "application/json"), first, second];
            assert_eq!(ana.send(Method::POST, call, &headers, body).await.status, 400, "{call} {keys:?}");
        }
    }
    assert_eq!(ana.balance().await, "1000.00");
}

/// A page sends an empty order to ask whether a key was used, when it no longer wants the bet.
#[actix_web::test]
async fn empty_order_reports_whether_a_key_was_used_without_using_it() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    for _ in 0..2 {
        assert_eq!(ana.place(&key(1), &json!({})).await.status, 400);
    }
    assert_eq!(ana.place(&key(1), &slip_body(0, "10", &[(1, "2")])).await.status, 200);
    assert_eq!(ana.place(&key(1), &json!({})).await.status, 409);
    assert_eq!(ana.balance().await, "990.00");
}

#[actix_web::test]
async fn only_one_of_two_parallel_bodies_gets_the_key() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let asked = (0..20).map(|number| {
        let mut ana = ana.clone();
        let slip = slip_body(0, if number % 2 == 0 { "10" } else { "20" }, &[(1, "2")]);
        async move { (number % 2, ana.place(&key(1), &slip).await.status) }
    });
    let answers = futures_util::future::join_all(asked).await;
    let (winner, _) = *answers.iter().find(|(_, status)| *status == 200).expect("one has it");
    for (body, status) in answers {
        assert_eq!(status, if body == winner { 200 } else { 409 });
    }
    assert_eq!(ana.balance().await, if winner == 0 { "990.00" } else { "980.00" });
}

#[actix_web::test]
async fn a_key_belongs_to_its_user() {
    let world = world_with(&["2"]).await;
    let slip = slip_body(0, "10", &[(1, "2")]);
    let mut ids = Vec::new();
    for name in ["ana", "ben"] {
        let mut bettor = Bettor::registered(&world, name).await;
        let answer = bettor.place(&key(1), &slip).await;
        assert_eq!(answer.status, 200);
        ids.push(answer.json()["ticketId"].clone());
        assert_eq!(bettor.balance().await, "990.00");
    }
    assert_ne!(ids[0], ids[1]);
}

#[actix_web::test]
async fn stored_answer_survives_a_restart() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let slip = slip_body(0, "10", &[(1, "2")]);
    let first = ana.place(&key(1), &slip).await;
    let next = World::over(world.stores.clone()).await;
    let mut again = Bettor::nobody(&next);
    again.cookie = ana.cookie;
    let answer = again.place(&key(1), &slip).await;
    assert_eq!((answer.status, &answer.body), (200, &first.body), "although the new server has no offer");
}

#[actix_web::test]
async fn key_returns_nothing_after_logout() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let slip = slip_body(0, "10", &[(1, "2")]);
    let first = ana.place(&key(1), &slip).await;
    let before = ana.cookie.clone();
    assert_eq!((first.status, ana.logout().await.status), (200, 204));
    let after = ana.cookie.clone();
    for cookie in [before, after, String::new()] {
        ana.cookie = cookie;
        let answer = ana.place(&key(1), &slip).await;
        assert_eq!(answer.error(), (401, "Please log in.".to_owned()));
    }
    assert_eq!(ana.login("ana", crate::kit::PASSWORD).await.status, 200);
    assert_eq!(ana.place(&key(1), &slip).await.body, first.body, "logged in again, it is the same bet");
    assert_eq!(ana.balance().await, "990.00");
}

fn with_failing(state: &mut AppState, failing: Failing) -> Arc<Failing> {
    let failing = Arc::new(failing);
    state.stores.bets = failing.clone();
    state.stores.shared_limits = failing.clone();
    crate::stage::rebuild_placements(state);
    failing
}

#[actix_web::test]
async fn store_outage_is_reported_and_repeating_the_key_resolves_it() {
    let mut failing = None;
    let mut world = World::with_state(|state| {
        let bets = Failing::over(state.stores.bets.clone());
        failing = Some(with_failing(state, bets));
    })
    .await;
    let failing = failing.expect("the world was set up");
    crate::kit::offer(&mut world, &["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let slip = slip_body(0, "10", &[(1, "2")]);
    let failures = [("find_key", false), ("facts", false), ("place", false), ("reply", true)];
    for (number, (fails, is_written)) in (1..).zip(failures) {
        let used = key(number);
        let before = world.stores.audit().await.unwrap().bets;
        failing.fail(fails);
        let answer = ana.place(&used, &slip).await;
        let text = "The service is not available at the moment. Please try again.";
        assert_eq!(answer.error(), (503, text.to_owned()), "{fails}");
        assert_eq!(answer.header("retry-after"), "5");
        failing.fail("");
        assert_eq!(world.stores.audit().await.unwrap().bets - before, u64::from(is_written), "{fails}");
        assert_eq!(ana.place(&used, &slip).await.status, 200, "{fails}");
        assert_eq!(world.stores.audit().await.unwrap().bets - before, 1, "{fails}: one bet, however often it is asked");
    }
    failing.fail("corrupt");
    let answer = ana.place(&key(99), &slip).await;
    assert_eq!(answer.error(), (500, "Something went wrong on our side. Please try again.".to_owned()));
    assert!(!String::from_utf8_lossy(&answer.body).contains("secret"));
}
