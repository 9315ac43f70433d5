//! Which account or cookie owns a session, and what login and logout do to it.

use crate::stage::{Tab, account, anonymous, cookie, favourite, log_in, pick, stake, world_over};
use kvota::actors::session::inbox::SessionInbox;
use kvota::actors::session::sessions::Bettor;
use kvota_domain::lang::Lang;
use kvota_domain::protection::LoginTimes;
use kvota_store::nodes::SessionKey;
use kvota_store::{SessionOwner, Stores};
use std::sync::Arc;
use std::task::Waker;

#[actix::test]
async fn cookie_identifies_the_signed_in_user_on_any_device() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let ana = account(&stores, "ana", 1).await;
    log_in(&stores, ana, 2).await;
    for device in [1, 2] {
        let bettor = world.sessions.identify(cookie(device)).await;
        let owner = SessionOwner::Account(ana);
        assert_eq!(
            bettor,
            Bettor { owner, user: Some("ana".to_owned()), is_certain: true, times: LoginTimes::default() }
        );
    }
    assert_eq!(world.sessions.identify(cookie(3)).await, anonymous(3));
}

#[actix::test]
async fn signed_in_user_pays_taxes_on_all_devices() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let ana = account(&stores, "ana", 1).await;
    log_in(&stores, ana, 2).await;
    let bettor = world.sessions.identify(cookie(1)).await;
    let mut home = Tab::open_as(&world.sessions, &bettor, cookie(1), Lang::Hr, false).await;
    let mut phone = Tab::open_as(&world.sessions, &bettor, cookie(2), Lang::En, false).await;
    home.command(pick(1)).await.expect("picked");
    home.command(stake("10")).await.expect("a stake");
    phone.until(|tab| tab.ticket.as_ref().is_some_and(|ticket| ticket.ticket.stake.cents() == 1000)).await;
    assert_eq!(phone.ticket.as_ref().map(|ticket| ticket.totals.taxed_stake.to_string()).as_deref(), Some("9.50"));
}

#[actix::test]
async fn login_merges_the_anonymous_ticket_and_ends_its_connections() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let ana = account(&stores, "ana", 2).await;
    let bettor =
        Bettor { owner: SessionOwner::Account(ana), user: None, is_certain: true, times: LoginTimes::default() };
    let mut phone = Tab::open_as(&world.sessions, &bettor, cookie(2), Lang::Hr, false).await;
    for command in [pick(3), favourite(3, true)] {
        phone.command(command).await.expect("done");
    }
    let mut home = Tab::open(&world.sessions, &anonymous(1)).await;
    for command in [pick(1), pick(2), favourite(1, true)] {
        home.command(command).await.expect("done");
    }
    world.sessions.merge(cookie(1), ana).await.expect("merged");
    home.until(|tab| tab.is_over).await;
    phone.until(|tab| tab.pairs() == [1, 2] && tab.favourites == Some(vec![1, 3])).await;
    assert!(!phone.is_over, "the account's own connections stay");
    assert_eq!(stores.sessions.load(SessionOwner::Anonymous(cookie(1))).await.expect("asked"), None);

    // A session without a ticket is merged: the account keeps its own ticket.
    let mut tablet = Tab::open(&world.sessions, &anonymous(4)).await;
    tablet.command(favourite(2, true)).await.expect("marked");
    world.sessions.merge(cookie(4), ana).await.expect("merged");
    tablet.until(|tab| tab.is_over).await;
    phone.until(|tab| tab.favourites == Some(vec![1, 2, 3])).await;
    assert_eq!(phone.pairs(), [1, 2]);

    log_in(&stores, ana, 9).await;
    let restarted = world_over(stores).await;
    let mut again = Tab::open_as(&restarted.sessions, &bettor, cookie(9), Lang::Hr, false).await;
    again.until(|tab| tab.pairs() == [1, 2] && tab.favourites == Some(vec![1, 2, 3])).await;
}

#[actix::test]
async fn login_without_a_session_merges_nothing_and_succeeds() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let ana = account(&stores, "ana", 2).await;
    world.sessions.merge(cookie(1), ana).await.expect("merged");
    assert_eq!(stores.sessions.load(SessionOwner::Account(ana)).await.expect("asked"), None);
    assert_eq!(world.sessions.observe().await.live, 0, "nothing was started that stays");
}

#[actix::test]
async fn logins_and_logouts_of_other_nodes_count_although_their_notices_were_lost() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let ana = account(&stores, "ana", 1).await;
    log_in(&stores, ana, 2).await;
    let bettor =
        Bettor { owner: SessionOwner::Account(ana), user: None, is_certain: true, times: LoginTimes::default() };
    let mut home = Tab::open_as(&world.sessions, &bettor, cookie(1), Lang::Hr, false).await;
    let mut phone = Tab::open_as(&world.sessions, &bettor, cookie(2), Lang::Hr, false).await;
    let mut tablet = Tab::open(&world.sessions, &anonymous(3)).await;
    let mut guest = Tab::open(&world.sessions, &anonymous(4)).await;
    stores.accounts.log_out(cookie(1)).await.expect("logged out on another node");
    log_in(&stores, ana, 3).await;
    world.sessions.notices_missed().await;
    home.until(|tab| tab.is_over).await;
    tablet.until(|tab| tab.is_over).await;
    for tab in [&mut phone, &mut guest] {
        tab.command(pick(1)).await.expect("it goes on");
        assert!(!tab.is_over);
    }
}

#[actix::test]
async fn logout_ends_a_connection_that_is_still_being_identified() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let ana = account(&stores, "ana", 1).await;
    let [inbox, other] = [1, 2].map(|number| Arc::new(SessionInbox::new(cookie(number), Lang::Hr)));
    let arriving = [&inbox, &other].map(|inbox| world.sessions.arrive(Arc::clone(inbox)));
    let bettor = world.sessions.identify(cookie(1)).await;
    assert_eq!(bettor.owner, SessionOwner::Account(ana));
    world.sessions.end(SessionKey::of_cookie(cookie(1))).await;
    let _handle = world.sessions.attach(&bettor, Arc::clone(&inbox), false).await.expect("the sessions live");
    drop(arriving);
    let has_ended = |inbox: &SessionInbox| inbox.take(Waker::noop()).is_some_and(|output| output.is_over);
    assert!(has_ended(&inbox));
    assert!(!has_ended(&other), "another cookie");
}

#[actix::test]
async fn logout_ends_only_the_connections_of_its_cookie() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let ana = account(&stores, "ana", 1).await;
    log_in(&stores, ana, 2).await;
    let bettor =
        Bettor { owner: SessionOwner::Account(ana), user: None, is_certain: true, times: LoginTimes::default() };
    let mut home = Tab::open_as(&world.sessions, &bettor, cookie(1), Lang::Hr, false).await;
    let mut phone = Tab::open_as(&world.sessions, &bettor, cookie(2), Lang::Hr, false).await;
    world.sessions.end(SessionKey::of_cookie(cookie(1))).await;
    home.until(|tab| tab.is_over).await;
    phone.command(pick(1)).await.expect("it goes on");
    assert!(!phone.is_over);
}
