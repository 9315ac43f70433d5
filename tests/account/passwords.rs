//! Changing the password, and what it ends.

use crate::kit::{Bettor, PASSWORD};
use futures_util::future::join;
use kvota::testkit::world::World;
use serde_json::json;

const NEW: &str = "battery staple";

#[actix_web::test]
async fn new_password_keeps_this_session_and_ends_all_others() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let mut elsewhere = Bettor::nobody(&world);
    assert_eq!(elsewhere.login("ana", PASSWORD).await.status, 200);
    let mut iva = Bettor::registered(&world, "iva").await;

    let changed = ana.post("account/password", &json!({"old": PASSWORD, "new": NEW})).await;
    assert_eq!((changed.status, changed.body.len()), (204, 0));
    assert_eq!(changed.header("cache-control"), "no-store");
    assert_eq!((ana.status().await.status, elsewhere.status().await.status), (200, 401));
    assert_eq!(iva.status().await.status, 200, "another account");

    assert_eq!(elsewhere.login("ana", PASSWORD).await.status, 401);
    assert_eq!(elsewhere.login("ana", NEW).await.status, 200);
}

#[actix_web::test]
async fn wrong_or_invalid_passwords_change_nothing() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let short = "A password needs at least 8 characters, and must not be too long.";
    for (old, new, text) in [
        ("wrong horse", NEW, "The password is wrong."),
        ("", NEW, "The password is wrong."),
        (PASSWORD, "1234567", short),
        (PASSWORD, &"a".repeat(257), short),
    ] {
        let answer = ana.post("account/password", &json!({"old": old, "new": new})).await;
        assert_eq!(answer.error(), (400, text.to_owned()), "{old:?} {new:?}");
    }
    for body in [json!({"old": PASSWORD}), json!({"old": 1, "new": NEW}), json!([])] {
        assert_eq!(ana.post("account/password", &body).await.status, 400, "{body}");
    }
    let anonymous = Bettor::nobody(&world).post("account/password", &json!({"old": PASSWORD, "new": NEW})).await;
    assert_eq!(anonymous.error(), (401, "Please log in.".to_owned()));
    assert_eq!(ana.login("ana", PASSWORD).await.status, 200);
}

#[actix_web::test]
async fn wrong_old_passwords_count_as_failed_logins() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    for _ in 0..5 {
        let wrong = ana.post("account/password", &json!({"old": "wrong horse", "new": NEW})).await;
        assert_eq!(wrong.status, 400);
    }
    let right = ana.post("account/password", &json!({"old": PASSWORD, "new": NEW})).await;
    assert_eq!(right.status, 429);
    assert_eq!(ana.login("ana", PASSWORD).await.status, 429);
}

#[actix_web::test]
async fn one_of_two_changes_at_once_succeeds() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let mut same = Bettor::nobody(&world);
    same.cookie.clone_from(&ana.cookie);
    let (one, two) =
        (json!({"old": PASSWORD, "new": "first of two"}), json!({"old": PASSWORD, "new": "second of two"}));
    let (one, two) = join(ana.post("account/password", &one), same.post("account/password", &two)).await;
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 400]);
    let password = if one.status == 204 { "first of two" } else { "second of two" };
    assert_eq!(Bettor::nobody(&world).login("ana", password).await.status, 200);
}
