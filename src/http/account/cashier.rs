//! POST account/deposit and account/withdraw, for installations with kvota's own cashier (CONTRACT 9). A repeated key gets
//! the stored answer.

use super::{logged_in, store_error_to_api};
use crate::betting::cashier::CashierKind;
use crate::http::error::{self, ApiError};
use crate::http::limits::PAYMENT_CENTS_MAX;
use crate::http::live::send_ticket::{KEY, stored_answer, uuid};
use crate::http::{AppState, json, language, reply, texts};
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::ticket::Rejection;
use kvota_store::{Paid, Payment, PaymentKind, PaymentObstacle};
use kvota_wire::cashier::{payment_answer, read_amount};
use kvota_wire::json::Json;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::time::Instant;

/// 200; 400 for a missing key, another amount, an exclusion or a limit; 401; 403 without a cashier; 409, 429, 503.
pub(crate) async fn deposit(
    req: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    pay(req, state, payload, PaymentKind::Deposit).await
}

/// 200; 400 for a missing key, or an amount above the balance; 401; 403 without a cashier; 409, 429, 503.
pub(crate) async fn withdraw(
    req: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    pay(req, state, payload, PaymentKind::Withdrawal).await
}

async fn pay(
    req: HttpRequest,
    state: web::Data<AppState>,
    payload: web::Payload,
    kind: PaymentKind,
) -> Result<HttpResponse, ApiError> {
    let account = logged_in(&req, &state).await?;
    if state.cashier.kind() == CashierKind::None {
        return Err(ApiError::NoCashier);
    }
    state.accounts.tries.bets.take(account, Instant::now())?;
    let body = json::body(&req, payload.into_inner()).await?;
    let lang = language::of(&req).lang;
    let currency = &state.accounts.currency;
    let rejected = |text: String| Ok(stored_answer(400, error::body(&text)));
    let Some(key) = reply::header(req.headers(), KEY).and_then(uuid) else {
        return rejected(texts::text(lang, Rejection::NoKey.key(), &[]));
    };
    let json = Json::parse(&body).ok_or(ApiError::Json)?;
    let most = Money::from_cents(PAYMENT_CENTS_MAX);
    let amount = read_amount(&json).filter(|amount| *amount > Money::ZERO && *amount <= most);
    let Some(amount) = amount else {
        let (min, max) = (money(Money::from_cents(1), currency), money(most, currency));
        return rejected(texts::text(lang, "errorPaymentAmount", &[("min", &min), ("max", &max)]));
    };
    // A deposit that was booked before gets its answer, whatever the register says now.
    let obstacle = match kind {
        PaymentKind::Withdrawal => None,
        PaymentKind::Deposit => {
            let asked = state.register.obstacle(&*state.stores.accounts, account).await;
            asked.map_err(store_error_to_api)?
        }
    };
    let word: &[u8] = match kind {
        PaymentKind::Deposit => b"deposit:",
        PaymentKind::Withdrawal => b"withdrawal:",
    };
    let digest = Sha256::digest([word, json.canonical().as_bytes()].concat()).into();
    let answer = Arc::new(move |money: &kvota_domain::bet::AccountMoney| payment_answer(amount, money));
    let (is_refused, now_ms) = (obstacle.is_some(), (state.now_ms)());
    let payment = Payment { account, kind, is_refused, amount, key, digest, answer, now_ms };
    match state.cashier.pay(payment).await.map_err(store_error_to_api)?.ok_or(ApiError::NoCashier)? {
        Paid::Paid { answer, .. } | Paid::Replayed(answer) => Ok(stored_answer(answer.status, answer.body)),
        Paid::KeyConflict => Err(ApiError::KeyUsed),
        Paid::Rejected(PaymentObstacle::Refused) => {
            let key = obstacle.map_or("errorDepositExcluded", Rejection::key);
            rejected(texts::text(lang, key, &[]))
        }
        Paid::Rejected(obstacle) => rejected(obstacle_text(obstacle, lang, currency)),
    }
}

fn money(amount: Money, currency: &str) -> String {
    format!("{amount} {currency}")
}

fn obstacle_text(obstacle: PaymentObstacle, lang: Lang, currency: &str) -> String {
    match obstacle {
        PaymentObstacle::NotEnough { balance } => {
            texts::text(lang, "errorWithdrawalBalance", &[("balance", &money(balance, currency))])
        }
        PaymentObstacle::Excluded(_) | PaymentObstacle::Refused => texts::text(lang, "errorDepositExcluded", &[]),
        PaymentObstacle::UnknownProtection => texts::text(lang, Rejection::UnknownProtection.key(), &[]),
        PaymentObstacle::OwnLimit(allowance) => {
            let rejection = Rejection::OwnLimit { kind: allowance.kind, left: allowance.left };
            texts::text(lang, rejection.key(), &[("left", &money(allowance.left, currency))])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::protection::{Allowance, Exclusion, ExclusionKind, LimitKind};

    #[test]
    fn every_obstacle_has_a_text_in_every_language() {
        let left = Money::from_cents(250);
        for (obstacle, part) in [
            (PaymentObstacle::NotEnough { balance: left }, "2.50 EUR"),
            (PaymentObstacle::UnknownProtection, " "),
            (PaymentObstacle::Excluded(Exclusion { kind: ExclusionKind::TimeOut, until_ms: None }), " "),
            (PaymentObstacle::OwnLimit(Allowance { kind: LimitKind::DepositDay, left }), "2.50 EUR"),
        ] {
            for lang in Lang::ALL {
                let text = obstacle_text(obstacle, lang, "EUR");
                assert!(text.contains(part) && !text.contains("{{"), "{lang:?} {obstacle:?}: {text}");
            }
        }
    }
}
