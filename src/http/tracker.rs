//! GET /scoreboard/{id}: the match tracker, a page to be shown in a frame. Its script reads the match, the language and
//! the width from its address, which `live/scoreboard` returns. It is the only page that may be framed, and only by our
//! own pages.

use super::error::ApiError;
use super::{AppState, assets, security};
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_FRAME_OPTIONS};
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::ids::MatchId;

/// The prefix of its address.
pub(crate) const PREFIX: &str = "/scoreboard/";

/// The file of the client that is served.
const FILE: &str = "scoreboard.html";

/// 200 for any valid match id, in the offer or not: the page itself reports that a match is gone. 404 for an invalid
/// id.
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
