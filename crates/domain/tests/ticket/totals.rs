//! CONTRACT 4, the table and the worked examples, to the cent.

use crate::kit::{asked, fix, legs, numbers, pick_home, ticket_after};
use kvota_domain::money::Money;
use kvota_domain::ticket::{
    ExactOdd, Limits, Rules, TaxableWin, TicketCommand, TicketKind, Totals, WinTaxMode, totals, totals_of,
};
use kvota_testkit::builders::{money, usual_match};
use kvota_testkit::scenario::TableOffer;

fn taxed() -> Rules {
    Rules::default()
}

fn untaxed() -> Rules {
    taxed().anonymous()
}

fn with_limits(limits: Limits) -> Rules {
    Rules { limits, ..untaxed() }
}

fn amounts(totals: &Totals) -> String {
    let Totals { taxed_stake, possible_win, win_tax, possible_payout, .. } = totals;
    format!("{taxed_stake} {possible_win} {win_tax} {possible_payout}")
}

#[test]
fn the_worked_examples_of_standard_tickets() {
    for (odds, total, result) in [("1.75 2.15", "3.7625", "9.50 35.74 2.62 33.12"), ("2", "2", "9.50 19.00 0.95 18.05")]
    {
        let totals = numbers(0, odds, "10", &taxed());
        assert_eq!((totals.total_odd.to_string().as_str(), amounts(&totals).as_str()), (total, result));
        assert_eq!((totals.number_of_odds, totals.number_of_fix_pairs), (1, 0));
        assert_eq!((totals.min_win, totals.max_win), (totals.possible_win, totals.possible_win));
    }
}

#[test]
fn the_worked_examples_of_system_tickets() {
    for (k, odds, bruto, count, max, min) in [
        (3, "2.2 1.9 1.5 1.7", "1000", 4, "5957.75", "1211.25"),
        (2, "1.3 1.2; 2.2 1.9 1.5", "750", 3, "4028.70", "1111.50"),
        (3, "1.5 1.8 2 2.2 2.5", "10", 10, "78.26", "5.40"),
    ] {
        let totals = numbers(k, odds, bruto, &untaxed());
        assert_eq!(totals.number_of_odds, count);
        assert_eq!((totals.max_win.to_string().as_str(), totals.min_win.to_string().as_str()), (max, min));
        assert_eq!((totals.possible_win, totals.possible_payout), (totals.max_win, totals.max_win));
        assert_eq!(totals.taxed_stake, money(bruto));
    }
}

#[test]
fn the_ticket_info_of_a_system_ticket_with_fixes() {
    let totals = numbers(2, "1.3 1.2; 2.2 1.9 1.5 1.7", "100", &taxed());
    assert_eq!((totals.number_of_matches, totals.number_of_fix_pairs, totals.number_of_odds), (6, 2, 6));
    let listed: Vec<_> = totals.system_combinations.iter().map(|c| (c.k, c.count, c.checked)).collect();
    assert_eq!(listed, [(1, 4, false), (2, 6, true), (3, 4, false)]);
    assert_eq!(totals.selected_system_combination, Some(2));
    // 1.56 * (2.2*1.9 + 2.2*1.5 + 2.2*1.7 + 1.9*1.5 + 1.9*1.7 + 1.5*1.7) = 1.56 * 19.85
    assert_eq!(totals.total_odd.to_string(), "30.966");
    assert_eq!(amounts(&totals), "95.00 490.30 39.53 450.77");
    assert_eq!(totals.min_win, money("62.99"), "95 / 6 * 1.56 * 1.5 * 1.7");
    assert_eq!(
        (totals.stake_tax_percentage.to_string(), totals.win_tax_percentage.to_string()),
        ("5".into(), "10".into())
    );
    assert_eq!((totals.stake, totals.minimum_stake), (money("100"), money("1")));
}

#[test]
fn a_standard_ticket_counts_its_fixed_pairs_like_any_other() {
    let totals = numbers(0, "1.75; 2.15", "10", &taxed());
    assert_eq!((amounts(&totals).as_str(), totals.number_of_fix_pairs), ("9.50 35.74 2.62 33.12", 0));
    assert_eq!((totals.system_combinations.len(), totals.selected_system_combination), (0, None));
}

#[test]
fn the_modes_of_the_win_tax() {
    for (mode, taxable_win, win_tax, payout) in [
        (WinTaxMode::Marginal, TaxableWin::Profit, "278.93", "2080.82"),
        (WinTaxMode::Marginal, TaxableWin::Win, "278.96", "2080.79"),
        (WinTaxMode::Whole, TaxableWin::Profit, "353.93", "2005.82"),
        (WinTaxMode::Whole, TaxableWin::Win, "353.96", "2005.79"),
    ] {
        let rules = Rules { win_tax_mode: mode, taxable_win, ..taxed() };
        // 0.19 * 12419.737 = 2359.75, including a profit of 2359.56.
        let totals = numbers(0, "12419.737", "0.20", &Rules { limits: tiny_stakes(), ..rules });
        assert_eq!((totals.taxed_stake, totals.possible_win), (money("0.19"), money("2359.75")));
        assert_eq!(
            (totals.win_tax, totals.possible_payout),
            (money(win_tax), money(payout)),
            "{mode:?} {taxable_win:?}"
        );
        assert_eq!(totals.win_tax_percentage.to_string(), "15");
    }
}

fn tiny_stakes() -> Limits {
    Limits { min_stake: money("0.01"), ..Limits::default() }
}

#[test]
fn a_win_below_the_stake_is_not_taxed_as_profit() {
    let totals = numbers(0, "0.5", "10", &taxed());
    assert_eq!(amounts(&totals), "9.50 4.75 0.00 4.75");
    assert_eq!(totals.win_tax_percentage.to_string(), "10", "a taxable win of 0 is in the first bracket");
    let all = Rules { taxable_win: TaxableWin::Win, ..taxed() };
    assert_eq!(amounts(&numbers(0, "0.5", "10", &all)), "9.50 4.75 0.48 4.27");
}

#[test]
fn anonymous_bettors_have_no_taxes() {
    let totals = numbers(0, "1.75 2.15", "10", &untaxed());
    assert_eq!(amounts(&totals), "10.00 37.63 0.00 37.63");
    assert_eq!((totals.stake_tax_percentage.hundredths(), totals.win_tax_percentage.hundredths()), (0, 0));
}

#[test]
fn rounding_is_half_up_and_only_at_the_steps_named() {
    for (k, odds, bruto, result) in [
        // 1 * 1.005 = 1.005, half up.
        (0, "1.005", "1", "1.00 1.01 0.00 1.01"),
        (0, "1.004", "1", "1.00 1.00 0.00 1.00"),
        // 10 / 3 is not rounded before the multiplication: 3.333… * 6 = 20, but 3.33 * 6 would be 19.98.
        (1, "2 2 2", "10", "10.00 20.00 0.00 20.00"),
    ] {
        assert_eq!(amounts(&numbers(k, odds, bruto, &untaxed())), result, "{odds}");
    }
    // 1.10 - 0.055 = 1.045, which rounds half up to 1.05; 1.05, not 1.045, is multiplied.
    assert_eq!(amounts(&numbers(0, "10", "1.10", &taxed())), "1.05 10.50 0.95 9.55");
}

#[test]
fn the_payout_is_at_most_the_largest() {
    let totals = numbers(0, "500", "1000", &taxed());
    assert_eq!((totals.taxed_win > money("100000"), totals.possible_payout), (true, money("100000")));
    let limits = Limits { max_payout: money("10"), ..Limits::default() };
    assert_eq!(amounts(&numbers(0, "2", "10", &with_limits(limits))), "10.00 20.00 0.00 10.00");
}

#[test]
fn total_odd_above_the_maximum_is_clamped_and_flagged() {
    for (k, odds, total, clamped, max, min) in [
        (0, "100 1000", "100000", false, "100000.00", "100000.00"),
        (0, "100 1000.001", "100000", true, "100000.00", "100000.00"),
        (0, "1000 1000 1000", "100000", true, "100000.00", "100000.00"),
        // In a system the whole sum is clamped: 3 * 90,000 exceeds the maximum, so each third wins a third of 100,000.
        (2, "300 300 300", "100000", true, "33333.33", "30000.00"),
        // The smallest win, 1/3 * 1,000,000, is clamped to the largest win.
        (2, "1000 1000 1000", "100000", true, "33333.33", "33333.33"),
    ] {
        let totals = numbers(k, odds, "1", &untaxed());
        assert_eq!((totals.total_odd.to_string().as_str(), totals.total_odd_clamped), (total, clamped), "{odds}");
        assert_eq!((totals.max_win, totals.min_win), (money(max), money(min)), "{odds}");
    }
}

#[test]
fn thirty_pairs_at_a_thousand_do_not_overflow() {
    let odds = vec!["1000"; 30].join(" ");
    for (k, bruto) in [(0, "1000000"), (15, "1000000"), (29, "1"), (1, "1000000")] {
        let totals = numbers(k, &odds, bruto, &taxed());
        assert_eq!(totals.total_odd_clamped, k != 1, "{k}");
        assert!(totals.min_win <= totals.max_win && totals.possible_payout <= money("100000"), "{k}");
    }
    let no_bounds = Limits { max_total_odd: ExactOdd::from_thousandths(u64::MAX), ..Limits::default() };
    let totals = totals(TicketKind::Standard, None, &legs(&odds), Money::from_cents(i64::MAX), &with_limits(no_bounds));
    assert_eq!(totals.possible_win, Money::from_cents(i64::MAX), "held, not wrapped");
}

#[test]
fn an_empty_ticket_or_a_stake_below_the_smallest_resets_the_totals() {
    let reset = |totals: &Totals| {
        let Totals { total_odd, possible_win, taxed_stake, win_tax, possible_payout, min_win, max_win, .. } = totals;
        let all = [*possible_win, *taxed_stake, *win_tax, *possible_payout, *min_win, *max_win];
        *total_odd == ExactOdd::zero() && all == [Money::ZERO; 6] && totals.number_of_odds == 0
    };
    assert!(reset(&numbers(0, "", "10", &taxed())));
    assert!(reset(&numbers(2, "", "10", &taxed())));
    let below = numbers(2, "2 2 2", "0.99", &taxed());
    assert!(reset(&below));
    assert_eq!((below.number_of_matches, below.system_combinations.len(), below.stake), (3, 2, money("0.99")));
    assert!(!reset(&numbers(0, "2", "1", &taxed())));
}

#[test]
fn system_ticket_without_combination_lists_combinations_and_has_no_win() {
    for k in [3, 200] {
        let totals = numbers(k, "2 2 2", "10", &taxed());
        assert_eq!((totals.selected_system_combination, totals.system_combinations.len()), (None, 2), "{k}");
        assert_eq!(amounts(&totals), "9.50 0.00 0.00 0.00");
        assert_eq!((totals.number_of_odds, totals.total_odd), (0, ExactOdd::zero()));
    }
    for (odds, listed) in [("2", 0), ("2 2", 1), ("2; 2", 0), ("2 2;", 0)] {
        assert_eq!(numbers(1, odds, "10", &taxed()).system_combinations.len(), listed, "{odds}");
    }
}

#[test]
fn ticket_uses_current_prices_or_else_picked_prices() {
    let offer = TableOffer::with_prices(&["1.75", "2.15"]);
    let mut ticket = ticket_after(&offer, &[pick_home(1), pick_home(2)]);
    asked(&mut ticket, &TicketCommand::Stake("10".into()), &offer).unwrap();
    for (now, total) in [
        (offer.clone(), "3.7625"),
        (offer.now(usual_match(1, "2")), "4.3"),
        (offer.now(usual_match(1, "0")), "3.7625"),
        (offer.without(1), "3.7625"),
        (offer.now(usual_match(1, "2").suspended()), "4.3"),
    ] {
        assert_eq!(totals_of(&ticket, &now, &taxed()).total_odd.to_string(), total);
    }
}

#[test]
fn fixes_count_as_soon_as_the_ticket_is_a_system() {
    let offer = TableOffer::with_prices(&["2", "3", "4"]);
    let commands = [pick_home(1), pick_home(2), pick_home(3), fix(1, true), TicketCommand::Combination(Some(1))];
    let mut ticket = ticket_after(&offer, &commands);
    assert_eq!(totals_of(&ticket, &offer, &untaxed()).total_odd.to_string(), "24");
    asked(&mut ticket, &TicketCommand::Type(TicketKind::System), &offer).unwrap();
    let system = totals_of(&ticket, &offer, &untaxed());
    assert_eq!((system.total_odd.to_string().as_str(), system.number_of_fix_pairs), ("14", 1));
    assert_eq!((system.max_win, system.min_win), (money("7"), money("3")));
}
