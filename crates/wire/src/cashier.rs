//! The bodies of `account/deposit` and `account/withdraw`, and of their answers (CONTRACT 9).

use super::json::Json;
use kvota_domain::bet::AccountMoney;
use kvota_domain::money::Money;
use serde::Serialize;

/// The amount of a body, as text or number; `None` for another format.
pub fn read_amount(body: &Json) -> Option<Money> {
    match body.member("amount")? {
        Json::Number(text) | Json::Text(text) => Money::parse(text),
        _ => None,
    }
}

#[derive(Serialize)]
struct PaymentBody {
    amount: String,
    balance: String,
    receivable: String,
}

/// The bytes of the answer to a payment, with the money of the account after it.
pub fn payment_answer(amount: Money, money: &AccountMoney) -> Vec<u8> {
    let (balance, receivable) = (money.balance.to_string(), money.receivable.to_string());
    // Writing into memory cannot fail, and all keys are strings.
    serde_json::to_vec(&PaymentBody { amount: amount.to_string(), balance, receivable }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amount_is_read_exactly_or_not_at_all() {
        let read = |text: &str| read_amount(&Json::parse(text.as_bytes()).unwrap());
        for (text, cents) in [(r#"{"amount": "10.5"}"#, 1_050), (r#"{"amount": 0.29}"#, 29), (r#"{"amount": "0"}"#, 0)]
        {
            assert_eq!(read(text), Some(Money::from_cents(cents)), "{text}");
        }
        for text in
            ["{}", "[]", r#"{"amount": null}"#, r#"{"amount": -1}"#, r#"{"amount": 1e3}"#, r#"{"amount": "1.005"}"#]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
