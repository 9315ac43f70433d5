//! A publisher that panics is restarted; its connections start over and receive all later changes.

use crate::client::Client;
use kvota::hub::publisher_actor::Panic;
use kvota::testkit::builders::{live_match, result};
use kvota::testkit::world::World;

#[actix::test]
async fn publisher_restarts_after_a_panic_and_its_connections_reload() {
    let mut world = World::start().await;
    world.feed.publish(vec![live_match(1).market(result(10, ["1.50", "4.00", "6.00"])).insert()]).await;
    world.settle().await;
    let mut client = Client::connect(&world, "hr").await;
    client.watch_all().await;
    for price in ["1.60", "1.70", "1.80"] {
        for publisher in world.publishers.all() {
            assert!(publisher.send(Panic).await.is_err(), "it died of it");
        }
        client.until(|message| message[0] == 14 && message[1] == "reload").await;
        world.feed.publish(vec![live_match(1).market(result(10, [price, "4.00", "6.00"])).update()]).await;
        client.until(|message| message[0] == 4 && message[1] == 1).await;
    }
}
