//! Limits in minutes (CONTRACT 9): the reality check of a session, and the end of a session by its limit.

use crate::bets::{place, registered};
use crate::client::Client;
use crate::nodes::{nodes, tab, until_closed_with};
use awc::http::header::{COOKIE, ORIGIN};
use kvota::testkit::builders::{live_match, result};
use kvota::testkit::hub_socket::HubFrame;
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::virtual_world::{NodeParts, VirtualWorld};
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::protection::LimitKind;
use kvota_domain::session::SessionId;
use kvota_store::{Login, NewLogin, ProtectionChange};
use kvota_wire::Encoding;
use serde_json::{Value, json};
use std::sync::OnceLock;
use tokio::time::Instant;

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

#[actix_web::test]
async fn end_of_a_session_is_announced_five_minutes_and_one_minute_before() {
    let [one, two] = nodes().await;
    let cookie = registered(&one, "ana").await;
    place(&one, &cookie, 1, &[(1, "2")]).await;
    logged_in_before(&one, &cookie, 56).await;
    let mut early = tab(&two, Some(&cookie)).await;
    set_limits(&one, &cookie, &json!({"session": 60})).await;
    let end = json!({"endsAt": NOW_MS + 4 * MINUTE_MS, "time": 56 * MINUTE_MS, "staked": "10.00", "returned": "0.00"});
    assert_eq!(early.until(|message| message[0] == 24).await[1], end);
    let (_, status) = call(&one, awc::http::Method::GET, "live/user-status", &cookie, &Value::Null).await;
    assert_eq!(status["sessionEndsAt"], NOW_MS + 4 * MINUTE_MS);
    // Another limit is another end.
    set_limits(&one, &cookie, &json!({"session": 57})).await;
    let end = json!({"endsAt": NOW_MS + MINUTE_MS, "time": 56 * MINUTE_MS, "staked": "10.00", "returned": "0.00"});
    assert_eq!(early.until(|message| message[0] == 24).await[1], end);
}

#[actix_web::test]
async fn changes_of_an_account_are_sent_to_all_its_tabs_on_all_nodes() {
    let [one, two] = nodes().await;
    let cookie = registered(&one, "ana").await;
    let (mut near, mut far) = (tab(&one, Some(&cookie)).await, tab(&two, Some(&cookie)).await);
    set_limits(&one, &cookie, &json!({"stake": {"day": "50"}})).await;
    near.until(|message| message[0] == 25).await;
    far.until(|message| message[0] == 25).await;
}

/// The wall clock of a test, which follows its paused clock.
fn now_ms() -> i64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    NOW_MS + BEGAN.get_or_init(Instant::now).elapsed().as_millis() as i64
}

#[actix::test]
async fn sums_of_a_session_are_sent_before_its_limit_closes_the_connection() {
    let parts = NodeParts { now_ms, ..NodeParts::default() };
    let mut world = VirtualWorld::over(parts).await;
    world.feed.publish(vec![live_match(1).market(result(10, ["2", "3", "4"])).insert()]).await;
    world.settle().await;
    let session = SessionId::from_bytes([1; 16]);
    let account = world.node.account("ana", session, Money::from_cents(100_000)).await;
    let limit = ProtectionChange::Limits { changes: vec![(LimitKind::Session, Some(10))], raise_after_ms: 0 };
    world.node.stores.protection.protect(account, limit, NOW_MS).await.expect("the store answers");
    let begun_ms = now_ms();
    let login = NewLogin { created_at_ms: Some(begun_ms), ..NewLogin::from(Login::until(account, i64::MAX)) };
    world.node.stores.accounts.log_in(session, login).await.expect("the store answers");
    let mut socket = world.node.connect(Some(session), Lang::Hr, Encoding::Json).await.expect("it is accepted");
    assert_eq!(world.node.place(session, &key(1), &slip_body(0, "10", &[(1, "2")])).await.status, 200);
    let mut ends = Vec::new();
    let code = loop {
        match socket.next_frame().await {
            HubFrame::Messages(frame) => {
                let all = frame.as_array().cloned().unwrap_or_default();
                ends.extend(all.into_iter().filter(|message| message[0] == 24).map(|message| message[1].clone()));
            }
            HubFrame::Ping => socket.pong(),
            HubFrame::Closed(code) => break code,
        }
    };
    let last =
        json!({"endsAt": NOW_MS + 10 * MINUTE_MS, "time": 10 * MINUTE_MS, "staked": "10.00", "returned": "0.00"});
    assert_eq!((ends.len(), ends.last(), code), (3, Some(&last), Some(1012)));
    world.end().await;
}
