//! Property 1 of the hub (CONTRACT 3): the body of `GET live/offer` with all later frames applied equals a fresh one,
//! even if frames were lost, doubled or late. The faults are seeded: a failure prints its seed.

use crate::client::{Client, get};
use kvota::testkit::builders::{MatchBuilder, column, live_match, market, price, result, soccer, total};
use kvota::testkit::replica::{Replica, market_array};
use kvota::testkit::seed::{Dice, roll};
use kvota::testkit::world::World;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(crate) fn random_match(dice: &mut Dice, id: u64) -> MatchBuilder {
    let price = |dice: &mut Dice| format!("{}.{:02}", 1 + dice.below(9), dice.below(100));
    let mut live_match = live_match(id).score(dice.below(4) as i64, dice.below(4) as i64).time(dice.below(5400) as i64);
    let prices = [price(dice), price(dice), price(dice)];
    live_match = live_match.market(result(id * 100, [&prices[0], &prices[1], &prices[2]]));
    let balanced = dice.below(3);
    for line in 0..3 {
        if dice.below(8) == 0 {
            continue;
        }
        let prices = [price(dice), price(dice)];
        let mut lined = total(id * 100 + 1 + line, &format!("{line}.5"), [&prices[0], &prices[1]]);
        if line == balanced {
            lined = lined.balanced();
        }
        live_match = live_match.market(lined);
    }
    if dice.below(3) > 0 {
        let (yes, no) = (price(dice), price(dice));
        live_match = live_match.market(market(id * 100 + 9, 29).odd("Da", &yes).odd("Ne", &no));
    }
    if dice.below(6) == 0 {
        live_match = live_match.suspended();
    }
    if dice.below(10) == 0 {
        live_match = live_match.with(|m| m.home = Some("Renamed".into()));
    }
    if dice.below(12) == 0 {
        live_match = live_match.with(|m| m.market_mut(0).odds[0].value = crate::convergence::price("0"));
    }
    live_match
}

/// A replica that is loaded from a fresh offer.
pub(crate) fn fresh(body: &Value) -> Replica {
    let mut replica = Replica::default();
    replica.load_offer(body);
    replica
}

/// The replica without clocks, which may differ by a second because of rounding.
fn without_clocks(replica: &Replica) -> Value {
    let rows: Vec<Value> = replica
        .rows
        .values()
        .map(|row| json!({"revision": row.revision, "fields": row.fields, "markets": row.markets}))
        .collect();
    json!({"sports": replica.sports, "rows": rows})
}

async fn story(seed: u64, encoding: &str) {
    let mut dice = roll(seed);
    let mut world = World::start().await;
    world.feed.publish((1..=4).map(|id| random_match(&mut dice, id).insert()).collect()).await;
    world.settle().await;
    let mut client = Client::connect_as(&world, "hr", encoding).await;
    client.command("watch", &[json!({"sports": null, "matches": [2, 5]})]).await;
    let (_, body) = get(&world, "/api/v1/live/offer?view=rows").await;
    client.replica.load_offer(&body);
    client.command("resync", &[json!(2)]).await;

    let mut late: Option<Value> = None;
    for _ in 0..40 {
        let id = 1 + dice.below(6);
        let live_match = random_match(&mut dice, id);
        match dice.below(10) {
            0 => world.feed.publish(vec![live_match.insert()]).await,
            1 => world.feed.publish(vec![live_match.delete()]).await,
            2 => {
                let kind = if dice.below(2) == 0 { 18 } else { 29 };
                let mut sport = soccer();
                sport.preferred = Some(vec![column(1, 1, &["1", "X", "2"]), column(2, kind, &["Manje", "Više"])]);
                world.feed.publish_sport(sport, vec![live_match.update()]).await;
            }
            _ => world.feed.publish(vec![live_match.update()]).await,
        }
        if dice.below(4) == 0 {
            // Each frame received meanwhile is lost, doubled, or applied after the next one.
            world.settle().await;
            client.send_text("[777,\"ping\"]").await;
            loop {
                let crate::client::Received::Frame(frame) = client.receive().await else { panic!("closed") };
                let is_last = frame[0] == json!([1, 777, null]);
                match dice.below(5) {
                    0 => {}
                    1 => {
                        client.replica.apply_frame(&frame);
                        client.replica.apply_frame(&frame);
                    }
                    2 => {
                        if let Some(late) = late.replace(frame) {
                            client.replica.apply_frame(&late);
                        }
                    }
                    _ => client.replica.apply_frame(&frame),
                }
                if is_last {
                    break;
                }
            }
        }
    }
    // A deletion is sent at once, after all changes that wait before it. When it arrives, nothing else is on its way.
    world.feed.publish(vec![live_match(99).insert()]).await;
    world.feed.publish(vec![live_match(99).delete()]).await;
    client.until(|message| message[0] == 6 && message[1] == 99).await;
    if let Some(late) = late {
        client.replica.apply_frame(&late);
    }
    heal(&mut client).await;

    let (_, body) = get(&world, "/api/v1/live/offer?view=rows").await;
    assert_eq!(without_clocks(&client.replica), without_clocks(&fresh(&body)), "seed {seed}, {encoding}: rows");
    for id in [2, 5] {
        let (status, body) = get(&world, &format!("/api/v1/live/match/{id}")).await;
        if status == 404 {
            assert!(!client.replica.details.contains_key(&id), "seed {seed}: match {id} is gone");
            continue;
        }
        let detail = &client.replica.details[&id];
        let row = &client.replica.rows[&id];
        let mut by_id: std::collections::BTreeMap<String, Value> =
            row.markets.iter().chain(&detail.markets).map(|market| (market[0].to_string(), market.clone())).collect();
        let held: Vec<Value> = detail.layout.iter().filter_map(|id| by_id.remove(&id.to_string())).collect();
        let markets: Vec<Value> = body["markets"].as_array().into_iter().flatten().map(market_array).collect();
        assert_eq!(held, markets, "seed {seed}, {encoding}: match {id}");
        assert_eq!(json!(detail.revision), body["detailRevision"]);
    }
}

/// Heals the replica as a client does after a gap or a failed check: it sends `resync`.
async fn heal(client: &mut Client) {
    client.command("resync", &[json!(null)]).await;
    // One request for each match: more than 50 commands a second close the connection.
    let gaps: BTreeSet<u64> = std::mem::take(&mut client.replica.gaps).into_iter().collect();
    for id in gaps {
        client.command("resync", &[json!(id)]).await;
    }
    for id in [2, 5] {
        client.command("resync", &[json!(id)]).await;
    }
}

#[actix::test]
async fn replica_equals_a_fresh_offer_after_lost_doubled_and_late_frames() {
    for seed in 1..=12 {
        let encoding = if seed % 2 == 0 { "kvota.v1.json" } else { "kvota.v1.msgpack" };
        story(seed, encoding).await;
    }
}

/// Without loss no resync is needed: the changes alone lead to the fresh offer.
#[actix::test]
async fn replica_converges_without_resync_if_nothing_is_lost() {
    for seed in 100..=106 {
        let mut dice = roll(seed);
        let mut world = World::start().await;
        world.feed.publish((1..=3).map(|id| random_match(&mut dice, id).insert()).collect()).await;
        world.settle().await;
        let mut client = Client::connect(&world, "hr").await;
        client.watch_all().await;
        let (_, body) = get(&world, "/api/v1/live/offer?view=rows").await;
        client.replica.load_offer(&body);
        for _ in 0..60 {
            let id = 1 + dice.below(4);
            let live_match = random_match(&mut dice, id);
            let update = if dice.below(9) == 0 { live_match.delete() } else { live_match.update() };
            world.feed.publish(vec![update]).await;
        }
        world.settle().await;
        // A deletion is sent at once, after all changes that wait before it.
        world.feed.publish(vec![live_match(99).insert()]).await;
        world.feed.publish(vec![live_match(99).delete()]).await;
        client.until(|message| message[0] == 6 && message[1] == 99).await;
        let (_, body) = get(&world, "/api/v1/live/offer?view=rows").await;
        assert_eq!(client.replica.gaps, [0_u64; 0], "seed {seed}");
        assert_eq!(without_clocks(&client.replica), without_clocks(&fresh(&body)), "seed {seed}");
    }
}
