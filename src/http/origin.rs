//! Whether a web page may open the live hub or change anything: a pure judgement of its `Origin` header. A browser
//! sends our cookie along with a socket that any page opens, so this comparison is what keeps strangers' pages from
//! acting as the bettor. Called by the hub and by every call that changes something.
//!
//! Must never compare by prefix, suffix or pattern: `https://bets.example.evil.test` is not ours.

use super::proxies::Scheme;

/// A web origin in its canonical form: lower case, no default port, no path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin(String);

impl Origin {
    /// The origin of `scheme://host[:port]`; nothing for any other text, `null` and a trailing slash included.
    pub fn parse(text: &str) -> Option<Origin> {
        let (scheme, authority) = text.split_once("://")?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return None,
        };
        Origin::of(scheme, authority)
    }

    /// The origin of a page that was loaded by `scheme` from the authority of a `Host` header.
    pub fn of(scheme: Scheme, authority: &str) -> Option<Origin> {
        let authority = authority.to_ascii_lowercase();
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (authority.as_str(), None),
        };
        let digits = |port: &&str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
        let port = match port {
            Some(port) => Some(Some(port).filter(digits)?.parse::<u16>().ok()?),
            None => None,
        };
        let bracketed = host
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let sound = match bracketed {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => {
                !host.is_empty()
                    && host
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
            }
        };
        let port = port.filter(|port| *port != scheme.default_port());
        let written = match port {
            Some(port) => format!("{}://{host}:{port}", scheme.as_str()),
            None => format!("{}://{host}", scheme.as_str()),
        };
        sound.then_some(Origin(written))
    }

    /// As a browser writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a request with this `Origin` header may go on. `allowed` empty: only the origin the request itself was sent
/// to (`scheme` and `host` as the browser saw them). A missing header is refused: every browser sends one with a socket
/// and with whatever changes something, and tools can say theirs.
pub fn is_allowed(
    origin: Option<&str>,
    allowed: &[Origin],
    scheme: Scheme,
    host: Option<&str>,
) -> bool {
    let Some(origin) = origin.and_then(Origin::parse) else {
        return false;
    };
    if allowed.is_empty() {
        let own = host.and_then(|host| Origin::of(scheme, host));
        return own.is_some_and(|own| own == origin);
    }
    allowed.contains(&origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_one_spelling() {
        for (text, canonical) in [
            ("https://bets.example", Some("https://bets.example")),
            ("HTTPS://Bets.Example", Some("https://bets.example")),
            ("https://bets.example:443", Some("https://bets.example")),
            ("http://bets.example:443", Some("http://bets.example:443")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("http://[::1]:8080", Some("http://[::1]:8080")),
            ("http://[::1]", Some("http://[::1]")),
            ("null", None),
            ("", None),
            ("https://", None),
            ("https://bets.example/", None),
            ("https://bets.example/page", None),
            ("https://user@bets.example", None),
            ("https://bets.example:", None),
            ("https://bets.example:x", None),
            ("https://bets.example:+80", None),
            ("https://bets.example:70000", None),
            ("https://[::1", None),
            ("ftp://bets.example", None),
            ("file://", None),
            ("chrome-extension://abcdef", None),
            ("https://bets.example https://evil.test", None),
        ] {
            let origin = Origin::parse(text);
            assert_eq!(origin.as_ref().map(Origin::as_str), canonical, "{text}");
        }
    }

    #[test]
    fn without_a_list_only_the_own_origin_is_let_in() {
        let host = Some("bets.example:8080");
        for (origin, allowed) in [
            (Some("http://bets.example:8080"), true),
            (Some("http://BETS.example:8080"), true),
            (Some("https://bets.example:8080"), false),
            (Some("http://bets.example"), false),
            (Some("http://bets.example:80801"), false),
            (Some("http://bets.example.evil.test:8080"), false),
            (Some("http://evilbets.example:8080"), false),
            (Some("http://sub.bets.example:8080"), false),
            (Some("http://example:8080"), false),
            (Some("null"), false),
            (Some(""), false),
            (None, false),
        ] {
            assert_eq!(
                is_allowed(origin, &[], Scheme::Http, host),
                allowed,
                "{origin:?}"
            );
        }
        assert!(!is_allowed(
            Some("http://bets.example"),
            &[],
            Scheme::Http,
            None
        ));
        assert!(is_allowed(
            Some("https://bets.example"),
            &[],
            Scheme::Https,
            Some("bets.example:443")
        ));
    }

    #[test]
    fn with_a_list_only_its_members_are_let_in() {
        let allowed = ["https://bets.example", "http://localhost:5173"];
        let allowed: Vec<Origin> = allowed.into_iter().filter_map(Origin::parse).collect();
        for (origin, let_in) in [
            (Some("https://bets.example"), true),
            (Some("https://bets.example:443"), true),
            (Some("http://localhost:5173"), true),
            (Some("http://bets.example"), false),
            (Some("https://bets.example.evil.test"), false),
            (Some("https://a.bets.example"), false),
            (Some("https://own.example"), false),
            (Some("null"), false),
            (None, false),
        ] {
            assert_eq!(
                is_allowed(origin, &allowed, Scheme::Https, Some("own.example")),
                let_in,
                "{origin:?}"
            );
        }
    }
}
