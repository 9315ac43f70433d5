//! Decoder tests for valid and invalid fields, one row per case. Messages are written by hand in a small notation, so
//! that the tests depend on the contract's arrays and not on our encoder.

use super::*;
use kvota_domain::feed::{Change, MatchUpdate, Time};
use kvota_domain::lang::Lang;
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Ball, Match};
use proptest::prelude::*;
use std::sync::Arc;

/// A MessagePack value in a message written by hand: nil, bool, signed, unsigned, float, string, array.
#[derive(Clone)]
pub(super) enum V {
    N,
    B(bool),
    I(i64),
    U(u64),
    F(f64),
    S(&'static str),
    A(Vec<V>),
    /// These exact bytes.
    Raw(&'static [u8]),
}
use V::{A, B, F, I, N, Raw, S, U};

const MAP: V = Raw(b"\x81\x01\x02");
const EXT: V = Raw(b"\xd4\x05y");
const BIN: V = Raw(b"\xc4\x01y");
const NO_UTF8: V = Raw(b"\xa2\xff\xfe");

pub(super) fn bytes(value: &V) -> Vec<u8> {
    let mut out = Vec::new();
    match value {
        N => rmp::encode::write_nil(&mut out).unwrap(),
        B(value) => rmp::encode::write_bool(&mut out, *value).unwrap(),
        I(value) => drop(rmp::encode::write_sint(&mut out, *value).unwrap()),
        U(value) => drop(rmp::encode::write_uint(&mut out, *value).unwrap()),
        F(value) => rmp::encode::write_f64(&mut out, *value).unwrap(),
        S(value) => rmp::encode::write_str(&mut out, value).unwrap(),
        Raw(value) => out.extend_from_slice(value),
        A(values) => {
            rmp::encode::write_array_len(&mut out, values.len() as u32).unwrap();
            out.extend(values.iter().flat_map(bytes));
        }
    }
    out
}

pub(super) fn decoded(feed: V) -> Decoded {
    decode_update(&bytes(&feed), &UpdateLimits::EVENT).unwrap()
}

/// A feed with one sport and one match; `set` replaces the match's elements at these indexes.
pub(super) fn with_match(set: &[(usize, V)]) -> V {
    let mut elements = vec![N; 26];
    elements[0] = I(7);
    for (place, value) in set {
        if *place >= elements.len() {
            elements.resize(place + 1, N);
        }
        elements[*place] = value.clone();
    }
    A(vec![A(vec![A(vec![I(1), S("Nogomet"), I(3), A(vec![A(elements)])])])])
}

pub(super) fn decoded_match(set: &[(usize, V)]) -> Result<MatchUpdate, Vec<(Flaw, u32)>> {
    let mut decoded = decoded(with_match(set));
    let update = decoded.update.sports.remove(0).matches.pop();
    update.ok_or_else(|| decoded.dropped.iter().collect())
}

pub(super) fn decoded_market(set: &[(usize, V)]) -> Result<Market, Vec<(Flaw, u32)>> {
    let mut elements = vec![N; 12];
    elements[0] = I(70);
    for (place, value) in set {
        elements[*place] = value.clone();
    }
    let feed = with_match(&[(6, A(vec![A(elements)]))]);
    let mut decoded = decoded(feed);
    let mut live_match = decoded.update.sports.remove(0).matches.remove(0).live_match;
    let market = live_match.markets.pop();
    market.map(Arc::unwrap_or_clone).ok_or_else(|| decoded.dropped.iter().collect())
}

fn decoded_odd(set: &[(usize, V)]) -> Result<Odd, Vec<(Flaw, u32)>> {
    let mut elements = vec![N; 7];
    elements[0] = I(700);
    for (place, value) in set {
        elements[*place] = value.clone();
    }
    let feed = with_match(&[(6, A(vec![A(vec![I(70), N, N, N, N, N, N, N, A(vec![A(elements)])])]))]);
    let mut decoded = decoded(feed);
    let mut live_match = decoded.update.sports.remove(0).matches.remove(0).live_match;
    let odd = Arc::unwrap_or_clone(live_match.markets.remove(0)).odds.pop();
    odd.ok_or_else(|| decoded.dropped.iter().collect())
}

#[test]
fn an_odds_value_is_a_number_from_0_to_100_000_cut_to_thousandths() {
    let cases: [(V, Result<u32, Flaw>); 26] = [
        (N, Ok(0)),
        (I(0), Ok(0)),
        (I(2), Ok(2000)),
        (F(2.0), Ok(2000)),
        (F(1.85), Ok(1850)),
        (F(1.000_4), Ok(1000)),
        (F(1.0006), Ok(1000)),
        (F(1.849_999), Ok(1849)),
        (F(1.005), Ok(1005)), // a little less as a float
        (F(-0.0), Ok(0)),
        (Raw(b"\xca\x3f\xec\xcc\xcd"), Ok(1850)), // the single float 1.85
        (I(100_000), Ok(100_000_000)),
        (F(100_000.0), Ok(100_000_000)),
        (F(100_000.000_1), Err(Flaw::Value)),
        (I(100_001), Err(Flaw::Value)),
        (U(u64::MAX), Err(Flaw::Value)),
        (I(-1), Err(Flaw::Value)),
        (F(-0.001), Err(Flaw::Value)),
        (F(f64::NAN), Err(Flaw::Value)),
        (F(f64::INFINITY), Err(Flaw::Value)),
        (F(f64::NEG_INFINITY), Err(Flaw::Value)),
        (S("1.85"), Err(Flaw::Type)),
        (B(true), Err(Flaw::Type)),
        (A(vec![]), Err(Flaw::Type)),
        (MAP, Err(Flaw::Type)),
        (EXT, Err(Flaw::Type)),
    ];
    for (value, expected) in cases {
        let shown = bytes(&value);
        let odd = decoded_odd(&[(2, value)]);
        match expected {
            Ok(thousandths) => {
                assert_eq!(odd.unwrap().value.thousandths(), thousandths, "{shown:x?}");
            }
            Err(flaw) => assert_eq!(odd.unwrap_err(), [(flaw, 1)], "{shown:x?}"),
        }
    }
}

#[test]
fn an_id_is_an_integer_of_at_most_2_to_the_53_less_1() {
    let cases: [(V, Option<Flaw>); 9] = [
        (I(0), None),
        (U((1 << 53) - 1), None),
        (U(1 << 53), Some(Flaw::Id)),
        (U(u64::MAX), Some(Flaw::Id)),
        (N, Some(Flaw::NoId)),
        (I(-1), Some(Flaw::Type)),
        (F(7.0), Some(Flaw::Type)),
        (S("7"), Some(Flaw::Type)),
        (A(vec![I(7)]), Some(Flaw::Type)),
    ];
    for (value, flaw) in cases {
        let expected: Vec<_> = flaw.into_iter().map(|flaw| (flaw, 1)).collect();
        let shown = bytes(&value);
        let of_match = decoded_match(&[(0, value.clone())]).err();
        assert_eq!(of_match.unwrap_or_default(), expected, "match {shown:x?}");
        let of_market = decoded_market(&[(0, value.clone())]).err();
        assert_eq!(of_market.unwrap_or_default(), expected, "market {shown:x?}");
        let of_odd = decoded_odd(&[(0, value.clone())]).err();
        assert_eq!(of_odd.unwrap_or_default(), expected, "odd {shown:x?}");
        let of_sport = decoded(A(vec![A(vec![A(vec![value])])]));
        assert_eq!(of_sport.dropped.iter().collect::<Vec<_>>(), expected, "sport {shown:x?}");
        assert_eq!(of_sport.update.sports.len(), usize::from(flaw.is_none()));
    }
}

#[test]
fn field_of_a_wrong_type_drops_only_its_match() {
    let text_places = [1, 2, 3, 11, 13, 14, 15, 17];
    let flag_places = [4, 21, 22, 24];
    let number_places = [5, 7, 10, 16, 23];
    let array_places = [6, 8, 9, 18, 19, 20, 25];
    let wrong_everywhere = [MAP, EXT, BIN, F(1.5)];
    let wrong = |place: usize, value: V| {
        let shown = bytes(&value);
        let outcome = decoded_match(&[(place, value)]);
        assert_eq!(outcome.unwrap_err(), [(Flaw::Type, 1)], "{place} {shown:x?}");
    };
    for place in (1..26).filter(|place| *place != 12) {
        for value in &wrong_everywhere {
            wrong(place, value.clone());
        }
        if !text_places.contains(&place) {
            wrong(place, S("x"));
        }
        if !flag_places.contains(&place) {
            wrong(place, B(true));
        }
        if !number_places.contains(&place) {
            wrong(place, I(1));
        }
        if !array_places.contains(&place) {
            wrong(place, A(vec![]));
        }
    }
    for value in [B(true), F(600.0), A(vec![]), MAP] {
        wrong(12, value);
    }
    for place in text_places.into_iter().chain([12]) {
        assert_eq!(decoded_match(&[(place, NO_UTF8)]).unwrap_err(), [(Flaw::Text, 1)], "{place}");
    }
}

#[test]
fn change_is_0_to_3_or_nil() {
    for (value, expected) in [
        (N, Ok(Change::Update)),
        (I(0), Ok(Change::Update)),
        (I(1), Ok(Change::Insert)),
        (I(2), Ok(Change::Update)),
        (I(3), Ok(Change::Delete)),
        (I(4), Err(Flaw::Change)),
        (I(-1), Err(Flaw::Change)),
        (S("1"), Err(Flaw::Type)),
    ] {
        let change = decoded_match(&[(5, value)]).map(|update| update.change);
        assert_eq!(change, expected.map_err(|flaw| vec![(flaw, 1)]));
    }
}

#[test]
fn deletion_ignores_invalid_fields() {
    for place in (1..26).filter(|place| *place != 5) {
        let update = decoded_match(&[(5, I(3)), (place, MAP)]).unwrap();
        assert_eq!(update.change, Change::Delete);
        assert_eq!(update.id().get(), 7);
    }
    assert_eq!(decoded_match(&[(5, I(3)), (0, S("7"))]).unwrap_err(), [(Flaw::Type, 1)]);
}

#[test]
fn the_time_is_a_reading_a_text_or_nothing() {
    for (value, expected) in [
        (N, Time::None),
        (I(2700), Time::Seconds(2700)),
        (I(-5), Time::Seconds(-5)),
        (S("HT"), Time::Text("HT".into())),
    ] {
        assert_eq!(decoded_match(&[(12, value)]).unwrap().time, expected);
    }
}

#[test]
fn pairs_and_lists_of_pairs() {
    let two = |home, away| A(vec![I(home), I(away)]);
    let score = |value| decoded_match(&[(8, value)]).map(|update| update.live_match.score);
    assert_eq!(score(two(2, 1)), Ok(Some([2, 1])));
    assert_eq!(score(A(vec![I(2), I(1), I(9)])), Ok(Some([2, 1])), "further elements");
    assert_eq!(score(A(vec![I(2)])), Ok(None), "half of it absent");
    assert_eq!(score(A(vec![])), Ok(None));
    assert_eq!(score(A(vec![S("2"), I(1)])), Err(vec![(Flaw::Type, 1)]));
    let scores = |value| decoded_match(&[(9, value)]).map(|update| update.live_match.scores);
    assert_eq!(scores(A(vec![two(1, 0), N, two(1, 1)])), Ok(vec![[1, 0], [0, 0], [1, 1]]));
    assert_eq!(scores(A(vec![I(1)])), Err(vec![(Flaw::Type, 1)]));
    let game = |value| decoded_match(&[(25, value)]).map(|update| update.live_match.game);
    let points = |home: &str, away: &str| Ok(Some([home.into(), away.into()]));
    assert_eq!(game(A(vec![S("40"), S("AD")])), points("40", "AD"));
    assert_eq!(game(A(vec![I(15), F(30.0)])), points("15", "30"));
    assert_eq!(game(A(vec![S("40"), N])), Ok(None));
    assert_eq!(game(A(vec![S("40"), A(vec![])])), Err(vec![(Flaw::Type, 1)]));
    let serving = |value| decoded_match(&[(23, value)]).map(|update| update.live_match.player_serving);
    assert_eq!(serving(I(2)), Ok(Some(2)));
    assert_eq!(serving(I(0)), Ok(None), "nobody serves");
}

#[test]
fn invalid_ball_counts_as_absent() {
    let ball = |value| decoded_match(&[(26, value)]).unwrap().live_match.ball;
    let position = Ball { x: 100, y: 0, side: 2, action: 12 };
    assert_eq!(ball(A(vec![I(100), I(0), I(2), I(12)])), Some(position));
    assert_eq!(ball(A(vec![I(100), I(0), I(2), I(12), MAP])), Some(position));
    for none in [
        N,
        MAP,
        S("x"),
        A(vec![I(1), I(1), I(1)]),
        A(vec![I(101), I(0), I(0), I(0)]),
        A(vec![I(-1), I(0), I(0), I(0)]),
        A(vec![I(1), I(1), I(3), I(0)]),
        A(vec![I(1), I(1), I(1), I(13)]),
    ] {
        assert_eq!(ball(none), None);
    }
}

#[test]
fn the_status_of_a_market_suspends_it_or_takes_it_out_of_the_offer() {
    let market = |status| A(vec![I(5), N, N, N, N, I(18), N, N, A(vec![]), N, N, N, status]);
    let read = |status| {
        let decoded = decoded_match(&[(6, A(vec![market(status)]))]).unwrap();
        decoded.live_match.markets.first().map(|market| market.is_suspended)
    };
    assert_eq!(read(N), Some(false));
    for (status, suspended) in
        [(1, Some(false)), (-1, Some(true)), (-2, Some(true)), (0, None), (-3, None), (-4, None), (7, None)]
    {
        assert_eq!(read(I(status)), suspended, "{status}");
    }
}

#[test]
fn an_sbv_is_a_text_or_a_number() {
    for (value, expected) in [
        (N, Ok(None)),
        (S("2.5"), Ok(Some("2.5"))),
        (F(2.5), Ok(Some("2.5"))),
        (F(3.0), Ok(Some("3"))),
        (I(-1), Ok(Some("-1"))),
        (Raw(b"\xca\x40\x06\x66\x66"), Ok(Some("2.1"))),
        (F(f64::NAN), Err(Flaw::Type)),
        (B(true), Err(Flaw::Type)),
    ] {
        let sbv = decoded_market(&[(4, value)]).map(|market| market.sbv);
        let expected = expected.map(|text| text.map(Into::into));
        assert_eq!(sbv, expected.map_err(|flaw| vec![(flaw, 1)]));
    }
}

#[test]
fn field_of_a_wrong_type_drops_only_its_market_or_odd() {
    for place in 1..12 {
        for value in [MAP, EXT, BIN] {
            assert_eq!(decoded_market(&[(place, value)]).unwrap_err(), [(Flaw::Type, 1)], "{place}");
        }
    }
    for place in 1..7 {
        for value in [MAP, EXT, BIN] {
            assert_eq!(decoded_odd(&[(place, value)]).unwrap_err(), [(Flaw::Type, 1)], "{place}");
        }
    }
    assert_eq!(decoded_odd(&[(5, I(-1))]).unwrap().changed, Some(-1));
    assert_eq!(decoded_odd(&[(5, N)]).unwrap().changed, None);
    assert_eq!(decoded_odd(&[(5, I(7))]).unwrap().changed, None);
    let values = decoded_odd(&[(3, A(vec![S("1.85"), N, S("-118")]))]).unwrap().values;
    assert_eq!(values.unwrap()[..], ["1.85".into(), "".into(), "-118".into()]);
}

#[test]
fn first_of_repeated_ids_is_kept() {
    let odd = |id: i64, price: f64| A(vec![I(id), N, F(price)]);
    let market = |id: i64, odds: Vec<V>| A(vec![I(id), N, N, N, N, N, N, N, A(odds)]);
    let first = market(70, vec![odd(700, 1.5), odd(700, 9.5), odd(701, 2.5)]);
    let markets = vec![first, market(71, vec![odd(701, 9.5), odd(702, 3.5)]), market(70, vec![odd(703, 1.1)])];
    let mut decoded = decoded(with_match(&[(6, A(markets))]));
    let update = decoded.update.sports.remove(0).matches.remove(0);
    let expected = (7, vec![(70, vec![700, 701]), (71, vec![702])]);
    assert_eq!(shape_of(&update), expected);
    assert_eq!(update.live_match.markets[0].odds[0].value.thousandths(), 1500);
    assert_eq!(decoded.dropped.of(Flaw::Repeated), 3);
}

#[test]
fn decoding_continues_after_a_dropped_entity() {
    let odd = |id| A(vec![id, S("1"), F(1.5)]);
    let market = |id, odds| A(vec![id, N, N, N, N, I(1), N, N, A(odds)]);
    let live_match = |id, markets| A(vec![id, N, N, N, B(true), N, A(markets)]);
    let sport = |id, matches| A(vec![id, N, N, A(matches)]);
    let markets = vec![
        market(I(1), vec![odd(I(1)), odd(S("bad")), MAP, odd(I(2))]),
        market(N, vec![odd(I(3))]),
        N,
        market(I(2), vec![odd(U(1 << 60)), odd(I(4))]),
    ];
    let feed = A(vec![
        A(vec![
            sport(I(1), vec![live_match(S("bad"), vec![]), live_match(I(1), markets), EXT]),
            sport(N, vec![live_match(I(2), vec![])]),
            sport(I(2), vec![live_match(I(3), vec![])]),
        ]),
        S("bad"),
        I(-5),
    ]);
    let decoded = decoded(feed);
    let shape: Vec<_> = decoded
        .update
        .sports
        .iter()
        .map(|sport| {
            let matches: Vec<_> = sport.matches.iter().map(shape_of).collect();
            (sport.sport.id.get(), matches)
        })
        .collect();
    let first = (1, vec![(1, vec![1, 2]), (2, vec![4])]);
    assert_eq!(shape, [(1, vec![first]), (2, vec![(3, vec![])])]);
    assert_eq!(decoded.update.number_of_matches, None);
    assert_eq!(decoded.update.date_ms, None);
    assert_eq!(decoded.dropped.of(Flaw::Date), 1);
    assert_eq!(decoded.dropped.of(Flaw::NoId), 2);
    assert_eq!(decoded.dropped.of(Flaw::Id), 1);
    assert_eq!(decoded.dropped.of(Flaw::Type), 6);
}

fn shape_of(update: &MatchUpdate) -> (u64, Vec<(u64, Vec<u64>)>) {
    let markets = update.live_match.markets.iter().map(|market| {
        let odds = market.odds.iter().map(|odd| odd.id.get()).collect();
        (market.id.get(), odds)
    });
    (update.id().get(), markets.collect())
}

#[test]
fn a_bad_column_is_dropped_alone() {
    let column = |order| A(vec![order, S("1X2"), A(vec![S("1"), N]), N, A(vec![A(vec![I(1)]), A(vec![N])])]);
    let feed = A(vec![A(vec![A(vec![I(1), N, N, N, A(vec![column(I(1)), column(S("x")), column(N)])])])]);
    let decoded = decoded(feed);
    let sport = &decoded.update.sports[0].sport;
    let columns = sport.preferred.as_ref().unwrap();
    assert_eq!(columns.len(), 2);
    assert_eq!(columns[0].fields, ["1".into(), "".into()]);
    assert_eq!(columns[0].markets.len(), 1);
    assert_eq!((columns[0].order, columns[1].order), (1, 0));
    assert_eq!(decoded.dropped.of(Flaw::Type), 1);
    assert_eq!(decoded.dropped.of(Flaw::NoId), 2);
}

#[test]
fn shorter_arrays_are_absent_at_the_end_and_further_elements_are_ignored() {
    let short = decoded(A(vec![A(vec![A(vec![I(1), N, N, A(vec![A(vec![I(7)])])])])]));
    let of_short = &short.update.sports[0].matches[0].live_match;
    assert_eq!(*of_short, Match::empty(of_short.id, of_short.sport_id));
    assert_eq!(short.dropped.total(), 0);
    let mut further = vec![N; 40];
    further[0] = I(7);
    further[39] = MAP;
    let sport = A(vec![I(1), N, N, A(vec![A(further)]), N, N, MAP, EXT]);
    let long = decoded(A(vec![A(vec![sport]), N, N, A(vec![MAP])]));
    assert_eq!(long.update, short.update);
    assert_eq!(decoded(A(vec![])).update, FeedUpdate::default());
    assert_eq!(decoded(A(vec![N, I(3), I(5)])).update.number_of_matches, Some(3));
}

#[test]
fn a_match_belongs_to_the_sport_around_it() {
    for sport_id in [N, I(1), I(9)] {
        let live_match = decoded_match(&[(10, sport_id)]).unwrap().live_match;
        assert_eq!(live_match.sport_id.get(), 1);
        assert_eq!(live_match.sport_name.as_deref(), Some("Nogomet"));
    }
    let named = decoded_match(&[(11, S("Football"))]).unwrap().live_match;
    assert_eq!(named.sport_name.as_deref(), Some("Football"));
}

#[test]
fn the_small_messages() {
    let active = |value| decode_active(&bytes(&value)).map_err(|error| error.cause());
    let sent = |active, date_ms| Ok(ActiveMessage { active, date_ms });
    assert_eq!(active(A(vec![B(true), I(5)])), sent(true, Some(5)));
    assert_eq!(active(A(vec![B(false)])), sent(false, None));
    assert_eq!(active(A(vec![B(true), S("x"), MAP])), sent(true, None));
    assert_eq!(active(A(vec![])), Err("element"));
    assert_eq!(active(A(vec![I(1)])), Err("element"));
    assert_eq!(active(B(true)), Err("array"));
    let request = |value| decode_snapshot_request(&bytes(&value)).map_err(|error| error.cause());
    assert_eq!(request(A(vec![S("sr"), I(1)])), Ok(Lang::Sr));
    assert_eq!(request(A(vec![S("de")])), Err("element"));
    assert_eq!(request(A(vec![I(1)])), Err("element"));
    assert_eq!(request(S("sr")), Err("array"));
    for lang in Lang::ALL {
        assert_eq!(decode_snapshot_request(&encode::snapshot_request(lang)).unwrap(), lang);
    }
    let encoded = encode::active(true, 1_526_220_000_000);
    assert_eq!(decode_active(&encoded).unwrap().date_ms, Some(1_526_220_000_000));
}

#[test]
fn invalid_sport_list_is_an_envelope_error() {
    for sports in [S("x"), MAP, I(1)] {
        let error = decode_update(&bytes(&A(vec![sports])), &UpdateLimits::EVENT).unwrap_err();
        assert_eq!(error.cause(), "array");
    }
    let error = open_update(b"\x90", Some("br"), &UpdateLimits::EVENT).unwrap_err();
    assert_eq!(error.cause(), "compression");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn encoded_messages_round_trip(update in super::arbitrary::update()) {
        let decoded = decode_update(&encode::update(&update), &UpdateLimits::EVENT).unwrap();
        prop_assert_eq!(decoded.dropped.total(), 0);
        prop_assert_eq!(decoded.update, update);
    }

    #[test]
    fn every_price_round_trips(thousandths in 0..=100_000_000u32) {
        let float = f64::from(thousandths) / 1000.0;
        prop_assert_eq!(decoded_odd(&[(2, F(float))]).unwrap().value.thousandths(), thousandths);
    }
}
