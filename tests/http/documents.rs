//! GET /api/openapi.json and the page that shows it.

use crate::kit::{TestServer, match_17};
use kvota_domain::incidents::History;
use kvota_domain::matches::Ball;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The fields of an object that a schema does not describe.
fn undescribed<'a>(document: &Value, schema: &str, object: &'a Value) -> BTreeSet<&'a str> {
    let described = &document["components"]["schemas"][schema]["properties"];
    let fields = object.as_object().expect("an entity is an object").keys();
    fields.filter(|field| described[field.as_str()].is_null()).map(String::as_str).collect()
}

#[actix_web::test]
async fn every_field_of_the_offer_is_described() {
    let server = TestServer::with_offer();
    let ball = Some(Ball { x: 50, y: 50, side: 1, action: 0 });
    let history = History { pressure: vec![1], ..History::default() };
    server.put(match_17().with(|live_match| {
        live_match.ball = ball;
        live_match.history = Some(Arc::new(history));
    }));
    let document = server.get("/api/openapi.json", &[]).await.json();
    let offer = server.get("/api/v1/live/offer", &[]).await.json();
    let sport = &offer["sports"][0];
    let live_match = &sport["matches"][0];
    let market = &live_match["markets"][0];
    for (schema, object) in [
        ("Offer", &offer),
        ("Sport", sport),
        ("Preferred", &sport["preferred"][0]),
        ("Match", live_match),
        ("Market", market),
        ("Odd", &market["odds"][0]),
    ] {
        assert_eq!(undescribed(&document, schema, object), BTreeSet::new(), "{schema}");
    }
    let rows = server.get("/api/v1/live/offer?view=rows", &[]).await.json();
    let row = &rows["sports"][0]["matches"][0];
    assert_eq!(undescribed(&document, "Match", row), BTreeSet::new(), "a row");
    let alone = server.get("/api/v1/live/match/17", &[]).await.json();
    assert_eq!(undescribed(&document, "Match", &alone), BTreeSet::from(["date"]), "described beside the schema");
}

#[actix_web::test]
async fn openapi_document_is_valid_and_cached_by_its_etag() {
    let server = TestServer::start();
    let document = server.get("/api/openapi.json", &[]).await;
    assert_eq!(document.header("content-type"), "application/json; charset=utf-8");
    assert_eq!(document.json()["openapi"], "3.1.0");
    assert!(document.json()["paths"]["/api/v1/live/offer"]["get"].is_object());
    let again = server.get("/api/openapi.json", &[("if-none-match", document.header("etag"))]).await;
    assert_eq!(again.status, 304);
}

#[actix_web::test]
async fn api_page_loads_its_script_and_style_as_files() {
    let server = TestServer::start();
    let page = server.get("/api/docs", &[]).await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let text = page.text();
    assert!(!text.contains("<style") && !text.contains("style=") && !text.contains("onclick"), "{text}");
    for (part, kind) in [("page.js", "text/javascript; charset=utf-8"), ("page.css", "text/css; charset=utf-8")] {
        let path = format!("/api/docs/{part}");
        assert!(text.contains(&format!("\"{path}\"")), "the page does not ask for {path}");
        let answer = server.get(&path, &[]).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, kind));
    }
    assert_eq!(server.get("/api/docs/page.html", &[]).await.error().0, 404);
}
