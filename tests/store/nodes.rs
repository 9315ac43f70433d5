//! What the nodes that share a store know of each other: every other node receives each change once, and learns that it may
//! have missed some when its connection was lost; orders and password attempts are limited over all of them.

use crate::world::{Kind, Place, World, count_placed, order, place_all};
use futures_util::future::join_all;
use kvota_domain::ids::MatchId;
use kvota_domain::session::SessionId;
use kvota_store::nodes::{Attempt, Attempts, Change, NodeLink, Notice, OrderSlot, SessionKey};
use kvota_store::postgres::PostgresStore;
use kvota_store::{IdempotencyKey, SessionOwner, Stores};
use sqlx::{Connection, Executor, PgConnection};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

async fn next(link: &mut NodeLink) -> Notice {
    tokio::time::timeout(PATIENCE, link.notices.recv()).await.expect("a notice in time").expect("the link is open")
}

fn results(id: u64) -> Change {
    Change::Results(MatchId::new(id).expect("an id"))
}

#[tokio::test]
async fn nodes_on_one_database_tell_each_other_what_changed() {
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a schema") };
    let other = Stores::over(PostgresStore::open(&schema.url, 2).await.expect("a schema"));
    let (mut one, mut two) = (world.stores.join_nodes().expect("a link"), other.join_nodes().expect("a link"));
    // Both listen once they have reported that earlier notices may be lost.
    assert_eq!((next(&mut one).await, next(&mut two).await), (Notice::Missed, Notice::Missed));

    let session = SessionKey::of_owner(SessionOwner::Anonymous(SessionId::from_bytes([7; 16])));
    one.sender.send(Change::Session(session.clone()));
    assert_eq!(next(&mut two).await, Notice::Changed(Change::Session(session)));
    // More than fits into one message.
    (1..=2_000).for_each(|id| two.sender.send(results(id)));
    let mut ids = std::collections::HashSet::new();
    while ids.len() < 2_000 {
        let Notice::Changed(Change::Results(id)) = next(&mut one).await else { panic!("only results were sent") };
        assert!(ids.insert(id), "{id:?} came twice");
    }

    // The server ends all connections that listen.
    let mut hand = PgConnection::connect(&schema.url).await.expect("a schema");
    let end = sqlx::query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = current_schema() \
         AND pid <> pg_backend_pid()",
    );
    hand.execute(end).await.expect("they are ended");
    assert_eq!((next(&mut one).await, next(&mut two).await), (Notice::Missed, Notice::Missed));
    two.sender.send(results(17));
    // The first message after the loss may be dropped with the old connection; a later one arrives.
    loop {
        two.sender.send(results(18));
        let waited = tokio::time::timeout(Duration::from_millis(500), one.notices.recv()).await;
        if let Ok(Some(Notice::Changed(Change::Results(id)))) = waited {
            assert!(id.get() == 17 || id.get() == 18);
            break;
        }
    }
    other.close().await.expect("closed");
    drop((one, two));
    world.end().await;
}

/// Two nodes on one database that know of each other.
async fn two_nodes(world: &World) -> (Stores, [NodeLink; 2]) {
    let Place::Schema(schema) = &world.place else { panic!("a schema") };
    let other = Stores::over(PostgresStore::open(&schema.url, 8).await.expect("a schema"));
    let links = [world.stores.join_nodes().expect("a link"), other.join_nodes().expect("a link")];
    // Each counts for itself until it has seen the other.
    for (number, stores) in [(1, &world.stores), (2, &other)] {
        let key = vec![number];
        let limit = || vec![Attempt { key: key.clone(), max: usize::MAX }];
        while stores.shared_limits.take_attempt(limit(), MINUTE).await.expect("an answer")
            == Attempts::Taken(Vec::new())
        {
            tokio::task::yield_now().await;
        }
    }
    (other, links)
}

const MINUTE: Duration = Duration::from_secs(60);

/// Waits until this number of nodes is the first one.
async fn wait_for_first(nodes: &[&Stores], expected: usize) {
    let first = || nodes.iter().filter(|stores| stores.shared_limits.is_first_node()).count();
    let wait = async {
        while first() != expected {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("in time");
}

#[tokio::test]
async fn one_node_is_the_first_and_another_one_after_its_end() {
    let world = World::new(Kind::Postgres).await;
    let (other, links) = two_nodes(&world).await;
    wait_for_first(&[&world.stores, &other], 1).await;
    let (first, second) = match other.shared_limits.is_first_node() {
        true => (&other, &world.stores),
        false => (&world.stores, &other),
    };
    first.close().await.expect("closed");
    wait_for_first(&[second], 1).await;
    second.close().await.expect("closed");
    drop(links);
    let Place::Schema(schema) = world.place else { panic!("a schema") };
    schema.drop().await;
}

fn key(number: u8) -> IdempotencyKey {
    IdempotencyKey([number; 16])
}

#[tokio::test]
async fn running_orders_of_an_account_are_limited_over_all_nodes() {
    let world = World::new(Kind::Postgres).await;
    let account = world.account("ana", 1_000).await;
    let (other, links) = two_nodes(&world).await;
    let nodes = [&world.stores, &other];
    let begin = |node: usize, number: u8| nodes[node].shared_limits.begin_order(account, key(number), 16, MINUTE);
    // 48 at once, on both nodes.
    let all = join_all((0..48).map(|number| begin(usize::from(number) % 2, number))).await;
    let all: Vec<OrderSlot> = all.into_iter().map(|place| place.expect("an answer")).collect();
    assert_eq!(all.iter().filter(|place| **place == OrderSlot::Reserved).count(), 16, "{all:?}");
    let first = all.iter().position(|place| *place == OrderSlot::Reserved).expect("one runs");
    let number = u8::try_from(first).expect("a small number");
    assert_eq!(begin(1 - first % 2, number).await.expect("an answer"), OrderSlot::RunsElsewhere);
    nodes[first % 2].shared_limits.end_order(account, key(number)).await.expect("it ends");
    assert_eq!(begin(1 - first % 2, number).await.expect("an answer"), OrderSlot::Reserved, "the place is free again");

    // A placed bet frees its place and leaves its answer to all nodes.
    let eva = world.account("eva", 1_000).await;
    let (placed, later) = (order(eva, 1), key(2));
    let of_eva = |node: usize, key: IdempotencyKey| nodes[node].shared_limits.begin_order(eva, key, 1, MINUTE);
    assert_eq!(of_eva(0, placed.key).await.expect("an answer"), OrderSlot::Reserved);
    assert_eq!(of_eva(1, later).await.expect("an answer"), OrderSlot::NoneLeft);
    assert_eq!(count_placed(&place_all(nodes[0], [placed.clone()]).await), 1);
    assert_eq!(of_eva(1, later).await.expect("an answer"), OrderSlot::Reserved);
    assert!(matches!(of_eva(1, placed.key).await.expect("an answer"), OrderSlot::Answered(_)), "with no place left");

    // The orders of a node that is gone free their places.
    let bob = world.account("bob", 1_000).await;
    let of_bob = |node: usize, number: u8| nodes[node].shared_limits.begin_order(bob, key(number), 1, MINUTE);
    assert_eq!(of_bob(0, 1).await.expect("an answer"), OrderSlot::Reserved);
    let Place::Schema(schema) = &world.place else { panic!("a schema") };
    let mut hand = PgConnection::connect(&schema.url).await.expect("a schema");
    let die = "UPDATE running_orders SET node_id = 0 WHERE account_id = (SELECT id FROM accounts WHERE name = 'bob')";
    hand.execute(die).await.expect("its node is one that never was");
    assert_eq!(of_bob(1, 1).await.expect("an answer"), OrderSlot::Reserved);
    other.close().await.expect("closed");
    drop(links);
    world.end().await;
}

/// It may have committed changes that it did not send.
#[tokio::test]
async fn end_of_a_node_counts_as_a_missed_notice() {
    let world = World::new(Kind::Postgres).await;
    let (other, [mut one, two]) = two_nodes(&world).await;
    assert_eq!(next(&mut one).await, Notice::Missed, "the start of its connection");
    while !world.stores.shared_limits.has_other_nodes() {
        tokio::task::yield_now().await;
    }
    other.close().await.expect("closed");
    assert_eq!(next(&mut one).await, Notice::Missed, "the end of the other node");
    drop((one, two));
    world.end().await;
}

#[tokio::test]
async fn password_attempts_are_limited_over_all_nodes() {
    let world = World::new(Kind::Postgres).await;
    let (other, links) = two_nodes(&world).await;
    let nodes = [&world.stores, &other];
    let attempt = |node: usize, name: &'static [u8], address: &'static [u8]| {
        let limits = vec![Attempt { key: name.to_vec(), max: 5 }, Attempt { key: address.to_vec(), max: 20 }];
        nodes[node].shared_limits.take_attempt(limits, MINUTE)
    };
    let all = join_all((0..30).map(|number| attempt(number % 2, b"ana", b"10.0.0.1"))).await;
    let accepted: Vec<Vec<i64>> = all
        .into_iter()
        .filter_map(|attempts| match attempts.expect("an answer") {
            Attempts::Taken(ids) => Some(ids),
            Attempts::NoneLeft { seconds } => {
                assert!((1..=60).contains(&seconds));
                None
            }
        })
        .collect();
    assert_eq!(accepted.len(), 5);
    // A correct password is given back, on any node.
    other.shared_limits.give_back_attempt(accepted[0].clone()).await.expect("it is undone");
    assert!(matches!(attempt(0, b"ana", b"10.0.0.1").await, Ok(Attempts::Taken(_))));
    // A name that reached its limit uses up no place of the address: 5 of 20 are taken.
    let mut of_address = 0;
    for name in [&b"bob"[..], b"eva", b"ivo", b"mia"] {
        for number in 0..5 {
            let limits = vec![Attempt { key: name.to_vec(), max: 5 }, Attempt { key: b"10.0.0.1".to_vec(), max: 20 }];
            let attempts = nodes[number % 2].shared_limits.take_attempt(limits, MINUTE).await.expect("an answer");
            of_address += usize::from(matches!(attempts, Attempts::Taken(_)));
        }
    }
    assert_eq!(of_address, 15);
    // A node that stops says so.
    other.close().await.expect("closed");
    let Place::Schema(schema) = &world.place else { panic!("a schema") };
    let mut hand = PgConnection::connect(&schema.url).await.expect("a schema");
    let alive: i64 = sqlx::query_scalar("SELECT count(*) FROM nodes").fetch_one(&mut hand).await.expect("a number");
    assert_eq!(alive, 1);
    drop(links);
    world.end().await;
}
