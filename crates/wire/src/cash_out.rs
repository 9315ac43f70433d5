//! The bodies of the calls that cash a bet out, and of their answers (CONTRACT 8). Must validate only the format.

use super::bets::RemainingBody;
use super::json::Json;
use kvota_domain::bet::{BetState, CashOutRule, TicketId};
use kvota_domain::money::Money;
use kvota_domain::settlement::{CashOut, CashOutShare};
use serde::Serialize;

/// The body of `POST account/tickets/{id}/cash-out`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOutRequest {
    /// The share of what is left of the bet.
    pub share: CashOutShare,
    /// The net amount that was shown for the whole bet, in cents.
    pub net: Money,
    /// Whether a lower net amount is accepted too.
    pub accepts_lower: bool,
}

/// The request of a body; `None` if a member is missing or has another format than the contract's.
pub fn read(body: &Json) -> Option<CashOutRequest> {
    let Json::Text(share) = body.member("share")? else { return None };
    let accepts_lower = match body.member("accept") {
        None => false,
        Some(Json::Text(accept)) if accept == "higher" => false,
        Some(Json::Text(accept)) if accept == "any" => true,
        Some(_) => return None,
    };
    Some(CashOutRequest { share: CashOutShare::parse(share)?, net: amount(body.member("net")?)?, accepts_lower })
}

/// The rule of `PUT account/tickets/{id}/cash-out-rule`; `None` if the amount is missing, malformed or 0.
pub fn read_rule(body: &Json) -> Option<CashOutRule> {
    let at_least = amount(body.member("atLeast")?)?;
    (at_least > Money::ZERO).then_some(CashOutRule { at_least })
}

fn amount(value: &Json) -> Option<Money> {
    match value {
        Json::Number(text) | Json::Text(text) => Money::parse(text),
        _ => None,
    }
}

/// The answer for a bet that was cashed out, or was settled first.
#[derive(Clone, Copy, Debug)]
pub struct CashOutAnswer<'a> {
    /// A text for people.
    pub message: &'a str,
    /// The bet.
    pub ticket_id: &'a TicketId,
    /// The requested share.
    pub share: CashOutShare,
    /// The cash-out; `None` if a settlement came first.
    pub cash_out: Option<&'a CashOut>,
    /// The balance of the account after it, in cents.
    pub balance: Money,
    /// The state of the bet after it.
    pub state: BetState,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnswerBody<'a> {
    message: &'a str,
    ticket_id: &'a str,
    share: String,
    paid: Option<String>,
    win_tax: Option<String>,
    remaining: Option<RemainingBody>,
    balance: String,
    state: &'static str,
}

/// The bytes of an answer.
pub fn answer_body(answer: &CashOutAnswer<'_>) -> Vec<u8> {
    let CashOutAnswer { message, ticket_id, share, cash_out, balance, state } = *answer;
    let body = AnswerBody {
        message,
        ticket_id: ticket_id.as_str(),
        share: share.to_string(),
        paid: cash_out.map(|cash_out| cash_out.paid.to_string()),
        win_tax: cash_out.map(|cash_out| cash_out.win_tax.to_string()),
        remaining: cash_out.and_then(|cash_out| cash_out.rest.as_ref()).map(RemainingBody::of),
        balance: balance.to_string(),
        state: state.as_str(),
    };
    // Writing into memory cannot fail, and all keys are strings.
    serde_json::to_vec(&body).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(body: &str) -> Option<CashOutRequest> {
        read(&Json::parse(body.as_bytes()).expect("JSON"))
    }

    #[test]
    fn a_request_has_a_share_the_shown_amount_and_what_is_accepted() {
        let request = parsed(r#"{"share": "0.5", "net": "14.49"}"#).unwrap();
        assert_eq!((request.share.hundredths(), request.net.cents(), request.accepts_lower), (50, 1449, false));
        for (body, accepts_lower) in [
            (r#"{"share": "1", "net": 14.49, "accept": "higher"}"#, Some(false)),
            (r#"{"share": "1", "net": "14.49", "accept": "any", "other": 1}"#, Some(true)),
            (r#"{"share": "1", "net": "14.49", "accept": "lower"}"#, None),
            (r#"{"share": "1", "net": "14.49", "accept": true}"#, None),
            (r#"{"share": 1, "net": "14.49"}"#, None),
            (r#"{"share": "0.04", "net": "14.49"}"#, None),
            (r#"{"share": "1", "net": "14.499"}"#, None),
            (r#"{"share": "1", "net": "-1"}"#, None),
            (r#"{"share": "1"}"#, None),
            (r#"{"net": "14.49"}"#, None),
            ("[]", None),
        ] {
            assert_eq!(parsed(body).map(|request| request.accepts_lower), accepts_lower, "{body}");
        }
    }

    #[test]
    fn a_rule_is_an_amount_above_0() {
        for (body, cents) in [
            (r#"{"atLeast": "12.50"}"#, Some(1250)),
            (r#"{"atLeast": 12}"#, Some(1200)),
            (r#"{"atLeast": "0.00"}"#, None),
            (r#"{"atLeast": null}"#, None),
            ("{}", None),
        ] {
            let rule = read_rule(&Json::parse(body.as_bytes()).expect("JSON"));
            assert_eq!(rule.map(|rule| rule.at_least.cents()), cents, "{body}");
        }
    }
}
