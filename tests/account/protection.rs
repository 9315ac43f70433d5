//! Limits that bettors set for themselves, time-outs and self-exclusions (CONTRACT 9).

use crate::kit::{Answer, Bettor, PASSWORD, world_with};
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::world::{NOW_MS, World};
use serde_json::{Value, json};

const DAY_MS: i64 = 86_400_000;

async fn bet(bettor: &mut Bettor, number: u64, stake: &str) -> Answer {
    bettor.place(&key(number), &slip_body(0, stake, &[(1, "2")])).await
}

#[actix_web::test]
async fn lower_limit_holds_at_once_and_a_higher_one_waits() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let none = ana.get("account/limits").await;
    assert_eq!((none.status, none.header("cache-control")), (200, "no-store"));
    assert_eq!(none.json()["stake"], json!({"day": null, "week": null, "month": null}));

    let set = ana.put("account/limits", &json!({"stake": {"day": "100"}, "session": 60})).await;
    assert_eq!((set.status, &set.json()["stake"]["day"], &set.json()["session"]), (200, &json!("100.00"), &json!(60)));
    let raised = ana.put("account/limits", &json!({"stake": {"day": null}, "session": 90})).await.json();
    assert_eq!((&raised["stake"]["day"], &raised["session"]), (&json!("100.00"), &json!(60)));
    let at = NOW_MS + DAY_MS;
    assert_eq!(raised["pending"]["stake"]["day"], json!({"value": null, "at": at}));
    assert_eq!(raised["pending"]["session"], json!({"value": 90, "at": at}));
    assert_eq!(ana.get("account/limits").await.json(), raised);

    let withdrawn = ana.put("account/limits", &json!({"stake": {"day": "100.00"}})).await.json();
    assert_eq!((&withdrawn["pending"]["stake"]["day"], &withdrawn["stake"]["day"]), (&Value::Null, &json!("100.00")));
    assert_eq!(withdrawn["pending"]["session"]["value"], 90, "limits that are not named stay");

    let history = ana.get("account/history?limit=2").await.json();
    let kinds: Vec<&Value> =
        history["entries"].as_array().expect("a list").iter().map(|entry| &entry["details"]["limit"]).collect();
    assert_eq!(kinds, ["stake.day", "session"]);
    let next = history["next"].as_str().expect("a second page").to_owned();
    let rest = ana.get(&format!("account/history?cursor={next}")).await.json();
    assert_eq!((rest["entries"].as_array().map(Vec::len), &rest["next"]), (Some(3), &Value::Null));
    assert_eq!(rest["entries"][2]["at"], NOW_MS);
}

#[actix_web::test]
async fn body_that_is_no_limits_is_rejected_as_a_whole() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    for body in [json!([]), json!({"stake": {"day": "100", "week": "x"}}), json!({"session": 0}), json!({"loss": 5})] {
        assert_eq!(ana.put("account/limits", &body).await.status, 400, "{body}");
    }
    assert_eq!(ana.get("account/limits").await.json()["stake"]["day"], Value::Null);
    for (query, status) in [("limit=0", 400), ("limit=x", 400), ("cursor=x", 400), ("limit=&cursor=", 200)] {
        assert_eq!(ana.get(&format!("account/history?{query}")).await.status, status, "{query}");
    }
}

#[actix_web::test]
async fn bet_beyond_an_own_limit_is_rejected_with_what_is_left() {
    let world = world_with(&["2"]).await;
    for (name, limits, text) in [
        ("ana", json!({"stake": {"day": "25"}}), "Your daily limit of stakes leaves 5.00 EUR."),
        ("iva", json!({"loss": {"week": "25"}}), "Your weekly limit of losses leaves 5.00 EUR."),
        (
            "ena",
            json!({"stake": {"month": "25"}, "deposit": {"day": "0"}}),
            "Your monthly limit of stakes leaves 5.00 EUR.",
        ),
    ] {
        let mut ana = Bettor::registered(&world, name).await;
        assert_eq!(ana.put("account/limits", &limits).await.status, 200);
        assert_eq!((bet(&mut ana, 1, "10").await.status, bet(&mut ana, 2, "10").await.status), (200, 200));
        assert_eq!(bet(&mut ana, 3, "10").await.error(), (400, text.to_owned()));
        assert_eq!(bet(&mut ana, 4, "5").await.status, 200);
    }
}

#[actix_web::test]
async fn excluded_bettor_places_no_bet_and_may_log_in() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    assert_eq!(bet(&mut ana, 1, "10").await.status, 200);
    assert_eq!(ana.status().await.json()["exclusion"], Value::Null);

    let begun = ana.post("account/time-out", &json!({"hours": 48, "password": PASSWORD})).await;
    let until = NOW_MS + 2 * DAY_MS;
    assert_eq!((begun.status, &begun.json()["exclusion"]), (200, &json!({"kind": "time_out", "until": until})));
    let rejected = bet(&mut ana, 2, "10").await;
    assert_eq!(rejected.error(), (400, "Your time-out has not ended, so no bets are accepted.".to_owned()));

    let shorter = ana.post("account/time-out", &json!({"hours": 24, "password": PASSWORD})).await;
    assert_eq!(
        shorter.error(),
        (400, "The time-out or self-exclusion in force lasts longer and cannot be shortened.".to_owned())
    );
    let longer = ana.post("account/self-exclusion", &json!({"months": null, "password": PASSWORD})).await;
    assert_eq!((longer.status, &longer.json()["exclusion"]), (200, &json!({"kind": "self_exclusion", "until": null})));
    let text = "You have excluded yourself from betting, so no bets are accepted.";
    assert_eq!(bet(&mut ana, 3, "10").await.error(), (400, text.to_owned()));

    let mut elsewhere = Bettor::nobody(&world);
    let login = elsewhere.login("ana", PASSWORD).await;
    assert_eq!((login.status, &login.json()["exclusion"]["kind"]), (200, &json!("self_exclusion")));
    assert_eq!(bet(&mut elsewhere, 4, "10").await.status, 400);
    let replayed = bet(&mut elsewhere, 1, "10").await;
    assert_eq!(replayed.status, 200, "an answer that was given stays");
    let kinds: Vec<Value> = ana.get("account/history").await.json()["entries"].as_array().expect("a list").clone();
    assert_eq!(kinds.iter().map(|entry| entry["kind"].clone()).collect::<Vec<_>>(), ["exclusion", "exclusion"]);
}

#[actix_web::test]
async fn exclusion_needs_the_password_and_one_of_the_offered_times() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    for (call, body) in [
        ("time-out", json!({"hours": 24})),
        ("time-out", json!({"hours": 24, "password": "wrong horse"})),
        ("time-out", json!({"hours": 25, "password": PASSWORD})),
        ("time-out", json!({"hours": null, "password": PASSWORD})),
        ("self-exclusion", json!({"password": PASSWORD})),
        ("self-exclusion", json!({"months": 6, "password": ""})),
        ("self-exclusion", json!({"months": 7, "password": PASSWORD})),
        ("self-exclusion", json!({"months": -6, "password": PASSWORD})),
    ] {
        assert_eq!(ana.post(&format!("account/{call}"), &body).await.status, 400, "{call} {body}");
    }
    assert_eq!(ana.status().await.json()["exclusion"], Value::Null);
    let begun = ana.post("account/self-exclusion", &json!({"months": 6, "password": PASSWORD})).await.json();
    let days = (begun["exclusion"]["until"].as_i64().expect("a time") - NOW_MS) / DAY_MS;
    assert!((181..=184).contains(&days), "{days}");
}
