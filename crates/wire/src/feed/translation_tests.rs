//! Tests that the texts of another language are the same whether a decoder knows the match already or not.

use super::cases::V::{A, F, I, N, S, U};
use super::cases::{V, bytes};
use super::hostile::valid_and_damaged;
use super::*;
use kvota_domain::feed::{Change, MatchUpdate, Time};
use kvota_domain::matches::Match;

const TURNS: u64 = 15_000;

/// What [`Decoder::texts`] must return for a message that [`Decoder::update`] decodes to this.
fn only_texts(mut decoded: Decoded) -> Decoded {
    for sport in &mut decoded.update.sports {
        for update in &mut sport.matches {
            let texts = (update.change != Change::Delete).then(|| update.texts());
            let live_match = Match::empty(update.id(), update.live_match.sport_id);
            *update = MatchUpdate { change: update.change, live_match, time: Time::None, texts };
        }
    }
    Decoded { cut_prices: 0, ..decoded }
}

#[test]
fn a_decoder_that_knows_the_matches_returns_what_a_new_one_does() {
    let limits = UpdateLimits::EVENT;
    let mut decoder = Decoder::default();
    let mut outcomes = [0_u64; 2];
    valid_and_damaged(TURNS, 0x6b76_6f74_6100_0002, |bytes, seed| {
        let expected = Decoder::default().update(bytes, &limits).map(only_texts).ok();
        let found = decoder.texts(bytes, &limits, Lang::En).ok();
        outcomes[usize::from(expected.is_some())] += 1;
        assert_eq!(found, expected, "KVOTA_SEED={seed}: {bytes:02x?}");
    });
    let turns = outcomes.iter().sum::<u64>() / 2;
    assert!(outcomes.iter().all(|count| *count > turns / 10), "{outcomes:?}");
}

/// A match with these elements in a sport of this name, with one market of one odd.
fn message(sport: &'static str, set: &[(usize, V)], odd: &[(usize, V)]) -> Vec<u8> {
    let mut elements = vec![N; 26];
    let mut price = vec![I(700), S("1"), F(1.85), N, N, N, N];
    odd.iter().for_each(|(place, value)| price[*place] = value.clone());
    (elements[0], elements[2], elements[8]) = (I(7), S("Osijek"), A(vec![I(1), I(1)]));
    elements[6] = A(vec![A(vec![I(70), S("Winner"), N, N, S("2.5"), I(1), N, N, A(vec![A(price)])])]);
    set.iter().for_each(|(place, value)| elements[*place] = value.clone());
    bytes(&A(vec![A(vec![A(vec![I(1), S(sport), I(3), A(vec![A(elements)])])])]))
}

#[test]
fn texts_that_did_not_change_are_shared() {
    let pair = |home, away| A(vec![I(home), I(away)]);
    let first = message("Soccer", &[], &[]);
    let cases: [(&str, Vec<u8>, bool); 16] = [
        ("the same again", first.clone(), true),
        ("another price", message("Soccer", &[], &[(2, F(2.1))]), true),
        ("a whole price", message("Soccer", &[], &[(2, I(2))]), true),
        ("a price that is too high", message("Soccer", &[], &[(2, F(100_001.0))]), false),
        ("a price that moved up", message("Soccer", &[], &[(5, I(1))]), true),
        ("a price that moved down", message("Soccer", &[], &[(5, I(-1))]), true),
        ("no price", message("Soccer", &[], &[(2, N)]), true),
        ("a price that is no number", message("Soccer", &[], &[(2, S("2"))]), false),
        ("another score", message("Soccer", &[(8, pair(2, 1))], &[]), true),
        ("another name", message("Soccer", &[(2, S("Rijeka"))], &[]), false),
        ("another name of the sport", message("Football", &[], &[]), false),
        ("another odd", message("Soccer", &[], &[(0, I(701))]), false),
        ("an odd's type", message("Soccer", &[], &[(1, S("2"))]), false),
        ("an insert", message("Soccer", &[(5, I(1))], &[]), true),
        ("a number that is not valid everywhere", message("Soccer", &[(7, U(u64::MAX))], &[]), false),
        ("a deletion", message("Soccer", &[(5, I(3))], &[]), false),
    ];
    for (what, bytes, expected) in cases {
        let mut decoder = Decoder::default();
        let mut texts = |bytes: &[u8]| {
            let decoded = decoder.texts(bytes, &UpdateLimits::EVENT, Lang::En).unwrap();
            decoded.update.sports[0].matches.first().and_then(|update| update.texts.clone())
        };
        let (known, found) = (texts(&first).expect("the match has texts"), texts(&bytes));
        let is_same = found.as_ref().is_some_and(|found| std::sync::Arc::ptr_eq(&known, found));
        assert_eq!(is_same, expected, "{what}");
    }
}

#[test]
fn languages_and_deleted_matches_are_kept_apart() {
    let (first, deletion) = (message("Soccer", &[], &[]), message("Soccer", &[(5, I(3))], &[]));
    let mut decoder = Decoder::default();
    let mut read = |bytes: &[u8], lang| {
        let decoded = decoder.texts(bytes, &UpdateLimits::EVENT, lang).unwrap();
        decoded.update.sports[0].matches[0].texts.clone()
    };
    let (english, serbian) = (read(&first, Lang::En).unwrap(), read(&first, Lang::Sr).unwrap());
    assert!(!std::sync::Arc::ptr_eq(&english, &serbian));
    assert_eq!(read(&deletion, Lang::En), None);
    assert!(!std::sync::Arc::ptr_eq(&english, &read(&first, Lang::En).unwrap()), "a deleted match is read again");
    assert!(std::sync::Arc::ptr_eq(&serbian, &read(&first, Lang::Sr).unwrap()));
}
