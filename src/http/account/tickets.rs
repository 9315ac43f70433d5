//! GET account/tickets and account/tickets/{ticketId}: the signed-in bettor's bets, newest first (CONTRACT 2). Must not
//! show a bet of another account, which is answered like an unknown one.

use super::{logged_in, private, told_of};
use crate::domain::limits::{TICKETS_PER_PAGE_DEFAULT, TICKETS_PER_PAGE_MAX};
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::query::parameter;
use crate::store::{BetPair, StoredBet, StoredResult, StoredSettlement, TicketFilter, TicketId};
use crate::wire::ticket::number;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
struct Page<'a> {
    tickets: Vec<Receipt<'a>>,
    next: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Receipt<'a> {
    ticket_id: &'a str,
    placed_at: i64,
    status: &'static str,
    state: &'static str,
    settlement: Option<SettlementBody<'a>>,
    system_type: u8,
    stake: String,
    bruto: String,
    total_odd: &'a str,
    potential_win: String,
    win_tax: String,
    payout: String,
    pairs: Vec<ReceiptPair<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReceiptPair<'a> {
    match_id: u64,
    market_id: u64,
    sport_id: u64,
    home: &'a str,
    away: &'a str,
    tournament: &'a str,
    market_name: &'a str,
    odd_name: &'a str,
    sbv: Option<&'a str>,
    odd_value: Box<RawValue>,
    is_fix: bool,
    result: &'a str,
    settled_at: Option<i64>,
}

/// The current settlement (CONTRACT 7, *Told*).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SettlementBody<'a> {
    number: u32,
    at: i64,
    gross: String,
    win_tax: String,
    paid: String,
    reason: Option<&'a str>,
}

impl<'a> SettlementBody<'a> {
    fn of(settlement: &'a StoredSettlement) -> SettlementBody<'a> {
        SettlementBody {
            number: settlement.number,
            at: settlement.at_ms,
            gross: settlement.gross.to_string(),
            win_tax: settlement.win_tax.to_string(),
            paid: settlement.paid.to_string(),
            reason: settlement.reason.as_deref(),
        }
    }
}

impl<'a> Receipt<'a> {
    fn of(stored: &'a StoredBet) -> Receipt<'a> {
        let bet = &stored.bet;
        Receipt {
            ticket_id: stored.ticket_id.as_str(),
            placed_at: bet.placed_at_ms,
            status: stored.state.as_str(),
            state: stored.state.as_str(),
            settlement: stored.settlement.as_ref().map(SettlementBody::of),
            system_type: bet.system_type,
            stake: bet.stake.to_string(),
            bruto: bet.bruto.to_string(),
            total_odd: &bet.total_odd,
            potential_win: bet.potential_win.to_string(),
            win_tax: bet.win_tax.to_string(),
            payout: bet.payout.to_string(),
            pairs: bet.pairs.iter().zip(&stored.results).map(ReceiptPair::of).collect(),
        }
    }
}

impl<'a> ReceiptPair<'a> {
    fn of((pair, result): (&'a BetPair, &'a StoredResult)) -> ReceiptPair<'a> {
        ReceiptPair {
            match_id: pair.match_id.get(),
            // The odd's id, as in the call that placed the bet.
            market_id: pair.odd_id.get(),
            sport_id: pair.sport_id.get(),
            home: &pair.texts.home,
            away: &pair.texts.away,
            tournament: &pair.texts.tournament,
            market_name: &pair.texts.market,
            odd_name: &pair.texts.odd,
            sbv: pair.sbv.as_deref(),
            odd_value: number(&pair.odds_taken),
            is_fix: pair.is_fix,
            result: &result.code,
            settled_at: result.settled_at_ms,
        }
    }
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
    let page = state.stores.bets.tickets(account, filter, after.as_ref(), limit).await.map_err(told_of)?;
    let page = page.ok_or(ApiError::Cursor)?;
    let tickets = page.tickets.iter().map(Receipt::of).collect();
    let next = page.next.as_ref().map(TicketId::as_str);
    Ok(private(StatusCode::OK).json(Page { tickets, next }))
}

/// 200; 401; 404 for a ticket that does not exist or belongs to another account.
pub(crate) async fn get(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let id = TicketId::new(&id).ok_or(ApiError::NoTicket)?;
    let stored = state.stores.bets.ticket(account, &id).await.map_err(told_of)?.ok_or(ApiError::NoTicket)?;
    Ok(private(StatusCode::OK).json(Receipt::of(&stored)))
}
