//! Decodes and encodes the results of matches (CONTRACT 7, *Message*): positional msgpack arrays and
//! [`MatchResults`]. The consumer of the results queue calls [`open_match_result`], the client that requests missing
//! results calls [`open_answer`], publishers call [`encode`] and [`encode_answer`].
//!
//! Must not fail on an invalid market result: only that market is dropped and counted.

use super::check::{Role, check_as};
use super::fields::Fields;
use super::intern::Interner;
use super::{DecodeError, Dropped, Flaw, UpdateLimits};
use crate::Encoding;
use crate::array::{ArrayWriter, write_array_header};
use crate::inflate::{Compression, inflate};
use crate::msgpack::{Cursor, Token};
use kvota_domain::ids::{ID_MAX, MarketId, MatchId, OddId};
use kvota_domain::limits::RESULT_MATCHES_ASKED_MAX;
use kvota_domain::settlement::{
    DeadHeat, MarketResult, MarketState, MatchResults, RawOddResult, RequestedMatch, VoidFactor, VoidWindow,
};
use std::collections::{HashMap, HashSet};

/// A decoded message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodedResults {
    /// The results without the invalid markets.
    pub results: MatchResults,
    /// The number of invalid markets by cause.
    pub dropped: Dropped,
}

/// Decodes a match-result, compressed as its `content-encoding` property states.
///
/// # Errors
/// An invalid envelope: the compression, the outer array, the match id or the version.
pub fn open_match_result(body: &[u8], encoding: Option<&str>) -> Result<DecodedResults, DecodeError> {
    let limits = UpdateLimits::EVENT;
    let bytes = inflate(body, Compression::from_property(encoding)?, limits.bytes_max)?;
    check_as(Role::Result, &bytes, &limits)?;
    let mut reading = Reading::default();
    let results = reading.match_result(&mut Cursor::new(&bytes)).map_err(|_| DecodeError::Lacking)?;
    Ok(DecodedResults { results, dropped: reading.dropped })
}

/// Decodes the answer to a request for results: a list of match-results. An invalid one is dropped alone and counted.
///
/// # Errors
/// An invalid envelope.
pub fn open_answer(body: &[u8], encoding: Option<&str>) -> Result<(Vec<MatchResults>, Dropped), DecodeError> {
    let limits = UpdateLimits::SNAPSHOT;
    let bytes = inflate(body, Compression::from_property(encoding)?, limits.bytes_max)?;
    check_as(Role::Results, &bytes, &limits)?;
    let mut reading = Reading::default();
    let mut cursor = Cursor::new(&bytes);
    let Token::Array(len) = cursor.token()? else { return Err(DecodeError::NotAnArray) };
    let results = reading.each(&mut cursor, len, Reading::match_result).map_err(|_| DecodeError::NotAnArray)?;
    Ok((results, reading.dropped))
}

/// Decodes a request for results: `[[matchId...], [[matchId, [marketId...]]...]]`, never compressed. The second element may
/// be absent. Invalid ids are left out.
///
/// # Errors
/// A bad envelope, or more than [`RESULT_MATCHES_ASKED_MAX`] matches.
pub fn decode_request(bytes: &[u8]) -> Result<Vec<RequestedMatch>, DecodeError> {
    check_as(Role::Feed, bytes, &UpdateLimits::EVENT)?;
    let mut cursor = Cursor::new(bytes);
    let lacking = |_: Flaw| DecodeError::Lacking;
    let mut request = Fields::open(&mut cursor).map_err(lacking)?;
    let matches = ids(&mut request, MatchId::new).map_err(lacking)?.ok_or(DecodeError::Lacking)?;
    if matches.len() > RESULT_MATCHES_ASKED_MAX {
        return Err(DecodeError::TooRich(RESULT_MATCHES_ASKED_MAX));
    }
    let mut open_markets: HashMap<MatchId, Vec<MarketId>> = HashMap::new();
    for (match_id, markets) in request.items(open_markets_of).map_err(lacking)?.unwrap_or_default() {
        open_markets.entry(match_id).or_default().extend(markets);
    }
    let requested = matches
        .into_iter()
        .map(|match_id| RequestedMatch { match_id, open_markets: open_markets.remove(&match_id).unwrap_or_default() });
    Ok(requested.collect())
}

fn open_markets_of(cursor: &mut Cursor<'_>) -> Result<(MatchId, Vec<MarketId>), Flaw> {
    let mut fields = Fields::open(cursor)?;
    let match_id = fields.id(MatchId::new)?;
    let markets = ids(&mut fields, MarketId::new)?.unwrap_or_default();
    fields.close()?;
    Ok((match_id, markets))
}

/// A list of ids without the invalid ones.
fn ids<T>(fields: &mut Fields<'_, '_>, id: impl Fn(u64) -> Option<T>) -> Result<Option<Vec<T>>, Flaw> {
    let read = fields.items(|cursor| match cursor.token()? {
        Token::Unsigned(number) => Ok(id(number)),
        _ => Err(Flaw::Type),
    })?;
    Ok(read.map(|ids| ids.into_iter().flatten().collect()))
}

#[derive(Default)]
struct Reading {
    texts: Interner,
    dropped: Dropped,
}

impl Reading {
    /// The valid items of a list of this length that starts at the cursor.
    fn each<'a, T>(
        &mut self,
        cursor: &mut Cursor<'a>,
        len: u32,
        mut item: impl FnMut(&mut Self, &mut Cursor<'a>) -> Result<T, Flaw>,
    ) -> Result<Vec<T>, Flaw> {
        let mut items = Vec::with_capacity(len.min(16) as usize);
        for _ in 0..len {
            let beginning = *cursor;
            match item(self, cursor) {
                Ok(item) => items.push(item),
                Err(flaw) => {
                    self.dropped.count(flaw);
                    *cursor = beginning;
                    cursor.skip()?;
                }
            }
        }
        Ok(items)
    }

    fn match_result(&mut self, cursor: &mut Cursor<'_>) -> Result<MatchResults, Flaw> {
        let mut fields = Fields::open(cursor)?;
        let match_id = fields.id(MatchId::new)?;
        let version = fields.int()?.ok_or(Flaw::NoId)?;
        let markets = match fields.list()? {
            None => Vec::new(),
            Some(len) => self.each(fields.cursor(), len, |reading, cursor| reading.market_result(cursor, version))?,
        };
        let date_ms = self.date(&mut fields);
        fields.close()?;
        Ok(MatchResults { match_id, markets: self.without_contradictions(markets), date_ms })
    }

    /// Drops markets that have two different results in one message: none of them can be right by itself.
    fn without_contradictions(&mut self, markets: Vec<MarketResult>) -> Vec<MarketResult> {
        let mut seen: HashMap<MarketId, usize> = HashMap::with_capacity(markets.len());
        let mut bad = HashSet::new();
        for (place, market) in markets.iter().enumerate() {
            let first = *seen.entry(market.market).or_insert(place);
            if markets[first] != *market {
                bad.insert(market.market);
            }
        }
        if bad.is_empty() {
            return markets;
        }
        markets
            .into_iter()
            .filter(|market| {
                let is_bad = bad.contains(&market.market);
                if is_bad {
                    self.dropped.count(Flaw::Repeated);
                }
                !is_bad
            })
            .collect()
    }

    /// CONTRACT 1: an invalid date counts as absent.
    fn date(&mut self, fields: &mut Fields<'_, '_>) -> Option<i64> {
        let mut cursor = *fields.next()?;
        fields.cursor().skip().ok()?;
        match cursor.token() {
            Ok(Token::Nil) => None,
            Ok(Token::Unsigned(date)) if date <= ID_MAX => i64::try_from(date).ok(),
            _ => {
                self.dropped.count(Flaw::Date);
                None
            }
        }
    }

    /// An invalid odd, or one with two different results, makes its whole market invalid: the result of a market counts as a
    /// whole or not at all.
    fn market_result(&mut self, cursor: &mut Cursor<'_>, version: i64) -> Result<MarketResult, Flaw> {
        let mut fields = Fields::open(cursor)?;
        let market = fields.id(MarketId::new)?;
        let state = MarketState::from_code(fields.int()?.ok_or(Flaw::Type)?);
        let odds: Vec<RawOddResult> = fields.items(odd_result)?.unwrap_or_default();
        let mut of_odd = HashMap::with_capacity(odds.len());
        if odds.iter().any(|odd| *of_odd.entry(odd.odd).or_insert(odd) != odd) {
            return Err(Flaw::Repeated);
        }
        let void_windows = fields.items(window)?.unwrap_or_default();
        let reason = fields.text(&mut self.texts)?;
        fields.close()?;
        Ok(MarketResult { market, version, state, odds, void_windows, reason })
    }
}

fn odd_result(cursor: &mut Cursor<'_>) -> Result<RawOddResult, Flaw> {
    let mut fields = Fields::open(cursor)?;
    let odd = fields.id(OddId::new)?;
    let result = result_number(&mut fields)?;
    let void = ten_thousandths(&mut fields)?;
    let dead_heat = ten_thousandths(&mut fields)?;
    fields.close()?;
    Ok(RawOddResult {
        odd,
        result,
        void_factor: match void {
            Factor::Absent => Some(VoidFactor::Zero),
            Factor::Undefined => None,
            Factor::Number(number) => VoidFactor::from_ten_thousandths(number),
        },
        dead_heat: match dead_heat {
            Factor::Absent => Some(DeadHeat::NONE),
            Factor::Undefined => None,
            Factor::Number(number) => DeadHeat::from_ten_thousandths(number),
        },
    })
}

/// Stands for a number that is neither won nor lost, so that the pair is parked.
const UNDEFINED_RESULT: i64 = i64::MIN;

/// CONTRACT 7: 1 and 0 may be integers or floats.
fn result_number(fields: &mut Fields<'_, '_>) -> Result<Option<i64>, Flaw> {
    let float = match fields.next().map(Cursor::token).transpose()? {
        None | Some(Token::Nil) => return Ok(None),
        Some(Token::Unsigned(number)) => return Ok(Some(i64::try_from(number).unwrap_or(UNDEFINED_RESULT))),
        Some(Token::Negative(number)) => return Ok(Some(number)),
        Some(Token::F32(number)) => f64::from(number),
        Some(Token::F64(number)) => number,
        Some(_) => return Err(Flaw::Type),
    };
    if !float.is_finite() {
        return Err(Flaw::Value);
    }
    Ok(Some(if float == 1.0 {
        1
    } else if float == 0.0 {
        0
    } else {
        UNDEFINED_RESULT
    }))
}

fn window(cursor: &mut Cursor<'_>) -> Result<VoidWindow, Flaw> {
    let mut fields = Fields::open(cursor)?;
    let window = VoidWindow { from_ms: fields.int()?, until_ms: fields.int()? };
    fields.close()?;
    Ok(window)
}

/// A factor of a result, as written.
enum Factor {
    Absent,
    /// In ten-thousandths.
    Number(u64),
    /// An invalid factor: negative, or with more than 4 decimals.
    Undefined,
}

fn ten_thousandths(fields: &mut Fields<'_, '_>) -> Result<Factor, Flaw> {
    // The shortest text of a float is what the sender wrote: the f32 0.3333 must not become 0.33329999446868896.
    let text = match fields.next().map(Cursor::token).transpose()? {
        None | Some(Token::Nil) => return Ok(Factor::Absent),
        Some(Token::Unsigned(number)) => number.to_string(),
        Some(Token::Negative(_)) => return Ok(Factor::Undefined),
        Some(Token::F32(number)) if number.is_finite() => number.to_string(),
        Some(Token::F64(number)) if number.is_finite() => number.to_string(),
        Some(Token::F32(_) | Token::F64(_)) => return Err(Flaw::Value),
        Some(_) => return Err(Flaw::Type),
    };
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let number = format!("{whole}{decimals:0<4}").parse().ok().filter(|_| decimals.len() <= 4);
    Ok(number.map_or(Factor::Undefined, Factor::Number))
}

/// A match-result.
pub fn encode(results: &MatchResults, version: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_match_result(&mut bytes, results, version);
    bytes
}

/// The answer to a request: the results of some matches, each with the version of its message.
pub fn encode_answer(answer: &[(MatchResults, i64)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    list(&mut bytes, answer, |out, (results, version)| write_match_result(out, results, *version));
    bytes
}

/// A request for the results of some matches, with the markets that have open bets.
pub fn encode_request(requested: &[RequestedMatch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let ids: Vec<u64> = requested.iter().map(|requested| requested.match_id.get()).collect();
    let with_markets: Vec<&RequestedMatch> = requested.iter().filter(|one| !one.open_markets.is_empty()).collect();
    array(&mut bytes, 2)
        .item(&ids)
        .with(|out, _| {
            list(out, &with_markets, |out, requested| {
                let markets: Vec<u64> = requested.open_markets.iter().map(|id| id.get()).collect();
                array(out, 2).item(&requested.match_id.get()).item(&markets).end();
            });
        })
        .end();
    bytes
}

fn array(out: &mut Vec<u8>, len: usize) -> ArrayWriter<'_> {
    ArrayWriter::begin(out, Encoding::Msgpack, len)
}

fn list<T>(out: &mut Vec<u8>, items: &[T], item: impl Fn(&mut Vec<u8>, &T)) {
    write_array_header(out, items.len());
    items.iter().for_each(|it| item(out, it));
}

fn write_match_result(out: &mut Vec<u8>, results: &MatchResults, version: i64) {
    array(out, 4)
        .item(&results.match_id.get())
        .item(&version)
        .with(|out, _| list(out, &results.markets, write_market_result))
        .item(&results.date_ms)
        .end();
}

fn write_market_result(out: &mut Vec<u8>, result: &MarketResult) {
    array(out, 5)
        .item(&result.market.get())
        .item(&result.state.code())
        .with(|out, _| list(out, &result.odds, write_odd_result))
        .with(|out, _| list(out, &result.void_windows, write_window))
        .item(&result.reason)
        .end();
}

fn write_odd_result(out: &mut Vec<u8>, odd: &RawOddResult) {
    let number = |factor: u64| factor as f64 / 10_000.0;
    let void = odd.void_factor.filter(|void| *void != VoidFactor::Zero).map(|void| number(void.ten_thousandths()));
    let dead_heat = odd.dead_heat.filter(|share| *share != DeadHeat::NONE).map(|share| number(share.ten_thousandths()));
    array(out, 4).item(&odd.odd.get()).item(&odd.result).item(&void).item(&dead_heat).end();
}

fn write_window(out: &mut Vec<u8>, window: &VoidWindow) {
    array(out, 2).item(&window.from_ms).item(&window.until_ms).end();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn bytes(value: &Value) -> Vec<u8> {
        rmp_serde::to_vec(value).unwrap()
    }

    fn decoded(value: &Value) -> DecodedResults {
        open_match_result(&bytes(value), None).unwrap()
    }

    fn odd(result: Option<i64>, void: Option<VoidFactor>, dead_heat: Option<u64>) -> RawOddResult {
        let dead_heat = dead_heat.and_then(DeadHeat::from_ten_thousandths);
        RawOddResult { odd: OddId::new(7).unwrap(), result, void_factor: void, dead_heat }
    }

    #[test]
    fn a_match_result_is_read_element_by_element() {
        let value = json!([17, 3, [[5, 2, [[7, 1, 0.5, 0.3333], [8, 0]], [[1, null], [null, 9]], "walkover"]], 1234]);
        let DecodedResults { results, dropped } = decoded(&value);
        assert_eq!(dropped.total(), 0);
        assert_eq!((results.match_id.get(), results.date_ms), (17, Some(1234)));
        let market = &results.markets[0];
        assert_eq!((market.market.get(), market.version, market.state), (5, 3, MarketState::Cancelled));
        assert_eq!(market.odds[0], odd(Some(1), Some(VoidFactor::Half), Some(3_333)));
        assert_eq!(market.odds[1].result, Some(0));
        let windows: Vec<_> = market.void_windows.iter().map(|window| (window.from_ms, window.until_ms)).collect();
        assert_eq!(windows, [(Some(1), None), (None, Some(9))]);
        assert_eq!(market.reason.as_deref(), Some("walkover"));
    }

    #[test]
    fn factors_are_exact_or_undefined() {
        for (void, dead_heat, expected) in [
            (json!(null), json!(null), odd(Some(1), Some(VoidFactor::Zero), Some(10_000))),
            (json!(0), json!(1), odd(Some(1), Some(VoidFactor::Zero), Some(10_000))),
            (json!(0.0), json!(1.0), odd(Some(1), Some(VoidFactor::Zero), Some(10_000))),
            (json!(1), json!(0.5), odd(Some(1), Some(VoidFactor::One), Some(5_000))),
            (json!(0.25), json!(0.0001), odd(Some(1), None, Some(1))),
            (json!(-1), json!(0.33333), odd(Some(1), None, None)),
            (json!(0), json!(0), odd(Some(1), Some(VoidFactor::Zero), None)),
            (json!(0), json!(1.5), odd(Some(1), Some(VoidFactor::Zero), None)),
        ] {
            let value = json!([17, 1, [[5, 1, [[7, 1, void, dead_heat]]]]]);
            assert_eq!(decoded(&value).results.markets[0].odds, [expected], "{value}");
        }
    }

    #[test]
    fn a_single_float_is_read_as_its_shortest_text() {
        let mut raw = bytes(&json!([17, 1, [[5, 1, [[7, 1, null, 9]]]]]));
        let last = raw.pop();
        assert_eq!(last, Some(9));
        raw.push(0xca);
        raw.extend(0.3333_f32.to_be_bytes());
        let results = open_match_result(&raw, None).unwrap().results;
        assert_eq!(results.markets[0].odds[0].dead_heat, DeadHeat::from_ten_thousandths(3_333));
    }

    #[test]
    fn a_bad_market_is_dropped_alone_and_counted() {
        for bad in [
            json!([null, 1, []]),
            json!(["5", 1, []]),
            json!([5, null, []]),
            json!([5, 1, [[null, 1]]]),
            json!([5, 1, [[7, "won"]]]),
            json!([5, 1, [[7, 1, "half"]]]),
            json!([5, 2, [], [["now", null]]]),
            json!([5, 1, [], [], 9]),
            json!(5),
        ] {
            let value = json!([17, 1, [bad, [6, 1, []]], 1]);
            let DecodedResults { results, dropped } = decoded(&value);
            let markets: Vec<u64> = results.markets.iter().map(|market| market.market.get()).collect();
            assert_eq!((markets, dropped.total()), (vec![6], 1), "{value}");
        }
    }

    #[test]
    fn contradicting_results_of_a_market_are_dropped() {
        let (won, lost) = (json!([5, 1, [[7, 1]]]), json!([5, 1, [[7, 0]]]));
        for (markets, left, dropped) in [
            (json!([won, lost, [6, 1, []]]), vec![6], 2),
            (json!([won, [6, 1, []], won]), vec![5, 6, 5], 0),
            (json!([[5, 1, [[7, 1], [7, 0]]], [6, 1, []]]), vec![6], 1),
            (json!([[5, 1, [[7, 1], [7, 1]]]]), vec![5], 0),
        ] {
            let DecodedResults { results, dropped: counted } = decoded(&json!([17, 1, markets, 1]));
            let read: Vec<u64> = results.markets.iter().map(|market| market.market.get()).collect();
            assert_eq!((read, counted.total()), (left, dropped), "{markets}");
        }
    }

    #[test]
    fn a_bad_envelope_does_not_decode() {
        for bad in [json!([]), json!([17]), json!([null, 1, []]), json!([17, "1", []]), json!([17, 1, 5]), json!("x")] {
            assert!(open_match_result(&bytes(&bad), None).is_err(), "{bad}");
        }
        assert!(open_match_result(&bytes(&json!([17, 1, []])), Some("br")).is_err());
    }

    #[test]
    fn shorter_and_longer_arrays_are_read() {
        assert_eq!(decoded(&json!([17, 1])).results.markets, []);
        assert_eq!(
            decoded(&json!([17, 1, [[5, 1, [[7, 1, null, null, "new"]], null, null, "new"]], 1, "new"]))
                .dropped
                .total(),
            0
        );
    }

    fn requested(match_id: u64, open_markets: &[u64]) -> RequestedMatch {
        RequestedMatch {
            match_id: MatchId::new(match_id).unwrap(),
            open_markets: open_markets.iter().map(|id| MarketId::new(*id).unwrap()).collect(),
        }
    }

    #[test]
    fn a_request_names_matches_and_their_markets_with_open_bets() {
        let all = [requested(17, &[170, 171]), requested(18, &[])];
        assert_eq!(decode_request(&encode_request(&all)).unwrap(), all);
        let without_markets = decode_request(&bytes(&json!([[17, 18]]))).unwrap();
        assert_eq!(without_markets, [requested(17, &[]), requested(18, &[])]);
        let of_other_matches = decode_request(&bytes(&json!([[17], [[18, [180]], [17, [170]]], "new"]))).unwrap();
        assert_eq!(of_other_matches, [requested(17, &[170])]);
        assert!(decode_request(&bytes(&json!([null]))).is_err());
        assert!(decode_request(&bytes(&json!([["a"]]))).is_err());
        let many = vec![1_u64; RESULT_MATCHES_ASKED_MAX + 1];
        assert!(decode_request(&bytes(&json!([many]))).is_err());
    }

    #[test]
    fn the_result_of_an_odd_may_be_an_integer_or_a_float() {
        for (number, expected) in [
            (json!(1), Some(1)),
            (json!(1.0), Some(1)),
            (json!(0.0), Some(0)),
            (json!(-0.0), Some(0)),
            (json!(null), None),
            (json!(0.5), Some(UNDEFINED_RESULT)),
            (json!(1e300), Some(UNDEFINED_RESULT)),
        ] {
            let value = json!([17, 1, [[5, 1, [[7, number]]]]]);
            assert_eq!(decoded(&value).results.markets[0].odds[0].result, expected, "{value}");
        }
    }

    fn any_market() -> impl Strategy<Value = MarketResult> {
        let odd = (0..ID_MAX, proptest::option::of(-1_i64..3), 0_u64..3, 1_u64..=10_000).prop_map(
            |(id, result, void, dead_heat)| RawOddResult {
                odd: OddId::new(id).unwrap(),
                result,
                void_factor: VoidFactor::from_ten_thousandths(void * 5_000),
                dead_heat: DeadHeat::from_ten_thousandths(dead_heat),
            },
        );
        let window = (any::<Option<i64>>(), any::<Option<i64>>())
            .prop_map(|(from_ms, until_ms)| VoidWindow { from_ms, until_ms });
        let odds = proptest::collection::vec(odd, 0..5);
        let windows = proptest::collection::vec(window, 0..3);
        (0..ID_MAX, -1_i64..4, odds, windows, proptest::option::of("[a-zčđ ]{0,12}")).prop_map(
            |(id, state, odds, void_windows, reason)| MarketResult {
                market: MarketId::new(id).unwrap(),
                version: 9,
                state: MarketState::from_code(state),
                odds,
                void_windows,
                reason: reason.map(Into::into),
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_again(
            markets in proptest::collection::vec(any_market(), 0..5), id in 0..ID_MAX, date_ms in proptest::option::of(0_i64..1 << 50),
        ) {
            let results = MatchResults { match_id: MatchId::new(id).unwrap(), markets, date_ms };
            let again = open_match_result(&encode(&results, 9), None).unwrap();
            prop_assert_eq!(&again.results, &results);
            let (answered, dropped) = open_answer(&encode_answer(&[(results.clone(), 9)]), None).unwrap();
            prop_assert_eq!((answered, dropped.total()), (vec![results], 0));
        }

        #[test]
        fn damaged_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = open_match_result(&bytes, None);
            let _ = open_answer(&bytes, None);
            let _ = decode_request(&bytes);
        }
    }
}
