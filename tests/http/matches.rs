//! GET live/match/{id}.

use crate::kit::TestServer;

#[actix_web::test]
async fn match_is_returned_with_all_markets_and_the_current_clock() {
    let server = TestServer::with_offer();
    let answer = server.get("/api/v1/live/match/17?lang=en", &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
    assert_eq!(answer.header("content-language"), "en-US");
    assert_eq!(answer.header("cache-control"), "no-store");
    let live_match = answer.json();
    assert_eq!(live_match["id"], 17);
    assert_eq!(live_match["time"], 660);
    assert_eq!(live_match["markets"].as_array().unwrap().len(), 4);
}

#[actix_web::test]
async fn match_is_returned_as_msgpack() {
    let server = TestServer::with_offer();
    let answer = server.get("/api/v1/live/match/17", &[("accept", "application/msgpack")]).await;
    assert_eq!(answer.header("content-type"), "application/msgpack");
    let (live_match, _date): (Vec<serde_json::Value>, i64) = rmp_serde::from_slice(&answer.body).unwrap();
    assert_eq!(live_match[0], 17);
}

#[actix_web::test]
async fn match_outside_the_offer_is_not_found() {
    let server = TestServer::with_offer();
    let text = "There is no such match in the offer.".to_owned();
    for id in ["18", "0", "-17", "17.0", "abc", "9007199254740992", "99999999999999999999", "%2e%2e"] {
        let answer = server.get(&format!("/api/v1/live/match/{id}?lang=en"), &[]).await;
        assert_eq!(answer.error(), (404, text.clone()), "{id}");
    }
    let nothing = TestServer::start();
    assert_eq!(nothing.get("/api/v1/live/match/17?lang=en", &[]).await.error(), (404, text));
}
