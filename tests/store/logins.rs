//! Accounts and logins in any store.

use crate::world::{Kind, NOW, Place, World, tamper_with_file};
use futures_util::future::{join, join_all};
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_store::nodes::SessionKey;
use kvota_store::postgres::PostgresStore;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{Account, AccountId, AccountSession, Created, Login, NewAccount, NewLogin, PasswordChange, Stores};
use sqlx::{Connection, Executor, PgConnection};
use std::collections::HashSet;

fn session(number: u8) -> SessionId {
    SessionId::from_bytes([number; 16])
}

fn until(account: AccountId, expires_at_ms: i64) -> Login {
    Login::until(account, expires_at_ms)
}

pub(crate) async fn an_account_has_its_name_and_its_opening_balance(world: &World) {
    let accounts = &world.stores.accounts;
    let rich = world.account("Ana Čudić", 100_000).await;
    let poor = world.account("ana", 0).await;

    let found = accounts.find("Ana Čudić").await.expect("the store answers").expect("an account");
    assert_eq!((found.id, found.balance), (rich, Money::from_cents(100_000)));
    assert_eq!((found.name.as_str(), found.password_hash.as_str()), ("Ana Čudić", "hash of Ana Čudić"));
    assert!(accounts.account(rich).await.expect("the store answers") == Some(found));
    assert_eq!(accounts.balance(poor).await.expect("the store answers"), Some(Money::ZERO));
    assert!(accounts.find("nobody").await.expect("the store answers").is_none());
    assert!(accounts.find("ana\0").await.expect("the store answers").is_none(), "a text that PostgreSQL cannot hold");
    let nobody = AccountId::bettor(4711).expect("a bettor's id");
    assert_eq!(accounts.balance(nobody).await.expect("the store answers"), None);
    assert_eq!(found_again(world, rich).await.external_id, None);
    let with_id = NewAccount {
        name: "iva".to_owned(),
        password_hash: "hash".to_owned(),
        opening: Money::ZERO,
        now_ms: NOW,
        external_id: Some("HR-1".to_owned()),
    };
    let Created::Account(iva) = accounts.create(with_id).await.expect("the store answers") else {
        panic!("the name is free")
    };
    assert_eq!(found_again(world, iva).await.external_id.as_deref(), Some("HR-1"));
    // An opening balance of zero makes no posting.
    let report = world.stores.audit().await.expect("the store answers");
    assert_eq!((report.accounts, report.postings), (3, 1));
}

async fn found_again(world: &World, id: AccountId) -> Account {
    world.stores.accounts.account(id).await.expect("the store answers").expect("an account")
}

pub(crate) async fn name_can_be_registered_once(world: &World) {
    let new = |hash: &str| NewAccount {
        name: "ana".to_owned(),
        password_hash: hash.to_owned(),
        opening: Money::from_cents(1000),
        now_ms: NOW,
        external_id: None,
    };
    let outcomes =
        futures_util::future::join_all((0..10).map(|n| world.stores.accounts.create(new(&n.to_string())))).await;

    let made = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Created::Account(_)))).count();
    let taken = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Created::NameTaken))).count();
    assert_eq!((made, taken), (1, 9));
}

pub(crate) async fn similar_looking_names_are_the_same(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("Ana", 0).await;
    // The second begins with a Cyrillic letter.
    for name in ["ana", "\u{430}na", "ANA"] {
        let new = NewAccount {
            name: name.to_owned(),
            password_hash: "hash".to_owned(),
            opening: Money::from_cents(1000),
            now_ms: NOW,
            external_id: None,
        };
        assert_eq!(accounts.create(new).await.expect("the store answers"), Created::NameTaken, "{name}");
        let found = accounts.find(name).await.expect("the store answers").expect("an account");
        assert_eq!((found.id, found.name.as_str()), (ana, "Ana"), "{name}");
    }
    world.account("anna", 0).await;
    let report = world.stores.audit().await.expect("the store answers");
    assert_eq!((report.accounts, report.postings), (2, 0), "a name that is taken leaves nothing");
}

pub(crate) async fn only_an_existing_login_is_renewed(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("ana", 0).await;
    let iva = world.account("iva", 0).await;
    accounts.log_in(session(1), until(ana, NOW + 10).into()).await.expect("the store answers");
    assert!(accounts.renew_login(session(1), until(ana, NOW + 20)).await.expect("the store answers"));
    assert_eq!(accounts.login(session(1), NOW + 10).await.expect("the store answers"), Some(until(ana, NOW + 20)));
    assert!(!accounts.renew_login(session(1), until(iva, NOW + 30)).await.expect("the store answers"));
    assert!(accounts.log_out(session(1)).await.expect("the store answers"));
    assert!(!accounts.renew_login(session(1), until(ana, NOW + 30)).await.expect("the store answers"));
    assert_eq!(accounts.login(session(1), NOW).await.expect("the store answers"), None, "a logout is final");
}

/// An account from before the unique names: it has no row in `account_names`.
const OLDER_ACCOUNTS: &str = "DELETE FROM account_names; \
     INSERT INTO accounts (name, password_hash, balance_cents, created_at_ms) VALUES ('ana', 'hash of ana', 0, 0)";

async fn older_accounts_keep_their_names(stores: &Stores) {
    for name in ["Ana", "ana"] {
        let found = stores.accounts.find(name).await.expect("the store answers").expect("an account");
        assert_eq!((found.name.as_str(), found.password_hash.as_str()), (name, &*format!("hash of {name}")));
    }
    let found = stores.accounts.find("ANA").await.expect("the store answers").expect("an account");
    assert_eq!(found.name, "Ana", "the oldest account has the skeleton");
    let new = NewAccount {
        name: "aNa".to_owned(),
        password_hash: "hash".to_owned(),
        opening: Money::ZERO,
        now_ms: NOW,
        external_id: None,
    };
    assert_eq!(stores.accounts.create(new).await.expect("the store answers"), Created::NameTaken);
}

#[tokio::test]
async fn older_accounts_with_similar_names_keep_working_in_sqlite() {
    let world = World::new(Kind::Sqlite).await;
    world.account("Ana", 0).await;
    world.stores.close().await.expect("closed");
    let Place::Folder(folder) = &world.place else { panic!("a store in a file has a folder") };
    tamper_with_file(&folder.file(), OLDER_ACCOUNTS).await.expect("the file is changed");
    let stores = Stores::over(SqliteStore::open(&folder.file()).await.expect("a file"));
    older_accounts_keep_their_names(&stores).await;
    stores.close().await.expect("closed");
}

#[tokio::test]
async fn older_accounts_with_similar_names_keep_working_in_postgres() {
    let world = World::new(Kind::Postgres).await;
    world.account("Ana", 0).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let mut connection = PgConnection::connect(&schema.url).await.expect("a PostgreSQL server");
    connection.execute(sqlx::raw_sql(OLDER_ACCOUNTS)).await.expect("the tables are changed");
    let other = Stores::over(PostgresStore::open(&schema.url, 4).await.expect("a schema"));
    older_accounts_keep_their_names(&other).await;
    other.close().await.expect("closed");
    world.end().await;
}

pub(crate) async fn login_ends_at_its_expiry_time(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("ana", 0).await;
    let iva = world.account("iva", 0).await;
    accounts.log_in(session(1), until(ana, NOW + 10).into()).await.expect("the store answers");

    assert_eq!(accounts.login(session(1), NOW + 9).await.expect("the store answers"), Some(until(ana, NOW + 10)));
    assert_eq!(accounts.login(session(1), NOW + 10).await.expect("the store answers"), None);
    assert_eq!(accounts.login(session(2), NOW).await.expect("the store answers"), None);

    // A second login with the same session replaces the first.
    accounts.log_in(session(1), until(iva, NOW + 20).into()).await.expect("the store answers");
    assert_eq!(accounts.login(session(1), NOW + 10).await.expect("the store answers"), Some(until(iva, NOW + 20)));
}

pub(crate) async fn logout_ends_one_login(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("ana", 0).await;
    let iva = world.account("iva", 0).await;
    accounts.log_in(session(1), until(ana, NOW + 10).into()).await.expect("the store answers");
    accounts.log_in(session(2), until(iva, NOW + 10).into()).await.expect("the store answers");

    assert!(accounts.log_out(session(1)).await.expect("the store answers"));
    assert!(!accounts.log_out(session(1)).await.expect("the store answers"));

    assert_eq!(accounts.login(session(1), NOW).await.expect("the store answers"), None);
    assert_eq!(accounts.login(session(2), NOW).await.expect("the store answers"), Some(until(iva, NOW + 10)));
}

pub(crate) async fn sessions_of_an_account_are_listed_and_ended_one_by_one(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("ana", 0).await;
    let iva = world.account("iva", 0).await;
    for (number, account, expires_at_ms) in [(1, ana, NOW + 10), (2, ana, NOW + 20), (3, iva, NOW + 30), (4, ana, NOW)]
    {
        let (created_at_ms, agent) = (Some(NOW - i64::from(number)), format!("browser {number}"));
        let login = NewLogin { account, expires_at_ms, created_at_ms, agent };
        accounts.log_in(session(number), login).await.expect("the store answers");
    }
    accounts.log_in(session(5), until(ana, NOW + 5).into()).await.expect("the store answers");
    let listed = |account| async move { accounts.sessions_of(account, NOW).await.expect("the store answers") };
    let row = |number: u8, expires_at_ms, created_at_ms, agent: &str| AccountSession {
        key: SessionKey::of_cookie(session(number)),
        expires_at_ms,
        created_at_ms,
        agent: agent.to_owned(),
    };
    let newest_first = [
        row(2, NOW + 20, Some(NOW - 2), "browser 2"),
        row(1, NOW + 10, Some(NOW - 1), "browser 1"),
        row(5, NOW + 5, None, ""),
    ];
    assert_eq!(listed(ana).await, newest_first);

    assert!(accounts.renew_login(session(1), until(ana, NOW + 40)).await.expect("the store answers"));
    assert_eq!(listed(ana).await[0], row(1, NOW + 40, Some(NOW - 1), "browser 1"));

    let key = SessionKey::of_cookie(session(1));
    assert_eq!(SessionKey::from_text(&key.to_text()), Some(key.clone()));
    assert!(!accounts.end_session(iva, key.clone()).await.expect("the store answers"), "of another account");
    assert!(accounts.end_session(ana, key.clone()).await.expect("the store answers"));
    assert!(!accounts.end_session(ana, key).await.expect("the store answers"), "ended before");
    assert_eq!(accounts.login(session(1), NOW).await.expect("the store answers"), None);
    assert_eq!((listed(ana).await.len(), listed(iva).await.len()), (2, 1));
}

pub(crate) async fn new_password_ends_all_other_logins_of_its_account(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("ana", 0).await;
    let iva = world.account("iva", 0).await;
    for number in 1..=3 {
        accounts.log_in(session(number), until(ana, NOW + 10).into()).await.expect("the store answers");
    }
    accounts.log_in(session(4), until(iva, NOW + 10).into()).await.expect("the store answers");
    let hash = || async { accounts.account(ana).await.expect("the store answers").expect("ana").password_hash };
    let old_hash = hash().await;
    let change = PasswordChange { account: ana, old_hash, new_hash: "the new hash".to_owned(), kept: session(2) };

    let ended = accounts.change_password(change.clone()).await.expect("the store answers");
    let ended: HashSet<SessionKey> = ended.expect("it had the old hash").into_iter().collect();
    assert_eq!(ended, HashSet::from([1, 3].map(|number| SessionKey::of_cookie(session(number)))));
    assert_eq!(hash().await, "the new hash");
    for (number, is_left) in [(1, false), (2, true), (3, false), (4, true)] {
        let login = accounts.login(session(number), NOW).await.expect("the store answers");
        assert_eq!(login.is_some(), is_left, "login {number}");
    }

    accounts.log_in(session(1), until(ana, NOW + 10).into()).await.expect("the store answers");
    let again = PasswordChange { new_hash: "a third hash".to_owned(), ..change };
    assert_eq!(accounts.change_password(again).await.expect("the store answers"), None);
    assert_eq!(hash().await, "the new hash");
    assert!(accounts.login(session(1), NOW).await.expect("the store answers").is_some(), "nothing has changed");
}

pub(crate) async fn login_during_a_change_of_the_password_ends_or_can_tell(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("ana", 0).await;
    let hash = || async { accounts.account(ana).await.expect("the store answers").expect("ana").password_hash };
    for round in 1..=20 {
        let old_hash = hash().await;
        let new_hash = format!("hash {round}");
        let change = PasswordChange { account: ana, old_hash: old_hash.clone(), new_hash, kept: session(200) };
        let login = async {
            accounts.log_in(session(round), until(ana, NOW + 10).into()).await.expect("the store answers");
            hash().await
        };
        let (seen, changed) = join(login, accounts.change_password(change)).await;
        assert!(changed.expect("the store answers").is_some());
        let is_left = accounts.login(session(round), NOW).await.expect("the store answers").is_some();
        assert!(!is_left || seen != old_hash, "round {round}: a login with the old password is left");
    }
}

pub(crate) async fn expired_logins_are_deleted(world: &World) {
    let accounts = &world.stores.accounts;
    let ana = world.account("ana", 0).await;
    for number in 1..=3 {
        accounts.log_in(session(number), until(ana, NOW + i64::from(number)).into()).await.expect("the store answers");
    }

    assert_eq!(accounts.forget_ended_logins(NOW + 2).await.expect("the store answers"), 2);
    assert!(accounts.login(session(3), NOW).await.expect("the store answers").is_some());
    assert!(accounts.login(session(2), NOW).await.expect("the store answers").is_none());
}

#[tokio::test]
async fn servers_of_one_store_share_the_cookie_key_of_the_first() {
    for kind in [Kind::Memory, Kind::Sqlite] {
        let world = World::new(kind).await;
        assert_eq!(
            world.stores.shared_key(vec![1; 64]).await.expect("the store answers"),
            None,
            "{kind:?}: one server's"
        );
        world.end().await;
    }
    let world = World::new(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let other = Stores::over(PostgresStore::open(&schema.url, 4).await.expect("a schema"));
    let at_once = (1..=8).map(|number| [&world.stores, &other][number % 2].shared_key(vec![number as u8; 64]));
    let keys: Vec<_> = join_all(at_once).await.into_iter().map(|key| key.expect("the store answers")).collect();
    assert!(keys[0].is_some() && keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert_eq!(other.shared_key(vec![9; 64]).await.expect("the store answers"), keys[0], "and whoever comes later");
    other.close().await.expect("closed");
    world.end().await;
}
