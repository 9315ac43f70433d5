//! Taxes and limits of a ticket: data, not code (CONTRACT 4, *Tax*; CONTRACT 2, `live/rules`). Read from the
//! configuration and passed to every function that calculates money.

use super::exact::ExactOdd;
use crate::money::Money;
use std::fmt;
use thiserror::Error;

/// A percentage from 0 to 100, exact to hundredths of a per cent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Percent(u16);

impl Percent {
    /// 0 %.
    pub const ZERO: Percent = Percent(0);
    /// 100 %.
    pub const ALL: Percent = Percent(10_000);

    /// The percentage of this many hundredths of a per cent; `None` above 100 %.
    pub const fn from_hundredths(hundredths: u16) -> Option<Percent> {
        if hundredths <= Percent::ALL.0 { Some(Percent(hundredths)) } else { None }
    }

    /// In hundredths of a per cent: 12.5 % is 1250.
    pub const fn hundredths(self) -> u16 {
        self.0
    }

    /// Parses a configured percentage: digits with at most 2 decimals after a point. `None` above 100.
    pub fn parse(text: &str) -> Option<Percent> {
        let hundredths = Money::parse(text)?.cents();
        Percent::from_hundredths(u16::try_from(hundredths).ok()?)
    }
}

/// Trailing zeros dropped: `12.5`, `5`.
impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ExactOdd::from_thousandths(u64::from(self.0).saturating_mul(10)).fmt(f)
    }
}

/// What is taxed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaxKind {
    /// The stake, when the bet is placed.
    Stake,
    /// The taxable win.
    Win,
}

impl TaxKind {
    /// Its code in `live/rules` and in the configuration.
    pub const fn code(self) -> &'static str {
        match self {
            TaxKind::Stake => "stake",
            TaxKind::Win => "win",
        }
    }
}

/// A tax percentage for amounts `from <= x < to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaxRule {
    /// The first amount it applies to.
    pub from: Money,
    /// The first amount it no longer applies to; `None` for no end.
    pub to: Option<Money>,
    /// The tax percentage.
    pub percentage: Percent,
    /// What is taxed.
    pub kind: TaxKind,
}

impl TaxRule {
    /// Whether the amount is in the range.
    pub fn holds(&self, amount: Money) -> bool {
        self.from <= amount && self.to.is_none_or(|to| amount < to)
    }

    fn overlaps(&self, other: &TaxRule) -> bool {
        let begins_before_end = |a: &TaxRule, b: &TaxRule| b.to.is_none_or(|to| a.from < to);
        self.kind == other.kind && begins_before_end(self, other) && begins_before_end(other, self)
    }
}

/// How the brackets of the win tax apply (`win_tax_mode`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WinTaxMode {
    /// Each percentage applies to the part of the taxable win inside its bracket.
    #[default]
    Marginal,
    /// The percentage of the bracket that contains the taxable win applies to the whole win.
    Whole,
}

impl WinTaxMode {
    /// Its code in `live/rules` and in the configuration.
    pub const fn code(self) -> &'static str {
        match self {
            WinTaxMode::Marginal => "marginal",
            WinTaxMode::Whole => "whole",
        }
    }
}

/// Which part of the win is taxed (`taxable_win`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TaxableWin {
    /// The win minus the taxed stake.
    #[default]
    Profit,
    /// The whole win.
    Win,
}

impl TaxableWin {
    /// Its code in `live/rules` and in the configuration.
    pub const fn code(self) -> &'static str {
        match self {
            TaxableWin::Profit => "profit",
            TaxableWin::Win => "win",
        }
    }
}

/// The limits of a ticket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The minimum stake, before tax.
    pub min_stake: Money,
    /// The maximum stake, before tax.
    pub max_stake: Money,
    /// The maximum payout of one bet.
    pub max_payout: Money,
    /// The maximum total odd; a larger one is clamped to it.
    pub max_total_odd: ExactOdd,
    /// Maximum pairs on one ticket.
    pub max_pairs: usize,
    /// Maximum combinations of one placed ticket.
    pub max_combinations: u64,
}

/// An amount without cents.
const fn euros(amount: i64) -> Money {
    Money::from_cents(amount.saturating_mul(100))
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            min_stake: euros(1),
            max_stake: euros(1_000_000),
            max_payout: euros(100_000),
            max_total_odd: ExactOdd::from_thousandths(100_000_000),
            max_pairs: PAIRS_MAX,
            max_combinations: 20_000,
        }
    }
}

/// Taxes and limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// In the configured order; for any amount at most one rule of each kind applies.
    pub tax: Vec<TaxRule>,
    /// How the brackets of the win tax apply.
    pub win_tax_mode: WinTaxMode,
    /// Which part of the win is taxed.
    pub taxable_win: TaxableWin,
    /// The limits of a ticket.
    pub limits: Limits,
}

/// Croatia: 5 % of the stake; of the win 10 % to 1,500, 15 % to 4,000, 20 % to 70,000, 30 % above.
impl Default for Rules {
    fn default() -> Rules {
        let rule = |kind, from, to: Option<i64>, per_cent: u16| TaxRule {
            from: euros(from),
            to: to.map(euros),
            percentage: Percent(per_cent.saturating_mul(100)),
            kind,
        };
        let tax = vec![
            rule(TaxKind::Stake, 0, None, 5),
            rule(TaxKind::Win, 0, Some(1_500), 10),
            rule(TaxKind::Win, 1_500, Some(4_000), 15),
            rule(TaxKind::Win, 4_000, Some(70_000), 20),
            rule(TaxKind::Win, 70_000, None, 30),
        ];
        let (win_tax_mode, taxable_win) = (WinTaxMode::default(), TaxableWin::default());
        Rules { tax, win_tax_mode, taxable_win, limits: Limits::default() }
    }
}

/// A mistake in configured rules. The numbers are indexes in the list of tax rules, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RulesError {
    /// A tax rule starts below 0.
    #[error("tax rule {0} begins below 0")]
    NegativeFrom(usize),
    /// A tax rule applies to no amount.
    #[error("tax rule {0} ends where it begins or before")]
    EmptyBracket(usize),
    /// Two rules of the same kind apply to the same amount.
    #[error("tax rules {0} and {1} hold for the same amounts")]
    Overlap(usize, usize),
    /// The minimum stake is below 0.01.
    #[error("the smallest stake is below 0.01")]
    MinStake,
    /// The maximum stake is below the minimum.
    #[error("the largest stake is below the smallest")]
    MaxStake,
    /// The maximum payout is below 0.01.
    #[error("the largest payout is below 0.01")]
    MaxPayout,
    /// The maximum total odd is below 1.
    #[error("the largest total odd is below 1")]
    MaxTotalOdd,
    /// The maximum of pairs is not between 1 and [`PAIRS_MAX`].
    #[error("the number of pairs is not between 1 and {PAIRS_MAX}")]
    MaxPairs,
    /// The maximum of combinations is below 1.
    #[error("the number of combinations is below 1")]
    MaxCombinations,
}

/// The largest `max_pairs` (CONTRACT 4: at most 30 pairs): the stores have columns for this many.
pub const PAIRS_MAX: usize = 30;

impl Rules {
    /// The same rules without taxes, for anonymous users (CONTRACT 4).
    pub fn anonymous(&self) -> Rules {
        Rules { tax: Vec::new(), ..self.clone() }
    }

    /// The rules of one kind, in their order.
    pub fn tax_of(&self, kind: TaxKind) -> impl Iterator<Item = &TaxRule> {
        self.tax.iter().filter(move |rule| rule.kind == kind)
    }

    /// The rules, if they are valid.
    ///
    /// # Errors
    /// All mistakes at once.
    pub fn validated(self) -> Result<Rules, Vec<RulesError>> {
        let mut errors = Vec::new();
        for (place, rule) in self.tax.iter().enumerate() {
            if rule.from < Money::ZERO {
                errors.push(RulesError::NegativeFrom(place));
            }
            if rule.to.is_some_and(|to| to <= rule.from) {
                errors.push(RulesError::EmptyBracket(place));
            }
            let earlier = self.tax.iter().take(place).enumerate();
            errors.extend(
                earlier.filter(|(_, other)| rule.overlaps(other)).map(|(other, _)| RulesError::Overlap(other, place)),
            );
        }
        let limits = &self.limits;
        let cent = Money::from_cents(1);
        let wrong = [
            (limits.min_stake < cent, RulesError::MinStake),
            (limits.max_stake < limits.min_stake, RulesError::MaxStake),
            (limits.max_payout < cent, RulesError::MaxPayout),
            (limits.max_total_odd < ExactOdd::one(), RulesError::MaxTotalOdd),
            (!(1..=PAIRS_MAX).contains(&limits.max_pairs), RulesError::MaxPairs),
            (limits.max_combinations == 0, RulesError::MaxCombinations),
        ];
        errors.extend(wrong.into_iter().filter_map(|(is_wrong, error)| is_wrong.then_some(error)));
        if errors.is_empty() { Ok(self) } else { Err(errors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(kind: TaxKind, from: i64, to: Option<i64>) -> TaxRule {
        let percentage = Percent::from_hundredths(1_000).unwrap();
        TaxRule { from: Money::from_cents(from), to: to.map(Money::from_cents), percentage, kind }
    }

    #[test]
    fn a_percentage_is_read_to_its_hundredth() {
        for (text, hundredths) in [("5", 500), ("12.5", 1_250), ("0", 0), ("100", 10_000), ("0.01", 1)] {
            assert_eq!(Percent::parse(text).map(Percent::hundredths), Some(hundredths), "{text}");
            assert_eq!(Percent::parse(text).unwrap().to_string(), text);
        }
        for text in ["100.01", "-1", "", "1e1", "655.36", "12.345", "1000000000"] {
            assert_eq!(Percent::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_default_rules_make_sense_and_anonymous_ones_have_no_tax() {
        let rules = Rules::default().validated().unwrap();
        assert_eq!(rules.tax.len(), 5);
        assert_eq!(rules.anonymous().tax, []);
        assert_eq!(rules.anonymous().limits, rules.limits);
    }

    #[test]
    fn all_mistakes_in_rules_are_reported_together() {
        for (tax, errors) in [
            (vec![rule(TaxKind::Win, 0, Some(10)), rule(TaxKind::Win, 10, None)], vec![]),
            (vec![rule(TaxKind::Win, 0, Some(10)), rule(TaxKind::Stake, 5, None)], vec![]),
            (vec![rule(TaxKind::Win, 0, Some(11)), rule(TaxKind::Win, 10, None)], vec![RulesError::Overlap(0, 1)]),
            (vec![rule(TaxKind::Win, 5, None), rule(TaxKind::Win, 0, None)], vec![RulesError::Overlap(0, 1)]),
            (vec![rule(TaxKind::Win, 10, Some(10))], vec![RulesError::EmptyBracket(0)]),
            (vec![rule(TaxKind::Win, -1, Some(-2))], vec![RulesError::NegativeFrom(0), RulesError::EmptyBracket(0)]),
        ] {
            let rules = Rules { tax, ..Rules::default() };
            assert_eq!(rules.clone().validated().err().unwrap_or_default(), errors, "{rules:?}");
        }
        let limits = Limits {
            min_stake: Money::ZERO,
            max_stake: Money::from_cents(-1),
            max_payout: Money::ZERO,
            max_total_odd: ExactOdd::from_thousandths(999),
            max_pairs: PAIRS_MAX + 1,
            max_combinations: 0,
        };
        let errors = Rules { limits, ..Rules::default() }.validated().unwrap_err();
        assert_eq!(errors.len(), 6, "{errors:?}");
    }

    #[test]
    fn limit_is_invalid_one_step_beyond_its_boundary() {
        type Case = (fn(&mut Limits), Option<RulesError>);
        let cases: [Case; 13] = [
            (|it| it.min_stake = Money::from_cents(1), None),
            (|it| it.min_stake = Money::from_cents(0), Some(RulesError::MinStake)),
            (|it| it.max_stake = it.min_stake, None),
            (|it| it.max_stake = Money::from_cents(it.min_stake.cents() - 1), Some(RulesError::MaxStake)),
            (|it| it.max_payout = Money::from_cents(1), None),
            (|it| it.max_payout = Money::from_cents(0), Some(RulesError::MaxPayout)),
            (|it| it.max_total_odd = ExactOdd::one(), None),
            (|it| it.max_total_odd = ExactOdd::from_thousandths(999), Some(RulesError::MaxTotalOdd)),
            (|it| it.max_pairs = 1, None),
            (|it| it.max_pairs = PAIRS_MAX, None),
            (|it| it.max_pairs = PAIRS_MAX + 1, Some(RulesError::MaxPairs)),
            (|it| it.max_combinations = 1, None),
            (|it| it.max_combinations = 0, Some(RulesError::MaxCombinations)),
        ];
        for (place, (change, error)) in cases.into_iter().enumerate() {
            let mut rules = Rules::default();
            change(&mut rules.limits);
            assert_eq!(rules.validated().err(), error.map(|error| vec![error]), "case {place}");
        }
    }

    #[test]
    fn brackets_that_touch_do_not_overlap() {
        let open = |from| rule(TaxKind::Win, from, None);
        let closed = |from, to| rule(TaxKind::Win, from, Some(to));
        for (one, other, overlap) in [
            (closed(0, 10), closed(10, 20), false),
            (closed(0, 10), closed(9, 20), true),
            (closed(0, 10), open(10), false),
            (closed(0, 10), open(9), true),
            (open(10), open(20), true),
            (closed(5, 6), closed(0, 20), true),
        ] {
            assert_eq!((one.overlaps(&other), other.overlaps(&one)), (overlap, overlap), "{one:?} {other:?}");
        }
        let rule = closed(5, 10);
        let held = [4, 5, 9, 10].map(|cents| rule.holds(Money::from_cents(cents)));
        assert_eq!(held, [false, true, true, false]);
        assert!(open(5).holds(Money::from_cents(i64::MAX)));
    }
}
