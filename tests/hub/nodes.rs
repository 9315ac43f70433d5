//! One bettor on several nodes: two servers over one store show the same ticket, favourites, bets and money (CONTRACT 11).

use crate::bets::{place, registered, report};
use crate::client::{Client, Received, get, get_bytes};
use crate::convergence::{fresh, random_match};
use awc::http::header::{COOKIE, HeaderMap, ORIGIN};
use kvota::testkit::builders::{MatchBuilder, usual_match};
use kvota::testkit::measured;
use kvota::testkit::replica::Replica;
use kvota::testkit::seed::roll;
use kvota::testkit::slip::key;
use kvota::testkit::world::World;
use kvota_store::Stores;
use serde_json::{Value, json};

/// Two nodes with the same three matches.
pub(crate) async fn nodes() -> [World; 2] {
    let stores = Stores::in_memory();
    let mut nodes = [World::over(stores.clone()).await, World::over(stores).await];
    for node in &mut nodes {
        node.feed.publish((1..=3).map(|id| usual_match(id, "2").insert()).collect()).await;
        node.settle().await;
    }
    nodes
}

pub(crate) async fn tab(node: &World, cookie: Option<&str>) -> Client {
    Client::connect_with(node, "en", "kvota.v1.json", cookie).await
}

fn pick(id: u64) -> [Value; 3] {
    [json!(id), json!(id * 10), json!(id * 1_000)]
}

/// Waits for a ticket with these matches.
async fn until_matches(tab: &mut Client, ids: &[u64]) {
    let has = |message: &Value| {
        let pairs = message[1]["pairs"].as_array().into_iter().flatten();
        message[0] == 15 && pairs.filter_map(|pair| pair["matchId"].as_u64()).eq(ids.iter().copied())
    };
    tab.until(has).await;
}

#[actix_web::test]
async fn picks_and_favourites_reach_the_tabs_on_other_nodes() {
    let [one, two] = nodes().await;
    for is_signed_in in [false, true] {
        let cookie = if is_signed_in { Some(registered(&one, "ana").await) } else { None };
        let mut first = tab(&one, cookie.as_deref()).await;
        let cookie = first.cookie.clone();
        // No session is saved when the second tab connects.
        let mut second = tab(&two, cookie.as_deref()).await;
        first.command("pick", &pick(1)).await;
        until_matches(&mut second, &[1]).await;
        second.command("pick", &pick(2)).await;
        until_matches(&mut first, &[1, 2]).await;
        first.command("favourite", &[json!(3), json!(true)]).await;
        second.until(|message| *message == json!([16, [3]])).await;
        // Back on the first node, and again on the second.
        second.command("drop", &[json!(1)]).await;
        until_matches(&mut first, &[2]).await;
        first.command("stake", &[json!("7.00")]).await;
        second.until(|message| message[0] == 15 && message[1]["stake"] == "7.00").await;
    }
}

#[actix_web::test]
async fn simultaneous_commands_on_two_nodes_end_in_the_same_ticket() {
    let [one, two] = nodes().await;
    let mut first = tab(&one, None).await;
    let mut second = tab(&two, first.cookie.clone().as_deref()).await;
    for round in 0..20 {
        let (stake, other) = (format!("{}.00", 10 + round), format!("{}.50", 10 + round));
        first.send_command("stake", &[json!(stake)]).await;
        second.send_command("stake", &[json!(other)]).await;
        first.command("pick", &pick(1)).await;
        second.command("favourite", &[json!(2), json!(round % 2 == 0)]).await;
    }
    first.command("stake", &[json!("99.00")]).await;
    second.until(|message| message[0] == 15 && message[1]["stake"] == "99.00").await;
    // A tab that comes later, on any node, shows the same.
    for node in [&one, &two] {
        let mut later = tab(node, first.cookie.clone().as_deref()).await;
        later.until(|message| message[0] == 15 && message[1]["stake"] == "99.00").await;
    }
}

#[actix_web::test]
async fn anonymous_ticket_moves_into_the_account_whichever_node_logs_in() {
    let [one, two] = nodes().await;
    registered(&one, "ana").await;
    let mut first = tab(&one, None).await;
    let cookie = first.cookie.clone().expect("a cookie");
    first.command("pick", &pick(1)).await;
    let mut second = tab(&two, Some(&cookie)).await;
    until_matches(&mut second, &[1]).await;
    second.command("pick", &pick(2)).await;
    // The login goes to the node with the older state of the session.
    let login = awc::Client::new().post(format!("{}/api/v1/account/login", one.origin()));
    let login = login.insert_header((ORIGIN, one.origin())).insert_header((COOKIE, cookie));
    let mut answer = login.send_json(&json!({"name": "ana", "password": "correct horse"})).await.expect("an answer");
    assert_eq!(answer.status(), 200, "{:?}", answer.body().await);
    for tab in [&mut first, &mut second] {
        until_closed_with(tab, 1012).await;
    }
    let cookie = cookie_of(answer.headers());
    for node in [&two, &one] {
        until_matches(&mut tab(node, Some(&cookie)).await, &[1, 2]).await;
    }
}

/// The session cookie that an answer sets.
fn cookie_of(headers: &HeaderMap) -> String {
    let given = headers.get(awc::http::header::SET_COOKIE).and_then(|given| given.to_str().ok());
    given.and_then(|given| given.split(';').next()).expect("a cookie").to_owned()
}

pub(crate) async fn until_closed_with(tab: &mut Client, expected: u16) {
    loop {
        if let Received::Closed(code) = tab.receive().await {
            assert_eq!(code.map(u16::from), Some(expected));
            return;
        }
    }
}

#[actix_web::test]
async fn logout_closes_the_connections_on_all_nodes() {
    let [one, two] = nodes().await;
    let cookie = registered(&one, "ana").await;
    let mut tabs = [tab(&one, Some(&cookie)).await, tab(&two, Some(&cookie)).await];
    let logout = awc::Client::new().post(format!("{}/api/v1/account/logout", one.origin()));
    let logout = logout.insert_header((ORIGIN, one.origin())).insert_header((COOKIE, cookie));
    assert_eq!(logout.send().await.expect("an answer").status(), 204);
    for tab in &mut tabs {
        until_closed_with(tab, 1012).await;
    }
}

#[actix_web::test]
async fn new_password_closes_the_connections_of_all_other_sessions_on_all_nodes() {
    let [one, two] = nodes().await;
    let kept = registered(&one, "ana").await;
    let mut own = tab(&two, Some(&kept)).await;
    let login = awc::Client::new().post(format!("{}/api/v1/account/login", two.origin()));
    let login = login.insert_header((ORIGIN, two.origin()));
    let answer = login.send_json(&json!({"name": "ana", "password": "correct horse"})).await.expect("an answer");
    let other = cookie_of(answer.headers());
    let mut others = [tab(&one, Some(&other)).await, tab(&two, Some(&other)).await];
    let change = awc::Client::new().post(format!("{}/api/v1/account/password", one.origin()));
    let change = change.insert_header((ORIGIN, one.origin())).insert_header((COOKIE, kept));
    let passwords = json!({"old": "correct horse", "new": "battery staple"});
    assert_eq!(change.send_json(&passwords).await.expect("an answer").status(), 204);
    for tab in &mut others {
        until_closed_with(tab, 1012).await;
    }
    own.send_command("watch", &[json!({"sports": [], "bets": true})]).await;
    own.until(|message| message[0] == 21 && message[1]["balance"] == "1000.00").await;
}

#[actix_web::test]
async fn session_ended_from_the_list_closes_its_connections_on_all_nodes() {
    let [one, two] = nodes().await;
    let kept = registered(&one, "ana").await;
    let login = awc::Client::new().post(format!("{}/api/v1/account/login", two.origin()));
    let login = login.insert_header((ORIGIN, two.origin()));
    let answer = login.send_json(&json!({"name": "ana", "password": "correct horse"})).await.expect("an answer");
    let other = cookie_of(answer.headers());
    let mut others = [tab(&one, Some(&other)).await, tab(&two, Some(&other)).await];
    let list = format!("{}/api/v1/account/sessions", one.origin());
    let mut answer =
        awc::Client::new().get(&list).insert_header((COOKIE, kept.clone())).send().await.expect("an answer");
    let listed: serde_json::Value = answer.json().await.expect("it is JSON");
    let listed = listed["sessions"].as_array().expect("a list");
    let id = listed.iter().find(|session| session["current"] == false).expect("the other one")["id"].as_str();
    let end = awc::Client::new().delete(format!("{list}/{}", id.expect("a text")));
    let end = end.insert_header((ORIGIN, one.origin())).insert_header((COOKIE, kept));
    assert_eq!(end.send().await.expect("an answer").status(), 204);
    for tab in &mut others {
        until_closed_with(tab, 1012).await;
    }
}

#[actix_web::test]
async fn bets_and_money_are_live_on_all_nodes() {
    let [one, two] = nodes().await;
    let cookie = registered(&one, "ana").await;
    let mut far = tab(&two, Some(&cookie)).await;
    far.send_command("watch", &[json!({"sports": [], "bets": true})]).await;
    far.until(|message| message[0] == 21 && message[1]["balance"] == "1000.00").await;
    let placed = place(&one, &cookie, 1, &[(1, "2")]).await;
    far.until(|message| message[0] == 19 && message[1]["ticketId"] == placed["ticketId"]).await;
    report(&one, 1, 1, 1).await;
    let settled = far.until(|message| message[0] == 20 && message[1] == "settled").await;
    assert_eq!((&settled[2]["state"], &settled[2]["settlement"]["number"]), (&json!("won"), &json!(1)));
    // The odd has a result on this node too.
    far.send_command("pick", &pick(1)).await;
    far.until(|message| message[0] == 15 && message[1]["pairs"][0]["reason"] == "market_settled").await;
}

#[actix_web::test]
async fn deposit_changes_the_balance_in_the_tabs_on_all_nodes() {
    let [one, two] = nodes().await;
    let cookie = registered(&one, "ana").await;
    let mut near = tab(&one, Some(&cookie)).await;
    let mut far = tab(&two, Some(&cookie)).await;
    for tab in [&mut near, &mut far] {
        tab.send_command("watch", &[json!({"sports": [], "bets": true})]).await;
        tab.until(|message| message[0] == 21 && message[1]["balance"] == "1000.00").await;
    }
    let request = awc::Client::new().post(format!("{}/api/v1/account/deposit", one.origin()));
    let request = request.insert_header((ORIGIN, one.origin())).insert_header((COOKIE, cookie.clone()));
    let paid = request.insert_header(("idempotency-key", key(1))).send_json(&json!({"amount": "5"})).await;
    assert_eq!(paid.expect("the server answers").status(), 200);
    for tab in [&mut near, &mut far] {
        tab.until(|message| message[0] == 21 && message[1]["balance"] == "1005.00").await;
    }
}

/// Rows without revisions and clocks.
fn content(replica: &Replica) -> Value {
    json!(replica.rows.iter().map(|(id, row)| json!([id, row.fields, row.markets])).collect::<Vec<_>>())
}

/// The hub is on one node and every GET on the other, and each node has counted other revisions.
async fn converges(seed: u64, is_hub_older: bool) {
    let mut dice = roll(seed);
    let [mut older, mut newer] = {
        let stores = Stores::in_memory();
        [World::over(stores.clone()).await, World::over(stores).await]
    };
    for _ in 0..30 {
        let id = 1 + dice.below(4);
        older.feed.publish(vec![random_match(&mut dice, id).update()]).await;
    }
    let matches: Vec<MatchBuilder> = (1..=4).map(|id| random_match(&mut dice, id)).collect();
    for node in [&mut older, &mut newer] {
        node.feed.publish(matches.iter().map(|live_match| live_match.clone().update()).collect()).await;
        node.settle().await;
    }
    let (hub, http) = if is_hub_older { (0, 1) } else { (1, 0) };
    let mut nodes = [older, newer];
    let mut client = Client::connect_as(&nodes[hub], "hr", "kvota.v1.json").await;
    let Received::Frame(first) = client.receive().await else { panic!("closed") };
    let run = first[0][5].as_str().expect("the name of the run").to_owned();
    client.command("watch", &[json!({"sports": null})]).await;
    let path = format!("/api/v1/live/offer?view=rows&run={run}");
    let (_, body) = get(&nodes[http], &path).await;
    client.replica.load_offer(&body);
    assert!(client.replica.rows.values().all(|row| row.revision == 0), "another node has no base for the changes");
    let (_, own) = get(&nodes[hub], &path).await;
    assert!(fresh(&own).rows.values().all(|row| row.revision > 0), "the node of the connection has one");
    client.command("resync", &[json!(null)]).await;

    for _ in 0..40 {
        let id = 1 + dice.below(4);
        let changed = random_match(&mut dice, id);
        for node in &mut nodes {
            node.feed.publish(vec![changed.clone().update()]).await;
            node.settle().await;
        }
    }
    // A deletion is sent after all changes before it.
    nodes[hub].feed.publish(vec![usual_match(99, "2").insert()]).await;
    nodes[hub].feed.publish(vec![usual_match(99, "2").delete()]).await;
    client.until(|message| message[0] == 6 && message[1] == 99).await;
    assert_eq!(client.replica.gaps, [0; 0], "seed {seed}");
    let (_, body) = get(&nodes[http], &path).await;
    assert_eq!(content(&client.replica), content(&fresh(&body)), "seed {seed}");
}

#[actix_web::test]
async fn offer_of_one_node_converges_with_the_hub_of_another() {
    for seed in 1..=4 {
        converges(seed, true).await;
        converges(seed, false).await;
    }
}

#[actix_web::test]
async fn connection_to_another_node_is_recognised_by_a_node_that_knows_of_no_other() {
    let mut world = World::start().await;
    world.feed.publish(vec![usual_match(1, "2").insert()]).await;
    world.settle().await;
    for (run, has_revisions) in [("&run=of-another-node", false), ("", true)] {
        let (_, offer) = get(&world, &format!("/api/v1/live/offer?view=rows{run}")).await;
        assert_eq!(offer["sports"][0]["matches"][0]["revision"] != 0, has_revisions, "{run}");
        let (_, one) = get(&world, &format!("/api/v1/live/match/1?lang=hr{run}")).await;
        assert_eq!(one["revision"] != 0, has_revisions, "{run}");
    }
}

/// Changes between two connections of a client.
const CHANGES_OF_A_CONNECTION: u64 = 250;

/// A new connection to `hub` that gets the offer from `http`. The bytes of its calls.
async fn connect(hub: &World, http: &World) -> (Client, usize) {
    let mut client = Client::connect_as(hub, "hr", "kvota.v1.json").await;
    let Received::Frame(first) = client.receive().await else { panic!("closed") };
    let run = first[0][5].as_str().expect("the name of the run").to_owned();
    client.watch_all().await;
    let (_, body) = get_bytes(http, &format!("/api/v1/live/offer?view=rows&run={run}")).await;
    client.replica.load_offer(&serde_json::from_slice(&body).expect("JSON"));
    if client.replica.rows.values().any(|row| row.revision == 0) {
        client.command("resync", &[json!(null)]).await;
    }
    (client, body.len())
}

#[actix_web::test]
async fn client_of_two_nodes_converges_with_few_more_bytes_than_that_of_one() {
    let (changes, matches) = (measured::asked_for("KVOTA_CHANGES_OF_NODES", 1_000), 40);
    let mut dice = roll(1);
    let stores = Stores::in_memory();
    let mut nodes = [World::over(stores.clone()).await, World::over(stores).await];
    let all: Vec<MatchBuilder> = (1..=matches).map(|id| random_match(&mut dice, id)).collect();
    // The second node counts other revisions.
    nodes[1].feed.publish(all.iter().map(|live_match| live_match.clone().insert()).collect()).await;
    let (mut of_one, mut of_two, mut calls) = (0, 0, [0, 0]);
    for _ in 0..changes / CHANGES_OF_A_CONNECTION {
        for node in &mut nodes {
            node.feed.publish(all.iter().map(|live_match| live_match.clone().update()).collect()).await;
            node.settle().await;
        }
        let (mut one, got) = connect(&nodes[0], &nodes[0]).await;
        calls[0] += got;
        let (mut two, got) = connect(&nodes[0], &nodes[1]).await;
        calls[1] += got;
        for _ in 0..CHANGES_OF_A_CONNECTION {
            let id = 1 + dice.below(matches);
            let changed = random_match(&mut dice, id);
            for node in &mut nodes {
                node.feed.publish(vec![changed.clone().update()]).await;
                node.settle().await;
            }
        }
        for node in &mut nodes {
            node.feed.publish(vec![usual_match(99, "2").insert()]).await;
            node.feed.publish(vec![usual_match(99, "2").delete()]).await;
            node.settle().await;
        }
        let (_, body) = get(&nodes[1], "/api/v1/live/offer?view=rows").await;
        for client in [&mut one, &mut two] {
            client.until(|message| message[0] == 6 && message[1] == 99).await;
            assert_eq!(client.replica.gaps, [0; 0]);
            assert_eq!(content(&client.replica), content(&fresh(&body)));
        }
        of_one += one.bytes;
        of_two += two.bytes;
    }
    let ratio = (of_two + calls[1]) as f64 / (of_one + calls[0]) as f64;
    measured::most("R53", "bytes of a client of two nodes beside one node", format!("{ratio:.2}"), 1.5);
    measured::count("R53", "changes with HTTP and hub on different nodes", changes);
}
