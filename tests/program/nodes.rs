//! Nodes on one PostgreSQL and one broker, as an installation runs them (CONTRACT 11).

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use super::audit::Folder;
use super::bettors::{Bettor, call, odds, start, ticket, with_services};
use super::services::{Schema, exchange};
use super::{Running, kvota};
use awc::http::header::ORIGIN;
use awc::ws::Frame;
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use sqlx::{Connection, PgConnection};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, timeout};

const PATIENCE: Duration = Duration::from_secs(60);
const SOCKETS: usize = 20;
const DRAIN: Duration = Duration::from_secs(3);
const ROLLING_RESTARTS: usize = 20;

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

/// Nodes on one schema and one exchange, with a feed of recorded matches.
struct Cluster {
    nodes: Vec<(Running, SocketAddr)>,
    _feed: Running,
    schema: Schema,
    folder: Folder,
    exchange: String,
    delay_s: u32,
}

impl Cluster {
    /// Starts `count` nodes with this in-play delay in seconds, one after the other, as a rolling start does.
    async fn start(name: &str, count: usize, delay_s: u32) -> Cluster {
        let (schema, folder, exchange) = (Schema::new().await, Folder::new(name), exchange(name));
        let mut command = kvota(&["feed"]);
        with_services(&mut command, &exchange, folder.path());
        command.env("KVOTA__FEED__START_MINUTE", "30");
        let feed = Running(command.spawn().unwrap());
        let mut cluster = Cluster { nodes: Vec::new(), _feed: feed, schema, folder, exchange, delay_s };
        for _ in 0..count {
            let address = free_address();
            cluster.nodes.push((cluster.start_node(address), address));
        }
        // A node that knows of others sends no revisions to a client that names no run.
        for (_, address) in &cluster.nodes {
            let begin = Instant::now();
            let offer = || call(*address, "GET /api/v1/live/offer?view=rows", &[], "").unwrap().2;
            while !offer().contains(r#""revision":0"#) {
                assert!(begin.elapsed() < PATIENCE, "the node at {address} does not know of the others");
            }
        }
        cluster
    }

    fn start_node(&self, address: SocketAddr) -> Running {
        let mut command = kvota(&["serve", "--listen", &address.to_string()]);
        with_services(&mut command, &self.exchange, self.folder.path());
        command.env("KVOTA__FEED__SOURCE", "amqp").env("KVOTA__STORE__URL", self.schema.url());
        command.env("KVOTA__HTTP__DRAIN_SECONDS", "1");
        start(command, self.folder.path(), address, self.delay_s)
    }

    /// Stops a node as a rolling restart does, and starts it again.
    fn restart(&mut self, node: usize) {
        let (running, address) = &mut self.nodes[node];
        let address = *address;
        assert!(Command::new("kill").args(["-TERM", &running.0.id().to_string()]).status().unwrap().success());
        assert!(running.0.wait().unwrap().success());
        self.nodes[node].0 = self.start_node(address);
    }

    fn address(&self, node: usize) -> SocketAddr {
        self.nodes[node % self.nodes.len()].1
    }

    async fn end(self) {
        drop(self.nodes);
        self.schema.drop().await;
    }
}

#[actix_web::test]
async fn order_of_a_killed_node_is_placed_once_by_another() {
    let mut cluster = Cluster::start("killed", 3, 3).await;
    let (first, second, third) = (cluster.address(0), cluster.address(1), cluster.address(2));
    let bettor = Arc::new(Bettor::register(0, first));
    let odd = odds(second).remove(0);
    let body = ticket(&odd);
    let key = "0193f5c2-7d1e-7000-8000-000000000001";
    let place = |address: SocketAddr| {
        let (bettor, body) = (Arc::clone(&bettor), body.clone());
        tokio::task::spawn_blocking(move || bettor.place(address, key, &body))
    };
    // The same order on all nodes at once; the node of the first one dies during the delay.
    let one = place(first);
    let mut hand = PgConnection::connect(cluster.schema.url()).await.unwrap();
    let running = "SELECT count(*) FROM running_orders";
    while sqlx::query_scalar::<_, i64>(running).fetch_one(&mut hand).await.unwrap() == 0 {
        assert!(!one.is_finished(), "the order never ran");
    }
    let (two, three) = (place(second), place(third));
    cluster.nodes[0].0.0.kill().unwrap();
    assert!(one.await.unwrap().is_none(), "the node is gone");
    let (two, three) = (two.await.unwrap().expect("an answer"), three.await.unwrap().expect("an answer"));
    assert_eq!((two.0, &two.2), (200, &three.2), "both nodes give the answer of the one bet");
    assert_eq!(bettor.tickets(third).len(), 1);
    cluster.end().await;
}

#[actix_web::test]
async fn stopping_node_rejects_no_order() {
    let mut cluster = Cluster::start("stops", 2, 3).await;
    let stopping = cluster.address(0);
    let bettor = Arc::new(Bettor::register(0, cluster.address(1)));
    let body = ticket(&odds(stopping).remove(0));
    let place = |number: usize| {
        let (bettor, body) = (Arc::clone(&bettor), body.clone());
        let key = format!("0193f5c2-7d1e-7000-8000-{number:012}");
        tokio::task::spawn_blocking(move || bettor.place(stopping, &key, &body))
    };
    let mut orders = vec![place(0)];
    let mut hand = PgConnection::connect(cluster.schema.url()).await.unwrap();
    let running = "SELECT count(*) FROM running_orders";
    while sqlx::query_scalar::<_, i64>(running).fetch_one(&mut hand).await.unwrap() == 0 {
        assert!(!orders[0].is_finished(), "the order never ran");
    }
    // SIGINT skips the time for clients to move to other nodes.
    let id = cluster.nodes[0].0.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    while std::net::TcpStream::connect(stopping).is_ok() {
        if orders.len() < 10 {
            orders.push(place(orders.len()));
        }
    }
    let answers: Vec<_> =
        join_all(orders).await.into_iter().map(|order| order.unwrap().map(|answer| answer.0)).collect();
    assert_eq!(answers[0], Some(200));
    assert!(answers.iter().all(|answer| answer.is_none_or(|status| status == 200)), "{answers:?}");
    assert!(cluster.nodes[0].0.0.wait().unwrap().success());
    cluster.end().await;
}

/// The nodes are behind a proxy that opens a connection for each call and tries another node only if it gets none. A call
/// that was sent must be answered.
#[test]
fn rolling_restarts_lose_no_bet() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let mut cluster = runtime.block_on(Cluster::start("rolling", 2, 0));
    let nodes: Vec<SocketAddr> = cluster.nodes.iter().map(|(_, address)| *address).collect();
    let is_over = AtomicBool::new(false);
    let offered = odds(nodes[0]);
    let bettors: [_; 4] = std::array::from_fn(|number| Bettor::register(number, nodes[0]));
    let accepted = std::thread::scope(|scope| {
        let bettors = bettors.each_ref().map(|bettor| {
            let (offered, nodes, is_over) = (&offered, &nodes, &is_over);
            scope.spawn(move || bet_through_a_proxy(bettor, offered, nodes, is_over))
        });
        for restart in 0..ROLLING_RESTARTS {
            cluster.restart(restart % 2);
        }
        is_over.store(true, Ordering::Release);
        bettors.into_iter().map(|bettor| bettor.join().unwrap()).sum::<usize>()
    });
    assert!(accepted > ROLLING_RESTARTS, "{accepted} bets are no load");
    runtime.block_on(cluster.end());
}

/// Places bets until it is over; returns how many were accepted. All others were rejected because of the offer.
fn bet_through_a_proxy(bettor: &Bettor, offered: &[Value], nodes: &[SocketAddr], is_over: &AtomicBool) -> usize {
    let mut accepted = 0;
    for bet in 0.. {
        if is_over.load(Ordering::Acquire) {
            break;
        }
        let key = bettor.key(bet as u64);
        let open = |node: usize| TcpStream::connect_timeout(&nodes[node % nodes.len()], Duration::from_secs(3)).ok();
        let connection = (bet..bet + 100).find_map(open).expect("a node accepts connections");
        let answer = bettor.place_over(connection, &key, &ticket(&offered[bet % offered.len()]));
        let (status, _, body) = answer.unwrap_or_else(|| panic!("bet {bet} was sent and not answered"));
        match status {
            200 => accepted += 1,
            400 if body.contains("\"pairs\"") => {}
            other => panic!("bet {bet}: {other} {body}"),
        }
    }
    accepted
}

#[actix_web::test]
async fn wrong_passwords_and_running_orders_count_over_all_nodes() {
    // Longer than the test: no order ends.
    let cluster = Cluster::start("limits", 3, 60).await;
    let bettor = Arc::new(Bettor::register(0, cluster.address(0)));
    let mut wrong = Vec::new();
    for number in 0..12 {
        let body = r#"{"name": "bettor-0", "password": "not the password"}"#;
        let address = cluster.address(number);
        let json = [("content-type", "application/json")];
        wrong.push(call(address, "POST /api/v1/account/login", &json, body).unwrap().0);
    }
    assert_eq!(wrong, [[401; 5].as_slice(), &[429; 7]].concat());

    let odd = odds(cluster.address(1)).remove(0);
    let mut orders: FuturesUnordered<_> = (0..48)
        .map(|number| {
            let (bettor, body, address) = (Arc::clone(&bettor), ticket(&odd), cluster.address(number));
            let key = format!("0193f5c2-7d1e-7000-8000-{number:012}");
            tokio::task::spawn_blocking(move || bettor.place(address, &key, &body).map(|answer| answer.0))
        })
        .collect();
    // 16 run, and all others are rejected at once.
    for _ in 16..48 {
        assert_eq!(orders.next().await.unwrap().unwrap(), Some(429));
    }
    cluster.end().await;
}
