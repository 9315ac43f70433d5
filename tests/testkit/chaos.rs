//! The chaos proxy, in front of a server that echoes every line.

use kvota::testkit::proxy::{ChaosProxy, NetworkConditions};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// The echo server, and the lines it received.
struct Echo {
    address: String,
    received: tokio::sync::mpsc::UnboundedReceiver<String>,
    _tasks: JoinSet<()>,
}

impl Echo {
    async fn start() -> Echo {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (hears, received) = tokio::sync::mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut lines = JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                let hears = hears.clone();
                lines.spawn(async move {
                    let (reading, mut writing) = socket.into_split();
                    let mut reading = BufReader::new(reading).lines();
                    while let Ok(Some(line)) = reading.next_line().await {
                        drop(hears.send(line.clone()));
                        if writing.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Echo { address, received, _tasks: tasks }
    }
}

/// Sends a line; returns the response up to the end of the line or of the connection.
async fn say(socket: &mut TcpStream, line: &str) -> String {
    if socket.write_all(format!("{line}\n").as_bytes()).await.is_err() {
        return String::new();
    }
    let mut back = Vec::new();
    while !back.ends_with(b"\n") {
        let mut byte = [0];
        match socket.read(&mut byte).await {
            Ok(1) => back.push(byte[0]),
            _ => break,
        }
    }
    String::from_utf8(back).expect("what was said")
}

#[actix::test]
async fn proxy_forwards_and_cuts_after_a_number_of_bytes() {
    let echo = Echo::start().await;
    let proxy = ChaosProxy::before(&echo.address, NetworkConditions::Slow(Duration::from_millis(1))).await;
    let mut socket = TcpStream::connect(proxy.address()).await.expect("it is taken");
    assert_eq!(say(&mut socket, "one").await, "one\n");
    proxy.set(NetworkConditions::CutAfter(2));
    assert_eq!(say(&mut socket, "two").await, "tw");
    proxy.until_ended(1).await;
    proxy.set(NetworkConditions::Cut);
    let mut socket = TcpStream::connect(proxy.address()).await.expect("it is taken and ended");
    assert_eq!(say(&mut socket, "three").await, "");
    proxy.set(NetworkConditions::Clear);
    let mut socket = TcpStream::connect(proxy.address()).await.expect("it is taken");
    assert_eq!(say(&mut socket, "four").await, "four\n");
}

#[actix::test]
async fn proxy_drops_the_answer_to_a_delivered_request() {
    let mut echo = Echo::start().await;
    let proxy = ChaosProxy::before(&format!("amqp://a:b@{}/x", echo.address), NetworkConditions::LosesAnswers).await;
    assert_eq!(proxy.url("amqp://a:b@127.0.0.1:5672/x"), format!("amqp://a:b@{}/x", proxy.address()));
    let mut socket = TcpStream::connect(proxy.address()).await.expect("it is taken");
    assert_eq!(say(&mut socket, "debit").await, "");
    assert_eq!(echo.received.recv().await.as_deref(), Some("debit"));
}

#[actix::test]
async fn black_hole_forwards_nothing_until_it_is_repaired() {
    let mut echo = Echo::start().await;
    let proxy = ChaosProxy::before(&echo.address, NetworkConditions::Blackhole).await;
    let mut socket = TcpStream::connect(proxy.address()).await.expect("it is taken");
    let sent = say(&mut socket, "hello");
    let mut sent = std::pin::pin!(sent);
    let nothing = tokio::time::timeout(Duration::from_millis(50), &mut sent).await;
    assert!(nothing.is_err() && echo.received.try_recv().is_err());
    proxy.set(NetworkConditions::Clear);
    assert_eq!(sent.await, "hello\n");
}
