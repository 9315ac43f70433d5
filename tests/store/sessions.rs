//! Saved sessions (tickets and favourites) in any store.

use crate::world::{NOW, World};
use futures_util::future::join_all;
use kvota_domain::session::SessionId;
use kvota_store::{AccountId, SavedSession, SessionOwner, SessionSaved};

fn anonymous(number: u8) -> SessionOwner {
    SessionOwner::Anonymous(SessionId::from_bytes([number; 16]))
}

fn of_account(id: i64) -> SessionOwner {
    SessionOwner::Account(AccountId::bettor(id).expect("a bettor's id"))
}

async fn save(world: &World, owner: SessionOwner, expected: u64, bytes: &[u8], now_ms: i64) -> SessionSaved {
    world.stores.sessions.save(owner, expected, bytes.to_vec(), now_ms).await.expect("an outcome")
}

#[track_caller]
fn version(saved: SessionSaved) -> u64 {
    match saved {
        SessionSaved::Saved(version) => version,
        SessionSaved::Conflict(current) => panic!("a conflict with {current:?}"),
    }
}

pub(crate) async fn session_is_loaded_unchanged(world: &World) {
    let sessions = &world.stores.sessions;
    for (owner, bytes) in [(anonymous(1), vec![0, 255, 1]), (of_account(1), Vec::new())] {
        assert_eq!(sessions.load(owner).await.expect("the store answers"), None);
        let version = version(save(world, owner, 0, &bytes, NOW).await);
        assert_eq!(sessions.load(owner).await.expect("the store answers"), Some(SavedSession { version, bytes }));
    }
    assert!(sessions.delete(anonymous(1)).await.expect("the store answers"));
    assert!(!sessions.delete(anonymous(1)).await.expect("the store answers"));
    assert_eq!(sessions.load(anonymous(1)).await.expect("the store answers"), None);
    assert!(sessions.load(of_account(1)).await.expect("the store answers").is_some());
}

pub(crate) async fn saving_over_another_version_is_a_conflict(world: &World) {
    let owner = of_account(1);
    let first = version(save(world, owner, 0, b"one", NOW).await);
    let second = version(save(world, owner, first, b"two", NOW).await);
    assert!(second > first);

    let current = Some(SavedSession { version: second, bytes: b"two".to_vec() });
    for stale in [0, first, second + 1] {
        assert_eq!(save(world, owner, stale, b"three", NOW).await, SessionSaved::Conflict(current.clone()));
    }
    assert_eq!(world.stores.sessions.load(owner).await.expect("the store answers"), current);
    assert_eq!(save(world, anonymous(1), first, b"one", NOW).await, SessionSaved::Conflict(None));
}

pub(crate) async fn only_one_of_two_parallel_saves_succeeds(world: &World) {
    let owner = anonymous(1);
    let first = version(save(world, owner, 0, b"", NOW).await);
    for expected in [first, 0] {
        let saved = join_all((0..20).map(|_| save(world, owner, expected, b"mine", NOW))).await;
        let winners = saved.iter().filter(|outcome| matches!(outcome, SessionSaved::Saved(_))).count();
        assert_eq!(winners, 1, "over version {expected}");
        world.stores.sessions.delete(owner).await.expect("the store answers");
    }
}

pub(crate) async fn versions_are_not_reused_after_a_deletion(world: &World) {
    let owner = anonymous(1);
    let first = version(save(world, owner, 0, b"one", NOW).await);
    world.stores.sessions.delete(owner).await.expect("the store answers");
    let second = version(save(world, owner, 0, b"two", NOW + 1).await);
    assert!(second > first);
    // A save with the version from before the deletion must not overwrite the new session.
    assert!(matches!(save(world, owner, first, b"late", NOW + 2).await, SessionSaved::Conflict(Some(_))));
}

pub(crate) async fn old_anonymous_sessions_are_deleted(world: &World) {
    let sessions = &world.stores.sessions;
    save(world, anonymous(1), 0, b"old", NOW).await;
    save(world, of_account(1), 0, b"old, but of an account", NOW).await;
    let revived = version(save(world, anonymous(2), 0, b"old at first", NOW).await);
    save(world, anonymous(2), revived, b"new", NOW + 10).await;

    assert_eq!(sessions.forget_anonymous(NOW + 10, 9).await.expect("the store answers"), 1);

    assert_eq!(sessions.load(anonymous(1)).await.expect("the store answers"), None);
    assert!(sessions.load(anonymous(2)).await.expect("the store answers").is_some());
    assert!(sessions.load(of_account(1)).await.expect("the store answers").is_some());
}

pub(crate) async fn oldest_anonymous_sessions_beyond_the_limit_are_deleted(world: &World) {
    let sessions = &world.stores.sessions;
    save(world, of_account(1), 0, b"of an account", NOW - 9).await;
    for number in 1..=5 {
        save(world, anonymous(number), 0, b"a ticket", NOW + i64::from(number)).await;
    }

    assert_eq!(sessions.forget_anonymous(NOW, 5).await.expect("the store answers"), 0);
    assert_eq!(sessions.forget_anonymous(NOW, 3).await.expect("the store answers"), 2);

    for (owner, is_kept) in [
        (anonymous(1), false),
        (anonymous(2), false),
        (anonymous(3), true),
        (anonymous(5), true),
        (of_account(1), true),
    ] {
        assert_eq!(sessions.load(owner).await.expect("the store answers").is_some(), is_kept, "{owner:?}");
    }
}
