//! A task of the server that panics starts again and does its work: no task ends silently.

use crate::bets::{place, registered};
use crate::client::Client;
use crate::nodes::until_closed_with;
use crate::sessions::session_of;
use kvota::testkit::builders::usual_match;
use kvota::testkit::world::{PATIENCE, World};
use kvota_store::Stores;
use kvota_store::nodes::{Change, SessionKey};
use serde_json::json;
use tokio::time::Instant;

/// Waits for a condition.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn each_task_of_the_server_starts_again_after_a_panic() {
    let stores = Stores::in_memory();
    let mut world = World::over(stores.clone()).await;
    world.feed.publish(vec![usual_match(1, "2").insert()]).await;
    world.settle().await;
    let names: Vec<&str> = world.services.tasks().iter().map(|task| task.name()).collect();
    assert_eq!(names, ["nodes", "cash_out_rules", "cash_out_values", "cash_out_availability", "betting_pause"]);
    let points = &world.offer.fail_points;
    for name in names {
        // The second panic shows that the task has started again.
        for time in 1..=2 {
            points.panic_task(name);
            until(&format!("{name} has panicked {time} times"), || !points.is_task_armed()).await;
        }
    }

    let cookie = registered(&world, "ana").await;
    place(&world, &cookie, 1, &[(1, "2")]).await;
    let mut tab = Client::connect_with(&world, "en", "kvota.v1.json", Some(&cookie)).await;
    tab.send_command("watch", &[json!({"sports": [], "bets": true})]).await;
    tab.until(|message| message[0] == 22).await;

    stores.betting_pause.pause(1).await.expect("the store answers");
    until("the pause is known", || world.placements.is_paused()).await;

    let other = stores.join_nodes().expect("a node");
    let session = session_of(Some(&cookie));
    other.sender.send(Change::CookieEnded(SessionKey::of_cookie(session)));
    until_closed_with(&mut tab, 1012).await;
}
