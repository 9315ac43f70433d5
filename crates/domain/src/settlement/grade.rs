//! Whether a bet is decided, and what it pays (CONTRACT 7, *A bet*). Called by the settlement engine when the result of
//! a pair changes, and by queries that show what an open bet would pay.

use super::result::PairResult;
use crate::money::Money;
use crate::price::Price;
use crate::ticket::{ExactOdd, Rules, TaxableWin, combinations, elementary_symmetric_of, win_tax};
use std::num::NonZeroU64;

/// The terms of a bet at placing: everything that its grade depends on, besides the results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetTerms {
    /// The stake that was debited, in cents.
    pub bruto: Money,
    /// The stake after tax.
    pub taxed_stake: Money,
    /// 0 for a standard ticket, or the k of a system.
    pub system_type: u8,
    /// The accepted odds, and whether each pair is fixed, in the order of the ticket.
    pub pairs: Vec<(Price, bool)>,
    /// The rules at placing; the maximum payout is what is left of it.
    pub rules: Rules,
    /// Whether a void bet also returns the stake tax (`betting.void_returns_stake_tax` at placing).
    pub void_returns_stake_tax: bool,
}

impl BetTerms {
    /// The terms of what is left of a bet after its cash-outs have paid this much: all its payments together are at most the
    /// maximum payout at placing (CONTRACT 8).
    #[must_use]
    pub fn after_payments(mut self, paid: Money) -> BetTerms {
        let limits = &mut self.rules.limits;
        limits.max_payout = limits.max_payout.checked_sub(paid).unwrap_or(Money::ZERO).max(Money::ZERO);
        self
    }
}

/// The grade of a bet by the current results of its pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Grade {
    /// Not decided yet.
    Open,
    /// Decided.
    Decided(Settlement),
}

/// How a decided bet ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It pays something.
    Won,
    /// It pays nothing.
    Lost,
    /// Every pair is void: the stake is returned.
    Void,
}

/// What a decided bet pays, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Settlement {
    /// How it ended.
    pub outcome: Outcome,
    /// Before the win tax and the maximum payout.
    pub gross: Money,
    /// The win tax, by the rules at placing.
    pub win_tax: Money,
    /// The amount paid to the bettor.
    pub paid: Money,
}

/// Grades a bet by the results of its pairs, in the order of the ticket. A pair without a result counts as open.
pub fn grade(terms: &BetTerms, results: &[PairResult]) -> Grade {
    let pairs: Vec<Pair> = terms
        .pairs
        .iter()
        .zip(results.iter().copied().chain(std::iter::repeat(PairResult::Open)))
        .map(|(&(taken, is_fix), result)| Pair { is_fix, result, factor: result.factor(taken) })
        .collect();
    if !pairs.is_empty() && pairs.iter().all(|pair| pair.result == PairResult::Void) {
        return Grade::Decided(refund(terms));
    }
    if can_return_nothing(terms.system_type, &pairs) {
        return Grade::Decided(lost());
    }
    let mut decided = Vec::with_capacity(pairs.len());
    for pair in &pairs {
        let Some(factor) = pair.factor.clone() else { return Grade::Open };
        decided.push((factor, pair.is_fix));
    }
    Grade::Decided(payout(terms, &decided))
}

/// What an open bet would pay if every undecided pair were won at the odd taken (CONTRACT 7, `possible`).
pub fn possible(terms: &BetTerms, results: &[PairResult]) -> Settlement {
    let optimistic: Vec<PairResult> = results
        .iter()
        .copied()
        .chain(std::iter::repeat(PairResult::Open))
        .take(terms.pairs.len())
        .map(|result| if result.is_decided() { result } else { PairResult::Won })
        .collect();
    match grade(terms, &optimistic) {
        Grade::Decided(settlement) => settlement,
        // Every pair is decided, so this does not occur.
        Grade::Open => lost(),
    }
}

struct Pair {
    is_fix: bool,
    result: PairResult,
    factor: Option<ExactOdd>,
}

impl Pair {
    fn is_lost(&self) -> bool {
        self.factor.as_ref().is_some_and(|factor| *factor == ExactOdd::zero())
    }
}

/// Whether the bet is already lost. A standard bet needs every pair; a system needs its fixed pairs and k of the
/// others.
fn can_return_nothing(system_type: u8, pairs: &[Pair]) -> bool {
    if system_type == 0 {
        return pairs.iter().any(Pair::is_lost);
    }
    let alive = pairs.iter().filter(|pair| !pair.is_fix && !pair.is_lost()).count();
    pairs.iter().any(|pair| pair.is_fix && pair.is_lost()) || alive < usize::from(system_type)
}

const fn lost() -> Settlement {
    Settlement { outcome: Outcome::Lost, gross: Money::ZERO, win_tax: Money::ZERO, paid: Money::ZERO }
}

fn refund(terms: &BetTerms) -> Settlement {
    let back = if terms.void_returns_stake_tax { terms.bruto } else { terms.taxed_stake };
    Settlement { outcome: Outcome::Void, gross: back, win_tax: Money::ZERO, paid: back }
}

fn payout(terms: &BetTerms, factors: &[(ExactOdd, bool)]) -> Settlement {
    let gross = gross(terms, factors);
    let win_tax = tax_on(gross, terms.taxed_stake, &terms.rules);
    let taxed_win = gross.checked_sub(win_tax).unwrap_or(Money::ZERO);
    let paid = taxed_win.min(terms.rules.limits.max_payout);
    let outcome = if paid > Money::ZERO { Outcome::Won } else { Outcome::Lost };
    Settlement { outcome, gross, win_tax, paid }
}

/// CONTRACT 4's possible win, with factors instead of odds and clamped in the same way.
fn gross(terms: &BetTerms, factors: &[(ExactOdd, bool)]) -> Money {
    let product = |fixed: bool| {
        let chosen = factors.iter().filter(|(_, is_fix)| !fixed || *is_fix);
        chosen.fold(ExactOdd::one(), |product, (factor, _)| product.times(factor))
    };
    let (total, parts) = if terms.system_type == 0 {
        (product(false), NonZeroU64::MIN)
    } else {
        let free: Vec<ExactOdd> =
            factors.iter().filter(|(_, is_fix)| !is_fix).map(|(factor, _)| factor.clone()).collect();
        let k = usize::from(terms.system_type);
        let count = combinations(free.len(), k);
        let sum = elementary_symmetric_of(free.into_iter(), k);
        (product(true).times(&sum), NonZeroU64::new(count).unwrap_or(NonZeroU64::MIN))
    };
    total.min(terms.rules.limits.max_total_odd.clone()).share_of(terms.taxed_stake, parts)
}

/// CONTRACT 4's win tax on a gross amount.
pub(super) fn tax_on(gross: Money, taxed_stake: Money, rules: &Rules) -> Money {
    let taxable = match rules.taxable_win {
        TaxableWin::Profit => gross.checked_sub(taxed_stake).unwrap_or(Money::ZERO).max(Money::ZERO),
        TaxableWin::Win => gross,
    };
    win_tax(taxable, rules)
}

#[cfg(test)]
mod tests {
    use super::super::result::DeadHeat;
    use super::*;
    use PairResult::{HalfLost, HalfWon, Lost, Open, Void, Won};
    use proptest::prelude::*;

    fn price(text: &str) -> Price {
        Price::parse(text).unwrap()
    }

    fn money(text: &str) -> Money {
        Money::parse(text).unwrap()
    }

    fn terms(system_type: u8, odds: &[&str], bruto: &str, rules: Rules) -> BetTerms {
        let pairs = odds.iter().map(|odd| match odd.strip_prefix('!') {
            Some(fixed) => (price(fixed), true),
            None => (price(odd), false),
        });
        let bruto = money(bruto);
        let percentage = crate::ticket::stake_tax(bruto, &rules);
        let taxed = ExactOdd::from_ten_thousandths(10_000 - u64::from(percentage.hundredths()));
        BetTerms {
            bruto,
            taxed_stake: taxed.share_of(bruto, NonZeroU64::MIN),
            system_type,
            pairs: pairs.collect(),
            rules,
            void_returns_stake_tax: true,
        }
    }

    fn untaxed() -> Rules {
        Rules::default().anonymous()
    }

    fn settled(terms: &BetTerms, results: &[PairResult]) -> (String, String, String) {
        match grade(terms, results) {
            Grade::Decided(it) => (it.gross.to_string(), it.win_tax.to_string(), it.paid.to_string()),
            Grade::Open => panic!("{results:?} leaves the bet open"),
        }
    }

    #[test]
    fn the_contracts_worked_examples_hold() {
        let standard = terms(0, &["1.75", "2.15"], "10", Rules::default());
        let fixed = terms(3, &["!1.3", "1.5", "1.8", "2", "2.2", "2.5"], "10", untaxed());
        let system = terms(2, &["2", "3", "4"], "30", Rules::default());
        let dead_heat = PairResult::DeadHeat(DeadHeat::from_ten_thousandths(5_000).unwrap());
        for (terms, results, gross, win_tax, paid) in [
            (&standard, &[Won, Won][..], "35.74", "2.62", "33.12"),
            (&standard, &[Won, Void], "16.63", "0.71", "15.92"),
            (&standard, &[Won, HalfWon], "26.18", "1.67", "24.51"),
            (&standard, &[Won, HalfLost], "8.31", "0.00", "8.31"),
            (&standard, &[Won, dead_heat], "17.87", "0.84", "17.03"),
            (&fixed, &[Won; 6], "101.74", "0.00", "101.74"),
            (&fixed, &[Won, Won, Won, Won, Lost, Void], "19.11", "0.00", "19.11"),
            (&fixed, &[Won, Void, Void, Won, Lost, Lost], "2.60", "0.00", "2.60"),
            (&fixed, &[Void, Won, Won, Won, Won, Won], "78.26", "0.00", "78.26"),
            (&system, &[Won, Won, Lost], "57.00", "2.85", "54.15"),
            (&system, &[Won, Won, Void], "104.50", "7.60", "96.90"),
            (&standard, &[Void, Void], "10.00", "0.00", "10.00"),
            (&fixed, &[Void; 6], "10.00", "0.00", "10.00"),
            (&system, &[Void; 3], "30.00", "0.00", "30.00"),
        ] {
            let expected = (gross.to_owned(), win_tax.to_owned(), paid.to_owned());
            assert_eq!(settled(terms, results), expected, "{results:?}");
        }
    }

    #[test]
    fn a_bet_is_lost_as_soon_as_it_can_return_nothing() {
        let standard = terms(0, &["1.75", "2.15"], "10", Rules::default());
        let fixed = terms(2, &["!1.3", "1.5", "1.8", "2"], "10", untaxed());
        let parked = PairResult::Parked(super::super::result::Parked::UnknownState);
        for (terms, results, is_lost) in [
            (&standard, &[Lost, Open][..], true),
            (&standard, &[Won, Open], false),
            (&standard, &[Lost, parked], true),
            (&standard, &[Won, parked], false),
            (&fixed, &[Lost, Open, Open, Open], true),
            (&fixed, &[Open, Lost, Lost, Open], true),
            (&fixed, &[Open, Lost, Open, Open], false),
            (&fixed, &[Won, Lost, HalfLost, Open], false),
        ] {
            assert_eq!(matches!(grade(terms, results), Grade::Decided(it) if it.outcome == Outcome::Lost), is_lost);
            assert_eq!(grade(terms, results) == Grade::Open, !is_lost, "{results:?}");
        }
    }

    #[test]
    fn a_void_bet_returns_the_stake_tax_only_where_the_rules_of_its_placing_do() {
        let kept = BetTerms { void_returns_stake_tax: false, ..terms(0, &["2"], "10", Rules::default()) };
        assert_eq!(settled(&kept, &[Void]), ("9.50".to_owned(), "0.00".to_owned(), "9.50".to_owned()));
    }

    #[test]
    fn total_odd_and_payout_are_clamped_by_the_rules_at_placing() {
        let mut rules = untaxed();
        rules.limits.max_total_odd = ExactOdd::from_thousandths(3_000);
        rules.limits.max_payout = money("25");
        let terms = terms(0, &["2", "2"], "10", rules);
        assert_eq!(settled(&terms, &[Won, Won]), ("30.00".to_owned(), "0.00".to_owned(), "25.00".to_owned()));
    }

    #[test]
    fn a_win_too_small_to_pay_a_cent_is_lost() {
        let terms = terms(0, &["1.001", "1.001", "1.001", "1.001", "1.001", "1.001", "1.001", "1.001"], "1", untaxed());
        let Grade::Decided(settlement) = grade(&terms, &[HalfLost; 8]) else { panic!("decided") };
        assert_eq!((settlement.paid, settlement.outcome), (Money::ZERO, Outcome::Lost));
    }

    fn any_result() -> impl Strategy<Value = PairResult> {
        prop_oneof![
            Just(Won),
            Just(Lost),
            Just(Void),
            Just(HalfWon),
            Just(HalfLost),
            (1_u64..=10_000).prop_map(|share| PairResult::DeadHeat(DeadHeat::from_ten_thousandths(share).unwrap())),
        ]
    }

    /// The factor as a fraction over 2 * 10^7, computed independently: integers only, no decimals.
    fn reference_factor(result: PairResult, taken: Price) -> i128 {
        let odd = i128::from(taken.thousandths());
        match result {
            Won => odd * 20_000,
            PairResult::DeadHeat(share) => odd * i128::from(share.ten_thousandths()) * 2,
            HalfWon => (odd + 1_000) * 10_000,
            HalfLost => 10_000_000,
            Void => 20_000_000,
            _ => 0,
        }
    }

    proptest! {
        #[test]
        fn payout_equals_the_sum_over_listed_combinations(
            pairs in proptest::collection::vec((1_000_u32..15_000, any_result()), 2..=4),
            k in 0_u8..=3,
            cents in 100_i64..1_000_000,
        ) {
            let k = if usize::from(k) < pairs.len() { k } else { 0 };
            let odds: Vec<(Price, bool)> = pairs.iter().map(|&(odd, _)| (Price::from_thousandths(odd).unwrap(), false)).collect();
            let results: Vec<PairResult> = pairs.iter().map(|&(_, result)| result).collect();
            let stake = Money::from_cents(cents);
            let terms = BetTerms {
                bruto: stake, taxed_stake: stake, system_type: k, pairs: odds.clone(), rules: untaxed(), void_returns_stake_tax: true,
            };
            let size = if k == 0 { pairs.len() } else { usize::from(k) };
            let subsets: Vec<u32> = (0..1_u32 << pairs.len()).filter(|set| set.count_ones() as usize == size).collect();
            let base = num_bigint::BigInt::from(20_000_000);
            let mut sum = num_bigint::BigInt::from(0);
            for set in &subsets {
                let chosen = (0..pairs.len()).filter(|place| set & (1 << place) != 0);
                sum += chosen.map(|place| num_bigint::BigInt::from(reference_factor(results[place], odds[place].0))).product::<num_bigint::BigInt>();
            }
            let divisor = base.pow(size as u32) * subsets.len();
            let doubled: num_bigint::BigInt = num_bigint::BigInt::from(cents) * sum * 2 + &divisor;
            let expected = doubled / (divisor * 2);
            let Grade::Decided(settlement) = grade(&terms, &results) else { panic!("all pairs are decided") };
            prop_assert_eq!(num_bigint::BigInt::from(settlement.gross.cents()), expected);
            prop_assert!(settlement.paid <= terms.rules.limits.max_payout.max(terms.bruto));
        }

        #[test]
        fn early_loss_does_not_depend_on_remaining_results(
            results in proptest::collection::vec(prop_oneof![3 => any_result(), 2 => Just(Open)], 4),
            rest in proptest::collection::vec(any_result(), 4),
            k in 0_u8..=3,
        ) {
            let terms = terms(k, &["1.5", "2", "3", "4.5"], "10", Rules::default());
            if results.contains(&Open) && let Grade::Decided(early) = grade(&terms, &results) {
                let whole: Vec<PairResult> = results.iter().zip(&rest).map(|(&known, &later)| if known == Open { later } else { known }).collect();
                prop_assert_eq!(grade(&terms, &whole), Grade::Decided(early));
            }
        }
    }
}
