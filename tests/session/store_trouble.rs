//! A store that cannot be reached stops nobody, and what happened meanwhile is saved when it is back.

use crate::stage::{Tab, account, anonymous, cookie, favourite, pass, pick, still_sessions};
use kvota::store::{SessionOwner, Stores};
use kvota::testkit::faulty_store::{Fault, FaultyStore};
use kvota::wire::session::decode;
use std::sync::Arc;

fn faulty() -> (Stores, FaultyStore) {
    let mut stores = Stores::in_memory();
    let store = FaultyStore::over(Arc::clone(&stores.sessions));
    stores.sessions = Arc::new(store.clone());
    (stores, store)
}

/// The matches on the saved ticket.
async fn saved(stores: &Stores) -> Vec<u64> {
    let saved = stores.sessions.load(SessionOwner::Anonymous(cookie(1))).await.expect("it can be reached");
    let state = saved.map(|saved| decode(&saved.bytes).expect("a session"));
    state.into_iter().flat_map(|state| state.ticket.pairs).map(|pair| pair.match_id.get()).collect()
}

/// Lets time pass until what is saved is this.
async fn until_saved(stores: &Stores, ids: &[u64]) {
    for _ in 0..600 {
        if saved(stores).await == ids {
            return;
        }
        pass(100).await;
    }
    panic!("not saved within a minute: {:?}", saved(stores).await);
}

#[actix::test]
async fn what_happens_without_a_store_is_acknowledged_and_saved_later() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let (sessions, _offer) = still_sessions(&stores);
    let mut tab = Tab::open(&sessions, &anonymous(1)).await;
    tab.say(pick(1)).await.expect("saved");
    for fault in [Fault::Down, Fault::AnswersLost, Fault::Silent] {
        store.set(fault);
        tab.say(pick(2)).await.expect("kept in memory");
        assert_eq!(tab.pairs(), [1, 2], "{fault:?}");
        store.set(Fault::None);
        until_saved(&stores, &[1, 2]).await;
        tab.say(pick(2)).await.expect("and dropped again");
        until_saved(&stores, &[1]).await;
    }
}

#[actix::test]
async fn a_bettor_who_comes_while_there_is_no_store_finds_his_ticket_when_it_is_back() {
    tokio::time::pause();
    let (stores, store) = faulty();
    {
        let (sessions, _offer) = still_sessions(&stores);
        let mut tab = Tab::open(&sessions, &anonymous(1)).await;
        tab.say(pick(1)).await.expect("saved");
    }
    store.set(Fault::Down);
    let (sessions, _offer) = still_sessions(&stores);
    let mut tab = Tab::open(&sessions, &anonymous(1)).await;
    tab.until_pairs(&[]).await;
    tab.say(pick(2)).await.expect("kept in memory");
    tab.say(favourite(3, true)).await.expect("kept in memory");
    store.set(Fault::None);
    until_saved(&stores, &[1, 2]).await;
    tab.until(|tab| tab.pairs() == [1, 2] && tab.favourites == Some(vec![3])).await;

    let (others, _offer) = still_sessions(&stores);
    store.set(Fault::Down);
    let mut idle = Tab::open(&others, &anonymous(1)).await;
    idle.until_pairs(&[]).await;
    store.set(Fault::None);
    idle.until(|tab| tab.pairs() == [1, 2]).await;
}

#[actix::test]
async fn much_that_happens_without_a_store_takes_no_more_memory_than_little() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let (sessions, _offer) = still_sessions(&stores);
    let mut tab = Tab::open(&sessions, &anonymous(1)).await;
    tab.say(pick(1)).await.expect("saved");
    store.set(Fault::Down);
    for _ in 0..601 {
        tab.say(pick(2)).await.expect("kept in memory");
    }
    store.set(Fault::None);
    until_saved(&stores, &[1, 2]).await;
}

#[actix::test]
async fn who_is_logged_in_becomes_known_when_the_store_is_back() {
    tokio::time::pause();
    let stores = Stores::in_memory();
    let ana = account(&stores, "ana", 1).await;
    let (sessions, _offer) = still_sessions(&stores);
    let unknown = kvota::actors::session::sessions::Bettor { is_certain: false, ..anonymous(1) };
    let mut tab = Tab::open(&sessions, &unknown).await;
    tab.say(pick(1)).await.expect("for the time being as nobody");
    // Who is not known yet is not forgotten with the actor that has to ask.
    sessions.panic().await;
    // The actor asks again and finds the account: what was picked goes there, and the connection comes again.
    tab.until(|tab| tab.is_over).await;
    let bettor = sessions.identify(cookie(1)).await;
    assert_eq!(bettor.owner, SessionOwner::Account(ana));
    Tab::open(&sessions, &bettor).await.until_pairs(&[1]).await;
}

#[actix::test]
async fn savings_are_gathered_and_a_new_session_costs_the_store_nothing() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let (sessions, _offer) = still_sessions(&stores);
    let mut tab = Tab::open_as(&sessions, &anonymous(1), cookie(1), kvota::domain::lang::Lang::Hr, true).await;
    tab.until_pairs(&[]).await;
    assert_eq!((store.loads(), store.savings()), (0, 0));
    for _ in 0..20 {
        tab.send(pick(1));
        tab.send(pick(2));
    }
    tab.say(pick(3)).await.expect("done");
    assert_eq!(store.savings(), 2, "the first at once, all others together");
    assert_eq!(saved(&stores).await, [3]);
}

#[actix::test]
async fn a_login_while_it_is_not_known_what_is_saved_takes_nothing_away() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let ana = account(&stores, "ana", 2).await;
    {
        let (sessions, _offer) = still_sessions(&stores);
        Tab::open(&sessions, &anonymous(1)).await.say(pick(1)).await.expect("saved");
    }
    let (sessions, _offer) = still_sessions(&stores);
    store.set(Fault::Down);
    assert!(sessions.merge(cookie(1), ana).await.is_err());
    store.set(Fault::None);
    assert_eq!(saved(&stores).await, [1]);
}
