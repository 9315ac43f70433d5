//! POST account/login (CONTRACT 2). A wrong name and a wrong password get the same words after the same work, and few
//! tries: nobody learns here who has an account.

use super::credentials::Credentials;
use super::{begin, status_answer, told_of};
use crate::http::error::ApiError;
use crate::http::rate_limit::source_of;
use crate::http::{AppState, JsonBody};
use crate::store::Account;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use tokio::time::Instant;

/// 200; 401 for a wrong name or password; 429 after too many of them.
pub(crate) async fn post(
    req: HttpRequest,
    state: web::Data<AppState>,
    JsonBody(given): JsonBody<Credentials>,
) -> Result<HttpResponse, ApiError> {
    let tries = &state.accounts.tries;
    let (source, tried, now) = (source_of(state.seen(&req).client), given.tried_name(), Instant::now());
    // Counted before they are judged, so that many at a time are no more than many one by one.
    tries.logins_by_address.take(source, now)?;
    if let Err(refused) = tries.logins_by_name.take(tried.clone(), now) {
        tries.logins_by_address.give_back(&source);
        return Err(refused);
    }
    let judged = judge(&state, given).await;
    // What counts is a wrong guess: neither a right one, nor one that could not be judged.
    if !matches!(judged, Ok(None)) {
        tries.logins_by_address.give_back(&source);
        tries.logins_by_name.give_back(&tried);
    }
    let account = judged?.ok_or(ApiError::WrongLogin)?;
    let answer = status_answer(StatusCode::OK, &state, &account.name, (account.balance, account.receivable));
    begin(&req, &state, account.id, answer).await
}

/// Whose name and password these are; nobody's, or an error where that cannot be found out now.
async fn judge(state: &AppState, given: Credentials) -> Result<Option<Account>, ApiError> {
    // What cannot be anybody's is not looked for, but costs the same.
    let can_be = given.has_good_name() && given.has_good_password();
    let account = if can_be { state.stores.accounts.find(given.name()).await.map_err(told_of)? } else { None };
    let hash = account.as_ref().map(|account| account.password_hash.clone());
    let password = if can_be { given.password } else { String::new() };
    let is_right = state.accounts.passwords.is_right(password, hash).await?;
    Ok(account.filter(|_| is_right))
}
