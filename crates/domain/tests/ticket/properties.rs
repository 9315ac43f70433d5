//! Properties of every ticket: sums against brute force, totals that grow with their inputs, invariants of pairs and
//! combinations under any commands, and no panic for any value.

use crate::kit::{account, asked, no_limits, pick_home, slip, ticket};
use kvota_domain::ids::MatchId;
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::ticket::{
    AccountFacts, Consent, ExactOdd, Leg, Limits, Percent, Rules, SubmittedPair, SubmittedTicket, TaxKind, TaxRule,
    TaxableWin, TicketCommand, TicketKind, WinTaxMode, builder_code, check, combinations, elementary_symmetric,
    match_deleted, revalidate, totals, totals_of,
};
use kvota_testkit::builders::{market_id, match_id, money, odd_id, usual_match};
use kvota_testkit::scenario::TableOffer;
use kvota_testkit::slip::with_amounts;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn any_price() -> impl Strategy<Value = Price> {
    prop_oneof![1_000..5_000_u32, 0..=100_000_000_u32, Just(0), Just(100_000_000)]
        .prop_map(|thousandths| Price::from_thousandths(thousandths).expect("at most 100,000"))
}

fn usual_price() -> impl Strategy<Value = Price> {
    (1_001..20_000_u32).prop_map(|thousandths| Price::from_thousandths(thousandths).expect("at most 100,000"))
}

fn legs_of(price: impl Strategy<Value = Price>, most: usize) -> impl Strategy<Value = Vec<Leg>> {
    vec((price, proptest::bool::weighted(0.2)), 1..=most)
        .prop_map(|legs| legs.into_iter().map(|(price, is_fix)| Leg { price, is_fix }).collect())
}

fn stake() -> impl Strategy<Value = Money> {
    (100..=100_000_000_i64).prop_map(Money::from_cents)
}

/// Standard for 0, else a system of that k.
fn kind_and_combination(system_type: u8) -> (TicketKind, Option<u8>) {
    match system_type {
        0 => (TicketKind::Standard, None),
        k => (TicketKind::System, Some(k)),
    }
}

/// By enumeration: the number of k-subsets, the sum of their products, and the smallest product.
fn by_brute_force(odds: &[Price], k: usize) -> (u64, ExactOdd, Option<ExactOdd>) {
    let subsets = (0..1_u32 << odds.len()).filter(|subset| subset.count_ones() as usize == k);
    let products: Vec<ExactOdd> = subsets
        .map(|subset| {
            let chosen = odds.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1);
            ExactOdd::product(chosen.map(|(_, odd)| *odd))
        })
        .collect();
    let sum = products.iter().fold(ExactOdd::zero(), |sum, product| sum.plus(product));
    (products.len() as u64, sum, products.into_iter().min())
}

fn command() -> impl Strategy<Value = TicketCommand> {
    let id = || (1..=6_u64).prop_map(match_id);
    prop_oneof![
        8 => (1..=6_u64, 0..3_u64, 0..4_u64).prop_map(|(id, market, odd)| TicketCommand::Pick {
            match_id: match_id(id),
            market_id: market_id(id * 10 + market),
            odd_id: odd_id(id * 1_000 + market * 100 + odd),
        }),
        1 => id().prop_map(TicketCommand::Drop),
        3 => (id(), any::<bool>()).prop_map(|(match_id, on)| TicketCommand::Fix { match_id, on }),
        2 => any::<bool>().prop_map(|system| {
            TicketCommand::Type(if system { TicketKind::System } else { TicketKind::Standard })
        }),
        4 => proptest::option::of(0..7_u8).prop_map(TicketCommand::Combination),
        1 => ".*".prop_map(TicketCommand::Stake),
        1 => "[0-9.,]{0,12}".prop_map(TicketCommand::Stake),
        1 => Just(TicketCommand::Consent(Consent::Any)),
        1 => Just(TicketCommand::Clear),
    ]
}

fn six() -> TableOffer {
    TableOffer::with((1..=6).map(|id| usual_match(id, "1.5")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn sums_of_subsets_are_those_of_brute_force(odds in vec(any_price(), 0..=12), k in 0..=13_usize) {
        let (count, sum, _) = by_brute_force(&odds, k);
        prop_assert_eq!(combinations(odds.len(), k), count);
        prop_assert_eq!(elementary_symmetric(&odds, k), sum);
    }

    #[test]
    fn the_least_win_is_that_of_the_smallest_subset(odds in vec(usual_price(), 2..=10), k in 1..10_u8, stake in stake()) {
        let (count, _, least) = by_brute_force(&odds, k.into());
        let legs: Vec<Leg> = odds.iter().map(|price| Leg { price: *price, is_fix: false }).collect();
        let found = totals(TicketKind::System, Some(k), &legs, stake, &Rules::default().anonymous());
        if usize::from(k) < odds.len() {
            let parts = std::num::NonZeroU64::new(count).expect("there is a subset");
            let least = least.expect("there is a subset").share_of(stake, parts);
            prop_assert_eq!(found.min_win, least.min(found.max_win));
        } else {
            prop_assert_eq!(found.max_win, Money::ZERO);
        }
    }

    #[test]
    fn totals_grow_with_the_stake(
        legs in legs_of(usual_price(), 12), k in 0..12_u8, stake in stake(), more in 0..=1_000_000_i64,
    ) {
        let (kind, combination) = kind_and_combination(k);
        let rules = Rules::default();
        let less = totals(kind, combination, &legs, stake, &rules);
        let more = totals(kind, combination, &legs, Money::from_cents(stake.cents() + more), &rules);
        prop_assert!(less.taxed_stake <= more.taxed_stake);
        prop_assert!(less.possible_win <= more.possible_win && less.min_win <= more.min_win);
        prop_assert!(less.win_tax <= more.win_tax && less.possible_payout <= more.possible_payout);
    }

    #[test]
    fn totals_grow_with_the_odds(
        legs in legs_of(usual_price(), 12), k in 0..12_u8, stake in stake(), place in 0..12_usize, more in 0..10_000_u32,
    ) {
        let (kind, combination) = kind_and_combination(k);
        let rules = Rules::default();
        let mut raised = legs.clone();
        let place = place % legs.len();
        raised[place].price = Price::from_thousandths(legs[place].price.thousandths() + more).expect("at most 100,000");
        let less = totals(kind, combination, &legs, stake, &rules);
        let more = totals(kind, combination, &raised, stake, &rules);
        prop_assert!(less.total_odd <= more.total_odd);
        prop_assert!(less.possible_win <= more.possible_win && less.min_win <= more.min_win);
        prop_assert!(less.win_tax <= more.win_tax && less.possible_payout <= more.possible_payout);
    }

    #[test]
    fn the_numbers_of_a_ticket_agree_with_each_other(legs in legs_of(any_price(), 30), k in 0..30_u8, stake in stake()) {
        let (kind, combination) = kind_and_combination(k);
        let rules = Rules::default();
        let found = totals(kind, combination, &legs, stake, &rules);
        prop_assert!(found.min_win <= found.max_win);
        prop_assert_eq!(found.max_win, found.possible_win);
        prop_assert_eq!(found.taxed_win.cents(), found.possible_win.cents() - found.win_tax.cents());
        prop_assert_eq!(found.possible_payout, found.taxed_win.min(rules.limits.max_payout));
        prop_assert!(found.total_odd <= rules.limits.max_total_odd);
        prop_assert!(Money::ZERO <= found.win_tax && found.win_tax <= found.possible_win);
        prop_assert_eq!(found.system_combinations.iter().filter(|listed| listed.checked).count(),
            usize::from(found.selected_system_combination.is_some()));
    }

    #[test]
    fn picking_an_odd_twice_has_no_effect(commands in vec(command(), 0..20), id in 1..=6_u64) {
        let offer = six();
        let mut ticket = ticket();
        for command in &commands {
            let _ = asked(&mut ticket, command, &offer);
        }
        let _ = asked(&mut ticket, &TicketCommand::Drop(match_id(id)), &offer);
        let before = ticket.clone();
        asked(&mut ticket, &pick_home(id), &offer).expect("the odd is offered");
        asked(&mut ticket, &pick_home(id), &offer).expect("the odd is offered");
        prop_assert_eq!(ticket, before);
    }

    #[test]
    fn ticket_keeps_its_invariants_under_any_commands(
        commands in vec(command(), 0..60), gone in proptest::option::of(1..=6_u64),
    ) {
        let offer = six();
        let mut ticket = ticket();
        for command in &commands {
            let before = ticket.clone();
            let answer = asked(&mut ticket, command, &offer);
            if answer.as_ref().map_or(true, Vec::is_empty) {
                prop_assert_eq!(&ticket, &before, "what was not done has changed nothing");
            } else {
                prop_assert_ne!(&ticket, &before, "an event is a change");
            }
            let matches: BTreeSet<MatchId> = ticket.pairs.iter().map(|pair| pair.match_id).collect();
            prop_assert_eq!(matches.len(), ticket.pairs.len(), "one pair a match");
            prop_assert!(ticket.combination.is_none_or(|k| ticket.has_combination(k)));
            prop_assert!(ticket.pairs.iter().all(|pair| pair.picked.is_offered()));
            prop_assert!(money("1") <= ticket.stake && ticket.stake <= money("1000000"));
            let found = totals_of(&ticket, &offer, &Rules::default());
            prop_assert_eq!(found.number_of_matches, ticket.pairs.len());
            if builder_code(&ticket, &offer).is_none() {
                prop_assert!(found.possible_win > Money::ZERO, "what can be sent can win");
            }
        }
        if let Some(gone) = gone {
            match_deleted(&ticket, match_id(gone)).iter().for_each(|event| ticket.apply(event));
            prop_assert!(ticket.pair(match_id(gone)).is_none());
            prop_assert!(ticket.combination.is_none_or(|k| ticket.has_combination(k)));
        }
    }
}

/// Rules that no operator would configure.
fn absurd_rules() -> impl Strategy<Value = Rules> {
    let amount = || any::<i64>().prop_map(Money::from_cents);
    let rule = (amount(), proptest::option::of(amount()), 0..=10_000_u16, any::<bool>()).prop_map(
        |(from, to, hundredths, is_win)| TaxRule {
            from,
            to,
            percentage: Percent::from_hundredths(hundredths).expect("at most 100 %"),
            kind: if is_win { TaxKind::Win } else { TaxKind::Stake },
        },
    );
    let limits = (amount(), amount(), amount(), any::<u64>(), 0..100_usize, any::<u64>()).prop_map(
        |(min_stake, max_stake, max_payout, thousandths, max_pairs, max_combinations)| Limits {
            min_stake,
            max_stake,
            max_payout,
            max_total_odd: ExactOdd::from_thousandths(thousandths),
            max_pairs,
            max_combinations,
        },
    );
    (vec(rule, 0..5), any::<bool>(), any::<bool>(), limits).prop_map(|(tax, whole, win, limits)| Rules {
        tax,
        win_tax_mode: if whole { WinTaxMode::Whole } else { WinTaxMode::Marginal },
        taxable_win: if win { TaxableWin::Win } else { TaxableWin::Profit },
        limits,
    })
}

fn absurd_slip() -> impl Strategy<Value = SubmittedTicket> {
    let amount = || prop_oneof![any::<i64>(), 0..10_000_i64].prop_map(Money::from_cents);
    let pair =
        (0..80_u64, any_price(), any::<bool>(), any::<i64>()).prop_map(|(id, odd_value, is_fix, market_kind)| {
            SubmittedPair {
                match_id: match_id(id),
                odd_id: odd_id(id * 1_000),
                market_kind: if market_kind > 0 { 1 } else { market_kind },
                market_subtype: None,
                sbv: None,
                odd_kind: Some("1".into()),
                odd_value,
                is_fix,
            }
        });
    let consent = prop_oneof![Just(Consent::None), Just(Consent::Higher), Just(Consent::Any)];
    ((amount(), amount(), amount(), amount(), amount()), any::<u8>(), consent, vec(pair, 0..70)).prop_map(
        |((stake, bruto, potential_win, win_tax, payout), system_type, consent, pairs)| SubmittedTicket {
            stake,
            bruto,
            potential_win,
            win_tax,
            payout,
            system_type,
            consent,
            pairs,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_totals_panic(
        legs in legs_of(any_price(), 70), k in any::<u8>(), cents in any::<i64>(), rules in absurd_rules(),
    ) {
        let (kind, combination) = kind_and_combination(k);
        let found = totals(kind, combination, &legs, Money::from_cents(cents), &rules);
        prop_assert!(found.min_win <= found.max_win);
        prop_assert!(found.possible_win >= Money::ZERO && found.taxed_win <= found.possible_win);
    }

    #[test]
    fn any_slip_is_handled_and_only_correct_amounts_are_accepted(ticket in absurd_slip(), rules in absurd_rules()) {
        let offer = six();
        let rich = AccountFacts { balance: Money::from_cents(i64::MAX), ..account("0") };
        for rules in [Rules::default(), rules] {
            let answer = check(&ticket, &offer, &rules, &rich, &no_limits());
            prop_assert!(answer.is_err() || answer.is_ok_and(|checked| checked.bet().totals.taxed_stake == ticket.stake));
        }
    }

    #[test]
    fn correct_slip_is_accepted_within_its_consent(
        seen in vec(usual_price(), 1..=6), changes in vec(-500..500_i32, 6), fixes in vec(any::<bool>(), 6),
        k in 0..6_u8, consent in 0..3_usize,
    ) {
        let consent = [Consent::None, Consent::Higher, Consent::Any][consent];
        let offer_at = |prices: &[Price]| {
            let prices: Vec<String> = prices.iter().map(Price::to_string).collect();
            TableOffer::with_prices(&prices.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let now: Vec<Price> = seen.iter().zip(&changes).map(|(price, change)| {
            Price::from_thousandths(price.thousandths().saturating_add_signed(*change).max(1)).expect("at most 100,000")
        }).collect();
        let matches: Vec<u64> = (1..).take(seen.len()).collect();
        let mut ticket = slip(&offer_at(&seen), &matches, k, "10");
        ticket.consent = consent;
        if k > 0 {
            ticket.pairs.iter_mut().zip(&fixes).for_each(|(pair, is_fix)| pair.is_fix = *is_fix);
        }
        let ticket = with_amounts(ticket);
        let (rules, account) = (Rules::default(), account("10"));
        let checked = check(&ticket, &offer_at(&seen), &rules, &account, &no_limits());
        let free = ticket.pairs.iter().filter(|pair| !pair.is_fix).count();
        prop_assert_eq!(checked.is_ok(), usize::from(k) < free);
        let Ok(checked) = checked else { return Ok(()) };
        let answer = revalidate(&checked, &offer_at(&now), &rules, &account, &no_limits());
        let is_covered = seen.iter().zip(&now).all(|(seen, now)| match consent {
            Consent::None => now == seen,
            Consent::Higher => now >= seen,
            Consent::Any => true,
        });
        prop_assert_eq!(answer.is_ok(), is_covered, "{:?}", answer);
        if let Ok(bet) = answer {
            let accepted: Vec<Price> = bet.pairs.iter().map(|pair| pair.taken).collect();
            prop_assert_eq!(&accepted, &now);
            let legs: Vec<Leg> = bet.pairs.iter().map(|pair| Leg { price: pair.taken, is_fix: pair.is_fix }).collect();
            let (kind, combination) = kind_and_combination(k);
            prop_assert_eq!(bet.totals, totals(kind, combination, &legs, money("10"), &rules));
        }
    }
}
