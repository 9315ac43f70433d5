//! The effect of gaps, restarts and silence of the feed (CONTRACT 1) on the calls and the hub.

use crate::client::{Client, get};
use kvota::testkit::builders::{MatchBuilder, live_match, match_id, message, result, soccer, sport_id};
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_domain::sport::SportPatch;
use kvota_feed::FeedInput;
use serde_json::{Value, json};

fn base(id: u64) -> MatchBuilder {
    live_match(id).market(result(id * 10, ["1.85", "3.2", "4"]))
}

async fn ids(world: &World, lang: &str) -> Vec<u64> {
    let (_, body) = get(world, &format!("/api/v1/live/offer?view=rows&lang={lang}")).await;
    let sports = body["sports"].as_array().into_iter().flatten();
    let matches = sports.flat_map(|sport| sport["matches"].as_array().into_iter().flatten());
    matches.filter_map(|live_match| live_match["id"].as_u64()).collect()
}

/// A running system with two matches.
async fn two_matches() -> World {
    let mut world = World::start().await;
    world.feed.publish(vec![base(1).insert(), base(2).insert()]).await;
    world.settle().await;
    world
}

#[actix::test]
async fn without_an_offer_the_offer_is_204_and_a_match_is_404() {
    let world = World::start().await;
    assert_eq!(get(&world, "/api/v1/live/offer").await.0, 204);
    assert_eq!(get(&world, "/api/v1/live/match/1").await.0, 404);
}

#[actix::test]
async fn insert_update_and_delete_follow_the_contract() {
    let mut world = two_matches().await;
    let held = |world: &World, id: MatchId| world.offer.model.entry(id).map(|entry| entry.state.live_match.score);
    world.feed.publish(vec![base(1).score(3, 0).insert()]).await;
    world.settle().await;
    assert_eq!(held(&world, match_id(1)), Some(Some([0, 0])), "an INSERT of a match already held is ignored");
    world.feed.publish(vec![base(1).score(1, 0).update(), base(3).update(), base(9).delete()]).await;
    world.settle().await;
    assert_eq!(held(&world, match_id(1)), Some(Some([1, 0])));
    assert_eq!(ids(&world, "hr").await, [1, 2, 3], "an UPDATE of an unknown match inserts it");
    world.feed.publish(vec![base(2).delete(), base(1).delete(), base(1).score(2, 2).insert()]).await;
    world.settle().await;
    assert_eq!(ids(&world, "hr").await, [1, 3]);
    assert_eq!(held(&world, match_id(1)), Some(Some([2, 2])), "the same match twice in a message, in order");
}

#[actix::test]
async fn match_moves_between_sports_and_an_empty_sport_is_removed() {
    let mut world = two_matches().await;
    let futsal = SportPatch { name: Some("Futsal".into()), order: Some(2), ..SportPatch::empty(sport_id(29)) };
    world.feed.publish_sport(futsal, vec![base(1).sport(29).update()]).await;
    world.settle().await;
    let names = |body: &serde_json::Value| {
        let sports = body["sports"].as_array().into_iter().flatten();
        sports.map(|sport| (sport["id"].clone(), sport["matches"].as_array().map_or(0, Vec::len))).collect::<Vec<_>>()
    };
    let (_, body) = get(&world, "/api/v1/live/offer").await;
    assert_eq!(names(&body), [(json!(1), 1), (json!(29), 1)]);
    // A DELETE names the match by its id, whichever sport it is listed under.
    world.feed.publish(vec![base(1).delete(), base(2).delete()]).await;
    world.settle().await;
    assert_eq!(get(&world, "/api/v1/live/offer").await.0, 204);
    assert_eq!(world.offer.model.sports().len(), 0);
}

#[actix::test]
async fn offer_stays_readable_after_a_gap_until_a_snapshot_recovers_it() {
    let mut world = two_matches().await;
    let mut client = Client::connect(&world, "hr").await;
    client.watch_all().await;
    let (_, body) = get(&world, "/api/v1/live/offer?view=rows").await;
    client.replica.load_offer(&body);

    world.feed.answers = false;
    drop(world.feed.next_event(message(soccer(), NOW_MS, vec![base(1).delete(), base(3).insert()])));
    world.feed.publish(vec![base(2).score(1, 0).update()]).await;
    world.settle().await;
    assert_eq!(world.offer.model.feed_state(Lang::Hr), FeedState::Recovering);
    assert_eq!(get(&world, "/readyz").await.0, 503);
    assert_eq!(ids(&world, "hr").await, [1, 2], "the offer stays readable");
    let (_, body) = get(&world, "/api/v1/live/match/2").await;
    assert_eq!(body["score"], json!([1, 0]), "live events go on being applied");
    client.until(|message| message[0] == 2 && message[1] == 1).await;

    world.feed.answers = true;
    world.until("the reader asks again", |world| world.is_active()).await;
    assert_eq!(ids(&world, "hr").await, [2, 3], "what differs is streamed");
    client.until(|message| message[0] == 2 && message[1] == 2).await;
    assert_eq!(client.replica.rows.keys().copied().collect::<Vec<_>>(), [2, 3]);
}

#[actix::test]
async fn new_epoch_triggers_recovery() {
    let mut world = two_matches().await;
    world.feed.restart();
    world.feed.publish(vec![base(2).score(2, 0).update()]).await;
    world.until("the snapshot of the new epoch", World::is_active).await;
    assert_eq!(ids(&world, "hr").await, [1, 2]);
}

#[actix::test]
async fn inactive_feed_clears_the_offer_until_it_is_active_again() {
    let mut world = two_matches().await;
    let mut client = Client::connect(&world, "hr").await;
    client.watch_all().await;
    world.feed.active(false).await;
    world.settle().await;
    client.until(|message| message == &json!([2, 0])).await;
    assert_eq!(get(&world, "/api/v1/live/offer").await.0, 204);
    assert_eq!(world.offer.model.entries().len(), 0);
    world.feed.publish(vec![base(3).insert()]).await;
    world.settle().await;
    assert_eq!(get(&world, "/api/v1/live/offer").await.0, 204, "events do not end it");
    world.feed.active(true).await;
    world.until("the offer is back", World::is_active).await;
    client.until(|message| message == &json!([2, 2])).await;
    assert_eq!(ids(&world, "hr").await, [1, 2, 3]);
    assert_eq!(ids(&world, "en").await, [1, 2, 3], "the words of other languages outlive it");
}

#[actix::test]
async fn lost_link_clears_the_offer_and_a_new_link_restores_it() {
    let mut world = two_matches().await;
    world.feed.lose_link().await;
    world.settle().await;
    assert_eq!(get(&world, "/api/v1/live/offer").await.0, 204);
    assert_eq!(get(&world, "/readyz").await.0, 503);
    world.feed.connect().await;
    world.until("the offer is back", World::is_active).await;
    assert_eq!(ids(&world, "hr").await, [1, 2]);
}

#[actix::test]
async fn gap_of_another_language_affects_that_language_only() {
    let mut world = two_matches().await;
    let mut english = Client::connect(&world, "en").await;
    english.watch_all().await;
    world.feed.answers = false;
    let events = world.feed.next_event(message(soccer(), NOW_MS, vec![base(1).score(1, 0).update()]));
    for event in events {
        // English misses this one.
        if !matches!(event, FeedInput::Event { lang: Lang::En, .. }) {
            world.feed.input(event).await;
        }
    }
    world.feed.publish(vec![base(2).score(1, 0).update()]).await;
    world.settle().await;
    assert_eq!(get(&world, "/api/v1/live/offer?lang=en").await.0, 204);
    let state = english.messages_until_ack("resync", &[json!(1)]).await;
    assert!(state.iter().all(|message| message[0] != 3), "no match without an offer: {state:?}");
    assert_eq!(ids(&world, "hr").await, [1, 2]);
    assert_eq!(ids(&world, "sr").await, [1, 2]);
    let (status, body) = get(&world, "/readyz").await;
    assert_eq!((status, &body["degraded"]), (200, &json!(["en"])));
    world.feed.answers = true;
    world.until("English has healed", World::is_active).await;
    assert_eq!(ids(&world, "en").await, [1, 2]);
}

#[actix::test]
async fn body_is_encoded_once_per_version_for_many_requests() {
    let world = two_matches().await;
    let made = world.offer.model.bodies_made();
    let ask = |_| get(&world, "/api/v1/live/offer?view=rows");
    let answers = futures_util::future::join_all((0..50).map(ask)).await;
    assert!(answers.iter().all(|(status, body)| *status == 200 && body == &answers[0].1));
    assert_eq!(world.offer.model.bodies_made() - made, 1);
}

#[actix::test]
async fn texts_come_from_each_language_and_numbers_from_the_primary() {
    let mut world = World::start().await;
    let home = |name: &'static str| move |m: &mut kvota_domain::matches::Match| m.home = Some(name.into());
    let events = world.feed.next_event(message(soccer(), NOW_MS, vec![base(1).with(home("Zagreb")).insert()]));
    for event in events {
        let event = match event {
            FeedInput::Event { lang: Lang::Sr, position, mut update } => {
                let serbian = base(1).score(9, 9).with(home("Загреб")).insert();
                update.sports[0].matches = vec![serbian];
                FeedInput::Event { lang: Lang::Sr, position, update }
            }
            other => other,
        };
        world.feed.input(event).await;
    }
    world.settle().await;
    for (lang, name) in [("hr", "Zagreb"), ("sr", "Загреб"), ("en", "Zagreb")] {
        let (_, body) = get(&world, &format!("/api/v1/live/match/1?lang={lang}")).await;
        assert_eq!(body["home"], name, "{lang}");
        assert_eq!(body["score"], json!([0, 0]), "{lang}");
    }
}

#[actix::test]
async fn changed_texts_have_a_date_that_is_not_ahead_of_our_clock() {
    let mut world = two_matches().await;
    let mut english = Client::connect(&world, "en").await;
    english.watch_all().await;
    let mut serbian = Client::connect(&world, "sr").await;
    serbian.watch_all().await;
    let later = NOW_MS + 5_000;
    let renamed = message(soccer(), later, vec![base(1).with(|m| m.home = Some("Zagreb FC".into())).update()]);
    let mut events = world.feed.next_event(renamed);
    events.retain(|event| matches!(event, FeedInput::Event { lang: Lang::En, .. }));
    for event in events {
        world.feed.input(event).await;
    }
    let is_date = |message: &Value| message[0] == 13;
    assert_eq!(english.until(is_date).await[1], NOW_MS, "the language of the texts");
    assert_eq!(serbian.until(is_date).await[1], NOW_MS, "a language without a change");
}

#[actix::test]
async fn pending_texts_are_kept_when_a_match_is_deleted_and_inserted_again() {
    let mut world = two_matches().await;
    let back = |name: &'static str| {
        message(soccer(), NOW_MS, vec![base(1).with(move |m| m.home = Some(name.into())).update()])
    };
    let gone = world.feed.next_event(message(soccer(), NOW_MS, vec![base(1).delete()]));
    let returned = world.feed.next_event(back("Zagreb"));
    let returned = returned.into_iter().map(|event| match event {
        FeedInput::Event { lang, position, .. } if lang != Lang::Hr => {
            FeedInput::Event { lang, position, update: back(lang.code()) }
        }
        other => other,
    });
    let is_primary = |event: &FeedInput| matches!(event, FeedInput::Event { lang: Lang::Hr, .. });
    let (primary, others): (Vec<_>, Vec<_>) = gone.into_iter().chain(returned).partition(is_primary);
    for event in others.into_iter().chain(primary) {
        world.feed.input(event).await;
    }
    world.settle().await;
    for (lang, name) in [("hr", "Zagreb"), ("en", "en"), ("bs", "bs"), ("sr", "sr")] {
        let (_, body) = get(&world, &format!("/api/v1/live/match/1?lang={lang}")).await;
        assert_eq!(body["home"], name, "{lang}");
    }
}

#[actix::test]
async fn insert_of_an_existing_match_is_ignored_in_every_language() {
    let mut world = two_matches().await;
    let named = |name: &'static str| base(1).with(move |m| m.home = Some(name.into()));
    for (sent, expected) in [
        (named("Renamed").update(), "Renamed"),
        (named("Inserted again").insert(), "Renamed"),
        (named("Renamed again").update(), "Renamed again"),
    ] {
        world.feed.publish(vec![sent]).await;
        world.settle().await;
        for lang in Lang::ALL {
            let (_, body) = get(&world, &format!("/api/v1/live/match/1?lang={}", lang.code())).await;
            assert_eq!(body["home"], expected, "{lang:?}");
        }
    }
}
