//! CONTRACT 4, *Builder codes*: 2, 1, 0 in this order of checking.

use crate::kit::{asked, fix, pick_home, ticket, ticket_after};
use kvota_domain::ticket::{BuilderCode, FeedHealth, TicketCommand, TicketKind, builder_code};
use kvota_testkit::builders::usual_match;
use kvota_testkit::scenario::TableOffer;

#[test]
fn first_reason_in_order_2_1_0_is_returned() {
    let offer = TableOffer::with_prices(&["1.75", "2.15", "1.5"]);
    let stopped = offer.now(usual_match(2, "2.15").betting_stopped());
    let system = TicketCommand::Type(TicketKind::System);
    let all = [pick_home(1), pick_home(2), pick_home(3)];
    let with = |more: &[TicketCommand]| ticket_after(&offer, &[&all[..], more].concat());
    let mut empty_system = ticket();
    asked(&mut empty_system, &system, &offer).unwrap();
    for (ticket, now, code) in [
        (ticket(), &offer, Some(2)),
        (empty_system, &offer.while_feed_is(FeedHealth::Inactive), Some(2)),
        (with(&[]), &stopped, Some(1)),
        (with(std::slice::from_ref(&system)), &stopped, Some(1)),
        (with(&[]), &offer.while_feed_is(FeedHealth::Recovering), Some(1)),
        (with(&[]), &offer.while_feed_is(FeedHealth::Inactive), Some(1)),
        (with(&[]), &offer.without(3), Some(1)),
        (with(std::slice::from_ref(&system)), &offer, Some(0)),
        (with(&[system.clone(), TicketCommand::Combination(Some(2))]), &offer, None),
        (with(&[system.clone(), TicketCommand::Combination(Some(2)), fix(1, true)]), &offer, Some(0)),
        (with(&[]), &offer, None),
    ] {
        assert_eq!(builder_code(&ticket, now).map(BuilderCode::number), code);
    }
}

#[test]
fn each_code_has_its_warning() {
    for (code, key) in [
        (BuilderCode::NoCombination, "liveAtLeastOneComb"),
        (BuilderCode::PairCannotBeBetOn, "liveRemoveDisabledPairs"),
        (BuilderCode::EmptyTicket, "liveEmptyTicketPairs"),
    ] {
        assert_eq!(code.key(), key);
    }
}
