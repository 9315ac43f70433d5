//! GET /healthz, /readyz, /metrics: what operators, load balancers and monitoring see.

use crate::kit::TestServer;
use futures_util::future::join_all;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

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

/// An early answer must not leave the connection to a client that never ends its body.
#[actix_web::test]
async fn a_body_without_an_end_closes_its_connection_soon_after_the_answer() {
    let server = TestServer::start();
    let calls = [
        ("POST /api/v1/account/login", "text/plain", "415"),
        ("POST /api/v1/live/send-ticket", "application/json", "401"),
        ("POST /api/v1/nowhere", "application/json", "404"),
        ("PUT /api/v1/account/login", "application/json", "405"),
    ];
    let answers = calls.map(|(call, kind, _)| answer_to_an_endless_body(server.address(), call, kind));
    for ((call, _, status), answer) in calls.into_iter().zip(join_all(answers).await) {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{call}: {answer}");
        assert!(answer.to_lowercase().contains("connection: close"), "{call}: {answer}");
    }
}

/// What arrives until the connection is closed.
async fn answer_to_an_endless_body(address: SocketAddr, call: &str, kind: &str) -> String {
    let mut socket = TcpStream::connect(address).await.expect("connected");
    let head =
        format!("{call} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n");
    socket.write_all(head.as_bytes()).await.expect("sent");
    let (mut reading, mut writing) = socket.split();
    let mut answer = Vec::new();
    let endless = async {
        loop {
            // The connection may be closed already.
            let _ = writing.write_all(b"1\r\n{\r\n").await;
            let _ = timeout(Duration::from_millis(50), std::future::pending::<()>()).await;
        }
    };
    tokio::select! {
        // A reset ends it too.
        _ = reading.read_to_end(&mut answer) => {}
        () = endless => {}
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// A body that is read to its end leaves the connection open.
#[actix_web::test]
async fn a_chunked_body_that_ends_leaves_its_connection_open() {
    let server = TestServer::start();
    let mut socket = TcpStream::connect(server.address()).await.expect("connected");
    for _ in 0..2 {
        let call = format!(
            "POST /api/v1/account/login HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n\
             2\r\n{{}}\r\n0\r\n\r\n",
            server.address()
        );
        socket.write_all(call.as_bytes()).await.expect("sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(socket.read_u8().await.expect("an answer"));
        }
        let head = String::from_utf8_lossy(&head).to_lowercase();
        assert!(head.starts_with("http/1.1 400") && !head.contains("connection: close"), "{head}");
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let length = length.and_then(|length| length.parse().ok()).expect("a length");
        socket.read_exact(&mut vec![0; length]).await.expect("a body");
    }
}
