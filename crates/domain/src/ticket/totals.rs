//! The numbers of a ticket (CONTRACT 4, the table) from the prices of its pairs, its stake and the rules.
//! The session actor uses it after every change, the placement for the submitted and the accepted odds, so that all
//! agree to the cent. Rounds only at the steps that the contract names.

use super::combinations::{combinations, elementary_symmetric};
use super::exact::ExactOdd;
use super::offer_view::OfferView;
use super::rules::{Percent, Rules, TaxableWin};
use super::state::{Ticket, TicketKind};
use super::tax::{after_stake_tax, stake_tax, win_tax, win_tax_percentage};
use crate::money::Money;
use crate::price::Price;
use std::num::NonZeroU64;

/// The price of a pair and whether it is fixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leg {
    /// The price used in the calculation.
    pub price: Price,
    /// Whether it is fixed; of no effect in a standard ticket.
    pub is_fix: bool,
}

/// A combination of a system ticket that can be selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SystemCombination {
    /// Odds in each subset.
    pub k: u8,
    /// The number of subsets.
    pub count: u64,
    /// Whether it is selected.
    pub checked: bool,
}

/// The numbers shown below the pairs of a ticket. Amounts in cents, exact.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Pairs on the ticket.
    pub number_of_matches: usize,
    /// The product of all odds, in a system G * e_k; 0 if there is none.
    pub total_odd: ExactOdd,
    /// Whether the total odd was clamped to the maximum.
    pub total_odd_clamped: bool,
    /// The stake before tax.
    pub stake: Money,
    /// The percentage taken from the stake.
    pub stake_tax_percentage: Percent,
    /// The stake after tax.
    pub taxed_stake: Money,
    /// The win if all pairs win.
    pub possible_win: Money,
    /// The tax on it.
    pub win_tax: Money,
    /// The percentage of the bracket that contains the taxable win.
    pub win_tax_percentage: Percent,
    /// The win after tax.
    pub taxed_win: Money,
    /// The payout: the win after tax, at most the maximum payout.
    pub possible_payout: Money,
    /// Fixed pairs; 0 in a standard ticket.
    pub number_of_fix_pairs: usize,
    /// The contract's N: 1, in a system C(m, k); 0 if there is nothing to bet on.
    pub number_of_odds: u64,
    /// The combinations that can be selected, k ascending; empty in a standard ticket.
    pub system_combinations: Vec<SystemCombination>,
    /// The selected k.
    pub selected_system_combination: Option<u8>,
    /// The minimum stake.
    pub minimum_stake: Money,
    /// The smallest possible win; in a standard ticket the possible win.
    pub min_win: Money,
    /// The possible win.
    pub max_win: Money,
}

/// The numbers of a ticket at current prices. A pair without a current price counts with the price at which it was
/// picked. It cannot be bet on, but the bettor sees an unchanged ticket until he decides.
pub fn totals_of(ticket: &Ticket, view: &impl OfferView, rules: &Rules) -> Totals {
    let price_now = |pair: &super::state::Pair| {
        let odd = view.quote(pair.match_id, pair.odd_id)?.odd?;
        odd.price.is_offered().then_some(odd.price)
    };
    let legs: Vec<Leg> = ticket
        .pairs
        .iter()
        .map(|pair| Leg { price: price_now(pair).unwrap_or(pair.picked), is_fix: pair.is_fix })
        .collect();
    totals(ticket.kind, ticket.combination, &legs, ticket.stake, rules)
}

/// The numbers of a ticket of any size. If nothing can be calculated (no pair, a stake below the minimum, a system
/// without a valid combination), all amounts except the stake are 0. The combinations that can be selected are still
/// listed.
pub fn totals(kind: TicketKind, combination: Option<u8>, legs: &[Leg], stake: Money, rules: &Rules) -> Totals {
    let prices = |is_fix: bool| legs.iter().filter(move |leg| leg.is_fix == is_fix).map(|leg| leg.price);
    let mut totals =
        Totals { number_of_matches: legs.len(), stake, minimum_stake: rules.limits.min_stake, ..Totals::default() };
    let odds = match kind {
        TicketKind::Standard => {
            let total = ExactOdd::product(legs.iter().map(|leg| leg.price));
            (!legs.is_empty()).then(|| Odds { min: total.clone(), total, parts: NonZeroU64::MIN })
        }
        TicketKind::System => {
            let mut free: Vec<Price> = prices(false).collect();
            free.sort_unstable();
            totals.number_of_fix_pairs = prices(true).count();
            totals.system_combinations = combinations_of(free.len(), combination);
            let chosen = totals.system_combinations.iter().find(|listed| listed.checked).copied();
            totals.selected_system_combination = chosen.map(|chosen| chosen.k);
            chosen.and_then(|chosen| system_odds(&prices(true).collect::<Vec<_>>(), &free, chosen))
        }
    };
    if legs.is_empty() || stake < rules.limits.min_stake {
        return totals;
    }
    totals.stake_tax_percentage = stake_tax(stake, rules);
    totals.taxed_stake = after_stake_tax(stake, totals.stake_tax_percentage);
    match odds {
        Some(odds) => with_wins(totals, odds, rules),
        None => totals,
    }
}

/// The total odds, and the number of parts into which the stake is divided.
struct Odds {
    total: ExactOdd,
    min: ExactOdd,
    parts: NonZeroU64,
}

/// The list of k from 1 to m - 1.
fn combinations_of(m: usize, chosen: Option<u8>) -> Vec<SystemCombination> {
    let last = u8::try_from(m.saturating_sub(1)).unwrap_or(u8::MAX);
    let listed = |k: u8| SystemCombination { k, count: combinations(m, k.into()), checked: chosen == Some(k) };
    (1..=last).map(listed).collect()
}

/// `free` must be ascending, so that the k smallest odds come first.
fn system_odds(fixed: &[Price], free: &[Price], chosen: SystemCombination) -> Option<Odds> {
    let k = usize::from(chosen.k);
    let fixed = ExactOdd::product(fixed.iter().copied());
    let total = fixed.times(&elementary_symmetric(free, k));
    let min = fixed.times(&ExactOdd::product(free.iter().copied().take(k)));
    Some(Odds { total, min, parts: NonZeroU64::new(chosen.count)? })
}

fn with_wins(mut totals: Totals, odds: Odds, rules: &Rules) -> Totals {
    let limits = &rules.limits;
    totals.total_odd_clamped = odds.total > limits.max_total_odd;
    totals.total_odd = if totals.total_odd_clamped { limits.max_total_odd.clone() } else { odds.total };
    totals.number_of_odds = odds.parts.get();
    totals.possible_win = totals.total_odd.share_of(totals.taxed_stake, odds.parts);
    totals.max_win = totals.possible_win;
    totals.min_win = odds.min.share_of(totals.taxed_stake, odds.parts).min(totals.max_win);
    let taxable = match rules.taxable_win {
        TaxableWin::Profit => minus(totals.possible_win, totals.taxed_stake).max(Money::ZERO),
        TaxableWin::Win => totals.possible_win,
    };
    totals.win_tax = win_tax(taxable, rules);
    totals.win_tax_percentage = win_tax_percentage(taxable, rules);
    totals.taxed_win = minus(totals.possible_win, totals.win_tax);
    totals.possible_payout = totals.taxed_win.min(limits.max_payout);
    totals
}

/// Neither amount is negative, so the difference always fits.
fn minus(from: Money, what: Money) -> Money {
    from.checked_sub(what).unwrap_or(Money::ZERO)
}
