//! POST account/logout: ends the login and its session; the next request starts a new one (CONTRACT 2).

use super::{private, store_error_to_api};
use crate::http::error::ApiError;
use crate::http::{AppState, session_cookie};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_store::nodes::SessionKey;

/// 204, also if nobody was logged in.
pub(crate) async fn post(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let mut answer = private(StatusCode::NO_CONTENT).finish();
    let Some(old) = session_cookie::session_of_request(&req, &state) else { return Ok(answer) };
    if state.stores.accounts.log_out(old).await.map_err(store_error_to_api)? {
        let (_, cookie) = session_cookie::new_session(&req, &state)?;
        state.accounts.events.logged_out(SessionKey::of_cookie(old)).await;
        answer.add_cookie(&cookie).map_err(|error| ApiError::Internal(Box::new(error)))?;
    }
    Ok(answer)
}
