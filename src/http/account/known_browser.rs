//! The cookie that shows that an account has logged in from this browser before. Such a browser has its own count of
//! wrong passwords, so that wrong passwords from elsewhere cannot lock out the account's owner. Used by `login.rs` and
//! `account/mod.rs`.
//!
//! The value is a random id, signed for one account's name. It opens no account: its holder can only try five passwords
//! per minute for that account. It must not name the account, because others may use the same browser.

use super::name_key::NameKey;
use crate::http::error::ApiError;
use crate::http::limits::KNOWN_BROWSER_COOKIE_SECONDS;
use crate::http::{AppState, session_cookie};
use actix_web::HttpRequest;
use actix_web::cookie::Cookie;

/// The cookie's name over plain HTTP.
const NAME: &str = "kvota-browser";

/// The random id of a browser, from its cookie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct BrowserId([u8; 16]);

impl BrowserId {
    fn from_text(text: &str) -> Option<BrowserId> {
        let is_hex =
            text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        is_hex.then(|| u128::from_str_radix(text, 16).ok()).flatten().map(|id| BrowserId(id.to_be_bytes()))
    }

    fn to_text(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }
}

/// The id of the request's browser, if the account of this name has logged in there before.
pub(super) fn held(req: &HttpRequest, state: &AppState, name: NameKey) -> Option<BrowserId> {
    let (cookie, purpose) = (session_cookie::cookie_name(NAME, state.seen(req).scheme), purpose(name));
    let mut values = session_cookie::values(req, &cookie);
    values.find_map(|value| BrowserId::from_text(state.cookie_keys.verify_text(&purpose, value)?))
}

/// The cookie for the browser in which the account of this name has just logged in.
///
/// # Errors
/// [`ApiError::Internal`] if the system has no randomness.
pub(super) fn remember(req: &HttpRequest, state: &AppState, name: NameKey) -> Result<Cookie<'static>, ApiError> {
    let browser = match held(req, state, name) {
        // Keep the id, because the count of wrong passwords belongs to it.
        Some(browser) => browser,
        None => BrowserId(session_cookie::random()?),
    };
    let value = state.cookie_keys.sign_text(&purpose(name), &browser.to_text());
    Ok(session_cookie::cookie(NAME, value, state.seen(req).scheme, KNOWN_BROWSER_COOKIE_SECONDS))
}

/// The signature for one account must not verify for another.
fn purpose(name: NameKey) -> String {
    format!("kvota-browser:{}:", name.to_text())
}
