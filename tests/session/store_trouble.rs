//! Sessions while the store is unavailable: commands still work, and all changes are saved when it is back.

use crate::stage::{Tab, account, anonymous, cookie, favourite, pass, pick, sessions_over_constant_offer};
use kvota::actors::limits::{IDENTIFY_AT_ONCE_MAX, IDENTIFY_EVERY_MS};
use kvota::testkit::faulty_store::{Fault, FaultyStore};
use kvota::testkit::time::advance;
use kvota_domain::bet::AccountMoney;
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_store::nodes::SessionKey;
use kvota_store::{
    Account, AccountId, AccountSession, AccountStore, Created, Login, NewAccount, NewLogin, PasswordChange,
    SessionOwner, StoreFuture, Stores,
};
use kvota_wire::session::decode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

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

/// Advances the clock until the saved ticket has these matches.
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
async fn commands_during_a_store_outage_are_acknowledged_and_saved_later() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    let mut tab = Tab::open(&sessions, &anonymous(1)).await;
    tab.command(pick(1)).await.expect("saved");
    for fault in [Fault::Down, Fault::AnswersLost, Fault::Silent] {
        store.set(fault);
        tab.command(pick(2)).await.expect("kept in memory");
        assert_eq!(tab.pairs(), [1, 2], "{fault:?}");
        store.set(Fault::None);
        until_saved(&stores, &[1, 2]).await;
        tab.command(pick(2)).await.expect("and dropped again");
        until_saved(&stores, &[1]).await;
    }
}

#[actix::test]
async fn ticket_is_loaded_after_a_store_outage_that_covered_the_first_connection() {
    tokio::time::pause();
    let (stores, store) = faulty();
    {
        let (sessions, _offer) = sessions_over_constant_offer(&stores);
        let mut tab = Tab::open(&sessions, &anonymous(1)).await;
        tab.command(pick(1)).await.expect("saved");
    }
    store.set(Fault::Down);
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    let mut tab = Tab::open(&sessions, &anonymous(1)).await;
    tab.until_pairs(&[]).await;
    tab.command(pick(2)).await.expect("kept in memory");
    tab.command(favourite(3, true)).await.expect("kept in memory");
    store.set(Fault::None);
    until_saved(&stores, &[1, 2]).await;
    tab.until(|tab| tab.pairs() == [1, 2] && tab.favourites == Some(vec![3])).await;

    let (others, _offer) = sessions_over_constant_offer(&stores);
    store.set(Fault::Down);
    let mut idle = Tab::open(&others, &anonymous(1)).await;
    idle.until_pairs(&[]).await;
    store.set(Fault::None);
    idle.until(|tab| tab.pairs() == [1, 2]).await;
}

#[actix::test]
async fn many_commands_during_a_store_outage_use_bounded_memory() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    let mut tab = Tab::open(&sessions, &anonymous(1)).await;
    tab.command(pick(1)).await.expect("saved");
    store.set(Fault::Down);
    for _ in 0..601 {
        tab.command(pick(2)).await.expect("kept in memory");
    }
    store.set(Fault::None);
    until_saved(&stores, &[1, 2]).await;
}

#[actix::test]
async fn account_is_identified_after_the_store_outage() {
    tokio::time::pause();
    let stores = Stores::in_memory();
    let ana = account(&stores, "ana", 1).await;
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    let unknown = kvota::actors::session::sessions::Bettor { is_certain: false, ..anonymous(1) };
    let mut tab = Tab::open(&sessions, &unknown).await;
    tab.command(pick(1)).await.expect("for the time being as nobody");
    // The list of sessions with an unknown account must survive a panic of the actor that looks them up.
    sessions.panic().await;
    // The actor asks again and finds the account: the pick is merged into it, and the connection is ended to reconnect.
    tab.until(|tab| tab.is_over).await;
    let bettor = sessions.identify(cookie(1)).await;
    assert_eq!(bettor.owner, SessionOwner::Account(ana));
    Tab::open(&sessions, &bettor).await.until_pairs(&[1]).await;
}

#[actix::test]
async fn saves_are_batched_and_a_new_session_makes_no_store_call() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    let mut tab = Tab::open_as(&sessions, &anonymous(1), cookie(1), kvota_domain::lang::Lang::Hr, true).await;
    tab.until_pairs(&[]).await;
    assert_eq!((store.loads(), store.savings()), (0, 0));
    assert_eq!(sessions.observe().await.live, 0, "nor anything else");
    for _ in 0..20 {
        tab.send(pick(1));
        tab.send(pick(2));
    }
    tab.command(pick(3)).await.expect("done");
    assert_eq!(store.savings(), 2, "the first at once, all others together");
    assert_eq!(saved(&stores).await, [3]);
}

#[actix::test]
async fn login_during_a_store_outage_deletes_nothing() {
    tokio::time::pause();
    let (stores, store) = faulty();
    let ana = account(&stores, "ana", 2).await;
    {
        let (sessions, _offer) = sessions_over_constant_offer(&stores);
        Tab::open(&sessions, &anonymous(1)).await.command(pick(1)).await.expect("saved");
    }
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    store.set(Fault::Down);
    assert!(sessions.merge(cookie(1), ana).await.is_err());
    store.set(Fault::None);
    assert_eq!(saved(&stores).await, [1]);
}

/// Accounts with slow lookups of logins. Counts the lookups, in total and at once.
struct SlowLogins {
    inner: Arc<dyn AccountStore>,
    asked: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

/// Just under the time after which a store counts as unavailable.
const SLOW: Duration = Duration::from_millis(2_900);

impl AccountStore for SlowLogins {
    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::SeqCst);
            let at_once = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_at_once.fetch_max(at_once, Ordering::SeqCst);
            advance(SLOW).await;
            self.at_once.fetch_sub(1, Ordering::SeqCst);
            self.inner.login(session, now_ms).await
        })
    }

    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        self.inner.create(account)
    }

    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        self.inner.find(name)
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        self.inner.account(id)
    }

    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>> {
        self.inner.balance(id)
    }

    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>> {
        self.inner.money(id)
    }

    fn log_in(&self, session: SessionId, login: NewLogin) -> StoreFuture<'_, ()> {
        self.inner.log_in(session, login)
    }

    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool> {
        self.inner.renew_login(session, login)
    }

    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        self.inner.log_out(session)
    }

    fn sessions_of(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Vec<AccountSession>> {
        self.inner.sessions_of(account, now_ms)
    }

    fn end_session(&self, account: AccountId, key: SessionKey) -> StoreFuture<'_, bool> {
        self.inner.end_session(account, key)
    }

    fn change_password(&self, change: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>> {
        self.inner.change_password(change)
    }

    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        self.inner.forget_ended_logins(now_ms)
    }
}

#[actix::test]
async fn uncertain_logins_are_retried_in_batches_without_duplicates() {
    tokio::time::pause();
    let mut stores = Stores::in_memory();
    let slow = Arc::new(SlowLogins {
        inner: Arc::clone(&stores.accounts),
        asked: AtomicUsize::new(0),
        at_once: AtomicUsize::new(0),
        most_at_once: AtomicUsize::new(0),
    });
    stores.accounts = Arc::<SlowLogins>::clone(&slow);
    let (sessions, _offer) = sessions_over_constant_offer(&stores);
    let count = 4 * IDENTIFY_AT_ONCE_MAX;
    let mut tabs = Vec::new();
    for number in 1..=count {
        let number = u8::try_from(number).expect("few");
        let unknown = kvota::actors::session::sessions::Bettor { is_certain: false, ..anonymous(number) };
        tabs.push(Tab::open(&sessions, &unknown).await);
    }
    // Four slices take longer than the interval; within it no login is looked up twice.
    pass(IDENTIFY_EVERY_MS + 4 * 3_000 + 2 * IDENTIFY_EVERY_MS).await;
    let most = slow.most_at_once.load(Ordering::SeqCst);
    assert_eq!((slow.asked.load(Ordering::SeqCst), most), (count, IDENTIFY_AT_ONCE_MAX));
}
