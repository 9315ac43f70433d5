//! GET account/statement: the ledger of the signed-in bettor's account, newest first (CONTRACT 7, *Reading
//! bets and results*). The answer is JSON, or CSV with the same column names for `Accept: text/csv`. Must not show a
//! posting of another account.

use super::{logged_in, private, store_error_to_api};
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::limits::{STATEMENT_LINES_DEFAULT, STATEMENT_LINES_MAX};
use crate::http::query::parameter;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_store::{StatementEntry, TicketId};
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Page {
    entries: Vec<Entry>,
    next: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    at: i64,
    kind: &'static str,
    amount: String,
    balance: String,
    ticket_id: Option<String>,
    ticket_number: Option<String>,
}

impl Entry {
    fn of(entry: &StatementEntry) -> Entry {
        Entry {
            at: entry.at_ms,
            kind: entry.kind.code(),
            amount: entry.amount.to_string(),
            balance: entry.balance.to_string(),
            ticket_id: entry.ticket_id.as_ref().map(TicketId::to_string),
            ticket_number: entry.ticket_number.map(|number| number.to_string()),
        }
    }
}

/// 200; 400 for a cursor, a limit or a time that is not a number; 401. Empty parameters count as absent.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let query = req.query_string();
    let number = |name: &'static str, allowed: &'static str| {
        let given = parameter(query, name).filter(|text| !text.is_empty());
        given.map(|text| text.parse::<i64>().map_err(|_| ApiError::Parameter { name, allowed })).transpose()
    };
    let times = "milliseconds since 1970";
    let (from_ms, to_ms) = (number("from", times)?, number("to", times)?);
    let before = number("cursor", "a cursor of the page before").map_err(|_| ApiError::Cursor)?;
    let limit = match number("limit", "1, 2 … 1000")? {
        None => STATEMENT_LINES_DEFAULT,
        Some(limit) if limit >= 1 => u32::try_from(limit).unwrap_or(u32::MAX).min(STATEMENT_LINES_MAX),
        Some(_) => return Err(ApiError::Parameter { name: "limit", allowed: "1, 2 … 1000" }),
    };
    let page =
        state.stores.settlements.statement(account, before, from_ms, to_ms, limit).await.map_err(store_error_to_api)?;
    let next = page.next.map(|cursor| cursor.to_string());
    let entries: Vec<Entry> = page.entries.iter().map(Entry::of).collect();
    if !wants_csv(&req) {
        return Ok(private(StatusCode::OK).insert_header((VARY, "accept")).json(Page { entries, next }));
    }
    let mut answer = private(StatusCode::OK);
    answer.insert_header((VARY, "accept"));
    answer.insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"));
    answer.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"statement.csv\""));
    if let Some(next) = next {
        answer.insert_header(("x-next-cursor", next));
    }
    Ok(answer.body(csv(&entries)))
}

fn wants_csv(req: &HttpRequest) -> bool {
    let accept = req.headers().get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accept.split(',').any(|part| part.split(';').next().is_some_and(|media| media.trim() == "text/csv"))
}

/// Needs no quoting: numbers, codes and ticket ids have no comma, quote or line break.
fn csv(entries: &[Entry]) -> String {
    let mut text = "at,kind,amount,balance,ticketId\r\n".to_owned();
    for Entry { at, kind, amount, balance, ticket_id, .. } in entries {
        // Writing into memory cannot fail.
        let _ = write!(text, "{at},{kind},{amount},{balance},{}\r\n", ticket_id.as_deref().unwrap_or_default());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_header_has_the_json_field_names() {
        let entry = |ticket_id: Option<&str>| Entry {
            at: 5,
            kind: "stake",
            amount: "-1.00".to_owned(),
            balance: "9.00".to_owned(),
            ticket_id: ticket_id.map(str::to_owned),
            ticket_number: None,
        };
        let text = csv(&[entry(Some("T1")), entry(None)]);
        assert_eq!(text, "at,kind,amount,balance,ticketId\r\n5,stake,-1.00,9.00,T1\r\n5,stake,-1.00,9.00,\r\n");
    }
}
