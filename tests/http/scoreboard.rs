//! GET live/scoreboard, the page that it names, and which pages may embed that page in a frame.

use crate::kit::{TestServer, match_17};
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;

fn with_template(template: &str) -> TestServer {
    let server = TestServer::with(|state| state.scoreboard_url = Some(template.into()));
    server.put(match_17());
    Lang::ALL.into_iter().for_each(|lang| server.model.set_feed(lang, FeedState::Active));
    server
}

#[actix_web::test]
async fn match_in_the_offer_has_our_scoreboard_page() {
    let server = TestServer::with_offer();
    let answer = server.get("/api/v1/live/scoreboard?eventId=17", &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json(), serde_json::json!({"data": "/scoreboard/17"}));
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn unknown_match_has_no_scoreboard() {
    let server = TestServer::with_offer();
    let text = "There is no such match in the offer.".to_owned();
    for id in ["18", "0", "9007199254740991"] {
        let answer = server.get(&format!("/api/v1/live/scoreboard?lang=en&eventId={id}"), &[]).await;
        assert_eq!(answer.error(), (404, text.clone()), "{id}");
    }
    for query in ["", "eventId=", "eventId=abc", "eventId=-1", "eventId=9007199254740992", "eventId=%2D1"] {
        assert_eq!(server.get(&format!("/api/v1/live/scoreboard?{query}"), &[]).await.error().0, 400, "{query}");
    }
    assert_eq!(server.get("/api/v1/live/scoreboard?eventId=%31%37", &[]).await.status, 200, "17, as it may be written");
    let nothing = TestServer::start();
    assert_eq!(nothing.get("/api/v1/live/scoreboard?lang=en&eventId=17", &[]).await.error(), (404, text));
}

#[actix_web::test]
async fn configured_scoreboard_template_replaces_our_page() {
    let server = with_template("https://tracker.example/{matchId}/live");
    let answer = server.get("/api/v1/live/scoreboard?eventId=17", &[]).await;
    assert_eq!(answer.json()["data"], "https://tracker.example/17/live");
    let page = server.get("/", &[]).await;
    assert!(page.header("content-security-policy").contains("frame-src 'self' https://tracker.example;"));
    let by_event = with_template("https://tracker.example/{performEventId}");
    let path = "/api/v1/live/scoreboard?eventId=17";
    assert_eq!(by_event.get(path, &[]).await.status, 404, "the provider does not know the match");
    by_event.put(match_17().with(|live_match| live_match.perform_event_id = Some(4_711)));
    assert_eq!(by_event.get(path, &[]).await.json()["data"], "https://tracker.example/4711");
}

#[actix_web::test]
async fn scoreboard_page_can_be_framed_by_own_pages_only() {
    let server = TestServer::start();
    let host = server.address();
    let page = server.get("/scoreboard/17?lang=en&width=355", &[("accept", "text/html")]).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("x-frame-options"), "SAMEORIGIN");
    assert_eq!(
        page.header("content-security-policy"),
        format!(
            "default-src 'self'; connect-src 'self' ws://{host}; object-src 'none'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'self'"
        )
    );
    let text = page.text();
    assert!(!text.contains("<style") && !text.contains("style=") && !text.contains("<script>"), "{text}");
    for other in ["/", "/api/v1/live/scoreboard?eventId=17", "/scoreboard/x"] {
        assert_eq!(server.get(other, &[]).await.header("x-frame-options"), "DENY", "{other}");
    }
    for id in ["x", "-1", "9007199254740992", "17/18", "%3Cscript%3E"] {
        assert_eq!(server.get(&format!("/scoreboard/{id}"), &[]).await.error().0, 404, "{id}");
    }
}

#[actix_web::test]
async fn recorded_matches_have_the_demo_stream_if_enabled() {
    let server = TestServer::with(|state| state.has_demo_stream = true);
    let pictured = |kind: &'static str| {
        match_17().with(|live_match| {
            live_match.perform_event_id = Some(1);
            live_match.perform_event_type = Some(kind.into());
        })
    };
    server.put(pictured("demo"));
    Lang::ALL.into_iter().for_each(|lang| server.model.set_feed(lang, FeedState::Active));
    let path = "/api/v1/live/stream?eventId=17";
    let found = server.get(path, &[]).await.json();
    assert_eq!(found, serde_json::json!({"data": "/demo/live.m3u8", "type": "hls"}));
    let playlist = server.get("/demo/live.m3u8", &[]).await;
    assert_eq!(playlist.header("content-type"), "application/vnd.apple.mpegurl");
    assert_eq!(playlist.header("cache-control"), "no-store");
    let text = playlist.text();
    let file = text.lines().find(|line| !line.starts_with('#')).expect("a segment");
    let segment = server.get(&format!("/demo/{file}"), &[]).await;
    assert_eq!((segment.status.as_u16(), segment.header("content-type")), (200, "video/mp4"));
    for other in ["loop.m3u8", "README.md", "..%2f..%2fCargo.toml", "nothing.m4s"] {
        assert_eq!(server.get(&format!("/demo/{other}"), &[]).await.status, 404, "{other}");
    }
    server.put(pictured("hls"));
    assert_eq!(server.get(path, &[]).await.status, 204, "it is not for a match that is played now");
    let without = TestServer::start();
    for path in ["/demo/live.m3u8", "/demo/head.mp4"] {
        assert_eq!(without.get(path, &[]).await.status, 404, "{path}");
    }
}
