//! Places a bet as the web client does: a POST of the ticket that the hub sent, with an idempotency key. Called by
//! `script.rs`. Must repeat a call only with the same key and body, so that the bet is placed at most once.

use super::fault::Fault;
use super::http::Request;
use super::session::Session;
use super::tally::{Count, Timing};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// How often a bet is sent, including the first time, before it counts as failed.
const SENT_MAX: u32 = 4;
/// The mean pause before a bet is sent again. The actual pause is random: 0.5 to 1.5 times this.
const PAUSE: Duration = Duration::from_secs(1);

/// The body for `POST live/send-ticket`; `None` if the ticket cannot be placed (CONTRACT 4).
pub fn body_of(ticket: &Value) -> Option<String> {
    let pairs = ticket["pairs"].as_array().filter(|pairs| !pairs.is_empty())?;
    let can_be_sent = ticket["builderCode"].is_null() && pairs.iter().all(|pair| pair["canBet"] == true);
    let pair = |pair: &Value| {
        json!({
            "matchId": pair["matchId"], "marketId": pair["oddId"], "marketType": pair["marketType"],
            "marketSubType": pair["marketSubType"], "sbv": pair["sbv"], "oddType": pair["oddType"],
            "oddValue": pair["oddValue"], "isFix": pair["isFix"],
        })
    };
    let body = json!({
        "stake": ticket["taxedStake"], "bruto": ticket["stake"], "potentialWin": ticket["possibleWin"],
        "winTax": ticket["winTax"], "payout": ticket["possiblePayout"], "systemType": 0,
        "consentForChangedOdss": true, "oddsPolicy": "any", "pairs": pairs.iter().map(pair).collect::<Vec<_>>(),
    });
    can_be_sent.then(|| body.to_string())
}

/// An order without an outcome yet.
#[derive(Debug)]
pub struct Order {
    key: String,
    body: String,
    intended: Instant,
    is_sent: bool,
}

impl Session {
    /// Places a bet. `intended` is when the script wanted to place it: latency is also measured from there, so that a
    /// delayed client does not hide a slow server.
    pub(super) async fn place(&mut self, body: String, intended: Instant) {
        self.order = Some(Order { key: self.random.uuid(), body, intended, is_sent: false });
        self.follow_the_order().await;
    }

    /// Sends the order until it has an outcome. Repeats the call with the same key if there is no answer, or a 429 or
    /// 503. A rejection (400) is a normal outcome, not an error. If the hub's connection ends meanwhile, the order is
    /// kept, and followed after the next one has begun.
    pub(super) async fn follow_the_order(&mut self) {
        let Some(Order { key, body, intended, .. }) = &self.order else { return };
        let intended = *intended;
        let headers = format!("Idempotency-Key: {key}\r\nAccept: application/json\r\n");
        let cookie = self.cookie.clone();
        let limit = self.worker.settings.bet_limit;
        let path = format!("/api/v1/live/send-ticket?lang={}", self.lang);
        let body = body.clone();
        let request = Request { headers: &headers, cookie: cookie.as_deref(), ..Request::post(&path, &body, limit) };
        let started = Instant::now();
        let mut last = Fault::NoAnswer;
        for sent in 0..SENT_MAX {
            if sent > 0 {
                tokio::time::sleep(self.random.up_to(PAUSE) + PAUSE / 2).await;
            }
            let was_sent = self.order.as_mut().is_some_and(|order| std::mem::replace(&mut order.is_sent, true));
            let sent = if was_sent { Count::BetsRepeated } else { Count::BetsSent };
            self.worker.tally(self.persona).count(sent, 1);
            let answer = self.line.call(&request).await;
            let now = Instant::now();
            let mut tally = self.worker.tally(self.persona);
            match answer {
                Ok(answer) => {
                    tally.count(Count::Calls, 1);
                    tally.count(Count::CallBytes, answer.body_bytes);
                    let outcome = match answer.status {
                        200 => Some(Count::BetsTaken),
                        400 => Some(Count::BetsRefused),
                        _ => None,
                    };
                    if answer.status == 400 {
                        tally.refusal(reason_of(&answer.body));
                    }
                    if let Some(outcome) = outcome {
                        tally.count(outcome, 1);
                        tally.time(Timing::Bet, now.duration_since(intended), now.duration_since(started));
                        self.order = None;
                        return;
                    }
                    last = Fault::Status(answer.status);
                    if !matches!(answer.status, 429 | 503) {
                        break;
                    }
                    if answer.has_retry_after {
                        tally.count(Count::Shed, 1);
                    }
                    tally.error(format!("bet: {last}"));
                }
                Err(fault) => {
                    tally.error(format!("bet: {fault}"));
                    last = fault;
                }
            }
        }
        self.order = None;
        let mut tally = self.worker.tally(self.persona);
        tally.count(Count::BetsFailed, 1);
        tally.error(format!("bet given up: {last}"));
    }
}

impl Drop for Session {
    /// Whatever ends a session, an order that it sent is in a count.
    fn drop(&mut self) {
        if self.order.as_ref().is_some_and(|order| order.is_sent) {
            self.worker.tally(self.persona).count(Count::BetsLeft, 1);
        }
    }
}

/// The code of a rejection.
fn reason_of(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    body["reason"].as_str().unwrap_or("without a reason").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_sendable_ticket_has_a_body() {
        let pair = json!({"matchId": 1, "marketId": 2, "oddId": 3, "canBet": true, "marketType": 1, "oddValue": 1.85});
        let ticket = |code: Value, pairs: Value| json!({"builderCode": code, "pairs": pairs, "taxedStake": "0.95"});
        let body = body_of(&ticket(Value::Null, json!([pair]))).expect("a body");
        let body: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!(body["pairs"][0]["marketId"], 3, "what the contract calls marketId is the odd's id");
        assert_eq!(body["stake"], "0.95");
        assert_eq!(body_of(&ticket(Value::Null, json!([]))), None);
        assert_eq!(body_of(&ticket(json!(1), json!([pair]))), None);
        let mut closed = pair.clone();
        closed["canBet"] = json!(false);
        assert_eq!(body_of(&ticket(Value::Null, json!([pair, closed]))), None);
    }
}
