//! Links that are given away: `/match/17`, `/sport/1,5`, `/ticket/17.170.1701-…`. The client has one page and keeps what
//! it shows in the page's query (decision 5), so these lead there. What is no such link is no address; whether its match
//! is still there is for the client to say.

use super::error::ApiError;
use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::{HttpResponse, web};

/// Thirty pairs of three of the longest ids.
const TICKET_CHARS_MAX: usize = 30 * 51;
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

/// `/ticket/{picks}`. What is plainly wrong goes on too: the client says so in the bettor's words.
pub(crate) async fn of_ticket(picks: web::Path<String>) -> Result<HttpResponse, ApiError> {
    to("ticket", &picks, TICKET_CHARS_MAX, ".-")
}

/// Digits and these signs alone: nothing of the address can become anything else of the one it leads to.
fn to(name: &str, value: &str, chars_max: usize, signs: &str) -> Result<HttpResponse, ApiError> {
    let is_plain = value.chars().all(|c| c.is_ascii_digit() || signs.contains(c));
    if !is_plain || value.is_empty() || value.len() > chars_max {
        return Err(ApiError::NotFound);
    }
    let location = (LOCATION, format!("/?{name}={value}"));
    Ok(HttpResponse::Found().insert_header(location).insert_header((CACHE_CONTROL, "no-cache")).finish())
}
