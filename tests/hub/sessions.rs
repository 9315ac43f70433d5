//! Sessions over real sockets (CONTRACT 3, the verbs of the ticket; CONTRACT 4): the messages, their order, which tabs
//! get them, and how a connection ends when its cookie gets another session.

use crate::client::{Client, get};
use awc::ws::CloseCode;
use kvota::testkit::builders::{live_match, result};
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_store::nodes::SessionKey;
use kvota_store::{Created, Login, NewAccount, Stores};
use serde_json::{Value, json};

fn base(id: u64) -> kvota::testkit::builders::MatchBuilder {
    live_match(id).market(result(id * 10, ["1.50", "4.00", "6.00"]))
}

async fn world_over(stores: Stores) -> World {
    let mut world = World::over(stores).await;
    world.feed.publish((1..=3).map(|id| base(id).insert()).collect()).await;
    world.settle().await;
    world
}

async fn open(world: &World, subprotocol: &str, cookie: Option<&str>) -> Client {
    Client::connect_with(world, "hr", subprotocol, cookie).await
}

const SUBPROTOCOLS: [&str; 2] = ["kvota.v1.json", "kvota.v1.msgpack"];

fn pick(id: u64) -> [Value; 3] {
    [json!(id), json!(id * 10), json!(id * 1000)]
}

/// The index of the first message of a kind.
fn place(messages: &[Value], kind: u64) -> Option<usize> {
    messages.iter().position(|message| message[0] == kind)
}

fn matches(ticket: &Value) -> Vec<u64> {
    let pairs = ticket[1]["pairs"].as_array().into_iter().flatten();
    pairs.filter_map(|pair| pair["matchId"].as_u64()).collect()
}

#[actix::test]
async fn hello_account_ticket_and_favourites_are_sent_first() {
    let world = world_over(Stores::in_memory()).await;
    for encoding in SUBPROTOCOLS {
        let mut client = open(&world, encoding, None).await;
        let messages = client.messages_until_ack("pick", &pick(1)).await;
        assert_eq!(messages[0][0], 0, "hello is the first");
        assert_eq!(messages[1], json!([17, null]), "nobody is logged in");
        let (ticket, favourites) = (place(&messages, 15), place(&messages, 16));
        assert!(ticket.is_some() && favourites.is_some(), "{messages:?}");
    }
}

#[actix::test]
async fn effect_of_a_command_reaches_all_tabs_before_its_acknowledgement() {
    let world = world_over(Stores::in_memory()).await;
    for encoding in SUBPROTOCOLS {
        let mut one = open(&world, encoding, None).await;
        let cookie = one.cookie.clone();
        let mut two = open(&world, "kvota.v1.json", cookie.as_deref()).await;
        for (verb, arguments, kind) in [
            ("pick", pick(1).to_vec(), 15),
            ("pick", pick(2).to_vec(), 15),
            ("pick", pick(3).to_vec(), 15),
            ("type", vec![json!(1)], 15),
            ("combination", vec![json!(2)], 15),
            ("fix", vec![json!(1), json!(true)], 15),
            ("stake", vec![json!("10,50")], 15),
            ("consent", vec![json!("any")], 15),
            ("favourite", vec![json!(2), json!(true)], 16),
            ("drop", vec![json!(3)], 15),
        ] {
            let messages = one.messages_until_ack(verb, &arguments).await;
            assert_eq!(messages.last().map(|ack| &ack[2]), Some(&Value::Null), "{verb}");
            assert!(place(&messages, kind).is_some_and(|place| place < messages.len() - 1), "{verb}: {messages:?}");
        }
        let is_last =
            |ticket: &Value| ticket["consent"] == "any" && ticket["pairs"].as_array().map(Vec::len) == Some(2);
        let ticket = two.until(|message| message[0] == 15 && is_last(&message[1])).await;
        assert_eq!(
            (matches(&ticket), &ticket[1]["type"], &ticket[1]["stake"]),
            (vec![1, 2], &json!(1), &json!("10.50"))
        );
        assert_eq!(ticket[1]["selectedSystemCombinations"], json!(null), "with one free pair there is none");
        assert_eq!(
            (&ticket[1]["pairs"][0]["isFix"], &ticket[1]["pairs"][0]["pickedValue"]),
            (&json!(true), &json!(1.5))
        );
        let messages = one.messages_until_ack("clear", &[]).await;
        assert_eq!(matches(&messages[0]), [0_u64; 0]);
        two.until(|message| message[0] == 15 && matches(message).is_empty()).await;
    }
}

#[actix::test]
async fn rejected_command_returns_a_code_and_a_translated_message() {
    let world = world_over(Stores::in_memory()).await;
    let mut client = Client::connect(&world, "en").await;
    for (verb, arguments, code, text) in [
        ("pick", vec![json!(9), json!(90), json!(9000)], "unknown_match", "The match is not in the offer."),
        ("pick", vec![json!(1), json!(11), json!(1000)], "unknown_market", "The market is not in the offer."),
        ("favourite", vec![json!(9), json!(true)], "unknown_match", "The match is not in the offer."),
        ("fix", vec![json!(1), json!(true)], "not_on_ticket", "The match is not on the betslip."),
        ("combination", vec![json!(300)], "no_such_combination", "The chosen combination does not exist."),
    ] {
        let ack = client.command(verb, &arguments).await;
        assert_eq!((ack[2].as_str(), ack[3].as_str()), (Some(code), Some(text)), "{verb}");
    }
    for (verb, arguments) in [
        ("pick", vec![json!(1)]),
        ("drop", vec![json!("1")]),
        ("fix", vec![json!(1), json!(1)]),
        ("type", vec![json!(2)]),
        ("combination", vec![]),
        ("stake", vec![json!(10)]),
        ("consent", vec![json!("all")]),
        ("clear", vec![json!(1)]),
        ("favourite", vec![json!(1)]),
    ] {
        assert_eq!(client.command(verb, &arguments).await[2], "wrong_arguments", "{verb}");
    }
}

#[actix::test]
async fn cookie_restores_its_own_ticket_after_a_restart() {
    let stores = Stores::in_memory();
    let cookie = {
        let world = world_over(stores.clone()).await;
        let mut client = open(&world, "kvota.v1.json", None).await;
        client.command("pick", &pick(1)).await;
        client.cookie.clone().expect("a cookie")
    };
    let world = world_over(stores).await;
    let mut again = open(&world, "kvota.v1.msgpack", Some(&cookie)).await;
    let ticket = again.until(|message| message[0] == 15).await;
    assert_eq!(matches(&ticket), [1]);
    let mut stranger = open(&world, "kvota.v1.json", None).await;
    let ticket = stranger.until(|message| message[0] == 15).await;
    assert_eq!(matches(&ticket), [0_u64; 0]);
    let forged = format!("{}.{}", cookie.split('.').next().expect("an id"), "0".repeat(64));
    let mut thief = open(&world, "kvota.v1.json", Some(&forged)).await;
    assert_ne!(thief.cookie.as_deref(), Some(forged.as_str()), "it is given a session of its own");
    let ticket = thief.until(|message| message[0] == 15).await;
    assert_eq!(matches(&ticket), [0_u64; 0]);
}

#[actix::test]
async fn favourites_subscription_sends_only_favourites_and_follows_changes() {
    let mut world = world_over(Stores::in_memory()).await;
    let mut client = open(&world, "kvota.v1.json", None).await;
    let cookie = client.cookie.clone();
    let mut other_tab = open(&world, "kvota.v1.json", cookie.as_deref()).await;
    // Sent without waiting: the subscription must include the favourite that was set before it.
    client.send_command("favourite", &[json!(1), json!(true)]).await;
    client.command("watch", &[json!({"favourites": true})]).await;
    let all = |price: &'static str| {
        (1..=3).map(move |id| live_match(id).market(result(id * 10, [price, "4.00", "6.00"])).update()).collect()
    };
    world.feed.publish(all("1.60")).await;
    let date_and_rows = client.until(|message| message[0] == 4).await;
    assert_eq!(date_and_rows[1], 1);

    other_tab.command("favourite", &[json!(3), json!(true)]).await;
    let row = client.until(|message| message[0] == 3).await;
    assert_eq!(row[1][0], 3, "the row of a new favourite is told whole");
    world.feed.publish(all("1.70")).await;
    client.until(|message| message[0] == 4 && message[1] == 3).await;

    other_tab.command("favourite", &[json!(1), json!(false)]).await;
    client.until(|message| message[0] == 16 && message[1] == json!([3])).await;
    world.feed.publish(all("1.80")).await;
    world.settle().await;
    let messages = client.messages_until_ack("ping", &[]).await;
    assert!(messages.iter().all(|message| message[0] != 4 || message[1] == 3), "{messages:?}");
    client.until(|message| message[0] == 12 && message[1] == 3).await;

    let messages = client.messages_until_ack("resync", &[Value::Null]).await;
    let rows: Vec<&Value> = messages.iter().filter(|message| message[0] == 3).map(|message| &message[1][0]).collect();
    assert_eq!(rows, [3]);
}

#[actix::test]
async fn login_closes_with_1012_and_the_new_connection_has_ticket_and_name() {
    let stores = Stores::in_memory();
    let world = world_over(stores.clone()).await;
    let mut client = open(&world, "kvota.v1.json", None).await;
    client.command("pick", &pick(1)).await;
    client.command("stake", &[json!("10")]).await;
    let before = session_of(client.cookie.as_deref());

    // What the login call does: an account, a new cookie, the merge.
    let account = NewAccount {
        name: "ana".to_owned(),
        password_hash: "x".to_owned(),
        opening: Money::from_cents(100_000),
        now_ms: NOW_MS,
        external_id: None,
    };
    let Ok(Created::Account(ana)) = stores.accounts.create(account).await else { panic!("the name is free") };
    let mut fresh = open(&world, "kvota.v1.json", None).await;
    let new_cookie = fresh.cookie.clone();
    let login = Login::until(ana, NOW_MS + 1_000_000);
    stores.accounts.log_in(session_of(new_cookie.as_deref()), login.into()).await.expect("logged in");
    world.sessions.merge(before, ana).await.expect("merged");
    world.sessions.end(SessionKey::of_cookie(session_of(new_cookie.as_deref()))).await;

    let (_, code) = client.until_closed().await;
    assert_eq!(code, Some(CloseCode::Restart));
    assert_eq!(fresh.until_closed().await.1, Some(CloseCode::Restart));
    let mut client = open(&world, "kvota.v1.json", new_cookie.as_deref()).await;
    assert_eq!(client.until(|message| message[0] == 17).await, json!([17, {"user": "ana"}]));
    let ticket = client.until(|message| message[0] == 15).await;
    assert_eq!(matches(&ticket), [1]);
    assert_eq!((&ticket[1]["taxedStake"], &ticket[1]["stakeTaxPercentage"]), (&json!("9.50"), &json!(5)));
    assert_eq!((&ticket[1]["possiblePayout"], &ticket[1]["totalOdd"]), (&json!("13.77"), &json!("1.5")));
}

pub(crate) fn session_of(cookie: Option<&str>) -> SessionId {
    let value = cookie.and_then(|cookie| cookie.strip_prefix("kvota-session=")).expect("our cookie");
    SessionId::from_text(value.split('.').next().expect("an id")).expect("an id")
}

#[actix::test]
async fn ticket_message_contains_why_a_pair_cannot_be_bet_on() {
    let mut world = world_over(Stores::in_memory()).await;
    let mut client = open(&world, "kvota.v1.msgpack", None).await;
    client.command("pick", &pick(1)).await;
    world.feed.publish(vec![base(1).suspended().update()]).await;
    let ticket = client.until(|message| message[0] == 15 && message[1]["pairs"][0]["canBet"] == false).await;
    assert_eq!(ticket[1]["pairs"][0]["reason"], "match_suspended");
    assert_eq!(ticket[1]["builderCode"], 1);
    world.feed.publish(vec![base(1).with(|m| m.market_mut(0).is_suspended = true).update()]).await;
    client.until(|message| message[0] == 15 && message[1]["pairs"][0]["reason"] == "market_suspended").await;
    world.feed.publish(vec![base(1).update()]).await;
    client.until(|message| message[0] == 15 && message[1]["pairs"][0]["canBet"] == true).await;
    world.feed.publish(vec![base(1).delete()]).await;
    client.until(|message| message[0] == 15 && matches(message).is_empty()).await;
    assert_eq!(get(&world, "/api/v1/live/match/1").await.0, 404);
}
