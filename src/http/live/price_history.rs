//! GET live/history?eventId=&oddId=: how the price of an odd changed. `eventId` is the match's id. The history is
//! limited (`HISTORY_CHANGES_MAX`), so an answer has at most 1 or 2 kB. It is valid only at this moment and must not be
//! cached.

use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::id_parameter::id;
use crate::http::language;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::ids::{MatchId, OddId};
use kvota_domain::offer_event::FeedState;
use kvota_domain::price::Price;
use kvota_wire::ticket::number;
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    match_id: u64,
    odd_id: u64,
    /// Time of the answer, in ms since 1970.
    date: i64,
    value: Box<RawValue>,
    /// The price before the first change; null if none is known.
    before: Option<Box<RawValue>>,
    /// Time of the change in ms since 1970, and the price from then on.
    changes: Vec<(i64, Box<RawValue>)>,
}

/// 200; 400 for an invalid id; 404 for a match or an odd that is not in the offer, and if there is no offer.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let query = req.query_string();
    let (match_id, odd_id) = (id(query, "eventId", MatchId::new)?, id(query, "oddId", OddId::new)?);
    if state.read_model.feed_state(language::of(&req).lang) == FeedState::Inactive {
        return Err(ApiError::NoOdd);
    }
    let (now, trail) = state.read_model.price_trail(match_id, odd_id).ok_or(ApiError::NoOdd)?;
    let point = |(at_ms, price): &(i64, Price)| (*at_ms, number(price));
    let body = Body {
        match_id: match_id.get(),
        odd_id: odd_id.get(),
        date: (state.now_ms)(),
        value: number(&now),
        before: trail.before.as_ref().map(number),
        changes: trail.changes.iter().map(point).collect(),
    };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(body))
}
