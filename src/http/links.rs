//! Redirects shared links (`/match/17`, `/sport/1,5`, `/ticket/17.170.1701-…`) to the client, which has one page and
//! keeps its state in the query (decision 5). Malformed links are 404. The client reports when a match is gone.

use super::error::ApiError;
use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::{HttpResponse, web};

/// The size of a system, and thirty pairs, each of three ids of maximum length and a mark.
const TICKET_CHARS_MAX: usize = 3 + 30 * 53;
/// Fifty sports.
const SPORTS_CHARS_MAX: usize = 50 * 17;
/// The longest id.
const ID_CHARS_MAX: usize = 16;

/// `/match/{id}`.
pub(crate) async fn of_match(id: web::Path<String>) -> Result<HttpResponse, ApiError> {
    to("match", &id, ID_CHARS_MAX, "")
}

/// `/sport/{ids}`.
pub(crate) async fn of_sports(ids: web::Path<String>) -> Result<HttpResponse, ApiError> {
    to("sport", &ids, SPORTS_CHARS_MAX, ",")
}

/// `/ticket/{picks}`. Checks only the characters; the client reports a wrong ticket in the bettor's language.
pub(crate) async fn of_ticket(picks: web::Path<String>) -> Result<HttpResponse, ApiError> {
    to("ticket", &picks, TICKET_CHARS_MAX, ".-")
}

/// Allows only digits and these signs, so that no part of the value can change the meaning of the new address.
fn to(name: &str, value: &str, chars_max: usize, signs: &str) -> Result<HttpResponse, ApiError> {
    let is_plain = value.chars().all(|c| c.is_ascii_digit() || signs.contains(c));
    if !is_plain || value.is_empty() || value.len() > chars_max {
        return Err(ApiError::NotFound);
    }
    let location = (LOCATION, format!("/?{name}={value}"));
    Ok(HttpResponse::Found().insert_header(location).insert_header((CACHE_CONTROL, "no-cache")).finish())
}
