//! GET live/rules: the taxes, limits and delays that a client needs to calculate as the server does (CONTRACT 2).
//! Anonymous users pay no taxes. All numbers are JSON numbers, written from their exact decimal text.

use crate::http::AppState;
use crate::http::account::{logged_in, private};
use crate::http::error::ApiError;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::money::Money;
use kvota_domain::settlement::CashOutTerms;
use kvota_domain::ticket::{Delays, Limits, Rules, TaxRule};
use kvota_wire::ticket::number;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    tax: Vec<TaxBody>,
    limits: LimitsBody,
    /// The delay of a bet in seconds, by sport; `default` for all other sports.
    delays: BTreeMap<String, u32>,
    cash_out: CashOutBody,
}

/// The rules of cash-outs (CONTRACT 8).
#[derive(Serialize)]
struct CashOutBody {
    enabled: bool,
    /// In per cent.
    margin: String,
    min: String,
    cap: &'static str,
}

#[derive(Serialize)]
struct TaxBody {
    from: Box<RawValue>,
    to: Option<Box<RawValue>>,
    percentage: Box<RawValue>,
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LimitsBody {
    min_stake: Box<RawValue>,
    max_stake: Box<RawValue>,
    max_payout: Box<RawValue>,
    max_total_odd: Box<RawValue>,
    max_pairs: usize,
    max_combinations: u64,
    win_tax_mode: &'static str,
    taxable_win: &'static str,
}

/// 200; 503 if the store is unavailable.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let betting = state.placements.betting();
    let rules = match logged_in(&req, &state).await {
        Ok(_) => betting.rules.clone(),
        Err(ApiError::LoginRequired) => betting.rules.anonymous(),
        Err(error) => return Err(error),
    };
    Ok(private(StatusCode::OK).json(body(&rules, &betting.delays, &betting.cash_out)))
}

fn body(rules: &Rules, delays: &Delays, cash_out: &CashOutTerms) -> Body {
    let by_sport = delays.by_sport.iter().map(|(sport, seconds)| (sport.to_string(), *seconds));
    Body {
        tax: rules.tax.iter().map(tax).collect(),
        limits: limits(rules, &rules.limits),
        delays: by_sport.chain([("default".to_owned(), delays.default_seconds)]).collect(),
        cash_out: CashOutBody {
            enabled: cash_out.is_enabled,
            margin: cash_out.margin.to_string(),
            min: cash_out.min.to_string(),
            cap: if cash_out.is_capped_at_stake { "stake" } else { "none" },
        },
    }
}

fn tax(rule: &TaxRule) -> TaxBody {
    let amount = |amount: Money| number(&amount);
    TaxBody {
        from: amount(rule.from),
        to: rule.to.map(amount),
        percentage: number(&rule.percentage),
        kind: rule.kind.code(),
    }
}

fn limits(rules: &Rules, limits: &Limits) -> LimitsBody {
    LimitsBody {
        min_stake: number(&limits.min_stake),
        max_stake: number(&limits.max_stake),
        max_payout: number(&limits.max_payout),
        max_total_odd: number(&limits.max_total_odd),
        max_pairs: limits.max_pairs,
        max_combinations: limits.max_combinations,
        win_tax_mode: rules.win_tax_mode.code(),
        taxable_win: rules.taxable_win.code(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::SportId;

    #[test]
    fn the_default_rules_are_written_as_the_contract_has_them() {
        let delays = Delays { default_seconds: 5, by_sport: [(SportId::new(1).unwrap(), 4)].into() };
        let written = serde_json::to_string(&body(&Rules::default(), &delays, &CashOutTerms::default())).unwrap();
        assert_eq!(
            written,
            concat!(
                r#"{"tax":[{"from":0,"to":null,"percentage":5,"type":"stake"},"#,
                r#"{"from":0,"to":1500,"percentage":10,"type":"win"},"#,
                r#"{"from":1500,"to":4000,"percentage":15,"type":"win"},"#,
                r#"{"from":4000,"to":70000,"percentage":20,"type":"win"},"#,
                r#"{"from":70000,"to":null,"percentage":30,"type":"win"}],"#,
                r#""limits":{"minStake":1,"maxStake":1000000,"maxPayout":100000,"maxTotalOdd":100000,"maxPairs":30,"#,
                r#""maxCombinations":20000,"winTaxMode":"marginal","taxableWin":"profit"},"#,
                r#""delays":{"1":4,"default":5},"#,
                r#""cashOut":{"enabled":true,"margin":"5","min":"0.10","cap":"none"}}"#,
            )
        );
    }
}
