//! How a decoder reports dropped matches: by id, or as incomplete if an id is unknown.

use super::cases::V::{A, F, I, N, S};
use super::cases::{V, decoded, with_match};

/// A match; a text as the betting flag makes it invalid.
fn of_match(id: V, betting: V) -> V {
    A(vec![id, N, N, N, betting, I(2)])
}

fn feed_of(matches: Vec<V>) -> V {
    A(vec![A(vec![A(vec![I(1), N, N, A(matches)])])])
}

#[test]
fn dropped_match_is_reported_by_id_if_readable() {
    let bad = || S("yes");
    for (name, matches, unreadable, is_incomplete) in [
        ("nothing bad", vec![of_match(I(7), N)], vec![], false),
        ("a bad field", vec![of_match(I(7), bad()), of_match(I(8), N)], vec![7], false),
        ("an unknown change", vec![A(vec![I(7), N, N, N, N, I(9)])], vec![7], false),
        ("bad twice", vec![of_match(I(7), bad()), of_match(I(7), bad())], vec![7], false),
        ("bad, then good", vec![of_match(I(7), bad()), of_match(I(7), N)], vec![], false),
        ("good, then bad", vec![of_match(I(7), N), of_match(I(7), bad())], vec![7], false),
        ("a deletion with a bad field", vec![A(vec![I(7), N, N, N, bad(), I(3)])], vec![], false),
        ("no id", vec![of_match(N, N), of_match(I(8), N)], vec![], true),
        ("a bad id", vec![of_match(S("7"), N)], vec![], true),
        ("no match at all", vec![S("bad")], vec![], true),
    ] {
        let update = decoded(feed_of(matches)).update;
        let ids: Vec<u64> = update.unreadable.iter().map(|id| id.get()).collect();
        assert_eq!((ids, update.is_incomplete), (unreadable, is_incomplete), "{name}");
    }
}

#[test]
fn dropped_sport_makes_the_update_incomplete() {
    let bad_sport = A(vec![I(1), I(5), N, A(vec![of_match(I(7), N)])]);
    assert!(decoded(A(vec![A(vec![bad_sport])])).update.is_incomplete);
}

#[test]
fn invalid_market_or_odd_is_dropped_alone() {
    let market = A(vec![I(70), N, N, N, N, I(1), N, N, A(vec![A(vec![S("bad")])])]);
    let decoded = decoded(with_match(&[(6, A(vec![market, S("bad")]))]));
    assert_eq!(decoded.dropped.total(), 2);
    assert_eq!((decoded.update.unreadable, decoded.update.is_incomplete), (vec![], false));
}

#[test]
fn prices_that_are_cut_are_counted() {
    let odd = |id, value| A(vec![I(id), S("1"), F(value)]);
    let odds = vec![odd(1, 1.85), odd(2, 1.8567), odd(3, 1.849_999), odd(4, 1.005)];
    let market = A(vec![I(70), N, N, N, N, I(1), N, N, A(odds)]);
    let decoded = decoded(with_match(&[(6, A(vec![market]))]));
    assert_eq!((decoded.cut_prices, decoded.dropped.total()), (2, 0));
}
