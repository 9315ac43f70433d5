//! The security headers of responses, and which proxies are trusted.

use crate::kit::TestServer;
use actix_web::http::Method;
use kvota::http::proxies::Network;

#[actix_web::test]
async fn every_page_has_security_headers_including_404() {
    let server = TestServer::with_offer();
    let host = server.address();
    let policy = format!(
        "default-src 'self'; connect-src 'self' ws://{host}; img-src 'self' data:; media-src 'self' blob:; \
         frame-src 'self'; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    for path in ["/", "/api/docs", "/nothing", "/metrics"] {
        let answer = server.send(Method::GET, path, &[]).await;
        for (name, value) in [
            ("content-security-policy", policy.as_str()),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), value, "{path} {name}");
        }
        assert!(answer.header("permissions-policy").contains("geolocation=()"));
        assert_eq!(answer.header("strict-transport-security"), "", "nobody spoke TLS");
    }
}

#[actix_web::test]
async fn data_and_error_responses_have_strict_security_headers() {
    let server = TestServer::with_offer();
    for (method, path) in [
        (Method::GET, "/api/v1/live/offer"),
        (Method::POST, "/api/v1/live/offer"),
        (Method::GET, "/api/v1/live/hub"),
        (Method::GET, "/api/v1/nothing"),
        (Method::GET, "/api/openapi.json"),
    ] {
        let answer = server.send(method, path, &[]).await;
        for (name, value) in [
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("cross-origin-resource-policy", "same-origin"),
            ("strict-transport-security", ""),
        ] {
            assert_eq!(answer.header(name), value, "{path} {name}");
        }
    }
}

#[actix_web::test]
async fn forwarded_tls_is_trusted_from_a_listed_proxy_only() {
    let forwarded = [("x-forwarded-proto", "https"), ("x-forwarded-for", "9.9.9.9")];
    let plain = TestServer::start();
    assert_eq!(plain.get("/", &forwarded).await.header("strict-transport-security"), "");
    let behind = TestServer::with(|state| state.trusted_proxies = [Network::parse("127.0.0.0/8").unwrap()].into());
    let answer = behind.get("/", &forwarded).await;
    assert_eq!(answer.header("strict-transport-security"), "max-age=31536000");
    assert!(answer.header("content-security-policy").contains(" wss://127.0.0.1:"));
    let data = behind.get("/api/v1/live/rules", &forwarded).await;
    assert_eq!(data.header("strict-transport-security"), "max-age=31536000");
}
