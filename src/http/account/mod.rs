//! The calls under `/api/v1/account/`, one a file, and what they share: who is logged in, how a login begins, and who
//! else has to know of it. A login belongs to a session's id; a new id at every login and logout makes an id that
//! somebody else planted or kept worth nothing.

mod credentials;
pub(super) mod login;
pub(super) mod logout;
mod of_sessions;
pub(super) mod passwords;
pub(super) mod register;
pub(super) mod statement;
pub(super) mod tickets;

pub use passwords::{PasswordCost, Passwords};

use super::AppState;
use super::error::ApiError;
use super::rate_limit::RateLimit;
use super::session_cookie;
use crate::domain::limits::{
    BETS_MAX, BETS_WINDOW_MS, LOGIN_TRIES_PER_ACCOUNT_MAX, LOGIN_TRIES_PER_ADDRESS_MAX, REGISTRATIONS_PER_ADDRESS_MAX,
    SESSION_COOKIE_SECONDS,
};
use crate::domain::money::Money;
use crate::domain::session::SessionId;
use crate::store::{AccountId, Login, StoreError};
use actix_web::http::StatusCode;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use std::fmt;
use std::future::{Future, ready};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

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
    /// How often what may be tried.
    pub tries: Arc<Tries>,
}

/// How often what may be tried.
#[derive(Debug)]
pub struct Tries {
    /// Failed logins, by name.
    pub logins_by_name: RateLimit<String>,
    /// Failed logins, by address.
    pub logins_by_address: RateLimit<IpAddr>,
    /// Registrations, by address.
    pub registrations: RateLimit<IpAddr>,
    /// Calls of `send-ticket`, by account.
    pub bets: RateLimit<AccountId>,
}

impl Default for Tries {
    fn default() -> Tries {
        let minute = Duration::from_secs(60);
        Tries {
            logins_by_name: RateLimit::new(LOGIN_TRIES_PER_ACCOUNT_MAX, minute),
            logins_by_address: RateLimit::new(LOGIN_TRIES_PER_ADDRESS_MAX, minute),
            registrations: RateLimit::new(REGISTRATIONS_PER_ADDRESS_MAX, minute),
            bets: RateLimit::new(BETS_MAX, Duration::from_millis(BETS_WINDOW_MS)),
        }
    }
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
        }
    }
}

impl fmt::Debug for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accounts").field("opening_balance", &self.opening_balance).finish_non_exhaustive()
    }
}

/// Who is logged in.
///
/// # Errors
/// [`ApiError::LoginRequired`] for everybody else; [`ApiError::Unavailable`] where the store cannot say.
pub(super) async fn logged_in(req: &HttpRequest, state: &AppState) -> Result<AccountId, ApiError> {
    let session = session_cookie::held_session(req, state).ok_or(ApiError::LoginRequired)?;
    let login = state.stores.accounts.login(session, (state.now_ms)()).await.map_err(told_of)?;
    login.map(|login| login.account).ok_or(ApiError::LoginRequired)
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

/// Logs an account in under a new session, ends the old one, and answers with who it is now.
async fn begin(
    req: &HttpRequest,
    state: &AppState,
    account: AccountId,
    mut answer: HttpResponse,
) -> Result<HttpResponse, ApiError> {
    let old = session_cookie::held_session(req, state);
    let (new, cookie) = session_cookie::new_session(req, state)?;
    let expires_at_ms = (state.now_ms)().saturating_add(SESSION_COOKIE_SECONDS.saturating_mul(1_000));
    let accounts = &state.stores.accounts;
    accounts.log_in(new, Login { account, expires_at_ms }).await.map_err(told_of)?;
    if let Some(old) = old {
        accounts.log_out(old).await.map_err(told_of)?;
    }
    state.accounts.events.logged_in(old, new, account).await;
    answer.add_cookie(&cookie).map_err(|error| ApiError::Internal(Box::new(error)))?;
    Ok(answer)
}
