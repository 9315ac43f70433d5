//! POST account/password: changes the password and ends all other sessions of the account (CONTRACT 9). Other calls that
//! need the password again check it here.

use super::credentials::is_good_password;
use super::login::counted;
use super::name_key::NameKey;
use super::{logged_in_account, private, store_error_to_api};
use crate::http::error::ApiError;
use crate::http::rate_limit::Source;
use crate::http::{AppState, JsonBody, session_cookie};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_store::{Account, PasswordChange};
use serde::Deserialize;

/// The body; never log it.
#[derive(Deserialize)]
pub(crate) struct OldAndNew {
    old: String,
    new: String,
}

/// 204; 400 for a wrong old or an invalid new password; 401; 429 after too many wrong ones.
pub(crate) async fn post(
    req: HttpRequest,
    state: web::Data<AppState>,
    JsonBody(OldAndNew { old, new }): JsonBody<OldAndNew>,
) -> Result<HttpResponse, ApiError> {
    let kept = session_cookie::session_of_request(&req, &state).ok_or(ApiError::LoginRequired)?;
    let (account, _) = logged_in_account(&req, &state).await?;
    if !is_good_password(&new) {
        return Err(ApiError::Password);
    }
    confirm(&req, &state, &account, old).await?;
    let (accounts, source) = (&state.stores.accounts, Source::of(&state.seen(&req)));
    let new_hash = state.accounts.passwords.hash(new, source).await?;
    let change = PasswordChange { account: account.id, old_hash: account.password_hash, new_hash, kept };
    // Another change came first, so the old password is not the one that was given.
    let ended = accounts.change_password(change).await.map_err(store_error_to_api)?.ok_or(ApiError::WrongPassword)?;
    for cookie in ended {
        state.accounts.events.logged_out(cookie).await;
    }
    Ok(private(StatusCode::NO_CONTENT).finish())
}

/// Checks the password of the account that is logged in. A wrong one counts as a failed login, so that a session that
/// was left open cannot be used to guess it.
///
/// # Errors
/// [`ApiError::WrongPassword`]; [`ApiError::TooMany`] after too many wrong ones.
pub(super) async fn confirm(
    req: &HttpRequest,
    state: &AppState,
    account: &Account,
    password: String,
) -> Result<(), ApiError> {
    let source = Source::of(&state.seen(req));
    let check = async {
        let hash = Some(account.password_hash.clone());
        let is_right = is_good_password(&password) && state.accounts.passwords.verify(password, hash, source).await?;
        Ok(is_right.then_some(()))
    };
    counted(req, state, NameKey::of(&account.name), check).await?.ok_or(ApiError::WrongPassword)
}
