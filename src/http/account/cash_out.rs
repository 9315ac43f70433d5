//! account/tickets/{id}/cash-out and account/tickets/{id}/cash-out-rule (CONTRACT 8): reads the calls, and answers with
//! their outcome. Must not validate the cash-out itself.

use super::{logged_in, private, store_error_to_api};
use crate::betting::placement::{CashOutBodies, CashOutCall};
use crate::http::AppState;
use crate::http::error::{self, ApiError};
use crate::http::live::send_ticket::{KEY, placement_answer, stored_answer, uuid};
use crate::http::request_id::RequestId;
use crate::http::{json, language, reply, texts};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::bet::{CashOutReason, CashOutRule, StoredBet};
use kvota_domain::lang::Lang;
use kvota_domain::settlement::CashOutShare;
use kvota_store::{AccountId, CashOutReceipt, RuleSet, TicketId, TicketNumber};
use kvota_wire::bets::{CashOutRuleBody, CashOutValueBody};
use kvota_wire::cash_out::{CashOutAnswer, answer_body, read, read_rule};
use kvota_wire::json::Json;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::time::Instant;

/// The value of the bet now. 200; 401; 404 for a ticket that does not exist or belongs to another account.
pub(crate) async fn get(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    let stored = find(&state, account, &id).await?;
    let offer = state.placements.cash_out_offer(&stored);
    Ok(private(StatusCode::OK).json(CashOutValueBody::of(None, &offer)))
}

/// Cashes the bet out. 200 and 400 with the body of the contract; 401, 404, 409, 429, 503.
pub(crate) async fn post(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    state.accounts.tries.bets.take(account, Instant::now())?;
    let ticket_id = find(&state, account, &id).await?.ticket_id;
    let body = json::body(&req, payload.into_inner()).await?;
    let bodies = CallTexts { lang: language::of(&req).lang, currency: Arc::clone(&state.accounts.currency) };
    let malformed = || stored_answer(400, bodies.rejected(CashOutReason::Malformed));
    let Some(key) = reply::header(req.headers(), KEY).and_then(uuid) else { return Ok(malformed()) };
    let Some(json) = Json::parse(&body) else { return Ok(malformed()) };
    // The ticket is part of the call, but not of its body.
    let digest = Sha256::new().chain_update(b"cash-out\0").chain_update(ticket_id.as_str()).chain_update(b"\0");
    let call = CashOutCall {
        account,
        key,
        digest: digest.chain_update(json.canonical()).finalize().into(),
        ticket_id,
        request: read(&json),
        bodies: Arc::new(bodies),
        request_id: RequestId::of(&req),
    };
    placement_answer(state.placements.cash_out(call).await)
}

/// Sets the rule. 200 with the rule; 400 for a malformed one or a bet that is not open; 401, 404, 429, 503.
pub(crate) async fn put_rule(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    state.accounts.tries.bets.take(account, Instant::now())?;
    let ticket_id = find(&state, account, &id).await?.ticket_id;
    let body = json::body(&req, payload.into_inner()).await?;
    let bodies = CallTexts { lang: language::of(&req).lang, currency: Arc::clone(&state.accounts.currency) };
    let Some(rule) = Json::parse(&body).as_ref().and_then(read_rule) else {
        return Ok(stored_answer(400, bodies.rejected(CashOutReason::Malformed)));
    };
    if !state.placements.betting().cash_out.is_enabled {
        return Ok(stored_answer(400, bodies.rejected(CashOutReason::Disabled)));
    }
    match set_rule(&state, account, &ticket_id, Some(rule)).await? {
        RuleSet::Set(_) => Ok(private(StatusCode::OK).json(CashOutRuleBody::of(rule))),
        RuleSet::NotOpen => Ok(stored_answer(400, bodies.rejected(CashOutReason::NotOpen))),
        RuleSet::NoTicket => Err(ApiError::NoTicket),
    }
}

/// Removes the rule, if there is one. 204; 401, 404, 429, 503.
pub(crate) async fn delete_rule(
    req: HttpRequest,
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    state.accounts.tries.bets.take(account, Instant::now())?;
    let ticket_id = find(&state, account, &id).await?.ticket_id;
    match set_rule(&state, account, &ticket_id, None).await? {
        RuleSet::NoTicket => Err(ApiError::NoTicket),
        RuleSet::Set(_) | RuleSet::NotOpen => Ok(private(StatusCode::NO_CONTENT).finish()),
    }
}

/// The bet with this id or number.
pub(super) async fn find(state: &AppState, account: AccountId, id: &str) -> Result<StoredBet, ApiError> {
    let id = TicketId::new(id).ok_or(ApiError::NoTicket)?;
    let found = state.stores.bets.ticket(account, &id).await.map_err(store_error_to_api)?;
    let found = match (found, TicketNumber::parse(id.as_str())) {
        (None, Some(number)) => state.stores.bets.numbered_ticket(account, number).await.map_err(store_error_to_api)?,
        (found, _) => found,
    };
    found.ok_or(ApiError::NoTicket)
}

async fn set_rule(
    state: &AppState,
    account: AccountId,
    ticket_id: &TicketId,
    rule: Option<CashOutRule>,
) -> Result<RuleSet, ApiError> {
    state.placements.set_cash_out_rule(account, ticket_id, rule).await.map_err(store_error_to_api)
}

/// Writes the answers to one call.
struct CallTexts {
    lang: Lang,
    currency: Arc<str>,
}

impl CashOutBodies for CallTexts {
    fn rejected(&self, reason: CashOutReason) -> Vec<u8> {
        let reason = reason.of_call();
        error::body_with_reason(&texts::text(self.lang, key(reason), &[]), reason.code())
    }

    fn done(&self, ticket_id: &TicketId, share: CashOutShare, receipt: &CashOutReceipt) -> Vec<u8> {
        let message = match &receipt.cash_out {
            Some(cash_out) => {
                let paid = format!("{} {}", cash_out.paid, self.currency);
                texts::text(self.lang, "cashOutDone", &[("paid", &paid)])
            }
            None => texts::text(self.lang, "cashOutSettledFirst", &[]),
        };
        answer_body(&CashOutAnswer {
            message: &message,
            ticket_id,
            share,
            cash_out: receipt.cash_out.as_ref(),
            balance: receipt.balance,
            state: receipt.state,
        })
    }
}

const fn key(reason: CashOutReason) -> &'static str {
    match reason {
        CashOutReason::Malformed => "refusedCashOutMalformed",
        CashOutReason::Disabled => "refusedCashOutDisabled",
        CashOutReason::NotOpen => "refusedCashOutNotOpen",
        CashOutReason::FeedInactive => "refusedFeedInactive",
        CashOutReason::FeedRecovering => "refusedFeedRecovering",
        CashOutReason::NotBettable | CashOutReason::Pair(_) => "refusedCashOutNotBettable",
        CashOutReason::ValueChanged => "refusedCashOutValueChanged",
        CashOutReason::BelowMinimum => "refusedCashOutBelowMinimum",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rejection_has_a_text_in_every_language() {
        for reason in [
            CashOutReason::Malformed,
            CashOutReason::Disabled,
            CashOutReason::NotOpen,
            CashOutReason::FeedInactive,
            CashOutReason::FeedRecovering,
            CashOutReason::NotBettable,
            CashOutReason::ValueChanged,
            CashOutReason::BelowMinimum,
        ] {
            for lang in Lang::ALL {
                let text = texts::text(lang, key(reason), &[]);
                assert!(text.contains(' ') && !text.contains("{{"), "{lang:?} {reason:?}: {text}");
            }
        }
    }
}
