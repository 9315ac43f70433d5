//! The cookie that names a bettor's session. It is verified, created if it is missing or not ours, and renewed here.
//! Used by the hub and by every call that belongs to a bettor. A session id must not appear in a URL, a body or a log.
//!
//! The value is the id and its signature (docs/decisions/0009), so that only sessions created by this installation can
//! fill the store. Over TLS the name has the prefix `__Host-`, because a page of a sibling domain cannot set such a
//! cookie. The plain name, which it could set, is ignored there.

use super::cookie_keys::CookieKeys;
use super::error::ApiError;
use super::{AppState, proxies};
use crate::http::limits::{SESSION_COOKIE_RENEWED_SECONDS, SESSION_COOKIE_SECONDS};
use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header::COOKIE;
use kvota_domain::session::SessionId;

/// The cookie's name over plain HTTP; over TLS it has the prefix `__Host-`.
pub const NAME: &str = "kvota-session";

/// A cookie that exists until the session's cookie is due for renewal.
const FRESH: &str = "kvota-fresh";

/// Domain-separation prefix: a signature for another purpose must not verify here.
const PURPOSE: &str = "kvota-session:";

impl CookieKeys {
    /// The value of a session's cookie: the id, a dot, and HMAC-SHA-256 in lower-case hexadecimal.
    pub(crate) fn sign(&self, session: SessionId) -> String {
        self.sign_text(PURPOSE, &session.to_text())
    }

    /// The session of a cookie value, if one of these keys signed it.
    pub(crate) fn verify(&self, value: &str) -> Option<SessionId> {
        SessionId::from_text(self.verify_text(PURPOSE, value)?)
    }
}

/// The session of a request that opens the hub.
#[derive(Debug)]
pub struct Visit {
    /// The session.
    pub session: SessionId,
    /// Whether the session was created for this request, because it brought no valid cookie.
    pub is_new: bool,
    /// The cookies to send; empty while the browser's are still fresh.
    pub cookies: Vec<Cookie<'static>>,
}

/// Finds or creates the session of a request. The cookie is renewed once a day and then signed with the first key. A
/// new session takes no storage until something is saved under it.
///
/// # Errors
/// [`ApiError::Internal`] if the system has no randomness.
pub fn visit(req: &HttpRequest, state: &AppState) -> Result<Visit, ApiError> {
    let scheme = state.seen(req).scheme;
    let fresh = || cookie(FRESH, "1".to_owned(), scheme, SESSION_COOKIE_RENEWED_SECONDS);
    let Some(session) = session_of_request(req, state) else {
        let (session, cookie) = new_session(req, state)?;
        return Ok(Visit { session, is_new: true, cookies: vec![cookie, fresh()] });
    };
    let is_fresh = values(req, &cookie_name(FRESH, scheme)).next().is_some();
    let renewed = || vec![session_cookie(session, state, scheme), fresh()];
    Ok(Visit { session, is_new: false, cookies: if is_fresh { Vec::new() } else { renewed() } })
}

/// The session named by the request's cookie, if its signature is valid.
pub fn session_of_request(req: &HttpRequest, state: &AppState) -> Option<SessionId> {
    let name = cookie_name(NAME, state.seen(req).scheme);
    values(req, &name).find_map(|value| state.cookie_keys.verify(value))
}

/// The values of all cookies of one name. There may be several, of other paths or of a sibling domain, in any order (RFC
/// 6265, 5.4); the caller takes the first valid one. Other cookies in the same headers may be malformed.
pub(super) fn values<'a>(req: &'a HttpRequest, name: &'a str) -> impl Iterator<Item = &'a str> {
    let headers = req.headers().get_all(COOKIE).filter_map(|header| header.to_str().ok());
    let pairs = headers.flat_map(|header| header.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.filter(move |(held, _)| held.trim() == name).map(|(_, value)| value.trim())
}

/// Creates a session and its cookie: for a request without one, and for every login and logout, so that a session id
/// known before is useless afterwards.
///
/// # Errors
/// [`ApiError::Internal`] if the system has no randomness.
pub fn new_session(req: &HttpRequest, state: &AppState) -> Result<(SessionId, Cookie<'static>), ApiError> {
    let session = SessionId::from_bytes(random()?);
    Ok((session, session_cookie(session, state, state.seen(req).scheme)))
}

/// Sixteen random bytes.
///
/// # Errors
/// [`ApiError::Internal`] if the system has no randomness.
pub(super) fn random() -> Result<[u8; 16], ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::Internal(error.to_string().into()))?;
    Ok(bytes)
}

/// The full name of a cookie: with the prefix `__Host-` over TLS.
pub(super) fn cookie_name(name: &str, scheme: proxies::Scheme) -> String {
    match scheme {
        proxies::Scheme::Https => format!("__Host-{name}"),
        proxies::Scheme::Http => name.to_owned(),
    }
}

/// Builds a cookie that scripts cannot read. SameSite=Lax: another site may link to us, but its requests and sockets do
/// not carry the cookie.
pub(super) fn cookie(name: &str, value: String, scheme: proxies::Scheme, seconds: i64) -> Cookie<'static> {
    Cookie::build(cookie_name(name, scheme), value)
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(scheme == proxies::Scheme::Https)
        .max_age(Duration::seconds(seconds))
        .finish()
}

fn session_cookie(session: SessionId, state: &AppState, scheme: proxies::Scheme) -> Cookie<'static> {
    cookie(NAME, state.cookie_keys.sign(session), scheme, SESSION_COOKIE_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::proxies::{Network, Scheme};
    use actix_web::test::TestRequest;

    fn keys(byte: u8) -> CookieKeys {
        CookieKeys::new(&[byte; 32])
    }

    fn visit_with(value: Option<&str>) -> Visit {
        let mut req = TestRequest::default();
        if let Some(value) = value {
            req = req.cookie(Cookie::new(NAME, value.to_owned()));
        }
        visit(&req.to_http_request(), &AppState::default()).unwrap()
    }

    #[test]
    fn the_valid_one_of_several_cookies_counts() {
        let first = visit_with(None);
        let good = first.cookies[0].value();
        for lines in [
            &[format!("{NAME}=wrong; {NAME}={good}")][..],
            &[format!("{NAME}={good}; {NAME}=wrong")],
            &[format!("{NAME}=wrong"), format!("{NAME}={good}")],
            &[format!("malformed; =; {NAME}={good}")],
        ] {
            let mut req = TestRequest::default();
            for line in lines {
                req = req.append_header((COOKIE, line.as_str()));
            }
            let visit = visit(&req.to_http_request(), &AppState::default()).unwrap();
            assert_eq!((visit.is_new, visit.session), (false, first.session), "{lines:?}");
        }
    }

    #[test]
    fn valid_cookie_keeps_its_session() {
        let first = visit_with(None);
        let again = visit_with(Some(first.cookies[0].value()));
        assert_eq!((first.is_new, again.is_new), (true, false));
        assert_eq!(again.session, first.session);
    }

    #[test]
    fn a_cookie_is_renewed_once_it_is_no_longer_fresh() {
        let value = keys(0).sign(SessionId::from_bytes([7; 16]));
        let renewed = visit_with(Some(&value));
        let names: Vec<&str> = renewed.cookies.iter().map(Cookie::name).collect();
        assert_eq!(names, ["kvota-session", "kvota-fresh"]);
        assert_eq!(renewed.cookies[0].value(), value);
        assert_eq!(renewed.cookies[0].max_age(), Some(Duration::seconds(SESSION_COOKIE_SECONDS)));
        let fresh = TestRequest::default().cookie(Cookie::new(NAME, value)).cookie(renewed.cookies[1].clone());
        let visit = visit(&fresh.to_http_request(), &AppState::default()).unwrap();
        assert!(!visit.is_new && visit.cookies.is_empty());
    }

    #[test]
    fn a_renewed_cookie_is_signed_with_the_first_key() {
        let session = SessionId::from_bytes([7; 16]);
        let state = AppState { cookie_keys: CookieKeys::rotating([&[1; 32][..], &[0; 32][..]]), ..AppState::default() };
        let req = TestRequest::default().cookie(Cookie::new(NAME, keys(0).sign(session)));
        let visit = visit(&req.to_http_request(), &state).unwrap();
        assert_eq!((visit.session, visit.is_new), (session, false));
        assert_eq!(visit.cookies[0].value(), keys(1).sign(session));
    }

    #[test]
    fn over_tls_only_the_prefixed_name_counts() {
        let session = SessionId::from_bytes([7; 16]);
        let trusted_proxies = [Network::parse("10.0.0.1").unwrap()].into();
        let state = AppState { trusted_proxies, ..AppState::default() };
        for (proto, name, counts) in [
            ("https", "__Host-kvota-session", true),
            ("https", "kvota-session", false),
            ("http", "kvota-session", true),
            ("http", "__Host-kvota-session", false),
        ] {
            let req = TestRequest::default().peer_addr("10.0.0.1:1".parse().unwrap());
            let req = req.insert_header(("x-forwarded-proto", proto)).cookie(Cookie::new(name, keys(0).sign(session)));
            let held = session_of_request(&req.to_http_request(), &state);
            assert_eq!(held.is_some(), counts, "{proto} {name}");
        }
    }

    #[test]
    fn invalid_cookie_starts_a_new_session() {
        let good = keys(0).sign(SessionId::from_bytes([7; 16]));
        let of_another_key = keys(1).sign(SessionId::from_bytes([7; 16]));
        let other_id = format!("08{}", &good[2..]);
        let cut = &good[..good.len() - 2];
        let upper = good.to_uppercase();
        let longer = format!("{good}0");
        let unsigned = "07070707070707070707070707070707";
        for value in [&of_another_key, &other_id, cut, &upper, &longer, unsigned, "", "1", ".", "zz.zz", "' or 1=1"] {
            let visit = visit_with(Some(value));
            assert_ne!(visit.session, SessionId::from_bytes([7; 16]), "{value:?}");
            assert_eq!(keys(0).verify(visit.cookies[0].value()), Some(visit.session), "{value:?}");
        }
        assert_eq!(visit_with(Some(&good)).session, SessionId::from_bytes([7; 16]));
        assert_ne!(visit_with(None).session, visit_with(None).session);
    }

    #[test]
    fn the_signature_is_hmac_sha_256() {
        // Computed by openssl: dgst -sha256 -mac HMAC -macopt hexkey:00…00.
        let value = keys(0).sign(SessionId::from_bytes([7; 16]));
        assert_eq!(
            value,
            "07070707070707070707070707070707.5370e2c16bbf4c75aeeb56a6064db02fb94bc5f32c673b27a76261e79504bf5b"
        );
    }

    #[test]
    fn cookie_is_http_only_and_same_site() {
        let plain = cookie(NAME, "7".to_owned(), Scheme::Http, SESSION_COOKIE_SECONDS).to_string();
        assert_eq!(plain, "kvota-session=7; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000");
        let tls = cookie(NAME, "7".to_owned(), Scheme::Https, SESSION_COOKIE_SECONDS).to_string();
        assert_eq!(tls, "__Host-kvota-session=7; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=2592000");
    }
}
