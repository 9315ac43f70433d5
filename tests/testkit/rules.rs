//! The given, when, then helpers for rules of the domain.

use kvota::testkit::builders::match_id;
use kvota::testkit::scenario::{TableOffer, given, pick, picked, ticket};
use kvota_domain::session_state::SessionEvent;
use kvota_domain::ticket::{TicketCommand, TicketError, TicketEvent};

fn offer() -> TableOffer {
    TableOffer::of(
        "MATCH 17 soccer 1:0 live
           result 1.85 3.2 0
         MATCH 18 tennis
           market 1 1=1.5 2=2.5",
    )
}

#[test]
fn picking_an_odd_again_removes_it() {
    let offer = offer();
    let state = given(&offer, []).when(pick(17, 17_000)).then([picked(&offer, 17, 17_000)]);
    assert_eq!(state.ticket.pairs.len(), 1);
    let dropped = SessionEvent::Ticket(TicketEvent::PairDropped(match_id(17)));
    given(&offer, [picked(&offer, 17, 17_000)]).when(pick(17, 17_000)).then([dropped]);
}

#[test]
fn invalid_command_is_rejected() {
    let offer = offer();
    given(&offer, []).when(pick(17, 17_002)).then_rejected(TicketError::NotOffered);
    given(&offer, []).when(pick(19, 19_000)).then_rejected(TicketError::UnknownMatch);
    let fix = ticket(TicketCommand::Fix { match_id: match_id(18), on: true });
    given(&offer, [picked(&offer, 17, 17_000)]).when(fix).then_rejected(TicketError::NotOnTicket);
}

#[test]
#[should_panic(expected = "nearest:  Ticket(PairAdded(Pair { match_id: MatchId(18)")]
fn failure_shows_expected_and_actual_events() {
    let offer = offer();
    given(&offer, []).when(pick(18, 18_000)).then([picked(&offer, 18, 18_001)]);
}
