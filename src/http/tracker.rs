//! GET /scoreboard/{id}: the match tracker, a page of its own to be shown in a frame; which match, in which language and
//! how wide, its script reads from its address. It is the one page of ours that may be framed, by our own pages alone.
//! Called by the route table; `live/scoreboard` gives its address.

use super::error::ApiError;
use super::{AppState, assets, security};
use crate::domain::ids::MatchId;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_FRAME_OPTIONS};
use actix_web::{HttpRequest, HttpResponse, web};

/// What its address begins with.
pub(crate) const PREFIX: &str = "/scoreboard/";

/// The client's file that it is.
const FILE: &str = "scoreboard.html";

/// 200 for any match's number, in the offer or not: the page says itself when a match is gone. 404 for what is none.
pub(crate) async fn page(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    id.parse().ok().and_then(MatchId::new).ok_or(ApiError::NotFound)?;
    let mut page = assets::file(&req, FILE)?;
    let headers = page.headers_mut();
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    if let Ok(policy) = HeaderValue::try_from(security::policy_of_framed(&state, &req)) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    Ok(page)
}
