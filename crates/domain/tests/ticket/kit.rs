//! Helpers for tests with an offer given as a table: `ticket_after(&offer, &[pick_home(1)])`.

use kvota_domain::aggregate::MatchState;
use kvota_domain::lang::PerLang;
use kvota_domain::ticket::{
    AccountFacts, Consent, Leg, OfferView, PlacingLimits, Rules, SubmittedPair, SubmittedTicket, Ticket, TicketCommand,
    TicketError, TicketEvent, TicketKind, Totals, decide, totals,
};
use kvota_testkit::builders::{MatchBuilder, market_id, match_id, money, odd_id, price};
use kvota_testkit::scenario::TableOffer;
use kvota_testkit::slip::{self as kit, home_win, with_amounts};

/// The command that picks the home win of a [`kvota_testkit::builders::usual_match`].
pub(crate) fn pick_home(id: u64) -> TicketCommand {
    pick(id, id * 10, id * 1_000)
}

pub(crate) fn pick(match_number: u64, market: u64, odd: u64) -> TicketCommand {
    TicketCommand::Pick { match_id: match_id(match_number), market_id: market_id(market), odd_id: odd_id(odd) }
}

pub(crate) fn fix(id: u64, on: bool) -> TicketCommand {
    TicketCommand::Fix { match_id: match_id(id), on }
}

/// The ticket of a new session under the default rules.
pub(crate) fn ticket() -> Ticket {
    Ticket::empty(money("1"))
}

/// The events of a command and the ticket after them.
pub(crate) fn asked(
    ticket: &mut Ticket,
    command: &TicketCommand,
    offer: &TableOffer,
) -> Result<Vec<TicketEvent>, TicketError> {
    let events = decide(ticket, command, offer, &Rules::default())?;
    events.iter().for_each(|event| ticket.apply(event));
    Ok(events)
}

/// A ticket after commands that must all be accepted.
#[track_caller]
pub(crate) fn ticket_after(offer: &TableOffer, commands: &[TicketCommand]) -> Ticket {
    let mut ticket = ticket();
    for command in commands {
        if let Err(error) = asked(&mut ticket, command, offer) {
            panic!("{command:?}: {error}");
        }
    }
    ticket
}

/// Prices as legs; those before the semicolon are fixed: `"1.3 1.2; 2.2 1.9 1.5"`.
#[track_caller]
pub(crate) fn legs(text: &str) -> Vec<Leg> {
    let (fixed, free) = text.split_once(';').unwrap_or(("", text));
    let all = |text: &str, is_fix| {
        text.split_whitespace().map(move |text| Leg { price: price(text), is_fix }).collect::<Vec<Leg>>()
    };
    [all(fixed, true), all(free, false)].concat()
}

/// The numbers of a standard ticket (k = 0) or of a system.
#[track_caller]
pub(crate) fn numbers(k: u8, odds: &str, stake: &str, rules: &Rules) -> Totals {
    let kind = if k == 0 { TicketKind::Standard } else { TicketKind::System };
    totals(kind, (k > 0).then_some(k), &legs(odds), money(stake), rules)
}

/// A slip with the first odds of these matches, as a client with the same rules would send it.
#[track_caller]
pub(crate) fn slip(offer: &TableOffer, matches: &[u64], system_type: u8, bruto: &str) -> SubmittedTicket {
    let ticket = kit::slip(money(bruto), Consent::None, matches.iter().map(|id| submitted_pair(offer, *id)));
    with_amounts(SubmittedTicket { system_type, ..ticket })
}

#[track_caller]
fn submitted_pair(offer: &TableOffer, id: u64) -> SubmittedPair {
    let quote = offer.quote(match_id(id), odd_id(id * 1_000));
    let odd = quote.and_then(|quote| quote.odd).expect("the odd is in the offer");
    SubmittedPair {
        market_kind: odd.market_kind,
        market_subtype: odd.market_subtype,
        sbv: odd.sbv,
        odd_kind: odd.odd_kind,
        ..home_win(id, odd.price)
    }
}

/// An account with this balance and no open bets.
pub(crate) fn account(balance: &str) -> AccountFacts {
    AccountFacts { balance: money(balance), ..AccountFacts::default() }
}

pub(crate) fn no_limits() -> PlacingLimits {
    PlacingLimits::default()
}

/// A match in all its languages, with texts in one other language.
pub(crate) fn state_with_texts(
    primary: MatchBuilder,
    lang: kvota_domain::lang::Lang,
    words: MatchBuilder,
) -> MatchState {
    let state = MatchState::inserted(&primary.insert(), 0, &[], PerLang::default(), 0);
    state.with_texts(lang, &words.insert()).expect("the words are new")
}
