//! The markets of matches as they were read last. A message has a whole match, of which mostly few prices changed: a market
//! with the same bytes as before is shared instead of read, and one with other prices is copied with them.
//!
//! Must not grow without bound: it keeps a limited number of matches and then forgets all of them.

use super::fields;
use super::market_shape::{Gaps, Value};
use crate::msgpack::Cursor;
use kvota_domain::ids::MatchId;
use kvota_domain::market::{Market, Odd};
use std::collections::HashMap;
use std::sync::Arc;

/// Matches that are kept. One with 48 markets takes 40 KB.
const MATCHES_MAX: usize = 2_000;
/// The markets that are compared with the bytes, from the expected one on: those before them may be gone.
const AHEAD: usize = 4;
/// The same before the expected one: others may have come between.
const BEHIND: usize = 2;
/// The first bytes of a market, with the end of its id.
const ID_BYTES: usize = 8;

/// The place of the market of the last message that is here, near the place where it is expected.
pub(super) fn near<T>(before: &[T], expected: usize, is_here: impl Fn(&T) -> bool) -> Option<usize> {
    let behind = expected.saturating_sub(BEHIND)..expected;
    (expected..expected + AHEAD).chain(behind).find(|place| before.get(*place).is_some_and(&is_here))
}

/// A market with its bytes; `None` if its status is not in the offer.
pub(super) struct Kept {
    bytes: Box<[u8]>,
    market: Option<Arc<Market>>,
    /// Where each odd has its price and its movement; `None` if one lacks them.
    gaps: Option<Gaps>,
}

/// The markets of all matches.
#[derive(Default)]
pub(super) struct KeptMarkets(HashMap<MatchId, Vec<Kept>>);

impl KeptMarkets {
    /// Takes the markets of a match, to follow a new message with them.
    pub(super) fn of(&mut self, id: MatchId) -> Following {
        let before = self.0.get_mut(&id).map(std::mem::take).unwrap_or_default();
        Following { now: Vec::with_capacity(before.len()), before: before.into_iter().map(Some).collect(), next: 0 }
    }

    /// Keeps the markets of the new message.
    pub(super) fn keep(&mut self, id: MatchId, following: Following) {
        if self.0.len() >= MATCHES_MAX && !self.0.contains_key(&id) {
            self.0.clear();
        }
        self.0.insert(id, following.now);
    }

    /// Forgets a match that was deleted.
    pub(super) fn forget(&mut self, id: MatchId) {
        self.0.remove(&id);
    }
}

/// The markets of a match in the last message, and those of the new one.
pub(super) struct Following {
    before: Vec<Option<Kept>>,
    /// The place in `before` where the next market is expected.
    next: usize,
    now: Vec<Kept>,
}

impl Following {
    /// The market at the cursor, if it is known by its bytes: the cursor is then behind it. A whole value of msgpack is
    /// never the beginning of another one, so that equal bytes are the same market.
    pub(super) fn find(&mut self, cursor: &mut Cursor<'_>) -> Option<Option<Arc<Market>>> {
        let rest = cursor.rest();
        let is_here = |kept: &Option<Kept>| kept.as_ref().is_some_and(|kept| rest.starts_with(&kept.bytes));
        let place = near(&self.before, self.next, is_here)?;
        let kept = self.before.get_mut(place)?.take()?;
        self.next = place + 1;
        cursor.skip_bytes(kept.bytes.len()).ok()?;
        let market = kept.market.clone();
        self.now.push(kept);
        Some(market)
    }

    /// The market at the cursor, if it is one of the last message with other prices: the cursor is then behind it.
    pub(super) fn repriced(&mut self, cursor: &mut Cursor<'_>) -> Option<Arc<Market>> {
        let rest = cursor.rest();
        let id_bytes = rest.first_chunk::<ID_BYTES>()?;
        let is_here = |kept: &Option<Kept>| kept.as_ref().is_some_and(|kept| kept.bytes.starts_with(id_bytes));
        let place = near(&self.before, self.next, is_here)?;
        let kept = self.before.get_mut(place)?;
        let (len, market) = kept.as_ref()?.repriced(rest)?;
        let gaps = kept.take()?.gaps;
        self.next = place + 1;
        cursor.skip_bytes(len).ok()?;
        self.now.push(Kept { bytes: rest.get(..len)?.into(), market: Some(Arc::clone(&market)), gaps });
        Some(market)
    }

    /// Notes a market that was read between two places. `values` are the prices and movements of its odds, with the bytes
    /// that were left before each.
    pub(super) fn note(
        &mut self,
        beginning: Cursor<'_>,
        end: Cursor<'_>,
        values: &[(usize, Value)],
        market: &Option<Arc<Market>>,
    ) {
        let bytes = beginning.rest().get(..beginning.left().saturating_sub(end.left())).unwrap_or_default();
        let places: Vec<_> = values.iter().map(|(left, value)| (beginning.left() - left, *value)).collect();
        let odds = market.as_ref().map_or(0, |market| market.odds.len());
        let gaps = Gaps::of(bytes, &places).filter(|gaps| gaps.values() == 2 * odds);
        // The one in this place has changed.
        self.next += 1;
        self.now.push(Kept { bytes: bytes.into(), market: market.clone(), gaps });
    }
}

impl Kept {
    /// The length of the market at the beginning of `rest`, and the market, if it is this one with other prices.
    fn repriced(&self, rest: &[u8]) -> Option<(usize, Arc<Market>)> {
        let mut market = Market::clone(self.market.as_ref()?);
        let (mut before, mut place) = (&self.bytes[..], 0);
        let len = self.gaps.as_ref()?.walk(rest, |same, value| {
            let Some(behind) = before.strip_prefix(same) else { return false };
            let Some((value, bytes)) = value else { return true };
            before = value.len(behind).and_then(|len| behind.get(len..)).unwrap_or_default();
            place += 1;
            market.odds.get_mut((place - 1) / 2).is_some_and(|odd| is_read(value, bytes, odd))
        })?;
        Some((len, Arc::new(market)))
    }
}

/// Reads a value of an odd. False if it is a flaw, or if decimals were cut off: both are counted each time.
fn is_read(value: Value, bytes: &[u8], odd: &mut Odd) -> bool {
    let Ok(token) = Cursor::new(bytes).token() else { return false };
    let mut is_exact = true;
    let read = match value {
        Value::Price => fields::price(token, || is_exact = false).map(|price| odd.value = price),
        Value::Movement => fields::movement(token).map(|movement| odd.changed = movement),
    };
    is_exact && read.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::cases::V::{A, F, I, N, S};
    use crate::feed::cases::{V, bytes};
    use crate::feed::hostile::valid_and_damaged;
    use crate::feed::{Decoder, UpdateLimits, decode_update};
    use kvota_domain::lang::Lang;
    use proptest::prelude::*;

    const TURNS: u64 = 15_000;

    /// Prices of all lengths, and some that are a flaw, with movements.
    const PRICES: [(V, V); 9] = [
        (F(1.85), N),
        (F(2.15), I(1)),
        (I(2), I(-1)),
        (I(200), I(0)),
        (I(300), N),
        (N, N),
        (S("dear"), N),
        (F(-1.0), I(1)),
        (F(2.5), I(300)),
    ];

    /// A market with one of the prices.
    fn market(id: i64, price: usize) -> V {
        let (value, movement) = PRICES[price].clone();
        let odd = A(vec![I(id * 10), S("1"), value, N, N, movement, N]);
        A(vec![I(id), S("a market"), N, N, N, I(1), N, N, A(vec![odd])])
    }

    fn message(markets: &[(i64, usize)]) -> Vec<u8> {
        let mut live_match = vec![N; 26];
        live_match[0] = I(7);
        live_match[6] = A(markets.iter().map(|(id, price)| market(*id, *price)).collect());
        bytes(&A(vec![A(vec![A(vec![I(1), S("soccer"), I(1), A(vec![A(live_match)])])]), N, N]))
    }

    proptest! {
        /// Whatever was read before, a message means the same.
        #[test]
        fn markets_that_come_change_move_and_go_are_read_as_by_a_new_decoder(
            messages in proptest::collection::vec(proptest::collection::vec((1_i64..7, 0..PRICES.len()), 0..8), 1..8)
        ) {
            let mut decoder = Decoder::default();
            for markets in messages {
                let message = message(&markets);
                let (found, expected) = (
                    decoder.update(&message, &UpdateLimits::EVENT).unwrap(),
                    Decoder::default().update(&message, &UpdateLimits::EVENT).unwrap(),
                );
                prop_assert_eq!(found, expected, "{:?}", markets);
                let texts = |decoder: &mut Decoder| decoder.texts(&message, &UpdateLimits::EVENT, Lang::En).unwrap();
                prop_assert_eq!(texts(&mut decoder), texts(&mut Decoder::default()), "{:?}", markets);
            }
        }

        /// Markets that are not validated again take as much of the limits as new ones.
        #[test]
        fn known_markets_count_for_the_limits(number in 1_i64..7, entities_max in 0_usize..40) {
            let markets: Vec<(i64, usize)> = (1..=number).map(|id| (id, 0)).collect();
            let (message, small) = (message(&markets), UpdateLimits { entities_max, ..UpdateLimits::EVENT });
            let mut decoder = Decoder::default();
            decoder.update(&message, &UpdateLimits::EVENT).unwrap();
            decoder.texts(&message, &UpdateLimits::EVENT, Lang::En).unwrap();
            let is_accepted = decode_update(&message, &small).is_ok();
            prop_assert_eq!(decoder.update(&message, &small).is_ok(), is_accepted);
            prop_assert_eq!(decoder.texts(&message, &small, Lang::En).is_ok(), is_accepted);
        }
    }

    #[test]
    fn damaged_messages_are_read_as_by_a_new_decoder() {
        let mut decoder = Decoder::default();
        valid_and_damaged(TURNS, 0x6b76_6f74_6100_0003, |bytes, seed| {
            let found = decoder.update(bytes, &UpdateLimits::EVENT).ok();
            let expected = Decoder::default().update(bytes, &UpdateLimits::EVENT).ok();
            assert_eq!(found, expected, "KVOTA_SEED={seed}: {bytes:02x?}");
        });
    }

    #[test]
    fn a_market_with_the_same_bytes_is_found_near_its_place_once() {
        let known = |id: u8| Some(Kept { bytes: [0x91, id].into(), market: None, gaps: None });
        let mut following = Following { before: (1..=9).map(known).collect(), next: 0, now: Vec::new() };
        for (id, is_found) in
            [(1, true), (1, false), (2, true), (5, true), (4, true), (3, true), (9, false), (6, true), (99, false)]
        {
            let bytes = [0x91, id, 0x05];
            let mut cursor = Cursor::new(&bytes);
            assert_eq!(following.find(&mut cursor).is_some(), is_found, "{id}");
            assert_eq!(cursor.left(), if is_found { 1 } else { 3 });
        }
    }

    #[test]
    fn so_many_matches_are_kept_at_most() {
        let mut kept = KeptMarkets::default();
        for id in 1..=5_000 {
            let id = MatchId::new(id).unwrap();
            let following = kept.of(id);
            kept.keep(id, following);
        }
        assert!(kept.0.len() <= MATCHES_MAX);
    }
}
