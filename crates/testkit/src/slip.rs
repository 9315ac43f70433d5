//! Submitted tickets as a correct client sends them, with amounts by the default rules. Used by tests of the placement,
//! of the HTTP calls and of the whole program.
//!
//! Must calculate only with the domain's code: tests of that calculation have their own reference.

use crate::builders::{match_id, money, odd_id, price};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::ticket::{Consent, Leg, Rules, SubmittedPair, SubmittedTicket, TicketKind, Totals, totals};
use serde_json::{Value, json};

/// The home win of a [`crate::builders::usual_match`], at the price that the bettor saw.
#[track_caller]
pub fn home_win(id: u64, seen: Price) -> SubmittedPair {
    SubmittedPair {
        match_id: match_id(id),
        odd_id: odd_id(id * 1_000),
        market_kind: 1,
        market_subtype: None,
        sbv: None,
        odd_kind: Some("1".into()),
        odd_value: seen,
        is_fix: false,
    }
}

/// A standard slip with correct amounts.
pub fn slip(bruto: Money, consent: Consent, pairs: impl IntoIterator<Item = SubmittedPair>) -> SubmittedTicket {
    with_amounts(SubmittedTicket {
        stake: bruto,
        bruto,
        potential_win: bruto,
        win_tax: bruto,
        payout: bruto,
        system_type: 0,
        consent,
        pairs: pairs.into_iter().collect(),
    })
}

/// The slip with the amounts recalculated from its odds.
pub fn with_amounts(ticket: SubmittedTicket) -> SubmittedTicket {
    let legs: Vec<Leg> = ticket.pairs.iter().map(|pair| Leg { price: pair.odd_value, is_fix: pair.is_fix }).collect();
    let numbers = counted(ticket.system_type, &legs, ticket.bruto);
    SubmittedTicket {
        stake: numbers.taxed_stake,
        potential_win: numbers.possible_win,
        win_tax: numbers.win_tax,
        payout: numbers.possible_payout,
        ..ticket
    }
}

/// The totals of these legs for this stake: a standard ticket (k = 0) or a system.
pub fn counted(k: u8, legs: &[Leg], bruto: Money) -> Totals {
    let kind = if k == 0 { TicketKind::Standard } else { TicketKind::System };
    totals(kind, (k > 0).then_some(k), legs, bruto, &Rules::default())
}

/// The body of `send-ticket` for the home wins of usual matches at these prices, with correct amounts.
#[track_caller]
pub fn slip_body(system_type: u8, bruto: &str, pairs: &[(u64, &str)]) -> Value {
    let pairs: Vec<Value> = pairs.iter().map(|(id, odd)| home_win_body(*id, odd)).collect();
    let ticket = json!({"bruto": bruto, "systemType": system_type, "consentForChangedOdss": false, "pairs": pairs});
    body_with_amounts(ticket)
}

/// The home win of a usual match, as a pair of such a body.
pub fn home_win_body(id: u64, odd: &str) -> Value {
    json!({
        "matchId": id, "marketId": id * 1_000, "marketType": 1, "marketSubType": null, "sbv": null,
        "oddType": "1", "oddValue": odd, "isFix": false,
    })
}

/// The body with the amounts recalculated from its odds. Its odds and `bruto` must be strings.
#[track_caller]
pub fn body_with_amounts(mut ticket: Value) -> Value {
    let text = |value: &Value| value.as_str().expect("odds and amounts are written as texts here").to_owned();
    let k = ticket["systemType"].as_u64().and_then(|k| u8::try_from(k).ok()).expect("a type is a small number");
    let pairs = ticket["pairs"].as_array().expect("pairs are a list");
    let leg = |pair: &Value| Leg { price: price(&text(&pair["oddValue"])), is_fix: pair["isFix"] == json!(true) };
    let legs: Vec<Leg> = pairs.iter().map(leg).collect();
    let numbers = counted(k, &legs, money(&text(&ticket["bruto"])));
    for (name, amount) in [
        ("stake", numbers.taxed_stake),
        ("potentialWin", numbers.possible_win),
        ("winTax", numbers.win_tax),
        ("payout", numbers.possible_payout),
    ] {
        ticket[name] = json!(amount.to_string());
    }
    ticket
}

/// The idempotency key with this number.
pub fn key(number: u64) -> String {
    format!("0193f5c2-7d1e-7000-8000-{number:012x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_wire::json::Json;
    use kvota_wire::ticket::read;

    #[test]
    fn slip_equals_its_parsed_body() {
        let of_kit = slip(money("10"), Consent::None, [home_win(1, price("1.5")), home_win(2, price("2.75"))]);
        let body = slip_body(0, "10.00", &[(1, "1.5"), (2, "2.75")]);
        let read = Json::parse(body.to_string().as_bytes()).and_then(|json| read(&json));
        assert_eq!(read, Some(of_kit));
        assert_eq!(body["stake"], "9.50");
    }
}
