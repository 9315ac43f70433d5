//! Match clocks of a feed with a wrong date: a date ahead of our clock neither turns a match clock back nor adds to it
//! (CONTRACT 0), in both forms of the offer and in the hub's rows.

use crate::client::{Client, get};
use kvota::testkit::builders::{soccer, usual_match};
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::feed::{FeedUpdate, MatchUpdate, SportUpdate};
use serde_json::json;

const HOUR_MS: i64 = 3_600_000;

/// Sends a live event with this date.
async fn publish(world: &mut World, date_ms: i64, live_match: MatchUpdate) {
    let sports = vec![SportUpdate { sport: soccer(), matches: vec![live_match] }];
    let events = world.feed.next_event(FeedUpdate { sports, date_ms: Some(date_ms), ..FeedUpdate::default() });
    for event in events {
        world.feed.input(event).await;
    }
}

#[actix::test]
async fn a_date_ahead_of_our_clock_leaves_a_match_clock_as_it_is() {
    for ahead_ms in [0, 600_000, 24 * HOUR_MS] {
        let mut world = World::start().await;
        let mut client = Client::connect(&world, "hr").await;
        client.watch_all().await;
        publish(&mut world, NOW_MS + ahead_ms, usual_match(1, "2").time(1_000).insert()).await;
        let row = client.until(|message| message[0] == 3).await;
        let has_clock = row[1].as_array().is_some_and(|fields| fields.contains(&json!(1_000)));
        assert!(has_clock && row[2] == NOW_MS, "{ahead_ms} ms ahead: {row}");
        // A later message with an earlier date, as after the producer's clock was put right: five seconds have passed since.
        publish(&mut world, NOW_MS - 5_000, usual_match(1, "2").time(1_060).update()).await;
        let change = client.until(|message| message[0] == 4).await;
        let fields = change.as_array().expect("an array");
        let clock = fields.iter().position(|key| *key == -4).map(|key| &fields[key + 1]);
        assert_eq!(clock, Some(&json!(NOW_MS - 1_065_000)), "{ahead_ms} ms ahead: {change}");
        for path in ["/api/v1/live/offer", "/api/v1/live/offer?view=rows"] {
            let (_, offer) = get(&world, path).await;
            assert_eq!(offer["sports"][0]["matches"][0]["time"], 1_065, "{path}, {ahead_ms} ms ahead");
        }
        let (_, live_match) = get(&world, "/api/v1/live/match/1").await;
        assert_eq!(live_match["time"], 1_065, "{ahead_ms} ms ahead");
    }
}
