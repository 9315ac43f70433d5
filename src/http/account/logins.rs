//! GET account/sessions and DELETE account/sessions/{id}: where an account is logged in, and ending one of these logins
//! (CONTRACT 9). Must not reveal a cookie: an id is a hash of it.

use super::{logged_in, private, store_error_to_api};
use crate::http::error::ApiError;
use crate::http::{AppState, session_cookie};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_store::nodes::SessionKey;
use serde::Serialize;

#[derive(Serialize)]
struct Sessions {
    sessions: Vec<Session>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    id: String,
    created_at: i64,
    last_seen_at: i64,
    agent: String,
    current: bool,
}

/// 200 with the sessions, the one that was used last first; 401.
pub(crate) async fn list(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let current = session_cookie::session_of_request(&req, &state).map(SessionKey::of_cookie);
    let now_ms = (state.now_ms)();
    let held = state.stores.accounts.sessions_of(account, now_ms).await.map_err(store_error_to_api)?;
    let sessions = held.into_iter().map(|session| {
        // A login ends when it was not used for the idle time, so its end says when it was used last.
        let last_seen_at = session.expires_at_ms.saturating_sub(state.accounts.login_idle_ms).min(now_ms);
        let created_at = session.created_at_ms.unwrap_or(last_seen_at);
        Session {
            id: session.key.to_text(),
            created_at,
            last_seen_at: last_seen_at.max(created_at),
            agent: session.agent,
            current: current.as_ref() == Some(&session.key),
        }
    });
    Ok(private(StatusCode::OK).json(Sessions { sessions: sessions.collect() }))
}

/// 204; 401; 404 for an id that is no session of the account. Its connections end on all nodes.
pub(crate) async fn end(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let key = SessionKey::from_text(&id).ok_or(ApiError::NotFound)?;
    if !state.stores.accounts.end_session(account, key.clone()).await.map_err(store_error_to_api)? {
        return Err(ApiError::NotFound);
    }
    state.accounts.events.logged_out(key).await;
    Ok(private(StatusCode::NO_CONTENT).finish())
}
