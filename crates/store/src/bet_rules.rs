//! The JSON encoding of the rules by which a bet was placed. It is stored with the bet, because these rules decide its
//! taxes and its largest payout, even if the configuration changes later (CONTRACT 7). Called by the stores when they
//! write and read bets.
//!
//! All stored versions must stay readable: a member may be added with a default, but no member may change its meaning.

use super::StoreError;
use kvota_domain::bet::BetRules;
use kvota_domain::money::Money;
use kvota_domain::ticket::{ExactOdd, Limits, Percent, Rules, TaxKind, TaxRule, TaxableWin, WinTaxMode};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Encodes rules.
pub(super) fn to_json(stored: &BetRules) -> String {
    let Rules { tax, win_tax_mode, taxable_win, limits } = &stored.rules;
    let tax = tax.iter().map(|rule| {
        json!({
            "kind": rule.kind.code(),
            "from": rule.from.cents(),
            "to": rule.to.map(Money::cents),
            "hundredths": rule.percentage.hundredths(),
        })
    });
    json!({
        "tax": Value::Array(tax.collect()),
        "winTaxMode": win_tax_mode.code(),
        "taxableWin": taxable_win.code(),
        "minStake": limits.min_stake.cents(),
        "maxStake": limits.max_stake.cents(),
        "maxPayout": limits.max_payout.cents(),
        "maxTotalOdd": limits.max_total_odd.to_string(),
        "maxPairs": limits.max_pairs,
        "maxCombinations": limits.max_combinations,
        "voidReturnsStakeTax": stored.void_returns_stake_tax,
    })
    .to_string()
}

/// Decodes rules; `None` if [`to_json`] did not write the text.
pub(super) fn from_json(text: &str) -> Option<BetRules> {
    let value: Value = serde_json::from_str(text).ok()?;
    let cents = |value: &Value| value.as_i64().map(Money::from_cents);
    let rule = |rule: &Value| {
        let kind = [TaxKind::Stake, TaxKind::Win].into_iter().find(|kind| rule["kind"] == kind.code())?;
        let to = match &rule["to"] {
            Value::Null => None,
            to => Some(cents(to)?),
        };
        let hundredths = u16::try_from(rule["hundredths"].as_u64()?).ok()?;
        Some(TaxRule { from: cents(&rule["from"])?, to, percentage: Percent::from_hundredths(hundredths)?, kind })
    };
    let modes = [WinTaxMode::Marginal, WinTaxMode::Whole];
    let wins = [TaxableWin::Profit, TaxableWin::Win];
    Some(BetRules {
        rules: Rules {
            tax: value["tax"].as_array()?.iter().map(rule).collect::<Option<_>>()?,
            win_tax_mode: modes.into_iter().find(|mode| value["winTaxMode"] == mode.code())?,
            taxable_win: wins.into_iter().find(|win| value["taxableWin"] == win.code())?,
            limits: Limits {
                min_stake: cents(&value["minStake"])?,
                max_stake: cents(&value["maxStake"])?,
                max_payout: cents(&value["maxPayout"])?,
                max_total_odd: ExactOdd::parse(value["maxTotalOdd"].as_str()?)?,
                max_pairs: usize::try_from(value["maxPairs"].as_u64()?).ok()?,
                max_combinations: value["maxCombinations"].as_u64()?,
            },
        },
        void_returns_stake_tax: value["voidReturnsStakeTax"].as_bool()?,
    })
}

/// Decoded rules, by their stored text: bets of one batch usually have the same rules.
#[derive(Default)]
pub(super) struct RulesCache(HashMap<String, BetRules>);

impl RulesCache {
    /// Decodes stored rules.
    ///
    /// # Errors
    /// There is no text, or this program did not write it.
    pub(super) fn read(&mut self, text: Option<String>) -> Result<BetRules, StoreError> {
        let text = text.ok_or_else(|| StoreError::corrupt("a bet has no rules"))?;
        if let Some(known) = self.0.get(&text) {
            return Ok(known.clone());
        }
        let rules = from_json(&text).ok_or_else(|| StoreError::corrupt("the rules of a bet cannot be read"))?;
        self.0.insert(text, rules.clone());
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_were_written() {
        let mut rules = BetRules::default();
        assert_eq!(from_json(&to_json(&rules)), Some(rules.clone()));
        rules.void_returns_stake_tax = false;
        rules.rules =
            Rules { win_tax_mode: WinTaxMode::Whole, taxable_win: TaxableWin::Win, ..rules.rules.anonymous() };
        rules.rules.limits.max_total_odd = ExactOdd::from_thousandths(1_500);
        assert_eq!(from_json(&to_json(&rules)), Some(rules));
        for text in ["", "{}", "[]", r#"{"tax": [{"kind": "gift"}]}"#] {
            assert_eq!(from_json(text), None, "{text}");
        }
    }

    #[test]
    fn the_rules_of_the_first_version_stay_readable() {
        let text = r#"{"maxCombinations":20000,"maxPairs":30,"maxPayout":10000000,"maxStake":100000000,
            "maxTotalOdd":"100000","minStake":100,"tax":[{"from":0,"hundredths":500,"kind":"stake","to":null},
            {"from":0,"hundredths":1000,"kind":"win","to":150000},{"from":150000,"hundredths":1500,"kind":"win","to":400000},
            {"from":400000,"hundredths":2000,"kind":"win","to":7000000},{"from":7000000,"hundredths":3000,"kind":"win","to":null}],
            "taxableWin":"profit","voidReturnsStakeTax":true,"winTaxMode":"marginal"}"#;
        assert_eq!(from_json(text), Some(BetRules::default()));
    }
}
