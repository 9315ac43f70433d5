//! `watch {"bets": true}`: a bettor follows the own bets and money live in every tab.

use crate::client::{Client, Received};
use awc::http::header::{COOKIE, ORIGIN, SET_COOKIE};
use kvota::betting::settlement::Settlements;
use kvota::testkit::builders::{market_id, match_id, usual_match};
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::world::World;
use kvota_domain::ids::OddId;
use kvota_domain::settlement::{DeadHeat, MarketResult, MarketState, MatchResults, RawOddResult, VoidFactor};
use kvota_store::BetRules;
use serde_json::{Value, json};
use std::sync::Arc;

async fn world_with(prices: &[&str]) -> World {
    let mut world = World::start().await;
    world.feed.publish((1..).zip(prices).map(|(id, price)| usual_match(id, price).insert()).collect()).await;
    world.settle().await;
    world
}

/// A new account; its cookie.
pub(crate) async fn registered(world: &World, name: &str) -> String {
    let url = format!("{}/api/v1/account/register", world.origin());
    let body = json!({"name": name, "password": "correct horse"});
    let answer = awc::Client::new().post(url).insert_header((ORIGIN, world.origin())).send_json(&body).await;
    let answer = answer.expect("the server answers");
    let mut cookies = answer.headers().get_all(SET_COOKIE).filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
    cookies.find(|cookie| cookie.starts_with("kvota-session=")).expect("a cookie").to_owned()
}

/// Places 10.00 on these odds; the answer.
pub(crate) async fn place(world: &World, cookie: &str, number: u64, pairs: &[(u64, &str)]) -> Value {
    let request = awc::Client::new().post(format!("{}/api/v1/live/send-ticket", world.origin()));
    let request = request.insert_header((ORIGIN, world.origin())).insert_header((COOKIE, cookie.to_owned()));
    let request = request.insert_header(("idempotency-key", key(number)));
    let mut answer = request.send_json(&slip_body(0, "10", pairs)).await.expect("the server answers");
    let body = answer.json().await.expect("JSON");
    assert_eq!(answer.status(), 200, "{body}");
    body
}

async fn tab(world: &World, cookie: &str, subprotocol: &str) -> Client {
    let mut tab = Client::connect_with(world, "en", subprotocol, Some(cookie)).await;
    tab.send_command("watch", &[json!({"sports": [], "bets": true})]).await;
    tab
}

/// Reports a result for the first odd of a match, and settles.
pub(crate) async fn report(world: &World, match_of: u64, version: i64, result: i64) {
    report_market(world, match_of, version, MarketState::Settled, vec![first_odd(match_of, result)]).await;
}

/// The first odd of a match has won.
pub(crate) fn won(match_of: u64) -> MatchResults {
    results_of(match_of, 1, MarketState::Settled, vec![first_odd(match_of, 1)])
}

/// Reports to this engine that the first odd of a match has won.
pub(crate) async fn report_by(engine: &Settlements, match_of: u64) {
    engine.settle(won(match_of)).await.expect("the store answers");
}

fn first_odd(match_of: u64, result: i64) -> RawOddResult {
    RawOddResult {
        odd: OddId::new(match_of * 1_000).expect("an id"),
        result: Some(result),
        void_factor: Some(VoidFactor::Zero),
        dead_heat: Some(DeadHeat::NONE),
    }
}

fn results_of(match_of: u64, version: i64, state: MarketState, odds: Vec<RawOddResult>) -> MatchResults {
    let market = market_id(match_of * 10);
    let market = MarketResult { market, version, state, odds, void_windows: Vec::new(), reason: None };
    MatchResults { match_id: match_id(match_of), markets: vec![market], date_ms: None }
}

async fn report_market(world: &World, match_of: u64, version: i64, state: MarketState, odds: Vec<RawOddResult>) {
    let results = results_of(match_of, version, state, odds);
    let (model, events) = (Arc::clone(&world.offer.model), world.bet_events.clone());
    let engine = Settlements::new(world.stores.clone(), model, BetRules::default(), events, || 1_700_000_100_000);
    engine.settle(results).await.expect("the store answers");
}

/// The messages about bets and money, until the money has this balance.
async fn news(tab: &mut Client, balance: &str) -> Vec<Value> {
    let mut news = Vec::new();
    loop {
        let Received::Frame(frame) = tab.receive().await else { panic!("closed before the balance is {balance}") };
        let messages = frame.as_array().expect("a frame is an array").iter();
        news.extend(messages.filter(|message| message[0].as_u64() >= Some(18)).cloned());
        if news.iter().any(|message| message[0] == 21 && message[1]["balance"] == balance) {
            return news;
        }
    }
}

/// The only message of a kind.
fn only(news: &[Value], kind: u64) -> &Value {
    let mut of_kind = news.iter().filter(|message| message[0] == kind);
    let found = of_kind.next().unwrap_or_else(|| panic!("no message {kind}: {news:?}"));
    assert!(of_kind.next().is_none(), "{news:?}");
    found
}

#[actix_web::test]
async fn bets_and_money_are_live_in_every_tab_of_the_bettor_alone() {
    let world = world_with(&["2", "3", "4"]).await;
    let (ana, bob) = (registered(&world, "ana").await, registered(&world, "bob").await);
    let mut tabs = [tab(&world, &ana, "kvota.v1.json").await, tab(&world, &ana, "kvota.v1.msgpack").await];
    let mut other = tab(&world, &bob, "kvota.v1.json").await;
    news(&mut other, "1000.00").await;
    for tab in &mut tabs {
        let news = news(tab, "1000.00").await;
        assert_eq!(*only(&news, 18), json!([18, []]));
        assert_eq!(only(&news, 21)[1], json!({"revision": 0, "balance": "1000.00", "receivable": "0.00"}));
    }

    let placed = place(&world, &ana, 1, &[(1, "2"), (2, "3")]).await;
    for tab in &mut tabs {
        let news = news(tab, "990.00").await;
        let bet = &only(&news, 19)[1];
        assert_eq!((&bet["ticketId"], &bet["ticketNumber"]), (&placed["ticketId"], &placed["ticketNumber"]));
        assert_eq!((&bet["state"], &bet["pairs"][0]["home"]), (&json!("open"), &json!("Home 1")));
        // 9.50 * 6 = 57.00, and 10 % of 47.50.
        assert_eq!(bet["possible"], json!({"gross": "57.00", "winTax": "4.75", "paid": "52.25"}));
    }

    report(&world, 1, 1, 1).await;
    report(&world, 2, 1, 1).await;
    for tab in &mut tabs {
        let news = news(tab, "1042.25").await;
        let changes: Vec<&Value> = news.iter().filter(|message| message[0] == 20).collect();
        let [decided, settled] = changes[..] else { panic!("{news:?}") };
        assert_eq!((&decided[1], &decided[2]["state"]), (&json!("pair_decided"), &json!("open")));
        let pairs = &decided[2]["results"];
        assert_eq!((&pairs[0]["result"], &pairs[0]["factor"]), (&json!("won"), &json!("2")));
        assert_eq!(pairs[1]["result"], "open");
        assert_eq!((&settled[1], &settled[2]["state"]), (&json!("settled"), &json!("won")));
        assert_eq!(settled[2]["settlement"]["paid"], "52.25");
    }

    report(&world, 2, 2, 0).await;
    for tab in &mut tabs {
        let news = news(tab, "990.00").await;
        let corrected = only(&news, 20);
        assert_eq!((&corrected[1], &corrected[2]["state"]), (&json!("corrected"), &json!("lost")));
        assert!(corrected[2]["revision"].as_u64() > Some(2));
    }

    let nothing = other.messages_until_ack("ping", &[]).await;
    assert!(nothing.iter().all(|message| message[0].as_u64() < Some(18)), "{nothing:?}");
    // A tab that comes back gets the open bets as they are.
    let second = place(&world, &ana, 2, &[(3, "4")]).await;
    let mut back = tab(&world, &ana, "kvota.v1.json").await;
    let all = news(&mut back, "980.00").await;
    let all = &only(&all, 18)[1];
    assert_eq!((all.as_array().map(Vec::len), &all[0]["ticketId"]), (Some(1), &second["ticketId"]));
}

#[actix_web::test]
async fn bets_are_sent_only_while_they_are_watched() {
    let world = world_with(&["2"]).await;
    let ana = registered(&world, "ana").await;
    let mut tab = tab(&world, &ana, "kvota.v1.json").await;
    tab.until(|message| message[0] == 21).await;
    tab.command("watch", &[json!({"sports": []})]).await;
    place(&world, &ana, 1, &[(1, "2")]).await;
    let messages = tab.messages_until_ack("ping", &[]).await;
    assert!(messages.iter().all(|message| message[0].as_u64() < Some(18)), "{messages:?}");

    let mut anonymous = Client::connect(&world, "en").await;
    anonymous.command("watch", &[json!({"bets": true})]).await;
    let messages = anonymous.messages_until_ack("ping", &[]).await;
    assert!(messages.iter().all(|message| message[0].as_u64() < Some(18)), "{messages:?}");
}

#[actix_web::test]
async fn decided_odd_cannot_be_bet_on_until_its_result_is_taken_back() {
    let world = world_with(&["2"]).await;
    let ana = registered(&world, "ana").await;
    let mut tab = Client::connect_with(&world, "en", "kvota.v1.json", Some(&ana)).await;
    tab.command("pick", &[json!(1), json!(10), json!(1000)]).await;
    let reason = |message: &Value| message[1]["pairs"][0]["reason"].clone();

    report(&world, 1, 1, 1).await;
    tab.until(|message| message[0] == 15 && reason(message) == "market_settled").await;
    let request = awc::Client::new().post(format!("{}/api/v1/live/send-ticket", world.origin()));
    let request = request.insert_header((ORIGIN, world.origin())).insert_header((COOKIE, ana.clone()));
    let request = request.insert_header(("idempotency-key", key(1)));
    let mut answer = request.send_json(&slip_body(0, "10", &[(1, "2")])).await.expect("the server answers");
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!((answer.status().as_u16(), &body["pairs"][0]["reason"]), (400, &json!("market_settled")), "{body}");

    report_market(&world, 1, 2, MarketState::OpenAgain, Vec::new()).await;
    tab.until(|message| message[0] == 15 && message[1]["pairs"][0]["canBet"] == true).await;
    place(&world, &ana, 2, &[(1, "2")]).await;
}

/// The newest cash-out value of a bet, once it is `net`, or once there is a reason if `net` is null.
async fn until_worth(tab: &mut Client, ticket_id: &Value, net: Value) -> Value {
    let of_bet = |message: &Value| {
        let values = message[1].as_array().map(Vec::as_slice).unwrap_or_default();
        values.iter().find(|value| value["ticketId"] == *ticket_id).cloned()
    };
    let found = tab.until(|message| message[0] == 22 && of_bet(message).is_some_and(|value| value["net"] == net)).await;
    of_bet(&found).expect("the value of the bet")
}

#[actix_web::test]
async fn cash_out_values_follow_the_odds_in_every_tab() {
    let mut world = world_with(&["3.00"]).await;
    let ana = registered(&world, "ana").await;
    let bet = place(&world, &ana, 1, &[(1, "3.00")]).await["ticketId"].clone();
    let mut tabs = [tab(&world, &ana, "kvota.v1.json").await, tab(&world, &ana, "kvota.v1.msgpack").await];
    for tab in &mut tabs {
        until_worth(tab, &bet, json!("9.03")).await;
    }
    world.feed.publish(vec![usual_match(1, "1.80").update()]).await;
    for tab in &mut tabs {
        let value = until_worth(tab, &bet, json!("14.49")).await;
        assert_eq!(value, json!({"ticketId": bet, "value": "15.04", "winTax": "0.55", "net": "14.49", "reasons": []}));
    }
    world.feed.publish(vec![usual_match(1, "1.80").suspended().update()]).await;
    for tab in &mut tabs {
        assert_eq!(until_worth(tab, &bet, Value::Null).await["reasons"], json!(["match_suspended"]));
    }
    world.feed.publish(vec![usual_match(1, "1.50").update()]).await;
    // A bet that is placed meanwhile has a value too.
    let other = place(&world, &ana, 2, &[(1, "1.50")]).await["ticketId"].clone();
    for tab in &mut tabs {
        until_worth(tab, &other, json!("9.03")).await;
    }
}
