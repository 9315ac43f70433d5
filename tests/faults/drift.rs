//! R27: a newer producer adds elements at the end of arrays, an older one leaves the last elements out. Neither may
//! cause the loss of an entity.

use kvota::testkit::builders::{column, live_match, market, message, result, soccer, total};
use kvota::testkit::measured::count;
use kvota_domain::feed::{FeedUpdate, Time};
use kvota_domain::sport::SportPatch;
use kvota_wire::feed::{UpdateLimits, decode_update, encode};
use serde_json::{Value, json};

/// The kind of entity that an array encodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Feed,
    Sport,
    Match,
    Market,
    Odd,
    Column,
    ColumnMarket,
}

use Kind::{Column, ColumnMarket, Feed, Market, Match, Odd, Sport};

const KINDS: [Kind; 7] = [Feed, Sport, Match, Market, Odd, Column, ColumnMarket];

/// The positions in an entity that hold lists of other entities.
fn inside(kind: Kind) -> &'static [(usize, Kind)] {
    match kind {
        Feed => &[(0, Sport)],
        Sport => &[(3, Match), (4, Column)],
        Match => &[(6, Market)],
        Market => &[(8, Odd)],
        Column => &[(4, ColumnMarket)],
        Odd | ColumnMarket => &[],
    }
}

/// Applies `how` to every array of the given kinds; returns how many were changed.
fn change(value: &mut Value, kind: Kind, kinds: &[Kind], how: &impl Fn(&mut Vec<Value>)) -> usize {
    let elements = value.as_array_mut().unwrap_or_else(|| panic!("a {kind:?} is an array"));
    let mut changed = 0;
    for (place, of) in inside(kind) {
        for one in elements.get_mut(*place).and_then(Value::as_array_mut).into_iter().flatten() {
            changed += change(one, *of, kinds, how);
        }
    }
    if kinds.contains(&kind) {
        how(elements);
        changed += 1;
    }
    changed
}

/// An update with at least one entity of every kind.
fn usual() -> FeedUpdate {
    let sport = SportPatch {
        preferred: Some(vec![column(1, 1, &["1", "X", "2"]), column(2, 18, &["Manje", "Više"])]),
        selected_preferred: Some(1),
        ..soccer()
    };
    let full = live_match(17).score(2, 1).time(600).market(result(170, ["1.85", "3.2", "4"]));
    let full = full.market(total(171, "2.5", ["1.9", "1.8"]).balanced()).market(market(172, 29).odd("Da", "1.5"));
    let shown = live_match(18).time_text("HT").suspended().market(result(180, ["1.1", "0", "9"]));
    let matches = vec![full.insert(), shown.update(), live_match(16).delete()];
    FeedUpdate { number_of_matches: Some(2), ..message(sport, 1_700_000_000_000, matches) }
}

fn as_value(update: &FeedUpdate) -> Value {
    rmp_serde::from_slice(&encode::update(update)).expect("what is published is msgpack")
}

#[track_caller]
fn read(value: &Value, what: &str) -> FeedUpdate {
    let bytes = rmp_serde::to_vec(value).expect("a value is msgpack");
    let decoded = decode_update(&bytes, &UpdateLimits::EVENT).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(decoded.dropped.total(), 0, "{what}: {:?}", decoded.dropped);
    decoded.update
}

#[test]
fn additional_elements_of_a_newer_producer_are_ignored() {
    let today = read(&as_value(&usual()), "today's");
    let news = [json!(7), json!("news"), json!(null), json!([1, ["deep", [2.5]]]), json!({"a": [1]}), json!(true)];
    let mut read_messages = 0;
    let sets: Vec<Vec<Kind>> = KINDS.into_iter().map(|kind| vec![kind]).chain([KINDS.to_vec()]).collect();
    for kinds in &sets {
        for more in [1, 3] {
            for first in 0..news.len() {
                let mut later = as_value(&usual());
                let added = (0..more).map(|number| news[(first + number) % news.len()].clone());
                let added: Vec<Value> = added.collect();
                let changed = change(&mut later, Feed, kinds, &|elements| {
                    // Positions 26 and 27 of a match (ball, history) and 12 of a market (status) are read today, so a
                    // newer producer adds its own behind them.
                    let known = if is_match(elements) { 28 } else { 13 * usize::from(is_market(elements)) };
                    elements.resize(elements.len().max(known), Value::Null);
                    elements.extend(added.iter().cloned());
                });
                assert!(changed > 0, "{kinds:?}");
                assert_eq!(read(&later, &format!("{kinds:?} with {added:?}")), today, "{kinds:?} with {added:?}");
                read_messages += 1;
            }
        }
    }
    assert_eq!(read_messages, sets.len() * 2 * news.len());
    count("R27", "messages of a later version read like current ones", read_messages);
}

/// Only a match has so many elements.
fn is_match(elements: &[Value]) -> bool {
    elements.len() >= 26
}

/// Only a market has this number of elements.
fn is_market(elements: &[Value]) -> bool {
    elements.len() == 12
}

#[test]
fn omitted_trailing_elements_are_read_as_absent() {
    let mut read_messages = 0;
    for kind in KINDS {
        for fewer in 1..=2 {
            // Required elements are never at the end: the id of an entity comes first.
            let (mut shorter, mut nil) = (as_value(&usual()), as_value(&usual()));
            change(&mut shorter, Feed, &[kind], &|elements| elements.truncate(elements.len().max(fewer + 1) - fewer));
            change(&mut nil, Feed, &[kind], &|elements| {
                let kept = elements.len().max(fewer + 1) - fewer;
                elements[kept..].fill(Value::Null);
            });
            let update = read(&shorter, &format!("{kind:?} without its last {fewer}"));
            assert_eq!(update, read(&nil, "nil in their place"), "{kind:?} without its last {fewer}");
            let ids = |update: &FeedUpdate| -> Vec<u64> {
                let matches = update.sports.iter().flat_map(|sport| &sport.matches);
                matches.map(|update| update.id().get()).collect()
            };
            assert_eq!(ids(&update), [17, 18, 16], "{kind:?} without its last {fewer}");
            read_messages += 1;
        }
    }
    // A match of an older producer, without the element for a stopped clock and everything after it.
    let mut older = as_value(&usual());
    change(&mut older, Feed, &[Match], &|elements| elements.truncate(21));
    let older = read(&older, "an older match");
    let first = &older.sports[0].matches[0];
    assert_eq!((first.live_match.clock_stopped, &first.time), (None, &Time::Seconds(600)));
    count("R27", "messages of an earlier version read", read_messages + 1);
}
