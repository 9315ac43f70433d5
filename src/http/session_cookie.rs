//! The cookie that names a bettor's session: read, judged, made anew where it is missing or not ours. Called by the hub
//! and by every call that belongs to a bettor. A session id never stands in a URL, a body or a log.
//!
//! Its value is the id and a signature of it (docs/decisions/0009): an id that this installation did not make is none,
//! so that nobody fills the store with sessions of his own, nor plants one in another's browser.

use super::error::ApiError;
use super::{AppState, proxies};
use crate::domain::limits::SESSION_COOKIE_SECONDS;
use crate::domain::session::SessionId;
use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use ring::hmac;
use std::fmt;

/// The cookie's name.
pub const NAME: &str = "kvota-session";

/// Signs the ids of sessions. All nodes of an installation have the same.
#[derive(Clone)]
pub struct CookieKey(hmac::Key);

/// What is signed says for what, so that a signature made for something else with the same key is none here.
const PURPOSE: &str = "kvota-session:";

impl CookieKey {
    /// The key of a secret, of at least 32 bytes that nobody can guess.
    pub fn new(secret: &[u8]) -> CookieKey {
        CookieKey(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// A cookie's value: the id, a point, HMAC-SHA-256 in lower-case hexadecimal digits.
    pub(crate) fn sign(&self, session: SessionId) -> String {
        let id = session.to_text();
        let tag = hmac::sign(&self.0, format!("{PURPOSE}{id}").as_bytes());
        let tag: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{id}.{tag}")
    }

    /// The session of a cookie's value that was signed with this key.
    pub(crate) fn verify(&self, value: &str) -> Option<SessionId> {
        let (id, tag) = value.split_once('.')?;
        let session = SessionId::from_text(id)?;
        let (tag, rest) = tag.as_bytes().as_chunks::<2>();
        let tag: Vec<u8> = tag.iter().map(byte_of).collect::<Option<_>>()?;
        // Compares in the same time whatever differs.
        let is_ours = hmac::verify(&self.0, format!("{PURPOSE}{id}").as_bytes(), &tag).is_ok();
        (rest.is_empty() && is_ours).then_some(session)
    }
}

fn byte_of(digits: &[u8; 2]) -> Option<u8> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    Some(value(digits[0])? << 4 | value(digits[1])?)
}

/// A log does not betray it.
impl fmt::Debug for CookieKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CookieKey(secret)")
    }
}

/// The session of a request; with a cookie to send along where the session is new. A new session costs nothing until
/// somebody keeps something under it.
///
/// # Errors
/// [`ApiError::Internal`] where the machine has no randomness.
pub fn session_of(req: &HttpRequest, state: &AppState) -> Result<(SessionId, Option<Cookie<'static>>), ApiError> {
    if let Some(session) = held_session(req, state) {
        return Ok((session, None));
    }
    let (session, cookie) = new_session(req, state)?;
    Ok((session, Some(cookie)))
}

/// The session whose cookie a request brings.
pub fn held_session(req: &HttpRequest, state: &AppState) -> Option<SessionId> {
    state.cookie_key.verify(req.cookie(NAME)?.value())
}

/// A session that nobody knows yet, with its cookie: for who brings none, and for every login and logout, so that a
/// session somebody else knew before is worth nothing after.
///
/// # Errors
/// [`ApiError::Internal`] where the machine has no randomness.
pub fn new_session(req: &HttpRequest, state: &AppState) -> Result<(SessionId, Cookie<'static>), ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::Internal(error.to_string().into()))?;
    let session = SessionId::from_bytes(bytes);
    Ok((session, cookie(state.cookie_key.sign(session), state.seen(req).scheme)))
}

/// SameSite=Lax: another site's page may link to us, but its requests and sockets go without the session.
fn cookie(value: String, scheme: proxies::Scheme) -> Cookie<'static> {
    Cookie::build(NAME, value)
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(scheme == proxies::Scheme::Https)
        .max_age(Duration::seconds(SESSION_COOKIE_SECONDS))
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn ask(value: Option<&str>) -> (SessionId, Option<Cookie<'static>>) {
        let mut req = TestRequest::default();
        if let Some(value) = value {
            req = req.cookie(Cookie::new(NAME, value.to_owned()));
        }
        session_of(&req.to_http_request(), &AppState::default()).unwrap()
    }

    #[test]
    fn a_session_stays_the_one_of_its_cookie() {
        let (session, cookie) = ask(None);
        let (again, none) = ask(Some(cookie.unwrap().value()));
        assert_eq!(again, session);
        assert!(none.is_none());
    }

    #[test]
    fn what_is_no_session_of_ours_becomes_a_new_one() {
        let good = CookieKey::new(&[0; 32]).sign(SessionId::from_bytes([7; 16]));
        let of_another_key = CookieKey::new(&[1; 32]).sign(SessionId::from_bytes([7; 16]));
        let other_id = format!("08{}", &good[2..]);
        let cut = &good[..good.len() - 2];
        let upper = good.to_uppercase();
        let longer = format!("{good}0");
        let unsigned = "07070707070707070707070707070707";
        for value in [&of_another_key, &other_id, cut, &upper, &longer, unsigned, "", "1", ".", "zz.zz", "' or 1=1"] {
            let (session, cookie) = ask(Some(value));
            assert_ne!(session, SessionId::from_bytes([7; 16]), "{value:?}");
            assert_eq!(CookieKey::new(&[0; 32]).verify(cookie.unwrap().value()), Some(session), "{value:?}");
        }
        assert_eq!(ask(Some(&good)).0, SessionId::from_bytes([7; 16]));
        assert_ne!(ask(None).0, ask(None).0);
    }

    #[test]
    fn the_signature_is_hmac_sha_256() {
        // Computed by openssl: dgst -sha256 -mac HMAC -macopt hexkey:00…00.
        let value = CookieKey::new(&[0; 32]).sign(SessionId::from_bytes([7; 16]));
        assert_eq!(
            value,
            "07070707070707070707070707070707.5370e2c16bbf4c75aeeb56a6064db02fb94bc5f32c673b27a76261e79504bf5b"
        );
    }

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_strangers() {
        let plain = cookie("7".to_owned(), proxies::Scheme::Http).to_string();
        assert_eq!(plain, "kvota-session=7; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000");
        let tls = cookie("7".to_owned(), proxies::Scheme::Https);
        assert_eq!(tls.secure(), Some(true));
    }
}
