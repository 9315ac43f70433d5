//! A server that is not there, or goes away: unavailable, and no worse.

use crate::world::{Kind, Place, World, count_placed, order, place_all, server_url};
use kvota::store::postgres::PostgresStore;
use kvota::store::{OpenError, StoreError};
use sqlx::{Connection, PgConnection};

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
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
async fn connections_that_are_cut_are_made_anew() {
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
        // The first try may meet a dead connection; asking again with the key settles it.
        let outcomes = place_all(&world.stores, [order(account, number)]).await;
        assert_eq!(count_placed(&outcomes), 1, "{outcomes:?}");
    }

    assert_eq!(world.balance(account).await, 0);
    world.end().await;
}
