//! GET live/scoreboard?eventId=: the address of a match's tracker (CONTRACT 2), to be shown in a frame with `lang` and
//! `width` added. It is our own page (`http/tracker.rs`) unless another is configured. `eventId` is the match's id.

use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::id_parameter::id;
use crate::http::live::stream::PERFORM_EVENT_ID;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::ids::MatchId;
use serde_json::json;

/// The placeholder in the template for the match's id.
pub const MATCH_ID: &str = "{matchId}";

/// 200; 400 for an invalid id; 404 for a match that is not in the offer, or that has no page at the configured address.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let id = id(req.query_string(), "eventId", MatchId::new)?;
    let entry = state.read_model.entry(id).ok_or(ApiError::NoMatch)?;
    let url = match state.scoreboard_url.as_deref() {
        None => format!("{}{}", super::super::tracker::PREFIX, id.get()),
        Some(template) => {
            let event = entry.state.live_match.perform_event_id;
            if template.contains(PERFORM_EVENT_ID) && event.is_none() {
                return Err(ApiError::NoMatch);
            }
            let event = event.map_or_else(String::new, |event| event.to_string());
            template.replace(MATCH_ID, &id.get().to_string()).replace(PERFORM_EVENT_ID, &event)
        }
    };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(json!({"data": url})))
}
