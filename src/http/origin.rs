//! Whether a web page may open the live hub or change anything, decided by its `Origin` header. A browser sends our
//! cookie with a socket that any page opens, so this check keeps other sites from acting as the bettor.
//!
//! Must not compare by prefix, suffix or pattern: `https://bets.example.evil.test` is not ours.

use super::proxies::Scheme;

/// A web origin in its canonical form: lower case, no default port, no path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin(String);

impl Origin {
    /// The origin in the text `scheme://host[:port]`. `None` for any other text, including `null` and a trailing slash.
    pub fn parse(text: &str) -> Option<Origin> {
        let (scheme, authority) = text.split_once("://")?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return None,
        };
        Origin::of(scheme, authority)
    }

    /// The origin of a page loaded by `scheme` from the authority in a `Host` header.
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
        let bracketed = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let sound = match bracketed {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => {
                !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
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

/// Whether a page of this origin is allowed. If `allowed` is empty, only the origin that the request was sent to is
/// allowed (`scheme` and `host` as the browser saw them).
pub fn is_allowed(origin: &str, allowed: &[Origin], scheme: Scheme, host: Option<&str>) -> bool {
    let Some(origin) = Origin::parse(origin) else { return false };
    if allowed.is_empty() {
        let own = host.and_then(|host| Origin::of(scheme, host));
        return own.is_some_and(|own| own == origin);
    }
    allowed.contains(&origin)
}

/// What a request's headers say about the page that sent it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SendingPage<'a> {
    /// Every `Origin` header.
    pub origins: Vec<&'a str>,
    /// The `Referer` header.
    pub referer: Option<&'a str>,
    /// The `Sec-Fetch-Site` header.
    pub fetch_site: Option<&'a str>,
}

impl SendingPage<'_> {
    /// Whether the request is allowed. Browsers send the origin with every socket and every call that changes
    /// something. Programs send none, and have only their own cookie. So a request without an origin is rejected only
    /// if another header shows that a browser sent it for another site (docs/decisions/0004).
    pub fn is_permitted(&self, is_allowed: impl Fn(&str) -> bool) -> bool {
        match self.origins.as_slice() {
            [origin] => is_allowed(origin),
            [] => {
                let own_site = |site| matches!(site, "same-origin" | "none");
                self.fetch_site.is_none_or(own_site) && self.referer.is_none_or(|page| is_allowed(origin_of(page)))
            }
            _ => false,
        }
    }
}

/// The origin part of a page's address.
fn origin_of(page: &str) -> &str {
    let authority = page.find("://").map_or(page.len(), |at| at + 3);
    let end = page[authority..].find(['/', '?', '#']).map_or(page.len(), |at| authority + at);
    &page[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_normalised_or_rejected() {
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
    fn without_a_list_only_the_own_origin_is_allowed() {
        let host = Some("bets.example:8080");
        for (origin, allowed) in [
            ("http://bets.example:8080", true),
            ("http://BETS.example:8080", true),
            ("https://bets.example:8080", false),
            ("http://bets.example", false),
            ("http://bets.example:80801", false),
            ("http://bets.example.evil.test:8080", false),
            ("http://evilbets.example:8080", false),
            ("http://sub.bets.example:8080", false),
            ("http://example:8080", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(origin, &[], Scheme::Http, host), allowed, "{origin:?}");
        }
        assert!(!is_allowed("http://bets.example", &[], Scheme::Http, None));
        assert!(is_allowed("https://bets.example", &[], Scheme::Https, Some("bets.example:443")));
    }

    #[test]
    fn with_a_list_only_listed_origins_are_allowed() {
        let allowed = ["https://bets.example", "http://localhost:5173"];
        let allowed: Vec<Origin> = allowed.into_iter().filter_map(Origin::parse).collect();
        for (origin, let_in) in [
            ("https://bets.example", true),
            ("https://bets.example:443", true),
            ("http://localhost:5173", true),
            ("http://bets.example", false),
            ("https://bets.example.evil.test", false),
            ("https://a.bets.example", false),
            ("https://own.example", false),
            ("null", false),
        ] {
            assert_eq!(is_allowed(origin, &allowed, Scheme::Https, Some("own.example")), let_in, "{origin:?}");
        }
    }

    #[test]
    fn without_origin_referer_and_fetch_site_decide() {
        let own = |origin: &str| origin == "https://bets.example";
        for (origins, referer, fetch_site, welcome) in [
            (&["https://bets.example"][..], None, None, true),
            (&["https://evil.test"], None, None, false),
            (&["null"], None, None, false),
            (&["https://bets.example", "https://bets.example"], None, None, false),
            (&[], None, None, true),
            (&[], None, Some("same-origin"), true),
            (&[], None, Some("none"), true),
            (&[], None, Some("same-site"), false),
            (&[], None, Some("cross-site"), false),
            (&[], Some("https://bets.example/ticket?x#y"), None, true),
            (&[], Some("https://bets.example"), None, true),
            (&[], Some("https://bets.example.evil.test/"), None, false),
            (&[], Some("https://evil.test/https://bets.example/"), None, false),
            (&[], Some("nonsense"), None, false),
        ] {
            let sent_by = SendingPage { origins: origins.to_vec(), referer, fetch_site };
            assert_eq!(sent_by.is_permitted(own), welcome, "{sent_by:?}");
        }
    }
}
