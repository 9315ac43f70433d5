//! GET /healthz, /readyz, /metrics: what operators, load balancers and monitoring see.

use crate::kit::TestServer;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use serde_json::json;

#[actix_web::test]
async fn health_probe_succeeds_without_an_offer() {
    let answer = TestServer::start().get("/healthz", &[]).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"status": "alive"})));
}

#[actix_web::test]
async fn every_response_has_a_unique_request_id() {
    let server = TestServer::start();
    let mut ids = Vec::new();
    for call in ["/healthz", "/api/v1/live/offer", "/api/v1/no-such-call", "/api/v1/live/hub", "/healthz"] {
        let answer = server.get(call, &[("x-request-id", "chosen by the client")]).await;
        ids.push(answer.header("x-request-id").to_owned());
    }
    assert!(ids.iter().all(|id| id.len() == 36), "{ids:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 5);
}

#[actix_web::test]
async fn readiness_failure_names_what_is_missing() {
    let server = TestServer::start();
    let answer = server.get("/readyz?lang=en", &[]).await;
    let text = "The offer is not available at the moment: offer, feed.";
    assert_eq!(answer.error(), (503, text.to_owned()));
    assert_eq!(answer.json()["missing"], json!(["offer", "feed"]));
    assert_eq!(answer.json()["status"], "not_ready");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn readiness_follows_the_primary_language_and_lists_degraded_ones() {
    let server = TestServer::with_offer();
    let ready = server.get("/readyz", &[]).await;
    assert_eq!(ready.status, 200);
    assert_eq!(
        ready.json(),
        json!({
            "status": "ready",
            "primaryLanguage": "hr",
            "feed": {"hr": "active", "en": "active", "bs": "active", "sr": "active"},
            "degraded": [],
        })
    );
    server.model.set_feed(Lang::En, FeedState::Recovering);
    let degraded = server.get("/readyz", &[]).await;
    assert_eq!((degraded.status.as_u16(), &degraded.json()["degraded"]), (200, &json!(["en"])));
    server.model.set_feed(Lang::Hr, FeedState::Recovering);
    let recovering = server.get("/readyz", &[]).await;
    assert_eq!((recovering.status.as_u16(), &recovering.json()["missing"]), (503, &json!(["feed"])));
}

#[actix_web::test]
async fn requests_are_counted_by_route_pattern_not_by_client_input() {
    let server = TestServer::with_offer();
    server.get("/api/v1/live/match/17", &[]).await;
    server.get("/made-up-1234", &[]).await;
    let answer = server.get("/metrics", &[]).await;
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    let text = answer.text();
    let counted = r#"kvota_http_requests_total{method="GET",route="/api/v1/live/match/{id}",status="200"}"#;
    assert!(text.contains(counted), "{text}");
    assert!(text.contains(r#"kvota_http_requests_total{method="GET",route="other",status="404"}"#), "{text}");
    assert!(text.contains(r#"kvota_http_request_seconds_bucket{route="/api/v1/live/match/{id}",le="0.001"}"#));
    assert!(!text.contains("made-up"), "{text}");
}
