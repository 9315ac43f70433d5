//! CONTRACT 4, *Pairs*: how picking, dropping, fixing and choosing change a ticket, and when a pair cannot be bet on.

use crate::kit::{asked, fix, pick, pick_home, state_with_texts, ticket, ticket_after};
use kvota_domain::favourites::Favourites;
use kvota_domain::lang::Lang;
use kvota_domain::limits::FAVOURITES_MAX;
use kvota_domain::ticket::{
    CannotBet, Consent, FeedHealth, OfferView, Ticket, TicketCommand, TicketError, TicketEvent, TicketKind, bettable,
    mark_favourite, match_deleted, quote_of,
};
use kvota_testkit::builders::{MatchBuilder, live_match, market_id, match_id, odd_id, price, total, usual_match};
use kvota_testkit::scenario::TableOffer;

fn three() -> TableOffer {
    TableOffer::with_prices(&["1.75", "2.15", "1.5"])
}

fn odds(ticket: &Ticket) -> Vec<u64> {
    ticket.pairs.iter().map(|pair| pair.odd_id.get()).collect()
}

#[test]
fn picking_an_odd_adds_its_pair_with_current_texts() {
    let ticket = ticket_after(&three(), &[pick(2, 21, 2_101)]);
    let pair = ticket.pair(match_id(2)).unwrap();
    assert_eq!((pair.market_id, pair.odd_id, pair.picked), (market_id(21), odd_id(2_101), price("1.8")));
    assert!(!pair.is_fix);
    let shown = &pair.snapshot;
    assert_eq!((shown.home.as_deref(), shown.tournament.as_deref()), (Some("Home 2"), Some("Test league")));
    assert_eq!(shown.market_name.as_deref(), Some("Market 18"));
    assert_eq!((shown.market_kind, shown.sbv.as_deref(), shown.odd_kind.as_deref()), (18, Some("2.5"), Some("Više")));
}

#[test]
fn picking_a_picked_odd_removes_its_pair() {
    for later in [
        three(),
        three().without(1),
        three().while_feed_is(FeedHealth::Inactive),
        three().now(usual_match(1, "0")),
        three().now(live_match(1).betting_stopped()),
    ] {
        let mut ticket = ticket_after(&three(), &[pick_home(1), pick_home(2)]);
        let events = asked(&mut ticket, &pick_home(1), &later);
        assert_eq!(events, Ok(vec![TicketEvent::PairDropped(match_id(1))]));
        assert_eq!(odds(&ticket), [2_000]);
    }
}

#[test]
fn another_odd_of_the_match_replaces_the_pair_in_its_place() {
    let mut ticket = ticket_after(&three(), &[pick_home(1), pick_home(2), fix(1, true)]);
    let events = asked(&mut ticket, &pick(1, 11, 1_100), &three()).unwrap();
    assert!(matches!(&events[..], [TicketEvent::PairReplaced(pair)] if pair.picked == price("1.9")), "{events:?}");
    assert_eq!(odds(&ticket), [1_100, 2_000]);
    assert!(ticket.pairs[0].is_fix, "the match is as fixed as it was");
}

#[test]
fn odd_that_is_not_offered_cannot_be_picked() {
    for (command, error) in [
        (pick(9, 90, 9_000), TicketError::UnknownMatch),
        (pick(1, 99, 1_000), TicketError::UnknownMarket),
        (pick(1, 20, 2_000), TicketError::UnknownMarket),
        (pick(1, 10, 1_003), TicketError::UnknownOdd),
        (pick(1, 11, 1_000), TicketError::UnknownOdd),
        (pick(1, 10, 1_002), TicketError::NotOffered),
    ] {
        let mut ticket = ticket();
        assert_eq!(asked(&mut ticket, &command, &three()), Err(error), "{command:?}");
        assert_eq!(ticket, self::ticket());
    }
}

#[test]
fn at_most_thirty_pairs() {
    let offer = TableOffer::with_prices(&["1.5"; 31]);
    let thirty: Vec<TicketCommand> = (1..=30).map(pick_home).collect();
    let mut ticket = ticket_after(&offer, &thirty);
    assert_eq!(asked(&mut ticket, &pick_home(31), &offer), Err(TicketError::TooManyPairs));
    assert!(asked(&mut ticket, &pick(30, 301, 30_100), &offer).is_ok(), "another odd of a match is no further pair");
    assert_eq!(ticket.pairs.len(), 30);
}

#[test]
fn a_pair_is_dropped_and_a_ticket_cleared() {
    let mut ticket = ticket_after(&three(), &[pick_home(1), pick_home(2), pick_home(3)]);
    asked(&mut ticket, &TicketCommand::Drop(match_id(2)), &three()).unwrap();
    assert_eq!(odds(&ticket), [1_000, 3_000]);
    assert_eq!(asked(&mut ticket, &TicketCommand::Drop(match_id(2)), &three()), Ok(vec![]), "it is gone already");
    asked(&mut ticket, &TicketCommand::Stake("20".into()), &three()).unwrap();
    asked(&mut ticket, &TicketCommand::Consent(Consent::Higher), &three()).unwrap();
    asked(&mut ticket, &TicketCommand::Clear, &three()).unwrap();
    assert_eq!((ticket.pairs.len(), ticket.stake.cents(), ticket.consent), (0, 2_000, Consent::Higher));
    assert_eq!(asked(&mut ticket, &TicketCommand::Clear, &three()), Ok(vec![]));
}

#[test]
fn deleted_match_removes_its_pair_and_an_impossible_combination() {
    let two_of_three = [pick_home(1), pick_home(2), pick_home(3), TicketCommand::Combination(Some(2))];
    let mut ticket = ticket_after(&three(), &two_of_three);
    assert_eq!(match_deleted(&ticket, match_id(9)), []);
    let events = match_deleted(&ticket, match_id(2));
    assert_eq!(events, [TicketEvent::MatchLeft(match_id(2)), TicketEvent::CombinationChosen(None)]);
    events.iter().for_each(|event| ticket.apply(event));
    assert_eq!((odds(&ticket), ticket.combination), (vec![1_000, 3_000], None));
}

#[test]
fn one_combination_is_selected_at_a_time_from_1_to_m_minus_1() {
    let mut ticket = ticket_after(&three(), &[pick_home(1), pick_home(2), pick_home(3)]);
    for (k, answer) in [
        (Some(1), Ok(vec![TicketEvent::CombinationChosen(Some(1))])),
        (Some(2), Ok(vec![TicketEvent::CombinationChosen(Some(2))])),
        (Some(2), Ok(vec![])),
        (Some(3), Err(TicketError::NoSuchCombination)),
        (Some(0), Err(TicketError::NoSuchCombination)),
        (Some(255), Err(TicketError::NoSuchCombination)),
        (None, Ok(vec![TicketEvent::CombinationChosen(None)])),
    ] {
        assert_eq!(asked(&mut ticket, &TicketCommand::Combination(k), &three()), answer, "{k:?}");
    }
}

#[test]
fn the_combination_is_unselected_when_m_changes_so_that_it_no_longer_exists() {
    let lost = Some(TicketEvent::CombinationChosen(None));
    for (k, command, last) in [
        (2, TicketCommand::Drop(match_id(1)), lost.clone()),
        (2, pick_home(1), lost.clone()),
        (2, fix(1, true), lost.clone()),
        (2, TicketCommand::Clear, lost.clone()),
        (1, TicketCommand::Drop(match_id(1)), Some(TicketEvent::PairDropped(match_id(1)))),
        (1, fix(1, true), Some(TicketEvent::FixSet { match_id: match_id(1), on: true })),
        (2, TicketCommand::Type(TicketKind::Standard), Some(TicketEvent::KindChosen(TicketKind::Standard))),
    ] {
        let picks = [pick_home(1), pick_home(2), pick_home(3), TicketCommand::Type(TicketKind::System)];
        let mut ticket = ticket_after(&three(), &picks);
        asked(&mut ticket, &TicketCommand::Combination(Some(k)), &three()).unwrap();
        let events = asked(&mut ticket, &command, &three()).unwrap();
        assert_eq!(events.last(), last.as_ref(), "{command:?}");
        assert_eq!(ticket.combination.is_none(), last == lost, "{command:?}");
    }
}

#[test]
fn a_combination_stays_while_it_exists() {
    let offer = TableOffer::with_prices(&["1.5"; 5]);
    let mut ticket = ticket_after(&offer, &(1..=4).map(pick_home).collect::<Vec<_>>());
    asked(&mut ticket, &TicketCommand::Combination(Some(2)), &offer).unwrap();
    for command in [pick_home(5), TicketCommand::Drop(match_id(1)), pick(2, 21, 2_100)] {
        asked(&mut ticket, &command, &offer).unwrap();
        assert_eq!(ticket.combination, Some(2), "{command:?}");
    }
}

#[test]
fn pairs_are_fixed_and_freed_and_a_standard_ticket_keeps_the_fixes() {
    let mut ticket = ticket_after(&three(), &[pick_home(1), pick_home(2), TicketCommand::Type(TicketKind::System)]);
    assert_eq!(asked(&mut ticket, &fix(3, true), &three()), Err(TicketError::NotOnTicket));
    asked(&mut ticket, &fix(2, true), &three()).unwrap();
    assert_eq!(asked(&mut ticket, &fix(2, true), &three()), Ok(vec![]));
    for kind in [TicketKind::Standard, TicketKind::System] {
        asked(&mut ticket, &TicketCommand::Type(kind), &three()).unwrap();
        assert_eq!(ticket.pairs.iter().map(|pair| pair.is_fix).collect::<Vec<_>>(), [false, true]);
    }
    asked(&mut ticket, &fix(2, false), &three()).unwrap();
    assert_eq!(ticket.number_of_free_pairs(), 2);
}

#[test]
fn a_pair_cannot_be_bet_on_for_the_first_reason_and_can_again_when_it_ends() {
    let offer = TableOffer::with_prices(&["1.75"]);
    for (now, reason) in [
        (offer.clone(), None),
        (offer.while_feed_is(FeedHealth::Inactive), Some(CannotBet::FeedInactive)),
        (offer.while_feed_is(FeedHealth::Recovering), Some(CannotBet::FeedRecovering)),
        (offer.without(1), Some(CannotBet::MatchGone)),
        (offer.now(usual_match(1, "1.75").betting_stopped()), Some(CannotBet::BettingStopped)),
        (offer.now(usual_match(1, "1.75").betting_stopped().suspended()), Some(CannotBet::BettingStopped)),
        (offer.now(usual_match(1, "1.75").suspended()), Some(CannotBet::MatchSuspended)),
        (offer.now(live_match(1)), Some(CannotBet::MarketClosed)),
        (offer.now(usual_match(1, "1.75").with(|m| _ = m.market_mut(0).odds.remove(0))), Some(CannotBet::OddWithdrawn)),
        (offer.now(usual_match(1, "0")), Some(CannotBet::OddWithdrawn)),
        (offer.settled(1_000).now(usual_match(1, "0")), Some(CannotBet::OddWithdrawn)),
        (offer.now(market_suspended()), Some(CannotBet::MarketSuspended)),
        (offer.settled(1_000).now(market_suspended()), Some(CannotBet::MarketSuspended)),
        (offer.settled(1_000), Some(CannotBet::MarketSettled)),
        (offer.settled(1_001), None),
        (offer.now(usual_match(1, "1.9")), None),
    ] {
        let found = bettable(&now, match_id(1), Some(market_id(10)), odd_id(1_000));
        assert_eq!(found.err(), reason);
    }
}

fn market_suspended() -> MatchBuilder {
    usual_match(1, "1.75").with(|m| m.market_mut(0).is_suspended = true)
}

#[test]
fn an_odd_of_a_suspended_market_counts_as_0_for_picks_and_can_be_dropped() {
    let offer = TableOffer::with_prices(&["1.75"]);
    let locked = offer.now(market_suspended());
    let pick = pick_home(1);
    let mut ticket = ticket_after(&offer, &[]);
    assert_eq!(asked(&mut ticket, &pick, &locked), Err(TicketError::NotOffered));
    asked(&mut ticket, &pick, &offer).unwrap();
    asked(&mut ticket, &pick, &locked).unwrap();
    assert_eq!(ticket.pairs, []);
}

#[test]
fn an_odd_in_another_market_than_the_one_picked_is_not_that_odd() {
    let offer = TableOffer::with_prices(&["1.75"]);
    let found = bettable(&offer, match_id(1), Some(market_id(11)), odd_id(1_000));
    assert_eq!(found.err(), Some(CannotBet::OddWithdrawn));
    let (quote, odd) = bettable(&offer, match_id(1), None, odd_id(1_000)).unwrap();
    assert_eq!((quote.sport_id.get(), odd.market_id, odd.price), (1, market_id(10), price("1.75")));
}

#[test]
fn codes_are_snake_case_and_unique() {
    let codes: Vec<&str> =
        CannotBet::ALL.map(CannotBet::code).into_iter().chain(TicketError::ALL.map(TicketError::code)).collect();
    assert!(codes.iter().all(|code| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')), "{codes:?}");
    let distinct: std::collections::BTreeSet<&&str> = codes.iter().collect();
    assert_eq!(distinct.len(), codes.len());
}

#[test]
fn favourites_are_known_matches_and_bounded() {
    let offer = three();
    let is_known = |id| offer.quote(id, odd_id(0)).is_some();
    let mut favourites = Favourites::default();
    for (id, on, answer) in [
        (1, true, Ok(true)),
        (1, true, Ok(false)),
        (9, true, Err(TicketError::UnknownMatch)),
        (9, false, Ok(false)),
        (1, false, Ok(true)),
    ] {
        assert_eq!(mark_favourite(&mut favourites, match_id(id), on, is_known), answer, "{id} {on}");
    }
    let mut full = Favourites::of((100..).map(match_id).take(FAVOURITES_MAX));
    let answer = mark_favourite(&mut full, match_id(1), true, is_known);
    assert_eq!(answer, Err(TicketError::TooManyFavourites));
}

#[test]
fn anonymous_ticket_with_pairs_replaces_the_saved_one_at_login() {
    let with_pairs = ticket_after(&three(), &[pick_home(1)]);
    let saved = ticket_after(&three(), &[pick_home(2)]);
    assert_eq!(Ticket::at_login(with_pairs.clone(), Some(saved.clone())), with_pairs);
    assert_eq!(Ticket::at_login(ticket(), Some(saved.clone())), saved);
    assert_eq!(Ticket::at_login(ticket(), None), ticket());
}

#[test]
fn an_odds_type_is_known_in_all_languages() {
    let primary = live_match(1).market(total(11, "2.5", ["1.9", "1.8"]));
    let english = primary.clone().with(|m| m.market_mut(0).odds[1].kind = Some("Over".into()));
    let serbian = english.clone().insert();
    let state = state_with_texts(primary, Lang::En, english);
    let state = state.with_texts(Lang::Sr, &serbian).expect("the words are new");
    let odd = quote_of(&state, odd_id(1_101)).odd.unwrap();
    assert_eq!((odd.odd_kind.as_deref(), &odd.other_kinds[..]), (Some("Više"), &["Over".into()][..]));
    let same = quote_of(&state, odd_id(1_100)).odd.unwrap();
    assert_eq!(same.other_kinds, [], "a word of the primary language is no other one");
}
