//! The cash-out value of an open bet (CONTRACT 8): what its pairs are worth at the present odds, less a margin. Exact until
//! the last step. Called for the offer of a cash-out and again when one is executed.
//!
//! Must not decide whether a cash-out is available: an undecided pair without a present odd has no value at all.

#![cfg_attr(
    not(test),
    expect(clippy::arithmetic_side_effects, reason = "numbers of any size cannot overflow, and no denominator is 0")
)]

use super::grade::{BetTerms, possible, tax_on};
use super::result::PairResult;
use crate::money::Money;
use crate::price::Price;
use crate::ticket::{Percent, combinations};
use num_bigint::BigUint;
use std::fmt;

const FIVE_PER_CENT: Percent = match Percent::from_hundredths(500) {
    Some(margin) => margin,
    None => Percent::ZERO,
};

/// The rules of cash-outs (`betting.cash_out`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOutTerms {
    /// Whether bets can be cashed out at all.
    pub is_enabled: bool,
    /// What the house keeps of the value.
    pub margin: Percent,
    /// The smallest net amount, in cents.
    pub min: Money,
    /// Whether the net amount is at most the bruto.
    pub is_capped_at_stake: bool,
}

impl Default for CashOutTerms {
    /// CONTRACT 8: 5 %, 0.10, no cap.
    fn default() -> CashOutTerms {
        CashOutTerms { is_enabled: true, margin: FIVE_PER_CENT, min: Money::from_cents(10), is_capped_at_stake: false }
    }
}

/// What a cash-out of the whole bet pays, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOutValue {
    /// Before the win tax.
    pub value: Money,
    /// The win tax on it, by the rules at placing.
    pub win_tax: Money,
    /// The amount paid to the bettor.
    pub net: Money,
}

/// The part of what is left of a bet that is cashed out: the whole, or 5 % to 95 %.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOutShare(u8);

impl CashOutShare {
    /// The whole bet.
    pub const WHOLE: CashOutShare = CashOutShare(100);

    /// The share of a text: `1`, or `0.05` to `0.95` with at most 2 decimals.
    pub fn parse(text: &str) -> Option<CashOutShare> {
        if text == "1" {
            return Some(CashOutShare::WHOLE);
        }
        let decimals = text.strip_prefix("0.").filter(|decimals| decimals.bytes().all(|byte| byte.is_ascii_digit()))?;
        let number: u8 = decimals.parse().ok()?;
        match decimals.len() {
            1 => CashOutShare::from_hundredths(number.checked_mul(10)?),
            2 => CashOutShare::from_hundredths(number),
            _ => None,
        }
        .filter(|share| !share.is_whole())
    }

    /// 5 to 95, or 100.
    pub const fn from_hundredths(hundredths: u8) -> Option<CashOutShare> {
        match hundredths {
            5..=95 | 100 => Some(CashOutShare(hundredths)),
            _ => None,
        }
    }

    /// In hundredths.
    pub const fn hundredths(self) -> u8 {
        self.0
    }

    /// Whether nothing of the bet remains.
    pub const fn is_whole(self) -> bool {
        self.0 == 100
    }

    /// `round2(share * amount)`, half up.
    fn of(self, amount: Money) -> Money {
        let whole = i128::from(amount.cents()).saturating_mul(self.0.into());
        Money::from_cents(i64::try_from((whole + 50).div_euclid(100)).unwrap_or(i64::MAX))
    }
}

/// As in the body of the call: `1`, `0.5`, `0.25`.
impl fmt::Display for CashOutShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            100 => f.write_str("1"),
            tenths if tenths.is_multiple_of(10) => write!(f, "0.{}", tenths / 10),
            hundredths => write!(f, "0.{hundredths:02}"),
        }
    }
}

/// The stake of a bet, or of a part of it, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StakePart {
    /// With the stake tax.
    pub bruto: Money,
    /// Without it.
    pub taxed_stake: Money,
}

/// A cash-out that is paid, in cents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOut {
    /// The share of what was left of the bet.
    pub share: CashOutShare,
    /// The share of the value, before the win tax.
    pub value: Money,
    /// The share of the win tax.
    pub win_tax: Money,
    /// The amount paid to the bettor.
    pub paid: Money,
    /// The part of the stake that is cashed out.
    pub part: StakePart,
    /// What continues; `None` if the whole bet is cashed out.
    pub rest: Option<StakePart>,
}

impl CashOut {
    /// Whether a part is too small: nothing of the stake is taken, or less than `rest_min` of it would remain.
    pub fn is_too_small(&self, rest_min: Money) -> bool {
        self.part.bruto == Money::ZERO || self.rest.is_some_and(|rest| rest.bruto < rest_min)
    }
}

/// The payment for a share of a bet with this value (CONTRACT 8). The whole bet pays the net amount. Whether the rest is
/// large enough is not checked here.
pub fn cash_out(terms: &BetTerms, value: &CashOutValue, share: CashOutShare) -> CashOut {
    let less = |amount: Money, part: Money| amount.checked_sub(part).unwrap_or(Money::ZERO).max(Money::ZERO);
    let whole = StakePart { bruto: terms.bruto, taxed_stake: terms.taxed_stake };
    if share.is_whole() {
        let CashOutValue { value, win_tax, net } = *value;
        return CashOut { share, value, win_tax, paid: net, part: whole, rest: None };
    }
    let (part_of_value, win_tax) = (share.of(value.value), share.of(value.win_tax));
    let uncapped = less(part_of_value, win_tax);
    let is_capped = value.net < less(value.value, value.win_tax);
    let paid = if is_capped { uncapped.min(share.of(value.net)) } else { uncapped };
    let part = StakePart { bruto: share.of(whole.bruto), taxed_stake: share.of(whole.taxed_stake) };
    let rest =
        StakePart { bruto: less(whole.bruto, part.bruto), taxed_stake: less(whole.taxed_stake, part.taxed_stake) };
    CashOut { share, value: part_of_value, win_tax, paid, part, rest: Some(rest) }
}

/// A pair of an open bet at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CashOutPair {
    /// Its result.
    pub result: PairResult,
    /// The present odd; `None` if the pair cannot be bet on. Not used for a decided pair.
    pub now: Option<Price>,
}

/// The value of the whole bet; `None` if an undecided pair has no present odd. `pairs` in the order of the ticket.
///
/// A pair counts with its factor, or with the odd taken divided by the present odd. The value is at most the gross amount
/// that is still possible, and the net amount at most the maximum payout at placing.
pub fn cash_out_value(terms: &BetTerms, pairs: &[CashOutPair], rules: &CashOutTerms) -> Option<CashOutValue> {
    let mut fixed = Fraction::one();
    let mut free = Vec::with_capacity(pairs.len());
    for (&(taken, is_fix), pair) in terms.pairs.iter().zip(pairs) {
        let factor = Fraction::of(taken, pair)?;
        if is_fix || terms.system_type == 0 {
            fixed = fixed.times(&factor);
        } else {
            free.push(factor);
        }
    }
    let (total, parts) = match terms.system_type {
        0 => (fixed, 1),
        k => (fixed.times(&symmetric_sum(&free, usize::from(k))), combinations(free.len(), usize::from(k)).max(1)),
    };
    let kept = Percent::ALL.hundredths().saturating_sub(rules.margin.hundredths());
    let results: Vec<PairResult> = pairs.iter().map(|pair| pair.result).collect();
    let value = total.share_of(terms.taxed_stake, parts, kept).min(possible(terms, &results).gross);
    let win_tax = tax_on(value, terms.taxed_stake, &terms.rules);
    let net = value.checked_sub(win_tax).unwrap_or(Money::ZERO).min(terms.rules.limits.max_payout);
    let net = if rules.is_capped_at_stake { net.min(terms.bruto) } else { net };
    Some(CashOutValue { value, win_tax, net })
}

/// An exact fraction; the denominator is not 0.
#[derive(Clone, Debug)]
struct Fraction {
    above: BigUint,
    below: BigUint,
}

impl Fraction {
    fn one() -> Fraction {
        Fraction { above: BigUint::from(1_u8), below: BigUint::from(1_u8) }
    }

    /// The factor of a pair, or the odd taken divided by the present one.
    fn of(taken: Price, pair: &CashOutPair) -> Option<Fraction> {
        if let Some(factor) = pair.result.factor(taken) {
            let (above, below) = factor.as_fraction();
            return Some(Fraction { above, below });
        }
        let now = pair.now.filter(|now| now.is_offered())?;
        Some(Fraction { above: taken.thousandths().into(), below: now.thousandths().into() })
    }

    fn times(&self, other: &Fraction) -> Fraction {
        Fraction { above: &self.above * &other.above, below: &self.below * &other.below }
    }

    /// `round2(amount / parts * self * kept / 10,000)`, half up. Saturates at the largest amount.
    fn share_of(&self, amount: Money, parts: u64, kept: u16) -> Money {
        let cents = BigUint::from(u64::try_from(amount.cents()).unwrap_or(0));
        let doubled = cents * &self.above * kept * 2_u8;
        let divisor = &self.below * parts * 10_000_u16;
        let rounded = (doubled + &divisor) / (divisor * 2_u8);
        Money::from_cents(i64::try_from(rounded).unwrap_or(i64::MAX))
    }
}

/// The sum of the products of all `k` of these fractions, over their common denominator.
fn symmetric_sum(factors: &[Fraction], k: usize) -> Fraction {
    let below = factors.iter().fold(BigUint::from(1_u8), |product, factor| product * &factor.below);
    // `sums[j]` is e_j of the numerators so far.
    let mut sums = vec![BigUint::ZERO; k];
    sums.insert(0, BigUint::from(1_u8));
    for factor in factors {
        let above = &factor.above * (&below / &factor.below);
        for j in (1..=k).rev() {
            let (smaller, rest) = sums.split_at_mut(j);
            if let (Some(smaller), Some(sum)) = (smaller.last(), rest.first_mut()) {
                *sum += smaller * &above;
            }
        }
    }
    let power = u32::try_from(k).unwrap_or(u32::MAX);
    Fraction { above: sums.pop().unwrap_or_default(), below: below.pow(power) }
}

#[cfg(test)]
mod tests {
    use super::super::grade::{Grade, grade};
    use super::super::postings::{LedgerAccount, cashing_out};
    use super::*;
    use crate::ticket::{ExactOdd, Rules, stake_tax};
    use PairResult::{Lost, Open, Void, Won};
    use proptest::prelude::*;

    fn price(text: &str) -> Price {
        Price::parse(text).unwrap()
    }

    fn terms(system_type: u8, odds: &[&str], bruto: &str) -> BetTerms {
        let (bruto, rules) = (Money::parse(bruto).unwrap(), Rules::default());
        let percentage = stake_tax(bruto, &rules);
        let taxed = ExactOdd::from_ten_thousandths(10_000 - u64::from(percentage.hundredths()));
        BetTerms {
            bruto,
            taxed_stake: taxed.share_of(bruto, std::num::NonZeroU64::MIN),
            system_type,
            pairs: odds.iter().map(|odd| (price(odd), false)).collect(),
            rules,
            void_returns_stake_tax: true,
        }
    }

    fn open(now: &str) -> CashOutPair {
        CashOutPair { result: Open, now: Some(price(now)) }
    }

    const fn decided(result: PairResult) -> CashOutPair {
        CashOutPair { result, now: None }
    }

    fn amounts(terms: &BetTerms, pairs: &[CashOutPair]) -> Option<[String; 3]> {
        let value = cash_out_value(terms, pairs, &CashOutTerms::default())?;
        Some([value.value, value.win_tax, value.net].map(|amount| amount.to_string()))
    }

    #[test]
    fn examples_of_the_contract() {
        let single = terms(0, &["3.00"], "10");
        assert_eq!(amounts(&single, &[open("1.80")]), Some(["15.04", "0.55", "14.49"].map(Into::into)));
        let double = terms(0, &["1.75", "2.15"], "10");
        let found = amounts(&double, &[decided(Won), open("1.40")]);
        assert_eq!(found, Some(["24.25", "1.48", "22.77"].map(Into::into)));
        let system = terms(2, &["2", "3", "4"], "30");
        let found = amounts(&system, &[decided(Won), open("2"), open("5")]);
        assert_eq!(found, Some(["52.35", "2.39", "49.96"].map(Into::into)));
    }

    #[test]
    fn undecided_pair_without_an_odd_has_no_value() {
        let double = terms(0, &["1.75", "2.15"], "10");
        assert_eq!(amounts(&double, &[decided(Won), decided(Open)]), None);
        assert_eq!(amounts(&double, &[decided(Won), open("0")]), None);
    }

    #[test]
    fn caps_limit_the_net_amount_alone() {
        let single = terms(0, &["3.00"], "10");
        let rules = CashOutTerms { is_capped_at_stake: true, ..CashOutTerms::default() };
        let value = cash_out_value(&single, &[open("1.80")], &rules).unwrap();
        assert_eq!((value.value.to_string(), value.net.to_string()), ("15.04".into(), "10.00".into()));
    }

    #[test]
    fn shares_are_texts_from_5_to_95_per_cent_or_the_whole() {
        let share = |text| CashOutShare::parse(text).map(CashOutShare::hundredths);
        for (text, hundredths) in [("1", 100), ("0.05", 5), ("0.95", 95), ("0.5", 50), ("0.50", 50), ("0.1", 10)] {
            assert_eq!(share(text), Some(hundredths), "{text}");
        }
        for text in ["", "0", "0.04", "0.96", "0.0", "0.99", "1.0", "1.00", ".5", "0.555", "0,5", "+0.5", "0.5 ", "2"] {
            assert_eq!(share(text), None, "{text}");
        }
        for text in ["1", "0.05", "0.5", "0.25"] {
            assert_eq!(CashOutShare::parse(text).map(|share| share.to_string()), Some(text.to_owned()));
        }
    }

    #[test]
    fn a_part_pays_its_share_and_leaves_the_rest() {
        let single = terms(0, &["3.00"], "10");
        let value = cash_out_value(&single, &[open("1.80")], &CashOutTerms::default()).unwrap();
        let half = cash_out(&single, &value, CashOutShare::parse("0.5").unwrap());
        let texts = [half.value, half.win_tax, half.paid, half.part.bruto, half.part.taxed_stake];
        assert_eq!(texts.map(|amount| amount.to_string()), ["7.52", "0.28", "7.24", "5.00", "4.75"]);
        let rest = half.rest.unwrap();
        assert_eq!((rest.bruto.to_string(), rest.taxed_stake.to_string()), ("5.00".into(), "4.75".into()));
        let whole = cash_out(&single, &value, CashOutShare::WHOLE);
        assert_eq!((whole.paid, whole.win_tax, whole.rest), (value.net, value.win_tax, None));
    }

    #[test]
    fn a_part_of_a_capped_bet_pays_its_share_of_the_cap() {
        let single = terms(0, &["3.00"], "10");
        let rules = CashOutTerms { is_capped_at_stake: true, ..CashOutTerms::default() };
        let value = cash_out_value(&single, &[open("1.80")], &rules).unwrap();
        let half = cash_out(&single, &value, CashOutShare::parse("0.5").unwrap());
        assert_eq!((half.value.to_string(), half.paid.to_string()), ("7.52".into(), "5.00".into()));
    }

    fn bets() -> impl Strategy<Value = (BetTerms, Vec<CashOutPair>)> {
        let result = prop_oneof![Just(Open), Just(Won), Just(Void), Just(Lost)];
        let pair = (1_001_u32..50_000, 1_001_u32..50_000, result, any::<bool>());
        (proptest::collection::vec(pair, 2..7), 0_u8..4, 100_i64..100_000).prop_map(|(pairs, k, cents)| {
            let mut terms = terms(k.min(u8::try_from(pairs.len()).unwrap_or(1)), &[], "1");
            terms.bruto = Money::from_cents(cents);
            terms.taxed_stake = Money::from_cents(cents * 95 / 100);
            let price = |thousandths| Price::from_thousandths(thousandths).unwrap();
            // At least k pairs stay free.
            let fixes = pairs.len() - usize::from(terms.system_type);
            let fixed = |at: usize, is_fix: bool| terms.system_type > 0 && is_fix && at < fixes;
            let all = pairs.iter().enumerate();
            terms.pairs = all.map(|(at, (taken, _, _, is_fix))| (price(*taken), fixed(at, *is_fix))).collect();
            let now = pairs.iter().map(|(_, now, result, _)| CashOutPair { result: *result, now: Some(price(*now)) });
            (terms, now.collect())
        })
    }

    proptest! {
        /// A higher present odd never makes the bet worth more, and no value is above what is still possible.
        #[test]
        fn value_falls_with_each_odd_and_stays_below_what_is_possible((terms, pairs) in bets(), at in any::<prop::sample::Index>()) {
            let rules = CashOutTerms::default();
            let value = cash_out_value(&terms, &pairs, &rules).unwrap();
            let results: Vec<PairResult> = pairs.iter().map(|pair| pair.result).collect();
            prop_assert!(value.value <= possible(&terms, &results).gross);
            let mut longer = pairs.clone();
            let raised = &mut longer[at.index(pairs.len())];
            raised.now = raised.now.and_then(|now| Price::from_thousandths(now.thousandths() + 500));
            let after = cash_out_value(&terms, &longer, &rules).unwrap();
            prop_assert!(after.value <= value.value, "{:?} {:?}", value, after);
        }

        /// Part and rest are the whole stake, and the parts of a bet pay no more than the whole, but for one rounding each.
        #[test]
        fn parts_sum_to_the_whole((terms, pairs) in bets(), hundredths in 5_u8..=95) {
            let value = cash_out_value(&terms, &pairs, &CashOutTerms::default()).unwrap();
            let share = CashOutShare::from_hundredths(hundredths).unwrap();
            let part = cash_out(&terms, &value, share);
            let rest = part.rest.unwrap();
            prop_assert_eq!([part.part.bruto, rest.bruto].into_iter().sum::<Money>(), terms.bruto);
            prop_assert_eq!([part.part.taxed_stake, rest.taxed_stake].into_iter().sum::<Money>(), terms.taxed_stake);
            prop_assert!(part.paid <= part.value && part.paid <= value.net);
            let posted: Vec<_> = cashing_out(&part);
            let of = |account| posted.iter().map(|posting| posting.change_of(account)).sum::<Money>();
            prop_assert_eq!(of(LedgerAccount::Bettor), part.paid);
            prop_assert_eq!(of(LedgerAccount::OpenStakes), part.part.bruto.negated());
        }

        /// However a bet is cashed out in parts, and whatever becomes of the rest, its payments are at most its maximum
        /// payout. A void rest returns its stake.
        #[test]
        fn payments_of_a_bet_are_at_most_its_maximum_payout(
            (mut terms, pairs) in bets(), max in 1_i64..100_000, shares in prop::collection::vec(5_u8..=95, 0..30)
        ) {
            terms.rules.limits.max_payout = Money::from_cents(max);
            let (mut paid, mut rest) = (Money::ZERO, StakePart { bruto: terms.bruto, taxed_stake: terms.taxed_stake });
            let left = |rest: StakePart, paid| {
                let StakePart { bruto, taxed_stake } = rest;
                BetTerms { bruto, taxed_stake, ..terms.clone() }.after_payments(paid)
            };
            for share in shares {
                let terms = left(rest, paid);
                let value = cash_out_value(&terms, &pairs, &CashOutTerms::default()).unwrap();
                let part = cash_out(&terms, &value, CashOutShare::from_hundredths(share).unwrap());
                paid = [paid, part.paid].into_iter().sum();
                rest = part.rest.unwrap();
            }
            let results: Vec<PairResult> = pairs.iter().map(|pair| if pair.result == Open { Won } else { pair.result }).collect();
            let whole = cash_out_value(&left(rest, paid), &pairs, &CashOutTerms::default()).unwrap();
            prop_assert!([paid, whole.net].into_iter().sum::<Money>() <= Money::from_cents(max));
            let Grade::Decided(settlement) = grade(&left(rest, paid), &results) else { panic!("all pairs are decided") };
            if settlement.outcome != crate::settlement::Outcome::Void {
                prop_assert!([paid, settlement.paid].into_iter().sum::<Money>() <= Money::from_cents(max));
            }
        }

        /// Without a margin, a bet with decided pairs alone is worth what it pays.
        #[test]
        fn decided_bet_is_worth_its_payout((terms, pairs) in bets()) {
            let rules = CashOutTerms { margin: Percent::ZERO, ..CashOutTerms::default() };
            let decided: Vec<CashOutPair> = pairs
                .iter()
                .map(|pair| if pair.result == Open { CashOutPair { result: Won, now: None } } else { *pair })
                .collect();
            let results: Vec<PairResult> = decided.iter().map(|pair| pair.result).collect();
            prop_assume!(!results.iter().all(|result| *result == Void));
            let value = cash_out_value(&terms, &decided, &rules).unwrap();
            let Grade::Decided(settlement) = grade(&terms, &results) else { panic!("all pairs are decided") };
            prop_assert_eq!((value.value, value.win_tax, value.net), (settlement.gross, settlement.win_tax, settlement.paid));
        }
    }
}
