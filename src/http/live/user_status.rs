//! GET live/user-status: the signed-in bettor's name and balances (CONTRACT 2).

use crate::http::AppState;
use crate::http::account::{logged_in, status_answer, store_error_to_api};
use crate::http::error::ApiError;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};

/// 200; 401 if nobody is logged in.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let id = logged_in(&req, &state).await?;
    let account =
        state.stores.accounts.account(id).await.map_err(store_error_to_api)?.ok_or(ApiError::LoginRequired)?;
    Ok(status_answer(StatusCode::OK, &state, &account.name, (account.balance, account.receivable)))
}
