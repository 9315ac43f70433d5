//! GET account/tickets and account/tickets/{ticketId}: the signed-in bettor's bets, newest first (CONTRACT 2). Must not
//! show a bet of another account, which is answered like an unknown one.

use super::cash_out::find;
use super::{logged_in, private, store_error_to_api};
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::limits::{TICKETS_PER_PAGE_DEFAULT, TICKETS_PER_PAGE_MAX};
use crate::http::query::parameter;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_store::{TicketFilter, TicketId};
use kvota_wire::bets::TicketBody;
use serde::Serialize;

#[derive(Serialize)]
struct Page<'a> {
    tickets: Vec<TicketBody<'a>>,
    next: Option<&'a str>,
}

/// 200; 400 for a cursor that no page returned, or a limit that is not a number of at least 1; 401. Empty parameters
/// count as absent.
pub(crate) async fn list(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let query = req.query_string();
    let given = |name| parameter(query, name).filter(|text| !text.is_empty());
    let limit = match given("limit") {
        None => TICKETS_PER_PAGE_DEFAULT,
        // A larger limit than the maximum returns one page and its cursor.
        Some(text) => match text.parse::<u32>() {
            Ok(limit @ 1..) => limit.min(TICKETS_PER_PAGE_MAX),
            _ => return Err(ApiError::Parameter { name: "limit", allowed: "1, 2 … 100" }),
        },
    };
    let filter = match given("state").as_deref() {
        None => TicketFilter::All,
        Some("open") => TicketFilter::Open,
        Some("settled") => TicketFilter::Settled,
        Some(_) => return Err(ApiError::Parameter { name: "state", allowed: "open, settled" }),
    };
    let after = match given("cursor") {
        None => None,
        Some(text) => Some(TicketId::new(&text).ok_or(ApiError::Cursor)?),
    };
    let page = state.stores.bets.tickets(account, filter, after.as_ref(), limit).await.map_err(store_error_to_api)?;
    let page = page.ok_or(ApiError::Cursor)?;
    let tickets = page.tickets.iter().map(TicketBody::of).collect();
    let next = page.next.as_ref().map(TicketId::as_str);
    Ok(private(StatusCode::OK).json(Page { tickets, next }))
}

/// The id may be the ticket's number. 200; 401; 404 for a ticket that does not exist or belongs to another account.
pub(crate) async fn get(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let stored = find(&state, account, &id).await?;
    let settlements = state.stores.bets.settlements(account, &stored.ticket_id).await.map_err(store_error_to_api)?;
    Ok(private(StatusCode::OK).json(TicketBody::with_settlements(&stored, &settlements)))
}
