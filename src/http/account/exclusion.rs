//! POST account/time-out and account/self-exclusion: from then on no node accepts a bet or a deposit of the account
//! (CONTRACT 9). Both need the password, because an exclusion cannot be taken back.

use super::password::confirm;
use super::{logged_in_account, status_answer, store_error_to_api};
use crate::http::error::ApiError;
use crate::http::{AppState, JsonBody};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::protection::{Exclusion, ExclusionKind, SELF_EXCLUSION_MONTHS, TIME_OUT_HOURS, after_months};
use kvota_store::{Account, Login, Protected};
use serde::{Deserialize, Deserializer};

/// The body of `time-out`; never log it.
#[derive(Deserialize)]
pub(crate) struct TimeOut {
    hours: i64,
    password: String,
}

/// The body of `self-exclusion`; never log it.
#[derive(Deserialize)]
pub(crate) struct SelfExclusion {
    /// `None`: null, without an end. A missing member is an error.
    #[serde(deserialize_with = "number_or_null")]
    months: Option<i64>,
    password: String,
}

fn number_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Option::deserialize(deserializer)
}

/// 200 with the status; 400 for another number of hours, a wrong password, or a longer exclusion in force; 401; 429.
pub(crate) async fn time_out(
    req: HttpRequest,
    state: web::Data<AppState>,
    JsonBody(TimeOut { hours, password }): JsonBody<TimeOut>,
) -> Result<HttpResponse, ApiError> {
    let (account, login) = logged_in_account(&req, &state).await?;
    if !TIME_OUT_HOURS.contains(&hours) {
        return Err(ApiError::Parameter { name: "hours", allowed: "24, 48, 168, 720" });
    }
    let until_ms = Some((state.now_ms)().saturating_add(hours.saturating_mul(3_600_000)));
    let exclusion = Exclusion { kind: ExclusionKind::TimeOut, until_ms };
    exclude(&req, &state, (account, login), exclusion, password).await
}

/// 200 with the status; 400 for another number of months, a wrong password, or a longer exclusion in force; 401; 429.
pub(crate) async fn self_exclusion(
    req: HttpRequest,
    state: web::Data<AppState>,
    JsonBody(SelfExclusion { months, password }): JsonBody<SelfExclusion>,
) -> Result<HttpResponse, ApiError> {
    let (account, login) = logged_in_account(&req, &state).await?;
    let until_ms = match months {
        None => None,
        Some(months) => {
            let months = u16::try_from(months).ok().filter(|months| SELF_EXCLUSION_MONTHS.contains(months));
            let months = months.ok_or(ApiError::Parameter { name: "months", allowed: "6, 12, 60, null" })?;
            let until_ms = after_months((state.now_ms)(), months);
            Some(until_ms.ok_or_else(|| ApiError::Internal("the clock shows no date".into()))?)
        }
    };
    let exclusion = Exclusion { kind: ExclusionKind::SelfExclusion, until_ms };
    exclude(&req, &state, (account, login), exclusion, password).await
}

async fn exclude(
    req: &HttpRequest,
    state: &AppState,
    (account, login): (Account, Login),
    exclusion: Exclusion,
    password: String,
) -> Result<HttpResponse, ApiError> {
    confirm(req, state, &account, password).await?;
    match state.protections.exclude(account.id, exclusion).await.map_err(store_error_to_api)? {
        Protected::ShorterExclusion => Err(ApiError::ShorterExclusion),
        Protected::Stored(protection) => {
            let account = Account { protection, ..account };
            Ok(status_answer(StatusCode::OK, state, &account, login.times.ends_at_ms))
        }
    }
}
