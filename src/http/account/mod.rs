//! The calls under `/api/v1/account/`, one a file, and what they share: who is logged in, how a login begins, and who
//! else has to know of it. A login belongs to a session's id; a new id at every login and logout makes an id that
//! somebody else planted or kept worth nothing.

mod credentials;
mod known_browser;
pub(super) mod login;
pub(super) mod logout;
mod of_sessions;
pub(super) mod passwords;
pub(super) mod register;
pub(super) mod statement;
pub(super) mod tickets;
mod tries;

pub use passwords::{PasswordCost, Passwords};
pub use tries::Tries;

use super::AppState;
use super::error::ApiError;
use super::proxies::{Network, Seen};
use super::session_cookie;
use crate::domain::limits::{LOGIN_RENEWED_PART, SESSION_COOKIE_SECONDS};
use crate::domain::money::Money;
use crate::domain::session::SessionId;
use crate::store::{AccountId, Login, StoreError};
use actix_web::http::StatusCode;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use std::fmt;
use std::future::{Future, ready};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::pin::Pin;
use std::sync::Arc;
use tries::NameKey;

/// What the calls of accounts need besides the store; a clone shares it.
#[derive(Clone)]
pub struct Accounts {
    /// What a new account has, in cents.
    pub opening_balance: Money,
    /// The currency of the installation.
    pub currency: Arc<str>,
    /// Hashes passwords.
    pub passwords: Passwords,
    /// Who keeps tickets and favourites.
    pub events: Arc<dyn SessionEvents>,
    /// How often something may be tried.
    pub tries: Arc<Tries>,
    /// Whether new accounts may be registered.
    pub registration: Registration,
    /// Networks from which any number of accounts may be registered.
    pub unlimited_networks: Arc<[Network]>,
    /// How long a login lasts without a call, in ms.
    pub login_idle_ms: i64,
}

/// Whether new accounts may be registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registration {
    /// By anybody.
    Open,
    /// Not at all: 403.
    Closed,
}

/// What is waited for before a login or logout is answered.
pub type SessionFuture<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Whoever keeps the tickets and favourites of sessions hears here of logins: awaited before the call is answered, so
/// that a client which connects again with its new cookie finds what it had.
pub trait SessionEvents: Send + Sync + 'static {
    /// The account logged in: `old` is the session before it, where the request named one, `new` the one from now on.
    /// An anonymous ticket with pairs takes the place of the saved one, favourites are united (CONTRACT 2).
    fn logged_in(&self, old: Option<SessionId>, new: SessionId, account: AccountId) -> SessionFuture<'_>;

    /// The session is nobody's any more; its connections must end.
    fn logged_out(&self, old: SessionId) -> SessionFuture<'_>;
}

/// Nobody keeps anything of a session.
#[derive(Clone, Copy, Debug)]
pub struct NoSessions;

impl SessionEvents for NoSessions {
    fn logged_in(&self, _: Option<SessionId>, _: SessionId, _: AccountId) -> SessionFuture<'_> {
        Box::pin(ready(()))
    }

    fn logged_out(&self, _: SessionId) -> SessionFuture<'_> {
        Box::pin(ready(()))
    }
}

impl Accounts {
    /// Accounts that begin with nothing, whose passwords cost nothing to guess, and sessions of which nothing is kept:
    /// what a test starts from.
    pub fn plain() -> Accounts {
        Accounts {
            opening_balance: Money::ZERO,
            currency: "EUR".into(),
            passwords: Passwords::new(PasswordCost::LEAST),
            events: Arc::new(NoSessions),
            tries: Arc::default(),
            registration: Registration::Open,
            unlimited_networks: [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]
                .map(Network::of)
                .into(),
            login_idle_ms: SESSION_COOKIE_SECONDS.saturating_mul(1_000),
        }
    }

    /// Whether any number of accounts may be registered from here. An unlisted proxy on such a network is not meant: it
    /// stands for clients from anywhere.
    fn is_unlimited(&self, seen: &Seen) -> bool {
        let holds = |client| self.unlimited_networks.iter().any(|network| network.contains(client));
        !seen.is_unlisted_proxy && seen.client.is_some_and(holds)
    }
}

impl fmt::Debug for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accounts").field("opening_balance", &self.opening_balance).finish_non_exhaustive()
    }
}

/// Who is logged in. The call counts as use of the login, which then lasts as long again.
///
/// # Errors
/// [`ApiError::LoginRequired`] for everybody else; [`ApiError::Unavailable`] where the store cannot say.
pub(super) async fn logged_in(req: &HttpRequest, state: &AppState) -> Result<AccountId, ApiError> {
    let session = session_cookie::held_session(req, state).ok_or(ApiError::LoginRequired)?;
    let now_ms = (state.now_ms)();
    let login = state.stores.accounts.login(session, now_ms).await.map_err(told_of)?.ok_or(ApiError::LoginRequired)?;
    renew(state, session, login, now_ms).await;
    Ok(login.account)
}

/// Moves the end of a login that is in use. Most calls find it far enough away and write nothing.
async fn renew(state: &AppState, session: SessionId, login: Login, now_ms: i64) {
    let idle_ms = state.accounts.login_idle_ms;
    let renewed = Login { expires_at_ms: now_ms.saturating_add(idle_ms), ..login };
    if renewed.expires_at_ms.saturating_sub(login.expires_at_ms) < idle_ms / LOGIN_RENEWED_PART {
        return;
    }
    if let Err(error) = state.stores.accounts.renew_login(session, renewed).await {
        // The login still holds; the next call tries again.
        tracing::warn!(%error, "failed to renew a login: {error}");
    }
}

/// What a client is told of a store's failure; logged here, once.
pub(super) fn told_of(error: StoreError) -> ApiError {
    match error {
        StoreError::Unavailable { .. } => {
            tracing::warn!(%error, "a call could not be answered: {error}");
            ApiError::Unavailable
        }
        StoreError::Corrupt { .. } => ApiError::Internal(Box::new(error)),
    }
}

/// Who a bettor is and what he has (CONTRACT 2, `live/user-status`).
#[derive(Serialize)]
pub(super) struct UserStatus<'a> {
    user: &'a str,
    balance: String,
    receivable: String,
    currency: &'a str,
}

/// An answer about an account, which nobody may keep.
pub(super) fn status_answer(
    status: StatusCode,
    state: &AppState,
    name: &str,
    (balance, receivable): (Money, Money),
) -> HttpResponse {
    let currency = &state.accounts.currency;
    let (balance, receivable) = (balance.to_string(), receivable.to_string());
    private(status).json(UserStatus { user: name, balance, receivable, currency })
}

/// An answer that is for one bettor alone.
pub(super) fn private(status: StatusCode) -> HttpResponseBuilder {
    let mut answer = HttpResponse::build(status);
    answer.insert_header((CACHE_CONTROL, "no-store"));
    answer
}

/// Logs an account in under a new session, ends the old one, and answers with who it is now. The browser is known to the
/// account from then on.
async fn begin(
    req: &HttpRequest,
    state: &AppState,
    name: &str,
    account: AccountId,
    mut answer: HttpResponse,
) -> Result<HttpResponse, ApiError> {
    let old = session_cookie::held_session(req, state);
    let (new, cookie) = session_cookie::new_session(req, state)?;
    let browser = known_browser::remember(req, state, NameKey::of(name))?;
    let expires_at_ms = (state.now_ms)().saturating_add(state.accounts.login_idle_ms);
    let accounts = &state.stores.accounts;
    accounts.log_in(new, Login { account, expires_at_ms }).await.map_err(told_of)?;
    if let Some(old) = old {
        accounts.log_out(old).await.map_err(told_of)?;
    }
    state.accounts.events.logged_in(old, new, account).await;
    for cookie in [cookie, browser] {
        answer.add_cookie(&cookie).map_err(|error| ApiError::Internal(Box::new(error)))?;
    }
    Ok(answer)
}
