//! GET live/user-status: the signed-in bettor's name, balances and exclusion (CONTRACT 2 and 9).

use crate::http::AppState;
use crate::http::account::{logged_in_account, status_answer};
use crate::http::error::ApiError;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};

/// 200; 401 if nobody is logged in.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let (account, login) = logged_in_account(&req, &state).await?;
    Ok(status_answer(StatusCode::OK, &state, &account, login.times.ends_at_ms))
}
