//! Decoder tests for the history of a match, our extension of the contract. Test-only; uses the notation of `cases`.

use super::cases::V::{A, I, N, Raw, S};
use super::cases::{V, decoded_match};
use kvota_domain::facts::{Fact, Topic};
use kvota_domain::incidents::IncidentKind;
use kvota_domain::limits::{FACT_NUMBERS_MAX, HISTORY_INCIDENTS_MAX, HISTORY_MINUTES_MAX};

const MAP: V = Raw(b"\x81\x01\x02");

#[test]
fn invalid_history_entries_are_left_out() {
    let history = |value| decoded_match(&[(27, value)]).unwrap().live_match.history;
    let corner = |side| A(vec![I(7), I(side), N, N, N, N]);
    let kept = history(A(vec![
        A(vec![corner(1), corner(3), S("x"), A(vec![I(10), I(1)]), A(vec![I(5), I(2)])]),
        A(vec![I(5), I(-300), N, I(300)]),
        A(vec![A(vec![I(1), I(2)]), N, A(vec![I(-1), I(70_000)])]),
    ]));
    let kept = kept.expect("a history");
    let kinds: Vec<_> = kept.incidents.iter().map(|incident| incident.kind).collect();
    assert_eq!(kinds, [IncidentKind::Corner, IncidentKind::Yellow]);
    assert_eq!(kept.pressure, [5, -100, 0, 100]);
    assert_eq!(kept.counts[..4], [[1, 2], [0, 0], [0, 65_535], [0, 0]]);
    let many = history(A(vec![A(vec![corner(1); 500]), A(vec![I(1); 500]), A(vec![A(vec![I(1), I(1)]); 50])]));
    let many = many.expect("a history");
    assert_eq!((many.incidents.len(), many.pressure.len()), (HISTORY_INCIDENTS_MAX, HISTORY_MINUTES_MAX));
    for none in [N, MAP, S("x"), A(vec![]), A(vec![N]), A(vec![A(vec![]), S("x")]), A(vec![A(vec![]), N, S("x")])] {
        assert_eq!(history(none), None);
    }
}

#[test]
fn invalid_facts_are_left_out() {
    let facts = |facts| {
        let history = A(vec![A(vec![]), A(vec![]), A(vec![]), facts]);
        decoded_match(&[(27, history)]).unwrap().live_match.history.expect("a history").facts.clone()
    };
    let fact = |topic, numbers: &[i32]| Fact { topic, numbers: numbers.to_vec() };
    let kept = facts(A(vec![
        A(vec![I(1), I(2)]),
        A(vec![I(99), I(1)]),
        A(vec![I(1), I(1)]),
        A(vec![I(7), I(1), S("x")]),
        A(vec![I(4), I(1), N]),
        A(vec![I(5); FACT_NUMBERS_MAX + 2]),
        S("x"),
        A(vec![I(14), I(-1), I(2)]),
        A(vec![I(13)]),
    ]));
    assert_eq!(kept, [fact(Topic::Attack, &[2]), fact(Topic::Control, &[-1, 2]), fact(Topic::Balls, &[])]);
    for none in [N, MAP, S("x"), A(vec![]), A(vec![A(vec![])])] {
        assert_eq!(facts(none), []);
    }
}
