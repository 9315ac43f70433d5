//! GET live/history.

use crate::kit::{NOW, TestServer, match_17};
use kvota::testkit::builders::{MatchBuilder, match_id, price, soccer};
use kvota_domain::aggregate::MatchState;
use std::sync::Arc;

const FIRST_ODD: &str = "/api/v1/live/history?eventId=17&oddId=1000";

/// Applies an update to the match, dated `seconds` before now, as its actor would.
fn update(server: &TestServer, to: MatchBuilder, seconds: i64) {
    let before = state(server);
    let (now, _) = before.updated(to.update(), NOW - seconds * 1000, &soccer().preferred.expect("soccer has columns"));
    let entry = server.model.put_match(Arc::new(now));
    server.model.record_prices(&before, &entry.state, NOW - seconds * 1000);
}

fn state(server: &TestServer) -> Arc<MatchState> {
    Arc::clone(&server.model.entry(match_id(17)).expect("the match is there").state)
}

fn first_odd_at(to: &str) -> MatchBuilder {
    match_17().with(|live_match| live_match.market_mut(0).odds[0].value = price(to))
}

#[actix_web::test]
async fn price_changes_of_an_odd_are_returned_with_their_times() {
    let server = TestServer::with_offer();
    update(&server, first_odd_at("1.9"), 50);
    update(&server, first_odd_at("0"), 40);
    update(&server, first_odd_at("12.25"), 30);
    let answer = server.get(FIRST_ODD, &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    let changes = "[[1700000010000,1.9],[1700000020000,0],[1700000030000,12.25]]";
    let beginning = r#"{"matchId":17,"oddId":1000,"date":1700000060000,"value":12.25,"before":1.85,"changes":"#;
    assert_eq!(answer.text(), format!("{beginning}{changes}}}"));
}

#[actix_web::test]
async fn odd_without_changes_returns_its_price_and_an_empty_list() {
    let server = TestServer::with_offer();
    let history = server.get(FIRST_ODD, &[]).await.json();
    assert_eq!((&history["value"], &history["before"]), (&1.85.into(), &serde_json::Value::Null));
    assert_eq!(history["changes"], serde_json::json!([]));
}

#[actix_web::test]
async fn unknown_match_or_odd_has_no_history() {
    let server = TestServer::with_offer();
    let text = "There is no such odd in the offer.".to_owned();
    let of = |query: &str| format!("/api/v1/live/history?{query}&lang=en");
    for query in ["eventId=18&oddId=1000", "eventId=17&oddId=9999", "eventId=17&oddId=9007199254740991"] {
        assert_eq!(server.get(&of(query), &[]).await.error(), (404, text.clone()), "{query}");
    }
    server.model.remove_match(match_id(17));
    assert_eq!(server.get(&of("eventId=17&oddId=1000"), &[]).await.error(), (404, text.clone()));
    let nothing = TestServer::start();
    assert_eq!(nothing.get(&of("eventId=17&oddId=1000"), &[]).await.error(), (404, text));
}

#[actix_web::test]
async fn invalid_id_is_rejected_with_the_name_of_the_parameter() {
    let server = TestServer::with_offer();
    for (query, name) in [
        ("", "eventId"),
        ("?oddId=1000", "eventId"),
        ("?eventId=17", "oddId"),
        ("?eventId=17&oddId=-1", "oddId"),
        ("?eventId=17.0&oddId=1000", "eventId"),
        ("?eventId=17&oddId=9007199254740992", "oddId"),
    ] {
        let (status, text) = server.get(&format!("/api/v1/live/history{query}"), &[]).await.error();
        assert_eq!(status, 400, "{query}");
        assert!(text.contains(name), "{query}: {text}");
    }
}

#[actix_web::test]
async fn match_inserted_again_starts_with_an_empty_history() {
    let server = TestServer::with_offer();
    update(&server, first_odd_at("1.9"), 50);
    let state = state(&server);
    server.model.remove_match(match_id(17));
    server.model.put_match(state);
    let history = server.get(FIRST_ODD, &[]).await.json();
    assert_eq!((&history["value"], &history["changes"]), (&1.9.into(), &serde_json::json!([])));
}
