//! A PostgreSQL server that is down or goes away: the store reports `Unavailable` and recovers.

use crate::world::{Kind, Place, World, count_placed, order, place_all, server_url, ticket_id};
use futures_util::future::join_all;
use kvota::testkit::measured::{asked_for, count, most};
use kvota::testkit::proxy::{ChaosProxy, NetworkConditions};
use kvota::testkit::seed::roll;
use kvota_store::nodes::Notice;
use kvota_store::postgres::PostgresStore;
use kvota_store::{OpenError, PlaceBet, Placed, StoreError, Stores};
use sqlx::{Connection, PgConnection};
use tokio::time::Instant;

#[tokio::test]
async fn unreachable_server_is_reported_as_unavailable() {
    // A port that was free a moment ago, so nobody listens on it.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);

    let opened = PostgresStore::open(&format!("postgres://kvota:s3cret@127.0.0.1:{port}/kvota"), 4).await;

    let failure = opened.err().expect("nobody answers");
    let text = format!("{failure}: {failure:?}");
    assert!(matches!(failure, OpenError::Store(StoreError::Unavailable { .. })), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn cut_connections_are_reopened() {
    let world = World::new(Kind::Postgres).await;
    let account = world.account("ana", 5000).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let mut other = PgConnection::connect(&server_url()).await.unwrap();

    for number in 0..5 {
        sqlx::query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 \
             AND pid <> pg_backend_pid()",
        )
        .bind(&schema.name)
        .execute(&mut other)
        .await
        .unwrap();
        // The first try may use a dead connection; repeating it with the key gives one bet.
        let outcomes = place_all(&world.stores, [order(account, number)]).await;
        assert_eq!(count_placed(&outcomes), 1, "{outcomes:?}");
    }

    assert_eq!(world.balance(account).await, 0);
    world.end().await;
}

/// The host of the database is gone without a word: open connections stay and answer nothing. New ones work.
#[tokio::test]
async fn frozen_connections_are_replaced_within_twenty_seconds() {
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let account = world.account("ana", 100_000).await;
    let proxy = ChaosProxy::before(&schema.url, NetworkConditions::Clear).await;
    let connections = 4;
    let stores = Stores::over(PostgresStore::open(&proxy.url(&schema.url), connections).await.expect("a schema"));
    let mut link = stores.join_nodes().expect("nodes share a database");
    while link.notices.recv().await != Some(Notice::Missed) {}
    // Every place of the pool has a connection.
    let opened = place_all(&stores, (0..8).map(|number| order(account, number))).await;
    assert_eq!(count_placed(&opened), 8);

    assert!(proxy.freeze_open_connections() >= u64::from(connections));
    let began = Instant::now();
    // As many calls as there are connections hang in a query; the others wait for a connection.
    let frozen = join_all((10..20).map(|number| stores.bets.place(order(account, number)))).await;
    assert!(frozen.iter().all(|outcome| matches!(outcome, Err(StoreError::Unavailable { .. }))), "{frozen:?}");
    let mut placed = stores.bets.place(order(account, 30)).await;
    while placed.is_err() {
        placed = stores.bets.place(order(account, 30)).await;
    }
    most("R12", "s until bets are stored after the link froze", began.elapsed().as_secs_f64(), 20.0);
    // The link between the nodes is back as well; it says that notices may have been missed.
    while link.notices.recv().await != Some(Notice::Missed) {}
    most("R12", "s until notices arrive after the link froze", began.elapsed().as_secs_f64(), 20.0);
    assert_eq!(world.stores.audit().await.unwrap().findings, Vec::<String>::new());
    stores.close().await.unwrap();
    world.end().await;
}

/// R13. The connection breaks somewhere in a bet, half of the times in the answer to its commit. A repeated request
/// with the key gives one bet, whatever happened to the first. `KVOTA_CUTS=2000` sets the number of cuts.
#[tokio::test]
async fn retry_after_a_broken_connection_makes_one_bet() {
    let cuts = asked_for("KVOTA_CUTS", 60);
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let opening = i64::MAX / 1_000;
    let account = world.account("ana", opening).await;
    let proxy = ChaosProxy::before(&schema.url, NetworkConditions::Clear).await;
    let store = PostgresStore::open(&proxy.url(&schema.url), 1).await.expect("a schema");
    let stores = Stores::over(store);
    let mut dice = roll(13);
    // Finds how many bytes of answers a bet needs; with fewer the connection breaks.
    let (mut whole, mut number) = (64, 0);
    loop {
        proxy.set(NetworkConditions::CutAfter(whole));
        number += 1;
        let first = stores.bets.place(order(account, number)).await;
        proxy.set(NetworkConditions::Clear);
        if first.is_ok() {
            break;
        }
        count_placed(&place_all(&stores, [order(account, number)]).await);
        whole += 64;
        assert!(number < 50, "a bet needs no {whole} bytes");
    }
    let (mut broken, mut behind_the_commit) = (0_u64, 0);
    while broken < cuts || behind_the_commit == 0 {
        number += 1;
        assert!(u64::from(number) < 100 * cuts, "{broken} broken, {behind_the_commit} behind the commit");
        let after = if dice.chance(500) { dice.between(whole - 64, whole) } else { dice.between(1, whole) };
        proxy.set(NetworkConditions::CutAfter(after));
        let first = stores.bets.place(order(account, number)).await;
        proxy.set(NetworkConditions::Clear);
        // A repeated request has another ticket id: only the key shows that they are one bet.
        let again = PlaceBet { ticket_id: ticket_id(&format!("again{number}")), ..order(account, number) };
        let again = place_all(&stores, [again]).await;
        let is_replayed = matches!(again[..], [Placed::Replayed(_)]);
        match first {
            Ok(_) => {
                // The first measure may have included the opening of a connection.
                whole = whole.min(after);
                assert!(is_replayed, "{again:?}");
            }
            Err(_) => {
                broken += 1;
                behind_the_commit += u32::from(is_replayed);
                assert!(is_replayed || count_placed(&again) == 1, "{again:?}");
            }
        }
    }
    let report = world.stores.audit().await.unwrap();
    assert_eq!((report.bets, report.findings), (u64::from(number), Vec::new()));
    assert_eq!(world.balance(account).await, opening - i64::from(number) * 1000);
    assert_eq!(broken, cuts, "every connection was cut");
    let what = format!("bets on cut connections, {behind_the_commit} after the commit; each exists once");
    count("R13", &what, broken);
    stores.close().await.unwrap();
    world.end().await;
}
