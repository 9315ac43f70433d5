//! R37 and R39: access control. Every row of the route table is called without a cookie, with an expired login, with an
//! unsigned cookie and as another bettor. A route without a row in [`ACCESS`] fails the test.

use crate::kit::{Bettor, PASSWORD, world_with};
use actix_web::http::Method;
use kvota::http::{CALLS, Call, CallMethod};
use kvota::testkit::measured::count;
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::session::SessionId;
use kvota_store::Login;
use serde_json::json;

/// Who may use a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// Everybody gets this status.
    Everybody(u16),
    /// Only signed-in users; others get 401. Another bettor than the owner gets this status.
    Bettors(u16),
}

use Access::{Bettors, Everybody};
use kvota::testkit::slip::{key, slip_body};

/// Each call: its path in the route table, a real address (`TICKET` is a bet of Ana), and who may use it.
const ACCESS: &[(&str, &str, Access)] = &[
    ("/api/v1/live/offer", "/api/v1/live/offer", Everybody(200)),
    ("/api/v1/live/match/{id}", "/api/v1/live/match/1", Everybody(200)),
    ("/api/v1/live/history", "/api/v1/live/history?eventId=1&oddId=1000", Everybody(200)),
    // Without the headers of a handshake.
    ("/api/v1/live/hub", "/api/v1/live/hub", Everybody(400)),
    ("/api/v1/live/translations", "/api/v1/live/translations", Everybody(200)),
    ("/api/v1/live/user-status", "/api/v1/live/user-status", Bettors(200)),
    ("/api/v1/live/rules", "/api/v1/live/rules", Everybody(200)),
    ("/api/v1/live/stream", "/api/v1/live/stream?eventId=1", Everybody(204)),
    ("/api/v1/live/scoreboard", "/api/v1/live/scoreboard?eventId=1", Everybody(200)),
    ("/api/v1/live/send-ticket", "/api/v1/live/send-ticket", Bettors(200)),
    // Without a body.
    ("/api/v1/account/register", "/api/v1/account/register", Everybody(415)),
    ("/api/v1/account/login", "/api/v1/account/login", Everybody(415)),
    ("/api/v1/account/logout", "/api/v1/account/logout", Everybody(204)),
    ("/api/v1/account/password", "/api/v1/account/password", Everybody(415)),
    ("/api/v1/account/sessions", "/api/v1/account/sessions", Bettors(200)),
    ("/api/v1/account/sessions/{id}", "/api/v1/account/sessions/00", Bettors(404)),
    // Without a body.
    ("/api/v1/account/deposit", "/api/v1/account/deposit", Bettors(415)),
    ("/api/v1/account/withdraw", "/api/v1/account/withdraw", Bettors(415)),
    ("/api/v1/account/limits", "/api/v1/account/limits", Bettors(200)),
    ("/api/v1/account/time-out", "/api/v1/account/time-out", Everybody(415)),
    ("/api/v1/account/self-exclusion", "/api/v1/account/self-exclusion", Everybody(415)),
    ("/api/v1/account/history", "/api/v1/account/history", Bettors(200)),
    ("/api/v1/account/tickets", "/api/v1/account/tickets", Bettors(200)),
    // The bet of another bettor is not found.
    ("/api/v1/account/tickets/{id}", "/api/v1/account/tickets/TICKET", Bettors(404)),
    ("/api/v1/account/tickets/{id}/cash-out", "/api/v1/account/tickets/TICKET/cash-out", Bettors(404)),
    ("/api/v1/account/tickets/{id}/cash-out-rule", "/api/v1/account/tickets/TICKET/cash-out-rule", Bettors(404)),
    ("/api/v1/account/statement", "/api/v1/account/statement", Bettors(200)),
    ("/api/openapi.json", "/api/openapi.json", Everybody(200)),
    ("/api/docs", "/api/docs", Everybody(200)),
    ("/api/docs/{file}", "/api/docs/page.js", Everybody(200)),
    ("/healthz", "/healthz", Everybody(200)),
    ("/readyz", "/readyz", Everybody(200)),
    ("/metrics", "/metrics", Everybody(200)),
    ("/match/{id}", "/match/1", Everybody(302)),
    ("/sport/{ids}", "/sport/1,5", Everybody(302)),
    ("/ticket/{picks}", "/ticket/1.10.1000", Everybody(302)),
    ("/scoreboard/{id}", "/scoreboard/1", Everybody(200)),
    // The demo stream is off.
    ("/demo/live.m3u8", "/demo/live.m3u8", Everybody(404)),
    ("/demo/{file}", "/demo/nothing", Everybody(404)),
    ("/assets/{file:.*}", "/assets/nothing", Everybody(404)),
    ("/", "/", Everybody(200)),
];

/// The row of a call.
#[track_caller]
fn access(call: &Call) -> (&'static str, Access) {
    let found = ACCESS.iter().find(|(path, ..)| *path == call.path);
    let (_, address, whom) = found.unwrap_or_else(|| panic!("{} has no line in ACCESS: say who it is for", call.path));
    (address, *whom)
}

fn method(call: &Call) -> Method {
    match call.verb {
        CallMethod::Get => Method::GET,
        CallMethod::Post => Method::POST,
        CallMethod::Put => Method::PUT,
        CallMethod::Delete => Method::DELETE,
    }
}

/// Status and body of a call with a cookie, as one of our own pages sends it. `send-ticket` gets a bet, and `limits` a
/// change of nothing.
async fn ask(world: &World, call: &Call, address: &str, cookie: &str) -> (u16, String) {
    let origin = world.origin();
    let mut request =
        awc::Client::builder().disable_redirects().finish().request(method(call), format!("{origin}{address}"));
    request = request.insert_header(("origin", origin));
    if !cookie.is_empty() {
        request = request.insert_header(("cookie", format!("kvota-session={cookie}")));
    }
    let body = if call.path.ends_with("send-ticket") {
        request =
            request.insert_header(("content-type", "application/json")).insert_header(("idempotency-key", key(7)));
        slip_body(0, "10", &[(1, "2")]).to_string()
    } else if call.verb == CallMethod::Put && call.path.ends_with("limits") {
        request = request.insert_header(("content-type", "application/json"));
        "{}".to_owned()
    } else {
        String::new()
    };
    let mut answer = request.send_body(body).await.expect("the server answers");
    let body = answer.body().limit(8 << 20).await.expect("the body arrives whole");
    (answer.status().as_u16(), String::from_utf8_lossy(&body).into_owned())
}

#[actix_web::test]
async fn every_call_enforces_its_access_rule() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let placed = ana.place(&key(1), &slip_body(0, "10", &[(1, "2")])).await.json();
    let bet = placed["ticketId"].as_str().expect("a ticket has its id").to_owned();

    let forged = format!("{}.{}", ana.cookie.split('.').next().expect("a cookie has its id"), "0".repeat(64));
    let of_another_key = with_forged_signature(&ana.cookie);
    let over = Bettor::registered(&world, "ivo").await;
    let id = over.cookie.split('.').next().and_then(SessionId::from_text).expect("a cookie begins with the id");
    let account = world.stores.accounts.find("ivo").await.expect("it answers").expect("he is there").id;
    let login = Login::until(account, NOW_MS - 1);
    world.stores.accounts.log_in(id, login.into()).await.expect("the store keeps it");
    let mut judged = 0;
    for call in CALLS {
        let (address, whom) = access(call);
        let address = address.replace("TICKET", &bet);
        for (who, cookie) in
            [("nobody", ""), ("forged", &forged), ("of another key", &of_another_key), ("expired", &over.cookie)]
        {
            let (status, body) = ask(&world, call, &address, cookie).await;
            let expected = match whom {
                Everybody(status) => status,
                Bettors(_) => 401,
            };
            assert_eq!(status, expected, "{} {who}: {body}", call.path);
            assert!(!body.contains(&bet), "{} shows a bet to {who}", call.path);
            judged += 1;
        }
        // A new account for each call, since one of the calls logs out.
        let name = format!("ben{judged}");
        let ben = Bettor::registered(&world, &name).await;
        let (status, body) = ask(&world, call, &address, &ben.cookie).await;
        let (Everybody(expected) | Bettors(expected)) = whom;
        assert_eq!(status, expected, "{} another bettor: {body}", call.path);
        assert!(!body.contains(&bet) && !body.contains("\"ana\""), "{} shows another's: {body}", call.path);
        judged += 1;
    }
    assert_eq!(ana.balance().await, "990.00", "nobody has touched what is hers");
    assert_eq!(judged, CALLS.len() * 5);
    count("R37", "calls of the route table by five kinds of callers", judged);
}

/// The same session with a wrong signature, as from somebody who guesses the key.
fn with_forged_signature(cookie: &str) -> String {
    let tag: String = cookie.chars().rev().take(64).collect();
    format!("{}.{tag}", cookie.split('.').next().expect("a cookie has its id"))
}

#[actix_web::test]
async fn pages_of_other_origins_cannot_call_anything_that_changes_state() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let own = world.origin();
    let port = world.address().port();
    let strangers = [
        ("evil", vec![("origin", "https://evil.test".to_owned())]),
        ("null", vec![("origin", "null".to_owned())]),
        ("suffix", vec![("origin", format!("{own}.evil.test"))]),
        ("prefix", vec![("origin", format!("http://evil.test:{port}"))]),
        ("sibling", vec![("origin", format!("http://other.localhost:{port}"))]),
        ("another port", vec![("origin", "http://127.0.0.1:1".to_owned())]),
        ("another scheme", vec![("origin", own.replace("http:", "https:"))]),
        ("two", vec![("origin", own.clone()), ("origin", "https://evil.test".to_owned())]),
        // Without an Origin header other headers decide (docs/decisions/0004). A program sends none of them.
        ("missing, from a site", vec![("sec-fetch-site", "cross-site".to_owned())]),
        ("missing, from a sibling", vec![("sec-fetch-site", "same-site".to_owned())]),
        ("missing, from a page", vec![("referer", "https://evil.test/page".to_owned())]),
    ];
    let credentials = json!({"name": "ben", "password": PASSWORD}).to_string();
    let bet = slip_body(0, "10", &[(1, "2")]).to_string();
    let changing = |call: &&Call| call.verb == CallMethod::Post || call.path.ends_with("/hub");
    let mut tried = 0;
    for call in CALLS.iter().filter(changing) {
        let body = if call.path.ends_with("send-ticket") { &bet } else { &credentials };
        for (who, headers) in &strangers {
            for content_type in ["application/json", "text/plain"] {
                let client = awc::Client::builder().disable_redirects().finish();
                let mut request = client.request(method(call), format!("{own}{}", call.path));
                request = request.insert_header(("cookie", format!("kvota-session={}", ana.cookie)));
                request =
                    request.insert_header(("content-type", content_type)).insert_header(("idempotency-key", key(7)));
                for header in headers {
                    request = request.append_header((header.0, header.1.as_str()));
                }
                for header in HANDSHAKE.iter().filter(|_| call.verb == CallMethod::Get) {
                    request = request.insert_header(*header);
                }
                let body = if call.verb == CallMethod::Get { String::new() } else { body.clone() };
                let answer = request.send_body(body).await.expect("the server answers");
                assert_eq!(answer.status().as_u16(), 403, "{} {who} {content_type}", call.path);
                assert!(answer.headers().get("set-cookie").is_none(), "{} {who}", call.path);
                tried += 1;
            }
        }
    }
    assert_eq!(ana.balance().await, "1000.00", "she is still logged in and has not bet");
    assert!(world.stores.accounts.find("ben").await.expect("it answers").is_none(), "nobody was registered");
    assert_eq!(world.stores.audit().await.expect("it answers").bets, 0);
    assert_eq!(world.sessions.observe().await.live, 0, "no connection was made");
    count("R39", "requests of foreign pages rejected before the call", tried);
}

/// The headers with which a browser opens a socket.
const HANDSHAKE: [(&str, &str); 4] = [
    ("upgrade", "websocket"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ("sec-websocket-protocol", "kvota.v1.json"),
];
