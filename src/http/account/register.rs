//! POST account/register: creates an account with the opening balance and logs it in (CONTRACT 2).

use super::credentials::Credentials;
use super::{Registration, begin, status_answer, store_error_to_api};
use crate::http::error::ApiError;
use crate::http::rate_limit::Source;
use crate::http::{AppState, JsonBody};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::money::Money;
use kvota_domain::protection::Protection;
use kvota_store::{Account, Created, NewAccount};
use tokio::time::Instant;

/// 201; 400 for an invalid name or password, and for a name that exists; 403 if registration is closed; 429.
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
    // Checked before the expensive hash. If another request takes the name in between, the store reports it.
    if state.stores.accounts.find(&name).await.map_err(store_error_to_api)?.is_some() {
        return Err(ApiError::NameTaken);
    }
    let password_hash = state.accounts.passwords.hash(given.password, source).await?;
    let opening = state.accounts.opening_balance;
    let account =
        NewAccount { name: name.clone(), password_hash: password_hash.clone(), opening, now_ms: (state.now_ms)() };
    match state.stores.accounts.create(account).await.map_err(store_error_to_api)? {
        Created::NameTaken => Err(ApiError::NameTaken),
        Created::Account(id) => {
            let (receivable, protection) = (Money::ZERO, Protection::default());
            let account = Account { id, name, password_hash, balance: opening, receivable, protection };
            let answer = status_answer(StatusCode::CREATED, &state, &account);
            begin(&req, &state, &account.name, (id, &account.password_hash), answer).await
        }
    }
}
