//! The server's address and the local addresses of its clients. One address has about 28,000 ports; the loopback
//! network has 16 million addresses. Used by everything that opens a connection.

use super::fault::Fault;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};

/// Connections from one local address: below the 28,232 ports that Linux assigns automatically.
const PER_ADDRESS: u32 = 25_000;
/// Hostile clients from one local address: each may leave some thousand ports in TIME_WAIT for a minute.
const HOSTILE_PER_ADDRESS: u32 = 8;
/// Accounts opened from one local address.
const ACCOUNTS_PER_ADDRESS: u32 = 300;

/// The server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Its address.
    pub address: SocketAddr,
    /// The value of the `Host` header.
    pub host: String,
}

/// Why a target cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TargetError {
    /// The URL has an invalid form.
    #[error("{0:?} is no target: write http://HOST:PORT, without a path")]
    Url(String),
    /// TLS is not supported.
    #[error("a target behind https is not spoken to: give the address of kvota itself, which speaks plain http")]
    Tls,
    /// The name does not resolve.
    #[error("{0:?} has no address")]
    NoAddress(String),
}

impl Target {
    /// Parses `http://host:port` and resolves the name.
    ///
    /// # Errors
    /// [`TargetError`].
    pub fn parse(url: &str) -> Result<Target, TargetError> {
        let wrong = || TargetError::Url(url.to_owned());
        let host = match url.split_once("://") {
            Some(("http", rest)) => rest,
            Some(("https", _)) => return Err(TargetError::Tls),
            Some(_) => return Err(wrong()),
            None => url,
        };
        let host = host.strip_suffix('/').unwrap_or(host);
        if host.is_empty() || host.contains(['/', '?', '#', '@', ' ']) {
            return Err(wrong());
        }
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let with_port = if has_port { host.to_owned() } else { format!("{host}:80") };
        let addresses = with_port.to_socket_addrs().map_err(|_| TargetError::NoAddress(host.to_owned()))?;
        // Prefer IPv4: a server that listens on a machine's name usually listens on that address.
        let mut addresses: Vec<SocketAddr> = addresses.collect();
        addresses.sort_by_key(|address| !address.is_ipv4());
        let address = addresses.first().copied().ok_or_else(|| TargetError::NoAddress(host.to_owned()))?;
        Ok(Target { address, host: host.to_owned() })
    }

    /// Whether it is on this machine and accepts connections from any IPv4 loopback address.
    pub fn is_loopback(&self) -> bool {
        matches!(self.address.ip(), IpAddr::V4(address) if address.is_loopback())
    }

    /// Whether it is on this machine, so that hostile clients affect no other machine.
    pub fn is_this_machine(&self) -> bool {
        self.address.ip().is_loopback()
    }

    /// The local address for the connections of a session.
    pub fn session_endpoint(&self, number: u32) -> Endpoint {
        let part = number / PER_ADDRESS;
        let spread = self.is_loopback() && part > 0;
        Endpoint { target: self.clone(), local: spread.then(|| local(1, part)), receive_bytes: None }
    }

    /// The local address for the calls of an account.
    pub fn account_endpoint(&self, number: u32) -> Endpoint {
        let local = self.is_loopback().then(|| local(2, number / ACCOUNTS_PER_ADDRESS));
        Endpoint { target: self.clone(), local, receive_bytes: None }
    }

    /// The local address for the connections of a hostile client; sessions never use the same one.
    pub fn hostile_endpoint(&self, number: u32) -> Endpoint {
        let local = self.is_loopback().then(|| local(3, number / HOSTILE_PER_ADDRESS));
        Endpoint { target: self.clone(), local, receive_bytes: None }
    }
}

/// `127.kind.x.y`; the last part is never 0 or 255.
fn local(kind: u8, part: u32) -> Ipv4Addr {
    let [high, low] = [(part / 250) as u8, (part % 250) as u8 + 2];
    Ipv4Addr::new(127, kind, high, low)
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}", self.host)
    }
}

/// The server, and the local address to connect from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// The server.
    pub target: Target,
    /// The local address; `None` for any.
    pub local: Option<Ipv4Addr>,
    /// The receive buffer of the socket; `None` for the system's default.
    pub receive_bytes: Option<u32>,
}

impl Endpoint {
    /// Opens a connection.
    ///
    /// # Errors
    /// The system's error; [`Fault::NoAnswer`] after `limit`.
    pub async fn open(&self, limit: Duration) -> Result<TcpStream, Fault> {
        let address = self.target.address;
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        if let Some(local) = self.local {
            socket.bind(SocketAddr::new(local.into(), 0))?;
        }
        if let Some(bytes) = self.receive_bytes {
            socket.set_recv_buffer_size(bytes)?;
        }
        let stream = tokio::time::timeout(limit, socket.connect(address)).await.map_err(|_| Fault::NoAnswer)??;
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_an_address_without_a_path() {
        let target = Target::parse("http://127.0.0.1:8080").expect("a target");
        assert_eq!(target.address, "127.0.0.1:8080".parse().unwrap());
        assert_eq!(target.to_string(), "http://127.0.0.1:8080");
        assert_eq!(Target::parse("127.0.0.1:8080/"), Ok(target));
        assert_eq!(Target::parse("http://127.0.0.1").map(|target| target.address.port()), Ok(80));
        for url in ["", "http://", "ftp://127.0.0.1", "http://127.0.0.1:8080/api", "http://a b"] {
            assert!(matches!(Target::parse(url), Err(TargetError::Url(_))), "{url:?}");
        }
        assert_eq!(Target::parse("https://127.0.0.1"), Err(TargetError::Tls));
    }

    #[test]
    fn connections_spread_over_the_loopback() {
        let target = Target::parse("127.0.0.1:1").expect("a target");
        assert_eq!(target.session_endpoint(24_999).local, None);
        assert_eq!(target.session_endpoint(25_000).local, Some(Ipv4Addr::new(127, 1, 0, 3)));
        assert_eq!(target.account_endpoint(0).local, Some(Ipv4Addr::new(127, 2, 0, 2)));
        assert_eq!(target.account_endpoint(300 * 250).local, Some(Ipv4Addr::new(127, 2, 1, 2)));
        assert_eq!(target.hostile_endpoint(8).local, Some(Ipv4Addr::new(127, 3, 0, 3)));
        let elsewhere = Target { address: "192.0.2.1:80".parse().unwrap(), host: "192.0.2.1".to_owned() };
        assert_eq!(elsewhere.session_endpoint(60_000).local, None);
        assert!(target.is_this_machine() && !elsewhere.is_this_machine());
    }
}
