//! CONTRACT 4, *In-play delay*: a checked ticket is revalidated at the end of its delay, by material changes only.

use crate::kit::{account, no_limits, slip};
use kvota_domain::ticket::{
    AcceptedBet, CannotBet, Checked, Consent, Contradiction, FeedHealth, PlacingLimits, Rejection, Rules, check,
    revalidate, revalidate_during_delay,
};
use kvota_testkit::builders::{live_match, match_id, money, price, usual_match};
use kvota_testkit::scenario::TableOffer;
use kvota_testkit::slip::with_amounts;

fn two() -> TableOffer {
    TableOffer::with_prices(&["1.75", "2.15"])
}

fn checked(consent: Consent) -> Checked {
    let mut ticket = slip(&two(), &[1, 2], 0, "10");
    ticket.consent = consent;
    check(&ticket, &two(), &Rules::default(), &account("10"), &no_limits()).expect("the slip is in order")
}

fn revalidated(checked: &Checked, now: &TableOffer) -> Result<AcceptedBet, Rejection> {
    revalidate(checked, now, &Rules::default(), &account("10"), &no_limits())
}

#[test]
fn unchanged_ticket_becomes_the_checked_bet() {
    for consent in [Consent::None, Consent::Higher, Consent::Any] {
        let checked = checked(consent);
        assert_eq!(revalidated(&checked, &two()).as_ref(), Ok(checked.bet()));
        assert_eq!(checked.bet().consent, consent);
    }
}

#[test]
fn pair_that_becomes_unbettable_during_the_delay_rejects_the_bet() {
    for (now, reason, id) in [
        (two().while_feed_is(FeedHealth::Inactive), CannotBet::FeedInactive, 1),
        (two().while_feed_is(FeedHealth::Recovering), CannotBet::FeedRecovering, 1),
        (two().without(1), CannotBet::MatchGone, 1),
        (two().now(usual_match(2, "2.15").betting_stopped()), CannotBet::BettingStopped, 2),
        (two().now(usual_match(2, "2.15").suspended()), CannotBet::MatchSuspended, 2),
        (two().now(live_match(2)), CannotBet::MarketClosed, 2),
        (two().now(usual_match(2, "0")), CannotBet::OddWithdrawn, 2),
    ] {
        let rejection = Rejection::NotBettable { match_id: match_id(id), reason };
        assert_eq!(revalidated(&checked(Consent::Any), &now), Err(rejection));
    }
}

/// A bet is rejected if a pair stops being bettable during the delay, or if its odd changes against the consent, even
/// if that is reversed later. Other matches are not checked here: the end of the delay validates all pairs.
#[test]
fn match_change_during_the_delay_validates_only_its_pair() {
    let suspended = two().now(usual_match(2, "2.15").suspended());
    let moved = two().now(usual_match(1, "1.70"));
    let silent = two().while_feed_is(FeedHealth::Inactive);
    let stopped = Rejection::NotBettable { match_id: match_id(2), reason: CannotBet::MatchSuspended };
    let lower = Rejection::OddChanged { match_id: match_id(1), seen: price("1.75"), now: price("1.70") };
    let no_feed = Rejection::NotBettable { match_id: match_id(1), reason: CannotBet::FeedInactive };
    for (what, of, now, consent, rejection) in [
        ("nothing", Some(2), &two(), Consent::None, None),
        ("a suspension of its match", Some(2), &suspended, Consent::Any, Some(stopped)),
        ("of another match", Some(1), &suspended, Consent::Any, None),
        ("of a match that is not on the ticket", Some(9), &suspended, Consent::Any, None),
        ("an odd against the consent", Some(1), &moved, Consent::Higher, Some(lower)),
        ("an odd within the consent", Some(1), &moved, Consent::Any, None),
        ("something of the whole feed", None, &silent, Consent::Any, Some(no_feed)),
        ("something of the whole feed that left a match suspended", None, &suspended, Consent::Any, Some(stopped)),
    ] {
        let answer = revalidate_during_delay(&checked(consent), of.map(match_id), now);
        assert_eq!(answer.err(), rejection, "{what}");
    }
}

#[test]
fn current_odds_are_accepted_if_the_consent_allows() {
    for (consent, now, accepted) in [
        (Consent::None, "1.80", None),
        (Consent::None, "1.70", None),
        (Consent::Higher, "1.80", Some("3.87 9.50 36.77 34.04")),
        (Consent::Higher, "1.70", None),
        (Consent::Any, "1.80", Some("3.87 9.50 36.77 34.04")),
        (Consent::Any, "1.70", Some("3.655 9.50 34.72 32.20")),
    ] {
        let answer = revalidated(&checked(consent), &two().now(usual_match(1, now)));
        let numbers = answer.map(|bet| {
            assert_eq!((bet.pairs[0].seen, bet.pairs[0].taken), (price("1.75"), price(now)));
            let totals = &bet.totals;
            format!("{} {} {} {}", bet.total_odd(), totals.taxed_stake, totals.possible_win, totals.possible_payout)
        });
        let rejection = Rejection::OddChanged { match_id: match_id(1), seen: price("1.75"), now: price(now) };
        assert_eq!(numbers, accepted.map(str::to_owned).ok_or(rejection), "{consent:?} {now}");
    }
}

#[test]
fn odd_that_returned_to_the_seen_price_counts_as_unchanged() {
    let seen_at_175 = slip(&two(), &[1, 2], 0, "10");
    let mut with_consent = seen_at_175;
    with_consent.consent = Consent::Higher;
    let higher = two().now(usual_match(1, "1.9"));
    let checked = check(&with_consent, &higher, &Rules::default(), &account("10"), &no_limits()).unwrap();
    assert_eq!(checked.bet().pairs[0].taken, price("1.9"));
    let bet = revalidated(&checked, &two()).unwrap();
    assert_eq!(bet.pairs[0].taken, price("1.75"), "what counts is what the bettor saw, not what it was in between");
}

#[test]
fn changed_names_and_scores_do_not_reject_a_bet() {
    let renamed = usual_match(1, "1.75").with(|live_match| {
        live_match.home = Some("Renamed".into());
        live_match.score = Some([1, 0]);
        live_match.market_mut(0).name = Some("Renamed".into());
        live_match.market_mut(0).subtype = Some(0);
        live_match.market_mut(1).odds.clear();
    });
    let bet = revalidated(&checked(Consent::None), &two().now(renamed)).unwrap();
    assert_eq!(bet.pairs[0].snapshot.home.as_deref(), Some("Renamed"));
}

/// A producer may reuse the ids of a market and its odds for another line, so the price alone does not identify the
/// bet.
#[test]
fn market_or_odd_with_a_new_meaning_rejects_the_bet() {
    type Edit = fn(&mut kvota_domain::matches::Match);
    let cases: [(Edit, Contradiction); 7] = [
        (|changed| changed.market_mut(0).kind = 2, Contradiction::MarketType),
        (|changed| changed.market_mut(0).subtype = Some(3), Contradiction::MarketSubtype),
        (|changed| changed.market_mut(0).sbv = Some("3.5".into()), Contradiction::Sbv),
        (|changed| changed.market_mut(0).sbv = None, Contradiction::Sbv),
        (|changed| changed.market_mut(0).odds[0].kind = Some("2".into()), Contradiction::OddType),
        (|changed| changed.market_mut(0).odds[0].kind = None, Contradiction::OddType),
        (
            |changed| {
                let odds = &mut changed.market_mut(0).odds;
                (odds[0].kind, odds[1].kind) = (odds[1].kind.clone(), odds[0].kind.clone());
            },
            Contradiction::OddType,
        ),
    ];
    let line = || usual_match(1, "1.75").with(|usual| usual.market_mut(0).sbv = Some("2.5".into()));
    let before = two().now(line());
    for consent in [Consent::None, Consent::Any] {
        let mut ticket = slip(&before, &[1, 2], 0, "10");
        ticket.consent = consent;
        let checked = check(&ticket, &before, &Rules::default(), &account("10"), &no_limits()).unwrap();
        assert!(revalidated(&checked, &before).is_ok());
        for (edit, what) in cases {
            let after = before.now(line().with(edit));
            let rejection = Rejection::OutcomeChanged { match_id: match_id(1), what };
            assert_eq!(revalidated(&checked, &after), Err(rejection), "{what:?} {consent:?}");
            assert_eq!(
                revalidate_during_delay(&checked, Some(match_id(1)), &after),
                Err(rejection),
                "{what:?} {consent:?}"
            );
        }
    }
}

#[test]
fn a_suspension_is_reported_before_a_changed_line() {
    let moved = usual_match(1, "1.75").with(|live_match| live_match.market_mut(0).sbv = Some("3.5".into())).suspended();
    let rejection = Rejection::NotBettable { match_id: match_id(1), reason: CannotBet::MatchSuspended };
    assert_eq!(revalidated(&checked(Consent::Any), &two().now(moved)), Err(rejection));
}

#[test]
fn limits_and_balance_are_revalidated() {
    let checked = checked(Consent::Any);
    let rules = Rules::default();
    let poorer = revalidate(&checked, &two(), &rules, &account("9.99"), &no_limits());
    assert!(matches!(poorer, Err(Rejection::NotEnoughBalance { .. })), "{poorer:?}");
    let limits = PlacingLimits { match_payout_max: Some(money("33.12")), ..no_limits() };
    assert!(revalidate(&checked, &two(), &rules, &account("10"), &limits).is_ok());
    let higher = two().now(usual_match(1, "1.80"));
    let rejection = revalidate(&checked, &higher, &rules, &account("10"), &limits);
    assert_eq!(rejection, Err(Rejection::MatchPayoutLimit { match_id: match_id(1), max: money("33.12") }));
}

#[test]
fn stake_no_longer_allowed_by_the_rules_rejects_the_bet() {
    let mut rules = Rules::default();
    rules.limits.max_stake = money("9.99");
    let rejection = revalidate(&checked(Consent::Any), &two(), &rules, &account("10"), &no_limits());
    let (stake, min, max) = (money("10"), money("1"), money("9.99"));
    assert_eq!(rejection, Err(Rejection::StakeOutOfRange { stake, min, max }));
}

#[test]
fn total_odd_above_the_maximum_is_accepted_clamped() {
    let offer = TableOffer::with_prices(&["300", "300"]);
    let mut ticket = slip(&offer, &[1, 2], 0, "1");
    ticket.consent = Consent::Higher;
    let checked = check(&with_amounts(ticket), &offer, &Rules::default(), &account("1"), &no_limits()).unwrap();
    let grown = offer.now(usual_match(1, "400"));
    let bet = revalidate(&checked, &grown, &Rules::default(), &account("1"), &no_limits()).unwrap();
    assert_eq!((bet.total_odd().to_string(), bet.totals.total_odd_clamped), ("100000".into(), true));
    assert_eq!(bet.totals.possible_win, money("95000"));
}
