//! Compares the catalogue with `catalogue/numbers.lock`, because bets refer to numbers, and the ids of markets and odds
//! follow from the order, the lines and the answers.

use crate::simulator::sports::table;

#[test]
fn markets_keep_their_numbers_their_order_their_lines_and_their_answers() {
    let rows = |entry: &'static crate::simulator::sports::Entry| {
        let row = |spec: &crate::pricing::kind::KindSpec| {
            format!("{} {} {} {}", entry.profile.key, spec.number, spec.lines, spec.answers.places())
        };
        entry.profile.kinds.iter().map(row)
    };
    let now: Vec<String> = table().iter().flat_map(rows).collect();
    let locked = include_str!("../../catalogue/numbers.lock").lines().filter(|line| !line.starts_with('#'));
    let locked: Vec<&str> = locked.collect();
    let at = now.iter().zip(&locked).position(|(now, locked)| now != locked).unwrap_or(now.len().min(locked.len()));
    assert!(
        now == locked,
        "row {at}: numbers.lock has {:?}, the catalogue {:?}. New markets need a line of their own in numbers.lock; no \
         line of it may change.",
        locked.get(at),
        now.get(at)
    );
}
