//! A chaos proxy between the program and a broker or a database. A test can slow, cut, freeze and restore the link,
//! without affecting others that use the same server. It uses real sockets, so it must not run with a paused clock.

use super::time::stretched;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// How long to wait for connections to end. A client that was rejected may pause for seconds before it connects again.
const END_WITHIN: Duration = Duration::from_secs(30);

/// The network conditions. A change also applies to open connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkConditions {
    /// Bytes pass.
    Clear,
    /// Bytes pass with this delay, in both directions.
    Slow(Duration),
    /// A connection breaks after this number of bytes from the server, counted since this was set.
    CutAfter(u64),
    /// Requests pass; the connection breaks when the server answers.
    LosesAnswers,
    /// Connections open, but nothing passes, as with a dead machine or a firewall that lost its state.
    Blackhole,
    /// Connections break, and new ones are closed at once.
    Cut,
}

/// A proxy for one server.
#[derive(Debug)]
pub struct ChaosProxy {
    address: String,
    conditions: Arc<watch::Sender<NetworkConditions>>,
    /// The connections that were opened before this number are frozen.
    frozen: Arc<watch::Sender<u64>>,
    opened: Arc<AtomicU64>,
    ended: Arc<watch::Sender<u64>>,
    _tasks: JoinSet<()>,
}

impl ChaosProxy {
    /// Starts a proxy for `host:port` or the host of a URL. Each accepted connection opens one to the server.
    pub async fn before(target: &str, conditions: NetworkConditions) -> ChaosProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let far = authority(target).to_owned();
        let conditions = Arc::new(watch::channel(conditions).0);
        let (ended, frozen) = (Arc::new(watch::channel(0).0), Arc::new(watch::channel(0).0));
        let opened = Arc::new(AtomicU64::new(0));
        let mut tasks = JoinSet::new();
        let (state, counted) = (Arc::clone(&conditions), Arc::clone(&ended));
        let (freezing, numbers) = (Arc::clone(&frozen), Arc::clone(&opened));
        tasks.spawn(async move {
            let mut pipes = JoinSet::new();
            while let Ok((near, _)) = listener.accept().await {
                if *state.borrow() == NetworkConditions::Cut {
                    drop(near);
                    counted.send_modify(|count| *count += 1);
                    continue;
                }
                let (far, conditions, counted) = (far.clone(), state.subscribe(), Arc::clone(&counted));
                let (number, frozen) = (numbers.fetch_add(1, Ordering::AcqRel), freezing.subscribe());
                pipes.spawn(async move {
                    // If the server cannot be reached, the connection ends.
                    if let Ok(far) = TcpStream::connect(&far).await {
                        pipe(near, far, conditions, frozen, number).await;
                    }
                    counted.send_modify(|count| *count += 1);
                });
            }
        });
        ChaosProxy { address, conditions, frozen, opened, ended, _tasks: tasks }
    }

    /// `127.0.0.1:port`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The URL with the proxy's address as its host.
    pub fn url(&self, url: &str) -> String {
        url.replacen(authority(url), &self.address, 1)
    }

    /// Sets the network conditions.
    pub fn set(&self, conditions: NetworkConditions) {
        self.conditions.send_replace(conditions);
    }

    /// Freezes the connections that are open now: they stay open and pass nothing, as after the loss of a machine
    /// or of a firewall's state. New connections work. Returns how many were opened so far.
    pub fn freeze_open_connections(&self) -> u64 {
        let opened = self.opened.load(Ordering::Acquire);
        self.frozen.send_replace(opened);
        opened
    }

    /// Connections that have ended so far, including those that were not let through.
    pub fn ended(&self) -> u64 {
        *self.ended.borrow()
    }

    /// Waits until this number of connections have ended.
    ///
    /// # Panics
    /// They do not end in time.
    pub async fn until_ended(&self, count: u64) {
        let mut ended = self.ended.subscribe();
        let wait = ended.wait_for(|ended| *ended >= count);
        assert!(timeout(stretched(END_WITHIN), wait).await.is_ok(), "{} of {count} connections ended", self.ended());
    }
}

/// The `host:port` of a URL, or the text itself.
fn authority(url: &str) -> &str {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let up_to_path = after_scheme.split(['/', '?']).next().unwrap_or(after_scheme);
    up_to_path.rsplit_once('@').map_or(up_to_path, |(_, host)| host)
}

/// Copies bytes in both directions until either side or the network conditions end the connection.
async fn pipe(
    near: TcpStream,
    far: TcpStream,
    mut conditions: watch::Receiver<NetworkConditions>,
    mut frozen: watch::Receiver<u64>,
    number: u64,
) {
    let (mut near_in, mut near_out) = near.into_split();
    let (mut far_in, mut far_out) = far.into_split();
    let (mut up, mut down) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    let mut came_back = 0;
    loop {
        let now = *conditions.borrow_and_update();
        if now == NetworkConditions::Cut {
            return;
        }
        let passes = now != NetworkConditions::Blackhole && number >= *frozen.borrow_and_update();
        let carried = tokio::select! {
            changed = conditions.changed() => {
                came_back = 0;
                changed.is_ok()
            }
            changed = frozen.changed() => changed.is_ok(),
            read = near_in.read(&mut up), if passes => {
                delay(now).await;
                carry(read, &up, &mut far_out, u64::MAX).await
            }
            read = far_in.read(&mut down), if passes => {
                delay(now).await;
                let left = match now {
                    NetworkConditions::LosesAnswers => 0,
                    NetworkConditions::CutAfter(bytes) => bytes.saturating_sub(came_back),
                    _ => u64::MAX,
                };
                came_back += read.as_ref().map_or(0, |len| *len as u64);
                carry(read, &down, &mut near_out, left).await
            }
        };
        if !carried {
            return;
        }
    }
}

async fn delay(conditions: NetworkConditions) {
    if let NetworkConditions::Slow(by) = conditions {
        sleep(by).await;
    }
}

/// Writes at most `max` of the bytes just read; returns whether the connection continues.
async fn carry(read: std::io::Result<usize>, bytes: &[u8], out: &mut (impl AsyncWriteExt + Unpin), max: u64) -> bool {
    match read {
        Ok(0) | Err(_) => false,
        Ok(len) => {
            let passed = len.min(usize::try_from(max).unwrap_or(usize::MAX));
            out.write_all(&bytes[..passed]).await.is_ok() && passed == len
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_of_a_url_is_its_host_and_port() {
        for (url, host) in [
            ("amqp://kvota:se@cret@127.0.0.1:5672/%2f", "127.0.0.1:5672"),
            ("postgres://kvota@db:5432/kvota?sslmode=disable", "db:5432"),
            ("127.0.0.1:9", "127.0.0.1:9"),
        ] {
            assert_eq!(authority(url), host, "{url}");
        }
    }
}
