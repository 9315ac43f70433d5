//! A wire between the program and the broker that a test can cut, freeze and mend, without touching the broker that
//! other tests use at the same time.

use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How the wire is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wire {
    /// Bytes pass.
    Whole,
    /// Connections stand, but nothing passes: a machine that died, a firewall that forgot.
    Frozen,
    /// Connections break, and new ones are refused.
    Cut,
}

/// The wire.
pub(crate) struct Proxy {
    address: String,
    wire: Arc<watch::Sender<Wire>>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// A wire to the broker of an URL, cut at first.
    pub(crate) async fn cut_off(url: &str) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let broker = authority(url).to_owned();
        let wire = Arc::new(watch::channel(Wire::Cut).0);
        let mut tasks = JoinSet::new();
        let state = wire.clone();
        tasks.spawn(async move {
            let mut pipes = JoinSet::new();
            while let Ok((near, _)) = listener.accept().await {
                if *state.borrow() == Wire::Cut {
                    continue;
                }
                let far = TcpStream::connect(&broker).await.expect("the broker");
                pipes.spawn(pipe(near, far, state.subscribe()));
            }
        });
        Proxy { address, wire, _tasks: tasks }
    }

    /// The URL with this wire in the broker's place.
    pub(crate) fn url(&self, url: &str) -> String {
        url.replacen(authority(url), &self.address, 1)
    }

    pub(crate) fn mend(&self) {
        self.wire.send_replace(Wire::Whole);
    }

    pub(crate) fn cut(&self) {
        self.wire.send_replace(Wire::Cut);
    }

    pub(crate) fn freeze(&self) {
        self.wire.send_replace(Wire::Frozen);
    }
}

fn authority(url: &str) -> &str {
    let after_credentials = url.rsplit_once('@').expect("credentials").1;
    after_credentials.split('/').next().expect("a host")
}

/// Carries bytes both ways until either side ends or the wire is cut.
async fn pipe(near: TcpStream, far: TcpStream, mut wire: watch::Receiver<Wire>) {
    let (mut near_in, mut near_out) = near.into_split();
    let (mut far_in, mut far_out) = far.into_split();
    let (mut up, mut down) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    loop {
        let state = *wire.borrow_and_update();
        if state == Wire::Cut {
            return;
        }
        let passes = state == Wire::Whole;
        let carried = tokio::select! {
            changed = wire.changed() => changed.is_ok(),
            read = near_in.read(&mut up), if passes => carry(read, &up, &mut far_out).await,
            read = far_in.read(&mut down), if passes => carry(read, &down, &mut near_out).await,
        };
        if !carried {
            return;
        }
    }
}

async fn carry(read: std::io::Result<usize>, bytes: &[u8], out: &mut (impl AsyncWriteExt + Unpin)) -> bool {
    match read {
        Ok(0) | Err(_) => false,
        Ok(len) => out.write_all(&bytes[..len]).await.is_ok(),
    }
}
