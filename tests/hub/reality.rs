//! Limits in minutes (CONTRACT 9): the reality check of a session, and the end of a session by its limit.

use crate::bets::{place, registered};
use crate::client::Client;
use crate::nodes::{nodes, tab, until_closed_with};
use awc::http::header::{COOKIE, ORIGIN};
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::session::SessionId;
use kvota_store::NewLogin;
use serde_json::{Value, json};

const MINUTE_MS: i64 = 60_000;

/// Logs `ana` in with this cookie, as if that had been so many minutes ago.
async fn logged_in_before(world: &World, cookie: &str, minutes: i64) {
    let value = cookie.strip_prefix("kvota-session=").and_then(|value| value.split('.').next());
    let session = value.and_then(SessionId::from_text).expect("a session");
    let account = world.stores.accounts.find("ana").await.expect("the store answers").expect("an account").id;
    let created_at_ms = Some(NOW_MS - minutes * MINUTE_MS);
    let login = NewLogin { account, expires_at_ms: NOW_MS + MINUTE_MS, created_at_ms, agent: String::new() };
    world.stores.accounts.log_in(session, login).await.expect("the store answers");
}

async fn call(world: &World, method: awc::http::Method, path: &str, cookie: &str, body: &Value) -> (u16, Value) {
    let request = awc::Client::new().request(method, format!("{}/api/v1/{path}", world.origin()));
    let request = request.insert_header((ORIGIN, world.origin())).insert_header((COOKIE, cookie.to_owned()));
    let mut answer = request.insert_header(("idempotency-key", key(2))).send_json(body).await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

async fn set_limits(world: &World, cookie: &str, limits: &Value) {
    let (status, body) = call(world, awc::http::Method::PUT, "account/limits", cookie, limits).await;
    assert_eq!(status, 200, "{body}");
}

async fn second_bet(world: &World, cookie: &str) -> (u16, Value) {
    call(world, awc::http::Method::POST, "live/send-ticket?lang=en", cookie, &slip_body(0, "10", &[(1, "2")])).await
}

async fn until_check(tab: &mut Client) -> Value {
    tab.until(|message| message[0] == 23).await[1].clone()
}

#[actix_web::test]
async fn reality_check_stops_bets_until_it_is_answered_in_any_tab() {
    let [one, two] = nodes().await;
    let cookie = registered(&one, "ana").await;
    place(&one, &cookie, 1, &[(1, "2")]).await;
    logged_in_before(&one, &cookie, 20).await;
    let mut early = tab(&two, Some(&cookie)).await;
    set_limits(&one, &cookie, &json!({"realityCheck": 15})).await;
    let mut late = tab(&one, Some(&cookie)).await;

    let check = json!({"time": 20 * MINUTE_MS, "staked": "10.00", "returned": "0.00"});
    assert_eq!((until_check(&mut early).await, until_check(&mut late).await), (check.clone(), check));
    let (status, body) = second_bet(&one, &cookie).await;
    assert_eq!(
        (status, &body["message"]),
        (400, &json!("Answer the reality check first: it shows your time and stakes."))
    );
    let refused = late.command("reality", &[json!("later")]).await;
    assert_eq!(refused[2], "wrong_arguments");

    assert_eq!(late.command("reality", &[json!("continue")]).await[2], Value::Null);
    assert_eq!((until_check(&mut early).await, until_check(&mut late).await), (Value::Null, Value::Null));
    assert_eq!(second_bet(&two, &cookie).await.0, 200);
}

#[actix_web::test]
async fn answer_of_a_bet_is_repeated_while_a_reality_check_waits() {
    let [one, _] = nodes().await;
    let cookie = registered(&one, "ana").await;
    let first = second_bet(&one, &cookie).await;
    logged_in_before(&one, &cookie, 20).await;
    set_limits(&one, &cookie, &json!({"realityCheck": 15})).await;
    assert_eq!(second_bet(&one, &cookie).await, first);
}

#[actix_web::test]
async fn answer_before_a_check_is_due_changes_nothing() {
    let [one, _] = nodes().await;
    let cookie = registered(&one, "ana").await;
    logged_in_before(&one, &cookie, 10).await;
    set_limits(&one, &cookie, &json!({"realityCheck": 15})).await;
    let mut early = tab(&one, Some(&cookie)).await;
    assert_eq!(early.command("reality", &[json!("continue")]).await[2], Value::Null);
    // Had the answer counted, a limit of 5 minutes would now be due in 5 minutes.
    set_limits(&one, &cookie, &json!({"realityCheck": 5})).await;
    assert_eq!(until_check(&mut early).await["time"], 10 * MINUTE_MS);
}

#[actix_web::test]
async fn reality_check_is_answered_by_a_login_alone() {
    let [one, _] = nodes().await;
    let mut anonymous = tab(&one, None).await;
    assert_eq!(anonymous.command("reality", &[json!("continue")]).await[2], "login_required");
}

#[actix_web::test]
async fn limit_of_a_session_ends_the_login_and_its_connections_on_all_nodes() {
    let [one, two] = nodes().await;
    let cookie = registered(&one, "ana").await;
    logged_in_before(&one, &cookie, 90).await;
    let (mut near, mut far) = (tab(&one, Some(&cookie)).await, tab(&two, Some(&cookie)).await);
    set_limits(&two, &cookie, &json!({"session": 60})).await;
    until_closed_with(&mut near, 1012).await;
    until_closed_with(&mut far, 1012).await;
    let (status, _) = second_bet(&one, &cookie).await;
    assert_eq!(status, 401);
}
