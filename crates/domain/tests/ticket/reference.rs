//! R33: the numbers of random tickets against an independent reference: integers of any size, the contract's table
//! implemented again, and rounding by one division. `KVOTA_TICKETS=1000000` sets the number of tickets.

use crate::kit::{account, legs, no_limits, slip};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::ticket::{Leg, Rejection, Rules, TicketKind, Totals, check, totals};
use kvota_testkit::builders::money;
use kvota_testkit::measured::{self, asked_for};
use kvota_testkit::scenario::TableOffer;
use kvota_testkit::seed::{Dice, roll};
use num_bigint::BigUint;

const USUAL: u64 = 10_000;

/// Upper ends of the win tax brackets in cents, with their percentages: CONTRACT 4, *Tax*.
const BRACKETS: [(u64, u64); 4] = [(150_000, 10), (400_000, 15), (7_000_000, 20), (u64::MAX, 30)];

/// `numerator / denominator` rounded half up to an integer.
fn round(numerator: BigUint, denominator: &BigUint) -> BigUint {
    (numerator * 2_u8 + denominator) / (denominator * 2_u8)
}

fn thousand_to(power: usize) -> BigUint {
    BigUint::from(1_000_u32).pow(u32::try_from(power).expect("few legs"))
}

/// Stake after tax, win, tax, payout and smallest win, in cents.
#[derive(PartialEq, Eq, Debug)]
struct Numbers([BigUint; 5]);

impl Numbers {
    fn of(found: &Totals) -> Numbers {
        let amounts = [found.taxed_stake, found.possible_win, found.win_tax, found.possible_payout, found.min_win];
        Numbers(amounts.map(|amount| BigUint::from(u64::try_from(amount.cents()).expect("no amount is negative"))))
    }
}

/// The table of CONTRACT 4. `k` = 0 is a standard ticket.
fn reference(k: usize, legs: &[Leg], cents: u64, max_total: u64, max_payout: u64) -> Numbers {
    let thousandths = |leg: &Leg| BigUint::from(leg.price.thousandths());
    let is_system = k > 0;
    let fixed: Vec<BigUint> = legs.iter().filter(|leg| is_system && leg.is_fix).map(thousandths).collect();
    let mut free: Vec<BigUint> = legs.iter().filter(|leg| !(is_system && leg.is_fix)).map(thousandths).collect();
    let factors = if is_system { k } else { free.len() };
    // `sums[j]` is the sum of all products of j free odds, `counts[j]` their number.
    let mut sums = vec![BigUint::ZERO; factors + 1];
    let mut counts = vec![BigUint::ZERO; factors + 1];
    (sums[0], counts[0]) = (BigUint::from(1_u8), BigUint::from(1_u8));
    for odd in &free {
        for j in (1..=factors).rev() {
            sums[j] = &sums[j] + &sums[j - 1] * odd;
            counts[j] = &counts[j] + &counts[j - 1];
        }
    }
    let fixed_product: BigUint = fixed.iter().product();
    let scale = thousand_to(factors + fixed.len());
    let total = (&fixed_product * &sums[factors]).min(BigUint::from(max_total) * &scale);
    free.sort();
    let least = &fixed_product * free.iter().take(factors).product::<BigUint>();

    let taxed = round(BigUint::from(cents) * 95_u8, &BigUint::from(100_u8));
    let parts = &counts[factors] * &scale;
    let win = round(&taxed * total, &parts);
    let least = round(&taxed * least, &parts).min(win.clone());
    let taxable = if win > taxed { &win - &taxed } else { BigUint::ZERO };
    let (mut tax, mut from) = (BigUint::ZERO, 0);
    for (to, percentage) in BRACKETS {
        let inside = taxable.clone().min(BigUint::from(to));
        if inside > BigUint::from(from) {
            tax += (inside - from) * percentage;
        }
        from = to;
    }
    let tax = round(tax, &BigUint::from(100_u8));
    let payout = (&win - &tax).min(BigUint::from(max_payout));
    Numbers([taxed, win, tax, payout, least])
}

fn any_leg(dice: &mut Dice) -> Leg {
    let thousandths = match dice.below(10) {
        0 => dice.between(1, 999),
        1 => dice.between(1_000_000, 100_000_000),
        2 => 1_000,
        _ => dice.between(1_001, 30_000),
    };
    let price = Price::from_thousandths(u32::try_from(thousandths).expect("small")).expect("at most 100,000");
    Leg { price, is_fix: dice.chance(150) }
}

#[test]
fn random_tickets_match_the_reference() {
    let count = asked_for("KVOTA_TICKETS", USUAL);
    let rules = Rules::default();
    let whole = |text: String| text.split('.').next().and_then(|whole| whole.parse::<u64>().ok()).expect("a number");
    let max_total = whole(rules.limits.max_total_odd.to_string());
    let max_payout = u64::try_from(rules.limits.max_payout.cents()).expect("no amount is negative");
    let mut dice = roll(33);
    let (mut systems, mut clamped, mut capped) = (0, 0, 0);
    for number in 0..count {
        let most = if dice.chance(100) { 30 } else { 8 };
        let legs: Vec<Leg> = (0..dice.between(1, most)).map(|_| any_leg(&mut dice)).collect();
        let free = legs.iter().filter(|leg| !leg.is_fix).count();
        let k = if free > 1 && dice.chance(500) { dice.between(1, free as u64 - 1) as usize } else { 0 };
        let cents = match dice.below(4) {
            0 => dice.between(100, 199),
            1 => dice.between(100, 100_000_000),
            _ => dice.between(100, 100_000),
        };
        let (kind, combination) = match u8::try_from(k).expect("few legs") {
            0 => (TicketKind::Standard, None),
            k => (TicketKind::System, Some(k)),
        };
        let stake = Money::from_cents(i64::try_from(cents).expect("small"));
        let found = totals(kind, combination, &legs, stake, &rules);
        let expected = reference(k, &legs, cents, max_total, max_payout);
        assert_eq!(Numbers::of(&found), expected, "ticket {number}: {k} of {legs:?} for {stake}");
        systems += u64::from(k > 0);
        clamped += u64::from(found.total_odd_clamped);
        capped += u64::from(found.possible_payout == rules.limits.max_payout);
    }
    // The comparison is only useful if each of these cases occurs.
    assert!([systems, clamped, capped].iter().all(|it| *it * 100 > count), "{systems} {clamped} {capped} of {count}");
    measured::count("R33", "random tickets equal to the reference of wide integers", count);
}

#[test]
fn a_system_of_twenty_is_counted_without_being_listed() {
    let rules = Rules::default();
    let twenty = legs(&["1.85"; 20].join(" "));
    for k in 1..20_u8 {
        let found = totals(TicketKind::System, Some(k), &twenty, money("1000000"), &rules);
        let of = |text: String| text.split('.').next().and_then(|it| it.parse::<u64>().ok()).expect("a number");
        let (max_total, max_payout) = (of(rules.limits.max_total_odd.to_string()), rules.limits.max_payout.cents());
        let expected = reference(k.into(), &twenty, 100_000_000, max_total, max_payout.try_into().expect("positive"));
        assert_eq!(Numbers::of(&found), expected, "{k}");
    }
    // A ticket with too many combinations to settle is rejected with their number; other tickets are accepted.
    let offer = TableOffer::with_prices(&["1.85"; 20]);
    let all: Vec<u64> = (1..=20).collect();
    let mut refused = 0;
    for k in 1..20_u8 {
        let slip = slip(&offer, &all, k, "1000");
        match check(&slip, &offer, &rules, &account("1000"), &no_limits()) {
            Ok(_) => {}
            Err(Rejection::TooManyCombinations { count, max }) => {
                assert!(count > max, "{k}");
                refused += 1;
            }
            Err(other) => panic!("{k}: {other:?}"),
        }
    }
    assert_eq!(refused, 9, "C(20, 6) is the first above 20,000, C(20, 14) the last");
    measured::count("R33", "systems of twenty counted exactly, those with too many combinations rejected", 19);
}
