//! GET live/stream?eventId=: the address of a match's video (CONTRACT 2), made from the configured template. `eventId`
//! is the match's id.

use crate::http::AppState;
use crate::http::demo_stream;
use crate::http::error::ApiError;
use crate::http::id_parameter::id;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::ids::MatchId;
use kvota_domain::matches::DEMO_PICTURES;
use serde_json::json;

/// The placeholder in the template for the event's number.
pub const PERFORM_EVENT_ID: &str = "{performEventId}";

/// 200; 204 if the match has no video or is not in the offer; 400 for an invalid id.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let entry = state.read_model.entry(id(req.query_string(), "eventId", MatchId::new)?);
    let live_match = entry.as_ref().map(|entry| &entry.state.live_match);
    let event = live_match.and_then(|it| it.perform_event_id);
    let is_demo = live_match.is_some_and(|it| it.perform_event_type.as_deref() == Some(DEMO_PICTURES));
    let url = match (state.stream_url.as_deref(), event) {
        (Some(template), Some(event)) => template.replace(PERFORM_EVENT_ID, &event.to_string()),
        (None, Some(_)) if is_demo && state.has_demo_stream => demo_stream::PATH.to_owned(),
        _ => return Ok(HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish()),
    };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(json!({"data": url, "type": "hls"})))
}
