//! R32 and the amounts of R33: tickets that were changed on their way. The server computes everything itself. A field
//! that does not match its offer or its totals is rejected by name, and the totals of the client are never stored.
//! `KVOTA_TAMPERED=100000` sets the number of tickets.

use crate::stage::{Stage, account, answered, order};
use kvota::testkit::builders::{match_id, price};
use kvota::testkit::measured::{self, asked_for};
use kvota::testkit::seed::{Dice, roll};
use kvota::testkit::slip::{counted, home_win, slip, with_amounts};
use kvota_domain::ids::OddId;
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::ticket::{Consent, Leg, SubmittedTicket};
use kvota_store::{BetState, IdempotencyKey, StoredBet, TicketFilter};
use kvota_wire::json::Json;
use kvota_wire::ticket::read;
use std::collections::BTreeMap;

const PRICES: [&str; 8] = ["1.5", "2", "2.75", "3.2", "1.05", "9", "1.9", "4.333"];

/// A ticket that would be accepted.
fn valid_ticket(dice: &mut Dice) -> SubmittedTicket {
    let count = dice.between(1, 6);
    let first = dice.below(PRICES.len() as u64);
    let pairs = (0..count).map(|place| {
        let at = (first + place) % PRICES.len() as u64;
        home_win(at + 1, price(PRICES[at as usize]))
    });
    let consent = *dice.one_of(&[Consent::None, Consent::Higher, Consent::Any]);
    let mut ticket = slip(Money::from_cents(dice.between(100, 5_000) as i64), consent, pairs);
    if count > 2 && dice.chance(500) {
        ticket.pairs[0].is_fix = count > 3 && dice.chance(500);
        let free = count - u64::from(ticket.pairs[0].is_fix);
        ticket.system_type = dice.between(1, free - 1) as u8;
        ticket = with_amounts(ticket);
    }
    ticket
}

fn amount(dice: &mut Dice, of: Money) -> Money {
    let cents = of.cents();
    let by = dice.between(1, 100_000) as i64;
    Money::from_cents(*dice.one_of(&[cents + 1, cents - 1, cents + by, cents - by, cents * 10, 0, -cents, i64::MAX]))
}

/// Changes one field; returns its name.
fn tamper(dice: &mut Dice, ticket: &mut SubmittedTicket) -> &'static str {
    let place = dice.below(ticket.pairs.len() as u64) as usize;
    let what = *dice.one_of(&[
        "stake",
        "bruto",
        "potentialWin",
        "winTax",
        "payout",
        "odd id",
        "odd",
        "isFix",
        "system",
        "match",
        "market",
        "type of odd",
        "line",
        "twice",
        "fewer",
    ]);
    match what {
        "stake" => ticket.stake = amount(dice, ticket.stake),
        "bruto" => ticket.bruto = amount(dice, ticket.bruto),
        "potentialWin" => ticket.potential_win = amount(dice, ticket.potential_win),
        "winTax" => ticket.win_tax = amount(dice, ticket.win_tax),
        "payout" => ticket.payout = amount(dice, ticket.payout),
        "odd id" => {
            let id = *dice.one_of(&[1, 2, 3, 100, 1_000]);
            ticket.pairs[place].odd_id = OddId::new(ticket.pairs[place].odd_id.get() + id).expect("a small id");
        }
        "odd" => {
            let by = dice.between(1, 5_000) as u32;
            let now = ticket.pairs[place].odd_value.thousandths();
            let changed = *dice.one_of(&[now + by, now.saturating_sub(by), now * 10, 0]);
            ticket.pairs[place].odd_value = Price::from_thousandths(changed).expect("at most 100,000");
        }
        "isFix" => ticket.pairs[place].is_fix ^= true,
        "system" => ticket.system_type = *dice.one_of(&[0, 1, 2, 3, 5, 30, 255]),
        "match" => ticket.pairs[place].match_id = match_id(dice.between(1, 12)),
        "market" => ticket.pairs[place].market_kind += 1,
        "type of odd" => ticket.pairs[place].odd_kind = Some("2".into()),
        "line" => ticket.pairs[place].sbv = Some("9.5".into()),
        "twice" => ticket.pairs.push(ticket.pairs[place].clone()),
        _ => drop(ticket.pairs.remove(place)),
    }
    what
}

/// Checks that a stored bet has the odds of the offer and the totals that the server computes.
#[track_caller]
fn assert_server_values(stored: &StoredBet, what: &str) {
    let bet = &stored.bet;
    let of_offer = |id: u64| price(PRICES[(id - 1) as usize]);
    let legs: Vec<Leg> =
        bet.pairs.iter().map(|pair| Leg { price: of_offer(pair.match_id.get()), is_fix: pair.is_fix }).collect();
    assert!(bet.pairs.iter().zip(&legs).all(|(pair, leg)| pair.odds_taken == leg.price), "{what}: {bet:?}");
    let numbers = counted(bet.system_type, &legs, bet.bruto);
    let amounts = (numbers.taxed_stake, numbers.possible_win, numbers.win_tax, numbers.possible_payout);
    assert_eq!((bet.stake, bet.potential_win, bet.win_tax, bet.payout), amounts, "{what}: {bet:?}");
    assert_eq!((stored.state, bet.total_odd.as_str()), (BetState::Open, numbers.total_odd.to_string().as_str()));
}

#[actix_web::test]
async fn tampered_field_is_rejected_by_name_or_recalculated() {
    let count = asked_for("KVOTA_TAMPERED", 10_000);
    let stage = Stage::with(0, &PRICES).await;
    let mut dice = roll(32);
    let (mut refused, mut taken, mut names) = (0, 0, BTreeMap::<String, u64>::new());
    let mut client_totals = 0;
    let mut rich = account(&stage.stores, "rich0", i64::MAX / 1_000).await;
    let mut number = 0_u64;
    while refused + taken < count {
        number += 1;
        if number % 1_000 == 999 {
            // A new account from time to time keeps the list of bets short.
            rich = account(&stage.stores, &format!("rich{number}"), i64::MAX / 1_000).await;
        }
        let before = valid_ticket(&mut dice);
        let mut ticket = before.clone();
        let what = tamper(&mut dice, &mut ticket);
        // A careful attacker: the amounts match the changed ticket.
        let counts = dice.chance(400) && what != "stake";
        if counts {
            ticket = with_amounts(ticket);
        }
        if ticket == before || ticket.pairs.is_empty() {
            continue;
        }
        let mut key = [0; 16];
        key[..8].copy_from_slice(&number.to_be_bytes());
        let answer = stage.placements.place(order(rich, IdempotencyKey(key), ticket.clone())).await;
        let (status, text) = answered(&answer);
        if status == 200 {
            taken += 1;
            let page =
                stage.stores.bets.tickets(rich, TicketFilter::All, None, 1).await.expect("it answers").expect("a page");
            assert_server_values(&page.tickets[0], what);
            let sent = (ticket.stake, ticket.potential_win, ticket.win_tax, ticket.payout);
            let valid_ticket = with_amounts(ticket.clone());
            let counted = (valid_ticket.stake, valid_ticket.potential_win, valid_ticket.win_tax, valid_ticket.payout);
            client_totals += u64::from(sent != counted);
        } else {
            assert_eq!(status, 400, "{what}: {text}");
            let name = text.split(' ').next().unwrap_or_default();
            assert!(name.starts_with("refused"), "{what}: {text}");
            *names.entry(name.to_owned()).or_default() += 1;
            refused += 1;
        }
    }
    let audit = stage.stores.audit().await.expect("it answers");
    assert_eq!((audit.bets, audit.findings), (taken, Vec::new()), "what was refused has left nothing");
    assert_eq!(client_totals, 0, "no slip was taken whose totals are not those of its own odds");
    assert!(names.len() >= 8 && taken > 0, "{taken} {names:?}");
    measured::count("R32", &format!("tampered slips, {refused} rejected for {} reasons", names.len()), refused + taken);
}

/// A body with one amount in the given notation.
fn body(member: &str, spelt: &str) -> String {
    let amounts =
        [("stake", "9.50"), ("bruto", "10.00"), ("potentialWin", "19.00"), ("winTax", "0.95"), ("payout", "18.05")];
    let amounts: Vec<String> = amounts
        .iter()
        .map(|(name, usual)| format!("\"{name}\":{}", if *name == member { spelt } else { usual }))
        .collect();
    let odd = if member == "oddValue" { spelt } else { "2" };
    format!(
        "{{{},\"systemType\":0,\"pairs\":[{{\"matchId\":1,\"marketId\":1000,\"marketType\":1,\"oddType\":\"1\",\"oddValue\":{odd}}}]}}",
        amounts.join(",")
    )
}

#[test]
fn amount_is_read_exactly_or_rejected() {
    let ticket = |member: &str, spelt: &str| Json::parse(body(member, spelt).as_bytes()).and_then(|json| read(&json));
    let none = [
        "-1",
        "\"-1\"",
        "1.005",
        "\"1.005\"",
        "\"1,00\"",
        "\"1,0,0\"",
        "1e308",
        "\"1e308\"",
        "1E2",
        "NaN",
        "\"NaN\"",
        "Infinity",
        "\"∞\"",
        "9223372036854775808",
        "\"92233720368547758.08\"",
        "\"٣\"",
        "\"１０\"",
        "\" 10\"",
        "\"10 \"",
        "\"+10\"",
        "\"0x10\"",
        "\"\"",
        "null",
        "true",
        "[10]",
        "{}",
        "\"10\\u0000\"",
        "1_000",
        "\"1 000\"",
        ".5",
    ];
    let exact = [("0", 0), ("0.99", 99), ("\"0.99\"", 99), ("10", 1_000), ("10.5", 1_050), ("\"10.50\"", 1_050)];
    let mut judged = 0;
    for member in ["stake", "bruto", "potentialWin", "winTax", "payout"] {
        for spelt in none {
            assert!(ticket(member, spelt).is_none(), "{member}: {spelt}");
            judged += 1;
        }
        for (spelt, cents) in exact {
            let ticket = ticket(member, spelt).unwrap_or_else(|| panic!("{member}: {spelt}"));
            let amount = match member {
                "stake" => ticket.stake,
                "bruto" => ticket.bruto,
                "potentialWin" => ticket.potential_win,
                "winTax" => ticket.win_tax,
                _ => ticket.payout,
            };
            assert_eq!(amount, Money::from_cents(cents), "{member}: {spelt}");
            judged += 1;
        }
    }
    let odds_none = none.iter().filter(|spelt| !["1.005", "\"1.005\""].contains(spelt));
    for spelt in odds_none.chain(&["1.0005", "100000.001", "\"1.8e0\""]) {
        assert!(ticket("oddValue", spelt).is_none(), "odd: {spelt}");
        judged += 1;
    }
    for (spelt, thousandths) in [("1.005", 1_005), ("\"1000.00\"", 1_000_000), ("0", 0), ("100000", 100_000_000)] {
        let ticket = ticket("oddValue", spelt).unwrap_or_else(|| panic!("odd: {spelt}"));
        assert_eq!(ticket.pairs[0].odd_value.thousandths(), thousandths, "odd: {spelt}");
        judged += 1;
    }
    measured::count("R33", "spellings of amounts and odds read exactly or rejected", judged);
}
