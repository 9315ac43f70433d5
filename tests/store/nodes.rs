//! Messages between the nodes that share a store: every other node receives each change once, and learns that it may have
//! missed some when its connection was lost.

use crate::world::{Kind, Place, World};
use kvota::domain::ids::MatchId;
use kvota::domain::session::SessionId;
use kvota::store::nodes::{Change, NodeLink, Notice, SessionKey};
use kvota::store::postgres::PostgresStore;
use kvota::store::{SessionOwner, Stores};
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
    let mut received = std::collections::HashSet::new();
    while received.len() < 2_000 {
        let Notice::Changed(Change::Results(id)) = next(&mut one).await else { panic!("only results were sent") };
        assert!(received.insert(id), "{id:?} came twice");
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
