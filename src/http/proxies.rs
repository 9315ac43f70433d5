//! The scheme and the client address of a request that may have passed a proxy. Anyone can send forwarded headers, so
//! they count only from peers that the operator lists (`http.trusted_proxies`). Used for cookie names and their
//! `Secure` flag, the own origin, limits and logs.

use actix_web::http::header::HeaderMap;
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

/// The protocol that the browser uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS, which a proxy terminated.
    Https,
}

impl Scheme {
    /// As in a URL.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    /// The port that a URL omits.
    pub const fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

/// An address, or a network of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network(IpNet);

impl Network {
    /// The network with this one address.
    pub fn of(address: IpAddr) -> Network {
        Network(address.to_canonical().into())
    }

    /// Parses a network such as `10.0.0.0/8`, or one address.
    pub fn parse(text: &str) -> Option<Network> {
        text.parse().map(Network).or_else(|_| text.parse().map(Network::of)).ok()
    }

    /// Whether the network contains the address. An IPv4 address in IPv6 form counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// A request as its client sent it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The protocol that the browser uses.
    pub scheme: Scheme,
    /// The address of the client as far as it is known; `None` if the peer is unknown.
    pub client: Option<IpAddr>,
    /// Whether an untrusted peer sends forwarded headers. It is either a proxy that the operator forgot to list, so
    /// that `client` stands for all of its clients, or a client that invents the headers.
    pub is_unlisted_proxy: bool,
}

/// Determines the client of a request from its peer and headers.
pub fn seen(trusted: &[Network], peer: Option<IpAddr>, headers: &HeaderMap) -> Seen {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    if !peer.is_some_and(is_trusted) {
        let is_unlisted_proxy = ["x-forwarded-for", "forwarded"].iter().any(|name| headers.contains_key(*name));
        return Seen { scheme: Scheme::Http, client: peer, is_unlisted_proxy };
    }
    let last = |name: &str| headers.get_all(name).last()?.to_str().ok();
    // The nearest proxy writes last; earlier values came with the request and may be invented.
    let scheme = last("x-forwarded-proto").and_then(|list| list.rsplit(',').next());
    let scheme = match scheme.map(str::trim) {
        Some(proto) if proto.eq_ignore_ascii_case("https") => Scheme::Https,
        _ => Scheme::Http,
    };
    // Start with the nearest hop. Whatever comes after an invalid address, or after a proxy that is not ours, may be
    // invented.
    let lines: Vec<&[u8]> = headers.get_all("x-forwarded-for").map(|value| value.as_bytes()).collect();
    let hops = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
    let mut known = hops.map_while(|hop| address_of(std::str::from_utf8(hop).ok()?.trim()));
    let client = known.find(|hop| !is_trusted(*hop));
    Seen { scheme, client: client.or(peer), is_unlisted_proxy: false }
}

/// The address of a hop. Some proxies add the port: `192.0.2.1:5678`, `[2001:db8::1]:5678`.
fn address_of(hop: &str) -> Option<IpAddr> {
    let bare = || hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop).parse().ok();
    hop.parse().ok().map(|with_port: SocketAddr| with_port.ip()).or_else(bare)
}

/// The part of an address that a log may show: the network (IPv4 /24, IPv6 /48), which does not identify a person.
pub fn shortened(address: IpAddr) -> IpNet {
    let net = IpNet::from(address.to_canonical());
    let kept = if net.addr().is_ipv4() { 24 } else { 48 };
    IpNet::new(net.addr(), kept).unwrap_or(net).trunc()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        list.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn network_contains_its_addresses() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.200.1.1", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
            ("0.0.0.0/0", "255.1.2.3", true),
            ("0.0.0.0/0", "::1", false),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "fe80::1", false),
            ("::1", "::1", true),
        ] {
            let network = Network::parse(network).unwrap();
            assert_eq!(network.contains(address.parse().unwrap()), inside, "{network:?} {address}");
        }
        for text in ["", "10.0.0.0/33", "10.0.0/8", "proxy", "::/129", "10.0.0.0/"] {
            assert_eq!(Network::parse(text), None, "{text}");
        }
    }

    #[test]
    fn forwarded_headers_count_only_from_trusted_peers() {
        let trusted = [Network::parse("10.0.0.0/8").unwrap()];
        let forwarded = [("x-forwarded-proto", "https"), ("x-forwarded-for", "1.1.1.1, 9.9.9.9, 10.0.0.7")];
        for (peer, list, scheme, client) in [
            ("10.0.0.1", &forwarded[..], Scheme::Https, "9.9.9.9"),
            ("8.8.8.8", &forwarded[..], Scheme::Http, "8.8.8.8"),
            ("10.0.0.1", &[], Scheme::Http, "10.0.0.1"),
            ("10.0.0.1", &[("x-forwarded-proto", "https, http")], Scheme::Http, "10.0.0.1"),
            ("10.0.0.1", &[("x-forwarded-for", "rubbish")], Scheme::Http, "10.0.0.1"),
            // A client's invented values stand before those that proxies add.
            ("10.0.0.1", &[("x-forwarded-for", "1.1.1.1, 9.9.9.9")], Scheme::Http, "9.9.9.9"),
            ("10.0.0.1", &[("x-forwarded-for", "rubbish, 9.9.9.9, 10.0.0.7")], Scheme::Http, "9.9.9.9"),
            ("10.0.0.1", &[("x-forwarded-for", "1.1.1.1, rubbish, 9.9.9.9")], Scheme::Http, "9.9.9.9"),
            ("10.0.0.1", &[("x-forwarded-for", "1.1.1.1, rubbish, 10.0.0.7")], Scheme::Http, "10.0.0.1"),
            ("10.0.0.1", &[("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "9.9.9.9")], Scheme::Http, "9.9.9.9"),
            ("10.0.0.1", &[("x-forwarded-for", "9.9.9.9:5678, 10.0.0.7:1")], Scheme::Http, "9.9.9.9"),
            ("10.0.0.1", &[("x-forwarded-for", "[2001:db8::1]:5678")], Scheme::Http, "2001:db8::1"),
            ("10.0.0.1", &[("x-forwarded-for", "[2001:db8::1]")], Scheme::Http, "2001:db8::1"),
            ("10.0.0.1", &[("x-forwarded-for", "9.9.9.9:x")], Scheme::Http, "10.0.0.1"),
        ] {
            let found = seen(&trusted, peer.parse().ok(), &headers(list));
            assert_eq!((found.scheme, found.client), (scheme, client.parse().ok()), "{peer} {list:?}");
            assert_eq!(found.is_unlisted_proxy, peer == "8.8.8.8" && !list.is_empty(), "{peer} {list:?}");
        }
    }

    #[test]
    fn log_shows_only_the_client_network() {
        for (address, shown) in [
            ("192.0.2.77", "192.0.2.0/24"),
            ("::ffff:192.0.2.77", "192.0.2.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ] {
            assert_eq!(shortened(address.parse().unwrap()).to_string(), shown);
        }
    }
}
