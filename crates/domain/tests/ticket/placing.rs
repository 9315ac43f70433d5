//! CONTRACT 4, *Placing*: why a submitted ticket is rejected, and in which order.

use crate::kit::{account, no_limits, slip, state_with_texts};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::ticket::{
    AccountFacts, Amount, CannotBet, Checked, Consent, Contradiction, FeedHealth, MatchFacts, MatchQuote, OfferView,
    PlacingLimits, Rejection, Rules, SubmittedTicket, check, has_market, quote_of,
};
use kvota_testkit::builders::{live_match, match_id, money, odd_id, price, total, usual_match};
use kvota_testkit::scenario::TableOffer;
use kvota_testkit::slip::with_amounts;
use std::collections::BTreeSet;

fn two() -> TableOffer {
    TableOffer::with_prices(&["1.75", "2.15"])
}

fn four() -> TableOffer {
    TableOffer::with_prices(&["2.2", "1.9", "1.5", "1.7"])
}

fn checked(ticket: &SubmittedTicket, offer: &TableOffer) -> Result<Checked, Rejection> {
    check(ticket, offer, &Rules::default(), &account("1000"), &no_limits())
}

fn with(ticket: SubmittedTicket, change: impl FnOnce(&mut SubmittedTicket)) -> SubmittedTicket {
    let mut changed = ticket;
    change(&mut changed);
    changed
}

#[test]
fn worked_example_is_accepted_with_its_numbers() {
    let ticket = with(slip(&two(), &[1, 2], 0, "10"), |ticket| {
        ticket.stake = money("9.50");
        ticket.potential_win = money("35.74");
        ticket.win_tax = money("2.62");
        ticket.payout = money("33.12");
    });
    let checked = checked(&ticket, &two()).unwrap();
    let bet = checked.bet();
    assert_eq!((bet.bruto, bet.totals.taxed_stake, bet.combination), (money("10"), money("9.50"), None));
    assert_eq!(bet.total_odd().to_string(), "3.7625");
    let pairs: Vec<_> =
        bet.pairs.iter().map(|pair| (pair.match_id.get(), pair.odd_id.get(), pair.market_id.get())).collect();
    assert_eq!(pairs, [(1, 1_000, 10), (2, 2_000, 20)]);
    assert_eq!(bet.pairs[1].snapshot.home.as_deref(), Some("Home 2"));
    assert_eq!(checked.sports().map(|sport| sport.get()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(checked.ticket(), &ticket);
}

#[test]
fn system_ticket_with_fixes_is_accepted() {
    let ticket = with_amounts(with(slip(&four(), &[1, 2, 3, 4], 2, "10"), |ticket| ticket.pairs[0].is_fix = true));
    let checked = checked(&ticket, &four()).unwrap();
    assert_eq!((checked.bet().combination, checked.bet().totals.number_of_odds), (Some(2), 3));
    assert!(checked.bet().pairs[0].is_fix && !checked.bet().pairs[1].is_fix);
}

#[test]
fn ticket_with_an_invalid_shape_is_rejected() {
    let thirty_one = TableOffer::with_prices(&["1.01"; 31]);
    let many = TableOffer::with_prices(&["1.1"; 18]);
    let all: Vec<u64> = (1..=31).collect();
    let slip4 = |k| slip(&four(), &[1, 2, 3, 4], k, "10");
    for (ticket, rejection) in [
        (slip(&two(), &[], 0, "10"), Rejection::Empty),
        (slip(&two(), &[], 1, "10"), Rejection::Empty),
        (slip(&thirty_one, &all, 0, "10"), Rejection::TooManyPairs { count: 31, max: 30 }),
        (slip(&two(), &[1, 2, 1], 0, "10"), Rejection::MatchTwice { match_id: match_id(1) }),
        (
            with(slip(&two(), &[1, 2, 1], 0, "10"), |ticket| ticket.pairs[2].odd_id = odd_id(1_001)),
            Rejection::MatchTwice { match_id: match_id(1) },
        ),
        (with(slip4(0), |ticket| ticket.pairs[1].is_fix = true), Rejection::FixInStandard),
        (slip4(4), Rejection::NoSuchCombination { k: 4, free: 4 }),
        (slip4(255), Rejection::NoSuchCombination { k: 255, free: 4 }),
        (slip(&two(), &[1], 1, "10"), Rejection::NoSuchCombination { k: 1, free: 1 }),
        (with(slip4(3), |ticket| ticket.pairs[0].is_fix = true), Rejection::NoSuchCombination { k: 3, free: 3 }),
        (slip(&many, &all[..18], 9, "10"), Rejection::TooManyCombinations { count: 48_620, max: 20_000 }),
        (
            with(slip4(0), |ticket| ticket.pairs[1].odd_value = price("0")),
            Rejection::NotBettable { match_id: match_id(2), reason: CannotBet::OddWithdrawn },
        ),
    ] {
        assert_eq!(checked(&ticket, &four()).err(), Some(rejection));
    }
    assert!(checked(&slip(&many, &all[..18], 5, "10"), &many).is_ok(), "8,568 combinations are allowed");
}

#[test]
fn pairs_and_combinations_are_accepted_up_to_the_limits() {
    let of_four = (four(), slip(&four(), &[1, 2, 3, 4], 2, "10"));
    let of_two = (two(), slip(&two(), &[1, 2], 0, "10"));
    let too_many_combinations = Rejection::TooManyCombinations { count: 6, max: 5 };
    for ((offer, ticket), max_pairs, max_combinations, rejection) in [
        (&of_four, 30, 6, None),
        (&of_four, 30, 5, Some(too_many_combinations)),
        (&of_two, 2, 1, None),
        (&of_two, 1, 1, Some(Rejection::TooManyPairs { count: 2, max: 1 })),
    ] {
        let mut rules = Rules::default();
        (rules.limits.max_pairs, rules.limits.max_combinations) = (max_pairs, max_combinations);
        let answer = check(ticket, offer, &rules, &account("1000"), &no_limits());
        assert_eq!(answer.err(), rejection, "{max_pairs} pairs, {max_combinations} combinations");
    }
}

#[test]
fn stake_out_of_range_is_rejected() {
    let (min, max) = (money("1"), money("1000000"));
    for (bruto, is_taken) in [("0.99", false), ("0", false), ("1", true), ("1000000", true), ("1000000.01", false)] {
        let ticket = slip(&two(), &[1, 2], 0, bruto);
        let answer = check(&ticket, &two(), &Rules::default(), &account("5000000"), &no_limits());
        let rejection = Rejection::StakeOutOfRange { stake: money(bruto), min, max };
        assert_eq!(answer.err(), (!is_taken).then_some(rejection), "{bruto}");
    }
}

#[test]
fn amounts_that_do_not_match_the_submitted_odds_are_rejected() {
    let cent = |amount: &mut Money, more: i64| *amount = Money::from_cents(amount.cents() + more);
    for more in [-1, 1] {
        for (amount, change) in [
            (Amount::Stake, (|ticket| &mut ticket.stake) as fn(&mut SubmittedTicket) -> &mut Money),
            (Amount::PotentialWin, |ticket| &mut ticket.potential_win),
            (Amount::WinTax, |ticket| &mut ticket.win_tax),
            (Amount::Payout, |ticket| &mut ticket.payout),
        ] {
            let ticket = with(slip(&two(), &[1, 2], 0, "10"), |ticket| cent(change(ticket), more));
            let answer = checked(&ticket, &two()).unwrap_err();
            assert!(matches!(answer, Rejection::AmountDiffers { amount: found, .. } if found == amount), "{answer:?}");
        }
    }
    // An odd above the offer's does not help, even with consent to all changes: the amounts follow from the slip's
    // odds.
    let tampered = with(slip(&two(), &[1, 2], 0, "10"), |ticket| {
        ticket.pairs[0].odd_value = price("17.5");
        ticket.consent = Consent::Any;
    });
    let rejection = checked(&tampered, &two()).unwrap_err();
    assert!(matches!(rejection, Rejection::AmountDiffers { amount: Amount::PotentialWin, .. }), "{rejection:?}");
}

#[test]
fn unknown_ids_are_rejected() {
    let unknown_match = with(slip(&two(), &[1, 2], 0, "10"), |ticket| ticket.pairs[1].match_id = match_id(9));
    assert_eq!(checked(&unknown_match, &two()).err(), Some(Rejection::UnknownMatch { match_id: match_id(9) }));
    for odd in [1_003, 1_000, 10] {
        let unknown_odd = with(slip(&two(), &[1, 2], 0, "10"), |ticket| ticket.pairs[1].odd_id = odd_id(odd));
        let rejection = Rejection::UnknownOdd { match_id: match_id(2), odd_id: odd_id(odd) };
        assert_eq!(checked(&unknown_odd, &two()).err(), Some(rejection), "{odd} is no odd of this match");
    }
}

#[test]
fn fields_that_do_not_match_the_odd_are_rejected() {
    let offer = TableOffer::with([
        live_match(1).market(total(10, "2.5", ["1.9", "1.8"]).with(|market| market.subtype = Some(3))),
        usual_match(2, "2"),
    ]);
    let valid = slip(&offer, &[1, 2], 0, "10");
    let pair = |index: usize, change: fn(&mut kvota_domain::ticket::SubmittedPair)| {
        with(valid.clone(), |ticket| change(&mut ticket.pairs[index]))
    };
    for (ticket, contradiction) in [
        (valid.clone(), None),
        (pair(0, |pair| pair.market_kind = 1), Some((1, Contradiction::MarketType))),
        (pair(0, |pair| pair.market_subtype = Some(4)), Some((1, Contradiction::MarketSubtype))),
        (pair(0, |pair| pair.market_subtype = None), None),
        (pair(1, |pair| pair.market_subtype = Some(0)), None),
        (pair(1, |pair| pair.market_subtype = Some(1)), Some((2, Contradiction::MarketSubtype))),
        (pair(0, |pair| pair.sbv = Some("3.5".into())), Some((1, Contradiction::Sbv))),
        (pair(0, |pair| pair.sbv = None), Some((1, Contradiction::Sbv))),
        // A client that sends the line as a number may write it with more zeros.
        (pair(0, |pair| pair.sbv = Some("2.50".into())), None),
        (pair(0, |pair| pair.sbv = Some("25.0".into())), Some((1, Contradiction::Sbv))),
        (pair(1, |pair| pair.sbv = Some("2.5".into())), Some((2, Contradiction::Sbv))),
        (pair(1, |pair| pair.sbv = Some("".into())), None),
        (pair(1, |pair| pair.sbv = Some(".0".into())), Some((2, Contradiction::Sbv))),
        (pair(0, |pair| pair.odd_kind = Some("Više".into())), Some((1, Contradiction::OddType))),
        (pair(1, |pair| pair.odd_kind = None), Some((2, Contradiction::OddType))),
    ] {
        let rejection = contradiction.map(|(id, what)| Rejection::Contradiction { match_id: match_id(id), what });
        assert_eq!(checked(&ticket, &offer).err(), rejection);
    }
}

/// One match in all its languages.
struct Translated(kvota_domain::aggregate::MatchState);

impl OfferView for Translated {
    fn feed(&self) -> FeedHealth {
        FeedHealth::Active
    }

    fn quote(&self, _: kvota_domain::ids::MatchId, odd_id: kvota_domain::ids::OddId) -> Option<MatchQuote> {
        Some(quote_of(&self.0, odd_id))
    }

    fn has_market(&self, _: kvota_domain::ids::MatchId, market_id: kvota_domain::ids::MarketId) -> bool {
        has_market(&self.0.live_match, market_id)
    }

    fn is_settled(
        &self,
        _: kvota_domain::ids::MatchId,
        _: kvota_domain::ids::MarketId,
        _: kvota_domain::ids::OddId,
    ) -> bool {
        false
    }
}

#[test]
fn odd_type_in_any_language_of_the_offer_is_accepted() {
    let primary = live_match(1).market(total(10, "2.5", ["1.9", "1.8"]));
    let english = primary.clone().with(|live_match| live_match.market_mut(0).odds[0].kind = Some("Under".into()));
    let offer = TableOffer::with([primary.clone()]);
    let view = Translated(state_with_texts(primary, Lang::En, english));
    for (sent, is_taken) in [("Manje", true), ("Under", true), ("Over", false)] {
        let ticket = with(slip(&offer, &[1], 0, "10"), |ticket| ticket.pairs[0].odd_kind = Some(sent.into()));
        let answer = check(&ticket, &view, &Rules::default(), &account("10"), &no_limits());
        assert_eq!(answer.is_ok(), is_taken, "{sent}");
    }
}

#[test]
fn unbettable_pair_is_rejected_with_its_reason() {
    let withdrawn = usual_match(2, "0");
    for (now, reason, id) in [
        (two().while_feed_is(FeedHealth::Inactive), CannotBet::FeedInactive, 1),
        (two().while_feed_is(FeedHealth::Recovering), CannotBet::FeedRecovering, 1),
        (two().now(usual_match(2, "2.15").betting_stopped()), CannotBet::BettingStopped, 2),
        (two().now(usual_match(2, "2.15").suspended()), CannotBet::MatchSuspended, 2),
        (two().now(withdrawn), CannotBet::OddWithdrawn, 2),
    ] {
        let ticket = slip(&two(), &[1, 2], 0, "10");
        let rejection = Rejection::NotBettable { match_id: match_id(id), reason };
        assert_eq!(checked(&ticket, &now).err(), Some(rejection));
    }
    let cleared = TableOffer::with([]).while_feed_is(FeedHealth::Inactive);
    let rejection = checked(&slip(&two(), &[1, 2], 0, "10"), &cleared).unwrap_err();
    assert_eq!(rejection.key(), "refusedFeedInactive", "not a match that is unknown");
}

#[test]
fn changed_odd_is_accepted_only_with_consent() {
    for (consent, now, is_taken) in [
        (Consent::None, "1.75", true),
        (Consent::None, "1.751", false),
        (Consent::None, "1.749", false),
        (Consent::Higher, "1.75", true),
        (Consent::Higher, "1.751", true),
        (Consent::Higher, "1.749", false),
        (Consent::Any, "1.751", true),
        (Consent::Any, "1.01", true),
    ] {
        let ticket = with(slip(&two(), &[1, 2], 0, "10"), |ticket| ticket.consent = consent);
        match checked(&ticket, &two().now(usual_match(1, now))) {
            Ok(checked) => {
                assert!(is_taken, "{consent:?} {now}");
                assert_eq!((checked.bet().pairs[0].seen, checked.bet().pairs[0].taken), (price("1.75"), price(now)));
            }
            Err(rejection) => {
                assert!(!is_taken, "{consent:?} {now}");
                let (seen, now) = (price("1.75"), price(now));
                assert_eq!(rejection, Rejection::OddChanged { match_id: match_id(1), seen, now });
            }
        }
    }
}

#[test]
fn balance_must_cover_the_stake_before_tax() {
    let ticket = slip(&two(), &[1, 2], 0, "10");
    for (balance, is_taken) in [("10", true), ("9.99", false), ("9.50", false), ("0", false)] {
        let answer = check(&ticket, &two(), &Rules::default(), &account(balance), &no_limits());
        let rejection = Rejection::NotEnoughBalance { stake: money("10"), balance: money(balance) };
        assert_eq!(answer.err(), (!is_taken).then_some(rejection), "{balance}");
    }
}

#[test]
fn bettor_and_match_limits_include_open_bets() {
    let facts = MatchFacts { match_id: match_id(2), stake: money("40"), payout: money("100") };
    let account = AccountFacts {
        balance: money("1000"),
        user_stake: money("90"),
        matches: vec![facts],
        ..AccountFacts::default()
    };
    let max = |text: &str| Some(money(text));
    for (limits, rejection) in [
        (no_limits(), None),
        (PlacingLimits { user_stake_max: max("100"), ..no_limits() }, None),
        (
            PlacingLimits { user_stake_max: max("99.99"), ..no_limits() },
            Some(Rejection::UserStakeLimit { max: money("99.99") }),
        ),
        (PlacingLimits { match_stake_max: max("50"), ..no_limits() }, None),
        (
            PlacingLimits { match_stake_max: max("49.99"), ..no_limits() },
            Some(Rejection::MatchStakeLimit { match_id: match_id(2), max: money("49.99") }),
        ),
        (
            PlacingLimits { match_stake_max: max("9.99"), ..no_limits() },
            Some(Rejection::MatchStakeLimit { match_id: match_id(1), max: money("9.99") }),
        ),
        (PlacingLimits { match_payout_max: max("133.12"), ..no_limits() }, None),
        (
            PlacingLimits { match_payout_max: max("133.11"), ..no_limits() },
            Some(Rejection::MatchPayoutLimit { match_id: match_id(2), max: money("133.11") }),
        ),
    ] {
        let answer = check(&slip(&two(), &[1, 2], 0, "10"), &two(), &Rules::default(), &account, &limits);
        assert_eq!(answer.err(), rejection, "{limits:?}");
    }
    let full = AccountFacts { user_stake: Money::from_cents(i64::MAX), ..account };
    let limits = PlacingLimits { user_stake_max: Some(Money::from_cents(i64::MAX)), ..no_limits() };
    let answer = check(&slip(&two(), &[1, 2], 0, "10"), &two(), &Rules::default(), &full, &limits);
    assert!(matches!(answer, Err(Rejection::UserStakeLimit { .. })), "a sum that cannot be held is beyond any limit");
}

#[test]
fn clamped_total_odd_and_payout_are_accepted_as_shown() {
    let offer = TableOffer::with_prices(&["1000"; 3]);
    let ticket = slip(&offer, &[1, 2, 3], 0, "10");
    let checked = checked(&ticket, &offer).unwrap();
    assert!(checked.bet().totals.total_odd_clamped);
    assert_eq!(
        (checked.bet().total_odd().to_string(), checked.bet().totals.possible_payout),
        ("100000".into(), money("100000"))
    );
}

#[test]
fn first_failure_in_checking_order_is_reported() {
    let offer = two().now(usual_match(2, "2.10"));
    let poor = account("1");
    let mut ticket = slip(&two(), &[1, 2], 0, "10");
    ticket.pairs[0].is_fix = true;
    ticket.bruto = money("0.50");
    ticket.pairs[1].sbv = Some("9".into());
    let first_failure = |ticket: &SubmittedTicket, offer: &TableOffer, account: &AccountFacts| {
        check(ticket, offer, &Rules::default(), account, &no_limits()).err().map(Rejection::key)
    };
    assert_eq!(first_failure(&ticket, &offer, &poor), Some("refusedFixInStandard"));
    ticket.pairs[0].is_fix = false;
    assert_eq!(first_failure(&ticket, &offer, &poor), Some("refusedStakeOutOfRange"));
    ticket.bruto = money("11");
    assert_eq!(first_failure(&ticket, &offer, &poor), Some("refusedAmountDiffers"));
    ticket.bruto = money("10");
    assert_eq!(first_failure(&ticket, &offer.while_feed_is(FeedHealth::Inactive), &poor), Some("refusedFeedInactive"));
    assert_eq!(first_failure(&ticket, &offer, &poor), Some("refusedContradiction"));
    ticket.pairs[1].sbv = None;
    assert_eq!(first_failure(&ticket, &offer, &poor), Some("refusedOddChanged"));
    assert_eq!(first_failure(&ticket, &two(), &poor), Some("refusedNotEnoughBalance"));
    assert_eq!(first_failure(&ticket, &two(), &account("10")), None);
}

#[test]
fn every_rejection_has_a_unique_key_and_a_text() {
    let (match_id, max) = (match_id(1), money("1"));
    let mut rejections = vec![
        Rejection::Malformed,
        Rejection::NoKey,
        Rejection::Empty,
        Rejection::TooManyPairs { count: 31, max: 30 },
        Rejection::MatchTwice { match_id },
        Rejection::FixInStandard,
        Rejection::NoSuchCombination { k: 1, free: 1 },
        Rejection::TooManyCombinations { count: 2, max: 1 },
        Rejection::StakeOutOfRange { stake: max, min: max, max },
        Rejection::AmountDiffers { amount: Amount::Stake, submitted: max, computed: max },
        Rejection::UnknownMatch { match_id },
        Rejection::UnknownOdd { match_id, odd_id: odd_id(1) },
        Rejection::Contradiction { match_id, what: Contradiction::Sbv },
        Rejection::OddChanged { match_id, seen: price("1"), now: price("2") },
        Rejection::NotEnoughBalance { stake: max, balance: max },
        Rejection::Owes { receivable: max },
        Rejection::UserStakeLimit { max },
        Rejection::MatchStakeLimit { match_id, max },
        Rejection::MatchPayoutLimit { match_id, max },
    ];
    rejections.extend(CannotBet::ALL.map(|reason| Rejection::NotBettable { match_id, reason }));
    let keys: BTreeSet<&str> = rejections.iter().map(|rejection| rejection.key()).collect();
    assert_eq!(keys.len(), rejections.len());
    // The other languages have the same keys, which tests/tidy.rs checks.
    let texts = include_str!("../../../../config/translations/hr.json");
    for key in keys {
        assert!(texts.contains(&format!("\"{key}\": ")), "{key} has no text");
    }
    assert_eq!(rejections.iter().filter(|rejection| rejection.match_id() == Some(match_id)).count(), 16);
}
