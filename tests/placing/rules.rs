//! The betting rules that a page needs to compute totals like the server, and the address of a match's stream.

use crate::kit::{Bettor, world_with};
use kvota::testkit::builders::usual_match;
use kvota::testkit::world::World;
use serde_json::json;

#[actix_web::test]
async fn anonymous_user_gets_rules_without_taxes() {
    let world = World::start().await;
    let mut ana = Bettor::nobody(&world);
    let limits = json!({
        "minStake": 1, "maxStake": 1_000_000, "maxPayout": 100_000, "maxTotalOdd": 100_000, "maxPairs": 30,
        "maxCombinations": 20_000, "winTaxMode": "marginal", "taxableWin": "profit",
    });
    let anonymous = ana.get("live/rules").await;
    let (delays, cash_out) =
        (json!({"default": 0}), json!({"enabled": true, "margin": "5", "min": "0.10", "cap": "none"}));
    let expected = json!({"tax": [], "limits": limits, "delays": delays, "cashOut": cash_out});
    assert_eq!((anonymous.status, anonymous.json()), (200, expected));
    ana.register("ana", crate::kit::PASSWORD).await;
    let known = ana.get("live/rules").await.json();
    assert_eq!(known["tax"].as_array().map(Vec::len), Some(5));
    assert_eq!(known["tax"][1], json!({"from": 0, "to": 1_500, "percentage": 10, "type": "win"}));
    assert_eq!(known["limits"], limits);
}

#[actix_web::test]
async fn match_with_a_stream_has_its_address() {
    let mut world = World::with_state(|state| {
        state.stream_url = Some("https://streams.example/{performEventId}/index.m3u8".into());
    })
    .await;
    let pictured = usual_match(1, "2").with(|live_match| live_match.perform_event_id = Some(4_711));
    world.feed.publish(vec![pictured.insert(), usual_match(2, "2").insert()]).await;
    world.settle().await;
    let mut somebody = Bettor::nobody(&world);
    let found = somebody.get("live/stream?eventId=1").await;
    assert_eq!(
        (found.status, found.json()),
        (200, json!({"data": "https://streams.example/4711/index.m3u8", "type": "hls"}))
    );
    for (query, status) in
        [("?eventId=2", 204), ("?eventId=99", 204), ("", 400), ("?eventId=x", 400), ("?eventId=-1", 400)]
    {
        assert_eq!(somebody.get(&format!("live/stream{query}")).await.status, status, "{query}");
    }
    let without = world_with(&["2"]).await;
    assert_eq!(Bettor::nobody(&without).get("live/stream?eventId=1").await.status, 204);
}
