//! Limits on connections, and that a connection starts no session before its bettor changes something.

use crate::client::Client;
use kvota::hub::admission::{Admission, HubLimits};
use kvota::hub::websocket::live_hub;
use kvota::testkit::builders::{live_match, result};
use kvota::testkit::world::{PATIENCE, World};
use kvota_domain::session::SessionId;
use kvota_store::{SessionOwner, Stores};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn world_with(stores: Stores, limits: HubLimits) -> World {
    let mut world = World::with(stores, |state| state.live_hub = live_hub(Admission::new(limits))).await;
    world.feed.publish(vec![live_match(1).market(result(10, ["1.50", "4.00", "6.00"])).insert()]).await;
    world.settle().await;
    world
}

fn pick() -> [Value; 3] {
    [json!(1), json!(10), json!(1000)]
}

fn pairs(ticket: &Value) -> usize {
    ticket[1]["pairs"].as_array().map_or(0, Vec::len)
}

/// Sends a handshake; its status, `Retry-After` and open socket.
async fn handshake(world: &World, cookie: Option<&str>) -> (u16, Option<u64>, TcpStream) {
    let mut socket = TcpStream::connect(world.address()).await.expect("connected");
    let cookie = cookie.map_or_else(String::new, |cookie| format!("Cookie: {cookie}\r\n"));
    let request = format!(
        "GET /api/v1/live/hub HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{cookie}\
         Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Protocol: kvota.v1.json\r\n\r\n",
        world.address()
    );
    socket.write_all(request.as_bytes()).await.expect("sent");
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut more = [0; 4096];
        let read = tokio::time::timeout(PATIENCE, socket.read(&mut more)).await.expect("an answer in time");
        let read = read.expect("read");
        assert!(read > 0, "closed before the head of the answer: {}", String::from_utf8_lossy(&head));
        head.extend_from_slice(&more[..read]);
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let retry = head.lines().find_map(|line| line.strip_prefix("retry-after: ")?.trim().parse().ok());
    (status, retry, socket)
}

#[actix::test]
async fn handshakes_and_reading_commands_start_no_session() {
    let stores = Stores::in_memory();
    let world = world_with(stores.clone(), HubLimits::none()).await;
    let mut clients = Vec::new();
    for _ in 0..10 {
        let mut client = Client::connect(&world, "hr").await;
        let messages = client.messages_until_ack("ping", &[]).await;
        let kinds: Vec<u64> = messages.iter().filter_map(|message| message[0].as_u64()).collect();
        assert!(kinds.contains(&15) && kinds.contains(&16), "an empty ticket and no favourites: {messages:?}");
        client.command("watch", &[json!({"sports": null, "favourites": true, "matches": [1]})]).await;
        client.command("resync", &[json!(1)]).await;
        client.command("resync", &[Value::Null]).await;
        clients.push(client);
    }
    let cookie = clients[0].cookie.clone();
    clients.push(Client::connect_with(&world, "hr", "kvota.v1.json", cookie.as_deref()).await);
    assert_eq!(world.sessions.observe().await.live, 0);
}

#[actix::test]
async fn the_first_pick_starts_the_session_and_all_tabs_receive_its_ticket() {
    let stores = Stores::in_memory();
    let world = world_with(stores.clone(), HubLimits::none()).await;
    let mut one = Client::connect(&world, "hr").await;
    let cookie = one.cookie.clone();
    let mut two = Client::connect_with(&world, "en", "kvota.v1.json", cookie.as_deref()).await;
    two.command("ping", &[]).await;
    // Sent without waiting: the first command starts the session, and the order must still hold.
    one.send_command("pick", &pick()).await;
    one.send_command("favourite", &[json!(1), json!(true)]).await;
    one.send_command("stake", &[json!("3")]).await;
    let messages = one.messages_until_ack("stake", &[json!("7")]).await;
    let acks: Vec<&Value> = messages.iter().filter(|message| message[0] == 1).map(|ack| &ack[1]).collect();
    assert_eq!(acks, [1, 2, 3, 4]);
    let last = messages.iter().rfind(|message| message[0] == 15).expect("a ticket");
    assert_eq!((pairs(last), &last[1]["stake"]), (1, &json!("7.00")));
    two.until(|message| message[0] == 15 && pairs(message) == 1 && message[1]["stake"] == "7.00").await;
    two.send_command("drop", &[json!(1)]).await;
    one.until(|message| message[0] == 15 && pairs(message) == 0).await;
    assert_eq!(world.sessions.observe().await.live, 1, "one session for both tabs");
    let id = cookie.as_deref().and_then(|cookie| cookie.split(['=', '.']).nth(1));
    let owner = SessionOwner::Anonymous(id.and_then(SessionId::from_text).expect("a session"));
    assert!(stores.sessions.load(owner).await.expect("asked").is_some());

    let again = world_with(stores, HubLimits::none()).await;
    let mut back = Client::connect_with(&again, "hr", "kvota.v1.json", cookie.as_deref()).await;
    back.until(|message| message[0] == 16 && message[1] == json!([1])).await;
    assert_eq!(again.sessions.observe().await.live, 1, "a cookie of which something is kept has its session at once");
}

#[actix::test]
async fn each_limit_rejects_with_its_status_and_counts_it() {
    let metrics = kvota::telemetry::metrics().expect("metrics are recorded");
    // Other tests of this process may count rejections too.
    let rejected = |reason: &str| {
        let (text, name) = (metrics.render(), format!("kvota_hub_rejected_total{{reason=\"{reason}\"}} "));
        let line = text.lines().find_map(|line| line.strip_prefix(name.as_str())?.parse::<u64>().ok());
        line.unwrap_or_default()
    };
    let none = HubLimits::none();
    for (reason, limits, status) in [
        ("total", HubLimits { connections_max: 1, ..none.clone() }, 503),
        ("address", HubLimits { connections_per_address_max: 1, ..none.clone() }, 429),
        ("session", HubLimits { connections_per_session_max: 1, ..none.clone() }, 429),
        ("new_sessions", HubLimits { new_sessions_per_minute_max: 1, ..none.clone() }, 429),
    ] {
        let before = rejected(reason);
        let world = world_with(Stores::in_memory(), limits).await;
        let first = Client::connect(&world, "hr").await;
        let cookie = first.cookie.clone().filter(|_| reason == "session");
        let (got, retry, _socket) = handshake(&world, cookie.as_deref()).await;
        assert_eq!(got, status, "{reason}");
        assert!(retry.is_some_and(|seconds| (1..=61).contains(&seconds)), "{reason}: {retry:?}");
        assert!(rejected(reason) > before, "{reason}: {}", metrics.render());
    }
}

#[actix::test]
async fn a_closed_connection_makes_room_for_another() {
    let limits = HubLimits {
        connections_max: 1,
        connections_per_address_max: 1,
        connections_per_session_max: 1,
        ..HubLimits::none()
    };
    let world = world_with(Stores::in_memory(), limits).await;
    let first = Client::connect(&world, "hr").await;
    let cookie = first.cookie.clone();
    assert_eq!(handshake(&world, cookie.as_deref()).await.0, 503);
    drop(first);
    let until_taken = async {
        while handshake(&world, cookie.as_deref()).await.0 != 101 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, until_taken).await.expect("there is room again");
}
