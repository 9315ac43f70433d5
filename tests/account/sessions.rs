//! The list of an account's sessions, and ending one of them.

use crate::kit::{Bettor, PASSWORD};
use actix_web::http::Method;
use kvota::testkit::world::{NOW_MS, World};
use serde_json::{Value, json};

async fn sessions(bettor: &mut Bettor) -> Vec<Value> {
    let answer = bettor.get("account/sessions").await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    answer.json()["sessions"].as_array().expect("a list").clone()
}

fn id(session: &Value) -> String {
    session["id"].as_str().expect("a text").to_owned()
}

#[actix_web::test]
async fn sessions_of_the_account_are_listed_and_one_is_current() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let mut elsewhere = Bettor::nobody(&world);
    let (agent, body) = ("Firefox/128.0 ".repeat(20), json!({"name": "ana", "password": PASSWORD}).to_string());
    let headers = [("content-type", "application/json"), ("user-agent", agent.as_str())];
    assert_eq!(elsewhere.send(Method::POST, "account/login", &headers, &body).await.status, 200);
    Bettor::registered(&world, "iva").await;

    let listed = sessions(&mut ana).await;
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert_eq!(listed.iter().filter(|session| session["current"] == true).count(), 1);
    for session in &listed {
        assert_eq!((&session["createdAt"], &session["lastSeenAt"]), (&json!(NOW_MS), &json!(NOW_MS)));
        // Cut to a length that is enough to recognise it; the first browser has sent none.
        assert_eq!(session["agent"], if session["current"] == true { "" } else { &agent[..256] });
        assert!(!ana.cookie.contains(&id(session)) && !elsewhere.cookie.contains(&id(session)));
    }
    let seen_there = sessions(&mut elsewhere).await;
    let current = |listed: &[Value]| listed.iter().find(|session| session["current"] == true).map(id);
    assert_ne!(current(&listed), current(&seen_there));
}

#[actix_web::test]
async fn session_that_is_ended_is_logged_out_and_no_other() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let mut elsewhere = Bettor::nobody(&world);
    elsewhere.login("ana", PASSWORD).await;
    let listed = sessions(&mut ana).await;
    let other = id(listed.iter().find(|session| session["current"] == false).expect("the other one"));

    let mut iva = Bettor::registered(&world, "iva").await;
    let of_another_account = iva.delete(&format!("account/sessions/{other}")).await;
    assert_eq!(of_another_account.error(), (404, "There is nothing at this address.".to_owned()));
    assert_eq!(elsewhere.status().await.status, 200);

    let ended = ana.delete(&format!("account/sessions/{other}")).await;
    assert_eq!((ended.status, ended.body.len()), (204, 0));
    assert_eq!((ana.status().await.status, elsewhere.status().await.status), (200, 401));
    assert_eq!(ana.delete(&format!("account/sessions/{other}")).await.status, 404);
    assert_eq!(sessions(&mut ana).await.len(), 1);
}

#[actix_web::test]
async fn a_bettor_may_end_the_session_of_the_call() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let own = id(&sessions(&mut ana).await[0]);
    assert_eq!(ana.delete(&format!("account/sessions/{own}")).await.status, 204);
    assert_eq!(ana.status().await.status, 401);
}

#[actix_web::test]
async fn ids_that_are_none_are_not_found() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    for id in ["0", "zz", &"0".repeat(64), &"0".repeat(62), &"%C3%A9".repeat(32)] {
        assert_eq!(ana.delete(&format!("account/sessions/{id}")).await.status, 404, "{id}");
    }
    assert_eq!(ana.status().await.status, 200);
}
