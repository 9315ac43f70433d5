//! What a session keeps across a reload, a restart, a move to another node and a panic.

use crate::stage::{Tab, account, anonymous, cookie, favourite, other_verbs, pick, stake, world_over};
use kvota_domain::lang::Lang;
use kvota_store::{SessionOwner, Stores};

#[actix::test]
async fn ticket_survives_a_reload_and_a_restart() {
    let stores = Stores::in_memory();
    let ticket = {
        let world = world_over(stores.clone()).await;
        let mut tab = Tab::open_as(&world.sessions, &anonymous(1), cookie(1), Lang::Hr, true).await;
        for command in [pick(1), pick(2), pick(3), favourite(2, true), stake("5.55")].into_iter().chain(other_verbs()) {
            tab.command(command).await.expect("done");
        }
        let ticket = tab.ticket.clone().expect("told");
        tab.close();
        let mut reloaded = Tab::open(&world.sessions, &anonymous(1)).await;
        reloaded.until(|tab| tab.ticket.is_some()).await;
        assert_eq!(reloaded.ticket.as_deref(), Some(&*ticket), "a reload");
        ticket
    };
    let restarted = world_over(stores).await;
    let mut tab = Tab::open(&restarted.sessions, &anonymous(1)).await;
    tab.until(|tab| tab.ticket.is_some() && tab.favourites.is_some()).await;
    assert_eq!(tab.ticket.as_deref(), Some(&*ticket), "a restart");
    assert_eq!(tab.favourites, Some(vec![2]));
}

#[actix::test]
async fn two_nodes_merge_a_session_when_they_save() {
    let stores = Stores::in_memory();
    let (zagreb, split) = (world_over(stores.clone()).await, world_over(stores.clone()).await);
    let mut one = Tab::open(&zagreb.sessions, &anonymous(1)).await;
    let mut two = Tab::open(&split.sessions, &anonymous(1)).await;
    one.until_pairs(&[]).await;
    two.until_pairs(&[]).await;
    one.command(pick(1)).await.expect("saved first");
    two.command(pick(2)).await.expect("saved on top of it");
    assert_eq!(two.pairs(), [1, 2], "what the other node saved was there before the acknowledgement");
    one.command(favourite(3, true)).await.expect("saved on top of that");
    assert_eq!(one.pairs(), [1, 2]);
    two.command(pick(1)).await.expect("a pick of what is picked, decided on what was seen");
    let mut third = Tab::open(&zagreb.sessions, &anonymous(1)).await;
    third.until(|tab| tab.pairs() == [2] && tab.favourites == Some(vec![3])).await;
    one.until_pairs(&[2]).await;
}

#[actix::test]
async fn returning_bettor_sees_what_another_node_saved() {
    let stores = Stores::in_memory();
    let (zagreb, split) = (world_over(stores.clone()).await, world_over(stores.clone()).await);
    // Split holds two sessions with empty tickets: one with a cookie that Split issued, one with a cookie that came
    // with the request.
    for (number, is_new) in [(1, true), (2, false)] {
        let mut first = Tab::open_as(&split.sessions, &anonymous(number), cookie(number), Lang::Hr, is_new).await;
        first.until_pairs(&[]).await;
        first.close();
        let mut there = Tab::open(&zagreb.sessions, &anonymous(number)).await;
        there.command(pick(1)).await.expect("saved");
        there.command(favourite(2, true)).await.expect("saved");
        there.close();
        let mut back = Tab::open(&split.sessions, &anonymous(number)).await;
        back.until(|tab| tab.pairs() == [1] && tab.favourites == Some(vec![2])).await;
    }
}

#[actix::test]
async fn first_ticket_on_a_node_is_what_another_node_has_acknowledged() {
    let stores = Stores::in_memory();
    let (zagreb, split) = (world_over(stores.clone()).await, world_over(stores.clone()).await);
    // The session lives on both nodes.
    let mut there = Tab::open(&zagreb.sessions, &anonymous(1)).await;
    let mut here = Tab::open(&split.sessions, &anonymous(1)).await;
    there.command(pick(1)).await.expect("saved");
    here.until_pairs(&[1]).await;
    for number in 1..=50 {
        let text = format!("{number}.00");
        there.command(stake(&text)).await.expect("saved");
        let mut new = Tab::open(&split.sessions, &anonymous(1)).await;
        new.until(|tab| tab.ticket.is_some()).await;
        assert_eq!(new.ticket.as_ref().map(|info| info.ticket.stake.to_string()), Some(text));
        new.close();
    }
}

#[actix::test]
async fn tab_of_an_empty_session_receives_the_session_another_tab_loads() {
    let stores = Stores::in_memory();
    let (zagreb, split) = (world_over(stores.clone()).await, world_over(stores.clone()).await);
    let mut empty = Tab::open(&split.sessions, &anonymous(1)).await;
    empty.until_pairs(&[]).await;
    assert_eq!(split.sessions.observe().await.live, 0);
    Tab::open(&zagreb.sessions, &anonymous(1)).await.command(pick(1)).await.expect("saved");
    let mut found = Tab::open(&split.sessions, &anonymous(1)).await;
    found.until_pairs(&[1]).await;
    empty.until_pairs(&[1]).await;
    empty.command(pick(2)).await.expect("saved");
    found.until_pairs(&[1, 2]).await;
}

#[actix::test]
async fn session_panic_ends_its_connections_and_loses_no_saved_change() {
    let world = world_over(Stores::in_memory()).await;
    let mut one = Tab::open(&world.sessions, &anonymous(1)).await;
    let mut two = Tab::open(&world.sessions, &anonymous(1)).await;
    let mut other = Tab::open(&world.sessions, &anonymous(2)).await;
    one.command(pick(1)).await.expect("saved");
    one.panic();
    one.until(|tab| tab.is_over).await;
    two.until(|tab| tab.is_over).await;
    let mut again = Tab::open(&world.sessions, &anonymous(1)).await;
    again.until_pairs(&[1]).await;
    again.command(pick(2)).await.expect("it goes on");
    other.command(pick(3)).await.expect("others do not notice");
    assert!(!other.is_over);
}

#[actix::test]
async fn panic_of_the_session_directory_does_not_affect_sessions() {
    let mut world = world_over(Stores::in_memory()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    tab.command(pick(1)).await.expect("picked");
    for price in ["1.60", "1.70"] {
        world.sessions.panic().await;
        let sessions = world.sessions.clone();
        // Sessions can be attached again as soon as the new actor has started.
        let mut found = None;
        while found.is_none() {
            let inbox = std::sync::Arc::new(kvota::actors::session::inbox::SessionInbox::new(cookie(1), Lang::Hr));
            found = sessions.attach(&anonymous(1), inbox, false).await.ok();
            tokio::task::yield_now().await;
        }
        crate::stage::publish(&mut world, vec![crate::stage::with_price(1, price).update()]).await;
        let expected = kvota::testkit::builders::price(price);
        tab.until(|tab| tab.pair(1).is_some_and(|pair| pair.price == expected)).await;
    }
    tab.command(pick(2)).await.expect("the line still stands");
}

#[actix::test]
async fn damaged_session_starts_empty_and_is_overwritten() {
    let stores = Stores::in_memory();
    let owner = SessionOwner::Anonymous(cookie(1));
    stores.sessions.save(owner, 0, vec![0x93, 0x01, 0xc0], 1).await.expect("the store keeps anything");
    let world = world_over(stores.clone()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    tab.until_pairs(&[]).await;
    tab.command(pick(1)).await.expect("saved over it");
    let restarted = world_over(stores).await;
    Tab::open(&restarted.sessions, &anonymous(1)).await.until_pairs(&[1]).await;
}

/// A session of version 99. This program can read the version number and nothing else.
const NEWER: [u8; 2] = [0x91, 0x63];

async fn kept_of(stores: &Stores, owner: SessionOwner) -> Vec<u8> {
    stores.sessions.load(owner).await.expect("the store answers").expect("a session").bytes
}

/// During a rolling upgrade a bettor may move from a newer node to this one, and back.
#[actix::test]
async fn session_of_a_newer_version_stays_in_memory_and_is_never_overwritten() {
    let stores = Stores::in_memory();
    let owner = SessionOwner::Anonymous(cookie(1));
    stores.sessions.save(owner, 0, NEWER.to_vec(), 1).await.expect("the store keeps anything");
    let world = world_over(stores.clone()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    tab.until_pairs(&[]).await;
    tab.command(pick(1)).await.expect("acknowledged");
    tab.command(favourite(2, true)).await.expect("acknowledged");
    assert_eq!(kept_of(&stores, owner).await, NEWER);
    let mut reloaded = Tab::open(&world.sessions, &anonymous(1)).await;
    reloaded.until(|tab| tab.pairs() == [1] && tab.favourites == Some(vec![2])).await;
    reloaded.command(pick(2)).await.expect("acknowledged");
    assert_eq!(kept_of(&stores, owner).await, NEWER);
}

/// The newer node saves while this one already has the session in memory.
#[actix::test]
async fn session_saved_meanwhile_by_a_newer_node_is_not_overwritten() {
    let stores = Stores::in_memory();
    let owner = SessionOwner::Anonymous(cookie(1));
    let world = world_over(stores.clone()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    tab.command(pick(1)).await.expect("saved");
    let saved = stores.sessions.load(owner).await.expect("the store answers").expect("a session");
    stores.sessions.save(owner, saved.version, NEWER.to_vec(), 1).await.expect("the store answers");
    tab.command(pick(2)).await.expect("acknowledged");
    assert_eq!(tab.pairs(), [1, 2], "the ticket of this node stays");
    tab.command(pick(3)).await.expect("acknowledged");
    assert_eq!((tab.pairs(), kept_of(&stores, owner).await), (vec![1, 2, 3], NEWER.to_vec()));
}

#[actix::test]
async fn login_deletes_no_session_that_it_could_not_merge() {
    for newer_is_anonymous in [true, false] {
        let stores = Stores::in_memory();
        let ana = account(&stores, "ana", 2).await;
        let (of_cookie, of_account) = (SessionOwner::Anonymous(cookie(1)), SessionOwner::Account(ana));
        let newer = if newer_is_anonymous { of_cookie } else { of_account };
        stores.sessions.save(newer, 0, NEWER.to_vec(), 1).await.expect("the store keeps anything");
        let world = world_over(stores.clone()).await;
        let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
        tab.command(pick(1)).await.expect("acknowledged");
        assert!(world.sessions.merge(cookie(1), ana).await.is_err());
        assert_eq!(kept_of(&stores, newer).await, NEWER);
        assert!(stores.sessions.load(of_cookie).await.expect("the store answers").is_some());
    }
}
