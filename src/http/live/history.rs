//! GET live/history?eventId=&oddId=: how the price of an odd moved. `eventId` is the match's id. What is remembered is
//! bounded (`HISTORY_CHANGES_MAX`), so the answer is a kilobyte or two at most; like a match it is of this very moment,
//! and never kept by anybody.

use crate::domain::ids::{MatchId, OddId};
use crate::domain::price::Price;
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::language;
use crate::http::query::id;
use crate::wire::hub::message::FeedState;
use crate::wire::ticket::number;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    match_id: u64,
    odd_id: u64,
    /// Of the answer, ms since the epoch.
    date: i64,
    value: Box<RawValue>,
    /// The price before the first of the changes; null where none is remembered.
    before: Option<Box<RawValue>>,
    /// The instant, ms since the epoch, and the price from then on.
    changes: Vec<(i64, Box<RawValue>)>,
}

/// 200; 400 for what is no id; 404 for a match or an odd that is not in the offer, and without an offer.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let query = req.query_string();
    let (match_id, odd_id) = (id(query, "eventId", MatchId::new)?, id(query, "oddId", OddId::new)?);
    if state.read_model.feed_state(language::of(&req).lang) == FeedState::Inactive {
        return Err(ApiError::NoOdd);
    }
    let (now, trail) = state.read_model.price_trail(match_id, odd_id).ok_or(ApiError::NoOdd)?;
    let told = |(at_ms, price): &(i64, Price)| (*at_ms, number(price));
    let body = Body {
        match_id: match_id.get(),
        odd_id: odd_id.get(),
        date: (state.now_ms)(),
        value: number(&now),
        before: trail.before.as_ref().map(number),
        changes: trail.changes.iter().map(told).collect(),
    };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(body))
}
