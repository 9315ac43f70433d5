//! Rejections are JSON with a message in the request's language, whichever layer rejects.

use crate::kit::TestServer;
use actix_web::http::Method;
use kvota::http::CALLS;
use kvota::http::origin::Origin;

const HUB: &str = "/api/v1/live/hub?lang=en";
const UPGRADE: [(&str, &str); 4] = [
    ("connection", "upgrade"),
    ("upgrade", "websocket"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

#[actix_web::test]
async fn unknown_route_returns_an_error_in_the_request_language() {
    let server = TestServer::start();
    for (path, cookie, text) in [
        ("/api/v1/live/nothing", "", "Na ovoj adresi nema ničega."),
        ("/api/v1/live/nothing?lang=en", "", "There is nothing at this address."),
        ("/api/v1/live/offer/", "kvota-lang=sr", "На овој адреси нема ничега."),
        ("/api/v2/live/offer?lang=en", "", "There is nothing at this address."),
        ("/nothing?lang=bs", "", "Na ovoj adresi nema ničega."),
    ] {
        let answer = server.get(path, &[("cookie", cookie), ("accept", "application/json")]).await;
        assert_eq!(answer.error(), (404, text.to_owned()), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[actix_web::test]
async fn wrong_method_returns_the_allowed_methods_on_every_route() {
    let server = TestServer::start();
    for call in CALLS {
        let path = call.path.replace("{id}", "17").replace("{file:.*}", "x.js").replace("{file}", "page.js");
        let allowed = |method: &Method| {
            CALLS
                .iter()
                .any(|other| other.path == call.path && other.verb.methods().split(", ").any(|one| one == *method))
        };
        let methods = [Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH];
        for method in methods.into_iter().filter(|method| !allowed(method)) {
            let answer = server.send(method.clone(), &format!("{path}?lang=en"), &[]).await;
            let allow = answer.header("allow").to_owned();
            assert_eq!(answer.error(), (405, format!("This address allows only {allow}.")), "{method} {path}");
            assert!(allow.split(", ").any(|allowed| call.verb.methods().contains(allowed)), "{allow}");
        }
    }
}

#[actix_web::test]
async fn hub_rejects_a_page_of_another_origin() {
    let server = TestServer::start();
    let own = server.origin();
    for origin in [
        "https://evil.test",
        "null",
        "http://127.0.0.1",
        &format!("{own}.evil.test"),
        &own.replace("http:", "https:"),
        &own.replace("127.0.0.1", "sub.127.0.0.1"),
    ] {
        let headers = [&UPGRADE[..], &[("origin", origin), ("sec-websocket-protocol", "kvota.v1.json")]].concat();
        let answer = server.get(HUB, &headers).await;
        assert_eq!(answer.error(), (403, "Pages of this origin may not connect.".to_owned()), "{origin}");
        assert_eq!(answer.header("set-cookie"), "", "a stranger gets no session");
    }
}

#[actix_web::test]
async fn configured_origins_replace_the_own_origin() {
    let server = TestServer::with(|state| {
        state.allowed_origins = [Origin::parse("https://bets.example").unwrap()].into();
    });
    let own = server.origin();
    for (origin, status) in [("https://bets.example", 400), (own.as_str(), 403), ("https://a.bets.example", 403)] {
        let headers = [&UPGRADE[..], &[("origin", origin), ("sec-websocket-protocol", "other")]].concat();
        assert_eq!(server.get(HUB, &headers).await.error().0, status, "{origin}");
    }
}

#[actix_web::test]
async fn hub_requires_a_supported_subprotocol() {
    let server = TestServer::start();
    let own = server.origin();
    let text = "The hub accepts only these WebSocket subprotocols: kvota.v1.msgpack, kvota.v1.json.";
    for protocols in [&[][..], &[("sec-websocket-protocol", "kvota.v2.json, mqtt")]] {
        let headers = [&UPGRADE[..], &[("origin", own.as_str())], protocols].concat();
        assert_eq!(server.get(HUB, &headers).await.error(), (400, text.to_owned()));
    }
    assert_eq!(server.get(HUB, &[]).await.error(), (400, text.to_owned()), "no socket at all");
}
