//! CONTRACT 4, *Stake*: the stake of a ticket after a bettor types a text. The table of texts is next to the rule, in
//! `crates/domain/src/ticket/stake.rs`.

use crate::kit::{asked, ticket};
use kvota_domain::money::Money;
use kvota_domain::ticket::{Limits, Rules, Ticket, TicketCommand, decide};
use kvota_testkit::scenario::TableOffer;

#[test]
fn valid_text_sets_the_stake_and_invalid_text_keeps_it() {
    let offer = TableOffer::with([]);
    let mut ticket = ticket();
    assert_eq!(ticket.stake.to_string(), "1.00", "at first the smallest");
    for (typed, stake) in [
        ("5", "5.00"),
        ("5.", "5.00"),
        ("5.5", "5.50"),
        ("5.559", "5.55"),
        ("", "5.55"),
        ("abc", "5.55"),
        ("0.5", "5.55"),
        ("1,000", "1.00"),
        ("1.000,00", "1.00"),
        ("2000000", "1000000.00"),
    ] {
        asked(&mut ticket, &TicketCommand::Stake(typed.into()), &offer).unwrap();
        assert_eq!(ticket.stake.to_string(), stake, "{typed}");
    }
}

#[test]
fn last_valid_stake_stays_after_a_rules_change() {
    let limits = Limits { min_stake: Money::from_cents(1_000), ..Limits::default() };
    let rules = Rules { limits, ..Rules::default() };
    let held = Ticket::empty(Money::from_cents(500));
    let typed = |text: &str| decide(&held, &TicketCommand::Stake(text.into()), &TableOffer::with([]), &rules);
    assert_eq!(typed("7"), Ok(vec![]), "below the new smallest: the last valid one");
    assert_eq!(typed("12").map(|events| events.len()), Ok(1));
}
