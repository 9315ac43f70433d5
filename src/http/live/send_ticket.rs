//! POST live/send-ticket: reads a ticket, has it placed, and answers with the outcome (CONTRACT 4, *Placing*). Must not
//! validate the bet itself.
//!
//! The order of the checks: origin (403, for every call that changes something), login (401), rate (429), body (408,
//! 413, 415), key, then all that docs/life-of-a-bet.md lists.

use crate::betting::placement::{AcceptedBetFacts, AnswerBodies, Order, PlacementAnswer};
use crate::http::AppState;
use crate::http::account::{login_of, private};
use crate::http::error::{self, ApiError};
use crate::http::request_id::RequestId;
use crate::http::{json, language, reply, session_cookie, texts};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderName};
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::lang::Lang;
use kvota_domain::ticket::{ChangedPair, Rejection};
use kvota_store::IdempotencyKey;
use kvota_wire::json::Json;
use kvota_wire::ticket::{Taken, read, taken_body};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::time::Instant;
use uuid::fmt::Hyphenated;

pub(crate) const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// 200 and 400 with the body of the contract; 401, 409, 429, 503.
pub(crate) async fn post(
    req: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let login = login_of(&req, &state).await?;
    let account = login.account;
    state.accounts.tries.bets.take(account, Instant::now())?;
    let body = json::body(&req, payload.into_inner()).await?;
    let lang = language::of(&req).lang;
    let bodies = CallTexts { lang, currency: Arc::clone(&state.accounts.currency) };
    let Some(key) = reply::header(req.headers(), KEY).and_then(uuid) else {
        return Ok(stored_answer(400, bodies.rejected(Rejection::NoKey, "", &[])));
    };
    let Some(json) = Json::parse(&body) else {
        return Ok(stored_answer(400, bodies.rejected(Rejection::Malformed, "", &[])));
    };
    let digest = Sha256::digest(json.canonical()).into();
    let request_id = RequestId::of(&req);
    let check_due_at_ms = login.times.check_due_at_ms;
    let (ticket, bodies) = (read(&json), Arc::new(bodies));
    let session = session_cookie::session_of_request(&req, &state).ok_or(ApiError::LoginRequired)?;
    let order = Order { account, session, check_due_at_ms, key, digest, ticket, lang, bodies, request_id };
    placement_answer(state.placements.place(order).await)
}

/// The answer to a call with an idempotency key.
pub(crate) fn placement_answer(outcome: PlacementAnswer) -> Result<HttpResponse, ApiError> {
    match outcome {
        PlacementAnswer::Answer(stored) => Ok(stored_answer(stored.status, stored.body)),
        PlacementAnswer::NoTicket => Err(ApiError::NoTicket),
        PlacementAnswer::Conflict => Err(ApiError::KeyUsed),
        PlacementAnswer::TooMany => Err(ApiError::TooMany { seconds: 1 }),
        PlacementAnswer::Unavailable => Err(ApiError::Unavailable),
        // Already logged where it happened.
        PlacementAnswer::Failed => Err(ApiError::Other(StatusCode::INTERNAL_SERVER_ERROR)),
    }
}

/// Sends exactly these bytes, because the same bytes may be stored for a repeated request.
pub(crate) fn stored_answer(status: u16, body: Vec<u8>) -> HttpResponse {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    private(status).insert_header((CONTENT_TYPE, "application/json")).body(body)
}

/// Parses a UUID of any version in its usual form, with hyphens and in either case.
pub(crate) fn uuid(text: &str) -> Option<IdempotencyKey> {
    let id: Hyphenated = text.parse().ok()?;
    Some(IdempotencyKey(id.into_uuid().into_bytes()))
}

/// Writes the answers to one call.
struct CallTexts {
    lang: Lang,
    currency: Arc<str>,
}

impl AnswerBodies for CallTexts {
    fn rejected(&self, rejection: Rejection, sides: &str, changed: &[ChangedPair]) -> Vec<u8> {
        let left = match rejection {
            Rejection::OwnLimit { left, .. } => Some(left),
            _ => None,
        };
        let text = rejection_text(rejection, sides, self.lang, &self.currency);
        error::body_of_ticket(&text, rejection.key(), changed, left)
    }

    fn accepted(&self, bet: &AcceptedBetFacts<'_>) -> Vec<u8> {
        let AcceptedBetFacts { ticket_id, ticket_number, placed_at_ms, bet, balance, version: _ } = *bet;
        let message = texts::text(self.lang, "betTaken", &[]);
        taken_body(&Taken { message: &message, ticket_id, ticket_number, placed_at_ms, bet, balance })
    }
}

/// The text of a rejection, with the values that the bettor needs.
fn rejection_text(rejection: Rejection, sides: &str, lang: Lang, currency: &str) -> String {
    let money = |amount| format!("{amount} {currency}");
    let mut values: Vec<(&str, String)> = vec![("match", sides.to_owned())];
    match rejection {
        Rejection::TooManyPairs { max, .. } => values.push(("max", max.to_string())),
        Rejection::TooManyCombinations { max, .. } => values.push(("max", max.to_string())),
        Rejection::StakeOutOfRange { min, max, .. } => values.extend([("min", money(min)), ("max", money(max))]),
        Rejection::OddChanged { seen, now, .. } => {
            values.extend([("seen", seen.to_string()), ("now", now.to_string())]);
        }
        Rejection::NotEnoughBalance { balance, .. } => values.push(("balance", money(balance))),
        Rejection::Owes { receivable } => values.push(("amount", money(receivable))),
        Rejection::OwnLimit { left, .. } => values.push(("left", money(left))),
        Rejection::UserStakeLimit { max }
        | Rejection::MatchStakeLimit { max, .. }
        | Rejection::MatchPayoutLimit { max, .. } => values.push(("max", money(max))),
        _ => {}
    }
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    texts::text(lang, rejection.key(), &values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::{MatchId, OddId};
    use kvota_domain::money::Money;
    use kvota_domain::price::Price;
    use kvota_domain::protection::{ExclusionKind, Flow, LimitKind};
    use kvota_domain::ticket::{Amount, CannotBet, Contradiction};

    #[test]
    fn idempotency_key_must_be_a_uuid() {
        let key = |text| uuid(text).map(|IdempotencyKey(bytes)| bytes[..2].to_vec());
        for (text, first) in [
            ("0193f5c2-7d1e-7000-8000-0123456789ab", Some(vec![0x01, 0x93])),
            ("ABCDEF00-7d1e-4000-8000-0123456789AB", Some(vec![0xab, 0xcd])),
            ("00000000-0000-0000-0000-000000000000", Some(vec![0, 0])),
            ("0193f5c27d1e70008000-0123456789ab", None),
            ("0193f5c27d1e700080000123456789ab", None),
            ("{0193f5c2-7d1e-7000-8000-0123456789ab}", None),
            ("0193f5c2-7d1e-7000-8000-0123456789ag", None),
            ("0193f5c2-7d1e-7000-8000-0123456789abc", None),
            ("-193f5c2-7d1e-7000-8000-0123456789ab", None),
            ("č193f5c2-7d1e-7000-8000-0123456789a", None),
            ("", None),
        ] {
            assert_eq!(key(text), first, "{text}");
        }
    }

    #[test]
    fn every_rejection_has_a_text_in_every_language() {
        let match_id = MatchId::new(7).unwrap();
        let odd_id = OddId::new(8).unwrap();
        let cents = Money::from_cents;
        let price = |thousandths| Price::from_thousandths(thousandths).unwrap();
        let mut all = vec![
            (Rejection::Malformed, vec![]),
            (Rejection::NoKey, vec!["Idempotency-Key"]),
            (Rejection::BettingPaused, vec![]),
            (Rejection::Empty, vec![]),
            (Rejection::TooManyPairs { count: 31, max: 30 }, vec!["30"]),
            (Rejection::MatchTwice { match_id }, vec!["A – B"]),
            (Rejection::FixInStandard, vec![]),
            (Rejection::NoSuchCombination { k: 3, free: 3 }, vec![]),
            (Rejection::TooManyCombinations { count: 20_001, max: 20_000 }, vec!["20000"]),
            (
                Rejection::StakeOutOfRange { stake: cents(1), min: cents(100), max: cents(5_000) },
                vec!["1.00 EUR", "50.00 EUR"],
            ),
            (Rejection::AmountDiffers { amount: Amount::Payout, submitted: cents(1), computed: cents(2) }, vec![]),
            (Rejection::UnknownMatch { match_id }, vec![]),
            (Rejection::UnknownOdd { match_id, odd_id }, vec!["A – B"]),
            (Rejection::Contradiction { match_id, what: Contradiction::Sbv }, vec!["A – B"]),
            (Rejection::OutcomeChanged { match_id, what: Contradiction::Sbv }, vec!["A – B"]),
            (Rejection::OddChanged { match_id, seen: price(1_850), now: price(2_000) }, vec!["A – B", "1.85", "2"]),
            (Rejection::NotEnoughBalance { stake: cents(2), balance: cents(1) }, vec!["0.01 EUR"]),
            (Rejection::Owes { receivable: cents(5) }, vec!["0.05 EUR"]),
            (Rejection::RealityCheck, vec![]),
            (Rejection::UnknownProtection, vec![]),
            (Rejection::InRegister, vec![]),
            (Rejection::RegisterUnknown, vec![]),
            (Rejection::Excluded { kind: ExclusionKind::TimeOut }, vec![]),
            (Rejection::Excluded { kind: ExclusionKind::SelfExclusion }, vec![]),
            (Rejection::UserStakeLimit { max: cents(100) }, vec!["1.00 EUR"]),
            (Rejection::MatchStakeLimit { match_id, max: cents(100) }, vec!["A – B", "1.00 EUR"]),
            (Rejection::MatchPayoutLimit { match_id, max: cents(100) }, vec!["A – B", "1.00 EUR"]),
        ];
        let of_flows = LimitKind::of_flows([Flow::Stake, Flow::Loss, Flow::Deposit]);
        all.extend(of_flows.map(|kind| (Rejection::OwnLimit { kind, left: cents(250) }, vec!["2.50 EUR"])));
        all.extend(CannotBet::ALL.map(|reason| {
            let names_match = !matches!(reason, CannotBet::FeedInactive | CannotBet::FeedRecovering);
            (Rejection::NotBettable { match_id, reason }, if names_match { vec!["A – B"] } else { vec![] })
        }));
        for (rejection, parts) in all {
            for lang in Lang::ALL {
                let text = rejection_text(rejection, "A – B", lang, "EUR");
                assert!(text.contains(' ') && !text.contains("{{"), "{lang:?} {rejection}: {text}");
                assert!(parts.iter().all(|part| text.contains(part)), "{lang:?} {rejection}: {text}");
            }
        }
    }
}
