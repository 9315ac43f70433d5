//! POST account/login (CONTRACT 2). Must not reveal which names have an account: an unknown name and a wrong password
//! get the same answer after the same work, and the number of tries is limited.

use super::credentials::Credentials;
use super::known_browser;
use super::name_key::NameKey;
use super::tries::{MINUTE, Origin};
use super::{begin, status_answer, store_error_to_api};
use crate::betting::exclusion_register::{Standing, subject_id};
use crate::http::error::ApiError;
use crate::http::rate_limit::Source;
use crate::http::{AppState, JsonBody};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_store::Account;
use kvota_store::nodes::Attempts;
use tokio::time::Instant;

/// 200; 401 for a wrong name or password; 429 after too many of them.
pub(crate) async fn post(
    req: HttpRequest,
    state: web::Data<AppState>,
    JsonBody(given): JsonBody<Credentials>,
) -> Result<HttpResponse, ApiError> {
    let source = Source::of(&state.seen(&req));
    let name = NameKey::of(given.name());
    let checked = counted(&req, &state, name, check_password(&state, given, source)).await?;
    let account = checked.ok_or(ApiError::WrongLogin)?;
    // A blocked player may log in. The answer counts for the bets of the next minutes.
    if state.register.ask(account.id, subject_id(&account)).await == Standing::Blocked {
        state.protections.blocked(account.id);
    }
    let now_ms = (state.now_ms)();
    let ends_at_ms = account.protection.login_times(now_ms, None, now_ms).ends_at_ms;
    let answer = status_answer(StatusCode::OK, &state, &account, ends_at_ms);
    begin(&req, &state, &account.name, (account.id, &account.password_hash), answer).await
}

/// Counts a try of a password before it is checked. A wrong one and a correct one count for different limits; one that
/// could not be checked counts for none. `None` for a wrong one.
///
/// # Errors
/// [`ApiError::TooMany`] after too many wrong ones, [`ApiError::Unavailable`] if they cannot be counted, and the errors
/// of the check.
pub(super) async fn counted<T>(
    req: &HttpRequest,
    state: &AppState,
    name: NameKey,
    check: impl Future<Output = Result<Option<T>, ApiError>>,
) -> Result<Option<T>, ApiError> {
    let origin = match known_browser::held(req, state, name) {
        Some(browser) => Origin::KnownBrowser(browser),
        None => Origin::Elsewhere(Source::of(&state.seen(req))),
    };
    state.accounts.tries.correct_password(name, Instant::now())?;
    let checked = counted_as_wrong(state, name, origin, check).await;
    if !matches!(checked, Ok(Some(_))) {
        state.accounts.tries.was_not_correct(name);
    }
    checked
}

async fn counted_as_wrong<T>(
    state: &AppState,
    name: NameKey,
    origin: Origin,
    check: impl Future<Output = Result<Option<T>, ApiError>>,
) -> Result<Option<T>, ApiError> {
    let tries = &state.accounts.tries.logins;
    tries.take(name, origin, Instant::now())?;
    let limits = &state.stores.shared_limits;
    let taken = match limits.take_attempt(tries.shared(name, origin), MINUTE).await {
        Ok(Attempts::Taken(ids)) => Ok(ids),
        Ok(Attempts::NoneLeft { seconds }) => Err(ApiError::TooMany { seconds }),
        Err(error) => Err(store_error_to_api(error)),
    };
    let ids = taken.inspect_err(|_| tries.give_back(name, origin))?;
    let checked = check.await;
    if !matches!(checked, Ok(None)) {
        tries.give_back(name, origin);
        if let Err(error) = limits.give_back_attempt(ids).await {
            tracing::warn!("a correct password counts as a wrong one for a minute: {error}");
        }
    }
    checked
}

/// The account with this name and password, or `None`. Fails if that cannot be checked now.
async fn check_password(state: &AppState, given: Credentials, source: Source) -> Result<Option<Account>, ApiError> {
    // An invalid name or password is not looked up, but costs the same hashing work.
    let can_be = given.has_good_name() && given.has_good_password();
    let account =
        if can_be { state.stores.accounts.find(given.name()).await.map_err(store_error_to_api)? } else { None };
    let hash = account.as_ref().map(|account| account.password_hash.clone());
    let password = if can_be { given.password } else { String::new() };
    let verify = state.accounts.passwords.verify(password, hash, source).await?;
    Ok(account.filter(|_| verify))
}
