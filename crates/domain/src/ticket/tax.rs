//! The two taxes (CONTRACT 4, *Tax*). Each is rounded once, half up, where the contract's table says so.

use super::rules::{Percent, Rules, TaxKind, TaxRule, WinTaxMode};
use crate::money::Money;

/// Hundredths of a per cent in the whole.
const WHOLE: i128 = 10_000;

/// The tax percentage of a stake: that of the stake rule with from <= stake < to, or 0.
pub fn stake_tax(stake: Money, rules: &Rules) -> Percent {
    percentage_at(stake, TaxKind::Stake, rules)
}

/// The stake after tax: `round2(stake - stake * percentage / 100)`.
pub(super) fn after_stake_tax(stake: Money, percentage: Percent) -> Money {
    let left = WHOLE.saturating_sub(percentage.hundredths().into());
    rounded(i128::from(stake.cents()).saturating_mul(left))
}

/// The tax on a taxable win: the sum over the brackets, or in the mode `whole` one bracket's percentage of the whole
/// win.
pub fn win_tax(taxable: Money, rules: &Rules) -> Money {
    let taxable = taxable.max(Money::ZERO);
    match rules.win_tax_mode {
        WinTaxMode::Marginal => {
            let parts = rules.tax_of(TaxKind::Win).map(|rule| of(part_inside(rule, taxable), rule.percentage));
            rounded(parts.fold(0, i128::saturating_add))
        }
        WinTaxMode::Whole => rounded(of(taxable.cents().into(), win_tax_percentage(taxable, rules))),
    }
}

/// The percentage of the bracket that contains a taxable win, or 0.
pub fn win_tax_percentage(taxable: Money, rules: &Rules) -> Percent {
    percentage_at(taxable, TaxKind::Win, rules)
}

fn percentage_at(amount: Money, kind: TaxKind, rules: &Rules) -> Percent {
    rules.tax_of(kind).find(|rule| rule.holds(amount)).map_or(Percent::ZERO, |rule| rule.percentage)
}

/// Cents of the amount that lie inside a bracket.
fn part_inside(rule: &TaxRule, amount: Money) -> i128 {
    let end = rule.to.map_or(amount, |to| amount.min(to));
    i128::from(end.cents()).saturating_sub(rule.from.cents().into()).max(0)
}

/// A percentage of cents, in ten thousandths of a cent.
fn of(cents: i128, percentage: Percent) -> i128 {
    cents.saturating_mul(percentage.hundredths().into())
}

/// round2 of ten thousandths of a cent, half up.
fn rounded(ten_thousandths: i128) -> Money {
    let cents = ten_thousandths.saturating_add(5_000).div_euclid(WHOLE);
    Money::from_cents(i64::try_from(cents).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents)
    }

    fn tax(kind: TaxKind, from: i64, to: Option<i64>, hundredths: u16) -> TaxRule {
        let percentage = Percent::from_hundredths(hundredths).unwrap();
        TaxRule { from: cents(from), to: to.map(cents), percentage, kind }
    }

    #[test]
    fn each_bracket_taxes_its_own_part() {
        for (taxable, marginal, whole, per_cent) in [
            (0, 0, 0, "10"),
            (2624, 262, 262, "10"),
            (2625, 263, 263, "10"),
            (4, 0, 0, "10"),
            (5, 1, 1, "10"),
            (149_999, 15_000, 15_000, "10"),
            (150_000, 15_000, 22_500, "15"),
            (400_000, 52_500, 80_000, "20"),
            (7_000_000, 1_372_500, 2_100_000, "30"),
            (10_000_000, 2_272_500, 3_000_000, "30"),
            (-500, 0, 0, "0"),
        ] {
            let mut rules = Rules::default();
            assert_eq!(win_tax(cents(taxable), &rules), cents(marginal), "marginal {taxable}");
            assert_eq!(win_tax_percentage(cents(taxable), &rules).to_string(), per_cent, "{taxable}");
            rules.win_tax_mode = WinTaxMode::Whole;
            assert_eq!(win_tax(cents(taxable), &rules), cents(whole), "whole {taxable}");
            assert_eq!(win_tax(cents(taxable), &rules.anonymous()), Money::ZERO);
        }
    }

    #[test]
    fn brackets_are_added_before_they_are_rounded() {
        let tax = vec![tax(TaxKind::Win, 0, Some(4), 1_000), tax(TaxKind::Win, 4, None, 1_000)];
        let rules = Rules { tax, ..Rules::default() };
        assert_eq!(win_tax(cents(8), &rules), cents(1), "0.4 and 0.4 of a cent are one");
    }

    #[test]
    fn amount_outside_all_brackets_is_not_taxed() {
        let tax = vec![tax(TaxKind::Win, 1000, Some(2000), 1_000), tax(TaxKind::Win, 3000, None, 2_000)];
        let mut rules = Rules { tax, ..Rules::default() };
        for (taxable, marginal, whole) in [(500, 0, 0), (1500, 50, 150), (2500, 100, 0), (4000, 300, 800)] {
            rules.win_tax_mode = WinTaxMode::Marginal;
            assert_eq!(win_tax(cents(taxable), &rules), cents(marginal), "marginal {taxable}");
            rules.win_tax_mode = WinTaxMode::Whole;
            assert_eq!(win_tax(cents(taxable), &rules), cents(whole), "whole {taxable}");
        }
    }

    #[test]
    fn the_stakes_rule_holds_from_its_beginning_to_before_its_end() {
        let tax = vec![tax(TaxKind::Stake, 1000, Some(2000), 500), tax(TaxKind::Stake, 2000, None, 1_000)];
        let rules = Rules { tax, ..Rules::default() };
        for (stake, taxed) in [(999, 999), (1000, 950), (1001, 951), (1999, 1899), (2000, 1800)] {
            let percentage = stake_tax(cents(stake), &rules);
            assert_eq!(after_stake_tax(cents(stake), percentage), cents(taxed), "{stake}");
        }
    }

    #[test]
    fn the_largest_amounts_do_not_overflow() {
        let rules = Rules::default();
        assert!(win_tax(cents(i64::MAX), &rules) > Money::ZERO);
        assert!(after_stake_tax(cents(i64::MAX), Percent::ZERO) == cents(i64::MAX));
        assert_eq!(after_stake_tax(cents(1000), Percent::ALL), Money::ZERO);
        let tax = vec![tax(TaxKind::Win, i64::MIN, None, 10_000), tax(TaxKind::Win, i64::MIN, None, 10_000)];
        assert_eq!(win_tax(cents(i64::MAX), &Rules { tax, ..Rules::default() }), cents(i64::MAX));
    }
}
