//! The calls under `/api/v1/account/`, one per file, and what they share: who is logged in, how a login begins, and
//! which other parts are notified. A login belongs to a session id. Every login and logout creates a new id, so that an
//! id that someone else planted or kept is useless.

pub(super) mod cash_out;
pub(super) mod cashier;
mod credentials;
pub(super) mod exclusion;
mod known_browser;
pub(super) mod limit_history;
pub(super) mod login;
pub(super) mod logins;
pub(super) mod logout;
mod name_key;
mod of_sessions;
pub(super) mod own_limits;
pub(super) mod password;
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
use crate::http::limits::{AGENT_CHARS_MAX, LOGIN_RENEWAL_FRACTION, LOGIN_RENEWED_MS, SESSION_COOKIE_SECONDS};
use crate::http::rate_limit::Source;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, USER_AGENT};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_store::nodes::SessionKey;
use kvota_store::{Account, AccountId, Login, NewLogin, StoreError};
use kvota_wire::protection::ExclusionBody;
use name_key::NameKey;
use serde::Serialize;
use std::fmt;
use std::future::{Future, ready};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::pin::Pin;
use std::sync::Arc;
use tokio::time::Instant;

/// What the account calls need besides the store. Clones share it.
#[derive(Clone)]
pub struct Accounts {
    /// The balance of a new account, in cents.
    pub opening_balance: Money,
    /// The currency of the installation.
    pub currency: Arc<str>,
    /// Hashes passwords.
    pub passwords: Passwords,
    /// Notified of logins and logouts.
    pub events: Arc<dyn SessionEvents>,
    /// Limits of tries.
    pub tries: Arc<Tries>,
    /// Whether new accounts may be registered.
    pub registration: Registration,
    /// Networks from which any number of accounts may be registered.
    pub unlimited_networks: Arc<[Network]>,
    /// How long an unused login lasts, in ms.
    pub login_idle_ms: i64,
}

/// Whether new accounts may be registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registration {
    /// Anybody may register.
    Open,
    /// Nobody may register: 403.
    Closed,
}

/// Awaited before a login or logout is answered.
pub type SessionFuture<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Receives logins and logouts; implemented by the owner of tickets and favourites. The call is answered only after the
/// returned future is done, so that a client that reconnects with its new cookie finds its ticket.
pub trait SessionEvents: Send + Sync + 'static {
    /// The account logged in. `old` is the session that the request named before, `new` the session from now on. An
    /// anonymous ticket with pairs replaces the saved one; favourites are merged (CONTRACT 2).
    fn logged_in(&self, old: Option<SessionId>, new: SessionId, account: AccountId) -> SessionFuture<'_>;

    /// The session with this cookie has been logged out; its connections must end, on all nodes.
    fn logged_out(&self, cookie: SessionKey) -> SessionFuture<'_>;
}

/// Ignores logins and logouts.
#[derive(Clone, Copy, Debug)]
pub struct IgnoreSessionEvents;

impl SessionEvents for IgnoreSessionEvents {
    fn logged_in(&self, _: Option<SessionId>, _: SessionId, _: AccountId) -> SessionFuture<'_> {
        Box::pin(ready(()))
    }

    fn logged_out(&self, _: SessionKey) -> SessionFuture<'_> {
        Box::pin(ready(()))
    }
}

impl Accounts {
    /// For tests: a zero opening balance, the cheapest password hash, and no session events.
    pub fn plain() -> Accounts {
        Accounts {
            opening_balance: Money::ZERO,
            currency: "EUR".into(),
            passwords: Passwords::new(PasswordCost::LEAST),
            events: Arc::new(IgnoreSessionEvents),
            tries: Arc::default(),
            registration: Registration::Open,
            unlimited_networks: [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]
                .map(Network::of)
                .into(),
            login_idle_ms: SESSION_COOKIE_SECONDS.saturating_mul(1_000),
        }
    }

    /// Whether any number of accounts may be registered from this address. Does not apply to an unlisted proxy, because
    /// clients from anywhere may be behind it.
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

/// The account that is logged in. The call counts as use of the login and extends it.
///
/// # Errors
/// [`ApiError::LoginRequired`] if nobody is logged in; [`ApiError::Unavailable`] if the store is unavailable.
pub(super) async fn logged_in(req: &HttpRequest, state: &AppState) -> Result<AccountId, ApiError> {
    login_of(req, state).await.map(|login| login.account)
}

/// The login of the request. The call counts as use of it and extends it.
///
/// # Errors
/// As [`logged_in`].
pub(super) async fn login_of(req: &HttpRequest, state: &AppState) -> Result<Login, ApiError> {
    let session = session_cookie::session_of_request(req, state).ok_or(ApiError::LoginRequired)?;
    let seen = state.seen(req);
    if !state.accounts.is_unlimited(&seen) {
        state.accounts.tries.call_of_address(Source::of(&seen), Instant::now())?;
    }
    let now_ms = (state.now_ms)();
    let login = state
        .stores
        .accounts
        .login(session, now_ms)
        .await
        .map_err(store_error_to_api)?
        .ok_or(ApiError::LoginRequired)?;
    state.accounts.tries.call(login.account, Instant::now())?;
    renew(state, session, login, now_ms).await;
    Ok(login)
}

/// Extends a login that is in use. Most calls write nothing, because the login still lasts long enough.
async fn renew(state: &AppState, session: SessionId, login: Login, now_ms: i64) {
    let idle_ms = state.accounts.login_idle_ms;
    // Use does not extend a login beyond the limit of a session.
    let latest_ms = login.times.ends_at_ms.unwrap_or(i64::MAX);
    let renewed = Login { expires_at_ms: now_ms.saturating_add(idle_ms).min(latest_ms), ..login };
    let least_ms = LOGIN_RENEWED_MS.min(idle_ms / LOGIN_RENEWAL_FRACTION);
    if renewed.expires_at_ms.saturating_sub(login.expires_at_ms) < least_ms {
        return;
    }
    if let Err(error) = state.stores.accounts.renew_login(session, renewed).await {
        // The login is still valid; the next call tries again.
        tracing::warn!(%error, "failed to renew a login: {error}");
    }
}

/// Turns a store error into an answer. A store failure is logged here, and only here.
pub(super) fn store_error_to_api(error: StoreError) -> ApiError {
    match error {
        StoreError::Unavailable { .. } => {
            tracing::warn!(%error, "a call could not be answered: {error}");
            ApiError::Unavailable
        }
        StoreError::Corrupt { .. } => ApiError::Internal(Box::new(error)),
    }
}

/// The bettor's name, balances and exclusion (CONTRACT 2 and 9, `live/user-status`).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserStatus<'a> {
    user: &'a str,
    balance: String,
    receivable: String,
    currency: &'a str,
    exclusion: Option<ExclusionBody>,
    /// When the login ends by the limit of a session, ms since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_ends_at: Option<i64>,
    cashier: &'static str,
}

/// An answer with the account's status, which must not be cached.
pub(super) fn status_answer(
    status: StatusCode,
    state: &AppState,
    account: &Account,
    session_ends_at: Option<i64>,
) -> HttpResponse {
    let exclusion = account.protection.exclusion((state.now_ms)());
    private(status).json(UserStatus {
        user: &account.name,
        balance: account.balance.to_string(),
        receivable: account.receivable.to_string(),
        currency: &state.accounts.currency,
        exclusion: exclusion.map(ExclusionBody::of),
        session_ends_at,
        cashier: state.cashier.kind().code(),
    })
}

/// The account that is logged in, with its data, and the login.
///
/// # Errors
/// As [`logged_in`].
pub(super) async fn logged_in_account(req: &HttpRequest, state: &AppState) -> Result<(Account, Login), ApiError> {
    let login = login_of(req, state).await?;
    let account = state.stores.accounts.account(login.account).await.map_err(store_error_to_api)?;
    Ok((account.ok_or(ApiError::LoginRequired)?, login))
}

/// An answer for one bettor only, which must not be cached.
pub(super) fn private(status: StatusCode) -> HttpResponseBuilder {
    let mut answer = HttpResponse::build(status);
    answer.insert_header((CACHE_CONTROL, "no-store"));
    answer
}

/// What the browser says that it is, cut to [`AGENT_CHARS_MAX`]; empty if it says nothing readable.
fn user_agent(req: &HttpRequest) -> String {
    let said = req.headers().get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    said.chars().take(AGENT_CHARS_MAX).collect()
}

/// Logs an account in under a new session, ends the old one, and adds the cookies to the answer. From then on the
/// browser is known to the account. The password was checked against this hash.
async fn begin(
    req: &HttpRequest,
    state: &AppState,
    name: &str,
    (account, password_hash): (AccountId, &str),
    mut answer: HttpResponse,
) -> Result<HttpResponse, ApiError> {
    let old = session_cookie::session_of_request(req, state);
    let (new, cookie) = session_cookie::new_session(req, state)?;
    let browser = known_browser::remember(req, state, NameKey::of(name))?;
    let now_ms = (state.now_ms)();
    let expires_at_ms = now_ms.saturating_add(state.accounts.login_idle_ms);
    let login = NewLogin { account, expires_at_ms, created_at_ms: Some(now_ms), agent: user_agent(req) };
    let accounts = &state.stores.accounts;
    accounts.log_in(new, login).await.map_err(store_error_to_api)?;
    // The password may have been changed since it was checked; that ended all other logins.
    let now = accounts.account(account).await.map_err(store_error_to_api)?;
    if now.is_none_or(|now| now.password_hash != password_hash) {
        accounts.log_out(new).await.map_err(store_error_to_api)?;
        return Err(ApiError::WrongLogin);
    }
    if let Some(old) = old {
        accounts.log_out(old).await.map_err(store_error_to_api)?;
    }
    state.accounts.events.logged_in(old, new, account).await;
    for cookie in [cookie, browser] {
        answer.add_cookie(&cookie).map_err(|error| ApiError::Internal(Box::new(error)))?;
    }
    Ok(answer)
}
