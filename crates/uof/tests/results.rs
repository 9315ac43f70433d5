//! Settlements, cancellations and their rollbacks as the whole current result of a market.

use kvota_domain::settlement::{DeadHeat, MarketResult, MarketState, VoidFactor, VoidWindow};
use kvota_uof::ids::{market_id, odd_id};
use kvota_uof::line_key::{LineKey, Specifiers};
use kvota_uof::message::{EventMessage, Message};
use kvota_uof::results::Results;
use kvota_uof::urn::Urn;
use proptest::prelude::*;

fn event() -> Urn {
    Urn::parse("sr:match:4").expect("an event")
}

fn line(market: i64) -> LineKey {
    LineKey { market, specifiers: Specifiers::default() }
}

fn message(root: &str, at_ms: i64, attributes: &str, children: &str) -> EventMessage {
    let children = if root == "bet_settlement" { format!("<outcomes>{children}</outcomes>") } else { children.into() };
    let body =
        format!("<{root} product='1' event_id='sr:match:4' timestamp='{at_ms}' {attributes}>{children}</{root}>");
    match Message::parse(body.as_bytes()) {
        Ok(Message::Event(message)) => message,
        other => panic!("{body}: {other:?}"),
    }
}

/// A settlement of market 1: outcome 1 has this result, outcome 2 the other one.
fn settled(at_ms: i64, certainty: u8, won: bool) -> EventMessage {
    let (one, other) = (u8::from(won), u8::from(!won));
    let outcomes = format!("<outcome id='1' result='{one}'/><outcome id='2' result='{other}'/>");
    message(
        "bet_settlement",
        at_ms,
        &format!("certainty='{certainty}'"),
        &format!("<market id='1'>{outcomes}</market>"),
    )
}

fn rolled_back(at_ms: i64, outcomes: &str) -> EventMessage {
    message("rollback_bet_settlement", at_ms, "", &format!("<market id='1'>{outcomes}</market>"))
}

fn cancelled(at_ms: i64, window: &str, reason: u8) -> EventMessage {
    message("bet_cancel", at_ms, window, &format!("<market id='1' void_reason='{reason}'/>"))
}

fn uncancelled(at_ms: i64, window: &str) -> EventMessage {
    message("rollback_bet_cancel", at_ms, window, "<market id='1'/>")
}

fn apply(results: &mut Results, message: &EventMessage) -> Option<MarketResult> {
    let mut changed = results.apply(message, |market| market == 9);
    assert!(changed.len() <= 1);
    changed.pop()
}

/// Whether outcome 1 and outcome 2 have won.
fn winners(result: &MarketResult) -> [Option<i64>; 2] {
    ["1", "2"].map(|id| {
        let odd = odd_id(&event(), &line(1), id);
        result.odds.iter().find(|held| held.odd == odd).and_then(|held| held.result)
    })
}

#[test]
fn a_settlement_is_the_result_of_its_market_and_a_rollback_opens_it_again() {
    let mut results = Results::new(event());
    let first = apply(&mut results, &settled(10, 1, true)).expect("a result");
    assert_eq!((first.market, first.version, first.state), (market_id(&event(), &line(1)), 10, MarketState::Settled));
    assert_eq!(winners(&first), [Some(1), Some(0)]);
    assert_eq!(apply(&mut results, &settled(10, 1, true)), None, "the same message in a recovery");
    assert_eq!(apply(&mut results, &settled(11, 2, true)), None, "confirmed, with the same content");
    let corrected = apply(&mut results, &settled(12, 2, false)).expect("a correction");
    assert_eq!((corrected.version, winners(&corrected)), (12, [Some(0), Some(1)]));
    let one = apply(&mut results, &rolled_back(13, "<outcome id='2'/>")).expect("one outcome");
    assert_eq!((one.state, winners(&one)), (MarketState::Settled, [Some(0), None]));
    let open = apply(&mut results, &rolled_back(14, "")).expect("all outcomes");
    assert_eq!((open.state, open.version, open.odds.len()), (MarketState::OpenAgain, 14, 0));
    assert_eq!(results.current().count(), 1);
}

#[test]
fn a_cancellation_voids_a_time_and_its_rollback_restores_the_settlement() {
    let mut results = Results::new(event());
    apply(&mut results, &settled(10, 2, true));
    let window = "start_time='3' end_time='7'";
    let void = apply(&mut results, &cancelled(11, window, 12)).expect("a cancellation");
    assert_eq!((void.state, winners(&void)), (MarketState::Cancelled, [Some(1), Some(0)]));
    assert_eq!(void.void_windows, [VoidWindow { from_ms: Some(3), until_ms: Some(7) }]);
    assert_eq!(void.reason.as_deref(), Some("void reason 12"));
    let all = apply(&mut results, &cancelled(12, "", 12)).expect("a wider one");
    assert_eq!((all.state, all.void_windows.len()), (MarketState::Cancelled, 0));
    let back = apply(&mut results, &uncancelled(13, "")).expect("restored");
    assert_eq!((back.state, winners(&back)), (MarketState::Settled, [Some(1), Some(0)]));
    assert_eq!(apply(&mut results, &uncancelled(14, window)), None, "nothing left to restore");
}

#[test]
fn some_markets_wait_for_the_confirmed_settlement_and_cancellations_never_wait() {
    let settle = |at_ms, certainty| {
        let market = "<market id='9'><outcome id='1' result='1'/></market>";
        message("bet_settlement", at_ms, &format!("certainty='{certainty}'"), market)
    };
    let mut results = Results::new(event());
    assert_eq!(apply(&mut results, &settle(10, 1)), None);
    let void = apply(&mut results, &message("bet_cancel", 11, "", "<market id='9'/>")).expect("a cancellation");
    assert_eq!(void.state, MarketState::Cancelled);
    apply(&mut results, &message("rollback_bet_cancel", 12, "", "<market id='9'/>"));
    let paid = apply(&mut results, &settle(13, 2)).expect("confirmed");
    assert_eq!(paid.state, MarketState::Settled);
}

#[test]
fn void_reason_15_parks_a_line_until_its_next_settlement() {
    let mut results = Results::new(event());
    apply(&mut results, &settled(10, 2, true));
    let parked = apply(&mut results, &cancelled(11, "", 15)).expect("parked");
    assert_eq!(parked.state, MarketState::Unknown(15), "not graded, and listed for the operator");
    let paid = apply(&mut results, &settled(12, 2, true)).expect("settled");
    assert_eq!(paid.state, MarketState::Settled);
    let market = "<market id='1' void_reason='15'><outcome id='1' result='0'/></market>";
    let parked = apply(&mut results, &message("bet_settlement", 13, "certainty='2'", market)).expect("parked");
    assert_eq!((parked.state, winners(&parked)), (MarketState::Unknown(15), [Some(1), Some(0)]));
    let one = apply(&mut results, &rolled_back(14, "<outcome id='2'/>")).expect("another result");
    assert_eq!((one.state, winners(&one)), (MarketState::Unknown(15), [Some(1), None]), "one outcome settles no other");
    let open = apply(&mut results, &rolled_back(15, "")).expect("all outcomes");
    assert_eq!(open.state, MarketState::OpenAgain);
}

#[test]
fn factors_are_those_of_the_contract_and_others_are_not_graded() {
    let outcomes = "<outcome id='1' result='1' void_factor='0.5'/><outcome id='2' result='0' void_factor='1'/>\
        <outcome id='3' result='1' dead_heat_factor='0.5'/><outcome id='4' result='1' void_factor='0.3'/>\
        <outcome id='5' result='-1'/><outcome id='6' result='1' dead_heat_factor='2'/>";
    let body = format!("<market id='1'>{outcomes}</market>");
    let mut results = Results::new(event());
    let result = apply(&mut results, &message("bet_settlement", 1, "certainty='2'", &body)).expect("a result");
    let of = |id: &str| result.odds.iter().find(|held| held.odd == odd_id(&event(), &line(1), id)).expect("an odd");
    assert_eq!((of("1").result, of("1").void_factor), (Some(1), Some(VoidFactor::Half)));
    assert_eq!((of("2").result, of("2").void_factor), (Some(0), Some(VoidFactor::One)));
    assert_eq!(of("3").dead_heat, DeadHeat::from_ten_thousandths(5_000));
    assert_eq!(of("4").void_factor, None);
    assert_eq!(of("5").result, None);
    assert_eq!(of("6").dead_heat, None);
}

proptest! {
    /// Whatever the order of arrival, the result is the same, and each reported version is higher than the one before.
    #[test]
    fn the_order_of_arrival_does_not_matter(order in Just((0..7_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let window = "start_time='3' end_time='7'";
        let messages = [
            settled(10, 1, true),
            cancelled(11, window, 12),
            settled(12, 2, false),
            rolled_back(13, ""),
            settled(14, 2, true),
            uncancelled(15, window),
            cancelled(16, "end_time='9'", 4),
        ];
        let mut in_order = Results::new(event());
        messages.iter().for_each(|message| drop(apply(&mut in_order, message)));
        let wanted = in_order.current().next().expect("a result").clone();
        let mut results = Results::new(event());
        let mut version = i64::MIN;
        for at in order {
            if let Some(result) = apply(&mut results, &messages[at]) {
                prop_assert!(result.version > version);
                version = result.version;
            }
        }
        let reached = results.current().next().expect("a result");
        prop_assert!(reached.has_content_of(&wanted), "{reached:?} {wanted:?}");
    }
}
