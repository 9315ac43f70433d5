//! POST account/register: a new account, with what a new account has, logged in (CONTRACT 2).

use super::credentials::Credentials;
use super::{Registration, begin, status_answer, told_of};
use crate::domain::money::Money;
use crate::http::error::ApiError;
use crate::http::rate_limit::Source;
use crate::http::{AppState, JsonBody};
use crate::store::{Created, NewAccount};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use tokio::time::Instant;

/// 201; 400 for a name or a password that cannot be, and for a name that is taken; 403 where registration is closed; 429.
pub(crate) async fn post(
    req: HttpRequest,
    state: web::Data<AppState>,
    JsonBody(given): JsonBody<Credentials>,
) -> Result<HttpResponse, ApiError> {
    if state.accounts.registration == Registration::Closed {
        return Err(ApiError::RegistrationClosed);
    }
    if !given.has_good_name() {
        return Err(ApiError::Name);
    }
    if !given.has_good_password() {
        return Err(ApiError::Password);
    }
    let seen = state.seen(&req);
    let source = Source::of(&seen);
    if !state.accounts.is_unlimited(&seen) {
        state.accounts.tries.register(source, Instant::now())?;
    }
    let name = given.name().to_owned();
    // Before the hash, which is what costs; who comes in between is found by the store.
    if state.stores.accounts.find(&name).await.map_err(told_of)?.is_some() {
        return Err(ApiError::NameTaken);
    }
    let password_hash = state.accounts.passwords.hash(given.password, source).await?;
    let opening = state.accounts.opening_balance;
    let account = NewAccount { name: name.clone(), password_hash, opening, now_ms: (state.now_ms)() };
    match state.stores.accounts.create(account).await.map_err(told_of)? {
        Created::NameTaken => Err(ApiError::NameTaken),
        Created::Account(id) => {
            begin(&req, &state, &name, id, status_answer(StatusCode::CREATED, &state, &name, (opening, Money::ZERO)))
                .await
        }
    }
}
