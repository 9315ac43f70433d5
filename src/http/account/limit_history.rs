//! GET account/history: all changes of the account's limits and exclusions, newest first (CONTRACT 9).

use super::{logged_in, private, store_error_to_api};
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::limits::{HISTORY_ENTRIES_DEFAULT, HISTORY_ENTRIES_MAX};
use crate::http::query::parameter;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_wire::protection::HistoryBody;

/// 200; 400 for a cursor or a limit that is not a number; 401. Empty parameters count as absent.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let given = |name| parameter(req.query_string(), name).filter(|text| !text.is_empty());
    let before = given("cursor").map(|text| text.parse::<i64>().map_err(|_| ApiError::Cursor)).transpose()?;
    let allowed = "1, 2 … 1000";
    let limit = match given("limit").map(|text| text.parse::<u32>()) {
        None => HISTORY_ENTRIES_DEFAULT,
        Some(Ok(limit)) if limit >= 1 => limit.min(HISTORY_ENTRIES_MAX),
        Some(_) => return Err(ApiError::Parameter { name: "limit", allowed }),
    };
    let page = state.stores.protection.history(account, before, limit).await.map_err(store_error_to_api)?;
    let entries = page.entries.iter().map(|entry| (entry.at_ms, entry.kind.as_str(), entry.details.as_str()));
    let body =
        HistoryBody::of(entries, page.next).ok_or_else(|| ApiError::Internal("the history is damaged".into()))?;
    Ok(private(StatusCode::OK).json(body))
}
