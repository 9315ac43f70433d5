//! GET live/match/{id}: one match with all its markets (CONTRACT 2). Its clock is valid only at this moment, so the
//! answer must not be cached.

use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::language;
use crate::http::live::offer::{base, content_type};
use crate::http::negotiation;
use crate::http::reply;
use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, VARY};
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::ids::MatchId;

/// 200; 404 for a match that is not in the offer, for an invalid id, and if there is no offer.
pub(crate) async fn get(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = id.parse().ok().and_then(MatchId::new);
    let id = id.ok_or(ApiError::NoMatch)?;
    let lang = language::of(&req).lang;
    let accepted = reply::header_list(req.headers(), ACCEPT);
    let encoding = negotiation::encoding(accepted.as_deref());
    let body = state
        .read_model
        .live_match(lang, encoding, base(&state, req.query_string()), id, (state.now_ms)())
        .ok_or(ApiError::NoMatch)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, content_type(encoding)))
        .insert_header((CONTENT_LANGUAGE, lang.locale()))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((VARY, "Accept, Cookie"))
        .body(body))
}
