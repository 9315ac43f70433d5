//! Nodes on one PostgreSQL and one broker, as an installation runs them (CONTRACT 11).

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use super::audit::Folder;
use super::bettors::{call, start};
use super::kvota;
use super::services::Schema;
use awc::http::header::ORIGIN;
use awc::ws::Frame;
use futures_util::StreamExt;
use futures_util::future::join_all;
use std::net::{SocketAddr, TcpListener};
use std::process::Command;
use std::time::Duration;
use tokio::time::{Instant, timeout};

const PATIENCE: Duration = Duration::from_secs(60);
const SOCKETS: usize = 20;
const DRAIN: Duration = Duration::from_secs(3);

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[actix_web::test]
async fn stopping_node_sends_its_clients_away_one_by_one_and_answers_until_its_end() {
    let (schema, folder, address) = (Schema::new().await, Folder::new("drain"), free_address());
    let mut command = kvota(&["serve", "--listen", &address.to_string()]);
    command.env("KVOTA__STORE__DATA_DIR", folder.path()).env("KVOTA__STORE__URL", schema.url());
    command.env("KVOTA__HTTP__DRAIN_SECONDS", DRAIN.as_secs().to_string());
    let mut server = start(command, folder.path(), address, 0);
    let connect = || async {
        let url = format!("http://{address}/api/v1/live/hub");
        let request =
            awc::Client::new().ws(url).protocols(["kvota.v1.json"]).header(ORIGIN, format!("http://{address}"));
        request.connect().await.map(|(_, socket)| socket)
    };
    let mut sockets = Vec::new();
    for _ in 0..SOCKETS {
        sockets.push(connect().await.unwrap());
    }

    assert!(Command::new("kill").args(["-TERM", &server.0.id().to_string()]).status().unwrap().success());
    let begin = Instant::now();
    let get = |path: &'static str| async move {
        let asked = tokio::task::spawn_blocking(move || call(address, &format!("GET {path}"), &[], ""));
        asked.await.unwrap().unwrap()
    };
    while !get("/readyz").await.2.contains("stopping") {
        assert!(begin.elapsed() < PATIENCE, "it is ready after SIGTERM");
    }
    assert!(connect().await.is_err(), "a new connection is rejected");
    let (status, ..) = get("/api/v1/live/offer?view=rows").await;
    assert_eq!(status, 200, "calls are answered");

    let closed = join_all(sockets.into_iter().map(|mut socket| async move {
        loop {
            match timeout(PATIENCE, socket.next()).await.expect("closed in time") {
                Some(Ok(Frame::Close(reason))) => {
                    return (reason.map(|reason| u16::from(reason.code)), begin.elapsed());
                }
                Some(Ok(_)) => {}
                ended => panic!("closed without a reason: {ended:?}"),
            }
        }
    }));
    let closed = closed.await;
    assert!(closed.iter().all(|(code, _)| *code == Some(1001)), "{closed:?}");
    let mut moments: Vec<Duration> = closed.into_iter().map(|(_, moment)| moment).collect();
    moments.sort_unstable();
    // Evenly: half of them are closed no earlier than a third of the time, and the last one near its end.
    assert!(moments[SOCKETS / 2] > DRAIN / 3, "{moments:?}");
    assert!(moments[SOCKETS - 1] > DRAIN / 2, "{moments:?}");
    let ended = tokio::task::spawn_blocking(move || server.0.wait().unwrap()).await.unwrap();
    assert!(ended.success(), "{ended}");
    schema.drop().await;
}
