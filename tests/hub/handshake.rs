//! The handshake: which requests may connect, and the first messages of a connection.

use crate::client::Client;
use awc::http::StatusCode;
use awc::http::header::{COOKIE, ORIGIN};
use kvota::testkit::world::{NOW_MS, World};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn status(world: &World, origin: Option<&str>, protocols: &[&str]) -> StatusCode {
    let mut request = awc::Client::new().ws(format!("{}/api/v1/live/hub", world.origin()));
    if !protocols.is_empty() {
        request = request.protocols(protocols);
    }
    if let Some(origin) = origin {
        request = request.header(ORIGIN, origin);
    }
    match request.connect().await {
        Ok((answer, _)) => answer.status(),
        Err(awc::error::WsClientError::InvalidResponseStatus(status)) => status,
        Err(other) => panic!("no answer: {other}"),
    }
}

#[actix::test]
async fn pages_of_other_origins_are_rejected() {
    let world = World::start().await;
    let own = world.origin();
    let suffix = format!("{own}.evil.test");
    for (origin, expected) in [
        (Some(own.as_str()), StatusCode::SWITCHING_PROTOCOLS),
        (None, StatusCode::SWITCHING_PROTOCOLS),
        (Some("https://evil.test"), StatusCode::FORBIDDEN),
        (Some("null"), StatusCode::FORBIDDEN),
        (Some(&suffix), StatusCode::FORBIDDEN),
    ] {
        assert_eq!(status(&world, origin, &["kvota.v1.json"]).await, expected, "{origin:?}");
    }
}

#[actix::test]
async fn handshake_requires_a_supported_subprotocol() {
    let world = World::start().await;
    let (json, msgpack) = ("kvota.v1.json", "kvota.v1.msgpack");
    for (offered, chosen) in [
        (&[json][..], Some(json)),
        (&[msgpack], Some(msgpack)),
        (&[json, msgpack], Some(msgpack)),
        (&["soap"], None),
        (&[], None),
    ] {
        let mut request = awc::Client::new().ws(format!("{}/api/v1/live/hub", world.origin()));
        if !offered.is_empty() {
            request = request.protocols(offered);
        }
        let got = match request.connect().await {
            Ok((answer, _)) => answer.headers().get("sec-websocket-protocol").map(|name| format!("{name:?}")),
            Err(awc::error::WsClientError::InvalidResponseStatus(StatusCode::BAD_REQUEST)) => None,
            Err(other) => panic!("{offered:?}: {other}"),
        };
        assert_eq!(got, chosen.map(|name| format!("{name:?}")), "{offered:?}");
    }
}

/// The head of the answer to a handshake with these lines in addition to the usual ones.
async fn head_of(world: &World, lines: &str) -> String {
    let mut socket = TcpStream::connect(world.address()).await.expect("connected");
    let handshake = format!(
        "GET /api/v1/live/hub HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{lines}\r\n",
        world.address()
    );
    socket.write_all(handshake.as_bytes()).await.expect("sent");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.expect("an answer"));
    }
    String::from_utf8(head).expect("text").to_lowercase()
}

/// RFC 6455, 4.2.1 and 4.2.2.
#[actix::test]
async fn handshake_requires_version_13_and_a_key_of_16_bytes() {
    let world = World::start().await;
    let good = "MDEyMzQ1Njc4OWFiY2RlZg==";
    for (versions, keys, status) in [
        (&["13"][..], &[good][..], "101"),
        (&["7"], &[good], "426"),
        (&["8"], &[good], "426"),
        (&["13", "8"], &[good], "426"),
        (&[], &[good], "400"),
        (&["13"], &[], "400"),
        (&["13"], &[good, good], "400"),
        (&["13"], &["MDEyMzQ1Njc4OWFiY2RlZmc="], "400"),
        (&["13"], &["MDEyMzQ1Njc4OWFiY2RlZh=="], "400"),
        (&["13"], &["MDEyMzQ1Njc4OWFiY2Rl Q=="], "400"),
        (&["13"], &["16 bytes of text"], "400"),
    ] {
        let mut lines = "Sec-WebSocket-Protocol: kvota.v1.json\r\n".to_owned();
        lines.extend(versions.iter().map(|version| format!("Sec-WebSocket-Version: {version}\r\n")));
        lines.extend(keys.iter().map(|key| format!("Sec-WebSocket-Key: {key}\r\n")));
        let head = head_of(&world, &lines).await;
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{versions:?} {keys:?}: {head}");
        assert_eq!(head.contains("sec-websocket-version: 13"), status == "426", "{versions:?} {keys:?}: {head}");
    }
}

/// A list header may also be sent as several headers.
#[actix::test]
async fn subprotocol_from_a_repeated_header_is_accepted() {
    let world = World::start().await;
    let (json, msgpack) = ("kvota.v1.json", "kvota.v1.msgpack");
    let lines = format!(
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Protocol: {json}\r\nSec-WebSocket-Protocol: {msgpack}\r\n"
    );
    let head = head_of(&world, &lines).await;
    assert!(head.starts_with("http/1.1 101"), "{head}");
    assert!(head.contains(&format!("sec-websocket-protocol: {msgpack}\r\n")), "{head}");
}

#[actix::test]
async fn hello_is_the_first_message_in_both_encodings() {
    let world = World::start().await;
    for subprotocol in ["kvota.v1.json", "kvota.v1.msgpack"] {
        let mut client = Client::connect_as(&world, "hr", subprotocol).await;
        let hello = client.until(|_| true).await;
        assert_eq!(hello[0], 0);
        assert!(hello[1].is_string());
        assert_eq!(hello[2], json!(NOW_MS));
        assert_eq!(hello[3], 2, "the feed is active");
    }
}

#[actix::test]
async fn connection_without_a_cookie_gets_a_session_and_keeps_it() {
    let world = World::start().await;
    let request = || awc::Client::new().ws(format!("{}/api/v1/live/hub", world.origin())).protocols(["kvota.v1.json"]);
    let (answer, _socket) = request().connect().await.expect("connected");
    let cookie = answer.headers().get("set-cookie").expect("a cookie").to_str().expect("text").to_owned();
    assert!(cookie.starts_with("kvota-session=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
    let pair = cookie.split(';').next().unwrap_or_default();
    let (renewed, _socket) = request().header(COOKIE, pair).connect().await.expect("connected");
    let renewal: Vec<&str> =
        renewed.headers().get_all("set-cookie").map(|value| value.to_str().expect("text")).collect();
    assert!(renewal[0].starts_with(pair), "the same session, for as long again");
    let fresh = renewal[1].split(';').next().unwrap_or_default();
    let both = format!("{pair}; {fresh}");
    let (again, _socket) = request().header(COOKIE, both).connect().await.expect("connected");
    assert!(again.headers().get("set-cookie").is_none(), "both cookies are fresh");
}
