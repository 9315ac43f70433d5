//! The cookie that names a bettor's session: read, judged, made anew where it is missing or not ours. Called by the hub
//! and by every call that belongs to a bettor. A session id never stands in a URL, a body or a log.

use super::error::ApiError;
use super::{AppState, proxies};
use crate::domain::limits::SESSION_COOKIE_SECONDS;
use crate::domain::session::SessionId;
use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};

/// The cookie's name.
pub const NAME: &str = "kvota-session";

/// The session of a request; with a cookie to send along where the session is new. A new session costs nothing until
/// somebody keeps something under it.
pub fn session_of(req: &HttpRequest, state: &AppState) -> Result<(SessionId, Option<Cookie<'static>>), ApiError> {
    if let Some(session) = held_session(req, state) {
        return Ok((session, None));
    }
    let (session, cookie) = new_session(req, state)?;
    Ok((session, Some(cookie)))
}

/// The session whose cookie a request brings.
pub fn held_session(req: &HttpRequest, _: &AppState) -> Option<SessionId> {
    SessionId::from_text(req.cookie(NAME)?.value())
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
    Ok((session, cookie(session, state.seen(req).scheme)))
}

/// SameSite=Lax: another site's page may link to us, but its requests and sockets go without the session.
fn cookie(session: SessionId, scheme: proxies::Scheme) -> Cookie<'static> {
    Cookie::build(NAME, session.to_text())
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
        let (session, cookie) = ask(Some("00112233445566778899aabbccddeeff"));
        assert_eq!(session.to_text(), "00112233445566778899aabbccddeeff");
        assert!(cookie.is_none());
    }

    #[test]
    fn what_is_no_session_of_ours_becomes_a_new_one() {
        for value in [None, Some(""), Some("1"), Some("zz"), Some("' or 1=1")] {
            let (session, cookie) = ask(value);
            assert_eq!(cookie.unwrap().value(), session.to_text(), "{value:?}");
        }
        assert_ne!(ask(None).0, ask(None).0);
    }

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_strangers() {
        let session = SessionId::from_bytes([7; 16]);
        let plain = cookie(session, proxies::Scheme::Http).to_string();
        assert_eq!(
            plain,
            "kvota-session=07070707070707070707070707070707; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"
        );
        let tls = cookie(session, proxies::Scheme::Https);
        assert_eq!(tls.secure(), Some(true));
    }
}
