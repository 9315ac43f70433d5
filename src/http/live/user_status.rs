//! GET live/user-status: who is logged in, and what he has (CONTRACT 2).

use crate::http::AppState;
use crate::http::account::{logged_in, status_answer, told_of};
use crate::http::error::ApiError;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};

/// 200; 401 for who is not logged in.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let id = logged_in(&req, &state).await?;
    let account = state.stores.accounts.account(id).await.map_err(told_of)?.ok_or(ApiError::LoginRequired)?;
    Ok(status_answer(StatusCode::OK, &state, &account.name, (account.balance, account.receivable)))
}
