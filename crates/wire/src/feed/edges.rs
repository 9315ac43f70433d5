//! The limits of a message: the last valid value, the first invalid one, and the cause under which it is counted.
//! Test-only; uses the notation of `cases`.

use super::cases::V::{A, I, N, Raw, S, U};
use super::cases::{V, bytes, decoded, decoded_market, decoded_match, with_match};
use super::*;
use crate::inflate::compress;
use crate::limits::PLAYER_BYTES_MAX;
use kvota_domain::ids::ID_MAX;
use kvota_domain::limits::HISTORY_INCIDENTS_MAX;

const BEYOND: u64 = ID_MAX + 1;

#[test]
fn ids_that_may_be_absent_are_bounded_like_the_others() {
    for place in [10, 16] {
        for (value, flaw) in [(N, None), (U(ID_MAX), None), (U(BEYOND), Some(Flaw::Id)), (I(-1), Some(Flaw::Type))] {
            let dropped = decoded_match(&[(place, value)]).err().unwrap_or_default();
            assert_eq!(dropped, flaw.map(|flaw| (flaw, 1)).into_iter().collect::<Vec<_>>(), "{place}");
        }
    }
    let of_stream = decoded_match(&[(16, U(ID_MAX))]).unwrap().live_match.perform_event_id;
    assert_eq!(of_stream, Some(ID_MAX));
}

#[test]
fn numbers_beyond_those_of_their_type_are_of_a_wrong_type() {
    let largest = i64::MAX.unsigned_abs();
    for place in [7, 12] {
        assert!(decoded_match(&[(place, U(largest))]).is_ok(), "{place}");
        assert_eq!(decoded_match(&[(place, U(largest + 1))]).unwrap_err(), [(Flaw::Type, 1)], "{place}");
    }
    let singles = [&b"\xca\x7f\xc0\0\0"[..], b"\xca\x7f\x80\0\0", b"\xca\xff\x80\0\0"];
    for single in singles {
        assert_eq!(decoded_market(&[(4, Raw(single))]).unwrap_err(), [(Flaw::Type, 1)], "{single:x?} is no sbv");
    }
}

#[test]
fn date_and_match_count_are_limited_to_2_to_the_53() {
    let most = i64::try_from(ID_MAX).unwrap();
    for (number, date_ms) in [(ID_MAX, Some(most)), (BEYOND, None)] {
        let decoded = decoded(A(vec![N, U(number), U(number)]));
        assert_eq!(decoded.update.date_ms, date_ms);
        assert_eq!(decoded.update.number_of_matches, date_ms.map(|_| ID_MAX));
        let flaws = if date_ms.is_some() { (0, 0) } else { (1, 1) };
        assert_eq!((decoded.dropped.of(Flaw::Type), decoded.dropped.of(Flaw::Date)), flaws);
    }
}

#[test]
fn newest_incidents_of_a_long_history_are_kept() {
    let incident = |seconds: i64| A(vec![I(7), I(1), I(seconds), N, N, N]);
    for count in [HISTORY_INCIDENTS_MAX as i64, HISTORY_INCIDENTS_MAX as i64 + 3] {
        let story = A(vec![A((0..count).map(incident).collect()), N, N]);
        let history = decoded_match(&[(27, story)]).unwrap().live_match.history.expect("a history");
        let first = u32::try_from(count).unwrap() - HISTORY_INCIDENTS_MAX as u32;
        assert_eq!((history.incidents.len(), history.incidents[0].seconds), (HISTORY_INCIDENTS_MAX, Some(first)));
    }
}

#[test]
fn a_players_name_and_a_status_are_short() {
    for (length, is_kept) in [(1, true), (PLAYER_BYTES_MAX, true), (PLAYER_BYTES_MAX + 1, false)] {
        let word = || S("x".repeat(length).leak());
        let story = A(vec![A(vec![A(vec![I(7), I(1), N, word(), N, word()])]), N, N]);
        let history = decoded_match(&[(27, story)]).unwrap().live_match.history.expect("a history");
        let (status, player) = (&history.incidents[0].status, &history.incidents[0].player);
        assert_eq!((status.is_some(), player.is_some()), (is_kept, is_kept), "{length}");
    }
}

/// Costs for a budget of 20 entities: a sport and a match 8 each; a market, an odd, a column and each of its markets 1.
/// Items of other lists have their own budget, 8 per entity. Unknown elements cost nothing.
#[test]
fn lists_are_limited_by_the_budget() {
    const SMALL: UpdateLimits = UpdateLimits { bytes_max: 1000, entities_max: 20 };
    type Case<'a> = (&'a str, &'a dyn Fn(usize) -> V, usize);
    fn at(place: usize, value: V) -> V {
        let mut elements = vec![N; place];
        elements.push(value);
        A(elements)
    }
    let nils = |count| A(vec![N; count]);
    let of_sport = |place, value| A(vec![A(vec![at(place, value)])]);
    let of_match = |place, value| of_sport(3, A(vec![at(place, value)]));
    let of_market = |place, value| of_match(6, A(vec![at(place, value)]));
    let of_odd = |place, value| of_market(8, A(vec![at(place, value)]));
    let of_column = |place, value| of_sport(4, A(vec![at(place, value)]));
    let cases: [Case<'_>; 11] = [
        ("sports", &|count| A(vec![nils(count)]), 2),
        ("matches", &|count| of_sport(3, nils(count)), 1),
        ("markets", &|count| of_match(6, nils(count)), 4),
        ("odds", &|count| of_market(8, nils(count)), 3),
        ("columns", &|count| of_sport(4, nils(count)), 12),
        ("markets of a column", &|count| of_column(4, nils(count)), 11),
        ("scores", &|count| of_match(9, nils(count)), 160),
        ("tags", &|count| of_market(11, nils(count)), 160),
        ("texts of an odd", &|count| of_odd(3, nils(count)), 160),
        ("headings", &|count| of_column(2, nils(count)), 160),
        ("what a later version has", &|count| of_match(30, nils(count)), 900),
    ];
    for (what, of, most) in cases {
        let refused = |count: usize| check::check(&bytes(&of(count)), &SMALL).err().map(|error| error.cause());
        assert_eq!(refused(most), None, "{most} {what}");
        let one_more = if most == 900 { "too_large" } else { "entities" };
        assert_eq!(refused(if most == 900 { 1000 } else { most + 1 }), Some(one_more), "one more of {what}");
    }
}

#[test]
fn repeated_market_or_odd_id_is_dropped_alone() {
    let market = |id: i64, odds: &[i64]| {
        let odds = odds.iter().map(|odd| A(vec![I(*odd)])).collect();
        A(vec![I(id), N, N, N, N, N, N, N, A(odds)])
    };
    for (markets, left) in [
        (vec![market(70, &[]), market(70, &[])], vec![(70, vec![])]),
        (vec![market(70, &[700, 700])], vec![(70, vec![700])]),
        (vec![market(70, &[700]), market(70, &[701])], vec![(70, vec![700])]),
        (vec![market(70, &[700, 700]), market(71, &[701])], vec![(70, vec![700]), (71, vec![701])]),
        (vec![market(70, &[700]), market(71, &[700])], vec![(70, vec![700]), (71, vec![])]),
    ] {
        let mut decoded = decoded(with_match(&[(6, A(markets))]));
        let live_match = decoded.update.sports.remove(0).matches.remove(0).live_match;
        let ids: Vec<(u64, Vec<u64>)> = live_match
            .markets
            .iter()
            .map(|market| (market.id.get(), market.odds.iter().map(|odd| odd.id.get()).collect()))
            .collect();
        assert_eq!(ids, left);
        assert_eq!(decoded.dropped.of(Flaw::Repeated), 1);
    }
}

#[test]
fn map_with_several_pairs_is_skipped() {
    for map in [&b"\x80"[..], b"\x82\x01\x02\x03\x04", b"\x83\x01\x02\x03\x04\x05\x06"] {
        let decoded = decoded(A(vec![N, I(3), I(5), Raw(map), I(1)]));
        assert_eq!((decoded.update.number_of_matches, decoded.update.date_ms), (Some(3), Some(5)), "{map:x?}");
        assert_eq!(decoded_match(&[(30, Raw(map))]).unwrap().id().get(), 7);
    }
}

#[test]
fn decoding_errors_are_counted_by_cause() {
    let too_large = || DecodeError::Inflate(InflateError::TooLarge(1));
    for (error, cause) in [
        (too_large(), "too_large"),
        (DecodeError::TooLarge(1), "too_large"),
        (DecodeError::Inflate(InflateError::TooManyMembers), "compression"),
        (DecodeError::TooRich(1), "entities"),
        (DecodeError::Malformed(Malformed::Truncated), "truncated"),
        (DecodeError::Malformed(Malformed::Reserved), "msgpack"),
        (DecodeError::TooDeep, "depth"),
        (DecodeError::Trailing(1), "trailing"),
        (DecodeError::NotAnArray, "array"),
        (DecodeError::Lacking, "element"),
    ] {
        assert_eq!(error.cause(), cause);
    }
    let flaws = Flaw::ALL.map(Flaw::cause);
    assert_eq!(flaws, ["no_id", "id", "type", "text", "value", "change", "date", "repeated"]);
}

#[test]
fn messages_are_opened_by_their_encoding() {
    let (active, update) = (encode::active(true, 5), bytes(&A(vec![N, I(3), I(5)])));
    for encoding in [Compression::Plain, Compression::Deflate, Compression::Gzip] {
        let packed = |body: &[u8]| compress(body, encoding).unwrap();
        let sent = open_active(&packed(&active), encoding.property()).unwrap();
        assert_eq!(sent, ActiveMessage { active: true, date_ms: Some(5) });
        let opened = open_update(&packed(&update), encoding.property(), &UpdateLimits::EVENT).unwrap();
        assert_eq!(opened.update.number_of_matches, Some(3));
    }
    assert_eq!(open_active(&active, Some("br")).unwrap_err().cause(), "compression");
}
