//! GET and PUT account/limits: the limits that bettors set for themselves (CONTRACT 9). Must not decide when a limit
//! takes effect: the domain does.

use super::{logged_in, private, store_error_to_api};
use crate::http::error::ApiError;
use crate::http::{AppState, json};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::protection::Protection;
use kvota_store::{AccountId, Protected};
use kvota_wire::json::Json;
use kvota_wire::protection::{LimitsBody, read_limits};
use tokio::time::Instant;

/// 200 with the limits in force, those that wait, and how much of each is used; 401.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let protection = state.stores.protection.protection(account).await.map_err(store_error_to_api)?;
    let protection = protection.ok_or(ApiError::LoginRequired)?;
    answer(&state, account, &protection).await
}

/// 200 as GET; 400 for a body with another format; 401, 429.
pub(crate) async fn put(
    req: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    state.accounts.tries.change_limits(account, Instant::now())?;
    let body = json::body(&req, payload.into_inner()).await?;
    let changes = Json::parse(&body).as_ref().and_then(read_limits).ok_or(ApiError::Json)?;
    match state.protections.set_limits(account, changes).await.map_err(store_error_to_api)? {
        Protected::Stored(protection) => answer(&state, account, &protection).await,
        Protected::ShorterExclusion => Err(ApiError::Internal("a limit is no exclusion".into())),
    }
}

async fn answer(state: &AppState, account: AccountId, protection: &Protection) -> Result<HttpResponse, ApiError> {
    let now_ms = (state.now_ms)();
    let flows = state.stores.protection.flows(account, now_ms).await.map_err(store_error_to_api)?;
    Ok(private(StatusCode::OK).json(LimitsBody::of(protection, &flows, now_ms)))
}
