//! Registration, login and logout, and the limits against attackers.

use crate::kit::{Bettor, PASSWORD, world_with};
use actix_web::http::Method;
use kvota::http::account::{Accounts, Registration, SessionEvents, SessionFuture};
use kvota::http::proxies::Network;
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::world::{NOW_MS, OPENING_BALANCE, World};
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_store::nodes::SessionKey;
use kvota_store::{
    Account, AccountId, AccountSession, AccountStore, Created, Login, NewAccount, NewLogin, PasswordChange, StoreError,
    StoreFuture, Stores,
};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

#[actix_web::test]
async fn new_account_is_logged_in_with_its_opening_balance() {
    let world = World::start().await;
    let mut ana = Bettor::nobody(&world);
    assert_eq!(ana.status().await.error(), (401, "Please log in.".to_owned()));
    let registered = ana.register("Ana.Anić", PASSWORD).await;
    let status = json!({"user": "Ana.Anić", "balance": "1000.00", "receivable": "0.00", "currency": "EUR", "exclusion": null, "cashier": "demo"});
    assert_eq!((registered.status, registered.json()), (201, status.clone()));
    let known = ana.status().await;
    assert_eq!((known.status, known.json()), (200, status));
    assert_eq!(known.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn new_account_has_the_configured_opening_balance() {
    let world = World::with_state(|state| {
        state.accounts = Accounts { currency: "BAM".into(), ..Accounts::plain() };
    })
    .await;
    let mut ana = Bettor::registered(&world, "ana").await;
    assert_eq!(
        ana.status().await.json(),
        json!({"user": "ana", "balance": "0.00", "receivable": "0.00", "currency": "BAM", "exclusion": null, "cashier": "demo"})
    );
}

#[actix_web::test]
async fn invalid_name_or_password_is_rejected() {
    let world = World::start().await;
    Bettor::registered(&world, "ana").await;
    let name = "A name has 1 to 64 characters: letters, digits, spaces and . _ - + @";
    let password = "A password needs at least 8 characters, and must not be too long.";
    for (given, word, text) in [
        ("", PASSWORD, name),
        ("  ", PASSWORD, name),
        (&"a".repeat(65), PASSWORD, name),
        ("<script>", PASSWORD, name),
        ("ben", "1234567", password),
        ("ben", &"a".repeat(257), password),
        ("ana", PASSWORD, "This name is taken."),
        (" ana ", PASSWORD, "This name is taken."),
    ] {
        let answer = Bettor::nobody(&world).register(given, word).await;
        assert_eq!(answer.error(), (400, text.to_owned()), "{given:?} {word:?}");
        assert_eq!(answer.header("set-cookie"), "");
    }
    for name in ["Ana Marija", "ana+live@example.test", "user-0193f5c2-7d1e-7000-8000-0123456789ab", "x"] {
        Bettor::registered(&world, name).await;
    }
    for body in [json!({"name": "ben"}), json!({"name": 1, "password": PASSWORD}), json!([])] {
        assert_eq!(Bettor::nobody(&world).post("account/register", &body).await.status, 400, "{body}");
    }
}

#[actix_web::test]
async fn unknown_name_and_wrong_password_return_the_same_message() {
    let world = World::start().await;
    Bettor::registered(&world, "ana").await;
    let wrong = Bettor::nobody(&world).login("ana", "wrong horse").await;
    assert_eq!(wrong.error(), (401, "The name or the password is wrong.".to_owned()));
    for (name, password) in [("ben", PASSWORD), ("", ""), ("ana", ""), ("an<a", PASSWORD), ("ana", &"a".repeat(300))] {
        let other = Bettor::nobody(&world).login(name, password).await;
        assert_eq!((other.status, &other.body), (401, &wrong.body), "{name:?}");
        assert_eq!(other.header("set-cookie"), "");
    }
    let right = Bettor::nobody(&world).login(" ana ", PASSWORD).await;
    assert_eq!(
        right.json(),
        json!({"user": "ana", "balance": "1000.00", "receivable": "0.00", "currency": "EUR", "exclusion": null, "cashier": "demo"})
    );
}

#[actix_web::test]
async fn cookie_from_before_the_login_is_invalid_after_it() {
    let world = World::start().await;
    let mut planted = Bettor::nobody(&world);
    planted.cookie = Bettor::registered(&world, "mallory").await.cookie;
    planted.logout().await;
    let mut ana = planted.clone();
    assert_eq!(ana.register("ana", PASSWORD).await.status, 201);
    assert_ne!(ana.cookie, planted.cookie);
    assert_eq!(planted.status().await.status, 401, "the planted session is nobody's");

    let before = ana.clone();
    assert_eq!(ana.login("ana", PASSWORD).await.status, 200);
    assert_ne!(ana.cookie, before.cookie);
    assert_eq!(before.clone().status().await.status, 401, "the session before the second login is dead");

    let logged_in = ana.clone();
    assert_eq!(ana.logout().await.status, 204);
    assert_ne!(ana.cookie, logged_in.cookie);
    for mut old in [ana.clone(), logged_in, before] {
        assert_eq!(old.status().await.status, 401);
    }
    assert_eq!(ana.logout().await.status, 204, "who is not logged in may log out too");
}

#[actix_web::test]
async fn session_cookie_is_http_only_same_site_and_secure() {
    let world =
        World::with_state(|state| state.trusted_proxies = [Network::parse("127.0.0.0/8").unwrap()].into()).await;
    let body = json!({"name": "ana", "password": PASSWORD}).to_string();
    let json = ("content-type", "application/json");
    let secure_origin = world.origin().replace("http:", "https:");
    for (call, forwarded, is_secure) in [("account/register", "http", false), ("account/login", "https", true)] {
        let origin = if is_secure { secure_origin.clone() } else { world.origin() };
        let headers = [json, ("x-forwarded-proto", forwarded), ("origin", origin.as_str())];
        let answer = Bettor::nobody(&world).send(Method::POST, call, &headers, &body).await;
        let cookie = answer.header("set-cookie");
        for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert_eq!(cookie.contains("Secure"), is_secure, "{cookie}");
        assert_eq!(cookie.starts_with("__Host-kvota-session="), is_secure, "{cookie}");
        assert!(!cookie.contains("Domain"), "{cookie}");
    }
}

#[actix_web::test]
async fn cookie_without_the_secure_prefix_is_ignored_over_tls() {
    let world =
        World::with_state(|state| state.trusted_proxies = [Network::parse("127.0.0.0/8").unwrap()].into()).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    assert_eq!(ana.status().await.status, 200);
    let over_tls = [("x-forwarded-proto", "https")];
    let status = ana.send(Method::GET, "live/user-status", &over_tls, "").await;
    assert_eq!(status.status, 401, "a sibling domain may have set a cookie without the prefix");
    let value = ana.cookie.clone();
    let prefixed = format!("__Host-kvota-session={value}");
    let headers = [("x-forwarded-proto", "https"), ("cookie", prefixed.as_str())];
    let mut ana = Bettor::nobody(&world);
    assert_eq!(ana.send(Method::GET, "live/user-status", &headers, "").await.status, 200);
}

#[actix_web::test]
async fn closed_registration_is_rejected_and_logins_still_work() {
    let stores = Stores::in_memory();
    let open = World::over(stores.clone()).await;
    Bettor::registered(&open, "ana").await;
    let closed = World::with(stores, |state| state.accounts.registration = Registration::Closed).await;
    let mut ben = Bettor::nobody(&closed);
    let rejected = ben.register("ben", PASSWORD).await;
    assert_eq!(rejected.error(), (403, "New accounts cannot be opened at the moment.".to_owned()));
    assert_eq!(Bettor::nobody(&closed).login("ana", PASSWORD).await.status, 200);
}

#[actix_web::test]
async fn idle_login_expires_and_a_used_login_is_renewed() {
    let stores = Stores::in_memory();
    let hour = 3_600_000;
    let world = World::with(stores.clone(), |state| state.accounts.login_idle_ms = hour).await;
    let ana = Bettor::registered(&world, "ana").await;
    let id = ana.cookie.split('.').next().and_then(SessionId::from_text).expect("a cookie begins with the id");
    let ends_at = async || stores.accounts.login(id, 0).await.unwrap().map(|login| login.expires_at_ms);
    assert_eq!(ends_at().await, Some(NOW_MS + hour));
    // Nodes with later clocks: half a minute, half an hour, and an hour after that use.
    for (now_ms, expected, ends) in [
        ((|| NOW_MS + 30_000) as fn() -> i64, 200, Some(NOW_MS + hour)),
        (|| NOW_MS + 1_800_000, 200, Some(NOW_MS + 1_800_000 + hour)),
        (|| NOW_MS + 1_800_000 + 3_600_000, 401, Some(NOW_MS + 1_800_000 + hour)),
    ] {
        let node = World::with(stores.clone(), |state| {
            state.accounts.login_idle_ms = hour;
            state.now_ms = now_ms;
        })
        .await;
        let mut there = Bettor::nobody(&node);
        there.cookie = ana.cookie.clone();
        assert_eq!(there.status().await.status, expected);
        assert_eq!(ends_at().await, ends);
    }
}

#[actix_web::test]
async fn similar_looking_names_are_the_same_name() {
    let world = World::start().await;
    Bettor::registered(&world, "Ana").await;
    // The second begins with a Cyrillic letter, the third has capitals.
    for name in ["ana", "аna", "ANA"] {
        assert_eq!(Bettor::nobody(&world).register(name, PASSWORD).await.error().1, "This name is taken.", "{name}");
    }
    let mut ana = Bettor::nobody(&world);
    assert_eq!(ana.login("aNa", PASSWORD).await.status, 200, "capitals do not count");
    assert_eq!(ana.status().await.json()["user"], "Ana");
}

#[actix_web::test]
async fn page_of_another_origin_changes_nothing() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let own = world.origin();
    let credentials = json!({"name": "ben", "password": PASSWORD}).to_string();
    let bet = slip_body(0, "10", &[(1, "2")]).to_string();
    let of = |page: &str| {
        vec![("content-type", "application/json"), ("origin", page)]
            .into_iter()
            .map(|(name, value)| (name, value.to_owned()))
            .collect::<Vec<_>>()
    };
    let silent = |name, value: &str| [of(""), vec![(name, value.to_owned())]].concat();
    let strangers = [
        of("https://evil.test"),
        of("null"),
        of(&format!("{own}.evil.test")),
        of(&own.replace("http:", "https:")),
        silent("sec-fetch-site", "cross-site"),
        silent("sec-fetch-site", "same-site"),
        silent("referer", "https://evil.test/page"),
    ];
    for (call, body) in [
        ("account/register", credentials.as_str()),
        ("account/login", &credentials),
        ("account/logout", ""),
        ("live/send-ticket", &bet),
    ] {
        for stranger in &strangers {
            let headers: Vec<(&str, &str)> = stranger.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let answer = ana.send(Method::POST, call, &headers, body).await;
            assert_eq!(
                answer.error(),
                (403, "Pages of this origin may not connect.".to_owned()),
                "{call} {stranger:?}"
            );
            assert_eq!(answer.header("set-cookie"), "");
        }
        let form = [("content-type", "text/plain")];
        if call != "account/logout" {
            assert_eq!(ana.send(Method::POST, call, &form, body).await.status, 415, "{call}");
        }
    }
    assert_eq!(ana.balance().await, "1000.00", "and she is still logged in");
    let program = [("content-type", "application/json"), ("origin", "")];
    assert_eq!(ana.send(Method::POST, "account/login", &program, &credentials).await.status, 401, "a program has none");
}

#[actix_web::test]
async fn right_password_is_delayed_after_five_wrong_ones_in_a_minute() {
    let world = World::start().await;
    Bettor::registered(&world, "ana").await;
    for _ in 0..20 {
        assert_eq!(Bettor::nobody(&world).login("ana", PASSWORD).await.status, 200, "who knows it may come often");
    }
    for spelling in ["ana", "ana", "ANA", " Ana", "ana"] {
        assert_eq!(Bettor::nobody(&world).login(spelling, "wrong horse").await.status, 401);
    }
    for (name, password) in [("ana", "wrong horse"), ("ana", PASSWORD), ("AnA", PASSWORD)] {
        let answer = Bettor::nobody(&world).login(name, password).await;
        assert_eq!(answer.error(), (429, "Too many attempts. Please wait a little and try again.".to_owned()));
        let after: u64 = answer.header("retry-after").parse().expect("it says when");
        assert!((1..=60).contains(&after), "{after}");
    }
    assert_eq!(Bettor::nobody(&world).login("ben", PASSWORD).await.status, 401, "another name is another");
}

#[actix_web::test]
async fn login_attempt_during_a_store_outage_is_not_counted() {
    let away = Arc::new(AtomicBool::new(false));
    let world = World::with_state(|state| {
        state.stores.accounts =
            Arc::new(UnavailableAccounts { accounts: state.stores.accounts.clone(), away: away.clone() });
    })
    .await;
    Bettor::registered(&world, "ana").await;
    away.store(true, Ordering::SeqCst);
    for _ in 0..6 {
        assert_eq!(Bettor::nobody(&world).login("ana", PASSWORD).await.status, 503);
    }
    away.store(false, Ordering::SeqCst);
    assert_eq!(Bettor::nobody(&world).login("ana", PASSWORD).await.status, 200);
}

/// An account store; its lookups by name fail while `away` is set.
struct UnavailableAccounts {
    accounts: Arc<dyn AccountStore>,
    away: Arc<AtomicBool>,
}

impl AccountStore for UnavailableAccounts {
    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        if self.away.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Unavailable { cause: "the test took it away".to_owned() }) });
        }
        self.accounts.find(name)
    }
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        self.accounts.create(account)
    }
    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        self.accounts.account(id)
    }
    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>> {
        self.accounts.balance(id)
    }

    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<kvota_domain::bet::AccountMoney>> {
        self.accounts.money(id)
    }
    fn log_in(&self, session: SessionId, login: NewLogin) -> StoreFuture<'_, ()> {
        self.accounts.log_in(session, login)
    }
    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        self.accounts.login(session, now_ms)
    }
    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool> {
        self.accounts.renew_login(session, login)
    }
    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        self.accounts.log_out(session)
    }
    fn sessions_of(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Vec<AccountSession>> {
        self.accounts.sessions_of(account, now_ms)
    }
    fn end_session(&self, account: AccountId, key: SessionKey) -> StoreFuture<'_, bool> {
        self.accounts.end_session(account, key)
    }
    fn change_password(&self, change: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>> {
        self.accounts.change_password(change)
    }
    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        self.accounts.forget_ended_logins(now_ms)
    }
}

#[actix_web::test]
async fn parallel_login_attempts_obey_the_same_limit() {
    let world = World::start().await;
    Bettor::registered(&world, "ana").await;
    let tries = (0..30).map(|_| {
        let mut somebody = Bettor::nobody(&world);
        async move { somebody.login("ana", "wrong horse").await.status }
    });
    let statuses = futures_util::future::join_all(tries).await;
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 5, "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
}

#[actix_web::test]
async fn limit_of_twenty_wrong_logins_a_minute_from_one_address() {
    let world =
        World::with_state(|state| state.trusted_proxies = [Network::parse("127.0.0.0/8").unwrap()].into()).await;
    let try_from = async |address: &str, number: u32| {
        let body = json!({"name": format!("name{number}"), "password": PASSWORD}).to_string();
        let headers = [("content-type", "application/json"), ("x-forwarded-for", address)];
        Bettor::nobody(&world).send(Method::POST, "account/login", &headers, &body).await.status
    };
    for number in 0..20 {
        assert_eq!(try_from("9.9.9.9", number).await, 401);
    }
    assert_eq!(try_from("9.9.9.9", 21).await, 429);
    assert_eq!(try_from("9.9.9.8", 22).await, 401, "another address");
    for number in 30..50 {
        assert_eq!(try_from(&format!("2001:db8::{number}"), number).await, 401);
    }
    assert_eq!(try_from("2001:db8::ffff:1", 51).await, 429, "one customer has a network of 64 bits");
}

/// Records the logins and logouts that it is notified of.
#[derive(Default)]
struct Received(Mutex<Vec<String>>);

impl SessionEvents for Received {
    fn logged_in(&self, old: Option<SessionId>, new: SessionId, account: AccountId) -> SessionFuture<'_> {
        let text = |session: SessionId| session.public_name();
        let note = format!("in {} {} {account}", old.map_or_else(|| "-".to_owned(), text), text(new));
        self.0.lock().expect("nobody panicked with it").push(note);
        Box::pin(std::future::ready(()))
    }

    fn logged_out(&self, cookie: SessionKey) -> SessionFuture<'_> {
        self.0.lock().expect("nobody panicked with it").push(format!("out {cookie:?}"));
        Box::pin(std::future::ready(()))
    }
}

#[actix_web::test]
async fn sessions_are_notified_of_a_login_before_its_response() {
    let received = Arc::new(Received::default());
    let events = Arc::clone(&received);
    let world = World::with_state(move |state| state.accounts.events = events).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let session = |bettor: &Bettor| {
        bettor.cookie.split('.').next().and_then(SessionId::from_text).expect("a cookie begins with the id")
    };
    let first = session(&ana).public_name();
    ana.login("ana", PASSWORD).await;
    let second = session(&ana);
    ana.logout().await;
    ana.logout().await;
    let expected = [
        format!("in - {first} 1"),
        format!("in {first} {} 1", second.public_name()),
        format!("out {:?}", SessionKey::of_cookie(second)),
    ];
    assert_eq!(*received.0.lock().unwrap(), expected);
}

#[actix_web::test]
async fn balance_equals_the_sum_of_the_ledger() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    ana.place(&key(1), &slip_body(0, "10", &[(1, "2")])).await;
    let account = world.stores.accounts.find("ana").await.unwrap().expect("ana is there");
    assert_eq!(account.balance.to_string(), ana.balance().await);
    assert!(account.balance < OPENING_BALANCE);
    assert_eq!(world.stores.audit().await.unwrap().findings, Vec::<String>::new());
}
