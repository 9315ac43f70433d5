//! GET live/stream?eventId: the address of a match's pictures (CONTRACT 2), made from the configured template. `eventId`
//! is the match's id.

use crate::domain::ids::MatchId;
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::query::parameter;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

/// The place in the template that becomes the event's number.
pub const PERFORM_EVENT_ID: &str = "{performEventId}";

/// 200; 204 where the match has no pictures, and for what is no match of the offer.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let id = parameter(req.query_string(), "eventId").and_then(|text| text.parse().ok()).and_then(MatchId::new);
    let id = id.ok_or(ApiError::Parameter { name: "eventId", allowed: "0, 1 … 9007199254740991" })?;
    let event = state.read_model.entry(id).and_then(|entry| entry.state.live_match.perform_event_id);
    let Some((template, event)) = state.stream_url.as_deref().zip(event) else {
        return Ok(HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish());
    };
    let url = template.replace(PERFORM_EVENT_ID, &event.to_string());
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(json!({"data": url, "type": "hls"})))
}
