//! When a session without connections is removed from memory.

use crate::stage::{Tab, anonymous, pass, pick, sessions_over_constant_offer};
use kvota::actors::limits::{SESSION_IDLE_MS, SESSION_SWEEP_MS, SESSION_UNSAVED_MS_MAX};
use kvota::testkit::faulty_store::{Fault, FaultyStore};
use kvota_store::Stores;
use std::sync::Arc;

#[actix::test]
async fn idle_session_is_unloaded_and_restored_on_the_next_connection() {
    tokio::time::pause();
    let stores = Stores::in_memory();
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    for number in 1..=50 {
        let mut tab = Tab::open(&sessions, &anonymous(number)).await;
        tab.command(pick(1)).await.expect("picked");
        tab.close();
    }
    let mut staying = Tab::open(&sessions, &anonymous(60)).await;
    staying.command(pick(2)).await.expect("picked");
    assert_eq!(sessions.observe().await.live, 51);
    pass(SESSION_IDLE_MS / 2).await;
    let mut back = Tab::open(&sessions, &anonymous(1)).await;
    pass(SESSION_IDLE_MS / 2 - 1).await;
    assert_eq!(sessions.observe().await.live, 51, "nobody leaves early");
    pass(4 * SESSION_SWEEP_MS).await;
    let observed = sessions.observe().await;
    assert_eq!(
        (observed.live, observed.with_matches),
        (2, 2),
        "whoever is connected stays, the index forgets the others"
    );
    back.until_pairs(&[1]).await;
    staying.command(pick(3)).await.expect("it goes on");
    Tab::open(&sessions, &anonymous(7)).await.until_pairs(&[1]).await;
}

#[actix::test]
async fn unsaved_session_is_kept_longer_but_not_forever() {
    tokio::time::pause();
    let mut stores = Stores::in_memory();
    let store = FaultyStore::over(Arc::clone(&stores.sessions));
    stores.sessions = Arc::new(store.clone());
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    store.set(Fault::Down);
    let mut tab = Tab::open(&sessions, &anonymous(1)).await;
    tab.command(pick(1)).await.expect("kept in memory");
    tab.close();
    pass(SESSION_UNSAVED_MS_MAX - SESSION_SWEEP_MS).await;
    assert_eq!(sessions.observe().await.live, 1);
    pass(3 * SESSION_SWEEP_MS).await;
    assert_eq!(sessions.observe().await.live, 0);
}
